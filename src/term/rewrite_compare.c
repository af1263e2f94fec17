/* Rules for EQ on everything but Bool and Ptr, and for the orders on bit-vectors. */
#include "term/rewrite.h"

// -------------------------------------------------------------------- equality

static tp_term eq_raw(tp_terms *tt, tp_term a, tp_term b) {
  bool swap = tp_is_scalar_const(tt, a) ||
              (b.id < a.id && !tp_is_scalar_const(tt, b));  // constants right, else older first
  return swap ? tp_intern2(tt, TP_OP_EQ, tp_sort_bool(tt), b, a)
              : tp_intern2(tt, TP_OP_EQ, tp_sort_bool(tt), a, b);
}

/* The inverse of odd c modulo 2^128 (Newton: each step doubles the correct bits). */
static tp_u128 inverse(tp_u128 c) {
  tp_u128 x = c;
  for (int i = 0; i < 7; i++) x *= 2 - c * x;
  return x;
}

static bool is_extension(tp_term_kind k) { return k == TP_OP_BV_ZEXT || k == TP_OP_BV_SEXT; }

/* match: (EQ (ZEXT x) (ZEXT y))  result: (EQ x y)         if: same width; likewise SEXT match: (EQ
 * (ZEXT x) c)         result: (EQ x c')        if: c = zext(c'), else false; likewise SEXT match:
 * (EQ (CONCAT x y) c)     result: (AND (EQ x c1) (EQ y c0)) match: (EQ (NOT x) c)          result:
 * (EQ x ~c) match: (EQ (XOR x c) d)        result: (EQ x (c ^ d))   match: (EQ (XOR x y) 0)
 * result: (EQ x y) match: (EQ x 0)                result: (NOT (EQ x 1))   if: width 1 */
static tp_term eq_atoms(tp_terms *tt, tp_term a, tp_term b) {
  if (tp_is_bv(tt, a)) {
    tp_term swap = a;
    a = b, b = swap;
  }
  tp_term_kind k = tp_k(tt, a);
  uint32_t w = tp_w(tt, a);
  if (is_extension(k) && tp_k(tt, b) == k && tp_w(tt, tp_a(tt, a, 0)) == tp_w(tt, tp_a(tt, b, 0)))
    return tp_mk_eq(tt, tp_a(tt, a, 0), tp_a(tt, b, 0));
  if (!tp_is_bv(tt, b)) return TP_TERM_NONE;
  tp_u128 c = tp_bits(tt, b);
  if (is_extension(k)) {
    tp_term x = tp_a(tt, a, 0);
    tp_u128 cut = tp_cut(c, tp_w(tt, x));
    tp_u128 back = k == TP_OP_BV_ZEXT ? cut : tp_cut(tp_sign_extend(cut, tp_w(tt, x)), w);
    return back == c ? tp_mk_eq(tt, x, tp_mk_bv(tt, tp_w(tt, x), cut)) : TP_FALSE;
  }
  if (k == TP_OP_BV_NOT) return tp_mk_eq(tt, tp_a(tt, a, 0), tp_mk_bv(tt, w, ~c));
  if (k == TP_OP_BV_XOR && tp_is_bv(tt, tp_a(tt, a, 1)))
    return tp_mk_eq(tt, tp_a(tt, a, 0), tp_mk_bv(tt, w, c ^ tp_bits(tt, tp_a(tt, a, 1))));
  if (k == TP_OP_BV_XOR && c == 0) return tp_mk_eq(tt, tp_a(tt, a, 0), tp_a(tt, a, 1));
  if (w == 1 && c == 0 && k != TP_OP_ITE) return tp_mk_not(tt, eq_raw(tt, a, tp_mk_bv(tt, 1, 1)));
  return TP_TERM_NONE;
}

/* match: (EQ (ITE c s t) u)   result: (ITE c (EQ s u) (EQ t u))
 *   if: s and u, or t and u, are certainly equal or certainly different (so one branch is a
 *   constant) */
tp_term tp_rw_eq_branches(tp_terms *tt, tp_term a, tp_term b) {
  for (int i = 0; i < 2; i++) {
    tp_term u = i ? a : b, tree = i ? b : a;
    if (tp_k(tt, tree) != TP_OP_ITE) continue;
    tp_term s = tp_a(tt, tree, 1), t = tp_a(tt, tree, 2);
    if (!tp_compare_terms(tt, s, u) && !tp_compare_terms(tt, t, u)) continue;
    return tp_mk_ite(tt, tp_a(tt, tree, 0), tp_mk_eq(tt, s, u), tp_mk_eq(tt, t, u));
  }
  return TP_TERM_NONE;
}

/* The absolute value of a coefficient, which is read as a signed number. */
static tp_u128 magnitude(tp_u128 c, uint32_t w) {
  return c > tp_mask(w) >> 1 ? tp_cut(~c + 1, w) : c;
}

static tp_u128 greatest_divisor(tp_u128 a, tp_u128 b) {
  while (b) {
    const tp_u128 r = a % b;
    a = b, b = r;
  }
  return a;
}

/* match: x1 c1 + ... + k = 0   result: x1 (c1 / d) + ... + k / d = 0; false if d does not divide k
 *   if: the x are extensions, and so short that no sum of them wraps; d divides all c */
static bool divide_exact_sum(const tp_terms *tt, tp_linear *l, bool *is_false) {
  const uint32_t w = l->width;
  tp_u128 most = magnitude(l->constant, w), divisor = 0;
  if (w > 64) return false;
  for (uint32_t i = 0; i < l->n; i++) {
    const tp_term base = l->m[i].base;
    const tp_u128 c = magnitude(l->m[i].coefficient, w);
    if (!is_extension(tp_k(tt, base))) return false;
    most += c << tp_w(tt, tp_a(tt, base, 0));
    if (most > tp_mask(w)) return false;
    divisor = greatest_divisor(divisor, c);
  }
  if (divisor <= 1) return false;
  *is_false = magnitude(l->constant, w) % divisor != 0;
  for (uint32_t i = 0; i <= l->n && !*is_false; i++) {
    tp_u128 *c = i < l->n ? &l->m[i].coefficient : &l->constant;
    const tp_u128 q = magnitude(*c, w) / divisor;
    *c = magnitude(*c, w) == *c ? q : tp_cut(~q + 1, w);
  }
  return true;
}

/* match: x1 c1 + ... + k = 0   result: x1 (c1 / d) + ... + k / d = 0   if: d odd, divides all c
 * An odd number has an inverse modulo 2^w: d need not divide k. */
static void divide_odd(tp_linear *l) {
  const uint32_t w = l->width;
  tp_u128 divisor = 0;
  for (uint32_t i = 0; i < l->n; i++)
    divisor = greatest_divisor(divisor, magnitude(l->m[i].coefficient, w));
  while (divisor && !(divisor & 1)) divisor >>= 1;
  if (divisor <= 1) return;
  const tp_u128 factor = inverse(divisor);
  for (uint32_t i = 0; i < l->n; i++) l->m[i].coefficient = tp_cut(l->m[i].coefficient * factor, w);
  l->constant = tp_cut(l->constant * factor, w);
}

/* x1 c1 + ... + k = 0. Solve for the oldest base with coefficient 1 or -1, else keep the newest
 * monomial on the left; coefficients have no odd divisor in common. */
static tp_term eq_linear(tp_terms *tt, const tp_linear *sum) {
  const uint32_t w = sum->width;
  tp_linear l = *sum;
  tp_u128 all = 0;
  bool is_false = false;
  if (divide_exact_sum(tt, &l, &is_false) && is_false) return TP_FALSE;
  divide_odd(&l);
  for (uint32_t i = 0; i < l.n; i++) all |= l.m[i].coefficient;
  if (l.n == 0) return l.constant ? TP_FALSE : TP_TRUE;
  if (l.constant & ((all & (~all + 1)) - 1))
    return TP_FALSE;  // match: 2^j * s = c   if: 2^j does not divide c
  uint32_t pick = l.n - 1;
  tp_u128 factor = tp_mask(w);  // rest is scaled by this
  for (uint32_t i = l.n; i-- > 0;)
    if (l.m[i].coefficient == 1 || l.m[i].coefficient == tp_mask(w)) pick = i;
  tp_u128 c = l.m[pick].coefficient;
  tp_linear left;
  tp_linear_init(&left, w);
  left.n = 1;
  left.m[0] = l.m[pick];
  if (c == tp_mask(w)) left.m[0].coefficient = 1, factor = 1;
  if (l.n == 1) {
    tp_u128 power = c & (~c + 1);
    factor = tp_cut(~inverse(c / power) + 1,
                    w);  // match: (EQ (MUL x c) d)  result: (EQ (MUL x 2^j) d/odd)
    left.m[0].coefficient = power;
  }
  memmove(&l.m[pick], &l.m[pick + 1], (l.n - pick - 1) * sizeof l.m[0]);
  l.n--;
  for (uint32_t i = 0; i < l.n; i++) l.m[i].coefficient = tp_cut(l.m[i].coefficient * factor, w);
  l.constant = tp_cut(l.constant * factor, w);
  tp_term a = tp_linear_term(tt, &left), b = tp_linear_term(tt, &l);
  tp_application ap = {TP_OP_EQ, tp_sort_bool(tt), a, b, TP_TERM_NONE, 0};
  tp_term r = eq_atoms(tt, a, b);
  if (!tp_term_is(r)) r = tp_rw_leaves(tt, &ap);
  if (!tp_term_is(r)) r = tp_rw_eq_branches(tt, a, b);
  return tp_term_is(r) ? r : eq_raw(tt, a, b);
}

static bool is_sum(const tp_terms *tt, tp_term t) {
  tp_term_kind k = tp_k(tt, t);
  return k == TP_OP_BV_ADD || k == TP_OP_BV_NEG || k == TP_OP_BV_MUL || k == TP_OP_BV_NOT;
}

/* match: (EQ x x)   result: true
 * match: (EQ c d)   result: false   if: different constants (folded before)
 * match: (EQ s t)   result: the solved form of s - t = 0, see eq_linear */
tp_term tp_rw_eq(tp_terms *tt, const tp_application *ap) {
  TP_REQUIRE(ap->k == TP_OP_EQ && tp_s(tt, ap->a).id == tp_s(tt, ap->b).id);
  tp_term a = ap->a, b = ap->b;
  if (a.id == b.id) return TP_TRUE;
  if (tp_sk(tt, a) == TP_SORT_BV) {
    tp_term branches = is_sum(tt, a) || is_sum(tt, b) ? tp_rw_eq_branches(tt, a, b) : TP_TERM_NONE;
    if (tp_term_is(branches)) return branches;
    tp_linear l;
    tp_linear_init(&l, tp_w(tt, a));
    if ((is_sum(tt, a) || is_sum(tt, b)) && tp_linear_add(tt, &l, a, 1) &&
        tp_linear_add(tt, &l, b, tp_mask(l.width)))
      return eq_linear(tt, &l);
    tp_term r = eq_atoms(tt, a, b);
    if (tp_term_is(r)) return r;
  }
  tp_term r = tp_rw_leaves(tt, ap);
  if (!tp_term_is(r) && tp_sk(tt, a) == TP_SORT_BV) r = tp_rw_eq_branches(tt, a, b);
  return tp_term_is(r) ? r : eq_raw(tt, a, b);
}

// ---------------------------------------------------------------------- orders

static bool is_signed_order(tp_term_kind k) { return k == TP_OP_BV_SLT || k == TP_OP_BV_SLE; }

/* Smallest and largest value of width w in the order of k. */
static tp_u128 lowest(bool is_signed, uint32_t w) { return is_signed ? (tp_u128)1 << (w - 1) : 0; }
static tp_u128 highest(bool is_signed, uint32_t w) {
  return is_signed ? tp_mask(w) >> 1 : tp_mask(w);
}

/* Both sides extended alike: compare what was extended. A constant counts if it fits.
 * match: (ULT (ZEXT x) (ZEXT y))   result: (ULT x y)     likewise ULE
 * match: (SLT (ZEXT x) (ZEXT y))   result: (ULT x y)     likewise SLE
 * match: (SLT (SEXT x) (SEXT y))   result: (SLT x y)     likewise ULT, ULE, SLE
 * if: same width of x and y */
static tp_term narrow(tp_terms *tt, tp_term_kind k, tp_term a, tp_term b) {
  tp_term_kind ext = is_extension(tp_k(tt, a)) ? tp_k(tt, a) : tp_k(tt, b);
  if (!is_extension(ext)) return TP_TERM_NONE;
  tp_term x = tp_k(tt, a) == ext ? tp_a(tt, a, 0) : TP_TERM_NONE,
          y = tp_k(tt, b) == ext ? tp_a(tt, b, 0) : TP_TERM_NONE;
  uint32_t w = tp_term_is(x) ? tp_w(tt, x) : tp_w(tt, y), full = tp_w(tt, a);
  tp_term *missing = !tp_term_is(x) ? &x : !tp_term_is(y) ? &y : NULL;
  if (missing) {
    tp_term c = missing == &x ? a : b;
    if (!tp_is_bv(tt, c)) return TP_TERM_NONE;
    tp_u128 cut = tp_cut(tp_bits(tt, c), w);
    tp_u128 back = ext == TP_OP_BV_ZEXT ? cut : tp_cut(tp_sign_extend(cut, w), full);
    if (back != tp_bits(tt, c)) return TP_TERM_NONE;
    *missing = tp_mk_bv(tt, w, cut);
  }
  if (tp_w(tt, x) != tp_w(tt, y)) return TP_TERM_NONE;
  if (ext == TP_OP_BV_ZEXT)
    k = k == TP_OP_BV_SLT || k == TP_OP_BV_ULT ? TP_OP_BV_ULT : TP_OP_BV_ULE;
  return tp_mk2(tt, k, x, y);
}

typedef struct {
  tp_u128 low, high;
} range;  // in the unsigned order

/* A cheap unsigned range: looks at the head of t only. */
static range range_of(const tp_terms *tt, tp_term t) {
  uint32_t w = tp_w(tt, t);
  range r = {0, tp_mask(w)};
  tp_term x;
  switch ((int)tp_k(tt, t)) {
    case TP_OP_BV_CONST: r.low = r.high = tp_bits(tt, t); break;
    case TP_OP_BV_ZEXT: r.high = tp_mask(tp_w(tt, tp_a(tt, t, 0))); break;
    case TP_OP_BV_AND:
      x = tp_a(tt, t, 1);
      if (tp_is_bv(tt, x)) r.high = tp_bits(tt, x);
      break;
    case TP_OP_BV_OR:
      x = tp_a(tt, t, 1);
      if (tp_is_bv(tt, x)) r.low = tp_bits(tt, x);
      break;
    case TP_OP_BV_UREM:
      x = tp_a(tt, t, 1);
      if (tp_is_bv(tt, x) && tp_bits(tt, x)) r.high = tp_bits(tt, x) - 1;
      break;
    case TP_OP_BV_UDIV:
      x = tp_a(tt, t, 1);
      if (tp_is_bv(tt, x) && tp_bits(tt, x)) r.high = tp_mask(w) / tp_bits(tt, x);
      break;
    case TP_OP_BV_LSHR:
      x = tp_a(tt, t, 1);
      if (tp_is_bv(tt, x)) r.high = tp_bits(tt, x) < w ? tp_mask(w) >> (uint32_t)tp_bits(tt, x) : 0;
      break;
    case TP_OP_BV_CONCAT:
      x = tp_a(tt, t, 0);
      if (tp_is_bv(tt, x)) {
        uint32_t low_width = tp_w(tt, tp_a(tt, t, 1));
        r.low = tp_bits(tt, x) << low_width;
        r.high = r.low | tp_mask(low_width);
      }
      break;
    default: break;
  }
  return r;
}

/* The range in the signed order, as bits with the sign flipped so that it compares unsigned. */
static range signed_range_of(const tp_terms *tt, tp_term t) {
  uint32_t w = tp_w(tt, t);
  tp_u128 sign = (tp_u128)1 << (w - 1);
  range u = range_of(tt, t), all = {0, tp_mask(w)};
  if (tp_k(tt, t) == TP_OP_BV_SEXT) {
    uint32_t n = tp_w(tt, tp_a(tt, t, 0));
    tp_u128 half = (tp_u128)1 << (n - 1);
    return (range){sign - half, sign + half - 1};
  }
  if (u.high < sign || u.low >= sign) return (range){u.low ^ sign, u.high ^ sign};  // one sign only
  return all;
}

/* match: (ULT x y)   result: true if max x < min y, false if min x >= max y   (by range_of); ULE,
 * SLT, SLE alike */
static tp_term by_range(const tp_terms *tt, tp_term_kind k, tp_term a, tp_term b) {
  range x = is_signed_order(k) ? signed_range_of(tt, a) : range_of(tt, a);
  range y = is_signed_order(k) ? signed_range_of(tt, b) : range_of(tt, b);
  bool strict = k == TP_OP_BV_ULT || k == TP_OP_BV_SLT;
  if (strict ? x.high < y.low : x.high <= y.low) return TP_TRUE;
  if (strict ? x.low >= y.high : x.low > y.high) return TP_FALSE;
  return TP_TERM_NONE;
}

/* The largest 2^j of which the sum is known to be a multiple; 0: of all. */
static tp_u128 step_of_sum(const tp_terms *tt, tp_term t) {
  tp_linear l;
  tp_linear_init(&l, tp_w(tt, t));
  if (!is_sum(tt, t) || !tp_linear_add(tt, &l, t, 1)) return 1;
  tp_u128 all = l.constant;
  for (uint32_t i = 0; i < l.n; i++) all |= l.m[i].coefficient;
  return all & (~all + 1);
}

/* A multiple of 2^j and a constant that is not beyond the least of them but 0: how far two cells
 * are apart, where an access must not touch both.
 * match: (ULT s c)  result: (EQ s 0)         if: 0 < c <= 2^j
 * match: (ULT c s)  result: (NOT (EQ s 0))   if: c < 2^j */
static tp_term by_step(tp_terms *tt, tp_term_kind k, tp_term a, tp_term b) {
  const bool right = tp_is_bv(tt, b);
  const tp_term s = right ? a : b;
  const tp_u128 c = tp_bits(tt, right ? b : a), step = step_of_sum(tt, s);
  if (k != TP_OP_BV_ULT || c == 0 || step < 2 || (right ? c > step : c >= step))
    return TP_TERM_NONE;
  const tp_term is_zero = tp_mk_eq(tt, s, tp_mk_bv(tt, tp_w(tt, s), 0));
  return right ? is_zero : tp_mk_not(tt, is_zero);
}

/* match: (ULT x x)  result: false                 match: (ULE x x)  result: true match: (ULE x c)
 * result: (ULT x c+1)           match: (ULE c x)  result: (ULT c-1 x)   (no wrap, by range) match:
 * (ULT x c)  result: (EQ x 0) if c = 1     match: (ULT c x)  result: (EQ x max) if c = max - 1
 * match: (ULT x c)  result: (NOT (EQ x max)) if c = max   match: (ULT c x)  result: (NOT (EQ x 0))
 * if c = 0 the signed orders alike, with their least and greatest values */
static tp_term with_constant(tp_terms *tt, tp_term_kind k, tp_term a, tp_term b) {
  bool is_signed = is_signed_order(k), right = tp_is_bv(tt, b);
  uint32_t w = tp_w(tt, a);
  tp_u128 low = lowest(is_signed, w), high = highest(is_signed, w);
  tp_u128 c = tp_bits(tt, right ? b : a);
  if (k == TP_OP_BV_ULE || k == TP_OP_BV_SLE) {
    tp_term strict = tp_mk_bv(tt, w, right ? c + 1 : c - 1);
    k = is_signed ? TP_OP_BV_SLT : TP_OP_BV_ULT;
    return right ? tp_mk2(tt, k, a, strict) : tp_mk2(tt, k, strict, b);
  }
  tp_term x = right ? a : b;
  tp_u128 first = right ? low : high, last = right ? high : low;
  if (c == tp_cut(right ? low + 1 : high - 1, w)) return tp_mk_eq(tt, x, tp_mk_bv(tt, w, first));
  if (c == last) return tp_mk_not(tt, tp_mk_eq(tt, x, tp_mk_bv(tt, w, last)));
  return TP_TERM_NONE;
}

/* t = (PTR_TO_INT p) + rest, with p the only pointer; NONE if it is not of that form */
static tp_term pointer_part(const tp_terms *tt, tp_term t) {
  tp_linear l;
  tp_linear_init(&l, tp_w(tt, t));
  tp_term found = TP_TERM_NONE;
  if (!tp_linear_add(tt, &l, t, 1)) return found;
  for (uint32_t i = 0; i < l.n; i++) {
    if (tp_k(tt, l.m[i].base) != TP_OP_PTR_TO_INT) continue;
    if (tp_term_is(found) || l.m[i].coefficient != 1) return TP_TERM_NONE;
    found = l.m[i].base;
  }
  return found;
}

/* match: (ULT (ADD (PTR_TO_INT p) x) (ADD (PTR_TO_INT p) y))   result: (SLT x y)    ULE alike
 *   if: neither sum wraps, which is part of the memory model: an address is base + offset as
 *   whole numbers (offset signed). The one rule that is not an equivalence of bit-vectors. */
static tp_term same_object(tp_terms *tt, tp_term_kind k, tp_term a, tp_term b) {
  if (is_signed_order(k) || tp_w(tt, a) != tt->ptr_bits || tp_is_bv(tt, a) || tp_is_bv(tt, b))
    return TP_TERM_NONE;
  tp_term p = pointer_part(tt, a);
  if (!tp_term_is(p) || pointer_part(tt, b).id != p.id) return TP_TERM_NONE;
  return tp_mk2(tt, k == TP_OP_BV_ULT ? TP_OP_BV_SLT : TP_OP_BV_SLE, tp_mk_sub(tt, a, p),
                tp_mk_sub(tt, b, p));
}

tp_term tp_rw_less(tp_terms *tt, const tp_application *ap) {
  TP_REQUIRE(ap->k >= TP_OP_BV_ULT && ap->k <= TP_OP_BV_SLE);
  tp_term a = ap->a, b = ap->b;
  if (a.id == b.id) return tp_mk_bool(tt, ap->k == TP_OP_BV_ULE || ap->k == TP_OP_BV_SLE);
  tp_term r = by_range(tt, ap->k, a, b);
  if (!tp_term_is(r)) r = narrow(tt, ap->k, a, b);
  if (!tp_term_is(r)) r = same_object(tt, ap->k, a, b);
  if (!tp_term_is(r) && (tp_is_bv(tt, a) || tp_is_bv(tt, b))) {
    r = tp_rw_leaves(tt, ap);
    if (!tp_term_is(r)) r = with_constant(tt, ap->k, a, b);
    if (!tp_term_is(r)) r = by_step(tt, ap->k, a, b);
  }
  return r;
}
