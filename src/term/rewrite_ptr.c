/* Rules for pointers: pairs (object, offset), and the way to integers and back.
 *
 * PTR_TO_INT p is base(object p) + offset p; the rules bring every such integer to the form
 * PTR_TO_INT of a pointer without a known displacement, plus a sum, so that equal bases cancel
 * in differences and INT_TO_PTR finds the pointer an integer came from. */
#include "term/rewrite.h"
#include "term/term_limits.h"

/* (PTR_OBJ p), (PTR_OFF p), (PTR_TO_INT p) and (INT_TO_PTR x) go into both branches of an ITE.
 * Results are remembered in the table, or shared branches would be visited once per path. */
static tp_term into_branches(tp_terms *tt, const tp_application *ap) {
  uint64_t key = (uint64_t)ap->k << 32 | ap->a.id, known;
  if (tp_map_get(&tt->pushed, key, &known)) return (tp_term){(uint32_t)known};
  tp_term then = tp_mk1(tt, ap->k, tp_a(tt, ap->a, 1));
  tp_term r = tp_mk_ite(tt, tp_a(tt, ap->a, 0), then, tp_mk1(tt, ap->k, tp_a(tt, ap->a, 2)));
  tp_map_set(&tt->pushed, key, r.id);
  return r;
}

/* match: (PTR_OBJ (PTR_MK o f))   result: o
 * match: (PTR_OBJ (PTR_ADD p x))  result: (PTR_OBJ p)
 * match: (PTR_OBJ (ITE c p q))    result: (ITE c (PTR_OBJ p) (PTR_OBJ q)) */
static tp_term object(tp_terms *tt, const tp_application *ap) {
  switch ((int)tp_k(tt, ap->a)) {
    case TP_OP_PTR_MK: return tp_a(tt, ap->a, 0);
    case TP_OP_PTR_ADD: return tp_mk1(tt, TP_OP_PTR_OBJ, tp_a(tt, ap->a, 0));
    case TP_OP_ITE: return into_branches(tt, ap);
    default: return TP_TERM_NONE;
  }
}

/* match: (PTR_OFF (PTR_MK o f))   result: f
 * match: (PTR_OFF (PTR_ADD p x))  result: (ADD (PTR_OFF p) x)
 * match: (PTR_OFF (ITE c p q))    result: (ITE c (PTR_OFF p) (PTR_OFF q)) */
static tp_term offset(tp_terms *tt, const tp_application *ap) {
  switch ((int)tp_k(tt, ap->a)) {
    case TP_OP_PTR_MK: return tp_a(tt, ap->a, 1);
    case TP_OP_PTR_ADD:
      return tp_mk2(tt, TP_OP_BV_ADD, tp_mk1(tt, TP_OP_PTR_OFF, tp_a(tt, ap->a, 0)),
                    tp_a(tt, ap->a, 1));
    case TP_OP_ITE: return into_branches(tt, ap);
    default: return TP_TERM_NONE;
  }
}

/* match: (PTR_MK (PTR_OBJ p) (PTR_OFF p))            result: p
 * match: (PTR_MK (PTR_OBJ p) s)                      result: (PTR_ADD p s')
 *   if: s = (PTR_OFF p) + s'
 * match: (PTR_MK c x)                                result: (PTR_ADD (PTR_CONST c 0) x) */
static tp_term pair(tp_terms *tt, tp_term o, tp_term f) {
  if (tp_is_bv(tt, o))
    return tp_mk_ptr_add(tt, tp_mk_ptr_const(tt, (uint32_t)tp_bits(tt, o), 0), f);
  if (tp_k(tt, o) != TP_OP_PTR_OBJ) return TP_TERM_NONE;
  tp_term p = tp_a(tt, o, 0);
  if (tp_k(tt, f) == TP_OP_PTR_OFF && tp_a(tt, f, 0).id == p.id) return p;
  tp_linear l;
  tp_linear_init(&l, tt->ptr_bits);
  if (!tp_linear_add(tt, &l, f, 1)) return TP_TERM_NONE;
  for (uint32_t i = 0; i < l.n; i++) {
    if (l.m[i].coefficient != 1 || tp_k(tt, l.m[i].base) != TP_OP_PTR_OFF ||
        tp_a(tt, l.m[i].base, 0).id != p.id)
      continue;
    return tp_mk_ptr_add(tt, p, tp_mk_sub(tt, f, l.m[i].base));
  }
  return TP_TERM_NONE;
}

/* match: (PTR_ADD p 0)                 result: p
 * match: (PTR_ADD (PTR_ADD p x) y)     result: (PTR_ADD p (ADD x y))
 * match: (PTR_ADD (PTR_MK o f) x)      result: (PTR_MK o (ADD f x))
 * match: (PTR_ADD (PTR_CONST o c) x)   result: (PTR_ADD (PTR_CONST o 0) (ADD x c)) */
static tp_term displaced(tp_terms *tt, tp_term p, tp_term x) {
  if (tp_is_bv(tt, x) && tp_bits(tt, x) == 0) return p;
  switch ((int)tp_k(tt, p)) {
    case TP_OP_PTR_ADD:
      return tp_mk_ptr_add(tt, tp_a(tt, p, 0), tp_mk2(tt, TP_OP_BV_ADD, tp_a(tt, p, 1), x));
    case TP_OP_PTR_MK:
      return tp_mk_ptr(tt, tp_a(tt, p, 0), tp_mk2(tt, TP_OP_BV_ADD, tp_a(tt, p, 1), x));
    case TP_OP_PTR_CONST: {
      if (tt->payload[p.id] == 0) return TP_TERM_NONE;
      tp_term sum = tp_mk2(tt, TP_OP_BV_ADD, x, tp_mk_bv(tt, tt->ptr_bits, tt->payload[p.id]));
      return tp_mk_ptr_add(tt, tp_mk_ptr_const(tt, tp_ptr_const_object(tt, p), 0), sum);
    }
    default: return TP_TERM_NONE;
  }
}

static tp_term plus(tp_terms *tt, tp_term p, tp_term x) {
  return tp_mk2(tt, TP_OP_BV_ADD, tp_mk1(tt, TP_OP_PTR_TO_INT, p), x);
}

/* match: (PTR_TO_INT (PTR_CONST 0 c))    result: c     (folded) match: (PTR_TO_INT (PTR_CONST o c))
 * result: (ADD (PTR_TO_INT (PTR_CONST o 0)) c) match: (PTR_TO_INT (PTR_ADD p x))      result: (ADD
 * (PTR_TO_INT p) x) match: (PTR_TO_INT (PTR_MK o f))       result: (ADD (PTR_TO_INT (PTR_MK o 0))
 * f) match: (PTR_TO_INT (ITE c p q))        result: (ADD (PTR_TO_INT r) (SUB (PTR_OFF (ITE c p q))
 * (PTR_OFF r)))
 *   if: (PTR_OBJ (ITE c p q)) is the object of r; else (ITE c (PTR_TO_INT p) (PTR_TO_INT q)) */
static tp_term to_int(tp_terms *tt, const tp_application *ap) {
  tp_term p = ap->a;
  switch ((int)tp_k(tt, p)) {
    case TP_OP_PTR_CONST: {
      uint64_t c = tt->payload[p.id];
      if (c == 0) return TP_TERM_NONE;
      return plus(tt, tp_mk_ptr_const(tt, tp_ptr_const_object(tt, p), 0),
                  tp_mk_bv(tt, tt->ptr_bits, c));
    }
    case TP_OP_PTR_ADD: return plus(tt, tp_a(tt, p, 0), tp_a(tt, p, 1));
    case TP_OP_PTR_MK: {
      tp_term f = tp_a(tt, p, 1), zero = tp_mk_bv(tt, tt->ptr_bits, 0);
      if (f.id == zero.id) return TP_TERM_NONE;
      return plus(tt, tp_mk_ptr(tt, tp_a(tt, p, 0), zero), f);
    }
    case TP_OP_ITE: {
      tp_term o = tp_mk1(tt, TP_OP_PTR_OBJ, p), f = tp_mk1(tt, TP_OP_PTR_OFF, p);
      if (tp_is_bv(tt, o)) return plus(tt, tp_mk_ptr_const(tt, (uint32_t)tp_bits(tt, o), 0), f);
      if (tp_k(tt, o) != TP_OP_PTR_OBJ || tp_k(tt, tp_a(tt, o, 0)) == TP_OP_ITE)
        return into_branches(tt, ap);
      tp_term r = tp_a(tt, o, 0);
      return plus(tt, r, tp_mk_sub(tt, f, tp_mk1(tt, TP_OP_PTR_OFF, r)));
    }
    default: return TP_TERM_NONE;
  }
}

/* Does k with this operand change low bits of the other one only? A constant, a narrow number, or a
 * choice among these does. */
static bool is_tag(const tp_terms *tt, tp_term_kind k, tp_term t, uint32_t nesting) {
  if (nesting == 0) return false;
  if (tp_is_bv(tt, t)) {
    const tp_u128 bits = tp_bits(tt, t);
    return (k == TP_OP_BV_AND ? ~bits & tp_mask(tp_w(tt, t)) : bits) < (tp_u128)1
                                                                           << TP_TERM_TAG_BITS;
  }
  if (tp_k(tt, t) == TP_OP_ITE)
    return is_tag(tt, k, tp_a(tt, t, 1), nesting - 1) && is_tag(tt, k, tp_a(tt, t, 2), nesting - 1);
  return k != TP_OP_BV_AND && tp_k(tt, t) == TP_OP_BV_ZEXT &&
         tp_w(tt, tp_a(tt, t, 0)) <= TP_TERM_TAG_BITS;
}

/* The integer whose low bits t sets, flips or clears, and no others; NONE: t does not do that. */
static tp_term untagged(const tp_terms *tt, tp_term t) {
  const tp_term_kind k = tp_k(tt, t);
  if (k != TP_OP_BV_AND && k != TP_OP_BV_OR && k != TP_OP_BV_XOR) return TP_TERM_NONE;
  for (uint32_t i = 0; i < 2; i++)
    if (is_tag(tt, k, tp_a(tt, t, i), TP_TERM_TAG_NESTING)) return tp_a(tt, t, 1 - i);
  return TP_TERM_NONE;
}

static tp_term origin(tp_terms *tt, tp_term s, uint32_t nesting);

/* Of both branches of an ITE. */
static tp_term common_origin(tp_terms *tt, tp_term choice, uint32_t nesting) {
  tp_term p = origin(tt, tp_a(tt, choice, 1), nesting);
  if (!tp_term_is(p) || origin(tt, tp_a(tt, choice, 2), nesting).id != p.id) return TP_TERM_NONE;
  return p;
}

/* The one PTR_TO_INT that s is made from, by adding numbers, and by setting, flipping and clearing
 * low bits; NONE: there is none, or more than one. */
static tp_term origin(tp_terms *tt, tp_term s, uint32_t nesting) {
  tp_linear l;
  tp_linear_init(&l, tt->ptr_bits);
  if (nesting == 0 || !tp_linear_add(tt, &l, s, 1)) return TP_TERM_NONE;
  tp_term found = TP_TERM_NONE;
  for (uint32_t i = 0; i < l.n; i++) {
    tp_term base = l.m[i].base, inner = untagged(tt, base);
    tp_term here = tp_k(tt, base) == TP_OP_PTR_TO_INT ? base
                   : tp_k(tt, base) == TP_OP_ITE      ? common_origin(tt, base, nesting - 1)
                   : tp_term_is(inner)                ? origin(tt, inner, nesting - 1)
                                                      : TP_TERM_NONE;
    if (!tp_term_is(here)) continue;
    if (tp_term_is(found) || l.m[i].coefficient != 1) return TP_TERM_NONE;
    found = here;
  }
  return found;
}

/* match: (INT_TO_PTR s)            result: (PTR_ADD p (SUB s (PTR_TO_INT p)))
 *   if: s is a sum of numbers and one x, which is (PTR_TO_INT p), or such a sum with low bits set,
 *       flipped or cleared (OR, XOR, AND), or an ITE of two such sums
 *
 * match: (INT_TO_PTR (ITE c x y))  result: (ITE c (INT_TO_PTR x) (INT_TO_PTR y)) */
static tp_term to_ptr(tp_terms *tt, const tp_application *ap) {
  if (tp_k(tt, ap->a) == TP_OP_ITE) return into_branches(tt, ap);
  tp_term p = origin(tt, ap->a, TP_TERM_TAG_NESTING);
  if (!tp_term_is(p)) return TP_TERM_NONE;
  return tp_mk_ptr_add(tt, tp_a(tt, p, 0), tp_mk_sub(tt, ap->a, p));
}

static bool shows_parts(const tp_terms *tt, tp_term p) {
  tp_term_kind k = tp_k(tt, p);
  return k == TP_OP_PTR_CONST || k == TP_OP_PTR_ADD || k == TP_OP_PTR_MK;
}

/* match: (EQ p p)   result: true
 * match: (EQ p q)   result: (EQ (PTR_OFF p) (PTR_OFF q))   if: same object
 * match: (EQ p q)   result: false                          if: objects or offsets certainly differ
 * match: (EQ p q)   result: (AND (EQ (PTR_OBJ p) (PTR_OBJ q)) (EQ (PTR_OFF p) (PTR_OFF q)))
 *   if: one is a PTR_MK */
static tp_term pointer_eq(tp_terms *tt, const tp_application *ap) {
  tp_term p = ap->a, q = ap->b;
  if (p.id == q.id) return TP_TRUE;
  tp_term r = tp_rw_leaves(tt, ap);
  if (!tp_term_is(r)) r = tp_rw_eq_branches(tt, p, q);
  if (tp_term_is(r)) return r;
  if (shows_parts(tt, p) || shows_parts(tt, q)) {
    tp_term o1 = tp_mk1(tt, TP_OP_PTR_OBJ, p), o2 = tp_mk1(tt, TP_OP_PTR_OBJ, q);
    tp_term f1 = tp_mk1(tt, TP_OP_PTR_OFF, p), f2 = tp_mk1(tt, TP_OP_PTR_OFF, q);
    int objects = tp_compare_terms(tt, o1, o2);
    if (objects < 0 || tp_compare_terms(tt, f1, f2) < 0) return TP_FALSE;
    if (objects > 0) return tp_mk_eq(tt, f1, f2);
    if (tp_k(tt, p) == TP_OP_PTR_MK || tp_k(tt, q) == TP_OP_PTR_MK)
      return tp_mk_and(tt, tp_mk_eq(tt, o1, o2), tp_mk_eq(tt, f1, f2));
  }
  bool swap = tp_is_scalar_const(tt, p) || (q.id < p.id && !tp_is_scalar_const(tt, q));
  return swap ? tp_intern2(tt, TP_OP_EQ, ap->sort, q, p) : tp_intern2(tt, TP_OP_EQ, ap->sort, p, q);
}

tp_term tp_rw_ptr(tp_terms *tt, const tp_application *ap) {
  TP_REQUIRE(ap->k == TP_OP_EQ || (ap->k >= TP_OP_PTR_MK && ap->k <= TP_OP_INT_TO_PTR));
  switch ((int)ap->k) {
    case TP_OP_PTR_MK: return pair(tt, ap->a, ap->b);
    case TP_OP_PTR_OBJ: return object(tt, ap);
    case TP_OP_PTR_OFF: return offset(tt, ap);
    case TP_OP_PTR_ADD: return displaced(tt, ap->a, ap->b);
    case TP_OP_PTR_TO_INT: return to_int(tt, ap);
    case TP_OP_INT_TO_PTR: return to_ptr(tt, ap);
    default: return pointer_eq(tt, ap);
  }
}
