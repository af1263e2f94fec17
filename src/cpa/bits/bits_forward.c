/* Known bits: order and forward operators.
 *
 * Bitwise operators act on each bit alone. A sum is computed twice, with all unknown bits 0 and
 * with all 1: where the two carries differ, or a bit of an argument is unknown, the sum's bit is. A
 * product is a sum of shifted factors, the known and the unknown part of each apart. Division
 * and remainder have bounds, and remainders keep low bits that the divisor has no part in. */
#include "cpa/bits/bits_cpa.h"

static tp_known_bits make(uint32_t width, tp_u128 value, tp_u128 unknown) {
  const tp_u128 mask = tp_bits_mask(width);
  return (tp_known_bits){width, value & ~unknown & mask, unknown & mask};
}
static tp_u128 sign_bit(uint32_t width) { return (tp_u128)1 << (width - 1); }

// -------------------------------------------------------------------- lattice

bool tp_bits_leq(const tp_known_bits *a, const tp_known_bits *b) {
  TP_REQUIRE(a->width == b->width);
  return !(a->unknown & ~b->unknown) && tp_bits_contains(b, a->value);
}
tp_known_bits tp_bits_join(const tp_known_bits *a, const tp_known_bits *b) {
  TP_REQUIRE(a->width == b->width);
  return make(a->width, a->value, a->unknown | b->unknown | (a->value ^ b->value));
}
bool tp_bits_meet(const tp_known_bits *a, const tp_known_bits *b, tp_known_bits *out) {
  TP_REQUIRE(a->width == b->width);
  if ((a->value ^ b->value) & ~a->unknown & ~b->unknown) return false;
  *out = make(a->width, a->value | b->value, a->unknown & b->unknown);
  return true;
}
tp_known_bits tp_bits_flip_sign(const tp_known_bits *x) {
  return make(x->width, x->value ^ sign_bit(x->width), x->unknown);
}
/* The bits above the highest one in which low and high differ are those of all integers between. */
bool tp_bits_between(tp_known_bits *x, tp_u128 low, tp_u128 high) {
  if (low < tp_bits_least(x)) low = tp_bits_least(x);
  if (high > tp_bits_greatest(x)) high = tp_bits_greatest(x);
  if (low > high) return false;
  uint32_t n = 0;
  while (n < 128 && (low ^ high) >> n) n++;
  const tp_known_bits prefix = make(x->width, low, tp_bits_mask(n));
  return tp_bits_meet(x, &prefix, x);
}

// --------------------------------------------------------------------- ranges

static tp_u128 sign_extend(uint32_t width, tp_u128 v) {
  return v & sign_bit(width) ? v | ~tp_bits_mask(width) : v;
}
static int64_t to_signed(uint32_t width, tp_u128 v) {
  return (int64_t)(uint64_t)sign_extend(width, v);
}
bool tp_bits_range(const tp_known_bits *x, tp_range *out) {
  if (x->width > 64) return false;
  const tp_known_bits y = tp_bits_flip_sign(x);  // its order is the signed one
  const tp_u128 sign = sign_bit(x->width);
  *out = (tp_range){.umin = (uint64_t)tp_bits_least(x),
                    .umax = (uint64_t)tp_bits_greatest(x),
                    .smin = to_signed(x->width, tp_bits_least(&y) ^ sign),
                    .smax = to_signed(x->width, tp_bits_greatest(&y) ^ sign)};
  return true;
}
bool tp_bits_of_range(uint32_t width, const tp_range *r, tp_known_bits *out) {
  TP_REQUIRE(!r->is_top && width <= 64);
  const tp_u128 sign = sign_bit(width), mask = tp_bits_mask(width);
  tp_known_bits x = tp_bits_top(width);
  if (!tp_bits_between(&x, r->umin, r->umax)) return false;
  x = tp_bits_flip_sign(&x);
  if (!tp_bits_between(&x, ((tp_u128)r->smin & mask) ^ sign, ((tp_u128)r->smax & mask) ^ sign))
    return false;
  *out = tp_bits_flip_sign(&x);
  return true;
}

// ----------------------------------------------------------- bits, sums, products

tp_known_bits tp_bits_not(const tp_known_bits *a) { return make(a->width, ~a->value, a->unknown); }

static tp_known_bits bitwise(tp_term_kind k, const tp_known_bits *a, const tp_known_bits *b) {
  const tp_u128 x = a->value, y = b->value, both = a->unknown | b->unknown;
  if (k == TP_OP_BV_XOR) return make(a->width, x ^ y, both);
  if (k == TP_OP_BV_OR) return make(a->width, x | y, both & ~(x | y));
  return make(a->width, x & y, both & tp_bits_greatest(a) & tp_bits_greatest(b));
}

tp_known_bits tp_bits_add(const tp_known_bits *a, const tp_known_bits *b) {
  const tp_u128 least = a->value + b->value, greatest = least + a->unknown + b->unknown;
  return make(a->width, least, (least ^ greatest) | a->unknown | b->unknown);
}
tp_known_bits tp_bits_negate(const tp_known_bits *a) {
  const tp_known_bits complement = tp_bits_not(a), one = tp_bits_constant(a->width, 1);
  return tp_bits_add(&complement, &one);
}

/* a = a.value + (bits of a.unknown), b alike: a.value * b.value is known; each bit i of a adds
 * 2^i times what of b, or of the product of both, is unknown. */
static tp_known_bits multiply(const tp_known_bits *a, const tp_known_bits *b) {
  const uint32_t w = a->width;
  tp_known_bits sum = tp_bits_constant(w, a->value * b->value);
  tp_known_bits rest = tp_bits_constant(w, 0);
  for (uint32_t i = 0; i < w; i++) {
    const bool is_one = a->value >> i & 1, is_open = a->unknown >> i & 1;
    const tp_u128 open = is_one ? b->unknown : is_open ? b->value | b->unknown : 0;
    const tp_known_bits part = make(w, 0, open << i);
    rest = tp_bits_add(&rest, &part);
  }
  return tp_bits_add(&sum, &rest);
}

// ------------------------------------------------------------------- extensions

static tp_known_bits extend_sign(uint32_t to, const tp_known_bits *a) {
  return make(to, sign_extend(a->width, a->value), sign_extend(a->width, a->unknown));
}

// ----------------------------------------------------------------------- shifts

/* By one count below the width. */
static tp_known_bits shift_by(tp_term_kind k, const tp_known_bits *a, uint32_t n) {
  const uint32_t w = a->width;
  if (k == TP_OP_BV_SHL) return make(w, a->value << n, a->unknown << n);
  if (k == TP_OP_BV_LSHR) return make(w, a->value >> n, a->unknown >> n);
  const tp_i128 value = (tp_i128)sign_extend(w, a->value),
                unknown = (tp_i128)sign_extend(w, a->unknown);
  return make(w, (tp_u128)(value >> n), (tp_u128)(unknown >> n));
}
static tp_known_bits shift(tp_term_kind k, const tp_known_bits *a, const tp_known_bits *count) {
  const uint32_t w = a->width;
  bool is_first = true;
  tp_known_bits all = tp_bits_top(w);
  for (uint32_t n = 0; n <= w; n++) {  // n = w: by the width or more
    if (n < w ? !tp_bits_contains(count, n) : tp_bits_greatest(count) < w) continue;
    tp_known_bits one = n < w                ? shift_by(k, a, n)
                        : k == TP_OP_BV_ASHR ? shift_by(k, a, w - 1)
                                             : tp_bits_constant(w, 0);
    all = is_first ? one : tp_bits_join(&all, &one);
    is_first = false;
  }
  return all;
}

// --------------------------------------------------------------------- division

static tp_known_bits range_of(uint32_t width, tp_u128 low, tp_u128 high) {
  tp_known_bits x = tp_bits_top(width);
  (void)tp_bits_between(&x, low, high);
  return x;
}
static bool is_positive(const tp_known_bits *a) {  // not negative, and not 0
  return a->value && !(tp_bits_greatest(a) & sign_bit(a->width));
}
static bool is_negative_possible(const tp_known_bits *a) {
  return tp_bits_greatest(a) & sign_bit(a->width);
}

static tp_known_bits divide(const tp_known_bits *a, const tp_known_bits *b) {
  if (tp_bits_least(b) == 0) return tp_bits_top(a->width);  // x / 0 has all bits set
  return range_of(a->width, tp_bits_least(a) / tp_bits_greatest(b),
                  tp_bits_greatest(a) / tp_bits_least(b));
}

/* How many low bits of every member are 0; the width for 0. */
static uint32_t trailing_zeros(const tp_known_bits *a) {
  uint32_t n = 0;
  while (n < a->width && !(tp_bits_greatest(a) >> n & 1)) n++;
  return n;
}
/* a - b * q for some q, or a if b is 0. */
static tp_known_bits low_bits_of_remainder(const tp_known_bits *a, const tp_known_bits *b) {
  const tp_u128 kept = tp_bits_mask(trailing_zeros(b));
  return make(a->width, a->value, a->unknown | ~kept);
}
static tp_known_bits unsigned_remainder(const tp_known_bits *a, const tp_known_bits *b) {
  tp_known_bits r = low_bits_of_remainder(a, b);
  tp_u128 most = tp_bits_greatest(a);
  if (tp_bits_least(b) > most) return *a;
  if (tp_bits_least(b) && tp_bits_greatest(b) - 1 < most) most = tp_bits_greatest(b) - 1;
  if (TP_NEVER(!tp_bits_between(&r, 0, most))) return tp_bits_top(a->width);  // two sound bounds
  return r;
}
/* The sign is the dividend's; a multiple of |b| leaves 0. */
static tp_known_bits signed_remainder(const tp_known_bits *a, const tp_known_bits *b) {
  const uint32_t zeros = trailing_zeros(b);
  const tp_u128 size = b->value & sign_bit(b->width) ? -b->value : b->value;
  if (!b->unknown && b->value && (size & tp_bits_mask(b->width)) == (tp_u128)1 << zeros &&
      trailing_zeros(a) >= zeros)
    return tp_bits_constant(a->width, 0);
  if (!is_negative_possible(a) && is_positive(b)) return unsigned_remainder(a, b);
  return low_bits_of_remainder(a, b);
}
static tp_known_bits signed_divide(const tp_known_bits *a, const tp_known_bits *b) {
  return !is_negative_possible(a) && is_positive(b) ? divide(a, b) : tp_bits_top(a->width);
}

// -------------------------------------------------------------------- all kinds

tp_known_bits tp_bits_apply(const tp_terms *tt, tp_term t, const tp_known_bits *args) {
  const tp_known_bits *a = &args[0], *b = &args[1];
  const tp_term_kind k = tp_kind(tt, t);
  const uint32_t w = tp_width(tt, t);
  switch ((int)k) {
    case TP_OP_BV_ADD: return tp_bits_add(a, b);
    case TP_OP_BV_MUL: return multiply(a, b);
    case TP_OP_BV_NEG: return tp_bits_negate(a);
    case TP_OP_BV_NOT: return tp_bits_not(a);
    case TP_OP_BV_AND:
    case TP_OP_BV_OR:
    case TP_OP_BV_XOR: return bitwise(k, a, b);
    case TP_OP_BV_SHL:
    case TP_OP_BV_LSHR:
    case TP_OP_BV_ASHR: return shift(k, a, b);
    case TP_OP_BV_UDIV: return divide(a, b);
    case TP_OP_BV_SDIV: return signed_divide(a, b);
    case TP_OP_BV_UREM: return unsigned_remainder(a, b);
    case TP_OP_BV_SREM: return signed_remainder(a, b);
    case TP_OP_BV_ZEXT: return make(w, a->value, a->unknown);
    case TP_OP_BV_SEXT: return extend_sign(w, a);
    case TP_OP_BV_EXTRACT: {
      const uint32_t low = tp_extract_lo(tt, t);
      return make(w, a->value >> low, a->unknown >> low);
    }
    case TP_OP_BV_CONCAT:
      return make(w, a->value << b->width | b->value, a->unknown << b->width | b->unknown);
    default: return tp_bits_top(w);
  }
}

static bool decided(bool yes, bool no, bool *out) {
  *out = yes;
  return yes || no;
}
bool tp_bits_compare(tp_term_kind k, const tp_known_bits *a, const tp_known_bits *b, bool *out) {
  if (k == TP_OP_EQ)
    return decided(!a->unknown && !b->unknown && a->value == b->value,
                   (a->value ^ b->value) & ~a->unknown & ~b->unknown, out);
  tp_known_bits x = *a, y = *b;
  if (k == TP_OP_BV_SLT || k == TP_OP_BV_SLE) x = tp_bits_flip_sign(a), y = tp_bits_flip_sign(b);
  switch ((int)k) {
    case TP_OP_BV_ULT:
    case TP_OP_BV_SLT:
      return decided(tp_bits_greatest(&x) < tp_bits_least(&y),
                     tp_bits_least(&x) >= tp_bits_greatest(&y), out);
    case TP_OP_BV_ULE:
    case TP_OP_BV_SLE:
      return decided(tp_bits_greatest(&x) <= tp_bits_least(&y),
                     tp_bits_least(&x) > tp_bits_greatest(&y), out);
    default: return false;
  }
}
