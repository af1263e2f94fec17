/* Rules for taking bit-vectors apart and putting them together: EXTRACT, CONCAT, ZEXT, SEXT.
 * They make a value that was stored in bytes and read back the value itself again. */
#include "term/rewrite.h"

// --------------------------------------------------------------------- EXTRACT

/* The part hi..lo of an extension: of the inner term, of the filling, or of both. */
static tp_term of_extension(tp_terms *tt, tp_term t, uint32_t hi, uint32_t lo) {
  tp_term x = tp_a(tt, t, 0);
  uint32_t n = tp_w(tt, x), w = hi - lo + 1;
  bool is_signed = tp_k(tt, t) == TP_OP_BV_SEXT;
  if (hi < n) return tp_mk_extract(tt, hi, lo, x);
  if (lo >= n) {
    if (!is_signed) return tp_mk_bv(tt, w, 0);
    return tp_mk_sext(tt, w, tp_mk_extract(tt, n - 1, n - 1, x));
  }
  return tp_mk_resize(tt, w, is_signed, tp_mk_extract(tt, n - 1, lo, x));
}

/* The low bits of a sum of extensions: the sum of the low bits. Multiples of 2^w vanish. */
static tp_term of_sum(tp_terms *tt, tp_term t, uint32_t w) {
  tp_linear l, low;
  tp_linear_init(&l, tp_w(tt, t));
  tp_linear_init(&low, w);
  if (!tp_linear_add(tt, &l, t, 1)) return TP_TERM_NONE;
  for (uint32_t i = 0; i < l.n; i++) {
    tp_term_kind k = tp_k(tt, l.m[i].base);
    if (tp_cut(l.m[i].coefficient, w) == 0) continue;
    if (k != TP_OP_BV_ZEXT && k != TP_OP_BV_SEXT && k != TP_OP_BV_CONCAT) return TP_TERM_NONE;
  }
  low.constant = tp_cut(l.constant, w);
  for (uint32_t i = 0; i < l.n; i++)
    if (tp_cut(l.m[i].coefficient, w) &&
        !tp_linear_add(tt, &low, tp_mk_trunc(tt, w, l.m[i].base), l.m[i].coefficient))
      return TP_TERM_NONE;
  return tp_linear_term(tt, &low);
}

/* match: (EXTRACT hi lo (EXTRACT h l x))  result: (EXTRACT hi+l lo+l x)
 * match: (EXTRACT hi lo (CONCAT x y))     result: of x or of y, if it lies in one of them;
 *                                         else CONCAT of two parts, if one of them is constant or
 *                                         whole
 * match: (EXTRACT hi lo (ZEXT x))         result: see of_extension; SEXT alike match: (EXTRACT hi
 * lo (AND x c))        result: (AND (EXTRACT x) (EXTRACT c)); OR, XOR, NOT alike match: (EXTRACT hi
 * lo (LSHR x c))       result: (EXTRACT hi+c lo+c x)     if: hi + c < width match: (EXTRACT hi lo
 * (MUL x 2^c))      result: (EXTRACT hi-c lo-c x)     if: c <= lo match: (EXTRACT hi 0 (ADD x y))
 * result: (ADD (EXTRACT x) (EXTRACT y))   if: all bases are extensions
 *                                         (or have coefficients that vanish modulo 2^(hi+1)) */
static tp_term extract(tp_terms *tt, const tp_application *ap) {
  const uint32_t hi = (uint32_t)(ap->payload >> 32), lo = (uint32_t)ap->payload, w = hi - lo + 1;
  const tp_term t = ap->a;
  const tp_term_kind k = tp_k(tt, t);
  const tp_term x = tp_a(tt, t, 0), y = tp_a(tt, t, 1);
  switch ((int)k) {
    case TP_OP_BV_EXTRACT: {
      uint32_t l = tp_extract_lo(tt, t);
      return tp_mk_extract(tt, hi + l, lo + l, x);
    }
    case TP_OP_BV_ZEXT:
    case TP_OP_BV_SEXT: return of_extension(tt, t, hi, lo);
    case TP_OP_BV_CONCAT: {
      uint32_t n = tp_w(tt, y);
      if (hi < n) return tp_mk_extract(tt, hi, lo, y);
      if (lo >= n) return tp_mk_extract(tt, hi - n, lo - n, x);
      if (lo > 0 && hi + 1 < tp_w(tt, t) && !tp_is_bv(tt, x) && !tp_is_bv(tt, y))
        return TP_TERM_NONE;
      return tp_mk2(tt, TP_OP_BV_CONCAT, tp_mk_extract(tt, hi - n, 0, x),
                    tp_mk_extract(tt, n - 1, lo, y));
    }
    case TP_OP_BV_NOT: return tp_mk1(tt, k, tp_mk_extract(tt, hi, lo, x));
    case TP_OP_BV_AND:
    case TP_OP_BV_OR:
    case TP_OP_BV_XOR:
      if (!tp_is_bv(tt, y)) return TP_TERM_NONE;
      return tp_mk2(tt, k, tp_mk_extract(tt, hi, lo, x), tp_mk_extract(tt, hi, lo, y));
    case TP_OP_BV_LSHR:
      if (!tp_is_bv(tt, y) || tp_bits(tt, y) + hi >= tp_w(tt, t)) return TP_TERM_NONE;
      return tp_mk_extract(tt, hi + (uint32_t)tp_bits(tt, y), lo + (uint32_t)tp_bits(tt, y), x);
    case TP_OP_BV_ADD:
    case TP_OP_BV_NEG: return lo == 0 ? of_sum(tt, t, w) : TP_TERM_NONE;
    case TP_OP_BV_MUL: {
      if (lo == 0) return of_sum(tt, t, w);
      if (!tp_is_bv(tt, y)) return TP_TERM_NONE;
      tp_u128 c = tp_bits(tt, y);
      for (uint32_t n = 1; n <= lo; n++)
        if (c == (tp_u128)1 << n) return tp_mk_extract(tt, hi - n, lo - n, x);
      return TP_TERM_NONE;
    }
    default: return TP_TERM_NONE;
  }
}

// ---------------------------------------------------------------------- CONCAT

/* Neighbours that are one piece: two constants, or adjacent parts of one term. */
static tp_term fuse(tp_terms *tt, tp_term x, tp_term y) {
  uint32_t w = tp_w(tt, x) + tp_w(tt, y);
  if (tp_is_bv(tt, x) && tp_is_bv(tt, y))
    return tp_mk_bv(tt, w, tp_bits(tt, x) << tp_w(tt, y) | tp_bits(tt, y));
  if (tp_k(tt, x) != TP_OP_BV_EXTRACT) return TP_TERM_NONE;
  tp_term whole = tp_a(tt, x, 0);
  if (tp_k(tt, y) == TP_OP_BV_EXTRACT && tp_a(tt, y, 0).id == whole.id) {
    if (tp_extract_lo(tt, x) != tp_extract_hi(tt, y) + 1) return TP_TERM_NONE;
    return tp_mk_extract(tt, tp_extract_hi(tt, x), tp_extract_lo(tt, y), whole);
  }
  return TP_TERM_NONE;
}

/* match: (CONCAT (EXTRACT h m+1 x) (EXTRACT m l x))   result: (EXTRACT h l x)
 * match: (CONCAT 0 x)                                 result: (ZEXT x)
 * match: (CONCAT (ZEXT x) y)                          result: (ZEXT (CONCAT x y))
 * match: (CONCAT (CONCAT x y) z)                      result: (CONCAT x (CONCAT y z))
 *   so the pieces lean to the right, and two that fuse meet at the head */
static tp_term concat(tp_terms *tt, const tp_application *ap) {
  tp_term x = ap->a, y = ap->b;
  const uint32_t w = tp_sort_width(tt, ap->sort);
  tp_term one = fuse(tt, x, y);
  if (tp_term_is(one)) return one;
  if (tp_is_bv(tt, x) && tp_bits(tt, x) == 0) return tp_mk_zext(tt, w, y);
  if (tp_k(tt, x) == TP_OP_BV_ZEXT)
    return tp_mk_zext(tt, w, tp_mk2(tt, TP_OP_BV_CONCAT, tp_a(tt, x, 0), y));
  if (tp_k(tt, x) == TP_OP_BV_CONCAT)
    return tp_mk2(tt, TP_OP_BV_CONCAT, tp_a(tt, x, 0),
                  tp_mk2(tt, TP_OP_BV_CONCAT, tp_a(tt, x, 1), y));
  if (tp_k(tt, y) == TP_OP_BV_CONCAT) {
    one = fuse(tt, x, tp_a(tt, y, 0));
    if (tp_term_is(one)) return tp_mk2(tt, TP_OP_BV_CONCAT, one, tp_a(tt, y, 1));
  }
  return TP_TERM_NONE;
}

/* match: (ZEXT (ZEXT x))  result: (ZEXT x)    match: (SEXT (SEXT x))  result: (SEXT x)
 * match: (SEXT (ZEXT x))  result: (ZEXT x) */
static tp_term extension(tp_terms *tt, const tp_application *ap) {
  const tp_term_kind inner = tp_k(tt, ap->a);
  const uint32_t w = tp_sort_width(tt, ap->sort);
  if (inner == TP_OP_BV_ZEXT) return tp_mk_zext(tt, w, tp_a(tt, ap->a, 0));
  if (inner == TP_OP_BV_SEXT && ap->k == TP_OP_BV_SEXT)
    return tp_mk_sext(tt, w, tp_a(tt, ap->a, 0));
  return TP_TERM_NONE;
}

tp_term tp_rw_slice(tp_terms *tt, const tp_application *ap) {
  TP_REQUIRE(ap->k >= TP_OP_BV_CONCAT && ap->k <= TP_OP_BV_SEXT);
  if (ap->k == TP_OP_BV_EXTRACT) return extract(tt, ap);
  if (ap->k == TP_OP_BV_CONCAT) return concat(tt, ap);
  return extension(tt, ap);
}
