/* Elimination against enumeration: what is left follows, and is the exact projection where it says
 * so. */
#include "formula/eliminate.h"

#include <setjmp.h>
#include <stdlib.h>

#include <cmocka.h>

enum { WIDTH = 3, N_VALUES = 1 << WIDTH, N_BV = 4 };

typedef struct {
  tp_terms *tt;
  tp_term v[N_BV], flag;  // v[0], v[1] and the flag are eliminated
  uint64_t value[N_BV];
  bool flag_value;
  tp_rng rng;
} world;

static bool is_eliminated(void *ctx, tp_term var) {
  const world *w = ctx;
  return !tp_term_eq(var, w->v[2]) && !tp_term_eq(var, w->v[3]);
}

static bool value_of(void *ctx, tp_term var, tp_value *out) {
  const world *w = ctx;
  *out = (tp_value){.bits = w->flag_value};
  if (tp_term_eq(var, w->flag)) return true;
  for (int i = 0; i < N_BV; i++)
    if (tp_term_eq(var, w->v[i])) {
      out->bits = w->value[i];
      return true;
    }
  return false;
}

static uint64_t no_base(void *ctx, uint32_t object) {
  (void)ctx;
  return object;
}

static bool holds(world *w, tp_term t) {
  tp_env env = {.ctx = w, .var = value_of, .base = no_base};
  tp_arena arena;
  tp_value v;
  tp_arena_init(&arena);
  assert_int_equal(tp_eval(w->tt, t, &env, &arena, &v), TP_OK);
  tp_arena_clear(&arena);
  return v.bits != 0;
}

static void begin(world *w, uint64_t seed) {
  *w = (world){.tt = tp_terms_new(64)};
  for (int i = 0; i < N_BV; i++) w->v[i] = tp_mk_var(w->tt, "v", tp_sort_bv(w->tt, WIDTH));
  w->flag = tp_mk_var(w->tt, "flag", tp_sort_bool(w->tt));
  tp_rng_init(&w->rng, seed);
}

/* Sums of variables and constants, extensions cut again, conditionals. */
static tp_term number(world *w, int depth) {
  tp_terms *tt = w->tt;
  uint64_t kind = tp_rng_below(&w->rng, depth > 0 ? 10 : 5);
  tp_term a = depth > 0 && kind >= 5 ? number(w, depth - 1) : TP_TERM_NONE;
  switch (kind) {
    case 0: return tp_mk_bv(tt, WIDTH, tp_rng_below(&w->rng, N_VALUES));
    case 5: return tp_mk2(tt, TP_OP_BV_ADD, a, number(w, depth - 1));
    case 6:
      return tp_mk2(tt, TP_OP_BV_MUL, tp_mk_bv(tt, WIDTH, tp_rng_below(&w->rng, N_VALUES)), a);
    case 7: return tp_mk_ite(tt, w->flag, a, number(w, depth - 1));
    case 9:
      return tp_mk_trunc(
          tt, WIDTH,
          tp_mk2(tt, TP_OP_BV_LSHR, tp_mk_resize(tt, 2 * WIDTH, tp_rng_below(&w->rng, 2), a),
                 tp_mk_bv(tt, 2 * WIDTH, 1)));
    case 8: return tp_mk2(tt, TP_OP_BV_AND, a, number(w, depth - 1));
    default: return w->v[kind - 1];
  }
}

static tp_term formula(world *w, int depth) {
  static const tp_term_kind kinds[] = {TP_OP_BV_ULT, TP_OP_BV_ULE, TP_OP_BV_SLT, TP_OP_BV_SLE};
  tp_terms *tt = w->tt;
  uint64_t kind = tp_rng_below(&w->rng, depth > 0 ? 8 : 4);
  if (kind == 0) return w->flag;
  if (kind == 1) return tp_mk_eq(tt, number(w, 1), number(w, 1));
  if (kind == 2 && tp_rng_below(&w->rng, 2)) {  // both sides in twice the bits
    bool is_signed = tp_rng_below(&w->rng, 2);
    return tp_mk2(tt, kinds[tp_rng_below(&w->rng, 4)],
                  tp_mk_resize(tt, 2 * WIDTH, is_signed, number(w, 0)),
                  tp_mk2(tt, TP_OP_BV_ADD, tp_mk_resize(tt, 2 * WIDTH, is_signed, number(w, 0)),
                         tp_mk_bv(tt, 2 * WIDTH, 5)));
  }
  if (kind < 4) return tp_mk2(tt, kinds[tp_rng_below(&w->rng, 4)], number(w, 1), number(w, 1));
  tp_term a = formula(w, depth - 1), b = formula(w, depth - 1);
  switch (kind) {
    case 4: return tp_mk_or(tt, a, b);
    case 5: return tp_mk_not(tt, a);
    case 6: return tp_mk_eq(tt, a, b);
    default: return tp_mk_and(tt, a, b);
  }
}

/* Some values of the eliminated variables make t true. */
static bool projection(world *w, tp_term t) {
  for (int flag = 0; flag < 2; flag++)
    for (w->value[0] = 0; w->value[0] < N_VALUES; w->value[0]++)
      for (w->value[1] = 0; w->value[1] < N_VALUES; w->value[1]++) {
        w->flag_value = flag;
        if (holds(w, t)) return true;
      }
  return false;
}

static void check(world *w, tp_term t, uint32_t max_cubes, uint32_t *n_exact) {
  tp_eliminator e = {.tt = w->tt, .is_eliminated = is_eliminated, .ctx = w, .max_cubes = max_cubes};
  bool exact;
  tp_term out = tp_eliminate(&e, t, &exact);
  assert_false(tp_has_eliminated(&e, out));
  *n_exact += exact;
  for (w->value[2] = 0; w->value[2] < N_VALUES; w->value[2]++)
    for (w->value[3] = 0; w->value[3] < N_VALUES; w->value[3]++) {
      bool is = projection(w, t), said = holds(w, out);
      if ((is && !said) || (exact && said && !is)) {
        tp_str text = {0};
        tp_print_c(w->tt, t, TP_C_READABLE, &text);
        tp_str_add(&text, "  gives  ");
        tp_print_c(w->tt, out, TP_C_READABLE, &text);
        fail_msg("%s: %s", is ? "too strong" : "not exact", tp_str_text(&text));
      }
    }
}

static void random_formulas(void **state) {
  (void)state;
  const uint32_t n = getenv("TP_SOAK") ? 1000 : 120;
  uint32_t n_exact = 0, n_plain = 0;
  world w;
  begin(&w, 7);
  for (uint32_t i = 0; i < n; i++) {
    tp_term t = tp_mk_true(w.tt);
    for (int j = 0; j < 4; j++) t = tp_mk_and(w.tt, t, formula(&w, j == 0 ? 2 : 0));
    check(&w, t, 6, &n_exact);
    check(&w, t, 0, &n_plain);
  }
  tp_terms_free(w.tt);
  assert_true(n_exact > n * 9 / 10 && n_plain > n / 4 && n_plain < n_exact);
}

static void equations_are_solved(void **state) {
  (void)state;
  world w;
  begin(&w, 1);
  tp_terms *tt = w.tt;
  tp_term three = tp_mk_bv(tt, WIDTH, 3), triple = tp_mk2(tt, TP_OP_BV_MUL, three, w.v[0]),
          twice = tp_mk2(tt, TP_OP_BV_ADD, w.v[0], w.v[0]);
  // 3 x = y: x = 3 y modulo 8
  assert_true(tp_term_eq(tp_solve_for(tt, triple, w.v[2], w.v[0]),
                         tp_mk2(tt, TP_OP_BV_MUL, three, w.v[2])));
  assert_false(tp_term_is(tp_solve_for(tt, twice, w.v[2], w.v[0])));
  assert_false(
      tp_term_is(tp_solve_for(tt, tp_mk2(tt, TP_OP_BV_MUL, w.v[0], w.v[0]), w.v[2], w.v[0])));
  tp_terms_free(tt);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(equations_are_solved),
                                     cmocka_unit_test(random_formulas)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
