// Engine synergy on the paper's figures and on what refutes or repairs it: verdicts with evidence,
// how many turns, tests, splits.
#include "search/outcomes_test.h"
#include "search/search_engines.h"

#include <stdlib.h>

static const tp_engine *const synergy = &tp_engine_synergy;
static const tp_search_settings usual = {0};
static const tp_search_settings at_locations = {
    .nodes = TP_NODES_LOCATIONS};  // one way of searching: counts do not depend on slices of time
/* As in the paper: exact pre-images, nothing else. */
static const tp_search_settings paper = {
    .split = TP_SPLIT_PRE, .generalize = TP_GENERALIZE_NONE, .fair = UINT32_MAX};

// -------------------------------------------------------------------- programs

/* a := input; i := 0; c := 0; n times c += i, i += 1; then an error if a < 0: the first test, with
 * zeros, does not fail. */
static build turns_then_check(int64_t n, bool is_safe) {
  build b = figure_new();
  tp_var i = build_var(&b, "i", figure_int(&b)), a = build_var(&b, "a", figure_int(&b)),
         c = build_var(&b, "c", figure_int(&b));
  figure_input(&b, a);
  if (is_safe) figure_assume(&b, figure_not(&b, figure_less(&b, a, 0)), build_loc(&b));
  build_assign(&b, i, bv(&b, 32, 0));
  build_assign(&b, c, bv(&b, 32, 0));
  tp_loc head = b.at, body = build_loc(&b), out = build_loc(&b);
  figure_branch(&b, head, figure_less(&b, i, n), body, out);
  b.at = body;
  build_assign(&b, c, figure_sum(&b, c, build_term(&b, i)));
  build_edge(&b,
             (tp_edge_info){
                 .kind = TP_E_ASSIGN, .var = i, .a = figure_sum(&b, i, bv(&b, 32, 1)), .to = head});
  b.at = out;
  figure_assume(&b, figure_less(&b, a, 0), build_error(&b, TP_P_UNREACH_CALL));
  build_done(&b);
  return b;
}

/* x := 0; y := 0; while (y >= 0) { if (input and x != 0) return; y += x; } error: safe. Broken: x
 * := -1. What refutes theorem 2. */
static build dead_end(bool is_safe) {
  build b = figure_new();
  tp_var x = build_var(&b, "x", figure_int(&b)), y = build_var(&b, "y", figure_int(&b)),
         in = build_var(&b, "in", figure_int(&b));
  build_assign(&b, x, bv(&b, 32, is_safe ? 0 : -1));
  build_assign(&b, y, bv(&b, 32, 0));
  tp_loc head = b.at, body = build_loc(&b), asked = build_loc(&b), step = build_loc(&b);
  figure_branch(&b, head, figure_not(&b, figure_less(&b, y, 0)), body,
                build_error(&b, TP_P_UNREACH_CALL));
  b.at = body;
  figure_input(&b, in);
  figure_branch(&b, b.at, figure_not(&b, figure_is(&b, in, 0)), asked, step);
  figure_branch(&b, asked, figure_not(&b, figure_is(&b, x, 0)), figure_end(&b), step);
  b.at = step;
  build_edge(
      &b,
      (tp_edge_info){
          .kind = TP_E_ASSIGN, .var = y, .a = figure_sum(&b, y, build_term(&b, x)), .to = head});
  build_done(&b);
  return b;
}

/* k inputs; lock := 1; a loop of n turns (0: no loop); k diamonds, each with its x += 1 or x -= 1
 * as its input says; then an error if the lock is gone. Broken: the last diamond can take it. */
static build loop_then_diamonds(int64_t n, int k, bool is_safe) {
  build b = figure_new();
  tp_var lock = build_var(&b, "lock", figure_int(&b)), i = build_var(&b, "i", figure_int(&b));
  tp_var *in = TP_NEW_ARRAY(tp_var, (size_t)k);
  for (int d = 0; d < k; d++) figure_input(&b, in[d] = build_var(&b, "in", figure_int(&b)));
  build_assign(&b, lock, bv(&b, 32, 1));
  if (n > 0) {
    build_assign(&b, i, bv(&b, 32, 0));
    tp_loc head = b.at, body = build_loc(&b), out = build_loc(&b);
    figure_branch(&b, head, figure_less(&b, i, n), body, out);
    b.at = body;
    build_edge(
        &b, (tp_edge_info){
                .kind = TP_E_ASSIGN, .var = i, .a = figure_sum(&b, i, bv(&b, 32, 1)), .to = head});
    b.at = out;
  }
  for (int d = 0; d < k; d++) {
    tp_var x = build_var(&b, "x", figure_int(&b));
    tp_loc up = build_loc(&b), down = build_loc(&b), join = build_loc(&b);
    figure_branch(&b, b.at, figure_not(&b, figure_is(&b, in[d], 0)), up, down);
    bool takes = !is_safe && d == k - 1;
    b.at = up;
    build_edge(&b, (tp_edge_info){.kind = TP_E_ASSIGN,
                                  .var = takes ? lock : x,
                                  .a = takes ? bv(&b, 32, 0) : figure_sum(&b, x, bv(&b, 32, 1)),
                                  .to = join});
    b.at = down;
    build_edge(
        &b, (tp_edge_info){
                .kind = TP_E_ASSIGN, .var = x, .a = figure_sum(&b, x, bv(&b, 32, -1)), .to = join});
  }
  figure_branch(&b, b.at, figure_not(&b, figure_is(&b, lock, 1)),
                build_error(&b, TP_P_UNREACH_CALL), figure_end(&b));
  build_done(&b);
  tp_free(in);
  return b;
}

/* int a[2]; a[0] := input; j := 1; a[j] := 0; i := 0; n times a[j] += i, i += 1; an error if a[0] <
 * 0. Safe: a[0] is 5. Twin: j = 0, so that what is checked is what the loop writes: 0 + 1 + ... */
static build two_cells(int64_t n, int64_t j, bool is_safe) {
  build b = figure_new();
  tp_sort ptr = tp_sort_ptr(b.tt);
  tp_var a = build_var(&b, "a", ptr), in = build_var(&b, "in", figure_int(&b)),
         i = build_var(&b, "i", figure_int(&b)), v = build_var(&b, "v", figure_int(&b));
  tp_var index = build_var(&b, "j", tp_sort_bv(b.tt, 64));
  tp_term first = build_term(&b, a);
  build_edge(&b, (tp_edge_info){.kind = TP_E_ALLOC,
                                .var = a,
                                .a = bv(&b, 64, 8),
                                .b = bv(&b, 8, 0),
                                .object_kind = TP_O_STACK,
                                .name = "a"});
  figure_input(&b, in);
  build_edge(
      &b, (tp_edge_info){
              .kind = TP_E_STORE, .a = first, .b = is_safe ? bv(&b, 32, 5) : build_term(&b, in)});
  build_assign(&b, index, bv(&b, 64, 4 * j));
  tp_term cell = tp_mk_ptr_add(b.tt, first, build_term(&b, index));
  build_edge(&b, (tp_edge_info){.kind = TP_E_STORE, .a = cell, .b = bv(&b, 32, 0)});
  build_assign(&b, i, bv(&b, 32, 0));
  tp_loc head = b.at, body = build_loc(&b), out = build_loc(&b);
  figure_branch(&b, head, figure_less(&b, i, n), body, out);
  b.at = body;
  build_edge(&b, (tp_edge_info){.kind = TP_E_LOAD, .var = v, .a = cell});
  build_edge(
      &b, (tp_edge_info){.kind = TP_E_STORE, .a = cell, .b = figure_sum(&b, v, build_term(&b, i))});
  build_edge(&b,
             (tp_edge_info){
                 .kind = TP_E_ASSIGN, .var = i, .a = figure_sum(&b, i, bv(&b, 32, 1)), .to = head});
  b.at = out;
  build_edge(&b, (tp_edge_info){.kind = TP_E_LOAD, .var = v, .a = first});
  figure_branch(&b, b.at, figure_less(&b, v, 0), build_error(&b, TP_P_UNREACH_CALL),
                figure_end(&b));
  build_done(&b);
  return b;
}

// --------------------------------------------------------------------- figures

static void S10_S12_figure_1_takes_as_many_turns_for_any_loop(void **state) {
  (void)state;
  tp_stats stats;
  for (int64_t n = 10; n <= 1000000; n *= 10) {
    assert_int_equal(verdict_of(turns_then_check(n, false), synergy, usual, 10, &stats),
                     TP_VERDICT_FALSE);
    assert_true(stats.iterations <= 3);
    assert_true(stats.tests_run <=
                (n > 300000 ? 3 : 2));  // one more where the first limit of steps was too low
    assert_int_equal(stats.splits, 0);
  }
}

/* The digest's index of the frontier; the input is asked for at a location of its own. */
static void S03_the_frontier_of_figure_1_is_behind_the_loop(void **state) {
  (void)state;
  tp_stats stats;
  for (int64_t n = 2; n <= 50; n *= 5) {
    assert_int_equal(verdict_of(turns_then_check(n, false), synergy, usual, 10, &stats),
                     TP_VERDICT_FALSE);
    assert_int_equal(stats.frontier_max, 3 * n + 4 + 1);
  }
}

static void figure_1_with_its_broken_twin(void **state) {
  (void)state;
  assert_int_equal(verdict_of(turns_then_check(1000, true), synergy, usual, 40, NULL),
                   TP_VERDICT_TRUE);
  assert_int_equal(verdict_of(figure_1(1000, FIGURE_1_SAFE), synergy, usual, 40, NULL),
                   TP_VERDICT_TRUE);
  assert_int_equal(verdict_of(figure_1(1000, FIGURE_1_FAILS), synergy, usual, 3, NULL),
                   TP_VERDICT_FALSE);
}

static void S13_figure_3(void **state) {
  (void)state;
  tp_stats stats;
  assert_int_equal(verdict_of(figure_3(true).b, synergy, paper, 0, &stats), TP_VERDICT_TRUE);
  assert_true(stats.iterations <= 11);
  assert_int_equal(verdict_of(figure_3(true).b, synergy, usual, 0, &stats), TP_VERDICT_TRUE);
  assert_true(stats.iterations <= 11);
  assert_int_equal(verdict_of(figure_3(false).b, synergy, usual, 0, NULL), TP_VERDICT_FALSE);
}

static void S10_S14_figure_4(void **state) {
  (void)state;
  tp_stats stats;
  assert_int_equal(verdict_of(two_cells(1000, 1, false), synergy, usual, 20, &stats),
                   TP_VERDICT_FALSE);
  assert_int_equal(stats.tests_run, 2);
  assert_true(stats.iterations <= 3);
  assert_int_equal(verdict_of(two_cells(20, 1, true), synergy, usual, 200, NULL), TP_VERDICT_TRUE);
  assert_int_equal(verdict_of(two_cells(70000, 0, false), synergy, usual, 20, &stats),
                   TP_VERDICT_FALSE);  // the sum wraps
  assert_int_equal(stats.tests_run, 1);
}

static void S15_figure_6(void **state) {
  (void)state;
  tp_stats stats;
  assert_int_equal(verdict_of(figure_6(true), synergy, usual, 0, &stats), TP_VERDICT_TRUE);
  assert_int_equal(stats.iterations, 1);
  assert_int_equal(stats.tests_run, 0);
  assert_int_equal(verdict_of(figure_6(false), synergy, usual, 0, NULL), TP_VERDICT_FALSE);
}

static void S04_S10_figure_7(void **state) {
  (void)state;
  build b = figure_7(false);
  outcome o = outcome_of(&b, synergy, usual, 0);
  assert_int_equal(o.verdict, TP_VERDICT_FALSE);
  assert_int_equal(o.inputs.v.n, 2);
  assert_int_equal((uint64_t)o.inputs.v.at[0].bits, 10);
  assert_true((uint64_t)o.inputs.v.at[1].bits != 10);
  assert_true(o.stats.tests_run <= 3);
  assert_int_equal(o.stats.splits, 0);
  outcome_clear(&o);
  build_free(&b);
  assert_int_equal(verdict_of(figure_7(true), synergy, usual, 0, NULL), TP_VERDICT_TRUE);
}

/* Four turns a diamond. Where a diamond asks for its input at a location of its own, that one is
 * split as well. */
static void S16_figure_8_is_linear(void **state) {
  (void)state;
  tp_stats stats;
  static const int sizes[] = {1, 2, 3, 5, 10, 30, 200};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    int n = sizes[i];
    assert_int_equal(verdict_of(loop_then_diamonds(0, n, true), synergy, at_locations, 0, &stats),
                     TP_VERDICT_TRUE);
    assert_true(stats.iterations <= (uint64_t)(4 * n + 5));
    assert_int_equal(stats.tests_run, n + 1);
    assert_int_equal(verdict_of(loop_then_diamonds(0, n, false), synergy, usual, 0, NULL),
                     TP_VERDICT_FALSE);
    if (n > 30) continue;
    assert_int_equal(verdict_of(figure_8(n, true), synergy, paper, 0, &stats), TP_VERDICT_TRUE);
    assert_int_equal(stats.iterations, 6 * n + 3);
    assert_int_equal(stats.tests_run, n + 1);
    assert_int_equal(verdict_of(figure_8(n, false), synergy, usual, 0, NULL), TP_VERDICT_FALSE);
  }
}

static void S17_figure_9_needs_generalization(void **state) {
  (void)state;
  tp_stats stats;
  for (uint64_t steps = 10; steps <= 40; steps *= 2) {
    assert_int_equal(verdict_of(figure_9(), synergy, paper, steps, &stats), TP_VERDICT_UNKNOWN);
    assert_int_equal(stats.iterations, steps);
    assert_int_equal(stats.tests_run, 1);
  }
  assert_int_equal(verdict_of(figure_9(), synergy, usual, 200, &stats), TP_VERDICT_TRUE);
  assert_true(stats.generalizations > 0);
}

// ------------------------------------------------------------------ the repairs

static void S08_a_loop_that_has_nothing_to_do_with_the_error(void **state) {
  (void)state;
  tp_stats stats, small;
  assert_int_equal(verdict_of(figure_flag(5, true), synergy, usual, 0, &small), TP_VERDICT_TRUE);
  assert_true(small.iterations <= 8);
  for (int64_t n = 50; n <= 50000; n *= 10) {
    assert_int_equal(verdict_of(figure_flag(n, true), synergy, usual, 0, &stats), TP_VERDICT_TRUE);
    assert_int_equal(stats.iterations, small.iterations);
    assert_int_equal(stats.tests_run, 1);
  }
  assert_int_equal(verdict_of(figure_flag(50, true), synergy, paper, 25, NULL), TP_VERDICT_UNKNOWN);
  assert_int_equal(verdict_of(figure_flag(50, false), synergy, usual, 0, NULL), TP_VERDICT_FALSE);
}

static void S21_a_fair_step_repairs_theorem_2(void **state) {
  (void)state;
  tp_search_settings unfair = {.generalize = TP_GENERALIZE_NONE, .fair = UINT32_MAX},
                     fair = {.generalize = TP_GENERALIZE_NONE};
  tp_stats stats;
  for (uint64_t steps = 20; steps <= 80; steps *= 2) {
    assert_int_equal(verdict_of(dead_end(true), synergy, unfair, steps, &stats),
                     TP_VERDICT_UNKNOWN);
    assert_int_equal(stats.ly_steps, 0);
  }
  for (uint32_t k = 1; k <= 5; k++) {
    fair.fair = k;
    assert_int_equal(verdict_of(dead_end(true), synergy, fair, 200, &stats), TP_VERDICT_TRUE);
    assert_true(stats.ly_steps > 0);
  }
  fair.fair = 0;
  assert_int_equal(verdict_of(dead_end(true), synergy, fair, 400, &stats), TP_VERDICT_TRUE);
  assert_int_equal(verdict_of(dead_end(true), synergy, usual, 200, &stats), TP_VERDICT_TRUE);
  assert_int_equal(verdict_of(dead_end(false), synergy, usual, 200, &stats), TP_VERDICT_FALSE);
}

/* a := input; n turns, each of which an input may leave; then an error if a < 0. Safe: a >= 0 comes
 * in only. */
static build turns_with_a_way_out(int64_t n, bool is_safe) {
  build b = figure_new();
  tp_var i = build_var(&b, "i", figure_int(&b)), a = build_var(&b, "a", figure_int(&b)),
         in = build_var(&b, "in", figure_int(&b));
  figure_input(&b, a);
  if (is_safe) figure_assume(&b, figure_not(&b, figure_less(&b, a, 0)), build_loc(&b));
  build_assign(&b, i, bv(&b, 32, 0));
  tp_loc head = b.at, body = build_loc(&b), out = build_loc(&b), step = build_loc(&b);
  figure_branch(&b, head, figure_less(&b, i, n), body, figure_end(&b));
  b.at = body;
  figure_input(&b, in);
  figure_branch(&b, b.at, figure_not(&b, figure_is(&b, in, 0)), out, step);
  b.at = step;
  build_edge(&b,
             (tp_edge_info){
                 .kind = TP_E_ASSIGN, .var = i, .a = figure_sum(&b, i, bv(&b, 32, 1)), .to = head});
  b.at = out;
  figure_assume(&b, figure_less(&b, a, 0), build_error(&b, TP_P_UNREACH_CALL));
  build_done(&b);
  return b;
}

/* The first test, with zeros, turns n times: from its first state in the loop the way out is a few
 * blocks long, from its last one some blocks for each turn. */
static void S26_the_earliest_state_makes_ways_short(void **state) {
  (void)state;
  tp_search_settings earliest = at_locations, latest = at_locations;
  latest.latest_state = true;
  for (int is_safe = 0; is_safe < 2; is_safe++) {
    for (int64_t n = 10; n <= 40; n *= 2) {
      tp_verdict wanted = is_safe ? TP_VERDICT_TRUE : TP_VERDICT_FALSE;
      tp_stats first, last;
      assert_int_equal(verdict_of(turns_with_a_way_out(n, is_safe), synergy, earliest, 0, &first),
                       wanted);
      assert_int_equal(verdict_of(turns_with_a_way_out(n, is_safe), synergy, latest, 0, &last),
                       wanted);
      assert_int_equal(first.ordered_trace_len_max, is_safe ? 12 : 8);
      assert_in_range(last.ordered_trace_len_max, 4 * n, 4 * n + 8);
    }
  }
  assert_int_equal(verdict_of(figure_3(true).b, synergy, latest, 0, NULL), TP_VERDICT_TRUE);
  assert_int_equal(verdict_of(figure_3(false).b, synergy, latest, 0, NULL), TP_VERDICT_FALSE);
}

/* With as many turns as synergy takes, tests along every path have no answer. */
static void S30_a_loop_and_diamonds_behind_it(void **state) {
  (void)state;
  tp_stats stats, others;
  assert_int_equal(verdict_of(loop_then_diamonds(1000, 10, true), synergy, usual, 0, &stats),
                   TP_VERDICT_TRUE);
  assert_true(stats.iterations <= 4 * 10 + 12);
  assert_int_equal(verdict_of(loop_then_diamonds(1000, 10, true), &tp_engine_directed, usual,
                              stats.iterations, &others),
                   TP_VERDICT_UNKNOWN);
  assert_int_equal(others.iterations, stats.iterations);
  assert_int_equal(verdict_of(loop_then_diamonds(1000, 10, false), synergy, usual, 0, NULL),
                   TP_VERDICT_FALSE);
}

// ------------------------------------------------------------------------ all

static build one(bool is_safe) { return turns_then_check(3, is_safe); }
static build three(bool is_safe) { return figure_3(is_safe).b; }
static build four(bool is_safe) { return two_cells(2, 1, is_safe); }
static build eight(bool is_safe) { return figure_8(2, is_safe); }
static build flag(bool is_safe) { return figure_flag(3, is_safe); }
static const struct {
  const char *name;
  build (*make)(bool is_safe);
} programs[] = {{"figure 1", one},      {"figure 3", three},    {"figure 4", four},
                {"figure 6", figure_6}, {"figure 7", figure_7}, {"figure 8", eight},
                {"flag", flag},         {"dead end", dead_end}};
enum { N_PROGRAMS = sizeof programs / sizeof *programs, N_FIGURES = N_PROGRAMS - 1 };

static void S01_all_settings_give_the_verdict(void **state) {
  (void)state;
  static const tp_search_settings settings[] = {{.three_regions = true},
                                                {.lazy_edges = true},
                                                {.nodes = TP_NODES_LOOPS},
                                                {.split = TP_SPLIT_INTERPOLANT},
                                                {.latest_state = true},
                                                {.generalize = TP_GENERALIZE_WIDEN},
                                                {.fair = 2},
                                                {.three_regions = true, .lazy_edges = true}};
  for (size_t i = 0; i < N_FIGURES; i++)
    for (size_t k = getenv("TP_SOAK") ? 0 : i % 2; k < sizeof settings / sizeof *settings;
         k += getenv("TP_SOAK") ? 1 : 2)
      for (int is_safe = 0; is_safe < 2; is_safe++) {
        tp_verdict v = verdict_of(programs[i].make(is_safe), synergy, settings[k], 60, NULL),
                   wanted = is_safe ? TP_VERDICT_TRUE : TP_VERDICT_FALSE;
        if (v != wanted)
          fail_msg("%s, settings %zu, safe %d: verdict %d", programs[i].name, k, is_safe, (int)v);
      }
}

/* A fault at each place where a solver is asked: the verdict may be lost, never wrong. */
static void S27_a_fault_costs_an_answer_at_most(void **state) {
  (void)state;
  static const tp_smt_fault faults[] = {TP_FAULT_UNKNOWN, TP_FAULT_ERROR, TP_FAULT_WRONG_MODEL};
  uint64_t n_lost = 0, n_kept = 0;
  for (size_t i = 0; i < N_PROGRAMS; i++)
    for (int is_safe = 0; is_safe < 2; is_safe++)
      for (size_t k = 0; k < sizeof faults / sizeof *faults; k++)
        for (uint64_t at = 1; at <= 9; at += getenv("TP_SOAK") ? 1 : 3) {
          build b = programs[i].make(is_safe);
          tp_smt_inject(faults[k], at);
          tp_task task = {.program = b.p,
                          .property = TP_P_UNREACH_CALL,
                          .search = {.split = at % 2 ? TP_SPLIT_PRE : TP_SPLIT_DROP}};
          tp_budget budget = {.cpu_s = 60, .steps = 40};
          tp_stats stats = {0};
          tp_result r;
          tp_result_init(&r);
          synergy->run(&task, &budget, &stats, &r);
          tp_smt_inject(TP_FAULT_NONE, 0);
          if (r.verdict == TP_VERDICT_TRUE)
            assert_true(is_safe &&
                        figure_check(&b, tp_str_text(&r.certificate), NULL) == TP_CERTIFY_ACCEPTED);
          if (r.verdict == TP_VERDICT_FALSE) assert_true(!is_safe && outcome_replays(&b, &r));
          *(r.verdict == TP_VERDICT_UNKNOWN ? &n_lost : &n_kept) += 1;
          tp_result_clear(&r);
          build_free(&b);
        }
  assert_true(n_kept > n_lost);
}

/* A run's certificate (malloc'd, so that nothing counted stays) and counts. */
static char *said_by(size_t program, bool is_safe, tp_stats *stats) {
  build b = programs[program].make(is_safe);
  outcome o = outcome_of(&b, synergy, usual, 0);
  char *text = strdup(tp_str_text(&o.certificate));
  *stats = o.stats;
  stats->cpu_s = stats->wall_s = stats->solver_s = stats->peak_mb = 0;
  outcome_clear(&o);
  build_free(&b);
  return text;
}

static void S29_the_same_run_twice_says_the_same(void **state) {
  (void)state;
  for (size_t i = 0; i < N_PROGRAMS; i++)
    for (int is_safe = 0; is_safe < 2; is_safe++) {
      tp_stats x, y;
      char *first = said_by(i, is_safe, &x), *second = said_by(i, is_safe, &y);
      assert_string_equal(first, second);
      assert_memory_equal(&x, &y, sizeof x);
      free(first);
      free(second);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(S10_S12_figure_1_takes_as_many_turns_for_any_loop),
      cmocka_unit_test(S03_the_frontier_of_figure_1_is_behind_the_loop),
      cmocka_unit_test(figure_1_with_its_broken_twin),
      cmocka_unit_test(S13_figure_3),
      cmocka_unit_test(S10_S14_figure_4),
      cmocka_unit_test(S15_figure_6),
      cmocka_unit_test(S04_S10_figure_7),
      cmocka_unit_test(S16_figure_8_is_linear),
      cmocka_unit_test(S17_figure_9_needs_generalization),
      cmocka_unit_test(S08_a_loop_that_has_nothing_to_do_with_the_error),
      cmocka_unit_test(S21_a_fair_step_repairs_theorem_2),
      cmocka_unit_test(S26_the_earliest_state_makes_ways_short),
      cmocka_unit_test(S30_a_loop_and_diamonds_behind_it),
      cmocka_unit_test(S01_all_settings_give_the_verdict),
      cmocka_unit_test(S27_a_fault_costs_an_answer_at_most),
      cmocka_unit_test(S29_the_same_run_twice_says_the_same),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
