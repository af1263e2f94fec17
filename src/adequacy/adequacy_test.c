// The examples of the method's source with their numbers: cells that tests cover, cells of the
// closed set, verdicts.
#include "adequacy/trial_test.h"

#define HEAD "extern int __VERIFIER_nondet_int(void);\n"
#define FOO(bound)                                                                 \
  HEAD "void foo(int x, int y) {\n  int *px = 0;\n  x = x + 1;\n  if (x < " #bound \
       ")\n    px = &x;\n"                                                         \
       "  if (px == &y)\n    x = x + 1;\n  if (x < 5)\n    *px = *px + 1;\n}\n"    \
       "int main(void) {\n  int x = __VERIFIER_nondet_int();\n  int y = "          \
       "__VERIFIER_nondet_int();\n  foo(x, y);\n  return 0;\n}\n"

static void load_foo(trial *t, const char *source, int64_t bound) {
  static const int64_t tests[][2] = {{2, 0}, {6, 0}, {11, 0}};
  trial_load(t, source, TP_P_VALID_DEREF);
  t->q.settings.cutpoints = TP_CUTPOINTS_ALL;
  trial_probe(t, "foo", 4, "x small", trial_less(t, trial_value(t, "foo", "x"), bound));
  trial_probe(t, "foo", 4, "px null",
              tp_mk_eq(t->tt, trial_variable(t, "foo", "px"), tp_mk_null(t->tt)));
  for (int i = 0; i < 3; i++) trial_test(t, tests[i], 2);
}

/* The abstract states at the cells as the source writes them, sorted: "Aft" for label A with x < 5
 * false and px null true; those that only fabricated states came to in the second text. Labels are
 * the statements of foo: lines 4 to 11 in order. */
static void write_cells(const trial *t, char texts[2][200]) {
  const tp_coverage *c = &t->report.coverage;
  texts[0][0] = texts[1][0] = 0;
  for (char label = 'A'; label <= 'H'; label++)
    for (uint64_t values = 0; values < 4; values++)
      for (size_t i = 0; i < c->states.n; i++) {
        const tp_abstract_state *a = &c->states.at[i];
        const tp_cutpoint_coverage *at = &c->cutpoints.at[a->cutpoint];
        // "f" before "t" in order of the first predicate
        const bool is_small = values >> 1, is_null = values & 1;
        if (!at->probes.n || tp_loc_of(t->p, at->loc)->pos.line != (uint32_t)(label - 'A') + 4 ||
            a->values != (uint64_t)(is_small + 2 * is_null))
          continue;
        char *text = texts[a->is_missed];
        const size_t n = strlen(text);
        snprintf(text + n, 200 - n, "%s%c%c%c", n ? " " : "", label, is_small ? 't' : 'f',
                 is_null ? 't' : 'f');
      }
}

static void Y01_Y05_Y10_foo(void **state) {
  (void)state;
  trial t;
  size_t covered, all;
  char cells[2][200];
  load_foo(&t, FOO(4), 5);
  trial_run(&t);
  trial_show(&t);
  trial_cells(&t, &covered, &all);
  assert_int_equal(covered, 12);
  assert_int_equal(all, 18);
  write_cells(&t, cells);
  assert_string_equal(cells[0], "Aft Att Bft Btt Ctt Dft Dtf Fft Ftf Gtf Hft Htf");
  assert_string_equal(cells[1], "Dtt Etf Fff Ftt Gtt Hff");
  // each round but the last, which finds nothing, adds an abstract state
  assert_true(t.report.counters.rounds <= t.report.counters.abstract_states_missed + 1);
  assert_int_equal(t.out.verdict, TP_VERDICT_FALSE);
  assert_true(t.out.inputs.v.n >= 1);
  assert_int_equal((int32_t)t.out.inputs.v.at[0].bits, 3);
  trial_done(&t);
  trial_free(&t);
}

/* The checker asks about each cutpoint anew, whatever was settled before: it accepts the set. */
static void Y04_Y11_fixed_foo(void **state) {
  (void)state;
  trial t;
  size_t covered, all;
  load_foo(&t, FOO(5), 5);
  trial_run(&t);
  trial_show(&t);
  trial_cells(&t, &covered, &all);
  assert_int_equal(covered, 12);
  assert_int_equal(all, 15);
  assert_in_range(t.report.counters.fabricated_states, 1, 3);
  assert_true(t.report.counters.rounds <= t.report.counters.abstract_states_missed + 1);
  assert_int_equal(t.out.verdict, TP_VERDICT_TRUE);
  assert_int_equal(trial_certify(&t), TP_CERTIFY_ACCEPTED);
  trial_done(&t);
  trial_free(&t);
}

static void Y12_coarse(void **state) {
  (void)state;
  trial t;
  size_t covered, all;
  load_foo(&t, FOO(5), 10);
  trial_run(&t);
  trial_show(&t);
  trial_cells(&t, &covered, &all);
  assert_int_equal(covered, 15);
  assert_int_equal(all, 19);
  assert_int_equal(t.out.verdict, TP_VERDICT_UNKNOWN);
  // the state is that of label G with a null pointer, and the hint is to say more
  assert_int_equal(t.report.potential.n, 1);
  const tp_abstract_state *at = &t.report.coverage.states.at[t.report.potential.at[0].from];
  const tp_cutpoint_coverage *where = &t.report.coverage.cutpoints.at[at->cutpoint];
  assert_int_equal(tp_loc_of(t.p, where->loc)->pos.line, 10);
  assert_int_equal(at->values, 3);  // x small, px null
  assert_non_null(strstr(t.out.hint, "add predicates that tell the state above"));
  trial_done(&t);
  trial_free(&t);
}

// -------------------------------------------------------------------------- Bakery

/* Two processes with tickets; process 2 must wait at equal tickets. */
#define BAKERY_STEP(pc, x, y, guard, limit)                    \
  "      if (" pc " == 0) { " x " = " y "; " pc                \
  " = 1; }\n"                                                  \
  "      else if (" pc " == 1) { " limit x " = " x " + 1; " pc \
  " = 2; }\n"                                                  \
  "      else if (" pc " == 2) { if (" guard ") " pc " = 3; }\n      else " pc " = 0;\n"
#define BAKERY(type, start, limit1, limit2) \
  HEAD "extern unsigned __VERIFIER_nondet_uint(void);\nextern void __VERIFIER_assume(int);\nvoid reach_error(void) {}\nint main(void) {\n" \
       "  " type " x1 = 0, x2 = 0;\n  int pc1 = 0, pc2 = 0;\n" start "  while (1) {\n    if (__VERIFIER_nondet_int()) {\n"                 \
       BAKERY_STEP("pc1", "x1", "x2", "x1 <= x2", limit1) "    } else {\n" BAKERY_STEP("pc2", "x2", "x1", "x2 < x1", limit2)               \
       "    }\n    if (pc1 == 3 && pc2 == 3) reach_error();\n  }\n}\n"
#define FREE_START "  x1 = __VERIFIER_nondet_uint(); x2 = __VERIFIER_nondet_uint();\n"
#define BOUNDED_START FREE_START "  __VERIFIER_assume(x1 < 1000 && x2 < 1000);\n"
#define LIMIT(x) "__VERIFIER_assume(" x " < 1000000); "

static void load_bakery(trial *t, const char *source, const int64_t *test, size_t n) {
  static const char *const names[] = {"A", "B", "C", "D"};
  trial_load(t, source, TP_P_UNREACH_CALL);
  for (int i = 0; i < 4; i++)
    trial_probe(t, "main", 0, names[i], trial_is(t, trial_value(t, "main", "pc1"), i));
  for (int i = 0; i < 4; i++)
    trial_probe(t, "main", 0, names[i], trial_is(t, trial_value(t, "main", "pc2"), i));
  tp_sort sort = tp_sort_of(t->tt, trial_variable(t, "main", "x1"));
  trial_probe(t, "main", 0, "x1 <= x2",
              tp_mk2(t->tt, TP_OP_BV_ULE, trial_cell(t, "main", "x1", sort),
                     trial_cell(t, "main", "x2", sort)));
  trial_test(t, test, n);
}

static void Y08_Y13_bakery_with_free_start_tickets(void **state) {
  (void)state;
  static const int64_t from_zero[] = {0, 0, 1, 1, 1, 1, 0, 0, 1, 0, 1, 0};
  trial t;
  load_bakery(&t, BAKERY("unsigned", BOUNDED_START, LIMIT("x1"), LIMIT("x2")), from_zero, 12);
  trial_run(&t);
  trial_show(&t);
  assert_int_equal(t.report.counters.abstract_states, 17);
  assert_true(t.report.added.n > 0);
  assert_int_equal(t.out.verdict, TP_VERDICT_TRUE);
  assert_int_equal(trial_certify(&t), TP_CERTIFY_ACCEPTED);
  trial_done(&t);
  t.q.settings.only_models = true;  // nothing is drawn: the initiation check finds it
  trial_run(&t);
  assert_int_equal(t.report.counters.abstract_states, 17);
  assert_int_equal(t.report.counters.initial_tests_added, 1);
  trial_done(&t);
  t.q.settings.only_models = false;
  t.q.settings.assumes_initial = true;  // what the tests start in is taken for all there is
  trial_run(&t);
  assert_int_equal(t.report.counters.abstract_states, 16);
  assert_int_equal(t.out.verdict, TP_VERDICT_TRUE);
  assert_int_equal(trial_certify(&t), TP_CERTIFY_REJECTED);
  trial_done(&t);
  trial_free(&t);
}

static void Y13_bakery_with_tickets_that_wrap(void **state) {
  (void)state;
  static const int64_t some[] = {0, 0, 1, 1, 1, 1, 0, 0, 1, 0, 1, 0};
  static const char *const sources[] = {BAKERY("unsigned", FREE_START, "", ""),
                                        BAKERY("unsigned char", "", "", "")};
  for (size_t i = 0; i < 2; i++) {
    trial t;
    load_bakery(&t, sources[i], some + 2 * i, 12 - 2 * i);
    trial_run(&t);
    trial_show(&t);
    assert_int_equal(t.out.verdict, TP_VERDICT_FALSE);
    if (i == 0) assert_true(t.out.inputs.v.n <= 22);  // two tickets and at most 20 turns
    trial_done(&t);
    trial_free(&t);
  }
}

// -------------------------------------------------------------------------- hybrid

/* Only a run of that many turns in a row comes to the error. */
#define TURNS(n)                                                                           \
  HEAD "void reach_error(void) {}\nint main(void) {\n  int n = 0;\n  while (1) {\n    if " \
       "(__VERIFIER_nondet_int() & 1) n++;\n"                                              \
       "    else {\n      if (n >= " #n ") reach_error();\n      n = 0;\n    }\n  }\n}\n"

static void load_turns(trial *t, const char *source, int64_t n) {
  trial_load(t, source, TP_P_UNREACH_CALL);
  tp_term v = trial_value(t, "main", "n");
  trial_probe(t, "main", 0, "n == 0", trial_is(t, v, 0));
  trial_probe(t, "main", 0, "0 < n < 500",
              tp_mk_and(t->tt, tp_mk_not(t->tt, trial_less(t, v, 1)), trial_less(t, v, n)));
  trial_probe(t, "main", 0, "n == 500", trial_is(t, v, n));
  trial_probe(t, "main", 0, "n > 500", tp_mk_not(t->tt, trial_less(t, v, n + 1)));
  static const int64_t test[] = {1, 0, 1, 1, 0};
  trial_test(t, test, 5);
  t->q.settings.leaves_potential = true;
}

static void Y21_stalled_runs_give_way_to_fabricated_states(void **state) {
  (void)state;
  static const int64_t ns[] = {500, 5000000};
  static const char *const sources[] = {TURNS(500), TURNS(5000000)};
  for (size_t i = 0; i < 2; i++) {
    trial t;
    load_turns(&t, sources[i], ns[i]);
    trial_run(&t);
    trial_show(&t);
    assert_int_equal(t.report.potential.n, 1);
    assert_non_null(t.report.potential.at[0].state);
    assert_in_range(t.report.counters.fabricated_states, 1, 3);
    assert_in_range(t.report.counters.steps, 1, 100000);
    assert_true(t.report.counters.stalls > 0);
    trial_done(&t);
    t.q.settings.steady = true;
    if (i == 0) {
      trial_run(&t);
      assert_int_equal(t.report.potential.n, 1);
      assert_true(t.report.counters.steps > 1000000);
      trial_done(&t);
    }
    trial_free(&t);
  }
}

// ----------------------------------------------------------------------- fallbacks

static void Y22_abstract_steps_close_fixed_foo(void **state) {
  (void)state;
  trial t;
  size_t covered, all;
  load_foo(&t, FOO(5), 5);
  t.q.settings.only_steps = true;
  trial_run(&t);
  trial_cells(&t, &covered, &all);
  assert_int_equal(all, 15);
  assert_int_equal(t.report.counters.fabricated_states, 0);
  assert_int_equal(t.report.fallback, TP_FALLBACK_STEP);
  assert_int_equal(t.out.verdict, TP_VERDICT_TRUE);
  assert_int_equal(trial_certify(&t), TP_CERTIFY_ACCEPTED);
  trial_done(&t);
  trial_free(&t);
}

/* A solver that gives up at one check: the verdict is not stronger than without, and the set not
 * smaller. */
static void Y20_a_solver_that_gives_up_weakens_nothing(void **state) {
  (void)state;
  static const struct {
    const char *source;
    int64_t bound;
    tp_verdict verdict;
    size_t cells;
  } cases[] = {{FOO(5), 5, TP_VERDICT_TRUE, 15}, {FOO(5), 10, TP_VERDICT_UNKNOWN, 19}};
  static const tp_smt_fault faults[] = {TP_FAULT_UNKNOWN, TP_FAULT_ERROR, TP_FAULT_WRONG_MODEL};
  for (size_t i = 0; i < 2; i++) {
    trial t;
    size_t covered, all;
    load_foo(&t, cases[i].source, cases[i].bound);
    t.q.settings.leaves_potential = true;
    trial_run(&t);
    uint64_t n_checks = t.stats.solver_calls;
    trial_done(&t);
    for (size_t f = 0; f < 3; f++) {
      for (uint64_t at = 1; at <= n_checks + 2; at++) {
        tp_smt_inject(faults[f], at);
        trial_run(&t);
        tp_smt_inject(TP_FAULT_NONE, 0);
        trial_cells(&t, &covered, &all);
        assert_true(t.out.verdict == cases[i].verdict || t.out.verdict == TP_VERDICT_UNKNOWN);
        assert_true(!t.report.is_closed || all >= cases[i].cells);
        if (t.out.verdict == TP_VERDICT_TRUE && at % 8 == 0)
          assert_int_equal(trial_certify(&t), TP_CERTIFY_ACCEPTED);
        trial_done(&t);
      }
    }
    trial_free(&t);
  }
}

/* No solver decides anything: what cannot be excluded is covered, also what the least set does not
 * have; nothing is proved, and the answer says why. */
static void Y20_no_solver_at_all(void **state) {
  (void)state;
  static const int64_t bounds[] = {5, 10};
  for (size_t i = 0; i < 2; i++) {
    trial t;
    struct {
      uint32_t cutpoint;
      uint64_t values;
    } least[100];
    load_foo(&t, FOO(5), bounds[i]);
    t.q.settings.leaves_potential = true;
    trial_run(&t);
    const tp_coverage *c = &t.report.coverage;
    const size_t n = c->states.n;
    assert_true(n <= sizeof least / sizeof *least);
    for (size_t k = 0; k < n; k++) {
      least[k].cutpoint = c->states.at[k].cutpoint;
      least[k].values = c->states.at[k].values;
    }
    trial_done(&t);
    tp_smt_inject_always(TP_FAULT_UNKNOWN);
    trial_run(&t);
    tp_smt_inject_always(TP_FAULT_NONE);
    trial_show(&t);
    assert_int_equal(t.out.verdict, TP_VERDICT_UNKNOWN);
    assert_int_equal(t.report.fallback, TP_FALLBACK_ALL);
    assert_true(t.report.potential.n > 0);
    assert_int_equal(t.report.counters.fabricated_states, 0);  // there are no models
    assert_true(t.report.is_closed && c->states.n > n);
    for (size_t k = 0; k < n; k++)
      assert_true(tp_coverage_find(c, least[k].cutpoint, least[k].values) != UINT32_MAX);
    trial_done(&t);
    trial_free(&t);
  }
}

// -------------------------------------------------------------- without runs, statistics

/* Abstract states at the cells that are there because a model was asked for. */
static size_t made_in_foo(const trial *t) {
  const tp_coverage *c = &t->report.coverage;
  size_t n = 0;
  for (size_t i = 0; i < c->states.n; i++) {
    tp_origin_kind from = c->states.at[i].origin.kind;
    n += c->cutpoints.at[c->states.at[i].cutpoint].probes.n &&
         (from == TP_FROM_FABRICATED || from == TP_FROM_STEP);
  }
  return n;
}

static void Y30_without_runs_more_states_are_fabricated(void **state) {
  (void)state;
  trial t;
  size_t covered, all;
  load_foo(&t, FOO(5), 5);
  trial_run(&t);
  assert_in_range(t.report.counters.fabricated_states, 1, 3);
  trial_done(&t);
  t.q.settings.only_models = true;
  trial_run(&t);
  trial_show(&t);
  trial_cells(&t, &covered, &all);
  assert_int_equal(all, 15);
  // the tests end before the first cells: two of them, at the first statement, are made beside the
  // source's 13
  assert_int_equal(made_in_foo(&t), 13 + 2);
  assert_int_equal(t.out.verdict, TP_VERDICT_TRUE);
  trial_done(&t);
  trial_free(&t);
}

static void Y31_the_same_counts_twice(void **state) {
  (void)state;
  tp_adequacy_counters counters[2];
  for (int i = 0; i < 2; i++) {
    trial t;
    load_foo(&t, FOO(4), 5);
    trial_run(&t);
    counters[i] = t.report.counters;
    trial_done(&t);
    trial_free(&t);
  }
#define TP_C(name) assert_int_equal(counters[0].name, counters[1].name);
  TP_ADEQUACY_COUNTERS(TP_C)
#undef TP_C
  assert_int_equal(counters[0].abstract_states,
                   counters[0].abstract_states_from_tests + counters[0].abstract_states_missed);
  assert_true(counters[0].fabricated_states > 0 && counters[0].rounds > 0 &&
              counters[0].adequacy_checks > 0 && counters[0].safety_checks > 0 &&
              counters[0].runs > 3 && counters[0].steps > 0);
}

// ---------------------------------------------------------------------- questions, cuts

static void Y04_settled_abstract_states_are_not_asked_about_again(void **state) {
  (void)state;
  trial t;
  load_foo(&t, FOO(4), 5);
  t.q.settings.leaves_potential = true;
  trial_run(&t);
  const tp_adequacy_counters *n = &t.report.counters;
  uint64_t checks = n->adequacy_checks + n->safety_checks + n->initiation_checks;
  assert_true(n->segments_checked_again < n->rounds * 3);
  assert_true(checks <
              n->segments * (n->rounds + 1) / 2);  // asking all segments anew in each round
  trial_done(&t);
  trial_free(&t);
}

/* Bad states of a covered cell that no run was in. */
static void Y09_safety_is_asked_of_cells_and_not_of_runs_alone(void **state) {
  (void)state;
  trial t;
  static const int64_t test[] = {5};
  trial_load(&t,
             HEAD
             "void reach_error(void) {}\nint main(void) {\n  int x = __VERIFIER_nondet_int() & 7, "
             "i = 0;\n  if (x == 3) x = 4;\n  while (i < 10) {\n    i = i + 1;\n"
             "    if (x == 3) reach_error();\n  }\n}\n",
             TP_P_UNREACH_CALL);
  trial_probe(&t, "main", 0, "x < 8", trial_less(&t, trial_value(&t, "main", "x"), 8));
  trial_test(&t, test, 1);
  trial_run(&t);
  assert_int_equal(t.report.failing_test, 0);
  assert_int_equal(t.report.potential.n, 1);
  assert_int_equal(t.report.potential.at[0].kind, TP_POTENTIAL_SYMBOLIC);
  assert_non_null(t.report.potential.at[0].state);
  assert_int_equal(t.out.verdict, TP_VERDICT_UNKNOWN);
  trial_done(&t);
  trial_free(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(Y01_Y05_Y10_foo),
      cmocka_unit_test(Y04_Y11_fixed_foo),
      cmocka_unit_test(Y12_coarse),
      cmocka_unit_test(Y08_Y13_bakery_with_free_start_tickets),
      cmocka_unit_test(Y13_bakery_with_tickets_that_wrap),
      cmocka_unit_test(Y21_stalled_runs_give_way_to_fabricated_states),
      cmocka_unit_test(Y22_abstract_steps_close_fixed_foo),
      cmocka_unit_test(Y20_a_solver_that_gives_up_weakens_nothing),
      cmocka_unit_test(Y20_no_solver_at_all),
      cmocka_unit_test(Y30_without_runs_more_states_are_fabricated),
      cmocka_unit_test(Y31_the_same_counts_twice),
      cmocka_unit_test(Y04_settled_abstract_states_are_not_asked_about_again),
      cmocka_unit_test(Y09_safety_is_asked_of_cells_and_not_of_runs_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
