/* Backward operators of floats. A comparison that holds says that neither side is a NaN; one that
 * fails says so only about a side whose partner is a number for certain. */
#include "numeric/float_range.h"

#include <math.h>

typedef tp_float_range range;

static bool shrink(range *x, const range *by) {
  *x = tp_float_range_meet(x, by);
  return !tp_float_range_is_none(x);
}
/* x is a number of at most (at least) v, in the order of numbers, where zeros are equal; or not a
 * number if that may be. */
static bool at_most(range *x, double v, bool or_nan) {
  range y = tp_float_range_numbers(x->width, -INFINITY, v == 0 ? 0.0 : v);
  y.may_nan = or_nan;
  return shrink(x, &y);
}
static bool at_least(range *x, double v, bool or_nan) {
  range y = tp_float_range_numbers(x->width, v == 0 ? -0.0 : v, INFINITY);
  y.may_nan = or_nan;
  return shrink(x, &y);
}
static double next(uint32_t width, double v, double towards) {
  return width == 32 ? (double)nextafterf((float)v, (float)towards) : nextafter(v, towards);
}

/* a < b or a <= b holds. */
static bool refine_less(bool strict, range *a, range *b) {
  if (!a->has_number || !b->has_number) return false;
  if (strict && (b->hi == -INFINITY || a->lo == INFINITY)) return false;
  double top = strict ? next(a->width, b->hi, -INFINITY) : b->hi,
         bottom = strict ? next(a->width, a->lo, INFINITY) : a->lo;
  return at_most(a, top, false) && at_least(b, bottom, false);
}
/* a < b or a <= b fails: one is not a number, or b <= a (b < a). */
static bool refine_not_less(bool strict, range *a, range *b) {
  const bool a_nan = a->may_nan, b_nan = b->may_nan;
  if (!a_nan && !b_nan) return refine_less(!strict, b, a);
  if (b_nan && a_nan) return true;
  range *sure = a_nan ? b : a, *unsure = a_nan ? a : b;
  if (!sure->has_number) return false;
  if (!unsure->has_number) return true;
  range s = *sure, u = *unsure;
  u.may_nan = false;
  bool number = a_nan ? refine_less(!strict, &s, &u) : refine_less(!strict, &u, &s);
  if (!number)
    *unsure = tp_float_range_none(unsure->width);
  else
    *unsure = u;
  unsure->may_nan = true;
  return true;
}
static bool refine_same_number(range *a, range *b) {
  if (!a->has_number || !b->has_number) return false;
  return at_most(a, b->hi, false) && at_least(a, b->lo, false) && at_most(b, a->hi, false) &&
         at_least(b, a->lo, false);
}
static bool refine_same_bits(range *a, range *b) {
  if (!shrink(a, b)) return false;
  *b = *a;
  return true;
}
bool tp_float_range_refine_compare(tp_term_kind k, const tp_interval *result, tp_float_range *a,
                                   tp_float_range *b) {
  tp_interval forward = tp_float_range_compare(k, a, b), r = tp_interval_meet(&forward, result);
  tp_u128 v;
  if (tp_interval_is_none(&r)) return false;
  if (!tp_interval_is_constant(&r, &v)) return true;
  switch ((int)k) {
    case TP_OP_FP_LT:
    case TP_OP_FP_LE:
      return v ? refine_less(k == TP_OP_FP_LT, a, b) : refine_not_less(k == TP_OP_FP_LT, a, b);
    case TP_OP_FP_EQ: return !v || refine_same_number(a, b);
    default: return !v || refine_same_bits(a, b);
  }
}

bool tp_float_range_refine_test(tp_term_kind k, const tp_interval *result, tp_float_range *a) {
  tp_interval forward = tp_float_range_test(k, a), r = tp_interval_meet(&forward, result);
  tp_u128 v;
  if (tp_interval_is_none(&r)) return false;
  if (!tp_interval_is_constant(&r, &v)) return true;
  const uint32_t w = a->width;
  if (k == TP_OP_FP_IS_NAN) {
    if (v)
      a->has_number = false, a->lo = a->hi = 0;
    else
      a->may_nan = false;
    return !tp_float_range_is_none(a);
  }
  if (v) {  // an infinity: the bounds that are none move to the other one
    a->may_nan = false;
    if (!isinf(a->lo)) a->lo = INFINITY;
    if (!isinf(a->hi)) a->hi = -INFINITY;
    return a->has_number;
  }
  if (a->has_number && a->lo == -INFINITY) a->lo = next(w, -INFINITY, 0);
  if (a->has_number && a->hi == INFINITY) a->hi = next(w, INFINITY, 0);
  return true;
}

bool tp_float_range_refine_sign(tp_term_kind k, const tp_float_range *result, tp_float_range *a) {
  range minus = tp_float_range_apply(TP_OP_FP_NEG, 0, result);
  if (k == TP_OP_FP_NEG) return shrink(a, &minus);
  range r = *result, positive = tp_float_range_numbers(r.width, 0.0, INFINITY), negative;
  positive.may_nan = true;
  r = tp_float_range_meet(&r, &positive);
  minus = tp_float_range_apply(TP_OP_FP_NEG, 0, &r);
  positive = tp_float_range_meet(a, &r), negative = tp_float_range_meet(a, &minus);
  *a = tp_float_range_join(&positive, &negative);
  return !tp_float_range_is_none(a);
}

/* The wider format has every number of the narrower one: the bounds are the nearest ones inside. */
bool tp_float_range_refine_convert(const tp_float_range *result, tp_float_range *a) {
  if (a->width >= result->width) return true;
  range r = *result;
  r.width = a->width;
  if (r.has_number) {
    double lo = tp_float_nearest(r.width, r.lo), hi = tp_float_nearest(r.width, r.hi);
    if (lo < r.lo) lo = next(r.width, lo, INFINITY);
    if (hi > r.hi) hi = next(r.width, hi, -INFINITY);
    r.lo = lo, r.hi = hi;
    if (tp_float_order(r.hi) < tp_float_order(r.lo)) r.has_number = false, r.lo = r.hi = 0;
  }
  return shrink(a, &r);
}

/* An integer that the format has exactly lies between the bounds of its float. */
bool tp_float_range_refine_of_interval(bool is_signed, const tp_float_range *result,
                                       tp_interval *a) {
  if (!result->has_number) return false;
  if (a->width > (result->width == 32 ? 24u : 53u)) return true;
  const double limit = ldexp(1, 60);
  double lo = ceil(fmax(result->lo, -limit)), hi = floor(fmin(result->hi, limit));
  tp_i128 least = is_signed ? tp_interval_smin(a) : (tp_i128)tp_interval_umin(a);
  tp_i128 most = is_signed ? tp_interval_smax(a) : (tp_i128)tp_interval_umax(a);
  if ((double)least < lo) least = (tp_i128)lo;
  if ((double)most > hi) most = (tp_i128)hi;
  if (least > most) return false;
  tp_interval y = tp_interval_signed(a->width, least, most);
  *a = tp_interval_meet(a, &y);
  return !tp_interval_is_none(a);
}
