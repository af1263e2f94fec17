/* twoproof bench: every task in a process of its own, a table of verdicts, a store of runs.
 *
 * A wrong verdict is the one thing that must not happen, so it decides the exit status; answers
 * that are missing are counted only. */
#include "app/commands.h"

#include "app/app_limits.h"
#include "app/bench/answer.h"
#include "app/bench/check_arguments.h"
#include "app/bench/compare.h"
#include "app/bench/html_report.h"
#include "app/exit.h"
#include "app/property.h"
#include "app/version.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

typedef struct {
  const tp_bench_task *task;
  const char *property, *inputs;
  const char *broken;  // a file that the definition names and that cannot be read, and why; or NULL
  tp_containment containment;
  tp_bench_row row;  // once it is done
  bool is_started, is_done, is_stored;
} run;

typedef struct {
  const tp_options *o;
  tp_arena *arena;
  tp_bench_store *store;  // or NULL
  const char *program;
  run *runs;
  size_t n, n_done, n_stored, n_broken, printed;
  const char *skipped;  // names of properties that cannot be verified, each once; "" without any
  size_t counts[TP_N_GRADES];
  double start_s;
  tp_str *why;
} bench;

static volatile sig_atomic_t stopped;
static void on_signal(int s) {
  (void)s;
  stopped = 1;
}

// ------------------------------------------------------------------------ tasks

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* "unreach-call", of the property file's name. */
static const char *property_name(const tp_bench_task *t, tp_arena *arena) {
  const char *name = base_name(t->property);
  return tp_arena_strndup(arena, name, strcspn(name, "."));
}

static uint64_t hash_file(const char *path, uint64_t hash) {
  tp_str text = {0};
  if (tp_read_file(path, &text) == TP_OK) hash = tp_hash_bytes(tp_str_text(&text), text.n, hash);
  tp_str_clear(&text);
  return hash;
}

static const char *hash_inputs(const tp_bench_task *t, tp_arena *arena) {
  uint64_t hash = hash_file(t->property, hash_file(t->yml, 0));
  for (size_t i = 0; i < t->n_files; i++) hash = hash_file(t->files[i], hash);
  return tp_arena_printf(arena, "%016llx", (unsigned long long)hash);
}

/* TP_ERR_INPUT: a property that cannot be verified here; TP_ERR_SYSTEM: its file cannot be read. */
static tp_status property_status(const tp_bench_task *t) {
  tp_property p;
  tp_str why = {0};
  const tp_status st = tp_property_of_argument(t->property, &p, &why);
  tp_str_clear(&why);
  return st;
}

/* "a.c: No such file or directory", of the first file of the task that cannot be read; or NULL. */
static const char *unreadable_file(const tp_bench_task *t, tp_arena *arena) {
  const char *what = access(t->property, R_OK) != 0 ? "property file " : NULL, *path = t->property;
  for (size_t i = 0; i < t->n_files && !what; i++)
    if (access(path = t->files[i], R_OK) != 0) what = "input file ";
  return what ? tp_arena_printf(arena, "%s%s: %s", what, path, strerror(errno)) : NULL;
}

/* A task that is not run: it gets a row, and the store does not. */
static void break_off(bench *b, run *r, const char *why) {
  TP_REQUIRE(!r->is_started && why);
  r->broken = why;
  r->is_started = r->is_done = true;
  r->row = (tp_bench_row){.verdict = "not run",
                          .expected = tp_bench_expected_text(r->task, b->arena),
                          .grade = "error",
                          .reason = why};
  b->n_done++;
  b->n_broken++;
}

static void add_skipped(bench *b, const char *property) {
  const size_t n = strlen(property);
  for (const char *at = b->skipped; (at = strstr(at, property)) != NULL; at += n)
    if ((at == b->skipped || at[-1] == ' ') && (at[n] == 0 || at[n] == ',')) return;
  b->skipped = tp_arena_printf(b->arena, "%s%s%s", b->skipped, b->skipped[0] ? ", " : "", property);
}

/* The tasks with a property of ours; returns how many have others. What the store has is done, and
 * what lacks a file is not run. */
static size_t choose(bench *b, const tp_bench_tasks *tasks) {
  size_t skipped = 0;
  for (size_t i = 0; i < tasks->v.n; i++) {
    const tp_bench_task *task = &tasks->v.at[i];
    const char *property = property_name(task, b->arena);
    const tp_status st = property_status(task);
    if (st != TP_OK && st != TP_ERR_SYSTEM) {
      add_skipped(b, property);
      skipped++;
      continue;
    }
    run *r = &b->runs[b->n++];
    TP_INVARIANT(b->n <= tasks->v.n);  // as many as b->runs has
    r->task = task;
    r->property = property;
    const char *why = unreadable_file(task, b->arena);
    if (why) break_off(b, r, why);
    if (why || !b->store) continue;
    r->inputs = hash_inputs(r->task, b->arena);
    tp_bench_row row;
    if (!tp_bench_store_find(b->store, r->task->yml, r->property, r->inputs, &row)) continue;
    r->is_started = r->is_done = r->is_stored = true;
    r->row = (tp_bench_row){.verdict = tp_arena_strdup(b->arena, row.verdict),
                            .expected = tp_arena_strdup(b->arena, row.expected),
                            .grade = tp_arena_strdup(b->arena, row.grade),
                            .reason = tp_arena_strdup(b->arena, row.reason),
                            .cpu_s = row.cpu_s,
                            .wall_s = row.wall_s,
                            .memory_mb = row.memory_mb};
    for (tp_grade g = 0; g < TP_N_GRADES; g++)
      b->counts[g] += strcmp(tp_grade_names[g], row.grade) == 0;
    b->n_done++;
    b->n_stored++;
  }
  return skipped;
}

// ------------------------------------------------------------------------ runs

static void start(bench *b, run *r) {
  TP_REQUIRE(!r->is_started);
  const double cpu_s = tp_bench_cpu_s(b->o);
  const tp_contain_limits limits = {
      .cpu_s = 1.1 * cpu_s + TP_APP_BENCH_SPARE_S,  // the tool ends before, by its own limit
      .wall_s = 2 * cpu_s + TP_APP_BENCH_SPARE_WALL_S,
      .memory_bytes = 3 * (b->o->memlimit << 20),
      .scratch_bytes = (uint64_t)TP_APP_BENCH_SCRATCH_MB << 20};
  const char *const *argv = tp_bench_arguments(b->o, r->task, !b->o->tool[0], b->arena);
  r->is_started = true;
  if (tp_contain_start(&r->containment, b->program, argv, limits) != TP_OK)
    r->containment.supervisor.end = TP_PROCESS_EXITED;
}

static void finish(bench *b, run *r) {
  TP_REQUIRE(r->is_started && !r->is_done);
  tp_contained c;
  tp_contain_take(&r->containment, &c);
  b->counts[tp_bench_answer(r->task, &c, b->arena, &r->row)]++;
  r->row.task = r->task->yml;
  r->row.property = r->property;
  r->row.inputs = r->inputs ? r->inputs : "";
  r->is_done = true;
  b->n_done++;
  tp_contained_clear(&c);
  if (b->store && !tp_bench_store_add(b->store, &r->row, b->why)) stopped = 1;
}

static void print_row(const run *r) {
  const tp_bench_row *row = &r->row;
  printf("%-36s %-14s %-12s %-9s %7.2f s %6.0f MB  %s%s%s\n", base_name(r->task->yml), r->property,
         row->expected[0] ? row->expected : "?",
         strcmp(row->grade, "wrong") == 0 ? "WRONG" : row->grade, row->cpu_s, row->memory_mb,
         row->verdict, row->reason[0] ? ": " : "", row->reason);
}

/* On a terminal, in place: how far it is, and how long it takes at this pace. */
static void show_progress(const bench *b) {
  static double last_s;
  if (!isatty(2) || tp_wall_s() - last_s < TP_APP_REDRAW_S) return;
  last_s = tp_wall_s();
  const size_t fresh = b->n_done - b->n_stored - b->n_broken, left = b->n - b->n_done;
  const double left_s = fresh ? (last_s - b->start_s) / (double)fresh * (double)left : 0;
  fprintf(stderr, "\r\033[K[%zu/%zu] %zu right, %zu wrong, %zu unknown; %.0f:%02d left", b->n_done,
          b->n, b->counts[TP_GRADE_RIGHT], b->counts[TP_GRADE_WRONG], b->counts[TP_GRADE_UNKNOWN],
          left_s / 60, (int)left_s % 60);
  fflush(stderr);
}

static void erase_progress(void) {
  if (isatty(2)) fputs("\r\033[K", stderr);
}

/* Interrupted: whoever runs ends with everything below it, and is not recorded. */
static void stop_the_rest(bench *b) {
  for (size_t i = b->printed; i < b->n; i++) {
    run *r = &b->runs[i];
    if (!r->is_started || r->is_done) continue;
    tp_process *p = &r->containment.supervisor;
    if (p->end == TP_PROCESS_RUNNING) kill(p->pid, SIGTERM);
    const double until_s = tp_wall_s() + 5;
    while (tp_wall_s() < until_s && tp_process_step(&p, 1, 100) > 0) {
    }
    tp_process_clear(p);
  }
}

static void run_everything(bench *b) {
  const size_t jobs = b->o->jobs < 1                   ? 1
                      : b->o->jobs > TP_APP_BENCH_JOBS ? TP_APP_BENCH_JOBS
                                                       : (size_t)b->o->jobs;
  size_t next = 0;
  run *busy[TP_APP_BENCH_JOBS];
  size_t n_busy = 0;
  while (b->n_done < b->n && !stopped) {
    tp_process *running[TP_APP_BENCH_JOBS];
    for (; next < b->n && n_busy < jobs; next++) {
      if (b->runs[next].is_started) continue;
      start(b, &b->runs[next]);
      busy[n_busy++] = &b->runs[next];
    }
    for (size_t i = 0; i < n_busy; i++) running[i] = &busy[i]->containment.supervisor;
    TP_INVARIANT(n_busy <= jobs);
    if (n_busy) tp_process_step(running, n_busy, 200);
    for (size_t i = 0; i < n_busy;) {
      if (busy[i]->containment.supervisor.end == TP_PROCESS_RUNNING) {
        i++;
        continue;
      }
      finish(b, busy[i]);
      busy[i] = busy[--n_busy];
    }
    if (b->printed < b->n && b->runs[b->printed].is_done) erase_progress();
    while (b->printed < b->n && b->runs[b->printed].is_done) print_row(&b->runs[b->printed++]);
    fflush(stdout);
    show_progress(b);
  }
  erase_progress();
  while (b->printed < b->n && b->runs[b->printed].is_done) print_row(&b->runs[b->printed++]);
  if (b->n_done < b->n) stop_the_rest(b);
}

static void print_summary(const bench *b, size_t skipped) {
  printf("%zu tasks in %.0f s: %zu right, %zu wrong, %zu unknown", b->n_done - b->n_broken,
         tp_wall_s() - b->start_s, b->counts[TP_GRADE_RIGHT], b->counts[TP_GRADE_WRONG],
         b->counts[TP_GRADE_UNKNOWN]);
  if (b->counts[TP_GRADE_UNCHECKED])
    printf(", %zu without expectation", b->counts[TP_GRADE_UNCHECKED]);
  if (b->n_stored) printf(" (%zu from the store)", b->n_stored);
  if (b->n_broken) printf(", %zu not run: files are missing", b->n_broken);
  if (skipped) printf(" (%zu with other properties skipped: %s)", skipped, b->skipped);
  printf("\n");
}

// ----------------------------------------------------------------------- store

/* The first line of what another binary says of itself. */
static const char *version_of(const char *program, tp_arena *arena) {
  const char *argv[] = {program, "--version", NULL};
  tp_process p;
  const char *text = "";
  if (tp_process_run(&p, (tp_process_spec){.program = program, .argv = argv}) == TP_OK)
    text = tp_arena_strndup(arena, tp_str_text(&p.out), strcspn(tp_str_text(&p.out), "\n"));
  tp_process_clear(&p);
  return text;
}

static bool open_store(bench *b) {
  const tp_options *o = b->o;
  if (!o->store[0]) return true;
  b->store = tp_bench_store_open(o->store, b->why);
  const char *tool = o->tool[0] ? version_of(o->tool, b->arena)
                                : tp_arena_printf(b->arena, "twoproof %s", tp_version_text());
  const char *label = o->label[0] ? o->label : tool;
  return b->store &&
         tp_bench_store_begin(b->store, label, tool, tp_bench_options_text(o, b->arena), b->why);
}

/* "runs.db" or "runs.db:LABEL"; without a label the last one. */
static tp_bench_store *open_run(const char *argument, const char **label, tp_arena *arena,
                                tp_str *why) {
  const char *colon = strrchr(argument, ':');
  const bool has_label = colon && access(argument, F_OK) != 0;
  const char *path =
      has_label ? tp_arena_strndup(arena, argument, (size_t)(colon - argument)) : argument;
  if (access(path, R_OK) != 0) {
    tp_str_printf(why, "%s: no such store", path);
    return NULL;
  }
  tp_bench_store *s = tp_bench_store_open(path, why);
  if (s) *label = has_label ? colon + 1 : tp_bench_store_last_label(s);
  return s;
}

/* bench compare A B: 70 if B has a new wrong verdict, 5 if it lost one, else 0. */
static int compare_runs(int argc, char **argv) {
  if (argc != 2) {
    fputs("Usage: twoproof bench compare A.db[:LABEL] B.db[:LABEL]\n", stderr);
    return TP_EXIT_USAGE;
  }
  tp_arena arena = {0};
  tp_str why = {0}, text = {0};
  const char *label_a = NULL, *label_b = NULL;
  tp_bench_store *a = open_run(argv[0], &label_a, &arena, &why),
                 *b = a ? open_run(argv[1], &label_b, &arena, &why) : NULL;
  int status = TP_EXIT_USAGE;
  if (a && b) {
    const tp_bench_comparison c = tp_bench_compare(a, label_a, b, label_b, &text);
    fputs(tp_str_text(&text), stdout);
    status = c.n_new_wrong ? TP_EXIT_INTERNAL : c.n_lost ? TP_EXIT_UNKNOWN : TP_EXIT_TRUE;
  } else {
    fprintf(stderr, "twoproof bench compare: %s\n", tp_str_text(&why));
  }
  tp_bench_store_close(a);
  tp_bench_store_close(b);
  tp_str_clear(&why);
  tp_str_clear(&text);
  tp_arena_clear(&arena);
  return status;
}

/* bench report A [B]: HTML on standard output. */
static int report_runs(int argc, char **argv) {
  if (argc != 1 && argc != 2) {
    fputs("Usage: twoproof bench report A.db[:LABEL] [B.db[:LABEL]] >report.html\n", stderr);
    return TP_EXIT_USAGE;
  }
  tp_arena arena = {0};
  tp_str why = {0}, text = {0};
  const char *label_a = NULL, *label_b = NULL;
  tp_bench_store *a = open_run(argv[0], &label_a, &arena, &why),
                 *b = a && argc == 2 ? open_run(argv[1], &label_b, &arena, &why) : NULL;
  const bool ok = a && (argc == 1 || b);
  if (ok)
    tp_bench_html(a, label_a, b, label_b, &text);
  else
    fprintf(stderr, "twoproof bench report: %s\n", tp_str_text(&why));
  fputs(tp_str_text(&text), stdout);
  tp_bench_store_close(a);
  tp_bench_store_close(b);
  tp_str_clear(&why);
  tp_str_clear(&text);
  tp_arena_clear(&arena);
  return ok ? TP_EXIT_TRUE : TP_EXIT_USAGE;
}

// --------------------------------------------------------------------- command

static tp_status read_tasks(const tp_options *o, tp_bench_tasks *tasks, tp_str *why) {
  tp_status st = TP_OK;
  for (size_t i = 0; i < o->files.n && st == TP_OK; i++)
    st = tp_bench_tasks_read(tasks, o->files.at[i], why);
  return st;
}

int tp_command_bench(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "compare") == 0) return compare_runs(argc - 2, argv + 2);
  if (argc > 1 && strcmp(argv[1], "report") == 0) return report_runs(argc - 2, argv + 2);
  tp_options o;
  tp_options_parse(&o, TP_FOR_BENCH, argc, argv);
  tp_bench_tasks tasks = {0};
  tp_str why = {0};
  bench b = {.o = &o,
             .arena = &tasks.arena,
             .program = o.tool[0] ? o.tool : "/proc/self/exe",
             .start_s = tp_wall_s(),
             .skipped = "",
             .why = &why};
  struct sigaction a = {.sa_handler = on_signal};
  sigaction(SIGINT, &a, NULL);
  sigaction(SIGTERM, &a, NULL);
  const char *root;
  const bool ok = read_tasks(&o, &tasks, &why) == TP_OK && open_store(&b);
  int status = TP_EXIT_USAGE;
  if (ok && tp_temp_root(&root) == TP_OK) {
    b.runs = TP_NEW_ARRAY(run, tasks.v.n ? tasks.v.n : 1);
    const size_t skipped = choose(&b, &tasks);
    run_everything(&b);
    print_summary(&b, skipped);
    status = b.counts[TP_GRADE_WRONG] ? TP_EXIT_INTERNAL
             : b.n_broken             ? TP_EXIT_INPUT
             : stopped                ? TP_EXIT_UNKNOWN
                                      : TP_EXIT_TRUE;
    tp_free(b.runs);
    tp_temp_remove_all();
  }
  if (why.n) fprintf(stderr, "twoproof bench: %s\n", tp_str_text(&why));
  if (why.n && ok) status = TP_EXIT_OUTPUT;
  tp_bench_store_close(b.store);
  tp_bench_tasks_clear(&tasks);
  tp_str_clear(&why);
  tp_options_clear(&o);
  return status;
}
