// Features of small programs, and whom they are given to first.
#include "auto/schedule.h"

#include "exec/testing.h"
#include "proof/proof_engines.h"

typedef enum {
  NO_LOOP,
  COUNTING,
  INPUT_BOUND,
  INPUT_INSIDE,
  INPUT_BY_MEMORY,
  INPUT_BY_CALL,
  RECURSIVE
} shape;

static tp_term below(const build *b, tp_var v, tp_term most) {
  return tp_mk2(b->tt, TP_OP_BV_SLT, build_term(b, v), most);
}
static void input(build *b, tp_var v) {
  build_edge(b,
             (tp_edge_info){.kind = TP_E_HAVOC, .var = v, .input = TP_I_NONDET, .name = "nondet"});
}

static void add_loop(build *b, shape s, tp_var i, tp_var n) {
  tp_loc head = b->at,
         out = build_branch(
             b, below(b, i, s == COUNTING || s == INPUT_INSIDE ? bv(b, 32, 10) : build_term(b, n)));
  build_assign(b, i, tp_mk2(b->tt, TP_OP_BV_ADD, build_term(b, i), bv(b, 32, 1)));
  if (s == INPUT_INSIDE) input(b, n);
  build_edge(b, (tp_edge_info){.kind = TP_E_SKIP, .to = head});
  b->at = out;
}

static build make(shape s) {
  build b = build_new(64);
  tp_sort bv32 = tp_sort_bv(b.tt, 32);
  tp_func asks = build_func(&b, "asks", bv32);
  tp_var got = build_var(&b, "got", bv32);
  input(&b, got);
  build_return(&b, build_term(&b, got));
  tp_func unused = build_func(&b, "unused", (tp_sort){0});  // its loop is not the program's
  tp_var k = build_var(&b, "k", bv32);
  build_assign(&b, k, bv(&b, 32, 0));
  add_loop(&b, COUNTING, k, k);
  build_return(&b, TP_TERM_NONE);
  (void)unused;
  tp_func main_func = build_func(&b, "main", (tp_sort){0});
  tp_var i = build_var(&b, "i", bv32), n = build_var(&b, "n", bv32),
         p = build_var(&b, "p", tp_sort_ptr(b.tt));
  build_assign(&b, i, bv(&b, 32, 0));
  if (s == INPUT_BOUND) input(&b, n);
  if (s == INPUT_BY_CALL)
    build_edge(&b, (tp_edge_info){.kind = TP_E_CALL, .var = n, .callee = asks});
  if (s == RECURSIVE) build_edge(&b, (tp_edge_info){.kind = TP_E_CALL, .callee = main_func});
  if (s == INPUT_BY_MEMORY) {
    build_edge(&b, (tp_edge_info){.kind = TP_E_ALLOC,
                                  .var = p,
                                  .a = bv(&b, 64, 4),
                                  .object_kind = TP_O_HEAP,
                                  .name = "malloc"});
    input(&b, n);
    build_edge(&b,
               (tp_edge_info){.kind = TP_E_STORE, .a = build_term(&b, p), .b = build_term(&b, n)});
    build_edge(&b, (tp_edge_info){.kind = TP_E_LOAD, .var = n, .a = build_term(&b, p)});
  }
  if (s != NO_LOOP && s != RECURSIVE) add_loop(&b, s, i, n);
  build_assert(&b, below(&b, i, bv(&b, 32, 11)));
  build_return(&b, TP_TERM_NONE);
  build_done(&b);
  return b;
}

static void features_choose_the_order(void **state) {
  (void)state;
  static const struct {
    shape s;
    const char *features, *second;
    bool waits;  // for the hunter to be done with an easy program
  } cases[] = {
      {NO_LOOP, "5 operations, 1 check", "value", true},
      {COUNTING, "9 operations, 1 check, 1 loop (0 decided by inputs)", "value", false},
      {INPUT_BOUND, "10 operations, 1 check, 1 loop (1 decided by inputs)", "value", false},
      {INPUT_INSIDE, "10 operations, 1 check, 1 loop (1 decided by inputs)", "value", false},
      {INPUT_BY_MEMORY, "13 operations, 1 check, 1 loop (1 decided by inputs), heap", "value",
       false},
      {INPUT_BY_CALL, "12 operations, 1 check, 1 loop (1 decided by inputs)", "value", false},
      {RECURSIVE, "6 operations, 1 check, recursion", "interval", false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    build b = make(cases[i].s);
    tp_features f = tp_features_of(b.p, TP_P_UNREACH_CALL);
    tp_str text = {0};
    tp_features_print(&f, &text);
    if (strcmp(text.text, cases[i].features) != 0) fail_msg("%zu: %s", i, text.text);
    tp_str_clear(&text);
    tp_schedule s = tp_schedule_of(&f);
    assert_string_equal(s.at[0].name, "bmc");
    assert_true(s.at[0].random_first && s.at[0].share >= 0.4);  // the hunter keeps its part
    assert_string_equal(s.at[1].name, cases[i].second);
    assert_int_equal(s.at[1].after_s > 1, cases[i].waits);
    double share = 0;
    for (size_t k = 1; k < s.n; k++) {
      share += s.at[k].share;
      assert_non_null(s.at[k].engine);
      assert_true(s.at[k].proves_only && s.at[k].limit_s > 0);
      assert_true(s.at[k].engine != &tp_engine_cpa || s.at[k].composition);
    }
    assert_true(share <= 1);
    assert_non_null(tp_schedule_advice(&f, true));
    build_free(&b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(features_choose_the_order)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
