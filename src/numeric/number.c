/* Numbers of either sort: each operation is the one of intervals or of float ranges. */
#include "numeric/number.h"

#include <math.h>

/* The sum of intervals and float ranges: which operator a kind of term is. */

tp_number tp_number_of_interval(tp_interval x) { return (tp_number){.bits = x}; }
tp_number tp_number_of_float(tp_float_range x) { return (tp_number){.is_float = true, .real = x}; }

bool tp_number_full(const tp_terms *tt, tp_sort s, tp_number *out) {
  switch (tp_sort_kind_of(tt, s)) {
    case TP_SORT_BOOL:
    case TP_SORT_BV:
      *out = tp_number_of_interval(tp_interval_full(tp_sort_width(tt, s)));
      return true;
    case TP_SORT_FP:
      *out = tp_number_of_float(tp_float_range_full(tp_sort_width(tt, s)));
      return true;
    case TP_SORT_PTR:
    case TP_SORT_ARRAY:
    case TP_SORT_INT: return false;
  }
  return false;
}
bool tp_number_constant(const tp_terms *tt, tp_term c, tp_number *out) {
  TP_REQUIRE(tp_is_const(tt, c));
  switch ((int)tp_kind(tt, c)) {
    case TP_OP_TRUE: *out = tp_number_of_interval(tp_interval_bool(false, true)); return true;
    case TP_OP_FALSE: *out = tp_number_of_interval(tp_interval_bool(true, false)); return true;
    case TP_OP_BV_CONST:
      *out = tp_number_of_interval(tp_interval_constant(tp_width(tt, c), tp_bv_value(tt, c)));
      return true;
    case TP_OP_FP_CONST:
      *out = tp_number_of_float(
          tp_float_range_constant(tp_width(tt, c), (uint64_t)tp_bv_value(tt, c)));
      return true;
    default: return false;
  }
}

bool tp_number_is_full(const tp_number *x) {
  return x->is_float ? tp_float_range_is_full(&x->real) : tp_interval_is_full(&x->bits);
}
bool tp_number_is_none(const tp_number *x) {
  return x->is_float ? tp_float_range_is_none(&x->real) : tp_interval_is_none(&x->bits);
}
bool tp_number_eq(const tp_number *a, const tp_number *b) {
  if (a->is_float != b->is_float) return false;
  return a->is_float ? tp_float_range_eq(&a->real, &b->real) : tp_interval_eq(&a->bits, &b->bits);
}
static uint64_t mix_wide(uint64_t h, tp_u128 v) {
  return tp_hash_mix(tp_hash_mix(h, (uint64_t)v), (uint64_t)(v >> 64));
}
uint64_t tp_number_hash(const tp_number *x) {
  if (x->is_float) {
    const tp_float_range *r = &x->real;
    uint64_t h = tp_hash_mix(1u + 2u * r->has_number + 4u * r->may_nan, r->width);
    return tp_hash_mix(tp_hash_mix(h, (uint64_t)tp_float_order(r->lo)),
                       (uint64_t)tp_float_order(r->hi));
  }
  uint64_t h = x->bits.width;
  for (int i = 0; i < 2; i++) h = mix_wide(mix_wide(h, x->bits.lo[i]), x->bits.hi[i]);
  return h;
}

// ---------------------------------------------------------- printing, formulas

static void print_unsigned(tp_u128 v, tp_str *out) {
  char digits[40];
  size_t n = sizeof digits;
  digits[--n] = '\0';
  do digits[--n] = (char)('0' + (int)(v % 10));
  while (v /= 10);
  tp_str_add(out, digits + n);
}
static void print_signed(tp_i128 v, tp_str *out) {
  if (v < 0) tp_str_add_char(out, '-');
  print_unsigned(v < 0 ? -(tp_u128)v : (tp_u128)v, out);
}
/* In the signed reading; both halves apart if they do not meet at zero. */
static void print_interval(const tp_interval *x, tp_str *out) {
  const uint32_t w = x->width;
  if (w == 1) {
    tp_str_add(out, tp_interval_is_full(x) ? "?" : tp_interval_has(x, 1) ? "1" : "0");
    return;
  }
  bool one = x->hi[1] == tp_interval_mask(w) && x->lo[0] == 0;
  const char *between = "";
  for (int h = 1; h >= 0; h--) {
    if (!tp_interval_has(x, h)) continue;
    tp_i128 lo = tp_interval_to_signed(w, x->lo[h]),
            hi = tp_interval_to_signed(w, one && h ? x->hi[0] : x->hi[h]);
    tp_str_add(out, between);
    tp_str_add(out, lo == hi ? "{" : "[");
    print_signed(lo, out);
    if (lo != hi) tp_str_add(out, ", "), print_signed(hi, out);
    tp_str_add(out, lo == hi ? "}" : "]");
    between = " or ";
    if (one) return;
  }
}
void tp_number_print(const tp_number *x, tp_str *out) {
  if (!x->is_float) {
    print_interval(&x->bits, out);
    return;
  }
  const tp_float_range *r = &x->real;
  if (r->has_number && tp_float_order(r->lo) == tp_float_order(r->hi))
    tp_str_printf(out, "{%.17g}", r->lo);
  else if (r->has_number)
    tp_str_printf(out, "[%.17g, %.17g]", r->lo, r->hi);
  if (r->may_nan) tp_str_add(out, r->has_number ? " or NaN" : "NaN");
}

/* Bounds of one reading that say something. */
static tp_term between(tp_terms *tt, tp_term_kind le, tp_term t, tp_u128 lo, tp_u128 hi,
                       tp_u128 least, tp_u128 most) {
  const uint32_t w = tp_width(tt, t);
  tp_term from = lo == least ? tp_mk_true(tt) : tp_mk2(tt, le, tp_mk_bv(tt, w, lo), t);
  tp_term to = hi == most ? tp_mk_true(tt) : tp_mk2(tt, le, t, tp_mk_bv(tt, w, hi));
  return tp_mk_and(tt, from, to);
}
static tp_term interval_formula(tp_terms *tt, tp_term t, const tp_interval *x) {
  const uint32_t w = x->width;
  const bool is_bool = tp_sort_kind_of(tt, tp_sort_of(tt, t)) == TP_SORT_BOOL;
  tp_u128 c;
  if (tp_interval_is_full(x)) return tp_mk_true(tt);
  if (tp_interval_is_none(x)) return tp_mk_false(tt);
  if (tp_interval_is_constant(x, &c))
    return is_bool ? c ? t : tp_mk_not(tt, t) : tp_mk_eq(tt, t, tp_mk_bv(tt, w, c));
  const tp_u128 sign = tp_interval_sign(w), mask = tp_interval_mask(w);
  if (!tp_interval_has(x, 1)) return between(tt, TP_OP_BV_ULE, t, x->lo[0], x->hi[0], 0, mask);
  tp_term s = between(tt, TP_OP_BV_SLE, t, x->lo[1], tp_interval_has(x, 0) ? x->hi[0] : x->hi[1],
                      sign, sign - 1);
  if (!tp_interval_has(x, 0)) return s;
  return tp_mk_and(tt, s, between(tt, TP_OP_BV_ULE, t, x->lo[0], x->hi[1], 0, mask));
}
static tp_term float_constant(tp_terms *tt, uint32_t w, double v) {
  return tp_mk_fp(tt, w, tp_float_range_bits(w, v));
}
/* Comparisons of floats do not tell zeros apart: a bound that does is an inequality more. */
static tp_term float_formula(tp_terms *tt, tp_term t, const tp_float_range *x) {
  const uint32_t w = x->width;
  uint64_t bits;
  tp_term nan = tp_mk1(tt, TP_OP_FP_IS_NAN, t);
  if (tp_float_range_is_full(x)) return tp_mk_true(tt);
  if (!x->has_number) return x->may_nan ? nan : tp_mk_false(tt);
  if (tp_float_range_is_constant(x, &bits)) return tp_mk_eq(tt, t, tp_mk_fp(tt, w, bits));
  tp_term in[4] = {tp_mk2(tt, TP_OP_FP_LE, float_constant(tt, w, x->lo), t),
                   tp_mk2(tt, TP_OP_FP_LE, t, float_constant(tt, w, x->hi)), tp_mk_true(tt),
                   tp_mk_true(tt)};
  if (x->lo == 0 && !signbit(x->lo))
    in[2] = tp_mk_not(tt, tp_mk_eq(tt, t, float_constant(tt, w, -0.0)));
  if (x->hi == 0 && signbit(x->hi))
    in[3] = tp_mk_not(tt, tp_mk_eq(tt, t, float_constant(tt, w, 0.0)));
  tp_term number = tp_mk_and_n(tt, in, 4);
  return x->may_nan ? tp_mk_or(tt, nan, number) : number;
}
tp_term tp_number_formula(tp_terms *tt, tp_term t, const tp_number *x) {
  return x->is_float ? float_formula(tt, t, &x->real) : interval_formula(tt, t, &x->bits);
}

// -------------------------------------------------------------------- lattice

bool tp_number_leq(const tp_number *a, const tp_number *b) {
  TP_REQUIRE(a->is_float == b->is_float);
  return a->is_float ? tp_float_range_leq(&a->real, &b->real) : tp_interval_leq(&a->bits, &b->bits);
}
#define LIFT(name, ...)                                                                    \
  (a->is_float ? tp_number_of_float(tp_float_range_##name(&a->real, &b->real __VA_ARGS__)) \
               : tp_number_of_interval(tp_interval_##name(&a->bits, &b->bits __VA_ARGS__)))
tp_number tp_number_join(const tp_number *a, const tp_number *b) {
  TP_REQUIRE(a->is_float == b->is_float);
  return LIFT(join, );
}
tp_number tp_number_meet(const tp_number *a, const tp_number *b) {
  TP_REQUIRE(a->is_float == b->is_float);
  return LIFT(meet, );
}
tp_number tp_number_widen(const tp_number *a, const tp_number *b, tp_thresholds at) {
  return a->is_float ? tp_number_of_float(tp_float_range_widen(&a->real, &b->real, at))
                     : tp_number_of_interval(tp_interval_widen(&a->bits, &b->bits, at));
}
#undef LIFT
