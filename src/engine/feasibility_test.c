/* Abstract paths to errors: real ones become inputs, others do not. */
#include "engine/feasibility.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "program/build_test.h"
#include "proof/proof_engines.h"

/* s := 0; while (1) { c := input; if (c = s) s := s + 1; if (s = turns) error }, where the test of
 * c is done by a function. */
static tp_program *lock_model(tp_diag *diag, uint64_t turns, bool opens) {
  tp_program *p = tp_program_new(diag, 64);
  tp_terms *tt = p->terms;
  tp_func same = func(p, "same");
  p->main = func(p, "main");
  tp_sort s8 = bv_sort(p, 8);
  tp_var a =
      tp_program_add_var(p, (tp_var_info){.name = "a", .kind = TP_V_PARAM, .func = same}, s8);
  tp_var b =
      tp_program_add_var(p, (tp_var_info){.name = "b", .kind = TP_V_PARAM, .func = same}, s8);
  tp_var r = tp_program_add_var(p, (tp_var_info){.name = "r", .kind = TP_V_TEMP, .func = same},
                                tp_sort_bool(tt));
  tp_var *params = tp_arena_array(&p->arena, tp_var, 2);
  params[0] = a, params[1] = b;
  p->funcs.at[same.id].params = params;
  p->funcs.at[same.id].n_params = 2;
  p->funcs.at[same.id].result = r;
  give_back(p, entry_of(p, same), same,
            opens ? tp_mk_eq(tt, term_of(p, a), term_of(p, b)) : tp_mk_false(tt));
  tp_var s = var(p, p->main, "s", s8, TP_TYPE_NONE), c = var(p, p->main, "c", s8, TP_TYPE_NONE),
         t = var(p, p->main, "t", tp_sort_bool(tt), TP_TYPE_NONE);
  tp_loc head = loc(p, p->main), asked = loc(p, p->main), called = loc(p, p->main),
         hit = loc(p, p->main), test = loc(p, p->main), bad = loc(p, p->main);
  p->locs.at[bad.id].error = TP_P_UNREACH_CALL;
  assign(p, entry_of(p, p->main), head, s, bv(p, 8, 0));
  tp_program_add_edge(p, (tp_edge_info){.kind = TP_E_HAVOC,
                                        .from = head,
                                        .to = asked,
                                        .var = c,
                                        .input = TP_I_NONDET,
                                        .name = "input"});
  tp_program_add_edge(p, (tp_edge_info){.kind = TP_E_CALL,
                                        .from = asked,
                                        .to = called,
                                        .var = t,
                                        .callee = same,
                                        .args = (tp_term[]){term_of(p, c), term_of(p, s)},
                                        .n_args = 2});
  branch(p, called, hit, test, term_of(p, t));
  assign(p, hit, test, s, tp_mk2(tt, TP_OP_BV_ADD, term_of(p, s), bv(p, 8, 1)));
  branch(p, test, bad, head, tp_mk_eq(tt, term_of(p, s), bv(p, 8, turns)));
  tp_program_finish(p);
  return p;
}

static const struct {
  const char *name;
  uint64_t turns;
  bool opens;
  const char *text;
  tp_verdict expected;
  size_t inputs;
} cases[] = {
    {"a way of many turns", 20, true, "analysis = location callstack value\n", TP_VERDICT_FALSE,
     20},
    {"the same without a way", 20, false, "analysis = location callstack value\n", TP_VERDICT_TRUE,
     0},
    {"a short way is found by a coarse analysis", 0, true, "analysis = location callstack\n",
     TP_VERDICT_FALSE, 1},
    {"a spurious way is no answer", 20, false, "analysis = location callstack\n",
     TP_VERDICT_UNKNOWN, 0},
};

static void ways_become_inputs(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    tp_diag *diag = tp_diag_new(stderr, false);
    tp_program *p = lock_model(diag, cases[i].turns, cases[i].opens);
    tp_task task = {.program = p, .property = TP_P_UNREACH_CALL};
    tp_budget budget = {.steps = 20000};
    tp_stats stats = {0};
    tp_result result;
    tp_result_init(&result);
    tp_engine_run_composition(&task, cases[i].text, &budget, &stats, &result);
    if (result.verdict != cases[i].expected)
      fail_msg("%s: verdict %d (%s)", cases[i].name, result.verdict,
               result.reason ? result.reason : "");
    if (result.verdict == TP_VERDICT_FALSE) assert_int_equal(result.inputs.v.n, cases[i].inputs);
    tp_result_clear(&result);
    tp_program_free(p);
    tp_diag_free(diag);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ways_become_inputs)};
  return cmocka_run_group_tests_name("trail", tests, NULL, NULL);
}
