/* Facts with a model that is known, of every width: no back end calls them impossible, and where
 * one fact is made false, the reason that a back end gives names it. Unlike a duel of two solvers
 * this shows a fault that all of them have, in rewriting or in algebra.
 *
 *   planted_test            a few hundred; TP_SOAK=1: 20,000 */
#include "smt/smt.h"
#include "term/random_terms.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { FACTS = 6, STEPS = 14, RLIMIT = 100000 };

typedef struct {
  tp_random r;
  tp_map at;  // variable -> index of its value
  TP_VEC(tp_value) values;
  tp_arena arena;
} plant;

static bool value_of_var(void *ctx, tp_term var, tp_value *out) {
  plant *p = ctx;
  uint64_t i;
  if (!tp_map_get(&p->at, var.id, &i)) {
    i = p->values.n;
    tp_value v = tp_random_value(&p->r, tp_sort_of(p->r.tt, var), &p->arena);
    tp_vec_push(&p->values, v);
    tp_map_set(&p->at, var.id, i);
  }
  *out = p->values.at[i];
  return true;
}

static uint64_t no_base(void *ctx, uint32_t object) {
  (void)ctx;
  return object;
}

static bool value_of(plant *p, tp_term t, tp_value *v) {
  tp_env env = {.ctx = p, .var = value_of_var, .base = no_base};
  return tp_eval(p->r.tt, t, &env, &p->arena, v) == TP_OK;
}

/* Something that holds: of a term as it was written, or as it was rewritten. */
static bool fact(plant *p, tp_term *out) {
  tp_terms *tt = p->r.tt;
  tp_term raw, normal;
  tp_value v = {0};
  tp_random_term(&p->r, STEPS, &raw, &normal);
  tp_term t = tp_rng_below(&p->r.rng, 2) ? raw : normal;
  tp_sort_kind k = tp_sort_kind_of(tt, tp_sort_of(tt, t));
  if ((k != TP_SORT_BOOL && k != TP_SORT_BV) || !value_of(p, raw, &v)) return false;
  tp_term known = tp_mk_value(tt, tp_sort_of(tt, t), v);
  if (k == TP_SORT_BOOL)
    *out = v.bits ? t : tp_mk_not(tt, t);
  else
    *out = tp_mk_eq(tt, t, known);
  return true;
}

static size_t impossible, possible, open;

static void ask(const char *backend, plant *p, const tp_term *facts, size_t n) {
  tp_terms *tt = p->r.tt;
  tp_smt *s = tp_smt_new(tt, (tp_smt_options){.backend = backend, .rlimit = RLIMIT});
  tp_term assumptions[FACTS], core[FACTS];
  for (size_t i = 0; i < n / 2; i++) tp_smt_assert(s, facts[i]);
  size_t rest = n - n / 2, at = (size_t)tp_rng_below(&p->r.rng, rest);
  tp_smt_answer a = tp_smt_check(s, facts + n / 2, rest);
  assert_int_not_equal(a, TP_SMT_UNSAT);
  possible += a == TP_SMT_SAT;
  open += a == TP_SMT_UNKNOWN;
  memcpy(assumptions, facts + n / 2, rest * sizeof *facts);
  assumptions[at] = tp_mk_not(tt, assumptions[at]);
  if (tp_smt_check(s, assumptions, rest) == TP_SMT_UNSAT) {
    size_t n_core = tp_smt_core(s, core);
    bool named = false;
    for (size_t i = 0; i < n_core; i++) named |= tp_term_eq(core[i], assumptions[at]);
    assert_true(named);
    impossible++;
  }
  tp_smt_free(s);
}

static void what_has_a_model_is_possible(void **state) {
  (void)state;
  static const char *const backends[] = {"z3", "bits", "mixed", "ints", "ints-exact"};
  uint64_t turns = getenv("TP_SOAK") ? 20000 : 96;
  for (uint64_t turn = 0; turn < turns; turn++) {
    plant p = {0};
    tp_term facts[FACTS];
    size_t n = 0;
    tp_random_init(&p.r, tp_terms_new(64), 500 + turn, 1 + (uint32_t)(turn % 64),
                   turn % 3 ? TP_RANDOM_BOOL_BV : TP_RANDOM_SELECTS);
    tp_arena_init(&p.arena);
    for (int tries = 0; n < FACTS && tries < 30; tries++) n += fact(&p, &facts[n]);
    const char *backend = backends[turn % 5];
    if (n > 1) ask(backend, &p, facts, n);
    tp_map_clear(&p.at);
    tp_vec_clear(&p.values);
    tp_arena_clear(&p.arena);
    tp_terms_free(p.r.tt);
  }
  print_message("%zu possible, %zu open, %zu impossible with a false one\n", possible, open,
                impossible);
  assert_true(possible > turns / 2 && impossible > turns / 10);
}

/* As it was written the assumption is no constant; what a back end makes of it is. */
static void an_assumption_that_becomes_false_is_the_core(void **state) {
  (void)state;
  static const char *const backends[] = {"z3", "bits", "mixed", "ints", "ints-exact"};
  for (size_t i = 0; i < sizeof backends / sizeof *backends; i++) {
    tp_terms *tt = tp_terms_new(64);
    tp_term b = tp_mk_var(tt, "b", tp_sort_bool(tt)), x = tp_mk_var(tt, "x", tp_sort_bv(tt, 32)),
            five = tp_mk_bv(tt, 32, 5), assumptions[2], core[2];
    tp_terms_set_rewriting(tt, false);
    tp_term yes = tp_mk_not(tt, tp_mk2(tt, TP_OP_BV_ULT, five, five));
    assumptions[0] = tp_mk_not(tt, tp_mk_ite(tt, b, yes, yes));
    assumptions[1] = tp_mk2(tt, TP_OP_BV_SLE, five, x);
    tp_terms_set_rewriting(tt, true);
    tp_smt *s = tp_smt_new(tt, (tp_smt_options){.backend = backends[i]});
    assert_int_equal(tp_smt_check(s, assumptions, 2), TP_SMT_UNSAT);
    assert_int_equal(tp_smt_core(s, core), 1);
    assert_true(tp_term_eq(core[0], assumptions[0]));
    tp_smt_free(s);
    tp_terms_free(tt);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_has_a_model_is_possible),
      cmocka_unit_test(an_assumption_that_becomes_false_is_the_core)};
  return cmocka_run_group_tests_name("planted", tests, NULL, NULL);
}
