/* Backward operators: which arguments can give a result that is known? Most have an inverse that is
 * itself an operator or works on pieces (the ranges on either side of the sign bit). First the
 * result is met with what the arguments can give at all; that meet is exact, so an empty one means
 * that the operation cannot have had this result. */
#include "numeric/interval.h"

static bool shrink(tp_interval *x, const tp_interval *by) {
  *x = tp_interval_meet(x, by);
  return !tp_interval_is_none(x);
}
static bool at_least(tp_interval *x, tp_u128 v) {
  tp_interval y = tp_interval_unsigned(x->width, v, tp_interval_mask(x->width));
  return shrink(x, &y);
}
static bool at_most(tp_interval *x, tp_u128 v) {
  tp_interval y = tp_interval_unsigned(x->width, 0, v);
  return shrink(x, &y);
}
static bool between_signed(tp_interval *x, tp_i128 lo, tp_i128 hi) {
  if (lo > hi) return false;
  tp_interval y = tp_interval_signed(x->width, lo, hi);
  return shrink(x, &y);
}

// ------------------------------------------------------------------ comparisons

/* x is not the constant of y. Only the ends of a half can be cut. */
static bool differ(tp_interval *x, const tp_interval *y) {
  tp_u128 c;
  if (!tp_interval_is_constant(y, &c)) return true;
  for (int h = 0; h < 2; h++) {
    if (!tp_interval_has(x, h)) continue;
    if (x->lo[h] == c && x->hi[h] == c)
      x->lo[h] = 1, x->hi[h] = 0;
    else if (x->lo[h] == c)
      x->lo[h]++;
    else if (x->hi[h] == c)
      x->hi[h]--;
  }
  return !tp_interval_is_none(x);
}
static bool refine_eq(bool equal, tp_interval *a, tp_interval *b) {
  if (!equal) return differ(a, b) && differ(b, a);
  if (!shrink(a, b)) return false;
  *b = *a;
  return true;
}
/* a < b, or a <= b, unsigned. */
static bool refine_unsigned(bool strict, tp_interval *a, tp_interval *b) {
  tp_u128 top = tp_interval_umax(b), bottom = tp_interval_umin(a);
  if (strict && (top == 0 || bottom == tp_interval_mask(a->width))) return false;
  return at_most(a, top - strict) && at_least(b, bottom + strict);
}
static bool refine_signed(bool strict, tp_interval *a, tp_interval *b) {
  const uint32_t w = a->width;
  tp_i128 least = tp_interval_to_signed(w, tp_interval_sign(w)), most = -(least + 1);
  tp_i128 top = tp_interval_smax(b), bottom = tp_interval_smin(a);
  if (strict && (top == least || bottom == most)) return false;
  return between_signed(a, least, top - strict) && between_signed(b, bottom + strict, most);
}
static bool refine_order(tp_term_kind k, tp_interval *a, tp_interval *b) {
  switch ((int)k) {
    case TP_OP_BV_ULT: return refine_unsigned(true, a, b);
    case TP_OP_BV_ULE: return refine_unsigned(false, a, b);
    case TP_OP_BV_SLT: return refine_signed(true, a, b);
    case TP_OP_BV_SLE: return refine_signed(false, a, b);
    default: return true;
  }
}
bool tp_interval_refine_compare(tp_term_kind k, const tp_interval *result, tp_interval *a,
                                tp_interval *b) {
  TP_REQUIRE(result->width == 1 && a->width == b->width);
  tp_interval r = tp_interval_compare(k, a, b);
  if (!shrink(&r, result)) return false;
  tp_u128 v;
  if (!tp_interval_is_constant(&r, &v)) return true;
  if (k == TP_OP_EQ) return refine_eq(v, a, b);
  if (v) return refine_order(k, a, b);
  switch ((int)k) {  // not (a < b) is b <= a
    case TP_OP_BV_ULT: return refine_order(TP_OP_BV_ULE, b, a);
    case TP_OP_BV_ULE: return refine_order(TP_OP_BV_ULT, b, a);
    case TP_OP_BV_SLT: return refine_order(TP_OP_BV_SLE, b, a);
    default: return refine_order(TP_OP_BV_SLT, b, a);
  }
}

// --------------------------------------------------------- sums, products, quotients

bool tp_interval_refine_unary(tp_term_kind k, const tp_interval *result, tp_interval *a) {
  tp_interval r = tp_interval_unary(k, a);
  if (!shrink(&r, result)) return false;
  tp_interval inverse = tp_interval_unary(k, &r);  // both are their own inverse
  return shrink(a, &inverse);
}

/* x + y is in r: x is in r - y. */
static bool refine_summand(const tp_interval *r, tp_interval *x, const tp_interval *y) {
  tp_interval minus = tp_interval_unary(TP_OP_BV_NEG, y),
              inverse = tp_interval_binary(TP_OP_BV_ADD, r, &minus);
  return shrink(x, &inverse);
}

static tp_i128 div_floor(tp_i128 a, tp_i128 b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}
static tp_i128 div_ceil(tp_i128 a, tp_i128 b) { return a / b + (a % b != 0 && (a < 0) == (b < 0)); }

/* x * c is in r. If no member of x wraps around in the product, in one of the readings, x is in r /
 * c. */
static bool refine_factor(const tp_interval *r, tp_interval *x, tp_u128 bits) {
  const uint32_t w = x->width;
  if (w > 64 || bits == 0) return true;
  tp_i128 c = tp_interval_to_signed(w, bits), least = tp_interval_to_signed(w, tp_interval_sign(w)),
          most = -(least + 1);
  tp_i128 p = tp_interval_smin(x) * c, q = tp_interval_smax(x) * c;
  if (p >= least && p <= most && q >= least && q <= most) {
    tp_i128 lo = tp_interval_smin(r), hi = tp_interval_smax(r);
    if (!(c > 0 ? between_signed(x, div_ceil(lo, c), div_floor(hi, c))
                : between_signed(x, div_ceil(hi, c), div_floor(lo, c))))
      return false;
  }
  if (tp_interval_umax(x) <= tp_interval_mask(w) / bits)
    return at_least(x, tp_interval_umin(r) / bits + (tp_interval_umin(r) % bits != 0)) &&
           at_most(x, tp_interval_umax(r) / bits);
  return true;
}

/* x / c is in r (c not zero): x is in c * r .. c * r + c - 1, unless that wraps. */
static bool refine_udiv(const tp_interval *r, tp_interval *x, tp_u128 c) {
  tp_u128 lo = tp_interval_umin(r), hi = tp_interval_umax(r), mask = tp_interval_mask(x->width);
  if (c == 0) return true;
  if (lo > mask / c) return false;
  if (!at_least(x, lo * c)) return false;
  return hi > (mask - (c - 1)) / c || at_most(x, hi * c + (c - 1));
}
/* The same for the quotient of magnitudes: |x| < (max |r| + 1) * |c|. Positive x and c only give a
 * lower bound. */
static bool refine_sdiv(const tp_interval *r, tp_interval *x, tp_i128 c) {
  if (x->width > 64 || c == 0) return true;
  tp_i128 lo = tp_interval_smin(r), hi = tp_interval_smax(r), size = c < 0 ? -c : c;
  if (c < 0) {  // x / -c is the negated quotient, as integers
    tp_i128 t = -lo;
    lo = -hi, hi = t;
    if (tp_interval_smin(x) == tp_interval_to_signed(x->width, tp_interval_sign(x->width)))
      return true;  // MIN / -1 wraps
  }
  tp_i128 from = lo > 0 ? lo * size : lo * size - (size - 1),
          to = hi < 0 ? hi * size : hi * size + (size - 1);
  if (from < tp_interval_smin(x)) from = tp_interval_smin(x);
  if (to > tp_interval_smax(x)) to = tp_interval_smax(x);
  return between_signed(x, from, to);
}

// -------------------------------------------------------------------------- bits

/* x & y is at most x, and at least x if all bits that x can have are in y. */
static bool refine_and(const tp_interval *r, tp_interval *x, const tp_interval *y) {
  if (!at_least(x, tp_interval_umin(r))) return false;
  tp_u128 m;
  if (tp_interval_is_constant(y, &m) && (m & (m + 1)) == 0 && tp_interval_umax(x) <= m)
    return shrink(x, r);
  if (tp_interval_has(y, 0)) return true;  // y has the sign bit: x has the result's
  if (!tp_interval_has(r, 0)) x->lo[0] = 1, x->hi[0] = 0;
  if (!tp_interval_has(r, 1)) x->lo[1] = 1, x->hi[1] = 0;
  return !tp_interval_is_none(x);
}
/* The same upside down: x | y = ~(~x & ~y). */
static bool refine_or(const tp_interval *r, tp_interval *x, const tp_interval *y) {
  tp_interval nr = tp_interval_unary(TP_OP_BV_NOT, r), nx = tp_interval_unary(TP_OP_BV_NOT, x),
              ny = tp_interval_unary(TP_OP_BV_NOT, y);
  if (!refine_and(&nr, &nx, &ny)) return false;
  *x = tp_interval_unary(TP_OP_BV_NOT, &nx);
  return true;
}
static bool refine_xor(const tp_interval *r, tp_interval *x, const tp_interval *y) {
  tp_interval inverse = tp_interval_binary(TP_OP_BV_XOR, r, y);
  return shrink(x, &inverse);
}

/* x >> n is in r: x is in r << n with any low bits. Values of r that no x has are gone already. */
static bool refine_right_shift(const tp_interval *r, tp_interval *x, uint32_t n) {
  tp_interval inverse = tp_interval_none(x->width);
  for (int h = 0; h < 2; h++)
    if (tp_interval_has(r, h)) {
      tp_u128 span = (r->hi[h] - r->lo[h]) << n | tp_interval_mask(n);
      if (n && (r->hi[h] - r->lo[h]) >> (x->width - n)) span = ~(tp_u128)0;
      tp_interval_include(&inverse, r->lo[h] << n, span);
    }
  return shrink(x, &inverse);
}
static bool refine_shift(tp_term_kind k, const tp_interval *r, tp_interval *x, tp_u128 by) {
  if (by >= x->width) return true;
  if (k == TP_OP_BV_SHL)
    return refine_factor(r, x, ((tp_u128)1 << by) & tp_interval_mask(x->width));
  return refine_right_shift(r, x, (uint32_t)by);
}

bool tp_interval_refine_extend(bool is_signed, const tp_interval *result, tp_interval *a) {
  TP_REQUIRE(result->width >= a->width);
  tp_interval r = tp_interval_extend(result->width, is_signed, a);
  if (!shrink(&r, result)) return false;
  tp_interval low = tp_interval_extract(a->width - 1, 0, &r);
  return shrink(a, &low);
}

/* Bits hi .. lo of x are in r. If the bits above hi are the same in a whole piece, the piece
 * shrinks. */
bool tp_interval_refine_extract(uint32_t hi, uint32_t lo, const tp_interval *result,
                                tp_interval *a) {
  TP_REQUIRE(lo <= hi && hi < a->width && result->width == hi - lo + 1);
  tp_interval r = tp_interval_extract(hi, lo, a);
  if (!shrink(&r, result)) return false;
  tp_interval out = tp_interval_none(a->width);
  const tp_u128 above = ~tp_interval_mask(hi + 1), below = tp_interval_mask(lo);
  for (int h = 0; h < 2; h++) {
    if (!tp_interval_has(a, h)) continue;
    tp_u128 from = a->lo[h], to = a->hi[h];
    if ((from & above) == (to & above)) {
      tp_u128 low = (from & above) | tp_interval_umin(&r) << lo,
              high = (from & above) | tp_interval_umax(&r) << lo | below;
      if (low > from) from = low;
      if (high < to) to = high;
    }
    if (from <= to) out.lo[h] = from, out.hi[h] = to;
  }
  *a = out;
  return !tp_interval_is_none(a);
}

static bool refine_concat(const tp_interval *r, tp_interval *a, tp_interval *b) {
  tp_interval high = tp_interval_extract(r->width - 1, b->width, r);
  if (!shrink(a, &high)) return false;
  if (!tp_interval_is_constant(a, NULL)) return true;
  tp_interval low = tp_interval_extract(b->width - 1, 0, r);
  return shrink(b, &low);
}

// ---------------------------------------------------------------------- dispatch

bool tp_interval_refine_binary(tp_term_kind k, const tp_interval *result, tp_interval *a,
                               tp_interval *b) {
  tp_interval r = tp_interval_binary(k, a, b);
  if (!shrink(&r, result)) return false;
  tp_u128 c = 0;
  const bool a_constant = tp_interval_is_constant(a, NULL),
             b_constant = tp_interval_is_constant(b, &c);
  switch ((int)k) {
    case TP_OP_BV_ADD: return refine_summand(&r, a, b) && refine_summand(&r, b, a);
    case TP_OP_BV_MUL:
      if (b_constant) return refine_factor(&r, a, c);
      if (a_constant) return refine_factor(&r, b, tp_interval_umin(a));
      return true;
    case TP_OP_BV_UDIV: return !b_constant || refine_udiv(&r, a, c);
    case TP_OP_BV_SDIV:
      return !b_constant || refine_sdiv(&r, a, tp_interval_to_signed(b->width, c));
    case TP_OP_BV_UREM: return at_least(a, tp_interval_umin(&r));
    case TP_OP_AND:
    case TP_OP_BV_AND: return refine_and(&r, a, b) && refine_and(&r, b, a);
    case TP_OP_OR:
    case TP_OP_BV_OR: return refine_or(&r, a, b) && refine_or(&r, b, a);
    case TP_OP_XOR:
    case TP_OP_BV_XOR: return refine_xor(&r, a, b) && refine_xor(&r, b, a);
    case TP_OP_BV_SHL:
    case TP_OP_BV_LSHR:
    case TP_OP_BV_ASHR: return !b_constant || refine_shift(k, &r, a, c);
    case TP_OP_BV_CONCAT: return refine_concat(&r, a, b);
    default: return true;
  }
}
