/* Bounds read off formulas, against evaluation; elements at places with and without facts. */
#include "cpa/composition.h"
#include "cpa/facts/facts_priv.h"
#include "cpa/algorithm.h"
#include "program/build_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

typedef struct {
  tp_term var;
  uint64_t value;
} assignment;
static bool value_of(void *ctx, tp_term var, tp_value *out) {
  const assignment *a = ctx;
  *out = (tp_value){.bits = a->value};
  return tp_term_eq(var, a->var);
}
static uint64_t no_base(void *ctx, uint32_t object) {
  (void)ctx;
  (void)object;
  return 0;
}

static tp_term random_literal(tp_terms *tt, tp_rng *rng, tp_term x, uint32_t width) {
  static const tp_term_kind kinds[] = {TP_OP_BV_ULT, TP_OP_BV_ULE, TP_OP_BV_SLT, TP_OP_BV_SLE,
                                       TP_OP_EQ};
  tp_term c = tp_mk_bv(tt, width, tp_rng_below(rng, 1u << width));
  tp_term_kind k = kinds[tp_rng_below(rng, 5)];
  tp_term t = tp_rng_below(rng, 2) ? tp_mk2(tt, k, x, c) : tp_mk2(tt, k, c, x);
  return tp_rng_below(rng, 2) ? t : tp_mk_not(tt, t);
}

/* Every value that meets the formula is within the bounds; no bounds mean that there is none. */
static void bounds_cover_the_formula(void **state) {
  (void)state;
  enum { WIDTH = 5 };
  tp_program *p = tp_program_new(NULL, 64);
  tp_terms *tt = p->terms;
  tp_var v = var(p, TP_FUNC_NONE, "x", bv_sort(p, WIDTH), TP_TYPE_NONE);
  tp_term x = term_of(p, v);
  tp_rng rng;
  tp_rng_init(&rng, 5);
  int empty = 0, exact = 0;
  for (int round = 0; round < 3000; round++) {
    tp_term f = tp_mk_true(tt);
    for (uint64_t i = 1 + tp_rng_below(&rng, 4); i > 0; i--)
      f = tp_mk_and(tt, f, random_literal(tt, &rng, x, WIDTH));
    tp_imported_bounds_list known = {0};
    bool ok = tp_facts_bounds(p, f, &known);
    uint64_t low = UINT64_MAX, high = 0;
    for (uint64_t value = 0; value < 1u << WIDTH; value++) {
      assignment a = {x, value};
      tp_env vals = {.ctx = &a, .var = value_of, .base = no_base};
      tp_value r;
      tp_arena arena;
      tp_arena_init(&arena);
      assert_int_equal(tp_eval(tt, f, &vals, &arena, &r), TP_OK);
      tp_arena_clear(&arena);
      if (!r.bits) continue;
      if (!ok) fail_msg("a value was lost");
      int64_t s = value >= 16 ? (int64_t)value - 32 : (int64_t)value;
      for (size_t i = 0; i < known.n; i++) {
        assert_true(value >= known.at[i].range.umin && value <= known.at[i].range.umax);
        assert_true(s >= known.at[i].range.smin && s <= known.at[i].range.smax);
      }
      if (value < low) low = value;
      if (value > high) high = value;
    }
    empty += !ok;
    exact += ok && known.n == 1 && known.at[0].range.umin == low && known.at[0].range.umax == high;
    tp_vec_clear(&known);
  }
  if (empty < 100 || exact < 1000) fail_msg("%d empty, %d exact", empty, exact);
  tp_program_free(p);
}

/* x input; 1: fact 3 <= x <= 9; assume x >= 9; assume x != 9 (impossible) -> error; y := x keeps, x
 * := 0 forgets. */
static void facts_prune_and_speak(void **state) {
  (void)state;
  tp_program *p = tp_program_new(NULL, 64);
  tp_terms *tt = p->terms;
  tp_func f = p->main = func(p, "main");
  tp_loc at[8];
  for (int i = 1; i < 8; i++) at[i] = loc(p, f);
  tp_var x = var(p, f, "x", bv_sort(p, 32), TP_TYPE_NONE),
         y = var(p, f, "y", bv_sort(p, 32), TP_TYPE_NONE);
  tp_term tx = term_of(p, x);
  tp_program_add_edge(
      p,
      (tp_edge_info){
          .kind = TP_E_HAVOC, .from = entry_of(p, f), .to = at[1], .var = x, .input = TP_I_NONDET});
  branch(p, at[1], at[2], at[5], tp_mk2(tt, TP_OP_BV_SLE, bv(p, 32, 9), tx));
  branch(p, at[2], at[4], at[3], tp_mk_not(tt, tp_mk_eq(tt, tx, bv(p, 32, 9))));
  p->locs.at[at[4].id].error = TP_P_UNREACH_CALL;
  assign(p, at[5], at[6], y, tx);
  assign(p, at[6], at[7], x, bv(p, 32, 0));
  tp_program_finish(p);
  tp_str why = {0};
  tp_composition *c = tp_composition_open(p, TP_P_UNREACH_CALL,
                                          "analysis = location callstack facts\n", NULL, &why);
  if (!c) fail_msg("%s", tp_str_text(&why));
  tp_context root = tp_context_root(&c->contexts, f, 0);
  tp_imported_invariant fact = {root, at[1],
                                tp_mk_and(tt, tp_mk2(tt, TP_OP_BV_SLE, bv(p, 32, 3), tx),
                                          tp_mk2(tt, TP_OP_BV_SLE, tx, bv(p, 32, 9)))};
  c->env.imported = &fact;
  c->env.n_imported = 1;
  tp_reached *r = tp_reached_new(c->cpa, TP_WAIT_BFS);
  tp_reached_add_initial(r, c->cpa->ops->initial(c->cpa, entry_of(p, f), root));
  assert_int_equal(tp_cpa_run(r, (tp_cpa_limits){0}).end, TP_CPA_DONE);
  const struct {
    int at;
    bool known;
    int64_t smin, smax;
  } expected[] = {{1, true, 3, 9}, {2, true, 9, 9}, {3, true, 9, 9},
                  {5, true, 3, 8}, {6, true, 3, 8}, {7, false, 0, 0}};
  for (uint32_t i = 1; i <= tp_reached_n(r); i++) {
    const tp_node *n = tp_reached_node(r, i);
    assert_int_not_equal(n->loc.id, at[4].id);  // pruned
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
      tp_range range;
      if (n->loc.id != at[expected[k].at].id) continue;
      assert_int_equal(tp_view_range((tp_view){c->cpa, n->state.elem}, tx, &range),
                       expected[k].known);
      if (!expected[k].known) continue;
      assert_int_equal(range.smin, expected[k].smin);
      assert_int_equal(range.smax, expected[k].smax);
    }
    if (n->loc.id == at[1].id)
      assert_int_equal(c->cpa->ops->formula(c->cpa, n->state.elem).id, fact.formula.id);
  }
  tp_reached_free(r);
  tp_composition_close(c);
  tp_program_free(p);
  assert_int_equal(tp_live_bytes(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bounds_cover_the_formula),
                                     cmocka_unit_test(facts_prune_and_speak)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
