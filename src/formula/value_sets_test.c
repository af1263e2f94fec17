/* Possible values of random bit-vector terms contain what evaluation gives. */
#include "formula/value_sets.h"

#include "formula/testing.h"

enum { N_TERMS = 60, N_TABLES = 120, N_VALUATIONS = 25 };

typedef struct {
  tp_terms *tt;
  tp_rng rng;
  tp_term at[N_TERMS];
  int n;
} pool;

static tp_term pick(pool *p) { return p->at[tp_rng_below(&p->rng, (uint64_t)p->n)]; }

/* One of the terms so far, brought to this width. */
static tp_term of_width(pool *p, uint32_t w) {
  tp_term t = pick(p);
  return tp_mk_resize(p->tt, w, tp_rng_below(&p->rng, 2) == 0, t);
}

static tp_term constant(pool *p, uint32_t w) {
  uint64_t small = tp_rng_below(&p->rng, 20);
  return tp_mk_bv_signed(p->tt, w, tp_rng_below(&p->rng, 3) ? (int64_t)small : -(int64_t)small);
}

static tp_term grow(pool *p) {
  static const tp_term_kind by_constant[] = {TP_OP_BV_MUL,  TP_OP_BV_SHL,  TP_OP_BV_AND,
                                             TP_OP_BV_SREM, TP_OP_BV_LSHR, TP_OP_BV_UDIV,
                                             TP_OP_BV_UREM, TP_OP_BV_ADD};
  static const uint32_t widths[] = {8, 13, 16, 32, 64};
  uint32_t w = widths[tp_rng_below(&p->rng, 5)];
  tp_term a = of_width(p, w), b = of_width(p, w);
  switch (tp_rng_below(&p->rng, 6)) {
    case 0: return tp_mk_ite(p->tt, tp_mk2(p->tt, TP_OP_BV_ULT, a, b), a, b);
    case 1: return tp_mk_ite(p->tt, tp_mk2(p->tt, TP_OP_BV_SLT, b, a), constant(p, w), b);
    case 2: return tp_mk2(p->tt, TP_OP_BV_ADD, a, b);
    case 3: return tp_mk_sub(p->tt, a, b);
    default: return tp_mk2(p->tt, by_constant[tp_rng_below(&p->rng, 8)], a, constant(p, w));
  }
}

static bool has_value(const tp_value_set *v, uint32_t w, uint64_t x) {
  for (uint32_t i = 0; i < v->n; i++)
    if (v->at[i] == x) return true;
  if (v->n) return false;
  uint64_t from_lo = (x - v->lo) & (w == 64 ? UINT64_MAX : ((uint64_t)1 << w) - 1);
  return from_lo <= v->span && from_lo % v->stride == 0;
}

static void check_term(tp_terms *tt, tp_value_sets *m, tp_term t, const test_values *values) {
  const tp_value_set *v = tp_value_set_of(m, t);
  uint32_t w = tp_width(tt, t);
  uint64_t x = (uint64_t)test_eval(tt, t, values).bits, r;
  if (!has_value(v, w, x)) {
    tp_str s = {0};
    tp_print_c(tt, t, TP_C_READABLE, &s);
    fail_msg("%s can be %llu", tp_str_text(&s), (unsigned long long)x);
  }
  assert_true(tp_value_set_min(v, w) <= x && x <= tp_value_set_max(v, w));
  for (uint64_t modulus = 1; modulus <= 8; modulus *= 2)
    if (tp_value_set_residue(v, modulus, &r)) assert_int_equal(x % modulus, r);
}

static void contains_evaluation(void **unused) {
  (void)unused;
  uint64_t sharp = 0;
  for (uint64_t seed = 1; seed <= N_TABLES; seed++) {
    pool p = {.tt = tp_terms_new(64)};
    tp_rng_init(&p.rng, seed);
    for (int i = 0; i < 3; i++) p.at[p.n++] = tp_mk_var(p.tt, "x", tp_sort_bv(p.tt, 8u << i));
    while (p.n < N_TERMS) {
      tp_term t = grow(&p);
      p.at[p.n++] = t;
    }
    tp_value_sets m;
    tp_value_sets_init(&m, p.tt);
    for (int k = 0; k < N_VALUATIONS; k++) {
      test_values values;
      test_draw(&p.rng, &values);
      for (int i = 0; i < p.n; i++) check_term(p.tt, &m, p.at[i], &values);
    }
    for (int i = 0; i < p.n; i++)
      sharp += tp_value_set_of(&m, p.at[i])->stride > 1 || tp_value_set_of(&m, p.at[i])->n > 0;
    tp_value_sets_clear(&m);
    tp_terms_free(p.tt);
  }
  assert_true(sharp > N_TABLES);  // the answers say something
  assert_int_equal(tp_live_bytes(), 0);
}

/* Index times size plus member offset: the residues of a struct array, also for negative indices.
 */
static void strides(void **unused) {
  (void)unused;
  tp_terms *tt = tp_terms_new(64);
  tp_term i = tp_mk_sext(tt, 64, tp_mk_var(tt, "i", tp_sort_bv(tt, 32)));
  tp_term off = tp_mk2(tt, TP_OP_BV_ADD, tp_mk2(tt, TP_OP_BV_MUL, i, tp_mk_bv(tt, 64, 12)),
                       tp_mk_bv(tt, 64, 8));
  tp_value_sets m;
  tp_value_sets_init(&m, tt);
  const tp_value_set *v = tp_value_set_of(&m, off);
  assert_true(has_value(v, 64, 8) && has_value(v, 64, 20) && has_value(v, 64, (uint64_t)-4));
  assert_false(has_value(v, 64, 12) || has_value(v, 64, 9));
  tp_value_sets_clear(&m);
  tp_terms_free(tt);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(contains_evaluation),
                                     cmocka_unit_test(strides)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
