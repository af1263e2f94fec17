/* Clauses about radices against enumeration: they hold for all values, and show that equal cells
 * have equal rows and columns. */
#include "smt/radix.h"

#include "smt/smt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { WIDTH = 12, N_VARS = 4, PROGRAMS = 300, SAMPLES = 400 };

typedef struct {
  tp_terms *tt;
  tp_term vars[N_VARS];  // of WIDTH bits, of 3 bits
  uint64_t values[N_VARS];
} world;

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

static world begin(void) {
  world w = {.tt = tp_terms_new(64)};
  for (uint32_t i = 0; i < N_VARS; i++)
    w.vars[i] = tp_mk_var(w.tt, "x", tp_sort_bv(w.tt, i < 2 ? WIDTH : 3));
  return w;
}

static tp_term factor(const world *w, tp_rng *r) {
  const uint64_t i = tp_rng_below(r, N_VARS);
  return i < 2 ? w->vars[i]
               : (tp_rng_below(r, 2) ? tp_mk_sext(w->tt, WIDTH, w->vars[i])
                                     : tp_mk_zext(w->tt, WIDTH, w->vars[i]));
}

static tp_term random_sum(const world *w, tp_rng *r) {
  static const int64_t coefficients[] = {1, 1, -1, 2, 3, 7, 10, -10, 20, 2000};
  tp_term sum = tp_mk_bv_signed(w->tt, WIDTH, (int64_t)tp_rng_below(r, 5) - 2);
  const uint64_t n = 1 + tp_rng_below(r, 3);
  for (uint64_t i = 0; i < n; i++) {
    tp_term t = factor(w, r);
    if (tp_rng_below(r, 3) == 0) t = tp_mk2(w->tt, TP_OP_BV_MUL, t, factor(w, r));
    const int64_t c = coefficients[tp_rng_below(r, 10)];
    sum = tp_mk2(w->tt, TP_OP_BV_ADD, sum,
                 tp_mk2(w->tt, TP_OP_BV_MUL, t, tp_mk_bv_signed(w->tt, WIDTH, c)));
  }
  return sum;
}

/* Numbers are small, or of any size, or just beside what would wrap. */
static uint64_t random_value(tp_rng *r) {
  static const uint64_t odd[] = {0x7ff, 0x800, 0x400, 0x3ff, 0xfff};
  const uint64_t which = tp_rng_below(r, 4);
  if (which == 0) return odd[tp_rng_below(r, 5)];
  return which == 1 ? tp_rng_below(r, 1 << WIDTH) : (0 - tp_rng_below(r, 9)) & 0xfff;
}

static void clauses_hold_for_all_values(void **state) {
  (void)state;
  tp_rng r;
  tp_rng_init(&r, 7);
  uint32_t n_clauses = 0, n_used = 0;
  for (int k = 0; k < PROGRAMS; k++) {
    world w = begin();
    const tp_term equation = tp_mk_eq(w.tt, random_sum(&w, &r), random_sum(&w, &r)),
                  clauses = tp_radix_clauses(w.tt, equation);
    n_clauses += !tp_is_true(w.tt, clauses);
    for (int i = 0; i < SAMPLES; i++) {
      tp_arena arena;
      tp_arena_init(&arena);
      for (int v = 0; v < N_VARS; v++) w.values[v] = v < 2 ? random_value(&r) : tp_rng_below(&r, 8);
      tp_env env = {.ctx = &w, .var = look_up, .base = no_base};
      tp_value holds, is;
      assert_int_equal(tp_eval(w.tt, clauses, &env, &arena, &holds), TP_OK);
      assert_int_equal(tp_eval(w.tt, equation, &env, &arena, &is), TP_OK);
      if (!holds.bits) fail_msg("clause %d", k);
      n_used += is.bits && !tp_is_true(w.tt, clauses);
      tp_arena_clear(&arena);
    }
    tp_terms_free(w.tt);
  }
  assert_true(n_clauses > PROGRAMS / 4);
  assert_true(n_used > 100);
}

/* row * columns + column is where another row and column are: they are the same. */
static void cells_are_told_apart(void **state) {
  (void)state;
  tp_terms *tt = tp_terms_new(64);
  for (int is_constant = 0; is_constant < 2; is_constant++) {
    tp_term v[5];
    for (int i = 0; i < 5; i++) v[i] = tp_mk_sext(tt, 64, tp_mk_var(tt, "v", tp_sort_bv(tt, 32)));
    const tp_term columns = is_constant ? tp_mk_bv(tt, 64, 400) : v[4],
                  equation = tp_mk_eq(
                      tt, tp_mk2(tt, TP_OP_BV_ADD, tp_mk2(tt, TP_OP_BV_MUL, v[0], columns), v[1]),
                      tp_mk2(tt, TP_OP_BV_ADD, tp_mk2(tt, TP_OP_BV_MUL, v[2], columns), v[3]));
    tp_smt *s = tp_smt_new(tt, (tp_smt_options){.rlimit = 3000000});
    tp_smt_assert(s, equation);
    for (int i = 0; i < 4; i++) {
      tp_smt_assert(s, tp_mk2(tt, TP_OP_BV_SLE, tp_mk_bv(tt, 64, 0), v[i]));
      tp_smt_assert(s, tp_mk2(tt, TP_OP_BV_SLT, v[i], i % 2 ? columns : tp_mk_bv(tt, 64, 1000)));
    }
    tp_smt_assert(s, tp_mk2(tt, TP_OP_BV_SLT, columns, tp_mk_bv(tt, 64, 1000)));
    tp_smt_assert(s, tp_mk_not(tt, tp_mk_eq(tt, v[0], v[2])));
    tp_smt_assert(s, tp_radix_clauses(tt, equation));
    assert_int_equal(tp_smt_check(s, NULL, 0), TP_SMT_UNSAT);
    tp_smt_free(s);
  }
  tp_terms_free(tt);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(clauses_hold_for_all_values),
      cmocka_unit_test(cells_are_told_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
