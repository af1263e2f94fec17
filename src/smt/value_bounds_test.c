/* Refutations by bounds against enumeration; the questions they are for; those they must leave. */
#include "smt/value_bounds.h"

#include "smt/smt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { WIDTH = 4, N_VARS = 2, N_FACTS = 4 };

typedef struct {
  tp_terms *tt;
  tp_rng rng;
  tp_term vars[N_VARS];
  uint64_t values[N_VARS];
} world;

static uint32_t below(world *w, uint32_t n) { return (uint32_t)tp_rng_below(&w->rng, n); }

static tp_term random_fact(world *w, int depth);

static tp_term random_bits(world *w, int depth) {
  static const tp_term_kind binary[] = {TP_OP_BV_ADD,  TP_OP_BV_ADD,  TP_OP_BV_MUL,  TP_OP_BV_UDIV,
                                        TP_OP_BV_SDIV, TP_OP_BV_UREM, TP_OP_BV_SREM, TP_OP_BV_AND,
                                        TP_OP_BV_OR,   TP_OP_BV_XOR,  TP_OP_BV_SHL,  TP_OP_BV_LSHR,
                                        TP_OP_BV_ASHR};
  tp_terms *tt = w->tt;
  if (depth == 0 || below(w, 5) == 0)
    return below(w, 3) ? w->vars[below(w, N_VARS)] : tp_mk_bv(tt, WIDTH, below(w, 1 << WIDTH));
  tp_term a = random_bits(w, depth - 1), b = random_bits(w, depth - 1);
  switch (below(w, 9)) {
    case 0: return tp_mk_ite(tt, random_fact(w, depth - 1), a, b);
    case 1: return tp_mk1(tt, below(w, 2) ? TP_OP_BV_NEG : TP_OP_BV_NOT, a);
    case 2: return tp_mk_extract(tt, WIDTH - 1, 0, tp_mk_zext(tt, 2 * WIDTH, a));
    case 3: {
      uint32_t low = below(w, WIDTH + 1);
      tp_term wide = below(w, 3) == 0   ? tp_mk2(tt, TP_OP_BV_CONCAT, a, b)
                     : below(w, 2) == 0 ? tp_mk_zext(tt, 2 * WIDTH, a)
                                        : tp_mk_sext(tt, 2 * WIDTH, a);
      wide = tp_mk2(tt, TP_OP_BV_ADD, wide, tp_mk_zext(tt, 2 * WIDTH, b));
      return tp_mk_extract(tt, low + WIDTH - 1, low, wide);
    }
    default: return tp_mk2(tt, binary[below(w, sizeof binary / sizeof *binary)], a, b);
  }
}

static tp_term random_fact(world *w, int depth) {
  static const tp_term_kind compare[] = {TP_OP_BV_ULT, TP_OP_BV_ULE, TP_OP_BV_SLT, TP_OP_BV_SLE,
                                         TP_OP_EQ};
  tp_terms *tt = w->tt;
  if (depth == 0 || below(w, 3)) {
    tp_term a = random_bits(w, depth), b = random_bits(w, depth ? depth - 1 : 0);
    tp_term c = tp_mk2(tt, compare[below(w, 5)], a, b);
    return below(w, 3) ? c : tp_mk_not(tt, c);
  }
  tp_term a = random_fact(w, depth - 1), b = random_fact(w, depth - 1);
  switch (below(w, 4)) {
    case 0: return tp_mk_and(tt, a, b);
    case 1: return tp_mk_or(tt, a, b);
    case 2: return tp_mk_ite(tt, a, b, random_fact(w, depth - 1));
    default: return tp_mk_not(tt, tp_mk_or(tt, a, b));
  }
}

static bool look_up(void *ctx, tp_term var, tp_value *out) {
  const world *w = ctx;
  for (int i = 0; i < N_VARS; i++)
    if (tp_term_eq(w->vars[i], var)) *out = (tp_value){.bits = w->values[i]};
  return true;
}

static uint64_t no_base(void *ctx, uint32_t object) {
  (void)ctx;
  return object;
}

static bool has_model(world *w, tp_term all) {
  tp_env env = {.ctx = w, .var = look_up, .base = no_base};
  tp_arena arena;
  tp_arena_init(&arena);
  bool found = false;
  for (uint64_t k = 0; k < 1u << (WIDTH * N_VARS) && !found; k++) {
    for (int i = 0; i < N_VARS; i++) w->values[i] = k >> (WIDTH * i) & ((1 << WIDTH) - 1);
    tp_value v;
    assert_int_equal(tp_eval(w->tt, all, &env, &arena, &v), TP_OK);
    found = v.bits;
  }
  tp_arena_clear(&arena);
  return found;
}

static void refutations_are_right(void **state) {
  (void)state;
  const char *volume = getenv("TP_SOAK");
  size_t refuted = 0, impossible = 0, turns = volume ? 400000 : 6000;
  world w = {0};
  tp_rng_init(&w.rng, 11);
  for (size_t turn = 0; turn < turns; turn++) {
    w.tt = tp_terms_new(64);
    for (int i = 0; i < N_VARS; i++) w.vars[i] = tp_mk_var(w.tt, "v", tp_sort_bv(w.tt, WIDTH));
    tp_term facts[N_FACTS], all = tp_mk_true(w.tt);
    for (int i = 0; i < N_FACTS; i++) {
      facts[i] = random_fact(&w, 1 + (int)below(&w, 2));
      all = tp_mk_and(w.tt, all, facts[i]);
    }
    bool by_bounds = tp_bounds_refute(w.tt, facts, N_FACTS), has_any = has_model(&w, all);
    if (by_bounds && has_any) fail_msg("turn %zu: refuted, and has a model", turn);
    refuted += by_bounds;
    impossible += !has_any;
    tp_terms_free(w.tt);
  }
  print_message("%zu of %zu impossible questions are refuted by bounds\n", refuted, impossible);
  assert_true(refuted * 3 > impossible);
}

/* x in [0, 50], and 300 times: one more, or two. */
static tp_term long_sum(tp_terms *tt, tp_term x) {
  tp_sort word = tp_sort_bv(tt, 32);
  for (uint32_t i = 0; i < 300; i++) {
    tp_term once = tp_mk2(tt, TP_OP_BV_ADD, x, tp_mk_bv(tt, 32, 1));
    tp_term twice = tp_mk2(tt, TP_OP_BV_ADD, x, tp_mk_bv(tt, 32, 2));
    x = tp_mk_ite(tt, tp_mk_eq(tt, x, tp_mk_var(tt, "k", word)), twice, once);
  }
  return x;
}

/* Through the interface of solvers: no back end is needed; its broken twin needs one. */
static void long_sums_need_no_solver(void **state) {
  (void)state;
  tp_terms *tt = tp_terms_new(64);
  tp_term x = tp_mk_var(tt, "x", tp_sort_bv(tt, 32)), sum = long_sum(tt, x);
  for (int is_broken = 0; is_broken < 2; is_broken++) {
    tp_stats stats = {0};
    tp_smt *s = tp_smt_new(tt, (tp_smt_options){.looks_at_bounds = true, .stats = &stats});
    tp_smt_assert(s, tp_mk2(tt, TP_OP_BV_ULE, x, tp_mk_bv(tt, 32, 50)));
    tp_smt_assert(s, tp_mk2(tt, TP_OP_BV_SLT, tp_mk_bv(tt, 32, is_broken ? 640 : 650), sum));
    assert_int_equal(tp_smt_check(s, NULL, 0), is_broken ? TP_SMT_SAT : TP_SMT_UNSAT);
    assert_int_equal(stats.solver_calls, is_broken);
    tp_smt_free(s);
  }
  tp_terms_free(tt);
}

/* Conditions bound the arms that they choose: one less above a limit, else one more, 300 times. */
static void conditions_bound_their_arms(void **state) {
  (void)state;
  tp_terms *tt = tp_terms_new(64);
  tp_term x = tp_mk_var(tt, "x", tp_sort_bv(tt, 32)), y = x;
  for (uint32_t i = 0; i < 300; i++)
    y = tp_mk_ite(tt, tp_mk2(tt, TP_OP_BV_SLT, tp_mk_bv(tt, 32, i % 40), y),
                  tp_mk2(tt, TP_OP_BV_ADD, y, tp_mk_bv(tt, 32, UINT32_MAX)),
                  tp_mk2(tt, TP_OP_BV_ADD, y, tp_mk_bv(tt, 32, 1)));
  for (uint32_t is_broken = 0; is_broken < 2; is_broken++) {
    tp_term facts[] = {tp_mk2(tt, TP_OP_BV_ULE, x, tp_mk_bv(tt, 32, 50)),
                       tp_mk2(tt, TP_OP_BV_SLT, tp_mk_bv(tt, 32, is_broken ? 10 : 51), y)};
    assert_int_equal(tp_bounds_refute(tt, facts, 2), !is_broken);
  }
  tp_terms_free(tt);
}

/* After a refutation by bounds the core is all assumptions. */
static void the_core_is_everything(void **state) {
  (void)state;
  tp_terms *tt = tp_terms_new(64);
  tp_term x = tp_mk_var(tt, "x", tp_sort_bv(tt, 32)), core[2];
  tp_term assumptions[] = {tp_mk2(tt, TP_OP_BV_ULT, x, tp_mk_bv(tt, 32, 5)),
                           tp_mk2(tt, TP_OP_BV_ULT, tp_mk_bv(tt, 32, 9), x)};
  tp_smt *s = tp_smt_new(tt, (tp_smt_options){.looks_at_bounds = true});
  assert_int_equal(tp_smt_check(s, assumptions, 2), TP_SMT_UNSAT);
  assert_int_equal(tp_smt_core(s, core), 2);
  assert_int_equal(tp_smt_check(s, assumptions, 1), TP_SMT_SAT);
  tp_smt_free(s);
  tp_terms_free(tt);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(refutations_are_right),
      cmocka_unit_test(long_sums_need_no_solver),
      cmocka_unit_test(conditions_bound_their_arms),
      cmocka_unit_test(the_core_is_everything),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
