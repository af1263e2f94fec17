/* The lattice. All that depends on the wrap-around of machine integers happens in
 * tp_interval_include: a cyclic range of integers modulo 2^width becomes at most two unsigned
 * ranges, each of them is cut at the sign bit, and each half takes the hull. */
#include "numeric/interval.h"

static tp_u128 half_lo(uint32_t w, int half) { return half ? tp_interval_sign(w) : 0; }
static tp_u128 half_hi(uint32_t w, int half) {
  return half ? tp_interval_mask(w) : tp_interval_sign(w) - 1;
}

tp_interval tp_interval_none(uint32_t width) {
  TP_REQUIRE(width >= 1 && width <= TP_BV_MAX_BITS);
  return (tp_interval){width, {1, 1}, {0, 0}};
}
tp_interval tp_interval_full(uint32_t width) {
  return tp_interval_unsigned(width, 0, tp_interval_mask(width));
}
tp_interval tp_interval_constant(uint32_t width, tp_u128 v) {
  return tp_interval_unsigned(width, v, v);
}

static void include_half(tp_interval *x, int half, tp_u128 lo, tp_u128 hi) {
  if (lo > hi) return;
  if (!tp_interval_has(x, half)) {
    x->lo[half] = lo, x->hi[half] = hi;
    return;
  }
  if (lo < x->lo[half]) x->lo[half] = lo;
  if (hi > x->hi[half]) x->hi[half] = hi;
}
static void include_unsigned(tp_interval *x, tp_u128 lo, tp_u128 hi) {
  for (int h = 0; h < 2; h++) {
    tp_u128 from = half_lo(x->width, h), to = half_hi(x->width, h);
    include_half(x, h, lo > from ? lo : from, hi < to ? hi : to);
  }
}
void tp_interval_include(tp_interval *x, tp_u128 lo, tp_u128 span) {
  tp_u128 mask = tp_interval_mask(x->width);
  lo &= mask;
  if (span >= mask)
    include_unsigned(x, 0, mask);
  else if (span <= mask - lo)
    include_unsigned(x, lo, lo + span);
  else {
    include_unsigned(x, lo, mask);
    include_unsigned(x, 0, span - (mask - lo) - 1);
  }
}

tp_interval tp_interval_unsigned(uint32_t width, tp_u128 lo, tp_u128 hi) {
  TP_REQUIRE(lo <= hi && hi <= tp_interval_mask(width));
  tp_interval x = tp_interval_none(width);
  include_unsigned(&x, lo, hi);
  return x;
}
tp_interval tp_interval_signed(uint32_t width, tp_i128 lo, tp_i128 hi) {
  TP_REQUIRE(lo <= hi);
  tp_interval x = tp_interval_none(width);
  tp_interval_include(&x, (tp_u128)lo, (tp_u128)hi - (tp_u128)lo);
  return x;
}
tp_interval tp_interval_bool(bool may_be_false, bool may_be_true) {
  tp_interval x = tp_interval_none(1);
  if (may_be_false) x.lo[0] = x.hi[0] = 0;
  if (may_be_true) x.lo[1] = x.hi[1] = 1;
  return x;
}

bool tp_interval_is_none(const tp_interval *x) {
  return !tp_interval_has(x, 0) && !tp_interval_has(x, 1);
}
bool tp_interval_is_full(const tp_interval *x) {
  for (int h = 0; h < 2; h++)
    if (x->lo[h] != half_lo(x->width, h) || x->hi[h] != half_hi(x->width, h)) return false;
  return true;
}
bool tp_interval_is_constant(const tp_interval *x, tp_u128 *v) {
  if (tp_interval_has(x, 0) == tp_interval_has(x, 1)) return false;
  int h = tp_interval_has(x, 1);
  if (x->lo[h] != x->hi[h]) return false;
  if (v) *v = x->lo[h];
  return true;
}
bool tp_interval_contains(const tp_interval *x, tp_u128 v) {
  return (x->lo[0] <= v && v <= x->hi[0]) || (x->lo[1] <= v && v <= x->hi[1]);
}
bool tp_interval_eq(const tp_interval *a, const tp_interval *b) {
  return a->width == b->width && a->lo[0] == b->lo[0] && a->hi[0] == b->hi[0] &&
         a->lo[1] == b->lo[1] && a->hi[1] == b->hi[1];
}
tp_u128 tp_interval_umin(const tp_interval *x) { return x->lo[!tp_interval_has(x, 0)]; }
tp_u128 tp_interval_umax(const tp_interval *x) { return x->hi[tp_interval_has(x, 1)]; }
tp_i128 tp_interval_smin(const tp_interval *x) {
  return tp_interval_to_signed(x->width, x->lo[tp_interval_has(x, 1)]);
}
tp_i128 tp_interval_smax(const tp_interval *x) {
  return tp_interval_to_signed(x->width, x->hi[!tp_interval_has(x, 0)]);
}

bool tp_interval_leq(const tp_interval *a, const tp_interval *b) {
  TP_REQUIRE(a->width == b->width);
  for (int h = 0; h < 2; h++)
    if (tp_interval_has(a, h) && (a->lo[h] < b->lo[h] || a->hi[h] > b->hi[h])) return false;
  return true;
}
tp_interval tp_interval_join(const tp_interval *a, const tp_interval *b) {
  TP_REQUIRE(a->width == b->width);
  tp_interval x = *a;
  for (int h = 0; h < 2; h++) include_half(&x, h, b->lo[h], b->hi[h]);
  return x;
}
tp_interval tp_interval_meet(const tp_interval *a, const tp_interval *b) {
  TP_REQUIRE(a->width == b->width);
  tp_interval x = tp_interval_none(a->width);
  for (int h = 0; h < 2; h++)
    include_half(&x, h, a->lo[h] > b->lo[h] ? a->lo[h] : b->lo[h],
                 a->hi[h] < b->hi[h] ? a->hi[h] : b->hi[h]);
  return x;
}

// -------------------------------------------------------------------- widening

/* First index whose threshold is at least x. */
static size_t lower_bound(tp_thresholds t, tp_i128 x) {
  size_t lo = 0, hi = t.n;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (t.at[mid] < x)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}
/* The threshold next to v (up or down, v itself counts) in the range [from, to] of integers;
 * otherwise the end of the range. */
static tp_i128 rest(tp_thresholds t, tp_i128 v, bool up, tp_i128 from, tp_i128 to) {
  size_t i = lower_bound(t, v);
  if (up) return i < t.n && t.at[i] < to ? t.at[i] : to;
  if (i < t.n && t.at[i] == v) return v;
  return i > 0 && t.at[i - 1] > from ? t.at[i - 1] : from;
}
/* The same for bits of one half. Values with sign bit rest at thresholds of either reading, the
 * nearer one counts. */
static tp_u128 rest_bits(tp_thresholds t, uint32_t w, int half, tp_u128 v, bool up) {
  const tp_u128 mask = tp_interval_mask(w), from = half_lo(w, half), to = half_hi(w, half);
  if (!half) return (tp_u128)rest(t, (tp_i128)v, up, (tp_i128)from, (tp_i128)to);
  tp_i128 lo = tp_interval_to_signed(w, from);
  tp_u128 best = (tp_u128)rest(t, tp_interval_to_signed(w, v), up, lo, -1) & mask;
  if (w >= 127) return best;
  tp_u128 other = (tp_u128)rest(t, (tp_i128)v, up, (tp_i128)from, (tp_i128)to);
  return up ? (other < best ? other : best) : (other > best ? other : best);
}

tp_interval tp_interval_widen(const tp_interval *a, const tp_interval *b, tp_thresholds at) {
  TP_REQUIRE(a->width == b->width && (at.n == 0 || at.at));
  tp_interval x = tp_interval_join(a, b);
  for (int h = 0; h < 2; h++) {
    if (!tp_interval_has(a, h)) continue;  // a half that is new: it may grow next time
    if (x.lo[h] < a->lo[h]) x.lo[h] = rest_bits(at, x.width, h, x.lo[h], false);
    if (x.hi[h] > a->hi[h]) x.hi[h] = rest_bits(at, x.width, h, x.hi[h], true);
  }
  return x;
}
