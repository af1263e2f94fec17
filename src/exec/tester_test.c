#include "exec/testing.h"

/* Shallow failures that random numbers alone would not find. */

static tp_var nondet(build *b, uint32_t width) {
  tp_var v = build_var(b, "x", tp_sort_bv(b->tt, width));
  build_edge(b,
             (tp_edge_info){.kind = TP_E_HAVOC, .var = v, .input = TP_I_NONDET, .name = "nondet"});
  return v;
}

static bool search(build *b, tp_property asked, uint32_t runs, tp_inputs *in, tp_run_result *r,
                   uint64_t *done) {
  build_return(b, TP_TERM_NONE);
  build_done(b);
  tp_tester_options o = {.seed = 1, .runs = runs};
  tp_inputs_init(in);
  tp_tester_report report;
  bool found = tp_tester_search(b->p, asked, o, in, r, &report);
  if (done) *done = report.runs;
  assert_true(found || report.asks == (report.runs > 1));
  return found;
}

static void constant_of_the_program(void **state) {
  (void)state;
  build b = build_new(64);
  build_func(&b, "main", (tp_sort){0});
  tp_var x = nondet(&b, 32), y = nondet(&b, 32);
  tp_term c = tp_mk_and(b.tt, tp_mk_eq(b.tt, build_term(&b, x), bv(&b, 32, 123456789)),
                        tp_mk_eq(b.tt, build_term(&b, y), build_term(&b, x)));
  build_assert(&b, tp_mk_not(b.tt, c));
  tp_inputs in;
  tp_run_result r;
  uint64_t done;
  assert_true(search(&b, TP_P_UNREACH_CALL, 2000, &in, &r, &done));
  assert_int_equal(r.end, TP_END_ERROR);
  tp_vector_oracle v = {.in = &in};
  tp_oracle o = tp_oracle_of_vector(&v);
  assert_int_equal(tp_exec_main(b.p, &o, (tp_run_limits){0}, NULL).end, TP_END_ERROR);
  assert_int_equal(in.v.n, 2);
  tp_inputs_clear(&in);
  build_free(&b);
}

/* Ten numbers in a row must be right: only found by keeping vectors that got further. */
static void step_by_step(void **state) {
  (void)state;
  build b = build_new(64);
  build_func(&b, "main", (tp_sort){0});
  tp_loc out = b.exit;
  for (int i = 0; i < 10; i++) {
    tp_var x = nondet(&b, 32);
    tp_loc no = build_branch(&b, tp_mk_eq(b.tt, build_term(&b, x), bv(&b, 32, 1000 * i + 77)));
    tp_program_add_edge(b.p, (tp_edge_info){.kind = TP_E_RETURN, .from = no, .to = out});
  }
  build_assert(&b, tp_mk_eq(b.tt, build_term(&b, nondet(&b, 32)), bv(&b, 32, 5)));
  tp_inputs in;
  tp_run_result r;
  uint64_t done;
  assert_true(search(&b, TP_P_UNREACH_CALL, 50000, &in, &r, &done));
  tp_inputs_clear(&in);
  build_free(&b);
}

static void nothing_to_find(void **state) {
  (void)state;
  build b = build_new(64);
  build_func(&b, "main", (tp_sort){0});
  build_assert(&b,
               tp_mk2(b.tt, TP_OP_BV_ULT, bv(&b, 32, 1),
                      build_term(&b, build_global(&b, "g", tp_sort_bv(b.tt, 32), bv(&b, 32, 2)))));
  tp_inputs in;
  tp_run_result r;
  uint64_t done;
  assert_false(search(&b, TP_P_UNREACH_CALL, 1000, &in, &r, &done));
  assert_int_equal(done, 1);  // no inputs: one run says it all
  tp_inputs_clear(&in);
  build_free(&b);
}

static void other_property(void **state) {
  (void)state;
  build b = build_new(64);
  build_func(&b, "main", (tp_sort){0});
  build_assert(&b, tp_mk_eq(b.tt, build_term(&b, nondet(&b, 8)), bv(&b, 8, 0)));
  tp_inputs in;
  tp_run_result r;
  uint64_t done;
  assert_false(search(&b, TP_P_NO_OVERFLOW, 100, &in, &r, &done));
  assert_int_equal(done, 100);
  tp_inputs_clear(&in);
  build_free(&b);
}

/* Two ways to fail: the one that does not need an indeterminate value is preferred. */
static void strong_evidence_first(void **state) {
  (void)state;
  build b = build_new(64);
  build_func(&b, "main", (tp_sort){0});
  tp_var u = build_var(&b, "u", tp_sort_bv(b.tt, 8)), x = nondet(&b, 32);
  build_edge(&b, (tp_edge_info){.kind = TP_E_HAVOC, .var = u, .input = TP_I_INDETERMINATE});
  tp_loc no = build_branch(&b, tp_mk_eq(b.tt, build_term(&b, x), bv(&b, 32, 4711)));
  tp_program_add_edge(
      b.p,
      (tp_edge_info){.kind = TP_E_SKIP, .from = b.at, .to = build_error(&b, TP_P_UNREACH_CALL)});
  b.at = no;
  build_assert(&b, tp_mk_eq(b.tt, build_term(&b, u), bv(&b, 8, 1)));
  tp_inputs in;
  tp_run_result r;
  assert_true(search(&b, TP_P_UNREACH_CALL, 1000, &in, &r, NULL));
  assert_false(r.used_indeterminate);
  tp_inputs_clear(&in);
  build_free(&b);
}

/* A million turns, then x is asked for: too long for most runs. */
static void behind_a_long_loop(void **state) {
  (void)state;
  for (int goes_on = 0; goes_on < 2; goes_on++) {
    build b = build_new(64);
    build_func(&b, "main", (tp_sort){0});
    tp_var x = nondet(&b, 32), i = build_var(&b, "i", tp_sort_bv(b.tt, 32));
    build_assign(&b, i, bv(&b, 32, 0));
    tp_loc head = b.at, out = build_branch(
                            &b, tp_mk2(b.tt, TP_OP_BV_ULT, build_term(&b, i), bv(&b, 32, 1000000)));
    build_edge(&b, (tp_edge_info){.kind = TP_E_ASSIGN,
                                  .var = i,
                                  .a = tp_mk2(b.tt, TP_OP_BV_ADD, build_term(&b, i), bv(&b, 32, 1)),
                                  .to = head});
    b.at = out;
    build_assert(&b, tp_mk2(b.tt, TP_OP_BV_SLT, build_term(&b, x), bv(&b, 32, 5)));
    build_return(&b, TP_TERM_NONE);
    build_done(&b);
    tp_inputs in;
    tp_run_result r;
    tp_inputs_init(&in);
    bool found = false;
    for (uint64_t seed = 1; seed <= 8 && !found; seed++) {
      tp_tester_options o = {
          .seed = seed, .runs = 8, .steps_per_run = 1000, .steps_long = goes_on ? 5000000 : 0};
      found = tp_tester_search(b.p, TP_P_UNREACH_CALL, o, &in, &r, NULL);
    }
    assert_int_equal(found, goes_on);
    if (found) assert_int_equal(in.v.n, 1);
    tp_inputs_clear(&in);
    build_free(&b);
  }
}

/* A loop that asks in each of its turns, as one that fills an array does; what differs among its
 * inputs is looked at behind it. Runs of endless loops are cut again: most of them do not go on. */
static void behind_a_loop_that_asks(void **state) {
  (void)state;
  static const struct {
    const char *name;
    uint64_t turns, steps_long;
    bool found;
  } rows[] = {{"cut where it asks", 5000, 0, false},
              {"goes on to its end", 5000, 5000000, true},
              {"longer than the limit", 5000, 10000, false},
              {"endless", UINT32_MAX, 100000, false}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    build b = build_new(64);
    build_func(&b, "main", (tp_sort){0});
    tp_var first = nondet(&b, 32), last = build_var(&b, "last", tp_sort_bv(b.tt, 32)),
           i = build_var(&b, "i", tp_sort_bv(b.tt, 32));
    build_assign(&b, last, build_term(&b, first));
    build_assign(&b, i, bv(&b, 32, 0));
    tp_loc head = b.at, out = build_branch(&b, tp_mk2(b.tt, TP_OP_BV_ULT, build_term(&b, i),
                                                      bv(&b, 32, (int64_t)rows[k].turns)));
    build_edge(&b, (tp_edge_info){
                       .kind = TP_E_HAVOC, .var = last, .input = TP_I_NONDET, .name = "nondet"});
    build_edge(&b, (tp_edge_info){.kind = TP_E_ASSIGN,
                                  .var = i,
                                  .a = tp_mk2(b.tt, TP_OP_BV_ADD, build_term(&b, i), bv(&b, 32, 1)),
                                  .to = head});
    b.at = out;
    build_assert(&b, tp_mk_eq(b.tt, build_term(&b, last), build_term(&b, first)));
    build_return(&b, TP_TERM_NONE);
    build_done(&b);
    tp_inputs in;
    tp_run_result r;
    tp_inputs_init(&in);
    const tp_tester_options o = {
        .seed = 1, .runs = 64, .steps_per_run = 1000, .steps_long = rows[k].steps_long};
    const bool found = tp_tester_search(b.p, TP_P_UNREACH_CALL, o, &in, &r, NULL);
    if (found != rows[k].found) fail_msg("%s", rows[k].name);
    if (found) assert_int_equal(in.v.n, rows[k].turns + 1);
    tp_inputs_clear(&in);
    build_free(&b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(constant_of_the_program), cmocka_unit_test(step_by_step),
      cmocka_unit_test(nothing_to_find),         cmocka_unit_test(other_property),
      cmocka_unit_test(strong_evidence_first),   cmocka_unit_test(behind_a_long_loop),
      cmocka_unit_test(behind_a_loop_that_asks)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
