/* Refutations by algebra against enumeration; and the equations it is for. */
#include "smt/algebra.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { WIDTH = 3, N_VARS = 3, N_FACTS = 4 };

typedef struct {
  tp_terms *tt;
  tp_term vars[N_VARS];
  uint64_t values[N_VARS];
} world;

static tp_term random_sum(world *w, tp_rng *r, int depth) {
  if (depth == 0 || tp_rng_below(r, 4) == 0) return tp_rng_below(r, 3) ? w->vars[tp_rng_below(r, N_VARS)] : tp_mk_bv(w->tt, WIDTH, tp_rng_below(r, 8));
  tp_term a = random_sum(w, r, depth - 1), b = random_sum(w, r, depth - 1);
  switch (tp_rng_below(r, 4)) {
    case 0: return tp_mk2(w->tt, TP_OP_BV_MUL, a, b);
    case 1: return tp_mk1(w->tt, TP_OP_BV_NEG, a);
    case 2: return tp_mk1(w->tt, TP_OP_BV_NOT, a);
    default: return tp_mk2(w->tt, TP_OP_BV_ADD, a, b);
  }
}

static tp_term random_fact(world *w, tp_rng *r) {
  tp_term e = tp_mk_eq(w->tt, random_sum(w, r, 2), random_sum(w, r, 2)), f = tp_mk_eq(w->tt, random_sum(w, r, 2), random_sum(w, r, 1));
  switch (tp_rng_below(r, 5)) {
    case 0: return tp_mk_not(w->tt, e);
    case 1: return tp_mk_or(w->tt, tp_mk_not(w->tt, e), tp_mk_not(w->tt, f));
    case 2: return tp_mk_and(w->tt, e, tp_mk_not(w->tt, f));
    default: return e;
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
    for (int i = 0; i < N_VARS; i++) w->values[i] = k >> (WIDTH * i) & 7;
    tp_value v;
    assert_int_equal(tp_eval(w->tt, all, &env, &arena, &v), TP_OK);
    found = v.bits;
  }
  tp_arena_clear(&arena);
  return found;
}

static void refutations_are_right(void **state) {
  (void)state;
  tp_rng r;
  tp_rng_init(&r, 7);
  size_t refuted = 0;
  for (int turn = 0; turn < 1500; turn++) {
    world w = {.tt = tp_terms_new(64)};
    for (int i = 0; i < N_VARS; i++) w.vars[i] = tp_mk_var(w.tt, "v", tp_sort_bv(w.tt, WIDTH));
    tp_term facts[N_FACTS];
    for (int i = 0; i < N_FACTS; i++) facts[i] = random_fact(&w, &r);
    if (tp_algebra_refutes(w.tt, facts, N_FACTS)) {
      refuted++;
      assert_false(has_model(&w, tp_mk_and_n(w.tt, facts, N_FACTS)));
    }
    tp_terms_free(w.tt);
  }
  assert_true(refuted > 100);
}

/* 2 s = i (i + 1) stays so when i + 1 is added to s; with another step it does not. */
static void sums_of_numbers(void **state) {
  (void)state;
  for (int wrong = 0; wrong < 2; wrong++) {
    tp_terms *tt = tp_terms_new(64);
    tp_sort bv32 = tp_sort_bv(tt, 32);
    tp_term s = tp_mk_var(tt, "s", bv32), i = tp_mk_var(tt, "i", bv32), one = tp_mk_bv(tt, 32, 1), two = tp_mk_bv(tt, 32, 2);
    tp_term next = tp_mk2(tt, TP_OP_BV_ADD, i, one), sum = tp_mk2(tt, TP_OP_BV_ADD, s, wrong ? i : next);
    tp_term facts[2] = {
        tp_mk_eq(tt, tp_mk2(tt, TP_OP_BV_MUL, two, s), tp_mk2(tt, TP_OP_BV_MUL, i, next)),
        tp_mk_not(tt, tp_mk_eq(tt, tp_mk2(tt, TP_OP_BV_MUL, two, sum), tp_mk2(tt, TP_OP_BV_MUL, next, tp_mk2(tt, TP_OP_BV_ADD, next, one)))),
    };
    tp_algebra a = {0};
    assert_true(tp_algebra_has_product(&a, tt, facts[0]));
    assert_false(tp_algebra_has_product(&a, tt, tp_mk_eq(tt, sum, tp_mk2(tt, TP_OP_BV_MUL, two, s))));
    assert_int_equal(tp_algebra_refutes(tt, facts, 2), !wrong);
    tp_algebra_clear(&a);
    tp_terms_free(tt);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(refutations_are_right), cmocka_unit_test(sums_of_numbers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
