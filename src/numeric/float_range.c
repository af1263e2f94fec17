/* The lattice of float ranges. All comparisons of bounds are comparisons of integers: the bits of
 * floats, read as sign and magnitude, are in the order of the numbers. */
#include "numeric/float_range.h"

#include <float.h>
#include <math.h>

int64_t tp_float_order(double v) {
  int64_t i;
  memcpy(&i, &v, sizeof i);
  return i < 0 ? i ^ INT64_MAX : i;
}
static bool before(double a, double b) { return tp_float_order(a) < tp_float_order(b); }
static double lower(double a, double b) { return before(a, b) ? a : b; }
static double upper(double a, double b) { return before(a, b) ? b : a; }

uint64_t tp_float_range_bits(uint32_t width, double v) {
  if (width == 32) {
    float f = (float)v;
    uint32_t b;
    memcpy(&b, &f, sizeof b);
    return b;
  }
  uint64_t b;
  memcpy(&b, &v, sizeof b);
  return b;
}
static double of_bits(uint32_t width, uint64_t bits) {
  if (width == 32) {
    uint32_t b = (uint32_t)bits;
    float f;
    memcpy(&f, &b, sizeof f);
    return (double)f;
  }
  double d;
  memcpy(&d, &bits, sizeof d);
  return d;
}
/* By way of the bits: gcc 12 takes two (double)(float) conversions beside each other for nothing at
 * -O2. */
double tp_float_nearest(uint32_t width, double v) {
  return of_bits(width, tp_float_range_bits(width, v));
}

tp_float_range tp_float_range_none(uint32_t width) {
  TP_REQUIRE(width == 32 || width == 64);
  return (tp_float_range){.width = width};
}
tp_float_range tp_float_range_full(uint32_t width) {
  return (tp_float_range){width, true, true, -INFINITY, INFINITY};
}
tp_float_range tp_float_range_numbers(uint32_t width, double lo, double hi) {
  TP_REQUIRE((width == 32 || width == 64) && !(lo > hi));
  return (tp_float_range){width, true, false, lo, hi};
}
tp_float_range tp_float_range_constant(uint32_t width, uint64_t bits) {
  TP_REQUIRE(width == 32 || width == 64);
  double d = of_bits(width, bits);
  return isnan(d) ? (tp_float_range){width, false, true, 0, 0}
                  : tp_float_range_numbers(width, d, d);
}

bool tp_float_range_is_none(const tp_float_range *x) { return !x->has_number && !x->may_nan; }
bool tp_float_range_is_full(const tp_float_range *x) {
  return x->has_number && x->may_nan && x->lo == -INFINITY && x->hi == INFINITY;
}
bool tp_float_range_is_constant(const tp_float_range *x, uint64_t *bits) {
  if (!x->has_number || x->may_nan || before(x->lo, x->hi)) return false;
  if (bits) *bits = tp_float_range_bits(x->width, x->lo);
  return true;
}
bool tp_float_range_contains(const tp_float_range *x, uint64_t bits) {
  double d = of_bits(x->width, bits);
  if (isnan(d)) return x->may_nan;
  return x->has_number && !before(d, x->lo) && !before(x->hi, d);
}
bool tp_float_range_eq(const tp_float_range *a, const tp_float_range *b) {
  return a->width == b->width && a->has_number == b->has_number && a->may_nan == b->may_nan &&
         tp_float_order(a->lo) == tp_float_order(b->lo) &&
         tp_float_order(a->hi) == tp_float_order(b->hi);
}

bool tp_float_range_leq(const tp_float_range *a, const tp_float_range *b) {
  TP_REQUIRE(a->width == b->width);
  if (a->may_nan && !b->may_nan) return false;
  return !a->has_number || (b->has_number && !before(a->lo, b->lo) && !before(b->hi, a->hi));
}
tp_float_range tp_float_range_join(const tp_float_range *a, const tp_float_range *b) {
  TP_REQUIRE(a->width == b->width);
  tp_float_range x = b->has_number ? *b : *a;
  if (a->has_number && b->has_number) x.lo = lower(a->lo, b->lo), x.hi = upper(a->hi, b->hi);
  x.may_nan = a->may_nan || b->may_nan;
  return x;
}
tp_float_range tp_float_range_meet(const tp_float_range *a, const tp_float_range *b) {
  TP_REQUIRE(a->width == b->width);
  tp_float_range x = tp_float_range_none(a->width);
  x.may_nan = a->may_nan && b->may_nan;
  if (!a->has_number || !b->has_number) return x;
  double lo = upper(a->lo, b->lo), hi = lower(a->hi, b->hi);
  if (!before(hi, lo)) x.has_number = true, x.lo = lo, x.hi = hi;
  return x;
}

// -------------------------------------------------------------------- widening

static double largest(uint32_t width) { return width == 32 ? (double)FLT_MAX : DBL_MAX; }

/* The least stop that is at least v: a threshold that the format has exactly, the largest number,
 * infinity. */
static double rest_above(uint32_t width, double v, tp_thresholds at) {
  for (size_t i = 0; i < at.n; i++) {
    double d = tp_float_nearest(width, (double)at.at[i]);
    if (d >= v && (d != 0 || !before(d, v))) return d;
  }
  return v <= largest(width) ? largest(width) : (double)INFINITY;
}
static double rest_below(uint32_t width, double v, tp_thresholds at) {
  for (size_t i = at.n; i-- > 0;) {
    double d = tp_float_nearest(width, (double)at.at[i]);
    if (d == 0) d = -0.0;
    if (d <= v) return d;
  }
  return v >= -largest(width) ? -largest(width) : (double)-INFINITY;
}
tp_float_range tp_float_range_widen(const tp_float_range *a, const tp_float_range *b,
                                    tp_thresholds at) {
  TP_REQUIRE(a->width == b->width);
  tp_float_range x = tp_float_range_join(a, b);
  if (!a->has_number) return x;
  if (before(x.lo, a->lo)) x.lo = rest_below(x.width, x.lo, at);
  if (before(a->hi, x.hi)) x.hi = rest_above(x.width, x.hi, at);
  return x;
}
