// Splitting refinement without tests on the paper's figures: verdicts, proofs, how many turns.
#include "search/figures_test.h"
#include "search/search_engines.h"

typedef struct {
  tp_result r;
  tp_stats stats;
} answer;

static answer run(const build *b, tp_search_settings settings, uint64_t steps) {
  tp_task task = {.program = b->p, .property = TP_P_UNREACH_CALL, .search = settings};
  tp_budget budget = {.cpu_s = 60, .steps = steps};
  answer a = {0};
  tp_result_init(&a.r);
  tp_engine_split_cegar.run(&task, &budget, &a.stats, &a.r);
  return a;
}

static bool replays(const build *b, const tp_result *r) {
  tp_certify_report report;
  tp_property violated;
  tp_certify_report_init(&report);
  tp_certify_result c =
      tp_certify_false(b->p, TP_P_UNREACH_CALL, &r->inputs, (tp_run_limits){0}, &violated, &report);
  tp_certify_report_clear(&report);
  return c == TP_CERTIFY_ACCEPTED;
}

/* Runs, checks evidence, frees both; the verdict. */
static tp_verdict verdict_of(build b, tp_search_settings settings, uint64_t steps,
                             tp_stats *stats) {
  answer a = run(&b, settings, steps);
  tp_verdict v = a.r.verdict;
  if (v == TP_VERDICT_TRUE)
    assert_int_equal(figure_check(&b, a.r.certificate.text, NULL), TP_CERTIFY_ACCEPTED);
  if (v == TP_VERDICT_FALSE) assert_true(replays(&b, &a.r));
  if (v == TP_VERDICT_UNKNOWN) assert_non_null(a.r.reason);
  if (stats) *stats = a.stats;
  tp_result_clear(&a.r);
  build_free(&b);
  return v;
}

static const tp_search_settings paper = {.split = TP_SPLIT_PRE, .generalize = TP_GENERALIZE_NONE};

/* 4 N - 1 turns, all but the last of which split. */
static void figure_1_takes_four_turns_for_one(void **state) {
  (void)state;
  tp_stats stats;
  for (int64_t n = 2; n <= 12; n += 5) {
    assert_int_equal(verdict_of(figure_1(n, FIGURE_1_FAILS), paper, 0, &stats), TP_VERDICT_FALSE);
    assert_int_equal(stats.iterations, 4 * n - 1);
    assert_int_equal(stats.splits, 4 * n - 2);
  }
}

static void figure_3_takes_seven_splits(void **state) {
  (void)state;
  tp_stats stats;
  assert_int_equal(verdict_of(figure_3(true).b, paper, 0, &stats), TP_VERDICT_TRUE);
  assert_int_equal(stats.iterations, 8);
  assert_int_equal(stats.splits, 7);
  assert_int_equal(stats.regions, 19);  // 17, the return and the exit
}

typedef struct {
  const char *name;
  build (*make)(bool is_safe);
  bool unrolls;  // the safe one, by exact pre-images: they drag the loop's guard along
} program;

static build one(bool is_safe) { return figure_1(3, is_safe ? FIGURE_1_SAFE : FIGURE_1_FAILS); }
static build three(bool is_safe) { return figure_3(is_safe).b; }
static build eight(bool is_safe) { return figure_8(4, is_safe); }
static build flag(bool is_safe) { return figure_flag(5, is_safe); }
static const program programs[] = {{"figure 1", one, true},       {"figure 3", three, false},
                                   {"figure 6", figure_6, false}, {"figure 7", figure_7, false},
                                   {"figure 8", eight, false},    {"flag", flag, true}};
enum { N_PROGRAMS = sizeof programs / sizeof *programs };

static const tp_search_settings all_settings[] = {
    {.split = TP_SPLIT_PRE, .generalize = TP_GENERALIZE_NONE},
    {.split = TP_SPLIT_DROP, .generalize = TP_GENERALIZE_NONE},
    {.split = TP_SPLIT_INTERPOLANT, .generalize = TP_GENERALIZE_NONE},
    {.split = TP_SPLIT_PRE, .generalize = TP_GENERALIZE_NONE, .three_regions = true},
    {.split = TP_SPLIT_DROP, .generalize = TP_GENERALIZE_NONE, .three_regions = true},
    {.split = TP_SPLIT_DROP},
    {.split = TP_SPLIT_DROP, .generalize = TP_GENERALIZE_WIDEN},
    {.split = TP_SPLIT_DROP, .nodes = TP_NODES_LOOPS},
    {.split = TP_SPLIT_INTERPOLANT, .nodes = TP_NODES_LOOPS},
    {.split = TP_SPLIT_DROP, .lazy_edges = true}};

/* Both starts, and everything else that can be set. */
static void S01_S09_S11_all_settings_give_the_verdict(void **state) {
  (void)state;
  for (size_t i = 0; i < N_PROGRAMS; i++)
    for (size_t k = 0; k < sizeof all_settings / sizeof *all_settings; k++)
      for (int is_safe = 0; is_safe < 2; is_safe++) {
        tp_verdict v = verdict_of(programs[i].make(is_safe), all_settings[k], 100, NULL),
                   wanted = is_safe ? TP_VERDICT_TRUE : TP_VERDICT_FALSE;
        if (is_safe && programs[i].unrolls && all_settings[k].split == TP_SPLIT_PRE)
          wanted = TP_VERDICT_UNKNOWN;
        if (v != wanted)
          fail_msg("%s, settings %zu, safe %d: verdict %d", programs[i].name, k, is_safe, (int)v);
      }
}

static void S01_one_region_for_each_location_or_three(void **state) {
  (void)state;
  build b = figure_1(10, FIGURE_1_AS_PRINTED);
  figure_setting *s = figure_open(&b, (tp_search_settings){0});
  assert_int_equal(s->pt.n_regions, 7);
  assert_int_equal(s->stats.regions, 7);
  figure_close(s);
  s = figure_open(&b, (tp_search_settings){.three_regions = true});
  assert_int_equal(s->pt.n_regions, 3);
  figure_close(s);
  build_free(&b);
}

/* Without generalisation there is no end. */
static void figure_9_has_no_answer(void **state) {
  (void)state;
  tp_stats stats;
  for (uint64_t steps = 10; steps <= 30; steps += 10) {
    assert_int_equal(verdict_of(figure_9(), paper, steps, &stats), TP_VERDICT_UNKNOWN);
    assert_int_equal(stats.iterations, steps);
    assert_true(stats.splits + 2 >= steps);
  }
  assert_int_equal(verdict_of(figure_9(), (tp_search_settings){.split = TP_SPLIT_PRE}, 30, NULL),
                   TP_VERDICT_TRUE);
}

/* Exact pre-images unroll a loop that has nothing to do with the error, even one that is known to
 * end; with dropped conjuncts there is an end. */
static void S08_dropping_conjuncts_ends(void **state) {
  (void)state;
  tp_stats stats;
  assert_int_equal(
      verdict_of(figure_flag(5, true),
                 (tp_search_settings){.split = TP_SPLIT_DROP, .generalize = TP_GENERALIZE_NONE}, 60,
                 NULL),
      TP_VERDICT_TRUE);
  assert_int_equal(verdict_of(figure_flag(5, true), paper, 60, &stats), TP_VERDICT_UNKNOWN);
  assert_int_equal(stats.iterations, 60);
}

/* One fault at each place where a solver is asked: the verdict may be lost, never wrong. */
static void S27_a_fault_costs_an_answer_at_most(void **state) {
  (void)state;
  static const tp_smt_fault faults[] = {TP_FAULT_UNKNOWN, TP_FAULT_ERROR, TP_FAULT_WRONG_MODEL};
  uint64_t n_lost = 0, n_kept = 0;
  for (size_t i = 0; i < N_PROGRAMS; i++)
    for (int is_safe = 0; is_safe < 2; is_safe++)
      for (size_t k = 0; k < 3; k++)
        for (uint64_t at = 1; at <= 20; at++) {
          build b = programs[i].make(is_safe);
          tp_smt_inject(faults[k], at);
          answer a = run(&b,
                         (tp_search_settings){
                             .split = at % 2 ? TP_SPLIT_PRE : TP_SPLIT_DROP,
                             .generalize = at % 3 ? TP_GENERALIZE_NONE : TP_GENERALIZE_INTERPOLANT},
                         40);
          tp_smt_inject(TP_FAULT_NONE, 0);
          if (a.r.verdict == TP_VERDICT_TRUE)
            assert_true(is_safe &&
                        figure_check(&b, a.r.certificate.text, NULL) == TP_CERTIFY_ACCEPTED);
          if (a.r.verdict == TP_VERDICT_FALSE) assert_true(!is_safe && replays(&b, &a.r));
          *(a.r.verdict == TP_VERDICT_UNKNOWN ? &n_lost : &n_kept) += 1;
          tp_result_clear(&a.r);
          build_free(&b);
        }
  assert_true(n_kept > n_lost);
}

static void many_diamonds_take_a_fifth_of_a_millisecond_each(void **state) {
  (void)state;
  tp_stats stats;
  double start_s = tp_cpu_s();
  assert_int_equal(verdict_of(figure_8(200, true), paper, 0, &stats), TP_VERDICT_TRUE);
  assert_true(stats.iterations <= 5 * 200 + 10);
  assert_true(tp_cpu_s() - start_s < 30);  // a net: 0.3 s in a release build
}

static void the_same_run_twice_says_the_same(void **state) {
  (void)state;
  figure_locks f = figure_3(true);
  answer a = run(&f.b, paper, 0), b = run(&f.b, paper, 0);
  assert_string_equal(a.r.certificate.text, b.r.certificate.text);
  assert_int_equal(a.stats.solver_calls, b.stats.solver_calls);
  tp_result_clear(&a.r);
  tp_result_clear(&b.r);
  build_free(&f.b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(S01_one_region_for_each_location_or_three),
      cmocka_unit_test(S01_S09_S11_all_settings_give_the_verdict),
      cmocka_unit_test(figure_1_takes_four_turns_for_one),
      cmocka_unit_test(figure_3_takes_seven_splits),
      cmocka_unit_test(figure_9_has_no_answer),
      cmocka_unit_test(S08_dropping_conjuncts_ends),
      cmocka_unit_test(S27_a_fault_costs_an_answer_at_most),
      cmocka_unit_test(many_diamonds_take_a_fifth_of_a_millisecond_each),
      cmocka_unit_test(the_same_run_twice_says_the_same)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
