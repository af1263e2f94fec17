/* Forward operators. An interval is at most two pieces, ranges within which the sign is known; an
 * operator looks at each pair of pieces, where it is monotone in some reading, and collects what
 * comes out. Sums and products are computed on integers and cut back to the width by
 * tp_interval_include: a range of integers that is not longer than the type stays a range, however
 * often it wraps; a longer one is everything. */
#include "numeric/interval.h"

#include "numeric/numeric_limits.h"

typedef struct {
  tp_u128 lo, hi;
} piece;  // unsigned, same sign bit
typedef void (*piece_op)(tp_interval *out, int ha, piece a, int hb, piece b);

static tp_interval each_pair(piece_op op, uint32_t width, const tp_interval *a,
                             const tp_interval *b) {
  tp_interval out = tp_interval_none(width);
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      if (tp_interval_has(a, i) && tp_interval_has(b, j))
        op(&out, i, (piece){a->lo[i], a->hi[i]}, j, (piece){b->lo[j], b->hi[j]});
  return out;
}
static void include_range(tp_interval *out, tp_u128 lo, tp_u128 hi) {
  tp_interval_include(out, lo, hi - lo);
}
static tp_u128 min(tp_u128 a, tp_u128 b) { return a < b ? a : b; }
static tp_u128 max(tp_u128 a, tp_u128 b) { return a > b ? a : b; }

// ---------------------------------------------------------------- sums, products

static void add(tp_interval *out, int ha, piece a, int hb, piece b) {
  (void)ha, (void)hb;
  tp_u128 span;
  if (__builtin_add_overflow(a.hi - a.lo, b.hi - b.lo, &span)) span = ~(tp_u128)0;
  tp_interval_include(out, a.lo + b.lo, span);
}

static bool is_short(tp_i128 v) {
  return v >= INT64_MIN && v <= INT64_MAX;
}  // products of two such fit

/* The products as signed integers. False: they do not fit into 128 bits. */
static bool multiply_signed(tp_interval *out, piece a, piece b) {
  const uint32_t w = out->width;
  const tp_i128 x[2] = {tp_interval_to_signed(w, a.lo), tp_interval_to_signed(w, a.hi)};
  const tp_i128 y[2] = {tp_interval_to_signed(w, b.lo), tp_interval_to_signed(w, b.hi)};
  if (!is_short(x[0]) || !is_short(x[1]) || !is_short(y[0]) || !is_short(y[1])) return false;
  tp_i128 lo = x[0] * y[0], hi = lo;
  for (int i = 1; i < 4; i++) {
    tp_i128 p = x[i & 1] * y[i >> 1];
    if (p < lo) lo = p;
    if (p > hi) hi = p;
  }
  include_range(out, (tp_u128)lo, (tp_u128)hi);
  return true;
}
/* Both readings give a range of products; what comes out is in both. */
static void multiply_ranges(tp_interval *out, int ha, piece a, int hb, piece b) {
  const uint32_t w = out->width;
  tp_interval x = tp_interval_none(w), y = tp_interval_none(w);
  if (!multiply_signed(&x, a, b)) {
    if (a.lo == a.hi && a.lo <= 1)
      x = a.lo ? tp_interval_unsigned(w, b.lo, b.hi) : tp_interval_constant(w, 0);
    else if (b.lo == b.hi && b.lo <= 1)
      x = b.lo ? tp_interval_unsigned(w, a.lo, a.hi) : tp_interval_constant(w, 0);
    else
      x = tp_interval_full(w);
  }
  if ((ha || hb) && w <= 64) {
    tp_u128 lo = a.lo * b.lo, hi = a.hi * b.hi;  // below 2^128
    include_range(&y, lo, hi);
    x = tp_interval_meet(&x, &y);
  }
  *out = tp_interval_join(out, &x);
}

/* Few factors are taken one by one: their products are no longer than the type more often. */
static void multiply(tp_interval *out, int ha, piece a, int hb, piece b) {
  if (a.hi - a.lo < b.hi - b.lo) {
    piece p = a;
    int h = ha;
    a = b, b = p, ha = hb, hb = h;
  }
  if (b.hi - b.lo >= TP_NUMERIC_FACTORS)
    multiply_ranges(out, ha, a, hb, b);
  else
    for (tp_u128 i = 0; i <= b.hi - b.lo; i++)
      multiply_ranges(out, ha, a, hb, (piece){b.lo + i, b.lo + i});
}

// --------------------------------------------------------- quotients, remainders

/* Quotients and remainders of magnitudes, the divisors y.lo .. y.hi not zero. Few divisors are
 * taken one by one. */
typedef void (*magnitude_op)(tp_interval *out, bool negative, piece x, piece y);

static void include_magnitude(tp_interval *out, bool negative, piece p) {
  if (negative)
    include_range(out, -p.hi, -p.lo);
  else
    include_range(out, p.lo, p.hi);
}
static void quotients(tp_interval *out, bool negative, piece x, piece y) {
  include_magnitude(out, negative, (piece){x.lo / y.hi, x.hi / y.lo});
}
/* By one divisor they are a range, or two if a multiple of it is passed, or all. */
static void remainders(tp_interval *out, bool negative, piece x, piece y) {
  if (x.hi < y.lo)
    include_magnitude(out, negative, x);
  else if (y.lo < y.hi)
    include_magnitude(out, negative, (piece){0, min(x.hi, y.hi - 1)});
  else if (x.hi - x.lo >= y.lo)
    include_magnitude(out, negative, (piece){0, y.lo - 1});
  else if (x.lo / y.lo == x.hi / y.lo)
    include_magnitude(out, negative, (piece){x.lo % y.lo, x.hi % y.lo});
  else {
    include_magnitude(out, negative, (piece){x.lo % y.lo, y.lo - 1});
    include_magnitude(out, negative, (piece){0, x.hi % y.lo});
  }
}
static void each_divisor(magnitude_op op, tp_interval *out, bool negative, piece x, piece y) {
  if (y.lo == 0) y.lo = 1;
  if (y.hi == 0) return;
  tp_u128 last = min(y.hi, max(x.hi, y.lo));  // larger divisors are like x.hi + 1
  if (last < y.hi) op(out, negative, x, (piece){last + 1, y.hi});
  if (last - y.lo >= TP_NUMERIC_DIVISORS)
    op(out, negative, x, (piece){y.lo, last});
  else
    for (tp_u128 d = y.lo; d <= last; d++) op(out, negative, x, (piece){d, d});
}

/* SMT-LIB: x / 0 is all ones, x % 0 is x. */
static void udiv(tp_interval *out, int ha, piece a, int hb, piece b) {
  (void)ha, (void)hb;
  if (b.lo == 0) include_range(out, tp_interval_mask(out->width), tp_interval_mask(out->width));
  each_divisor(quotients, out, false, a, b);
}
static void urem(tp_interval *out, int ha, piece a, int hb, piece b) {
  (void)ha, (void)hb;
  if (b.lo == 0) include_range(out, a.lo, a.hi);
  each_divisor(remainders, out, false, a, b);
}

/* Signed division goes through the magnitudes; x / 0 is 1 for negative x and -1 else. */
static piece magnitude(uint32_t w, int half, piece p) {
  tp_u128 mask = tp_interval_mask(w);
  return half ? (piece){-p.hi & mask, -p.lo & mask} : p;
}
static void sdiv(tp_interval *out, int ha, piece a, int hb, piece b) {
  const uint32_t w = out->width;
  tp_u128 by_zero = ha ? 1 : tp_interval_mask(w);
  if (b.lo == 0) include_range(out, by_zero, by_zero);
  each_divisor(quotients, out, ha != hb, magnitude(w, ha, a), magnitude(w, hb, b));
}
static void srem(tp_interval *out, int ha, piece a, int hb, piece b) {
  const uint32_t w = out->width;
  if (b.lo == 0) include_range(out, a.lo, a.hi);
  each_divisor(remainders, out, ha, magnitude(w, ha, a), magnitude(w, hb, b));
}

// ------------------------------------------------------------------------- bits

/* The smallest or largest value of a bitwise operator on two ranges, bit by bit from the top. A
 * state says which bounds the chosen prefixes still touch (1: a.lo, 2: a.hi, 4: b.lo, 8: b.hi); all
 * states that agree with the best result so far are kept, so the greedy choice of the next bit is
 * right. State 0 is free to choose all other bits. */
static uint32_t choose_bit(uint32_t state, tp_u128 bit, piece p, uint32_t lo_flag, bool v,
                           bool *possible) {
  uint32_t hi_flag = lo_flag << 1, next = 0;
  bool lo = (p.lo & bit) != 0, hi = (p.hi & bit) != 0;
  *possible = !((state & lo_flag && !v && lo) || (state & hi_flag && v && !hi));
  if (state & lo_flag && v == lo) next |= lo_flag;
  if (state & hi_flag && v == hi) next |= hi_flag;
  return next;
}
static bool apply_bit(tp_term_kind k, bool a, bool b) {
  return k == TP_OP_BV_AND ? a && b : k == TP_OP_BV_OR ? a || b : a != b;
}
static tp_u128 extreme(tp_term_kind k, uint32_t w, piece a, piece b, bool largest) {
  uint32_t states = 1u << 15;
  tp_u128 result = 0;
  for (tp_u128 bit = tp_interval_sign(w); bit; bit >>= 1) {
    if (states & 1) return largest ? result | (bit | (bit - 1)) : result;
    uint32_t next[2] = {0, 0};
    for (uint32_t s = 0; s < 16; s++) {
      if (!(states >> s & 1)) continue;
      for (int v = 0; v < 4; v++) {
        bool x = v & 1, y = v >> 1, x_possible, y_possible;
        uint32_t t =
            choose_bit(s, bit, a, 1, x, &x_possible) | choose_bit(s, bit, b, 4, y, &y_possible);
        if (x_possible && y_possible) next[apply_bit(k, x, y)] |= 1u << t;
      }
    }
    bool r = next[largest] ? largest : !largest;
    states = next[r];
    if (r) result |= bit;
  }
  return result;
}
static tp_interval bitwise(tp_term_kind k, const tp_interval *a, const tp_interval *b) {
  tp_interval out = tp_interval_none(a->width);
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      if (!tp_interval_has(a, i) || !tp_interval_has(b, j)) continue;
      piece x = {a->lo[i], a->hi[i]}, y = {b->lo[j], b->hi[j]};
      include_range(&out, extreme(k, a->width, x, y, false), extreme(k, a->width, x, y, true));
    }
  return out;
}

/* a << n: multiples of 2^n. A half's upper end is rounded down to one. */
static void shift_left(tp_interval *out, piece a, uint32_t n) {
  const uint32_t w = out->width;
  tp_interval x = tp_interval_none(w);
  tp_u128 span = a.hi - a.lo;
  tp_interval_include(&x, a.lo << n, n && span >> (w - n) ? ~(tp_u128)0 : span << n);
  for (int h = 0; h < 2 && n; h++)
    if (tp_interval_has(&x, h)) x.hi[h] &= ~tp_interval_mask(n);
  *out = tp_interval_join(out, &x);
}
static tp_interval shift(tp_term_kind k, const tp_interval *a, const tp_interval *b) {
  const uint32_t w = a->width;
  tp_interval out = tp_interval_none(w);
  for (int i = 0; i < 2; i++) {
    if (!tp_interval_has(a, i)) continue;
    piece p = {a->lo[i], a->hi[i]};
    tp_u128 fill = k == TP_OP_BV_ASHR && i ? tp_interval_mask(w) : 0;
    for (int j = 0; j < 2; j++) {
      if (!tp_interval_has(b, j)) continue;
      for (tp_u128 n = b->lo[j]; n <= b->hi[j] && n < w; n++) {
        uint32_t by = (uint32_t)n;
        tp_u128 ones = fill & ~(tp_interval_mask(w) >> by);
        if (k == TP_OP_BV_SHL)
          shift_left(&out, p, by);
        else
          include_range(&out, p.lo >> by | ones, p.hi >> by | ones);
      }
      if (b->hi[j] >= w) include_range(&out, fill, fill);
    }
  }
  return out;
}

// ----------------------------------------------------------- slices, comparisons

static tp_interval concat(const tp_interval *a, const tp_interval *b) {
  tp_interval out = tp_interval_none(a->width + b->width);
  tp_u128 low = tp_interval_umin(b), high = tp_interval_umax(b);
  for (int h = 0; h < 2; h++)
    if (tp_interval_has(a, h))
      include_range(&out, a->lo[h] << b->width | low, a->hi[h] << b->width | high);
  return out;
}
tp_interval tp_interval_extract(uint32_t hi, uint32_t lo, const tp_interval *a) {
  TP_REQUIRE(lo <= hi && hi < a->width);
  tp_interval out = tp_interval_none(hi - lo + 1);
  for (int h = 0; h < 2; h++)
    if (tp_interval_has(a, h)) include_range(&out, a->lo[h] >> lo, a->hi[h] >> lo);
  return out;
}
tp_interval tp_interval_extend(uint32_t width, bool is_signed, const tp_interval *a) {
  TP_REQUIRE(width >= a->width && width <= TP_BV_MAX_BITS);
  tp_interval out = tp_interval_none(width);
  tp_u128 ones = is_signed ? ~tp_interval_mask(a->width) : 0;
  if (tp_interval_has(a, 0)) include_range(&out, a->lo[0], a->hi[0]);
  if (tp_interval_has(a, 1)) include_range(&out, a->lo[1] | ones, a->hi[1] | ones);
  return out;
}

tp_interval tp_interval_compare(tp_term_kind k, const tp_interval *a, const tp_interval *b) {
  TP_REQUIRE(a->width == b->width);
  if (k == TP_OP_EQ) {
    tp_interval both = tp_interval_meet(a, b);
    bool same = tp_interval_is_constant(a, NULL) && tp_interval_eq(a, b);
    return tp_interval_bool(!same, !tp_interval_is_none(&both));
  }
  bool may_less, may_less_equal_back;            // some a < b, some b <= a
  if (k == TP_OP_BV_ULE || k == TP_OP_BV_SLE) {  // a <= b is not (b < a)
    const tp_interval *c = a;
    a = b, b = c;
  }
  if (k == TP_OP_BV_ULT || k == TP_OP_BV_ULE) {
    may_less = tp_interval_umin(a) < tp_interval_umax(b);
    may_less_equal_back = tp_interval_umin(b) <= tp_interval_umax(a);
  } else {
    may_less = tp_interval_smin(a) < tp_interval_smax(b);
    may_less_equal_back = tp_interval_smin(b) <= tp_interval_smax(a);
  }
  bool strict = k == TP_OP_BV_ULT || k == TP_OP_BV_SLT;
  return strict ? tp_interval_bool(may_less_equal_back, may_less)
                : tp_interval_bool(may_less, may_less_equal_back);
}

// ---------------------------------------------------------------------- dispatch

tp_interval tp_interval_unary(tp_term_kind k, const tp_interval *a) {
  tp_interval out = tp_interval_none(a->width);
  const bool negate = k == TP_OP_BV_NEG;
  for (int h = 0; h < 2; h++) {
    if (!tp_interval_has(a, h)) continue;
    tp_u128 first = a->lo[h];
    if (negate && first == 0) {  // -0 = 0; all others change places
      include_range(&out, 0, 0);
      first = 1;
    }
    if (first > a->hi[h]) continue;
    include_range(&out, ~a->hi[h] + negate, ~first + negate);
  }
  return out;
}

tp_interval tp_interval_binary(tp_term_kind k, const tp_interval *a, const tp_interval *b) {
  TP_REQUIRE(k == TP_OP_BV_CONCAT || a->width == b->width);
  switch ((int)k) {
    case TP_OP_BV_ADD: return each_pair(add, a->width, a, b);
    case TP_OP_BV_MUL: return each_pair(multiply, a->width, a, b);
    case TP_OP_BV_UDIV: return each_pair(udiv, a->width, a, b);
    case TP_OP_BV_UREM: return each_pair(urem, a->width, a, b);
    case TP_OP_BV_SDIV: return each_pair(sdiv, a->width, a, b);
    case TP_OP_BV_SREM: return each_pair(srem, a->width, a, b);
    case TP_OP_AND:
    case TP_OP_BV_AND: return bitwise(TP_OP_BV_AND, a, b);
    case TP_OP_OR:
    case TP_OP_BV_OR: return bitwise(TP_OP_BV_OR, a, b);
    case TP_OP_XOR:
    case TP_OP_BV_XOR: return bitwise(TP_OP_BV_XOR, a, b);
    case TP_OP_BV_SHL:
    case TP_OP_BV_LSHR:
    case TP_OP_BV_ASHR: return shift(k, a, b);
    case TP_OP_BV_CONCAT: return concat(a, b);
    default: return tp_interval_full(a->width);
  }
}
