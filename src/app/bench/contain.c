/* The supervisor: a loop of samples over the tree of processes below it.
 *
 * CPU time is that of the living (with what they reaped) and that of those that the supervisor
 * reaped; nobody counts twice, since a process has its children's time only once it reaped them. */
#include "app/bench/contain.h"

#include "app/app_limits.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

const char *tp_contained_end_name(tp_contained_end end) {
  static const char *const names[] = {"ended",   "cpu",    "wall",  "memory",
                                      "scratch", "output", "failed"};
  TP_REQUIRE(end < TP_N_CONTAINED);
  return names[end];
}

void tp_contained_clear(tp_contained *c) { tp_str_clear(&c->out); }

// -------------------------------------------------------------------- the tree

typedef struct {
  double cpu_s;
  uint64_t resident_bytes;
  unsigned n;
} usage;

static bool read_text(const char *path, char *text, size_t room) {
  TP_REQUIRE(room > 1);
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  size_t n = 0;
  ssize_t got;
  while (n + 1 < room && (got = read(fd, text + n, room - 1 - n)) > 0) n += (size_t)got;
  close(fd);
  text[n] = 0;
  return n > 0;
}

/* CPU time and memory of one process, from /proc/PID/stat: behind the name, which may hold anything
 * but a last parenthesis. */
static void add_process(pid_t pid, usage *sum) {
  char path[64], text[1024];
  snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
  const char *rest = read_text(path, text, sizeof text) ? strrchr(text, ')') : NULL;
  unsigned long long user, kernel, children_user, children_kernel;
  long long resident;
  if (!rest || sscanf(rest + 1,
                      " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %llu %llu %*d %*d "
                      "%*d %*d %*u %*u %lld",
                      &user, &kernel, &children_user, &children_kernel, &resident) != 5)
    return;
  sum->cpu_s +=
      (double)(user + kernel + children_user + children_kernel) / (double)sysconf(_SC_CLK_TCK);
  if (resident > 0) sum->resident_bytes += (uint64_t)resident * (uint64_t)sysconf(_SC_PAGESIZE);
  sum->n++;
}

typedef TP_VEC(pid_t) pid_list;

/* This process and all its descendants; *tree is theirs, this process first. */
static usage usage_of_tree(pid_list *tree) {
  enum { ROOM = 1 << 16 };
  static char text[ROOM];
  usage sum = {0};
  tree->n = 0;
  tp_vec_push(tree, getpid());
  for (size_t i = 0; i < tree->n && i < TP_APP_BENCH_PROCESSES; i++) {
    const pid_t pid = tree->at[i];
    if (i > 0) add_process(pid, &sum);
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid, (int)pid);
    if (!read_text(path, text, sizeof text)) continue;
    for (char *at = text, *end;; at = end) {
      const long child = strtol(at, &end, 10);
      if (end == at) break;
      tp_vec_push(tree, (pid_t)child);
    }
  }
  struct rusage reaped;
  if (getrusage(RUSAGE_CHILDREN, &reaped) == 0)
    sum.cpu_s += (double)(reaped.ru_utime.tv_sec + reaped.ru_stime.tv_sec) +
                 (double)(reaped.ru_utime.tv_usec + reaped.ru_stime.tv_usec) / 1e6;
  return sum;
}

/* Memory of the tree where pages that processes share count once; 0: the kernel does not say. */
static uint64_t shared_bytes_of_tree(const pid_list *tree) {
  uint64_t sum = 0;
  for (size_t i = 1; i < tree->n; i++) {
    char path[64], text[4096];
    snprintf(path, sizeof path, "/proc/%d/smaps_rollup", (int)tree->at[i]);
    const char *at = read_text(path, text, sizeof text) ? strstr(text, "\nPss:") : NULL;
    if (at) sum += strtoull(at + 5, NULL, 10) * 1024;
  }
  return sum;
}

/* Bytes of the files in a directory, and below. */
static uint64_t bytes_below(const char *path, int depth) {
  uint64_t sum = 0;
  DIR *d = opendir(path);
  if (!d) return 0;
  for (struct dirent *e; (e = readdir(d)) != NULL;) {
    if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
    tp_str name = {0};
    struct stat st;
    tp_str_printf(&name, "%s/%s", path, e->d_name);
    if (lstat(name.text, &st) == 0) {
      sum += (uint64_t)st.st_blocks * 512;
      if (S_ISDIR(st.st_mode) && depth < TP_APP_BENCH_SCRATCH_LEVELS)
        sum += bytes_below(name.text, depth + 1);
    }
    tp_str_clear(&name);
  }
  closedir(d);
  return sum;
}

// --------------------------------------------------------------- the supervisor

typedef struct {
  const tp_contain_limits *limits;
  const char *scratch;
  pid_list tree;
  double start_s, peak_bytes, cpu_s;
} watch;

static tp_contained_end limit_reached(watch *w, double now) {
  TP_REQUIRE(now >= w->start_s);
  const tp_contain_limits *l = w->limits;
  const usage u = usage_of_tree(&w->tree);
  if (u.cpu_s > w->cpu_s) w->cpu_s = u.cpu_s;
  if ((double)u.resident_bytes > w->peak_bytes) w->peak_bytes = (double)u.resident_bytes;
  if (l->cpu_s > 0 && u.cpu_s > l->cpu_s) return TP_CONTAINED_CPU;
  if (l->wall_s > 0 && now - w->start_s > l->wall_s) return TP_CONTAINED_WALL;
  if (l->memory_bytes && u.resident_bytes > l->memory_bytes &&
      shared_bytes_of_tree(&w->tree) > l->memory_bytes)
    return TP_CONTAINED_MEMORY;
  if (l->scratch_bytes && bytes_below(w->scratch, 0) > l->scratch_bytes)
    return TP_CONTAINED_SCRATCH;
  return TP_CONTAINED_ENDED;
}

/* The one who asked died, or wants to end: so does everything below. */
static void on_end(int signal_number) {
  (void)signal_number;
  tp_process_interrupt();
}

/* "END STATUS LEFTOVER CPU WALL PEAK\n", then the output. */
static void send(int channel, const tp_contained *c) {
  TP_REQUIRE(channel >= 0 && c->end < TP_N_CONTAINED);
  tp_str text = {0};
  tp_str_printf(&text, "%d %d %u %.6f %.6f %.3f\n", (int)c->end, c->status, c->leftover, c->cpu_s,
                c->wall_s, c->peak_mb);
  tp_str_add_n(&text, tp_str_text(&c->out), c->out.n);
  for (size_t done = 0; done < text.n;) {
    const ssize_t n = write(channel, text.text + done, text.n - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += (size_t)n;
  }
  tp_str_clear(&text);
}

static void follow(tp_process *p, watch *w, tp_contained *c) {
  double sampled_s = 0;
  while (tp_process_step(&p, 1, TP_APP_BENCH_SAMPLE_MS) > 0) {
    const double now = tp_wall_s();
    if (now - sampled_s < (double)TP_APP_BENCH_SAMPLE_MS / 1000) continue;
    sampled_s = now;
    c->end = limit_reached(w, now);
    if (c->end != TP_CONTAINED_ENDED || tp_process_interrupted()) tp_process_kill(p);
    if (c->end != TP_CONTAINED_ENDED) break;
  }
  while (tp_process_step(&p, 1, TP_APP_BENCH_SAMPLE_MS) > 0) tp_process_kill(p);
  if (p->end == TP_PROCESS_TOO_MUCH_OUTPUT) c->end = TP_CONTAINED_OUTPUT;
}

static int supervise(void *ctx, int channel) {
  const tp_containment *t = ctx;
  tp_contained c = {.end = TP_CONTAINED_FAILED, .status = -1};
  struct sigaction a = {.sa_handler = on_end};
  sigaction(SIGTERM, &a, NULL);
  signal(SIGINT, SIG_IGN);  // of the terminal: the one who asked says when
  const pid_t asker = getppid();
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != asker) return 1;
  tp_process_adopt_orphans();
  tp_temp_share();
  tp_str scratch = {0};
  if (tp_temp_dir(&scratch) == TP_OK) {
    setenv("TMPDIR", scratch.text, 1);
    watch w = {.limits = &t->limits, .scratch = scratch.text, .start_s = tp_wall_s()};
    tp_process p;
    const tp_process_spec spec = {.program = t->program,
                                  .argv = t->argv,
                                  .err = TP_STDIO_DISCARD,
                                  .limits = {.output_bytes = TP_APP_BENCH_OUTPUT_BYTES,
                                             .file_bytes = t->limits.scratch_bytes}};
    if (tp_process_start(&p, spec) == TP_OK) {
      c.end = TP_CONTAINED_ENDED;
      follow(&p, &w, &c);
      c.wall_s = tp_wall_s() - w.start_s;
      c.leftover = usage_of_tree(&w.tree).n;
      c.status = p.end == TP_PROCESS_EXITED ? p.code : -1;
      tp_str_add_n(&c.out, tp_str_text(&p.out), p.out.n);
      tp_process_kill_descendants();
      const double cpu_s = usage_of_tree(&w.tree).cpu_s;
      c.cpu_s = cpu_s > w.cpu_s ? cpu_s : w.cpu_s;
      c.peak_mb =
          (w.peak_bytes > (double)p.peak_bytes ? w.peak_bytes : (double)p.peak_bytes) / 1048576;
      tp_vec_clear(&w.tree);
      tp_process_clear(&p);
    }
    tp_remove_tree(scratch.text);
  }
  tp_str_clear(&scratch);
  if (!tp_process_interrupted()) send(channel, &c);
  tp_contained_clear(&c);
  return 0;
}

// ------------------------------------------------------------------ the asker

tp_status tp_contain_start(tp_containment *c, const char *program, const char *const *argv,
                           tp_contain_limits limits) {
  TP_REQUIRE(c && program && argv && argv[0]);
  *c = (tp_containment){.program = program, .argv = argv, .limits = limits};
  return tp_process_start(
      &c->supervisor,
      (tp_process_spec){.work = supervise,
                        .ctx = c,
                        .out = TP_STDIO_DISCARD,
                        .err = TP_STDIO_INHERIT,
                        .limits = {.output_bytes = 2 * (uint64_t)TP_APP_BENCH_OUTPUT_BYTES}});
}

void tp_contain_take(tp_containment *c, tp_contained *out) {
  TP_REQUIRE(c && out && c->supervisor.end != TP_PROCESS_RUNNING);
  *out = (tp_contained){.end = TP_CONTAINED_FAILED, .status = -1};
  const char *text = tp_str_text(&c->supervisor.channel);
  const size_t head = strcspn(text, "\n");
  int end;
  if (text[head] == '\n' &&
      sscanf(text, "%d %d %u %lf %lf %lf", &end, &out->status, &out->leftover, &out->cpu_s,
             &out->wall_s, &out->peak_mb) == 6 &&
      end >= 0 && end < TP_N_CONTAINED) {
    out->end = (tp_contained_end)end;
    tp_str_add_n(&out->out, text + head + 1, c->supervisor.channel.n - head - 1);
  }
  tp_process_clear(&c->supervisor);
}
