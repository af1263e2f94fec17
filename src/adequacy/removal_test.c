/* An adequate set of tests without one that is needed: the first answer flips, and the abstract
 * states that are missed are those that this test alone was in. What each test alone was in is
 * asked separately; how many there are was counted by hand, or by another program. */
#include "adequacy/cutpoints.h"
#include "adequacy/probe_sources.h"
#include "adequacy/trial_test.h"

enum { MOST_TESTS = 8, MOST_CELLS = 64 };

typedef struct {
  size_t n;
  uint64_t at[MOST_CELLS];  // of (cutpoint, truth vector)
} cells;

static uint64_t cell_of(const tp_abstract_state *a) {
  return (uint64_t)a->cutpoint << 32 | a->values;
}

static bool has(const cells *c, uint64_t cell) {
  for (size_t i = 0; i < c->n; i++)
    if (c->at[i] == cell) return true;
  return false;
}

/* The abstract states that these tests were in, or that they missed. */
static cells cells_of(const trial *t, bool missed) {
  const tp_coverage *c = &t->report.coverage;
  cells found = {0};
  for (size_t i = 0; i < c->states.n; i++) {
    assert_true(found.n < MOST_CELLS);
    if (c->states.at[i].is_missed == missed) found.at[found.n++] = cell_of(&c->states.at[i]);
  }
  return found;
}

/* Tests of the trial by number: all but one, or one alone. */
typedef enum { ALL_BUT, ALONE } choice;
static void choose(trial *t, size_t test, choice which) {
  t->q.tests.n = 0;
  for (size_t i = 0; i < t->n_inputs; i++)
    if ((i == test) == (which == ALONE))
      tp_vec_push(&t->q.tests, (tp_adequacy_test){&t->inputs[i], NULL});
}

/* The abstract states that only this test was in. */
static cells of_this_test_alone(const cells *by_test, size_t n, size_t test) {
  cells own = {0};
  for (size_t i = 0; i < by_test[test].n; i++) {
    bool others = false;
    for (size_t k = 0; k < n; k++) others |= k != test && has(&by_test[k], by_test[test].at[i]);
    if (!others) own.at[own.n++] = by_test[test].at[i];
  }
  return own;
}

/* n_cells: of the closed set; own: by test, how many cells it alone was in; 0 for all: not counted
 * elsewhere. */
static void check_removals(trial *t, size_t n_cells, const size_t *own) {
  cells by_test[MOST_TESTS];
  size_t n = t->n_inputs;
  t->q.settings.leaves_potential = true;
  assert_true(n <= MOST_TESTS);
  choose(t, SIZE_MAX, ALL_BUT);
  trial_run(t);
  trial_show(t);
  assert_true(t->report.is_adequate);
  assert_int_equal(t->report.coverage.states.n, n_cells);
  trial_done(t);
  for (size_t i = 0; i < n; i++) {
    choose(t, i, ALONE);
    trial_run(t);
    by_test[i] = cells_of(t, false);
    trial_done(t);
  }
  for (size_t i = 0; i < n; i++) {
    cells wanted = of_this_test_alone(by_test, n, i);
    choose(t, i, ALL_BUT);
    trial_run(t);
    cells missed = cells_of(t, true);
    assert_true(t->report.is_closed && !t->report.is_adequate);
    assert_true(missed.n > 0);
    assert_int_equal(missed.n, wanted.n);
    for (size_t k = 0; k < missed.n; k++) assert_true(has(&wanted, missed.at[k]));
    if (own) assert_int_equal(missed.n, own[i]);
    trial_done(t);
  }
}

// ------------------------------------------------------------------------- foo

static void Y26_foo_without_one_test(void **state) {
  (void)state;
  static const int64_t tests[][2] = {{2, 0}, {3, 0}, {11, 0}};
  static const size_t own[] = {
      1, 1, 5};  // small at the end; grown at the end; grown from the second statement on
  trial t;
  trial_load(
      &t,
      "extern int __VERIFIER_nondet_int(void);\nvoid foo(int x, int y) {\n  int *px = 0;\n  x = x "
      "+ 1;\n  if (x < 5)\n    px = &x;\n  if (px == &y)\n    x = x + 1;\n"
      "  if (x < 5)\n    *px = *px + 1;\n}\nint main(void) {\n  int x = __VERIFIER_nondet_int();\n "
      " int y = __VERIFIER_nondet_int();\n  foo(x, y);\n  return 0;\n}\n",
      TP_P_VALID_DEREF);
  t.q.settings.cutpoints = TP_CUTPOINTS_ALL;
  trial_probe(&t, "foo", 4, "x < 5", trial_less(&t, trial_value(&t, "foo", "x"), 5));
  trial_probe(&t, "foo", 4, "px == NULL",
              tp_mk_eq(t.tt, trial_variable(&t, "foo", "px"), tp_mk_null(t.tt)));
  trial_probe(&t, "foo", 4, "px == &y",
              tp_mk_eq(t.tt, trial_variable(&t, "foo", "px"), trial_variable(&t, "foo", "y")));
  for (size_t i = 0; i < 3; i++) trial_test(&t, tests[i], 2);
  check_removals(&t, 21, own);
  trial_free(&t);
}

// -------------------------------------------------------------------- examples

/* The program as a trial, with predicates of a file at the heads of its loops. */
static void load_example(trial *t, tp_arena *arena, const char *source, const char *predicates,
                         tp_property property) {
  tp_str text = {0};
  TP_VEC(tp_loc) cutpoints = {0};
  assert_int_equal(tp_read_file(source, &text), TP_OK);
  trial_load(t, tp_str_text(&text), property);
  bool *cut = tp_cutpoints_find(t->p, property, TP_CUTPOINTS_LOOPS);
  for (uint32_t i = 1; i < t->p->locs.n; i++)
    if (cut[i]) tp_vec_push(&cutpoints, (tp_loc){i});
  tp_free(cut);
  assert_int_equal(tp_probes_from_file(t->p, (tp_predicate_locations){cutpoints.at, cutpoints.n},
                                       predicates, t->diag, arena, &t->q.probes),
                   TP_OK);
  tp_vec_clear(&cutpoints);
  tp_str_clear(&text);
}

static void add_test(trial *t, const char *path) {
  tp_str text = {0}, why = {0};
  tp_inputs *in = &t->inputs[t->n_inputs++];
  tp_inputs_init(in);
  assert_int_equal(tp_read_file(path, &text), TP_OK);
  assert_int_equal(tp_inputs_read(tp_str_text(&text), in, &why), TP_OK);
  tp_str_clear(&text);
  tp_str_clear(&why);
}

static void Y26_bakery_without_one_test(void **state) {
  (void)state;
  // tickets, then who goes on; the second goes on behind the end. Counted by exploring tickets
  // below 9 in another program.
  static const struct {
    size_t n, own;
    int64_t inputs[8];
  } tests[] = {{8, 4, {0, 0, 1, 0, 1, 0, 1, 1}},
               {7, 2, {0, 0, 1, 1, 0, 1, 0}},
               {7, 4, {0, 0, 0, 0, 1, 1, 0}},
               {5, 1, {0, 0, 1, 0, 0}},
               {2, 1, {0, 1}},
               {2, 1, {1, 0}}};
  size_t own[MOST_TESTS];
  trial t;
  tp_arena arena;
  tp_arena_init(&arena);
  load_example(&t, &arena, "bench/adequacy/bakery.c", "bench/adequacy/bakery_exact.pred",
               TP_P_UNREACH_CALL);
  for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
    trial_test(&t, tests[i].inputs, tests[i].n);
    own[i] = tests[i].own;
  }
  check_removals(&t, 20, own);
  tp_arena_clear(&arena);
  trial_free(&t);
}

static void check_module(const char *name, const char *const *tests, tp_property property,
                         size_t n_cells) {
  trial t;
  tp_arena arena;
  tp_arena_init(&arena);
  const char *source = tp_arena_printf(&arena, "examples/modules/%s.c", name),
             *predicates = tp_arena_printf(&arena, "examples/modules/%s.pred", name);
  load_example(&t, &arena, source, predicates, property);
  for (; *tests; tests++)
    add_test(&t, tp_arena_printf(&arena, "examples/modules/%s_tests/%s.txt", name, *tests));
  check_removals(&t, n_cells, NULL);
  tp_arena_clear(&arena);
  trial_free(&t);
}

static void Y26_modules_without_one_test(void **state) {
  (void)state;
  static const char *const queue[] = {"empty_at_the_last_place", "full", "round", NULL};
  static const char *const number_list[] = {"no_number", "nothing",          "one",      "three",
                                            "too_large", "too_large_second", "too_many", NULL};
  check_module("queue", queue, TP_P_UNREACH_CALL, 6);
  check_module("number_list", number_list, TP_P_VALID_DEREF, 11);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(Y26_foo_without_one_test),
      cmocka_unit_test(Y26_bakery_without_one_test),
      cmocka_unit_test(Y26_modules_without_one_test),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
