/* Children: one poll loop over their pipes and process descriptors.
 *
 * A child ends when its own process is gone; then its group is killed and what is left in the
 * pipes is read. Time and memory are checked at every turn of the loop, which therefore never
 * sleeps longer than TP_BASE_WATCH_MS while a limit has to be watched. */
#include "base/process.h"

#include "base/base_limits.h"
#include "base/fault.h"
#include "base/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TP_OUT, TP_ERR, TP_CHANNEL, TP_N_PIPES };

static volatile sig_atomic_t interrupted;
void tp_process_interrupt(void) { interrupted = 1; }
bool tp_process_interrupted(void) { return interrupted != 0; }

// ------------------------------------------------------------------ in the child

static void set_limit(int resource, uint64_t value) {
  struct rlimit old;
  if (value == 0 || getrlimit((__rlimit_resource_t)resource, &old) != 0) return;
  rlim_t v = (rlim_t)value;
  if (old.rlim_max != RLIM_INFINITY && v > old.rlim_max) v = old.rlim_max;
  struct rlimit now = {v, v};
  setrlimit((__rlimit_resource_t)resource, &now);
}

static void apply_limits(const tp_process_limits *l) {
  set_limit(RLIMIT_CPU,
            l->cpu_s > 0 ? (uint64_t)l->cpu_s + 2 : 0);  // a net: tp_process_step comes first
  set_limit(RLIMIT_AS, l->address_bytes);
  set_limit(RLIMIT_STACK, l->stack_bytes);
  set_limit(RLIMIT_FSIZE, l->file_bytes);
  struct rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
}

static void reset_signals(void) {
  for (int s = 1; s < 32; s++) signal(s, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

static void redirect(int target, int fd) {
  if (fd != target) dup2(fd, target);
}

/* Standard streams, then nothing else stays open but the channel. */
static int set_up_files(const tp_process_spec *spec, const int write_ends[TP_N_PIPES],
                        int requests) {
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  int channel = write_ends[TP_CHANNEL];
  redirect(0, requests >= 0 ? requests : null);
  if (spec->out == TP_STDIO_CAPTURE) redirect(1, write_ends[TP_OUT]);
  if (spec->out == TP_STDIO_DISCARD) redirect(1, null);
  if (spec->err == TP_STDIO_CAPTURE) redirect(2, write_ends[TP_ERR]);
  if (spec->err == TP_STDIO_DISCARD) redirect(2, null);
  if (spec->out == TP_STDIO_FILE) redirect(1, spec->out_file);
  if (spec->err == TP_STDIO_FILE) redirect(2, spec->err_file);
  if (channel < 0) {
    close_range(3, UINT_MAX, 0);
    return -1;
  }
  if (channel != 3) dup2(channel, 3);
  close_range(4, UINT_MAX, 0);
  return 3;
}

/* Say why the program could not be started, the way a shell does. */
static _Noreturn void cannot_start(const char *what, const char *name) {
  char text[512];
  int n = snprintf(text, sizeof text, "%s: %s: %s\n", name, what, strerror(errno));
  if (n > 0) {
    ssize_t ignored = write(2, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
    (void)ignored;
  }
  _exit(127);
}

/* Who only becomes another program may borrow the parent's memory until then (vfork): on that way
 * nothing is written that the parent reads. */
static _Noreturn void become_child(const tp_process_spec *spec, const int write_ends[TP_N_PIPES],
                                   int requests, pid_t parent, const char *hidden) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);  // the parent died before prctl
  reset_signals();
  int channel = set_up_files(spec, write_ends, requests);
  if (spec->directory && chdir(spec->directory) != 0)
    cannot_start("cannot enter directory", spec->directory);
  apply_limits(&spec->limits);
  if (spec->work) _exit(spec->work(spec->ctx, channel));
  if (tp_fault_pass(TP_FAULT_EVENT_PROGRAM)) _exit(127);
  const char *path = spec->program ? spec->program : spec->argv[0];
  char *const *argv = (char *const *)(uintptr_t)spec->argv;
  char *const *env = spec->env ? (char *const *)(uintptr_t)spec->env : environ;
  if (spec->sandbox == TP_SANDBOX_STRICT) {
    if (!hidden || tp_sandbox_enter(hidden) != TP_OK)
      cannot_start("cannot set up the sandbox", path);
    execve(hidden, argv, env);
  } else {
    execvpe(path, argv, env);
  }
  cannot_start("cannot run", path);
}

// ----------------------------------------------------------------- in the parent

static void close_fd(int *fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

static bool open_pipe(int *read_end, int *write_end) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  *read_end = ends[0];
  *write_end = ends[1];
  return true;
}

/* A socket, since writing to one whose other end is closed can be an error instead of a signal. */
static bool open_requests(int *write_end, int *read_end) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  *write_end = ends[0];
  *read_end = ends[1];
  return true;
}

/* After a fork each page that we write is copied or asked for again: not for a child that is
 * another program at once. */
static pid_t split(const tp_process_spec *spec, const int write_ends[TP_N_PIPES], int requests,
                   pid_t parent, const char *hidden) {
  const pid_t child = spec->work ? fork() : vfork();
  if (child == 0) become_child(spec, write_ends, requests, parent, hidden);
  return child;
}

static pid_t start_child(const tp_process_spec *spec, const int write_ends[TP_N_PIPES],
                         int requests) {
  char *hidden = NULL;  // stays NULL: the child says that it has no sandbox
  if (spec->sandbox == TP_SANDBOX_STRICT && !spec->work && tp_sandbox_prepare() == TP_OK)
    hidden = tp_sandbox_hide_path(spec->program ? spec->program : spec->argv[0]);
  const pid_t child = split(spec, write_ends, requests, getpid(), hidden);
  if (hidden) tp_sandbox_unmap_path(hidden);
  return child;
}

tp_status tp_process_start(tp_process *p, tp_process_spec spec) {
  TP_REQUIRE((spec.argv != NULL) != (spec.work != NULL));  // a program or a function
  TP_REQUIRE(spec.sandbox == TP_SANDBOX_NONE || !spec.work);
  memset(p, 0, sizeof *p);
  p->spec = spec;
  p->pidfd = p->requests = -1;
  int requests = -1, write_ends[TP_N_PIPES] = {-1, -1, -1};
  for (int i = 0; i < TP_N_PIPES; i++) p->fds[i] = -1;
  bool wanted[TP_N_PIPES] = {spec.out == TP_STDIO_CAPTURE, spec.err == TP_STDIO_CAPTURE,
                             spec.work != NULL};
  bool ok = !spec.takes_requests || open_requests(&p->requests, &requests);
  for (int i = 0; i < TP_N_PIPES && ok; i++)
    ok = !wanted[i] || open_pipe(&p->fds[i], &write_ends[i]);
  p->started_s = tp_wall_s();
  if (ok) {
    p->pid = start_child(&spec, write_ends, requests);
    ok = p->pid > 0;
  }
  int saved = errno;
  close_fd(&requests);
  if (!ok) close_fd(&p->requests);
  for (int i = 0; i < TP_N_PIPES; i++) {
    close_fd(&write_ends[i]);
    if (!ok) close_fd(&p->fds[i]);
  }
  errno = saved;
  if (!ok) {
    p->end = TP_PROCESS_STOPPED;
    return TP_ERR_SYSTEM;
  }
  setpgid(p->pid, p->pid);  // also here: whoever comes first
  p->pidfd =
      (int)syscall(SYS_pidfd_open, p->pid, 0);  // -1 on old kernels: then we look every few ms
  p->end = TP_PROCESS_RUNNING;
  return TP_OK;
}

static tp_str *text_of(tp_process *p, int i) {
  TP_REQUIRE(i >= 0 && i < TP_N_PIPES);
  return i == TP_OUT ? &p->out : i == TP_ERR ? &p->err : &p->channel;
}

static void kill_for(tp_process *p, tp_process_end why) {
  TP_REQUIRE(why != TP_PROCESS_RUNNING);
  if (p->end != TP_PROCESS_RUNNING || p->pending != TP_PROCESS_RUNNING) return;
  p->pending = why;
  kill(-p->pid, SIGKILL);
  kill(p->pid, SIGKILL);
}
void tp_process_kill(tp_process *p) { kill_for(p, TP_PROCESS_STOPPED); }

static void signal_running(tp_process *p, pid_t to, int number) {
  if (p->end == TP_PROCESS_RUNNING && p->pending == TP_PROCESS_RUNNING) kill(to, number);
}
void tp_process_ask(tp_process *p) { signal_running(p, p->pid, SIGTERM); }
void tp_process_pause(tp_process *p) { signal_running(p, -p->pid, SIGSTOP); }
void tp_process_resume(tp_process *p) { signal_running(p, -p->pid, SIGCONT); }

/* Read what is there. What exceeds the limit is dropped. */
static void drain(tp_process *p, int i) {
  char buffer[65536];
  while (p->fds[i] >= 0) {
    ssize_t n = read(p->fds[i], buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return;
    if (n <= 0) {
      close_fd(&p->fds[i]);
      return;
    }
    uint64_t cap = p->spec.limits.output_bytes;
    if (i != TP_CHANNEL && cap && p->out.n + p->err.n + (size_t)n > cap) {
      kill_for(p, TP_PROCESS_TOO_MUCH_OUTPUT);
      return;
    }
    tp_str_add_n(text_of(p, i), buffer, (size_t)n);
  }
}

tp_status tp_process_send(tp_process *p, const void *data, size_t n) {
  TP_REQUIRE(p->spec.takes_requests && (n == 0 || data));
  for (const char *at = data;
       n > 0 && p->end == TP_PROCESS_RUNNING && p->pending == TP_PROCESS_RUNNING;) {
    ssize_t sent = send(p->requests, at, n, MSG_NOSIGNAL);
    if (sent < 0 && errno != EINTR && errno != EAGAIN) return TP_ERR_SYSTEM;
    if (sent > 0) {
      at += sent;
      n -= (size_t)sent;
    } else {
      struct pollfd ready = {p->requests, POLLOUT, 0};
      poll(&ready, 1, TP_BASE_WATCH_MS);
      tp_process_step(&p, 1, 0);
    }
  }
  return n ? TP_ERR_SYSTEM : TP_OK;
}

/* A file of /proc; false: the process is gone. */
static bool read_proc(const char *path, char *text, size_t room) {
  TP_REQUIRE(room > 1);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  ssize_t n = read(fd, text, room - 1);
  close(fd);
  text[n > 0 ? n : 0] = 0;
  return n > 0;
}

static uint64_t resident_bytes(pid_t pid) {
  char path[64], text[128];
  snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
  unsigned long long total = 0, resident = 0;
  if (!read_proc(path, text, sizeof text) || sscanf(text, "%llu %llu", &total, &resident) != 2)
    return 0;
  return resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Children of the process, as the kernel lists them. */
static size_t children_of(pid_t pid, pid_t *out, size_t room) {
  char path[64], text[4096];
  snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid, (int)pid);
  if (!read_proc(path, text, sizeof text)) return 0;
  size_t n = 0;
  for (char *at = text, *end; n < room; at = end) {
    const long child = strtol(at, &end, 10);
    if (end == at) break;
    out[n++] = (pid_t)child;
  }
  return n;
}

/* The child with its descendants of the same group: compilers start assemblers and linkers. Memory
 * that they share counts for each. */
static uint64_t group_resident_bytes(pid_t leader) {
  pid_t members[TP_BASE_GROUP_PROCESSES] = {leader};
  uint64_t sum = 0;
  for (size_t i = 0, n = 1; i < n; i++) {
    sum += resident_bytes(members[i]);
    pid_t children[TP_BASE_GROUP_PROCESSES];
    const size_t found = children_of(members[i], children, TP_BASE_GROUP_PROCESSES - n);
    for (size_t k = 0; k < found; k++)
      if (getpgid(children[k]) == leader) members[n++] = children[k];
  }
  return sum;
}

static void watch_limits(tp_process *p, double now) {
  const tp_process_limits *l = &p->spec.limits;
  if (interrupted) kill_for(p, TP_PROCESS_STOPPED);
  if (l->wall_s > 0 && now - p->started_s > l->wall_s) kill_for(p, TP_PROCESS_TIMED_OUT);
  if (now - p->watched_s < (double)TP_BASE_WATCH_MS / 1000) return;
  p->watched_s = now;
  if (l->resident_bytes && group_resident_bytes(p->pid) > l->resident_bytes)
    kill_for(p, TP_PROCESS_OUT_OF_MEMORY);
  if (l->cpu_s > 0 && tp_process_cpu_s(p) > l->cpu_s) kill_for(p, TP_PROCESS_TIMED_OUT);
}

static void classify(tp_process *p, int status) {
  bool by_signal = WIFSIGNALED(status);
  p->code = by_signal ? WTERMSIG(status) : WEXITSTATUS(status);
  p->end = by_signal ? TP_PROCESS_SIGNALLED : TP_PROCESS_EXITED;
  if (by_signal && p->code == SIGXCPU) p->end = TP_PROCESS_TIMED_OUT;
  if (by_signal && p->code == SIGKILL && p->pending == TP_PROCESS_RUNNING &&
      p->spec.limits.cpu_s > 0 && p->cpu_s >= 0.9 * p->spec.limits.cpu_s)
    p->end = TP_PROCESS_TIMED_OUT;  // RLIMIT_CPU
  struct rlimit own;                // the one that we ourselves run under
  if (by_signal && p->code == SIGKILL && p->pending == TP_PROCESS_RUNNING &&
      getrlimit(RLIMIT_CPU, &own) == 0 && own.rlim_max != RLIM_INFINITY &&
      p->cpu_s >= 0.9 * (double)own.rlim_max)
    p->end = TP_PROCESS_TIMED_OUT;
  if (p->pending != TP_PROCESS_RUNNING && by_signal && p->code == SIGKILL) p->end = p->pending;
}

/* If the child has ended: reap it, end its group, read the rest. */
static void reap(tp_process *p) {
  siginfo_t ended = {0};
  if (waitid(P_PID, (id_t)p->pid, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid == 0)
    return;
  kill(-p->pid, SIGKILL);  // before reaping: the number is still ours
  int status;
  struct rusage used;
  pid_t got = wait4(p->pid, &status, 0, &used);
  while (waitpid(-p->pid, NULL, WNOHANG) > 0) {
  }  // adopted members of the group
  p->wall_s = tp_wall_s() - p->started_s;
  if (got > 0) {
    p->cpu_s = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
               (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
    p->peak_bytes = (uint64_t)used.ru_maxrss * 1024;
    for (int i = 0; i < TP_N_PIPES; i++) drain(p, i);
    classify(p, status);
  } else {
    p->end = TP_PROCESS_STOPPED;  // somebody else reaped it
  }
  for (int i = 0; i < TP_N_PIPES; i++) close_fd(&p->fds[i]);
  close_fd(&p->pidfd);
}

static int time_to_sleep(tp_process *const *all, size_t n, int timeout_ms) {
  int ms = timeout_ms;
  for (size_t i = 0; i < n; i++) {
    if (all[i]->end != TP_PROCESS_RUNNING) continue;
    int watch = all[i]->pidfd < 0 ? 5 : TP_BASE_WATCH_MS;
    if (ms < 0 || watch < ms) ms = watch;
  }
  return ms;
}

static size_t step(tp_process *const *all, size_t n, int fd, int timeout_ms, bool *is_readable) {
  TP_REQUIRE(n <= TP_BASE_CHILDREN);
  struct pollfd polled[TP_BASE_CHILDREN * (TP_N_PIPES + 1) + 1];
  nfds_t k = 0;
  size_t running = 0;
  if (fd >= 0) polled[k++] = (struct pollfd){fd, POLLIN, 0};
  for (size_t i = 0; i < n && i < TP_BASE_CHILDREN; i++) {
    if (all[i]->end != TP_PROCESS_RUNNING) continue;
    running++;
    for (int j = 0; j < TP_N_PIPES; j++)
      if (all[i]->fds[j] >= 0) polled[k++] = (struct pollfd){all[i]->fds[j], POLLIN, 0};
    if (all[i]->pidfd >= 0) polled[k++] = (struct pollfd){all[i]->pidfd, POLLIN, 0};
  }
  if (running == 0 && fd < 0) return 0;  // nobody would ever wake us
  TP_INVARIANT(k <= sizeof polled / sizeof *polled);
  const int ready = poll(polled, k, time_to_sleep(all, n, timeout_ms));
  if (fd >= 0) *is_readable = ready > 0 && polled[0].revents != 0;
  double now = tp_wall_s();
  running = 0;
  for (size_t i = 0; i < n; i++) {
    tp_process *p = all[i];
    if (p->end != TP_PROCESS_RUNNING) continue;
    for (int j = 0; j < TP_N_PIPES; j++) drain(p, j);
    watch_limits(p, now);
    reap(p);
    running += p->end == TP_PROCESS_RUNNING;
  }
  return running;
}

size_t tp_process_step(tp_process *const *all, size_t n, int timeout_ms) {
  return step(all, n, -1, timeout_ms, NULL);
}

size_t tp_process_step_beside(tp_process *const *all, size_t n, int fd, int timeout_ms,
                              bool *is_readable) {
  TP_REQUIRE(fd >= 0 && is_readable);
  return step(all, n, fd, timeout_ms, is_readable);
}

void tp_process_clear(tp_process *p) {
  tp_process_kill(p);
  while (p->end == TP_PROCESS_RUNNING) tp_process_step(&p, 1, -1);
  if (p->spec.takes_requests) close_fd(&p->requests);
  tp_str_clear(&p->out);
  tp_str_clear(&p->err);
  tp_str_clear(&p->channel);
}

double tp_process_cpu_s(const tp_process *p) {
  if (p->end != TP_PROCESS_RUNNING) return p->cpu_s;
  clockid_t clock;
  struct timespec t;
  if (clock_getcpuclockid(p->pid, &clock) != 0 || clock_gettime(clock, &t) != 0) return 0;
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

uint64_t tp_process_resident_bytes(const tp_process *p) {
  return p->end == TP_PROCESS_RUNNING ? resident_bytes(p->pid) : 0;
}

uint64_t tp_process_own_bytes(void) { return resident_bytes(getpid()); }

tp_status tp_process_run(tp_process *p, tp_process_spec spec) {
  TP_TRY(tp_process_start(p, spec));
  while (tp_process_step(&p, 1, -1) > 0) {
  }
  return p->end == TP_PROCESS_STOPPED ? TP_ERR_LIMIT : TP_OK;
}

bool tp_process_hit_limit(const tp_process *p) {
  return p->end == TP_PROCESS_TIMED_OUT || p->end == TP_PROCESS_OUT_OF_MEMORY ||
         p->end == TP_PROCESS_TOO_MUCH_OUTPUT ||
         (p->end == TP_PROCESS_SIGNALLED && p->code == SIGXFSZ);
}

tp_process_limits tp_process_compiler_limits(double time_s, uint64_t memory_bytes) {
  const uint64_t mb = 1 << 20, least = 512 * mb, usual = 4096 * mb;
  const uint64_t memory = memory_bytes == 0 ? usual : memory_bytes < least ? least : memory_bytes;
  // address space also counts what a program maps and never touches, its own text above all;
  // the clock only ends a compiler that waits: beside other work a second of CPU time takes many
  return (tp_process_limits){.cpu_s = time_s > 0 ? time_s + 1 : 60,
                             .wall_s = time_s > 0 ? 6 * time_s + 4 : 300,
                             .address_bytes = memory + least,
                             .resident_bytes = memory,
                             .stack_bytes = 512 * mb,
                             .file_bytes = 1024 * mb,
                             .output_bytes = 16 * mb};
}

void tp_process_print_end(const tp_process *p, tp_str *out) {
  switch (p->end) {
    case TP_PROCESS_RUNNING: tp_str_add(out, "still running"); return;
    case TP_PROCESS_EXITED: tp_str_printf(out, "status %d", p->code); return;
    case TP_PROCESS_SIGNALLED:
      tp_str_printf(out, "signal %d (%s)", p->code, strsignal(p->code));
      return;
    case TP_PROCESS_TIMED_OUT: tp_str_add(out, "time limit"); return;
    case TP_PROCESS_OUT_OF_MEMORY: tp_str_add(out, "memory limit"); return;
    case TP_PROCESS_TOO_MUCH_OUTPUT: tp_str_add(out, "too much output"); return;
    case TP_PROCESS_STOPPED: tp_str_add(out, "stopped"); return;
  }
}

// ------------------------------------------------------------------- descendants

void tp_process_adopt_orphans(void) { prctl(PR_SET_CHILD_SUBREAPER, 1); }

void tp_process_kill_descendants(void) {
  for (int round = 0; round < 1000; round++) {  // each round reaps one generation
    pid_t pids[256];
    size_t n = children_of(getpid(), pids, 256);  // this process is single-threaded
    if (n == 0) return;
    for (size_t i = 0; i < n; i++) kill(pids[i], SIGKILL);
    for (size_t i = 0; i < n; i++) waitpid(pids[i], NULL, 0);
  }
}
