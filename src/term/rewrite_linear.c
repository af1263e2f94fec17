/* Sums modulo 2^n in normal form: coefficient * base for pairwise different bases, ascending by
 * id, then the constant. As terms: a chain of ADD leaning to the left, constant last; a
 * monomial is x, (NEG x) or (MUL x c). Two sums that are equal by the laws of a module over
 * Z/2^n are then the same term, unless they have more than TP_TERM_LINEAR_MONOMIALS monomials. */
#include "term/rewrite.h"

#include "term/term_limits.h"

void tp_linear_init(tp_linear *l, uint32_t width) {
  TP_REQUIRE(width >= 1 && width <= TP_BV_MAX_BITS);
  l->width = width;
  l->n = 0;
  l->constant = 0;
}

static bool add_monomial(tp_linear *l, tp_term base, tp_u128 coefficient) {
  uint32_t i = l->n;
  while (i > 0 && l->m[i - 1].base.id > base.id) i--;
  if (i > 0 && l->m[i - 1].base.id == base.id) {
    i--;
    l->m[i].coefficient = tp_cut(l->m[i].coefficient + coefficient, l->width);
    if (l->m[i].coefficient) return true;
    memmove(&l->m[i], &l->m[i + 1], (l->n - i - 1) * sizeof l->m[0]);
    l->n--;
    return true;
  }
  if (l->n == TP_TERM_LINEAR_MONOMIALS) return false;
  memmove(&l->m[i + 1], &l->m[i], (l->n - i) * sizeof l->m[0]);
  l->m[i].base = base;
  l->m[i].coefficient = coefficient;
  l->n++;
  return true;
}

/* match: c * (ADD x y)    result: c * x + c * y
 * match: c * (NEG x)      result: (-c) * x
 * match: c * (MUL x d)    result: (c d) * x
 * match: c * (NOT x)      result: (-c) * x - c      (inside sums only) */
bool tp_linear_add(const tp_terms *tt, tp_linear *l, tp_term t, tp_u128 scale) {
  TP_REQUIRE(tp_sk(tt, t) == TP_SORT_BV && tp_w(tt, t) == l->width);
  struct {
    tp_term t;
    tp_u128 scale;
  } work[TP_TERM_LINEAR_MONOMIALS];
  uint32_t n = 0;
  work[n].t = t;
  work[n++].scale = tp_cut(scale, l->width);
  while (n > 0) {
    tp_term x = work[--n].t;
    tp_u128 c = work[n].scale;
    if (c == 0) continue;
    switch ((int)tp_k(tt, x)) {
      case TP_OP_BV_CONST:
        l->constant = tp_cut(l->constant + c * tp_bits(tt, x), l->width);
        continue;
      case TP_OP_BV_ADD:
        if (n + 2 > TP_TERM_LINEAR_MONOMIALS / 2 || l->n + n + 2 > TP_TERM_LINEAR_MONOMIALS) break;
        work[n].t = tp_a(tt, x, 0);
        work[n++].scale = c;
        work[n].t = tp_a(tt, x, 1);
        work[n++].scale = c;
        continue;
      case TP_OP_BV_NEG:
        work[n].t = tp_a(tt, x, 0);
        work[n++].scale = tp_cut(~c + 1, l->width);
        continue;
      case TP_OP_BV_NOT:
        l->constant = tp_cut(l->constant - c, l->width);
        work[n].t = tp_a(tt, x, 0);
        work[n++].scale = tp_cut(~c + 1, l->width);
        continue;
      case TP_OP_BV_MUL:
        if (!tp_is_bv(tt, tp_a(tt, x, 1))) break;
        work[n].t = tp_a(tt, x, 0);
        work[n++].scale = tp_cut(c * tp_bits(tt, tp_a(tt, x, 1)), l->width);
        continue;
      default: break;
    }
    if (!add_monomial(l, x, c)) return false;
  }
  return true;
}

static tp_term monomial(tp_terms *tt, uint32_t width, tp_term base, tp_u128 c) {
  if (c == 1) return base;
  if (c == tp_mask(width)) return tp_intern1(tt, TP_OP_BV_NEG, tp_s(tt, base), base);
  return tp_intern2(tt, TP_OP_BV_MUL, tp_s(tt, base), base, tp_mk_bv(tt, width, c));
}

tp_term tp_linear_term(tp_terms *tt, const tp_linear *l) {
  TP_REQUIRE(l->n <= TP_TERM_LINEAR_MONOMIALS && l->constant == tp_cut(l->constant, l->width));
  if (l->n == 0) return tp_mk_bv(tt, l->width, l->constant);
  tp_sort s = tp_sort_bv(tt, l->width);
  tp_term r = monomial(tt, l->width, l->m[0].base, l->m[0].coefficient);
  if (l->n == 1 && l->m[0].coefficient == tp_mask(l->width) && l->constant == tp_mask(l->width))
    return tp_intern1(tt, TP_OP_BV_NOT, s, l->m[0].base);  // match: -x - 1   result: (NOT x)
  for (uint32_t i = 1; i < l->n; i++)
    r = tp_intern2(tt, TP_OP_BV_ADD, s, r,
                   monomial(tt, l->width, l->m[i].base, l->m[i].coefficient));
  if (l->constant) r = tp_intern2(tt, TP_OP_BV_ADD, s, r, tp_mk_bv(tt, l->width, l->constant));
  return r;
}

static tp_term product(tp_terms *tt, const tp_application *ap) {
  tp_term a = ap->a, b = ap->b;
  const uint32_t w = tp_w(tt, a);
  tp_u128 c = 1;
  tp_term *side[2] = {&a, &b};
  for (int i = 0; i < 2; i++) {  // match: (MUL (MUL x c) y)  result: c * (MUL x y)
    tp_term t = *side[i];
    if (tp_is_bv(tt, t)) {
      c = tp_cut(c * tp_bits(tt, t), w);
      *side[i] = TP_TERM_NONE;
    } else if (tp_k(tt, t) == TP_OP_BV_NEG) {
      c = tp_cut(~c + 1, w);
      *side[i] = tp_a(tt, t, 0);
    } else if (tp_k(tt, t) == TP_OP_BV_MUL && tp_is_bv(tt, tp_a(tt, t, 1))) {
      c = tp_cut(c * tp_bits(tt, tp_a(tt, t, 1)), w);
      *side[i] = tp_a(tt, t, 0);
    }
  }
  tp_linear l;
  tp_linear_init(&l, w);
  tp_term base = !tp_term_is(a) ? b : a;
  if (tp_term_is(a) && tp_term_is(b))  // the older factor first
    base = a.id < b.id ? tp_intern2(tt, TP_OP_BV_MUL, tp_s(tt, a), a, b)
                       : tp_intern2(tt, TP_OP_BV_MUL, tp_s(tt, a), b, a);
  if (!tp_linear_add(tt, &l, base, c)) return TP_TERM_NONE;
  return tp_linear_term(tt, &l);
}

/* A constant added to, or multiplied with, a tree of constants goes to the leaves. */
static bool leave_to_leaves(const tp_terms *tt, const tp_application *ap) {
  if (ap->k == TP_OP_BV_NEG) return tp_k(tt, ap->a) == TP_OP_ITE;
  bool ite_a = tp_k(tt, ap->a) == TP_OP_ITE, ite_b = tp_k(tt, ap->b) == TP_OP_ITE;
  return (ite_a || ite_b) && (ite_a || tp_is_bv(tt, ap->a)) && (ite_b || tp_is_bv(tt, ap->b));
}

tp_term tp_rw_linear(tp_terms *tt, const tp_application *ap) {
  TP_REQUIRE(ap->k >= TP_OP_BV_ADD && ap->k <= TP_OP_BV_NEG);
  if (leave_to_leaves(tt, ap)) {
    tp_term r = tp_rw_leaves(tt, ap);
    if (tp_term_is(r)) return r;
  }
  if (ap->k == TP_OP_BV_MUL) return product(tt, ap);
  tp_linear l;
  tp_linear_init(&l, tp_w(tt, ap->a));
  bool fits = ap->k == TP_OP_BV_NEG
                  ? tp_linear_add(tt, &l, ap->a, tp_mask(l.width))
                  : tp_linear_add(tt, &l, ap->a, 1) && tp_linear_add(tt, &l, ap->b, 1);
  return fits ? tp_linear_term(tt, &l) : TP_TERM_NONE;
}

/* Does some leaf of the ITE tree equal c? Looks at `budget` nodes; says yes when it cannot tell. */
static bool may_equal(const tp_terms *tt, tp_term t, tp_u128 c, int *budget) {
  if (tp_is_bv(tt, t)) return tp_bits(tt, t) == c;
  if (tp_k(tt, t) != TP_OP_ITE || --*budget < 0) return true;
  return may_equal(tt, tp_a(tt, t, 1), c, budget) || may_equal(tt, tp_a(tt, t, 2), c, budget);
}

static int compare_sums(const tp_linear *l, const tp_terms *tt) {
  tp_u128 all = 0;
  if (l->n == 0) return l->constant ? -1 : 1;
  for (uint32_t i = 0; i < l->n; i++) all |= l->m[i].coefficient;
  tp_u128 step = all & (~all + 1);  // the largest 2^j that divides all coefficients
  if (l->constant & (step - 1)) return -1;
  const bool plus = l->m[0].coefficient == 1, minus = l->m[0].coefficient == tp_mask(l->width);
  int budget = 16;
  if (l->n > 1 || (!plus && !minus)) return 0;
  return may_equal(tt, l->m[0].base, minus ? l->constant : tp_cut(~l->constant + 1, l->width),
                   &budget)
             ? 0
             : -1;
}

/* A pointer is root + displacement; for constants the root is the object. */
static int compare_pointers(const tp_terms *tt, tp_term p, tp_term q) {
  const tp_term pointer[2] = {p, q};
  tp_term root[2];
  tp_linear l;
  tp_linear_init(&l, tt->ptr_bits);
  for (int i = 0; i < 2; i++) {
    bool moved = tp_k(tt, pointer[i]) == TP_OP_PTR_ADD;
    const tp_u128 scale = i == 0 ? 1 : tp_mask(l.width);
    root[i] = moved ? tp_a(tt, pointer[i], 0) : pointer[i];
    if (moved && !tp_linear_add(tt, &l, tp_a(tt, pointer[i], 1), scale)) return 0;
    if (tp_k(tt, root[i]) == TP_OP_PTR_CONST)
      l.constant = tp_cut(l.constant + scale * tt->payload[root[i].id], l.width);
  }
  if (tp_k(tt, root[0]) == TP_OP_PTR_CONST && tp_k(tt, root[1]) == TP_OP_PTR_CONST)
    return tp_ptr_const_object(tt, root[0]) == tp_ptr_const_object(tt, root[1])
               ? compare_sums(&l, tt)
               : -1;
  return root[0].id == root[1].id ? compare_sums(&l, tt) : 0;
}

int tp_compare_terms(const tp_terms *tt, tp_term a, tp_term b) {
  TP_REQUIRE(tp_s(tt, a).id == tp_s(tt, b).id);
  if (a.id == b.id) return 1;
  tp_sort_kind s = tp_sk(tt, a);
  if (tp_is_scalar_const(tt, a) && tp_is_scalar_const(tt, b))
    return s == TP_SORT_FP ? 0 : -1;  // equal ones are one term
  if (s == TP_SORT_BOOL) return tp_is_complement(tt, a, b) ? -1 : 0;
  if (s == TP_SORT_PTR) return compare_pointers(tt, a, b);
  if (s != TP_SORT_BV) return 0;
  tp_linear l;
  tp_linear_init(&l, tp_w(tt, a));
  if (!tp_linear_add(tt, &l, a, 1) || !tp_linear_add(tt, &l, b, tp_mask(l.width))) return 0;
  return compare_sums(&l, tt);
}
