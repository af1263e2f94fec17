/* Liveness on small models: straight lines, branches, loops, calls, results. */
#include "program/liveness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "program/build_test.h"

typedef struct {
  tp_diag *diag;
  tp_program *p;
  tp_func f;
  tp_var x, y;
} fixture;

static fixture set_up(void) {
  fixture t = {.p = tp_program_new(NULL, 64)};
  t.f = func(t.p, "f");
  t.x = var(t.p, t.f, "x", bv_sort(t.p, 32), TP_TYPE_NONE);
  t.y = var(t.p, t.f, "y", bv_sort(t.p, 32), TP_TYPE_NONE);
  t.p->main = t.f;
  return t;
}

/* x := 1; y := x + 1; loop while y < x { y := y + 1 } */
static void read_before_written(void **state) {
  (void)state;
  fixture t = set_up();
  tp_program *p = t.p;
  tp_loc a = entry_of(p, t.f), b = loc(p, t.f), c = loc(p, t.f), d = loc(p, t.f),
         end = exit_of(p, t.f);
  assign(p, a, b, t.x, bv(p, 32, 1));
  assign(p, b, c, t.y, tp_mk2(p->terms, TP_OP_BV_ADD, term_of(p, t.x), bv(p, 32, 1)));
  branch(p, c, d, end, tp_mk2(p->terms, TP_OP_BV_ULT, term_of(p, t.y), term_of(p, t.x)));
  assign(p, d, c, t.y, tp_mk2(p->terms, TP_OP_BV_ADD, term_of(p, t.y), bv(p, 32, 1)));
  tp_program_finish(p);
  tp_liveness *l = tp_liveness_new(p);
  static const struct {
    unsigned loc;
    bool x, y;
  } expected[] = {
      {0, false, false}, {1, true, false}, {2, true, true}, {3, true, true}, {4, false, false}};
  const tp_loc at[] = {a, b, c, d, end};
  for (size_t i = 0; i < 5; i++) {
    assert_int_equal(tp_is_live(l, at[expected[i].loc], t.x), expected[i].x);
    assert_int_equal(tp_is_live(l, at[expected[i].loc], t.y), expected[i].y);
  }
  tp_liveness_free(l);
  tp_program_free(p);
}

/* The variable that takes a call's result is dead during the call; arguments are read before it;
 * others live on. */
static void across_calls(void **state) {
  (void)state;
  fixture t = set_up();
  tp_program *p = t.p;
  tp_func g = func(p, "g");
  step(p, entry_of(p, g), exit_of(p, g));
  tp_var z = var(p, t.f, "z", bv_sort(p, 32), TP_TYPE_NONE),
         global = var(p, TP_FUNC_NONE, "n", bv_sort(p, 32), TP_TYPE_NONE);
  tp_loc a = entry_of(p, t.f), b = loc(p, t.f), end = exit_of(p, t.f);
  tp_edge c = tp_program_add_edge(p, (tp_edge_info){.kind = TP_E_CALL,
                                                    .from = a,
                                                    .to = b,
                                                    .var = t.x,
                                                    .callee = g,
                                                    .args = (tp_term[]){term_of(p, z)},
                                                    .n_args = 1});
  assume(p, b, end, tp_mk_eq(p->terms, term_of(p, t.x), term_of(p, t.y)));
  tp_program_finish(p);
  tp_liveness *l = tp_liveness_new(p);
  assert_false(tp_is_live_across(l, c, t.x));
  assert_true(tp_is_live_across(l, c, t.y));
  assert_false(tp_is_live_across(l, c, z));
  assert_true(tp_is_live(l, a, z));
  assert_true(tp_is_live_across(l, c, global));
  assert_true(tp_is_live(l, entry_of(p, g), t.y));
  tp_liveness_free(l);
  tp_program_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(read_before_written),
                                     cmocka_unit_test(across_calls)};
  return cmocka_run_group_tests_name("liveness", tests, NULL, NULL);
}
