// The engine cpa on small models: verdicts, certificates that read back, facts, limits, what the
// model leaves open.
#include "engine/engine.h"
#include "engine/invariants.h"

#include "exec/testing.h"
#include "proof/proof_engines.h"

static const char constants[] = "analysis = location callstack constant\n";

static tp_result run(const build *b, const char *text, tp_budget budget) {
  tp_task task = {.program = b->p, .property = TP_P_UNREACH_CALL, .composition = text};
  tp_stats stats = {0};
  tp_result r;
  tp_result_init(&r);
  tp_engine_cpa.run(&task, &budget, &stats, &r);
  tp_result_write_invariants(&r, b->p);
  return r;
}

static tp_term eq(const build *b, tp_var v, int64_t value) {
  return tp_mk_eq(b->tt, build_term(b, v), bv(b, 32, value));
}

static tp_edge call(build *b, tp_var to, tp_func f, tp_term arg) {
  tp_term *args = tp_arena_array(&b->p->arena, tp_term, 1);
  args[0] = arg;
  return build_edge(
      b, (tp_edge_info){.kind = TP_E_CALL, .var = to, .callee = f, .args = args, .n_args = 1});
}

/* x := 5; while (input) { assert(x == wanted); x := same(x); }   same(y): return y. */
static build loop_with_call(int64_t wanted) {
  build b = build_new(64);
  tp_sort bv32 = tp_sort_bv(b.tt, 32);
  tp_func same = build_func(&b, "same", bv32);
  tp_var y = build_param(&b, "y", bv32);
  build_return(&b, build_term(&b, y));
  build_func(&b, "main", (tp_sort){0});
  tp_var x = build_var(&b, "x", bv32), in = build_var(&b, "in", bv32);
  build_assign(&b, x, bv(&b, 32, 5));
  tp_loc head = b.at;
  build_edge(&b, (tp_edge_info){.kind = TP_E_HAVOC, .var = in, .name = "nondet"});
  tp_loc out = build_branch(&b, eq(&b, in, 0));
  build_assert(&b, eq(&b, x, wanted));
  call(&b, x, same, build_term(&b, x));
  build_edge(&b, (tp_edge_info){.kind = TP_E_SKIP, .to = head});
  b.at = out;
  build_return(&b, TP_TERM_NONE);
  build_done(&b);
  return b;
}

static void check_certificate(const build *b, const tp_result *r, const tp_str *text,
                              tp_property property) {
  tp_invariants v;
  tp_str why = {0};
  tp_invariants_init(&v);
  if (tp_invariants_read(tp_str_text(text), b->p, &v, &why) != TP_OK) fail_msg("%s", why.text);
  assert_int_equal(v.property, property);
  if (property != TP_P_NONE) assert_int_equal(v.assumptions.n, r->assumptions.n);
  assert_true(v.list.n >= 1);  // sorted, without gaps
  for (size_t i = 1; i < v.list.n; i++) {
    uint32_t a = v.list.at[i - 1].context.id, c = v.list.at[i].context.id;
    assert_true(a < c || (a == c && v.list.at[i - 1].loc.id <= v.list.at[i].loc.id));
  }
  tp_invariants_clear(&v);
  tp_str_clear(&why);
}

static void unbounded_loops_are_proved(void **unused) {
  (void)unused;
  build b = loop_with_call(5);
  tp_result r = run(&b, constants, (tp_budget){0});
  assert_int_equal(r.verdict, TP_VERDICT_TRUE);
  assert_null(r.reason);
  assert_int_equal(r.invariants_text.n, 0);
  assert_int_equal(r.proved.n, 1);
  check_certificate(&b, &r, &r.certificate, TP_P_UNREACH_CALL);
  tp_result again = run(&b, constants, (tp_budget){0});
  assert_string_equal(r.certificate.text, again.certificate.text);
  tp_result_clear(&again);
  tp_result_clear(&r);
  build_free(&b);
}

static void errors_that_a_run_reaches_are_told(void **unused) {
  (void)unused;
  build b = loop_with_call(6);
  tp_result r = run(&b, constants, (tp_budget){0});
  assert_int_equal(r.verdict, TP_VERDICT_FALSE);
  assert_int_equal(r.certificate.n, 0);
  tp_result_clear(&r);
  build_free(&b);
}

static void what_is_not_proved_leaves_facts(void **unused) {
  (void)unused;
  build b = loop_with_call(5);
  tp_result r = run(&b, "analysis = location callstack sign\n", (tp_budget){0});
  assert_int_equal(r.verdict, TP_VERDICT_UNKNOWN);
  assert_non_null(strstr(r.reason, "cannot exclude the error"));
  assert_int_equal(r.certificate.n, 0);
  assert_int_equal(r.unproved.n, 1);
  assert_int_equal(r.proved.n, 0);
  assert_true(tp_loc_of(b.p, r.unproved.at[0])->error == TP_P_UNREACH_CALL);
  assert_true(r.costliest.id > 0 && r.costliest_steps > 0);
  check_certificate(&b, &r, &r.invariants_text, TP_P_NONE);
  tp_result_clear(&r);
  build_free(&b);
}

static bool at_once(void *ctx) { return (void)ctx, true; }

static void limits_prove_nothing(void **unused) {
  (void)unused;
  build b = loop_with_call(5);
  const tp_budget budgets[] = {{.steps = 3}, {.should_stop = at_once}};
  for (size_t i = 0; i < 2; i++) {
    tp_result r = run(&b, constants, budgets[i]);
    assert_int_equal(r.verdict, TP_VERDICT_UNKNOWN);
    assert_non_null(strstr(r.reason, "are waiting"));
    assert_int_equal(r.certificate.n + r.invariants_text.n + r.proved.n, 0);
    tp_result_clear(&r);
  }
  build_free(&b);
}

static void wrong_configurations_are_told(void **unused) {
  (void)unused;
  static const struct {
    const char *text, *why;
  } rows[] = {
      {"analysis = location callstack konstant\n", "did you mean 'constant'"},
      {"analysis = callstack constant\n", "location"},
      {"analysis = location constant\n", "location"},
  };
  build b = loop_with_call(5);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    tp_result r = run(&b, rows[i].text, (tp_budget){0});
    assert_int_equal(r.verdict, TP_VERDICT_UNKNOWN);
    if (!strstr(r.reason, rows[i].why)) fail_msg("%s: %s", rows[i].text, r.reason);
    assert_int_equal(r.certificate.n, 0);
    tp_result_clear(&r);
  }
  build_free(&b);
}

/* What follows an `if (x == 5)` that is always taken, and never. */
typedef enum { MAY_WRITE, WRITES_ALL, UNSUPPORTED, DIVIDES } open_operation;

static build with_open_operation(open_operation what, bool reached) {
  build b = build_new(64);
  build_func(&b, "main", (tp_sort){0});
  tp_var x = build_var(&b, "x", tp_sort_bv(b.tt, 32)), q = build_var(&b, "q", tp_sort_ptr(b.tt));
  build_assign(&b, x, bv(&b, 32, 5));
  tp_loc out = build_branch(&b, eq(&b, x, reached ? 5 : 6));
  switch (what) {
    case MAY_WRITE:
      build_edge(&b, (tp_edge_info){.kind = TP_E_HAVOC,
                                    .var = x,
                                    .input = TP_I_EXTERN,
                                    .may_write = true,
                                    .name = "f",
                                    .to = out});
      break;
    case WRITES_ALL:
      build_edge(&b, (tp_edge_info){.kind = TP_E_HAVOC_MEMORY, .a = build_term(&b, q), .to = out});
      break;
    case UNSUPPORTED: {
      b.p->locs.at[b.at.id].is_unsupported = true;
      tp_vec_push(&b.p->unsupported, (tp_unsupported){.what = "black magic", .loc = b.at});
      break;
    }
    case DIVIDES:
      build_edge(
          &b, (tp_edge_info){
                  .kind = TP_E_ASSUME, .a = eq(&b, x, 7), .name = "division by zero", .to = out});
      break;
  }
  b.at = out;
  build_return(&b, TP_TERM_NONE);
  build_done(&b);
  return b;
}

static void what_the_model_leaves_open_is_no_proof(void **unused) {
  (void)unused;
  static const struct {
    open_operation what;
    const char *reason;
  } rows[] = {{MAY_WRITE, "external function f may write memory"},
              {WRITES_ALL, "a function without body may write memory"},
              {UNSUPPORTED, "black magic"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (int reached = 0; reached <= 1; reached++) {
      build b = with_open_operation(rows[i].what, reached);
      tp_result r = run(&b, constants, (tp_budget){0});
      assert_int_equal(r.verdict, reached ? TP_VERDICT_UNKNOWN : TP_VERDICT_TRUE);
      if (reached) assert_non_null(strstr(r.reason, rows[i].reason));
      assert_true((r.certificate.n == 0) == (bool)reached);
      tp_result_clear(&r);
      build_free(&b);
    }
}

static void operations_that_end_runs_are_assumptions(void **unused) {
  (void)unused;
  for (int reached = 0; reached <= 1; reached++) {
    build b = with_open_operation(DIVIDES, reached);
    tp_result r = run(&b, constants, (tp_budget){0});
    assert_int_equal(r.verdict, TP_VERDICT_TRUE);
    assert_int_equal(r.assumptions.n, reached);
    if (reached) assert_true(strncmp(r.assumptions.at[0], "no division by zero at", 22) == 0);
    check_certificate(&b, &r, &r.certificate, TP_P_UNREACH_CALL);
    tp_result_clear(&r);
    build_free(&b);
  }
}

/* f(n, k): n == 0 ? k : f(n - 1, k), called with k = 7. */
static void recursion_is_proved_by_contracts(void **unused) {
  (void)unused;
  for (int64_t wanted = 7; wanted <= 8; wanted++) {
    build b = build_new(64);
    tp_sort bv32 = tp_sort_bv(b.tt, 32);
    tp_func f = build_func(&b, "f", bv32);
    tp_var n = build_param(&b, "n", bv32), k = build_param(&b, "k", bv32),
           r1 = build_var(&b, "r", bv32);
    tp_term inner[] = {tp_mk_sub(b.tt, build_term(&b, n), bv(&b, 32, 1)), build_term(&b, k)};
    tp_loc end = build_branch(&b, tp_mk_not(b.tt, eq(&b, n, 0)));
    build_edge(
        &b, (tp_edge_info){.kind = TP_E_CALL, .var = r1, .callee = f, .args = inner, .n_args = 2});
    build_return(&b, build_term(&b, r1));
    b.at = end;
    build_return(&b, build_term(&b, k));
    build_func(&b, "main", (tp_sort){0});
    tp_var x = build_var(&b, "x", bv32);
    build_edge(&b, (tp_edge_info){.kind = TP_E_HAVOC, .var = x, .name = "nondet"});
    tp_term outer[] = {build_term(&b, x), bv(&b, 32, 7)};
    build_edge(
        &b, (tp_edge_info){.kind = TP_E_CALL, .var = x, .callee = f, .args = outer, .n_args = 2});
    build_assert(&b, eq(&b, x, wanted));
    build_return(&b, TP_TERM_NONE);
    build_done(&b);
    tp_result r = run(&b, constants, (tp_budget){0});
    assert_true((r.verdict == TP_VERDICT_TRUE) == (wanted == 7));
    if (wanted == 7) {
      check_certificate(&b, &r, &r.certificate, TP_P_UNREACH_CALL);
      assert_non_null(strstr(r.certificate.text, "contract 1 f"));
      assert_non_null(strstr(r.certificate.text, "post 1 "));
    }
    tp_result_clear(&r);
    build_free(&b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(unbounded_loops_are_proved),
      cmocka_unit_test(errors_that_a_run_reaches_are_told),
      cmocka_unit_test(what_is_not_proved_leaves_facts),
      cmocka_unit_test(limits_prove_nothing),
      cmocka_unit_test(wrong_configurations_are_told),
      cmocka_unit_test(what_the_model_leaves_open_is_no_proof),
      cmocka_unit_test(operations_that_end_runs_are_assumptions),
      cmocka_unit_test(recursion_is_proved_by_contracts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
