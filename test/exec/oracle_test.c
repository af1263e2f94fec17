/* The interpreter as oracle (row F04), on whole programs through the front end.
 *
 * Every program of test/features (pairs NAME-good, NAME-bad; -ilp32- names the data model) and
 * one in nine tasks of examples/ (SV-COMP task definitions; all with TP_SOAK=1) is run: its states
 * always satisfy their invariants; no run of a good program reaches an error; a bad one that asks
 * for no input reaches it in its only run, the others mostly under the random tester. */
#include "exec/exec.h"
#include "front/front.h"

#include <dirent.h>
#include <glob.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct {
  char path[300], other[300];  // a second translation unit, or ""
  tp_machine machine;
  tp_property property;
  bool is_bad;
} task;
typedef TP_VEC(task) task_list;

enum { CHECKED_STATES = 200, WATCHED_RUNS = 5, RANDOM_RUNS = 300, TURNS = 9 };

typedef struct {
  unsigned n;
  const char *path;
} watch;

static bool check_state(void *ctx, const tp_state *s) {
  watch *w = ctx;
  tp_str why = {0};
  if (w->n++ < CHECKED_STATES && !tp_state_check(s, &why))
    fail_msg("%s: %s", w->path, tp_str_text(&why));
  tp_str_clear(&why);
  return true;
}

/* Answers with small numbers most of the time; seed 0: zeros. */
typedef struct {
  tp_rng rng;
  bool is_zero;
} dice;

static bool ask_dice(void *ctx, tp_input *io) {
  dice *d = ctx;
  if (io->width_bits == 0) {
    io->bytes = NULL;
    io->n_bytes = 0;
    return true;
  }
  tp_u128 v =
      tp_rng_below(&d->rng, 4) ? (tp_u128)tp_rng_below(&d->rng, 12) : (tp_u128)tp_rng_next(&d->rng);
  io->bits = d->is_zero              ? 0
             : io->width_bits >= 128 ? v
                                     : v & ((((tp_u128)1) << io->width_bits) - 1);
  return true;
}

/* One run, watched; n_inputs: how often it asked for something that is not merely indeterminate. */
static tp_run_result run_watched(const task *t, const tp_program *p, uint64_t seed,
                                 size_t *n_inputs) {
  watch w = {0, t->path};
  dice d = {.is_zero = seed == 0};
  tp_rng_init(&d.rng, seed);
  tp_inputs asked;
  tp_inputs_init(&asked);
  tp_record_oracle record = {{&d, ask_dice}, &asked};
  tp_oracle oracle = tp_oracle_recording(&record);
  const tp_observer observer = {.mask = TP_OBSERVE_CUTPOINTS, .ctx = &w, .at = check_state};
  tp_str why = {0};
  tp_state *s = tp_state_initial(p);
  tp_run_result r = tp_exec_run(p, s, &oracle, (tp_run_limits){.steps = 1000000}, &observer);
  if (!tp_state_check(s, &why)) fail_msg("%s: %s", t->path, tp_str_text(&why));
  *n_inputs = 0;
  for (size_t i = 0; i < asked.v.n; i++) *n_inputs += asked.v.at[i].kind != TP_I_INDETERMINATE;
  tp_state_free(s);
  tp_inputs_clear(&asked);
  return r;
}

static bool is_violation(const task *t, const tp_program *p, const tp_run_result *r) {
  return r->end == TP_END_ERROR && tp_property_covers(t->property, tp_loc_of(p, r->loc)->error);
}

/* Returns whether a violation was seen; *must_be_seen: the only run there is has to show it. */
static bool run_task(const task *t, bool *must_be_seen) {
  const char *files[] = {t->path, t->other};
  tp_front_options options = {.files = files,
                              .n_files = t->other[0] ? 2 : 1,
                              .machine = t->machine,
                              .property = t->property};
  tp_diag *diag = tp_diag_new(stderr, false);
  tp_program *p;
  if (tp_front_load(&options, diag, &p) != TP_OK) fail_msg("%s cannot be read", t->path);
  size_t n_inputs;
  tp_run_result r = run_watched(t, p, 0, &n_inputs);
  bool seen = is_violation(t, p, &r);
  for (uint64_t seed = 1; n_inputs && seed <= WATCHED_RUNS; seed++) {
    size_t ignored;
    tp_run_result another = run_watched(t, p, seed, &ignored);
    seen |= is_violation(t, p, &another);
  }
  *must_be_seen = n_inputs == 0 && r.end != TP_END_LIMIT;
  if (!seen && !*must_be_seen) {
    tp_inputs in;
    tp_inputs_init(&in);
    tp_tester_options tester = {.seed = 1, .runs = RANDOM_RUNS, .steps_total = 3000000};
    seen = tp_tester_search(p, t->property, tester, &in, &r, NULL);
    tp_inputs_clear(&in);
  }
  if (r.end == TP_END_UNSUPPORTED || r.end == TP_END_INVALID)
    *must_be_seen = false;  // stopped before
  tp_program_free(p);
  tp_diag_free(diag);
  return seen;
}

static void run_all(const task_list *tasks, const char *folder) {
  unsigned bad = 0, seen_of_bad = 0, wrong = 0;
  for (size_t i = 0; i < tasks->n; i++) {
    const task *t = &tasks->at[i];
    bool must, seen = run_task(t, &must);
    bad += t->is_bad;
    seen_of_bad += t->is_bad && seen;
    if (seen == t->is_bad || (t->is_bad && !must)) continue;
    print_error("%s: %s\n", t->path, seen ? "an error is reached" : "the error is not reached");
    wrong++;
  }
  print_message("%s: %zu programs, the error of %u of %u bad ones reached\n", folder, tasks->n,
                seen_of_bad, bad);
  assert_int_equal(wrong, 0);
}

// ------------------------------------------------------------------- programs

static int by_path(const void *a, const void *b) {
  return strcmp(((const task *)a)->path, ((const task *)b)->path);
}

static bool ends_with(const char *s, const char *end) {
  size_t n = strlen(s), m = strlen(end);
  return n >= m && strcmp(s + n - m, end) == 0;
}

/* A line "// files: NAME" in the source names its second file. */
static void find_other(task *t) {
  tp_str text = {0};
  char name[128] = "";
  assert_int_equal(tp_read_file(t->path, &text), TP_OK);
  const char *at = strstr(tp_str_text(&text), "// files: ");
  if (at && sscanf(at, "// files: %100s", name) == 1) {
    int folder = (int)(strrchr(t->path, '/') - t->path);
    snprintf(t->other, sizeof t->other, "%.*s/%s", folder, t->path, name);
  }
  tp_str_clear(&text);
}

static void F04_interpreter_on_features(void **state) {
  (void)state;
  task_list tasks = {0};
  DIR *d = opendir("test/features");
  if (!d) skip();
  for (struct dirent *e; (e = readdir(d));) {
    bool is_bad = ends_with(e->d_name, "-bad.c") || ends_with(e->d_name, "-bad.i");
    if (!is_bad && !ends_with(e->d_name, "-good.c") && !ends_with(e->d_name, "-good.i")) continue;
    task t = {.is_bad = is_bad, .property = TP_P_UNREACH_CALL};
    t.machine = strstr(e->d_name, "-ilp32-") ? TP_MACHINE_ILP32 : TP_MACHINE_LP64;
    snprintf(t.path, sizeof t.path, "test/features/%s", e->d_name);
    find_other(&t);
    tp_vec_push(&tasks, t);
  }
  closedir(d);
  if (tasks.n) qsort(tasks.at, tasks.n, sizeof *tasks.at, by_path);
  run_all(&tasks, "test/features");
  tp_vec_clear(&tasks);
}

/* The value of `key:` behind `from`, without quotes. */
static bool yaml_value(const char *from, const char *key, char *out, size_t size) {
  const char *at = strstr(from, key);
  if (!at) return false;
  at += strlen(key);
  at += strspn(at, " :'\"[");
  size_t n = strcspn(at, "'\"\n] ");
  if (n >= size) return false;
  memcpy(out, at, n);
  out[n] = 0;
  return true;
}

/* One task per property with a known verdict. */
static void add_tasks(task_list *tasks, const char *path) {
  char file[128], model[32], prp[128], verdict[16];
  int folder = (int)(strrchr(path, '/') - path);
  tp_str text = {0};
  assert_int_equal(tp_read_file(path, &text), TP_OK);
  if (!yaml_value(text.text, "input_files", file, sizeof file))
    fail_msg("%s: no input_files", path);
  bool ilp32 =
      yaml_value(text.text, "data_model", model, sizeof model) && strcmp(model, "ILP32") == 0;
  for (const char *at = text.text; (at = strstr(at, "property_file")); at++) {
    task t = {.machine = ilp32 ? TP_MACHINE_ILP32 : TP_MACHINE_LP64};
    const char *next = strstr(at + 1, "property_file");
    if (!yaml_value(at, "property_file", prp, sizeof prp) ||
        !yaml_value(at, "expected_verdict", verdict, sizeof verdict))
      continue;
    if (next && strstr(at, "expected_verdict") > next) continue;
    char *name = strrchr(prp, '/') ? strrchr(prp, '/') + 1 : prp, *dot = strrchr(name, '.');
    if (dot) *dot = 0;
    t.is_bad = strcmp(verdict, "false") == 0;
    if ((!t.is_bad && strcmp(verdict, "true") != 0) || !tp_property_parse(name, &t.property))
      continue;
    snprintf(t.path, sizeof t.path, "%.*s/%s", folder, path, file);
    tp_vec_push(tasks, t);
  }
  tp_str_clear(&text);
}

/* examples/TOPIC/NAME.yml */
static void F04_interpreter_on_examples(void **state) {
  (void)state;
  task_list tasks = {0};
  glob_t found;
  if (glob("examples/*/*.yml", 0, NULL, &found) != 0) skip();
  for (size_t i = 0; i < found.gl_pathc; i += getenv("TP_SOAK") ? 1 : TURNS)
    add_tasks(&tasks, found.gl_pathv[i]);
  globfree(&found);
  if (tasks.n) qsort(tasks.at, tasks.n, sizeof *tasks.at, by_path);
  run_all(&tasks, "examples");
  tp_vec_clear(&tasks);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(F04_interpreter_on_features),
                                     cmocka_unit_test(F04_interpreter_on_examples)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
