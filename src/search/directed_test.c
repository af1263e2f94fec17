// Directed testing: the paper's figures, small programs with calls, heap and addresses that depend
// on inputs, safe ones and their broken twins.
#include "search/figures_test.h"
#include "search/search_engines.h"

/* Runs, checks evidence, frees the program; the verdict. */
static tp_verdict verdict_of(build b, uint64_t steps, tp_stats *stats, tp_inputs *inputs) {
  tp_task task = {.program = b.p, .property = TP_P_UNREACH_CALL, .seed = 1};
  tp_budget budget = {.cpu_s = 60, .steps = steps};
  tp_result r;
  tp_certify_report report;
  tp_property violated;
  memset(stats, 0, sizeof *stats);
  tp_result_init(&r);
  tp_certify_report_init(&report);
  tp_engine_directed.run(&task, &budget, stats, &r);
  if (r.verdict == TP_VERDICT_TRUE)
    assert_int_equal(figure_check(&b, r.certificate.text, NULL), TP_CERTIFY_ACCEPTED);
  if (r.verdict == TP_VERDICT_FALSE)
    assert_int_equal(tp_certify_false(b.p, TP_P_UNREACH_CALL, &r.inputs,
                                      (tp_run_limits){.steps = 1000000000}, &violated, &report),
                     TP_CERTIFY_ACCEPTED);
  if (r.verdict == TP_VERDICT_UNKNOWN) assert_non_null(r.reason);
  if (inputs) tp_inputs_add_all(inputs, &r.inputs);
  tp_verdict v = r.verdict;
  tp_certify_report_clear(&report);
  tp_result_clear(&r);
  if (inputs) {
    tp_program_free(b.p);
    tp_diag_free(b.diag);
  } else {
    build_free(&b);
  }
  return v;
}

static void S20_figure_7_in_three_tests(void **state) {
  (void)state;
  tp_stats stats;
  tp_inputs in;
  tp_inputs_init(&in);
  assert_int_equal(verdict_of(figure_7(false), 0, &stats, &in), TP_VERDICT_FALSE);
  assert_true(stats.tests_run <= 3);
  assert_int_equal((uint64_t)in.v.at[0].bits, 10);
  assert_int_not_equal((uint64_t)in.v.at[1].bits, 10);
  tp_inputs_clear(&in);
  assert_int_equal(verdict_of(figure_7(true), 0, &stats, NULL), TP_VERDICT_TRUE);
}

/* Each diamond doubles the paths; each of them is run once. */
static void S20_figure_8_takes_all_paths(void **state) {
  (void)state;
  tp_stats stats;
  for (int n = 1; n <= 10; n++) {
    assert_int_equal(verdict_of(figure_8(n, true), 0, &stats, NULL), TP_VERDICT_TRUE);
    assert_int_equal(stats.tests_run, 1u << n);
    assert_int_equal(stats.iterations, 1u << n);
  }
  assert_int_equal(verdict_of(figure_8(10, false), 0, &stats, NULL), TP_VERDICT_FALSE);
}

static void S20_figure_8_with_thirty_diamonds_stops_at_its_budget(void **state) {
  (void)state;
  tp_stats stats;
  assert_int_equal(verdict_of(figure_8(30, true), 2000, &stats, NULL), TP_VERDICT_UNKNOWN);
  assert_int_equal(stats.iterations, 2000);
}

/* However often the loop turns, nothing that it does depends on inputs. */
static void figure_1_takes_few_runs(void **state) {
  (void)state;
  tp_stats stats;
  for (int64_t n = 10; n <= 1000000; n *= 100) {
    assert_int_equal(verdict_of(figure_1(n, FIGURE_1_FAILS), 0, &stats, NULL), TP_VERDICT_FALSE);
    assert_true(stats.tests_run <= 3);
  }
  assert_int_equal(verdict_of(figure_1(1000, FIGURE_1_SAFE), 0, &stats, NULL), TP_VERDICT_TRUE);
  assert_true(stats.tests_run <= 3);
}

// ------------------------------------------------------------------ more programs

static tp_sort word(const build *b) { return tp_sort_bv(b->tt, 32); }
static tp_term num(const build *b, int64_t n) { return bv(b, 32, n); }

/* a[0] := input; a[1] := 0; then 100 turns a[1] += i. Safe: a[1] is the sum then. Broken: a[0] is
 * said to be. */
static build two_cells(bool is_safe) {
  build b = figure_new();
  tp_sort s = word(&b);
  tp_var a = build_var(&b, "a", tp_sort_ptr(b.tt)), i = build_var(&b, "i", s),
         x = build_var(&b, "x", s), in = build_var(&b, "in", s);
  tp_term first = build_term(&b, a), second = tp_mk_ptr_add(b.tt, first, bv(&b, 64, 4));
  build_edge(&b, (tp_edge_info){.kind = TP_E_ALLOC,
                                .var = a,
                                .a = bv(&b, 64, 8),
                                .object_kind = TP_O_STACK,
                                .name = "a"});
  figure_input(&b, in);
  build_edge(&b, (tp_edge_info){.kind = TP_E_STORE, .a = first, .b = build_term(&b, in)});
  build_edge(&b, (tp_edge_info){.kind = TP_E_STORE, .a = second, .b = num(&b, 0)});
  build_assign(&b, i, num(&b, 0));
  tp_loc head = b.at, out = build_branch(&b, figure_less(&b, i, 100));
  build_edge(&b, (tp_edge_info){.kind = TP_E_LOAD, .var = x, .a = second});
  build_edge(&b, (tp_edge_info){
                     .kind = TP_E_STORE, .a = second, .b = figure_sum(&b, x, build_term(&b, i))});
  build_edge(&b,
             (tp_edge_info){
                 .kind = TP_E_ASSIGN, .var = i, .a = figure_sum(&b, i, num(&b, 1)), .to = head});
  b.at = out;
  build_edge(&b, (tp_edge_info){.kind = TP_E_LOAD, .var = x, .a = is_safe ? second : first});
  build_assert(&b, tp_mk_eq(b.tt, build_term(&b, x), num(&b, 4950)));
  build_return(&b, TP_TERM_NONE);
  build_done(&b);
  return b;
}

static void arrays(void **state) {
  (void)state;
  tp_stats stats;
  assert_int_equal(verdict_of(two_cells(true), 0, &stats, NULL), TP_VERDICT_TRUE);
  assert_int_equal(verdict_of(two_cells(false), 0, &stats, NULL), TP_VERDICT_FALSE);
}

/* f(n) = n == 0 ? 0 : 1 + f(n - 1), for inputs below 6; an error if f(n) is `wrong`. */
static build recursion(int64_t wrong) {
  build b = build_new(64);
  tp_func f = build_func(&b, "f", word(&b));
  tp_var n = build_param(&b, "n", word(&b)), r = build_var(&b, "r", word(&b));
  tp_loc more = build_branch(&b, figure_is(&b, n, 0));
  build_return(&b, num(&b, 0));
  b.at = more;
  tp_term *args = tp_arena_array(&b.p->arena, tp_term, 2);
  args[0] = tp_mk_sub(b.tt, build_term(&b, n), num(&b, 1));
  build_edge(&b,
             (tp_edge_info){.kind = TP_E_CALL, .var = r, .callee = f, .args = args, .n_args = 1});
  build_return(&b, figure_sum(&b, r, num(&b, 1)));
  build_func(&b, "main", (tp_sort){0});
  tp_var in = build_var(&b, "in", word(&b)), v = build_var(&b, "v", word(&b));
  figure_input(&b, in);
  build_edge(&b, (tp_edge_info){.kind = TP_E_ASSUME,
                                .a = tp_mk2(b.tt, TP_OP_BV_ULT, build_term(&b, in), num(&b, 6))});
  args[1] = build_term(&b, in);
  build_edge(
      &b, (tp_edge_info){.kind = TP_E_CALL, .var = v, .callee = f, .args = args + 1, .n_args = 1});
  build_assert(&b, tp_mk_not(b.tt, figure_is(&b, v, wrong)));
  build_return(&b, TP_TERM_NONE);
  build_done(&b);
  return b;
}

static void calls(void **state) {
  (void)state;
  tp_stats stats;
  assert_int_equal(verdict_of(recursion(5), 0, &stats, NULL), TP_VERDICT_FALSE);
  assert_int_equal(verdict_of(recursion(6), 0, &stats, NULL), TP_VERDICT_TRUE);
  assert_int_equal(stats.tests_run, 6);  // one for each depth
}

/* If an input says so: p := malloc(4); *p := twice another input; freed. An error if the cell was
 * 78; safe: if it was 77, which is odd. */
static build heap(bool is_safe) {
  build b = figure_new();
  tp_var p = build_var(&b, "p", tp_sort_ptr(b.tt)), in = build_var(&b, "in", word(&b)),
         x = build_var(&b, "x", word(&b));
  build_assign(&b, p, tp_mk_null(b.tt));
  figure_input(&b, in);
  tp_loc none = build_branch(&b, figure_less(&b, in, 0));
  build_edge(&b, (tp_edge_info){.kind = TP_E_ALLOC,
                                .var = p,
                                .a = bv(&b, 64, 4),
                                .object_kind = TP_O_HEAP,
                                .name = "malloc"});
  figure_input(&b, in);
  build_edge(&b, (tp_edge_info){.kind = TP_E_STORE,
                                .a = build_term(&b, p),
                                .b = figure_sum(&b, in, build_term(&b, in))});
  build_edge(&b, (tp_edge_info){.kind = TP_E_LOAD, .var = x, .a = build_term(&b, p)});
  build_edge(&b, (tp_edge_info){.kind = TP_E_FREE, .a = build_term(&b, p)});
  build_assert(&b, tp_mk_not(b.tt, figure_is(&b, x, is_safe ? 77 : 78)));
  build_edge(&b, (tp_edge_info){.kind = TP_E_SKIP, .to = none});
  build_return(&b, TP_TERM_NONE);
  build_done(&b);
  return b;
}

static void heap_cells(void **state) {
  (void)state;
  tp_stats stats;
  assert_int_equal(verdict_of(heap(false), 0, &stats, NULL), TP_VERDICT_FALSE);
  assert_int_equal(verdict_of(heap(true), 0, &stats, NULL), TP_VERDICT_TRUE);
}

/* table[in & 7] where table[i] = i * i; an error if it is 25. Each place is one of the tests. */
static build lookup(int64_t wrong) {
  build b = figure_new();
  tp_var t = build_var(&b, "t", tp_sort_ptr(b.tt)), in = build_var(&b, "in", word(&b)),
         x = build_var(&b, "x", word(&b));
  build_edge(&b, (tp_edge_info){.kind = TP_E_ALLOC,
                                .var = t,
                                .a = bv(&b, 64, 32),
                                .object_kind = TP_O_STACK,
                                .name = "t"});
  for (int64_t i = 0; i < 8; i++)
    build_edge(&b, (tp_edge_info){.kind = TP_E_STORE,
                                  .a = tp_mk_ptr_add(b.tt, build_term(&b, t), bv(&b, 64, 4 * i)),
                                  .b = num(&b, i * i)});
  figure_input(&b, in);
  tp_term low = tp_mk_zext(b.tt, 64, tp_mk2(b.tt, TP_OP_BV_AND, build_term(&b, in), num(&b, 7)));
  tp_term at =
      tp_mk_ptr_add(b.tt, build_term(&b, t), tp_mk2(b.tt, TP_OP_BV_MUL, low, bv(&b, 64, 4)));
  build_edge(&b, (tp_edge_info){.kind = TP_E_LOAD, .var = x, .a = at});
  build_assert(&b, tp_mk_not(b.tt, figure_is(&b, x, wrong)));
  build_return(&b, TP_TERM_NONE);
  build_done(&b);
  return b;
}

static void addresses_that_depend_on_inputs(void **state) {
  (void)state;
  tp_stats stats;
  assert_int_equal(verdict_of(lookup(25), 0, &stats, NULL), TP_VERDICT_FALSE);
  assert_true(stats.tests_run <= 8);
  assert_int_equal(verdict_of(lookup(26), 200, &stats, NULL), TP_VERDICT_TRUE);
  assert_int_equal(stats.tests_run, 8);
}

/* A bit of an address, read from memory as a number: what it is here it need not be elsewhere. */
static void numbers_from_addresses_prove_nothing(void **state) {
  (void)state;
  tp_stats stats;
  for (int64_t bit = 0; bit <= 1; bit++) {
    build b = figure_new();
    tp_var p = build_var(&b, "p", tp_sort_ptr(b.tt)), x = build_var(&b, "x", word(&b));
    build_edge(&b, (tp_edge_info){.kind = TP_E_ALLOC,
                                  .var = p,
                                  .a = bv(&b, 64, 8),
                                  .b = bv(&b, 8, 0),
                                  .object_kind = TP_O_HEAP,
                                  .name = "malloc"});
    build_edge(&b,
               (tp_edge_info){.kind = TP_E_STORE, .a = build_term(&b, p), .b = build_term(&b, p)});
    build_edge(&b, (tp_edge_info){.kind = TP_E_LOAD, .var = x, .a = build_term(&b, p)});
    build_assert(&b, tp_mk_eq(b.tt, tp_mk_extract(b.tt, 8, 8, build_term(&b, x)), bv(&b, 1, bit)));
    build_return(&b, TP_TERM_NONE);
    build_done(&b);
    assert_int_not_equal(verdict_of(b, 100, &stats, NULL), TP_VERDICT_TRUE);
  }
}

/* A solver that fails at any of its answers never makes a proof of what is not one. */
static void S20_a_solver_that_fails_costs_the_proof_only(void **state) {
  (void)state;
  tp_stats stats;
  for (uint64_t at = 1; at <= 6; at++) {
    tp_smt_inject(TP_FAULT_UNKNOWN, at);
    assert_int_not_equal(verdict_of(figure_8(3, false), 200, &stats, NULL), TP_VERDICT_TRUE);
    tp_smt_inject(TP_FAULT_WRONG_MODEL, at);
    assert_int_not_equal(verdict_of(figure_7(false), 200, &stats, NULL), TP_VERDICT_TRUE);
  }
  tp_smt_inject(TP_FAULT_NONE, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(S20_figure_7_in_three_tests),
      cmocka_unit_test(S20_figure_8_takes_all_paths),
      cmocka_unit_test(S20_figure_8_with_thirty_diamonds_stops_at_its_budget),
      cmocka_unit_test(figure_1_takes_few_runs),
      cmocka_unit_test(arrays),
      cmocka_unit_test(calls),
      cmocka_unit_test(heap_cells),
      cmocka_unit_test(addresses_that_depend_on_inputs),
      cmocka_unit_test(numbers_from_addresses_prove_nothing),
      cmocka_unit_test(S20_a_solver_that_fails_costs_the_proof_only),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
