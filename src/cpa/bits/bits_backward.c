/* Known bits: backward operators. An argument is met with what the result and the other arguments
 * leave of it: the inverse where an operator has one (sums, complements), the bits that an operator
 * only moves (extensions, shifts by a known count), the low bits that a remainder keeps, and for
 * comparisons the bounds of the other side. */
#include "cpa/bits/bits_cpa.h"

/* The bits of x in `where` are those of bits. */
static bool set_bits(tp_known_bits *x, tp_u128 where, tp_u128 bits) {
  where &= tp_bits_mask(x->width);
  const tp_known_bits fixed = {x->width, bits & where, tp_bits_mask(x->width) & ~where};
  return tp_bits_meet(x, &fixed, x);
}
/* Bits low and up of x are the known ones of `part`, as far as they have a place in x. */
static bool place(tp_known_bits *x, const tp_known_bits *part, uint32_t low) {
  const tp_u128 known = ~part->unknown & tp_bits_mask(part->width);
  return set_bits(x, known << low, part->value << low);
}
static tp_known_bits slice(const tp_known_bits *x, uint32_t low, uint32_t width) {
  const tp_u128 mask = tp_bits_mask(width);
  return (tp_known_bits){width, x->value >> low & mask, x->unknown >> low & mask};
}

// -------------------------------------------------------------- bits and sums

static bool refine_and(const tp_known_bits *r, tp_known_bits *a, tp_known_bits *b) {
  const tp_u128 zeros = ~tp_bits_greatest(r);
  return set_bits(a, r->value, r->value) && set_bits(b, r->value, r->value) &&
         set_bits(a, zeros & b->value, 0) && set_bits(b, zeros & a->value, 0);
}
static bool refine_or(const tp_known_bits *r, tp_known_bits *a, tp_known_bits *b) {
  const tp_u128 zeros = ~tp_bits_greatest(r);
  return set_bits(a, zeros, 0) && set_bits(b, zeros, 0) &&
         set_bits(a, r->value & ~tp_bits_greatest(b), r->value) &&
         set_bits(b, r->value & ~tp_bits_greatest(a), r->value);
}
static bool refine_xor(const tp_known_bits *r, tp_known_bits *a, tp_known_bits *b) {
  return set_bits(a, ~r->unknown & ~b->unknown, r->value ^ b->value) &&
         set_bits(b, ~r->unknown & ~a->unknown, r->value ^ a->value);
}
static bool refine_add(const tp_known_bits *r, tp_known_bits *a, tp_known_bits *b) {
  tp_known_bits minus_b = tp_bits_negate(b), minus_a = tp_bits_negate(a);
  const tp_known_bits left = tp_bits_add(r, &minus_b), right = tp_bits_add(r, &minus_a);
  return tp_bits_meet(a, &left, a) && tp_bits_meet(b, &right, b);
}
/* r = a * 2^n, which is how shifts to the left arrive. */
static bool refine_multiple(const tp_known_bits *r, tp_known_bits *a, const tp_known_bits *b) {
  if (b->unknown || !b->value || b->value & (b->value - 1)) return true;
  uint32_t n = 0;
  while (b->value >> n != 1) n++;
  const tp_known_bits rest = slice(r, n, r->width - n);
  return !(r->value & tp_bits_mask(n)) && place(a, &rest, 0);
}

// --------------------------------------------------------- extensions and shifts

static bool refine_extended(const tp_known_bits *r, tp_known_bits *a) {
  const tp_known_bits low = slice(r, 0, a->width);
  return !(r->value & ~tp_bits_mask(a->width)) && place(a, &low, 0);
}
/* The sign bit and all above are equal. */
static bool refine_sign_extended(const tp_known_bits *r, tp_known_bits *a) {
  const uint32_t w = a->width;
  const tp_known_bits low = slice(r, 0, w), high = slice(r, w - 1, r->width - w + 1);
  const tp_u128 sign = (tp_u128)1 << (w - 1);
  if (high.value && !set_bits(a, sign, sign)) return false;
  if (tp_bits_greatest(&high) != tp_bits_mask(high.width) && !set_bits(a, sign, 0)) return false;
  return place(a, &low, 0);
}
static bool refine_concat(const tp_known_bits *r, tp_known_bits *a, tp_known_bits *b) {
  const tp_known_bits low = slice(r, 0, b->width), high = slice(r, b->width, a->width);
  return place(a, &high, 0) && place(b, &low, 0);
}
static bool refine_shift(tp_term_kind k, const tp_known_bits *r, tp_known_bits *a,
                         const tp_known_bits *count) {
  if (count->unknown || count->value >= a->width) return true;
  const uint32_t n = (uint32_t)count->value;
  const tp_known_bits moved =
      k == TP_OP_BV_SHL ? slice(r, n, r->width - n) : slice(r, 0, r->width - n);
  return place(a, &moved, k == TP_OP_BV_SHL ? 0 : n);
}
/* Low bits in which the divisor has no part are the dividend's. */
static bool refine_remainder(const tp_known_bits *r, tp_known_bits *a, const tp_known_bits *b) {
  tp_u128 parts = tp_bits_greatest(b), kept = 0;
  while (kept < tp_bits_mask(b->width) && !(parts & (kept + 1))) kept = kept << 1 | 1;
  return set_bits(a, kept & ~r->unknown, r->value);
}

bool tp_bits_refine(const tp_terms *tt, tp_term t, const tp_known_bits *result,
                    tp_known_bits *args) {
  const tp_term_kind k = tp_kind(tt, t);
  tp_known_bits *a = &args[0], *b = &args[1];
  switch ((int)k) {
    case TP_OP_BV_AND: return refine_and(result, a, b);
    case TP_OP_BV_OR: return refine_or(result, a, b);
    case TP_OP_BV_XOR: return refine_xor(result, a, b);
    case TP_OP_BV_ADD: return refine_add(result, a, b);
    case TP_OP_BV_MUL: return refine_multiple(result, a, b) && refine_multiple(result, b, a);
    case TP_OP_BV_UREM:
    case TP_OP_BV_SREM: return refine_remainder(result, a, b);
    case TP_OP_BV_ZEXT: return refine_extended(result, a);
    case TP_OP_BV_SEXT: return refine_sign_extended(result, a);
    case TP_OP_BV_EXTRACT: return place(a, result, tp_extract_lo(tt, t));
    case TP_OP_BV_CONCAT: return refine_concat(result, a, b);
    case TP_OP_BV_SHL:
    case TP_OP_BV_LSHR:
    case TP_OP_BV_ASHR: return refine_shift(k, result, a, b);
    case TP_OP_BV_NOT: {
      const tp_known_bits undone = tp_bits_not(result);
      return tp_bits_meet(a, &undone, a);
    }
    case TP_OP_BV_NEG: {
      const tp_known_bits undone = tp_bits_negate(result);
      return tp_bits_meet(a, &undone, a);
    }
    default: return true;
  }
}

// ------------------------------------------------------------------ comparisons

/* a is not the constant c: with one unknown bit, a is the other of its two members. */
static bool differ(tp_known_bits *a, const tp_known_bits *c) {
  if (c->unknown) return true;
  if (!a->unknown) return a->value != c->value;
  if (a->unknown & (a->unknown - 1)) return true;
  if (c->value == tp_bits_least(a)) return set_bits(a, a->unknown, a->unknown);
  return c->value != tp_bits_greatest(a) || set_bits(a, a->unknown, 0);
}
/* a < b, or a <= b, in the unsigned reading. */
static bool ordered(bool is_strict, tp_known_bits *a, tp_known_bits *b) {
  const tp_u128 high = tp_bits_greatest(b), low = tp_bits_least(a), most = tp_bits_mask(a->width);
  if (is_strict && (high == 0 || low == most)) return false;
  return tp_bits_between(a, 0, high - is_strict) && tp_bits_between(b, low + is_strict, most);
}

bool tp_bits_refine_comparison(tp_term_kind k, bool holds, tp_known_bits *a, tp_known_bits *b) {
  if (k == TP_OP_EQ && holds) {
    if (!tp_bits_meet(a, b, a)) return false;
    *b = *a;
    return true;
  }
  if (k == TP_OP_EQ) return differ(a, b) && differ(b, a);
  const bool is_signed = k == TP_OP_BV_SLT || k == TP_OP_BV_SLE;
  bool is_strict = k == TP_OP_BV_ULT || k == TP_OP_BV_SLT;
  if (!is_signed && !is_strict && k != TP_OP_BV_ULE) return true;
  if (is_signed) *a = tp_bits_flip_sign(a), *b = tp_bits_flip_sign(b);
  const bool possible = holds ? ordered(is_strict, a, b) : ordered(!is_strict, b, a);
  if (is_signed) *a = tp_bits_flip_sign(a), *b = tp_bits_flip_sign(b);
  return possible;
}
