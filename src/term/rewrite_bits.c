/* Rules for the bitwise operations, shifts and division. */
#include "term/rewrite.h"

static bool is_zero(const tp_terms *tt, tp_term t) {
  return tp_is_bv(tt, t) && tp_bits(tt, t) == 0;
}
static bool is_ones(const tp_terms *tt, tp_term t) {
  return tp_is_bv(tt, t) && tp_bits(tt, t) == tp_mask(tp_w(tt, t));
}
static bool is_one(const tp_terms *tt, tp_term t) { return tp_is_bv(tt, t) && tp_bits(tt, t) == 1; }
static bool is_not_of(const tp_terms *tt, tp_term a, tp_term b) {
  return (tp_k(tt, a) == TP_OP_BV_NOT && tp_a(tt, a, 0).id == b.id) ||
         (tp_k(tt, b) == TP_OP_BV_NOT && tp_a(tt, b, 0).id == a.id);
}
static tp_term zero_like(tp_terms *tt, tp_term t) { return tp_mk_bv(tt, tp_w(tt, t), 0); }
static tp_term ones_like(tp_terms *tt, tp_term t) {
  return tp_mk_bv(tt, tp_w(tt, t), tp_mask(tp_w(tt, t)));
}

/* match: (AND (ZEXT x) c)  result: (ZEXT (AND x c'))    with c' the low part of c
 * match: (OR (ZEXT x) c)   result: (ZEXT (OR x c'))     if: c = zext(c'); XOR alike */
static tp_term on_extended(tp_terms *tt, tp_term_kind k, tp_term a, tp_term b) {
  if (tp_k(tt, a) != TP_OP_BV_ZEXT || !tp_is_bv(tt, b)) return TP_TERM_NONE;
  tp_term x = tp_a(tt, a, 0);
  tp_u128 c = tp_bits(tt, b), low = tp_cut(c, tp_w(tt, x));
  if (k != TP_OP_BV_AND && c != low) return TP_TERM_NONE;
  return tp_mk_zext(tt, tp_w(tt, a), tp_mk2(tt, k, x, tp_mk_bv(tt, tp_w(tt, x), low)));
}

/* match: (AND s 2^k-1)   result: c   if: s = 2^k * t + c as a sum */
static tp_term low_bits_of_sum(tp_terms *tt, tp_term a, tp_term b) {
  tp_linear l;
  tp_linear_init(&l, tp_w(tt, a));
  const tp_u128 mask = tp_bits(tt, b);
  if ((mask & (mask + 1)) != 0 || (tp_k(tt, a) != TP_OP_BV_ADD && tp_k(tt, a) != TP_OP_BV_MUL))
    return TP_TERM_NONE;
  if (!tp_linear_add(tt, &l, a, 1)) return TP_TERM_NONE;
  for (uint32_t i = 0; i < l.n; i++)
    if (l.m[i].coefficient & mask) return TP_TERM_NONE;
  return tp_mk_bv(tt, l.width, l.constant & mask);
}

/* match: (AND x x)  result: x    (AND x 0) -> 0    (AND x ones) -> x    (AND x (NOT x)) -> 0
 * match: (OR x x)   result: x    (OR x 0) -> x     (OR x ones) -> ones  (OR x (NOT x)) -> ones
 * match: (XOR x x)  result: 0    (XOR x 0) -> x    (XOR x ones) -> (NOT x)  (XOR x (NOT x)) -> ones
 * match: (op (op x c) d)  result: (op x (op c d))
 * The constant comes second, else the older argument first. */
static tp_term bitwise(tp_terms *tt, const tp_application *ap) {
  tp_term a = ap->a, b = ap->b;
  if (tp_is_bv(tt, a) || (!tp_is_bv(tt, b) && b.id < a.id)) {
    tp_term swap = a;
    a = b, b = swap;
  }
  const bool is_and = ap->k == TP_OP_BV_AND, is_xor = ap->k == TP_OP_BV_XOR;
  if (a.id == b.id) return is_xor ? zero_like(tt, a) : a;
  if (is_not_of(tt, a, b)) return is_and ? zero_like(tt, a) : ones_like(tt, a);
  if (is_zero(tt, b)) return is_and ? b : a;
  if (is_ones(tt, b)) return is_and ? a : is_xor ? tp_mk1(tt, TP_OP_BV_NOT, a) : b;
  if (tp_is_bv(tt, b) && tp_k(tt, a) == ap->k && tp_is_bv(tt, tp_a(tt, a, 1)))
    return tp_mk2(tt, ap->k, tp_a(tt, a, 0), tp_mk2(tt, ap->k, tp_a(tt, a, 1), b));
  tp_application ordered = {ap->k, ap->sort, a, b, TP_TERM_NONE, 0};
  tp_term r = on_extended(tt, ap->k, a, b);
  if (!tp_term_is(r) && is_and && tp_is_bv(tt, b)) r = low_bits_of_sum(tt, a, b);
  if (!tp_term_is(r)) r = tp_rw_leaves(tt, &ordered);
  return tp_term_is(r) ? r : tp_intern2(tt, ap->k, ap->sort, a, b);
}

/* match: (SHL x 0) result: x, (SHL 0 x) -> 0; LSHR, ASHR alike
 * match: (SHL x c)         result: (MUL x 2^c)           if: c < width, else 0
 * match: (LSHR x c)        result: 0                     if: c >= width
 * match: (LSHR (MUL x 2^c) c) result: (ZEXT (EXTRACT w-c-1 0 x))   ASHR with SEXT
 * match: (LSHR (LSHR x c) d) result: (LSHR x c+d)        ASHR alike, sums cut to width - 1 */
static tp_term shifts(tp_terms *tt, const tp_application *ap) {
  tp_term a = ap->a, b = ap->b;
  const uint32_t w = tp_w(tt, a);
  if (is_zero(tt, b) || is_zero(tt, a)) return a;
  if (!tp_is_bv(tt, b)) return TP_TERM_NONE;
  tp_u128 by = tp_bits(tt, b);
  if (by >= w) {
    if (ap->k != TP_OP_BV_ASHR) return zero_like(tt, a);
    return w == 1 ? a : tp_mk2(tt, TP_OP_BV_ASHR, a, tp_mk_bv(tt, w, w - 1));
  }
  if (tp_k(tt, a) == TP_OP_BV_MUL && tp_is_bv(tt, tp_a(tt, a, 1)) &&
      tp_bits(tt, tp_a(tt, a, 1)) == (tp_u128)1 << (uint32_t)by && ap->k != TP_OP_BV_SHL)
    return tp_mk_resize(tt, w, ap->k == TP_OP_BV_ASHR,
                        tp_mk_trunc(tt, w - (uint32_t)by, tp_a(tt, a, 0)));
  if (ap->k == TP_OP_BV_SHL)
    return tp_mk2(tt, TP_OP_BV_MUL, a, tp_mk_bv(tt, w, (tp_u128)1 << (uint32_t)by));
  if (tp_k(tt, a) == ap->k && tp_is_bv(tt, tp_a(tt, a, 1))) {
    tp_u128 sum = tp_bits(tt, tp_a(tt, a, 1)) + by;
    if (sum >= w && ap->k == TP_OP_BV_LSHR) return zero_like(tt, a);
    return tp_mk2(tt, ap->k, tp_a(tt, a, 0), tp_mk_bv(tt, w, sum < w ? sum : w - 1));
  }
  return TP_TERM_NONE;
}

/* Is the sum the same in whole numbers? Bounded by the sum of |coefficient| * 2^(n-1), where every
 * base is extended from n bits (n + 1 without sign), coefficients and constant read as signed. */
static bool is_exact_sum(const tp_terms *tt, const tp_linear *l) {
  const tp_u128 limit = (tp_u128)1 << (l->width - 1);
  tp_u128 total =
      tp_sign_bit(l->constant, l->width) ? tp_cut(~l->constant + 1, l->width) : l->constant;
  for (uint32_t i = 0; i < l->n; i++) {
    tp_term_kind k = tp_k(tt, l->m[i].base);
    if (k != TP_OP_BV_SEXT && k != TP_OP_BV_ZEXT) return false;
    uint32_t n = tp_w(tt, tp_a(tt, l->m[i].base, 0)) + (k == TP_OP_BV_ZEXT ? 1 : 0);
    tp_u128 c = l->m[i].coefficient;
    if (tp_sign_bit(c, l->width)) c = tp_cut(~c + 1, l->width);
    if (c > limit >> n || total >= limit) return false;  // c * 2^(n-1) stays below 2^(w-2)
    total += c << (n - 1);
  }
  return total < limit;
}

/* match: (SDIV (MUL x c) c)   result: x      match: (SREM (MUL x c) c)   result: 0
 *   if: x is an extension and c so small that the product is exact; sums alike (pointer
 *   differences) */
static tp_term exact_division(tp_terms *tt, const tp_application *ap) {
  tp_linear l;
  const tp_u128 c = tp_bits(tt, ap->b);
  tp_linear_init(&l, tp_w(tt, ap->a));
  if (c == 0 || tp_sign_bit(c, l.width) || l.width > 64) return TP_TERM_NONE;
  if (tp_k(tt, ap->a) != TP_OP_BV_ADD && tp_k(tt, ap->a) != TP_OP_BV_MUL) return TP_TERM_NONE;
  if (!tp_linear_add(tt, &l, ap->a, 1) || !is_exact_sum(tt, &l)) return TP_TERM_NONE;
  for (uint32_t i = 0; i <= l.n; i++) {
    tp_u128 *part = i < l.n ? &l.m[i].coefficient : &l.constant;
    tp_i128 v = (tp_i128)tp_sign_extend(*part, l.width);
    if (v % (tp_i128)c != 0) return TP_TERM_NONE;
    *part = tp_cut((tp_u128)(v / (tp_i128)c), l.width);
  }
  return ap->k == TP_OP_BV_SDIV ? tp_linear_term(tt, &l) : zero_like(tt, ap->a);
}

/* match: (UDIV x 1) result: x   (UDIV x 0) -> ones   (UDIV x 2^c) -> (LSHR x c)
 * match: (SDIV x 1) result: x   (SDIV x ones) -> (NEG x)
 * match: (UREM x 1) result: 0   (UREM x 0) -> x      (UREM x 2^c) -> (AND x 2^c-1)
 * match: (SREM x 1) result: 0   (SREM x 0) -> x      (SREM x ones) -> 0
 * if: width > 1 where 1 and ones could be mixed up */
static tp_term division(tp_terms *tt, const tp_application *ap) {
  tp_term a = ap->a, b = ap->b;
  const uint32_t w = tp_w(tt, a);
  if (!tp_is_bv(tt, b)) return TP_TERM_NONE;
  const tp_u128 c = tp_bits(tt, b);
  const bool power = c && (c & (c - 1)) == 0;
  uint32_t log = 0;
  while (power && c >> log != 1) log++;
  switch ((int)ap->k) {
    case TP_OP_BV_UDIV:
      if (c == 0) return ones_like(tt, a);
      return power ? tp_mk2(tt, TP_OP_BV_LSHR, a, tp_mk_bv(tt, w, log)) : TP_TERM_NONE;
    case TP_OP_BV_UREM:
      if (c == 0) return a;
      return power ? tp_mk2(tt, TP_OP_BV_AND, a, tp_mk_bv(tt, w, c - 1)) : TP_TERM_NONE;
    case TP_OP_BV_SDIV:
      if (is_ones(tt, b)) return tp_mk1(tt, TP_OP_BV_NEG, a);
      return is_one(tt, b) ? a : exact_division(tt, ap);
    default:
      if (c == 0) return a;
      return is_one(tt, b) || is_ones(tt, b) ? zero_like(tt, a) : exact_division(tt, ap);
  }
}

tp_term tp_rw_bits(tp_terms *tt, const tp_application *ap) {
  TP_REQUIRE(ap->k >= TP_OP_BV_UDIV && ap->k <= TP_OP_BV_ASHR);
  switch ((int)ap->k) {
    case TP_OP_BV_AND:
    case TP_OP_BV_OR:
    case TP_OP_BV_XOR: return bitwise(tt, ap);
    case TP_OP_BV_NOT:  // match: (NOT (NOT x))  result: x
      return tp_k(tt, ap->a) == TP_OP_BV_NOT ? tp_a(tt, ap->a, 0) : TP_TERM_NONE;
    case TP_OP_BV_SHL:
    case TP_OP_BV_LSHR:
    case TP_OP_BV_ASHR: return shifts(tt, ap);
    default: return division(tt, ap);
  }
}
