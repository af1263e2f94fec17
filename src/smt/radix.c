/* The difference of both sides is a sum of products. For a radix c (the largest coefficient, or a
 * factor of several products) what c divides is c r, the rest is d. Everything is exact as long as
 * no sum can reach 2^(w-1): extensions of short terms cannot be large, of other terms the clause
 * says how small they must be. */
#include "smt/radix.h"

#include "smt/smt_limits.h"
#include "term/rewrite.h"

typedef struct {
  tp_terms *tt;
  tp_linear sum;
  tp_term conditions;  // under which no sum wraps
  tp_u128 share;       // of 2^(w-1), for each product
} radix_sum;

static tp_u128 size_of(tp_u128 c, uint32_t w) {
  return c > tp_mask(w) >> 1 ? tp_cut(~c + 1, w) : c;
}

/* -bound <= t <= bound */
static tp_term is_within(tp_terms *tt, tp_term t, tp_u128 bound) {
  const uint32_t w = tp_width(tt, t);
  const tp_term low = tp_mk_bv(tt, w, tp_cut(~bound + 1, w)), high = tp_mk_bv(tt, w, bound);
  return tp_mk_and(tt, tp_mk2(tt, TP_OP_BV_SLE, low, t), tp_mk2(tt, TP_OP_BV_SLE, t, high));
}

static bool is_product(const tp_terms *tt, tp_term t) {
  return tp_kind(tt, t) == TP_OP_BV_MUL && !tp_is_const(tt, tp_arg(tt, t, 0)) &&
         !tp_is_const(tt, tp_arg(tt, t, 1));
}

/* The largest power of 2 whose square, if `is_square`, times c is at most the share. 0: none. */
static tp_u128 bound_for(tp_u128 share, tp_u128 c, bool is_square) {
  tp_u128 bound = 0;
  for (tp_u128 b = 1; b <= share; b <<= 1) {
    const tp_u128 value = is_square ? b * b : b;
    if (value > share / c) break;
    bound = b;
  }
  return bound;
}

/* Conditions under which |coefficient * base| is at most the share of a product. */
static bool bound_product(radix_sum *s, tp_term base, tp_u128 coefficient) {
  const tp_u128 c = size_of(coefficient, s->sum.width);
  const bool is_square = is_product(s->tt, base);
  const tp_u128 bound = bound_for(s->share, c, is_square);
  if (!bound) return false;
  for (uint32_t i = 0; i < (is_square ? 2u : 1u); i++) {
    const tp_term t = is_square ? tp_arg(s->tt, base, i) : base;
    s->conditions = tp_mk_and(s->tt, s->conditions, is_within(s->tt, t, bound));
  }
  return true;
}

static bool bound_all(radix_sum *s) {
  const uint32_t w = s->sum.width;
  s->share = (tp_mask(w) >> 1) / (2 * (s->sum.n + 1));
  s->conditions = tp_mk_true(s->tt);
  if (size_of(s->sum.constant, w) > s->share) return false;
  for (uint32_t i = 0; i < s->sum.n; i++)
    if (!bound_product(s, s->sum.m[i].base, s->sum.m[i].coefficient)) return false;
  return true;
}

/* c r + d = 0 and |d| < |c| only where r = 0 and d = 0; |c| is what `radix` is, if it is positive.
 */
static tp_term clause(const radix_sum *s, tp_term equation, tp_term radix, const tp_linear *r,
                      const tp_linear *d) {
  tp_terms *tt = s->tt;
  const uint32_t w = s->sum.width;
  const tp_term row = tp_linear_term(tt, r), rest = tp_linear_term(tt, d),
                zero = tp_mk_bv(tt, w, 0),
                inside = tp_mk_and(tt, tp_mk2(tt, TP_OP_BV_SLT, rest, radix),
                                   tp_mk2(tt, TP_OP_BV_SLT, tp_mk_sub(tt, zero, radix), rest)),
                apart = tp_mk_and(tt, tp_mk_eq(tt, row, zero), tp_mk_eq(tt, rest, zero));
  return tp_mk_implies(tt, tp_mk_and(tt, tp_mk_and(tt, equation, inside), s->conditions), apart);
}

/* The largest coefficient as radix. */
static tp_term by_constant(const radix_sum *s, tp_term equation) {
  const uint32_t w = s->sum.width;
  tp_u128 c = 0;
  tp_linear r, d;
  tp_linear_init(&r, w);
  tp_linear_init(&d, w);
  for (uint32_t i = 0; i < s->sum.n; i++)
    if (size_of(s->sum.m[i].coefficient, w) > c) c = size_of(s->sum.m[i].coefficient, w);
  if (c <= 1) return tp_mk_true(s->tt);
  for (uint32_t i = 0; i < s->sum.n; i++) {
    const tp_u128 coefficient = s->sum.m[i].coefficient, size = size_of(coefficient, w);
    const bool fits = size % c == 0, is_negative = size != coefficient;
    const tp_u128 q = is_negative ? tp_cut(~(size / c) + 1, w) : size / c;
    if (!tp_linear_add(s->tt, fits ? &r : &d, s->sum.m[i].base, fits ? q : coefficient))
      return tp_mk_true(s->tt);
  }
  d.constant = s->sum.constant;
  return d.n ? clause(s, equation, tp_mk_bv(s->tt, w, c), &r, &d) : tp_mk_true(s->tt);
}

/* A factor of products as radix; those of other coefficients than 1 and -1 are in the rest. */
static tp_term by_factor(const radix_sum *s, tp_term equation, tp_term factor) {
  const uint32_t w = s->sum.width;
  tp_terms *tt = s->tt;
  tp_linear r, d;
  tp_linear_init(&r, w);
  tp_linear_init(&d, w);
  for (uint32_t i = 0; i < s->sum.n; i++) {
    const tp_term base = s->sum.m[i].base;
    tp_term other = TP_TERM_NONE;
    if (is_product(tt, base) && size_of(s->sum.m[i].coefficient, w) == 1)
      for (uint32_t side = 0; side < 2 && !tp_term_is(other); side++)
        if (tp_term_eq(tp_arg(tt, base, side), factor)) other = tp_arg(tt, base, 1 - side);
    const bool fits = tp_term_is(other);
    if (!tp_linear_add(tt, fits ? &r : &d, fits ? other : base, s->sum.m[i].coefficient))
      return tp_mk_true(tt);
  }
  d.constant = s->sum.constant;
  return r.n ? clause(s, equation, factor, &r, &d) : tp_mk_true(tt);
}

tp_term tp_radix_clauses(tp_terms *tt, tp_term equation) {
  radix_sum s = {.tt = tt};
  tp_term all = tp_mk_true(tt);
  tp_map tried = {0};
  if (tp_kind(tt, equation) != TP_OP_EQ) return all;
  const tp_term a = tp_arg(tt, equation, 0), b = tp_arg(tt, equation, 1);
  if (tp_sort_kind_of(tt, tp_sort_of(tt, a)) != TP_SORT_BV || tp_width(tt, a) > 64) return all;
  tp_linear_init(&s.sum, tp_width(tt, a));
  if (!tp_linear_add(tt, &s.sum, a, 1) || !tp_linear_add(tt, &s.sum, b, tp_mask(s.sum.width)) ||
      s.sum.n < 2 || s.sum.n > TP_SMT_RADIX_PRODUCTS || !bound_all(&s))
    return all;
  all = by_constant(&s, equation);
  for (uint32_t i = 0; i < s.sum.n; i++)
    for (uint32_t side = 0; side < 2 && is_product(tt, s.sum.m[i].base); side++) {
      const tp_term factor = tp_arg(tt, s.sum.m[i].base, side);
      if (tp_map_has(&tried, factor.id)) continue;
      tp_map_set(&tried, factor.id, 1);
      all = tp_mk_and(tt, all, by_factor(&s, equation, factor));
    }
  tp_map_clear(&tried);
  return all;
}
