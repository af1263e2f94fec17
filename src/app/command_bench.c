/* twoproof bench: every task in a process of its own, a table of verdicts.
 *
 * A wrong verdict is the one thing that must not happen, so it decides the exit status; answers
 * that are missing are counted only. */
#include "app/commands.h"

#include "app/exit.h"
#include "app/options.h"
#include "app/property.h"
#include "app/task.h"
#include "base/process.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

typedef enum { RIGHT, WRONG, UNKNOWN, UNCHECKED, N_GRADES } grade;
static const char *const grade_names[N_GRADES] = {"right", "WRONG", "unknown", "no expectation"};

typedef struct {
  const tp_bench_task *task;
  tp_process process;
  bool started, done;
  TP_VEC(const char *) argv;
} run;

typedef struct {
  const tp_options *o;
  run *runs;
  size_t n, next, printed;
  size_t counts[N_GRADES];
} bench;

static volatile sig_atomic_t stopped;
static void on_signal(int s) {
  (void)s;
  stopped = 1;
}

// ------------------------------------------------------------------------ runs

static void add_argument(run *r, tp_arena *arena, const char *fmt, const char *value) {
  tp_str s = {0};
  tp_str_add(&s, fmt);
  tp_str_add(&s, value);
  tp_vec_push(&r->argv, tp_arena_strdup(arena, s.text));
  tp_str_clear(&s);
}

static void build_arguments(const tp_options *o, run *r, tp_arena *arena) {
  char number[64];
  tp_vec_push(&r->argv, "twoproof");
  tp_vec_push(&r->argv, "check");
  add_argument(r, arena, "--property=", r->task->property);
  add_argument(r, arena, "--machine=", r->task->machine);
  add_argument(r, arena, "--engine=", o->engine);
  add_argument(r, arena, "--malloc=", o->malloc);
  add_argument(r, arena, "--missing=", o->missing[0] ? o->missing : "any");
  add_argument(r, arena, "--solver=", o->solver);
  snprintf(number, sizeof number, "%g", o->timelimit > 0 ? o->timelimit : 60);
  add_argument(r, arena, "--timelimit=", number);
  snprintf(number, sizeof number, "%llu", (unsigned long long)o->memlimit);
  add_argument(r, arena, "--memlimit=", number);
  tp_vec_push(&r->argv, "--walltime=0");
  snprintf(number, sizeof number, "%llu", (unsigned long long)o->seed);
  add_argument(r, arena, "--seed=", number);
  snprintf(number, sizeof number, "%llu", (unsigned long long)o->unroll);
  add_argument(r, arena, "--unroll=", number);
  for (size_t i = 0; i < o->settings.n; i++) {
    const tp_option_setting *setting = &o->settings.at[i];
    const char *option = strchr(setting->name, '.') ? "--set=" : "--";
    add_argument(r, arena, option, tp_arena_printf(arena, "%s=%s", setting->name, setting->value));
  }
  snprintf(number, sizeof number, "%llu", (unsigned long long)o->steps);
  if (o->steps) add_argument(r, arena, "--steps=", number);
  if (o->edges[0]) add_argument(r, arena, "--edges=", o->edges);
  if (o->fair[0]) add_argument(r, arena, "--fair=", o->fair);
  if (o->generalize[0]) add_argument(r, arena, "--generalize=", o->generalize);
  if (o->nodes[0]) add_argument(r, arena, "--nodes=", o->nodes);
  if (o->regions[0]) add_argument(r, arena, "--regions=", o->regions);
  if (o->split[0]) add_argument(r, arena, "--split=", o->split);
  if (o->state[0]) add_argument(r, arena, "--state=", o->state);
  if (o->second_opinion) tp_vec_push(&r->argv, "--second-opinion");
  if (o->check[0]) add_argument(r, arena, "--check=", o->check);
  if (o->monitor[0]) add_argument(r, arena, "--monitor=", o->monitor);
  for (size_t i = 0; i < r->task->n_files; i++) {
    const bool is_like_option = r->task->files[i][0] == '-';
    add_argument(r, arena, is_like_option ? "./" : "", r->task->files[i]);
  }
  tp_vec_push(&r->argv, NULL);
}

static void start(bench *b, run *r, tp_arena *arena) {
  build_arguments(b->o, r, arena);
  tp_process_spec spec = {
      .program = "/proc/self/exe", .argv = r->argv.at, .limits = {.output_bytes = 64u << 20}};
  r->started = true;
  r->done = tp_process_start(&r->process, spec) != TP_OK;
}

/* "false(valid-deref)" from the last line of the output; "" if there is none. */
static void result_of(const run *r, char *out, size_t room) {
  static const char mark[] = "RESULT: ";
  const char *last = NULL;
  for (const char *at = tp_str_text(&r->process.out); (at = strstr(at, mark)); at++)
    if (at == r->process.out.text || at[-1] == '\n') last = at + sizeof mark - 1;
  int n = last ? (int)strcspn(last, "\n") : 0;
  snprintf(out, room, "%.*s", n, last ? last : "");
}

static grade grade_of(const tp_bench_task *t, const char *result) {
  bool is_true = strcmp(result, "true") == 0, is_false = strncmp(result, "false(", 6) == 0;
  if (!is_true && !is_false) return UNKNOWN;
  if (t->expected == TP_EXPECT_NOTHING) return UNCHECKED;
  if (is_true) return t->expected == TP_EXPECT_TRUE ? RIGHT : WRONG;
  if (t->expected != TP_EXPECT_FALSE) return WRONG;
  if (!t->subproperty) return RIGHT;
  size_t n = strlen(t->subproperty);
  return strncmp(result + 6, t->subproperty, n) == 0 && result[6 + n] == ')' ? RIGHT : WRONG;
}

// ----------------------------------------------------------------------- table

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static void print_row(bench *b, run *r) {
  char result[200];
  result_of(r, result, sizeof result);
  grade g = grade_of(r->task, result);
  b->counts[g]++;
  const char *expected = r->task->expected == TP_EXPECT_TRUE    ? "true"
                         : r->task->expected == TP_EXPECT_FALSE ? "false"
                                                                : "?";
  char property[64];
  snprintf(property, sizeof property, "%s", base_name(r->task->property));
  property[strcspn(property, ".")] = 0;
  printf("%-36s %-14s %-6s %-8s %6.2f s  %s\n", base_name(r->task->yml), property, expected,
         grade_names[g], r->process.wall_s, result[0] ? result : "(no answer)");
  fflush(stdout);
  tp_process_clear(&r->process);
  tp_vec_clear(&r->argv);
}

/* Interrupted: let the running ones clean up after themselves. */
static void stop_the_rest(bench *b) {
  for (size_t i = b->printed; i < b->n; i++) {
    run *r = &b->runs[i];
    if (!r->started) continue;
    if (r->process.end == TP_PROCESS_RUNNING) kill(r->process.pid, SIGTERM);
    tp_process *p = &r->process;
    double until_s = tp_wall_s() + 5;
    while (tp_wall_s() < until_s && tp_process_step(&p, 1, 100) > 0) {
    }
    tp_process_clear(p);
    tp_vec_clear(&r->argv);
  }
}

static void run_everything(bench *b, tp_arena *arena) {
  size_t jobs = b->o->jobs < 1 ? 1 : b->o->jobs > 32 ? 32 : (size_t)b->o->jobs;
  while (b->printed < b->n && !stopped) {
    tp_process *running[32];
    size_t n = 0;
    for (size_t i = b->printed; i < b->n && n < jobs; i++) {
      run *r = &b->runs[i];
      if (!r->started) start(b, r, arena);
      if (!r->done) running[n++] = &r->process;
    }
    if (n > 0) tp_process_step(running, n, 200);
    for (size_t i = b->printed; i < b->n; i++)
      if (b->runs[i].started && b->runs[i].process.end != TP_PROCESS_RUNNING)
        b->runs[i].done = true;
    while (b->printed < b->n && b->runs[b->printed].done) print_row(b, &b->runs[b->printed++]);
  }
  if (b->printed < b->n) stop_the_rest(b);
}

static bool wants(const tp_bench_task *t) {
  tp_property p;
  tp_str why = {0};
  bool ok = tp_property_of_argument(t->property, &p, &why) == TP_OK;
  tp_str_clear(&why);
  return ok;
}

int tp_command_bench(int argc, char **argv) {
  tp_options o;
  tp_options_parse(&o, TP_FOR_BENCH, argc, argv);
  tp_bench_tasks tasks = {0};
  tp_str why = {0};
  tp_status st = TP_OK;
  for (size_t i = 0; i < o.files.n && st == TP_OK; i++)
    st = tp_bench_tasks_read(&tasks, o.files.at[i], &why);
  if (st != TP_OK) fprintf(stderr, "twoproof bench: %s\n", tp_str_text(&why));
  struct sigaction a = {.sa_handler = on_signal};
  sigaction(SIGINT, &a, NULL);
  sigaction(SIGTERM, &a, NULL);
  bench b = {.o = &o, .runs = TP_NEW_ARRAY(run, tasks.v.n ? tasks.v.n : 1)};
  double start_s = tp_wall_s();
  size_t skipped = 0;
  for (size_t i = 0; i < tasks.v.n && st == TP_OK; i++) {
    if (wants(&tasks.v.at[i]))
      b.runs[b.n++].task = &tasks.v.at[i];
    else
      skipped++;
  }
  if (st == TP_OK) {
    run_everything(&b, &tasks.arena);
    printf("%zu tasks in %.0f s: %zu right, %zu wrong, %zu unknown", b.printed,
           tp_wall_s() - start_s, b.counts[RIGHT], b.counts[WRONG], b.counts[UNKNOWN]);
    if (b.counts[UNCHECKED]) printf(", %zu without expectation", b.counts[UNCHECKED]);
    if (skipped) printf(" (%zu with other properties skipped)", skipped);
    printf("\n");
  }
  tp_free(b.runs);
  tp_bench_tasks_clear(&tasks);
  tp_str_clear(&why);
  tp_options_clear(&o);
  if (st != TP_OK) return TP_EXIT_USAGE;
  return b.counts[WRONG] ? TP_EXIT_INTERNAL : stopped ? TP_EXIT_UNKNOWN : 0;
}
