/* Operators on float ranges. Bounds go through tp_fold, the definition of the operations, in the
 * program's own format and rounding; see the header for why that is sound. What is left to do here
 * is to see where an operation is not monotone: sums and products of infinities, division through
 * zero, values that are not numbers. */
#include "numeric/float_range.h"

#include "term/fold.h"

#include <math.h>

/* Intermediate results must have the format they say. */
#include <float.h>
_Static_assert(FLT_EVAL_METHOD == 0, "floats are computed in their own format");

typedef tp_float_range range;

static bool before(double a, double b) { return tp_float_order(a) < tp_float_order(b); }
static range numbers(uint32_t w, double lo, double hi) { return tp_float_range_numbers(w, lo, hi); }
static range all_numbers(uint32_t w) { return numbers(w, -INFINITY, INFINITY); }
static bool has_zero(const range *x) { return x->has_number && x->lo <= 0 && x->hi >= 0; }
static bool has_infinity(const range *x) { return x->has_number && (isinf(x->lo) || isinf(x->hi)); }

/* k on numbers, as the program computes it. */
static double fold(tp_term_kind k, uint64_t payload, uint32_t w, double a, double b, double c) {
  const tp_operation op = {k, TP_SORT_FP, w, w, 64, payload};
  const tp_value v[3] = {{.bits = tp_float_range_bits(w, a)},
                         {.bits = tp_float_range_bits(w, b)},
                         {.bits = tp_float_range_bits(w, c)}};
  tp_value out = {0};
  if (!tp_fold(&op, v, &out)) return NAN;
  const tp_operation widen = {TP_OP_FP_OF_FP, TP_SORT_FP, 64, w, 64, 0};
  const tp_value narrow[3] = {out};  // folding looks at more than it uses
  if (!tp_fold(&widen, narrow, &out)) return NAN;
  uint64_t bits = (uint64_t)out.bits;
  double d;
  memcpy(&d, &bits, sizeof d);
  return d;
}

/* The hull of k on the corners of the box of arguments; everything if a corner is not a number. */
static range corners(tp_term_kind k, uint64_t payload, const range *x, uint32_t n) {
  const uint32_t w = x->width;
  range out = tp_float_range_none(w);
  for (uint32_t i = 0; i < 1u << n; i++) {
    double v[3] = {0, 0, 0};
    for (uint32_t j = 0; j < n; j++) v[j] = i >> j & 1 ? x[j].hi : x[j].lo;
    double r = fold(k, payload, w, v[0], v[1], v[2]);
    if (isnan(r)) return all_numbers(w);
    range one = numbers(w, r, r);
    out = tp_float_range_join(&out, &one);
  }
  return out;
}

// ------------------------------------------------------------------- arithmetic

static bool opposite_infinities(const range *a, const range *b) {
  return (a->hi == INFINITY && b->lo == -INFINITY) || (a->lo == -INFINITY && b->hi == INFINITY);
}
static range add(const range *x) {
  bool nan = opposite_infinities(&x[0], &x[1]);
  range r = nan ? all_numbers(x->width) : corners(TP_OP_FP_ADD, 0, x, 2);
  r.may_nan = nan;
  return r;
}
static range negate(const range *x) {
  range r = *x;
  if (x->has_number) r.lo = -x->hi, r.hi = -x->lo;
  return r;
}
static range multiply(const range *x) {
  bool nan = (has_zero(&x[0]) && has_infinity(&x[1])) || (has_infinity(&x[0]) && has_zero(&x[1]));
  range r = nan ? all_numbers(x->width) : corners(TP_OP_FP_MUL, 0, x, 2);
  if (nan && !signbit(x[0].lo) && !signbit(x[1].lo)) r.lo = 0.0;
  r.may_nan = nan;
  return r;
}
static range divide(const range *x) {
  bool nan = (has_zero(&x[0]) && has_zero(&x[1])) || (has_infinity(&x[0]) && has_infinity(&x[1]));
  range r = nan || has_zero(&x[1]) ? all_numbers(x->width) : corners(TP_OP_FP_DIV, 0, x, 2);
  if (r.lo == -INFINITY && !signbit(x[0].lo) && !signbit(x[1].lo)) r.lo = 0.0;
  r.may_nan = nan;
  return r;
}
/* fmod: the sign of the first argument, smaller than both. */
static range remainder_of(const range *x) {
  const range *a = &x[0], *b = &x[1];
  bool nan = has_infinity(a) || has_zero(b);
  double size = fmax(fabs(a->lo), fabs(a->hi)), by = fmax(fabs(b->lo), fabs(b->hi));
  range r;
  if (!nan && !before(a->lo, a->hi) && !before(b->lo, b->hi))
    r = corners(TP_OP_FP_REM, 0, x, 2);
  else if (!has_zero(b) && size < fmin(fabs(b->lo), fabs(b->hi)))
    r = *a;
  else
    r = numbers(a->width, signbit(a->lo) ? -fmin(size, by) : 0.0,
                signbit(a->hi) ? -0.0 : fmin(size, by));
  r.may_nan = nan;
  return r;
}
static range square_root(const range *x) {
  range r = *x;
  r.may_nan = x->lo < 0;
  if (x->hi < 0) return tp_float_range_constant(x->width, tp_float_range_bits(x->width, NAN));
  if (x->lo < 0) r.lo = -0.0;
  bool nan = r.may_nan;
  r = corners(TP_OP_FP_SQRT, 0, &r, 1);
  r.may_nan = nan;
  return r;
}
static range fused(const range *x) {
  if (!has_infinity(&x[0]) && !has_infinity(&x[1]) && !has_infinity(&x[2]))
    return corners(TP_OP_FP_FMA, 0, x, 3);
  return tp_float_range_full(x->width);
}
static range absolute(const range *x) {
  if (!signbit(x->lo)) return *x;
  range n = negate(x);
  if (signbit(x->hi)) return n;
  return numbers(x->width, 0.0, before(x->hi, n.hi) ? n.hi : x->hi);
}
/* fmin and fmax give one of the two, of equal zeros any; a value that is not a number gives way. */
static range choose(tp_term_kind k, const range *x) {
  const range *a = &x[0], *b = &x[1];
  range r = tp_float_range_none(a->width);
  if (a->has_number && b->has_number) {
    bool low = k == TP_OP_FP_MIN;
    double lo = before(a->lo, b->lo) == low ? a->lo : b->lo,
           hi = before(a->hi, b->hi) == low ? a->hi : b->hi;
    r = numbers(a->width, lo == 0 ? -0.0 : lo, hi == 0 ? 0.0 : hi);
    range either = tp_float_range_join(a, b);
    r = tp_float_range_meet(&r, &either);
  }
  range a_number = *a, b_number = *b;
  a_number.may_nan = b_number.may_nan = false;
  if (b->may_nan) r = tp_float_range_join(&r, &a_number);
  if (a->may_nan) r = tp_float_range_join(&r, &b_number);
  r.may_nan = a->may_nan && b->may_nan;
  return r;
}

tp_float_range tp_float_range_apply(tp_term_kind k, uint64_t payload, const tp_float_range *args) {
  TP_REQUIRE(k >= TP_OP_FP_ADD && k <= TP_OP_FP_MAX);
  const uint32_t w = args->width;
  const uint32_t n =
      k == TP_OP_FP_FMA                                                                     ? 3
      : k == TP_OP_FP_NEG || k == TP_OP_FP_ABS || k == TP_OP_FP_SQRT || k == TP_OP_FP_ROUND ? 1
                                                                                            : 2;
  if (k == TP_OP_FP_MIN || k == TP_OP_FP_MAX) return choose(k, args);
  range x[3], r = tp_float_range_none(w);
  bool nan = false, number = true;
  for (uint32_t i = 0; i < n; i++) {
    x[i] = args[i];
    nan |= x[i].may_nan, number &= x[i].has_number;
    x[i].may_nan = false;
  }
  if (number) switch ((int)k) {
      case TP_OP_FP_SUB:
        x[1] = negate(&x[1]);
        r = add(x);
        break;
      case TP_OP_FP_ADD: r = add(x); break;
      case TP_OP_FP_MUL: r = multiply(x); break;
      case TP_OP_FP_DIV: r = divide(x); break;
      case TP_OP_FP_REM: r = remainder_of(x); break;
      case TP_OP_FP_NEG: r = negate(x); break;
      case TP_OP_FP_ABS: r = absolute(x); break;
      case TP_OP_FP_SQRT: r = square_root(x); break;
      case TP_OP_FP_FMA: r = fused(x); break;
      case TP_OP_FP_ROUND: r = corners(k, payload, x, 1); break;
      default: return tp_float_range_full(w);
    }
  r.may_nan |= nan;
  return r;
}

// ------------------------------------------------------------------ conversions

tp_float_range tp_float_range_convert(uint32_t width, const tp_float_range *a) {
  range r = *a;
  r.width = width;
  if (a->has_number) r.lo = tp_float_nearest(width, a->lo), r.hi = tp_float_nearest(width, a->hi);
  return r;
}
static double of_integer(uint32_t width, bool is_signed, uint32_t from, tp_u128 v) {
  const tp_operation op = {
      is_signed ? TP_OP_FP_OF_SBV : TP_OP_FP_OF_UBV, TP_SORT_BV, width, from, 64, 0};
  const tp_value args[3] = {{.bits = v}};  // folding looks at more than it uses
  tp_value out = {0};
  if (!tp_fold(&op, args, &out)) return NAN;
  return tp_float_range_constant(width, (uint64_t)out.bits).lo;
}
tp_float_range tp_float_range_of_interval(uint32_t width, bool is_signed, const tp_interval *a) {
  tp_u128 mask = tp_interval_mask(a->width);
  tp_u128 lo = is_signed ? (tp_u128)tp_interval_smin(a) & mask : tp_interval_umin(a);
  tp_u128 hi = is_signed ? (tp_u128)tp_interval_smax(a) & mask : tp_interval_umax(a);
  return numbers(width, of_integer(width, is_signed, a->width, lo),
                 of_integer(width, is_signed, a->width, hi));
}

/* Bits of numbers without sign grow with the number, those with sign fall; above the infinities are
 * no numbers. */
static tp_u128 infinity_bits(uint32_t width) {
  return width == 32 ? 0x7f800000 : 0x7ff0000000000000;
}
tp_float_range tp_float_range_of_bits(const tp_interval *a) {
  TP_REQUIRE(a->width == 32 || a->width == 64);
  const uint32_t w = a->width;
  const tp_u128 inf[2] = {infinity_bits(w), infinity_bits(w) | tp_interval_sign(w)};
  range r = tp_float_range_none(w);
  for (int h = 0; h < 2; h++) {
    if (!tp_interval_has(a, h)) continue;
    if (a->hi[h] > inf[h]) r.may_nan = true;
    if (a->lo[h] > inf[h]) continue;
    double p = tp_float_range_constant(w, (uint64_t)a->lo[h]).lo;
    double q = tp_float_range_constant(w, (uint64_t)(a->hi[h] < inf[h] ? a->hi[h] : inf[h])).lo;
    range x = h ? numbers(w, q, p) : numbers(w, p, q);
    r = tp_float_range_join(&r, &x);
  }
  return r;
}
tp_interval tp_float_range_to_bits(const tp_float_range *a) {
  const uint32_t w = a->width;
  tp_interval out = tp_interval_none(w), x;
  if (a->may_nan)
    for (int h = 0; h < 2; h++) {
      tp_u128 sign = h ? tp_interval_sign(w) : 0;
      x = tp_interval_unsigned(w, sign | (infinity_bits(w) + 1), sign | (tp_interval_sign(w) - 1));
      out = tp_interval_join(&out, &x);
    }
  if (a->has_number && !signbit(a->hi)) {
    x = tp_interval_unsigned(w, signbit(a->lo) ? 0 : tp_float_range_bits(w, a->lo),
                             tp_float_range_bits(w, a->hi));
    out = tp_interval_join(&out, &x);
  }
  if (a->has_number && signbit(a->lo)) {
    x = tp_interval_unsigned(w, tp_float_range_bits(w, signbit(a->hi) ? a->hi : -0.0),
                             tp_float_range_bits(w, a->lo));
    out = tp_interval_join(&out, &x);
  }
  return out;
}

/* Truncation goes through a signed integer of 32, 64 or 128 bits (unsigned 64: of 64 bits or one
 * more) and is cut to the width; what does not fit there is the smallest such integer. See
 * to_integer in term/fold.c. */
tp_interval tp_float_range_to_interval(uint32_t width, bool is_signed, const tp_float_range *a) {
  if (width > 64) return tp_interval_full(width);
  const uint32_t n = (is_signed || width < 32) && width <= 32 ? 32 : 64;
  const double limit = ldexp(1, (int)n - 1), above = !is_signed && width > 32 ? 2 * limit : limit;
  const tp_u128 indefinite = (tp_u128)1 << (n - 1);
  tp_interval out = tp_interval_none(width);
  double lo = trunc(a->lo), hi = trunc(a->hi);
  if (a->may_nan || (a->has_number && (lo < -limit || hi >= above)))
    tp_interval_include(&out, indefinite, 0);
  if (!a->has_number || hi < -limit || lo >= above) return out;
  if (lo < -limit) lo = -limit;
  if (hi >= above) hi = nextafter(above, 0);
  tp_i128 from = (tp_i128)lo, to = hi == nextafter(above, 0) ? (tp_i128)above - 1 : (tp_i128)hi;
  tp_interval_include(&out, (tp_u128)from, (tp_u128)to - (tp_u128)from);
  return out;
}

// ------------------------------------------------------------------ comparisons

tp_interval tp_float_range_compare(tp_term_kind k, const tp_float_range *a,
                                   const tp_float_range *b) {
  TP_REQUIRE(a->width == b->width);
  const bool nan = a->may_nan || b->may_nan, both = a->has_number && b->has_number;
  if (k == TP_OP_EQ) {
    range common = tp_float_range_meet(a, b);
    bool same = (tp_float_range_is_constant(a, NULL) && tp_float_range_eq(a, b)) ||
                (!a->has_number && !b->has_number);
    return tp_interval_bool(!same, !tp_float_range_is_none(&common));
  }
  if (!both) return tp_interval_bool(true, false);
  switch ((int)k) {
    case TP_OP_FP_LT: return tp_interval_bool(nan || !(a->hi < b->lo), a->lo < b->hi);
    case TP_OP_FP_LE: return tp_interval_bool(nan || !(a->hi <= b->lo), a->lo <= b->hi);
    default: {
      bool same = a->lo == a->hi && b->lo == b->hi && a->lo == b->lo;
      return tp_interval_bool(nan || !same, a->lo <= b->hi && b->lo <= a->hi);
    }
  }
}
tp_interval tp_float_range_test(tp_term_kind k, const tp_float_range *a) {
  if (k == TP_OP_FP_IS_NAN) return tp_interval_bool(a->has_number, a->may_nan);
  bool finite = a->has_number && !(a->lo == a->hi && isinf(a->lo));
  return tp_interval_bool(finite || a->may_nan, has_infinity(a));
}
