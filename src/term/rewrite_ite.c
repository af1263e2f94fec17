/* Rules for ITE, and for operations on ITE trees whose leaves are constants.
 *
 * Merged states are full of ITEs whose leaves are constants (flags, program counters, lock
 * states); pushing an operation with constants into such a tree keeps them constant. A tree
 * has at most TP_TERM_ITE_NODES inner nodes, so the recursions here are bounded. */
#include "term/rewrite.h"

#include "term/term_limits.h"

// ----------------------------------------------------------------------- trees

typedef struct {
  int inner, constant, other;  // nodes seen, leaves by kind
} tree;

static void measure(const tp_terms *tt, tp_term t, tree *m) {
  if (tp_is_scalar_const(tt, t)) {
    m->constant++;
  } else if (tp_k(tt, t) == TP_OP_ITE) {
    if (++m->inner > TP_TERM_ITE_NODES) return;
    measure(tt, tp_a(tt, t, 1), m);
    if (m->inner <= TP_TERM_ITE_NODES) measure(tt, tp_a(tt, t, 2), m);
  } else {
    m->other++;
  }
}

static tp_term map_leaves(tp_terms *tt, const tp_application *ap, int position, tp_term t) {
  if (tp_k(tt, t) == TP_OP_ITE) {
    tp_term then = map_leaves(tt, ap, position, tp_a(tt, t, 1));
    return tp_mk_ite(tt, tp_a(tt, t, 0), then, map_leaves(tt, ap, position, tp_a(tt, t, 2)));
  }
  tp_application at_leaf = *ap;
  *(position == 0 ? &at_leaf.a : position == 1 ? &at_leaf.b : &at_leaf.c) = t;
  return tp_mk_application(tt, &at_leaf);
}

/* The same conditions in the same places, and constants in the leaves. */
static bool same_shape(const tp_terms *tt, tp_term s, tp_term t, int *budget) {
  if (--*budget < 0) return false;
  bool is = tp_k(tt, s) == TP_OP_ITE, it = tp_k(tt, t) == TP_OP_ITE;
  if (!is && !it) return tp_is_scalar_const(tt, s) && tp_is_scalar_const(tt, t);
  if (!is || !it || tp_a(tt, s, 0).id != tp_a(tt, t, 0).id) return false;
  return same_shape(tt, tp_a(tt, s, 1), tp_a(tt, t, 1), budget) &&
         same_shape(tt, tp_a(tt, s, 2), tp_a(tt, t, 2), budget);
}

static tp_term zip(tp_terms *tt, const tp_application *ap, tp_term s, tp_term t) {
  if (tp_k(tt, s) == TP_OP_ITE) {
    tp_term then = zip(tt, ap, tp_a(tt, s, 1), tp_a(tt, t, 1));
    return tp_mk_ite(tt, tp_a(tt, s, 0), then, zip(tt, ap, tp_a(tt, s, 2), tp_a(tt, t, 2)));
  }
  tp_application at_leaf = *ap;
  at_leaf.a = s, at_leaf.b = t;
  return tp_mk_application(tt, &at_leaf);
}

static bool is_flag(const tp_terms *tt, tp_term t) {
  return tp_k(tt, t) == TP_OP_ITE && tp_is_bv(tt, tp_a(tt, t, 1)) && tp_is_bv(tt, tp_a(tt, t, 2)) &&
         tp_bits(tt, tp_a(tt, t, 1)) <= 1 && tp_bits(tt, tp_a(tt, t, 2)) <= 1;
}
/* The condition under which flag t is 1. */
static tp_term flag_set(tp_terms *tt, tp_term t) {
  return tp_bits(tt, tp_a(tt, t, 1)) ? tp_a(tt, t, 0) : tp_mk_not(tt, tp_a(tt, t, 0));
}

/* match: (k (ITE b c1 c2) (ITE b d1 d2))   result: (ITE b (k c1 d1) (k c2 d2))     trees of the
 * same shape match: (OR (ITE b 1 0) (ITE d 1 0))      result: (ITE (or b d) 1 0)              AND,
 * XOR alike match: (k (ITE b c1 c2) t)               result: (ITE b (k c1 t) (k c2 t))
 *   if: k yields Bool, t is a tree of constants too, both have at most two conditions */
static tp_term two_trees(tp_terms *tt, const tp_application *ap) {
  tp_term s = ap->a, t = ap->b;
  int budget = 2 * TP_TERM_ITE_NODES;
  if (tp_k(tt, s) != TP_OP_ITE || tp_k(tt, t) != TP_OP_ITE || tp_term_is(ap->c))
    return TP_TERM_NONE;
  if (same_shape(tt, s, t, &budget)) return zip(tt, ap, s, t);
  if (ap->k >= TP_OP_BV_AND && ap->k <= TP_OP_BV_XOR && is_flag(tt, s) && is_flag(tt, t)) {
    tp_term_kind k = ap->k == TP_OP_BV_AND  ? TP_OP_AND
                     : ap->k == TP_OP_BV_OR ? TP_OP_OR
                                            : TP_OP_XOR;
    return tp_mk_bool_to_bv(tt, tp_w(tt, s), tp_mk2(tt, k, flag_set(tt, s), flag_set(tt, t)));
  }
  tree m = {0, 0, 0}, n = {0, 0, 0};
  measure(tt, s, &m);
  measure(tt, t, &n);
  if (ap->sort.id != TP_SORT_ID_BOOL || m.other || n.other || m.inner > 2 || n.inner > 2)
    return TP_TERM_NONE;
  return map_leaves(tt, ap, 0, s);
}

static bool takes_leaves(tp_term_kind k) {
  return k != TP_OP_ITE && k != TP_OP_NOT && !(k >= TP_OP_AND && k <= TP_OP_XOR) &&
         k != TP_OP_SELECT && k != TP_OP_STORE && k != TP_OP_CONST_ARRAY && k != TP_OP_FORALL &&
         k != TP_OP_EXISTS;
}

/* match: (k (ITE b c1 (ITE ...)) c2)   result: (ITE b (k c1 c2) (ITE ...))
 *   if: the tree is small and has constant leaves only, the other arguments are constants
 * match: (k (ITE b x c1) c2)           result: (ITE b (k x c2) (k c1 c2))
 *   if: k yields Bool, so that the ITE becomes AND or OR; at most as many other leaves as
 *   constants, 2 */
tp_term tp_rw_leaves(tp_terms *tt, const tp_application *ap) {
  const tp_term arg[3] = {ap->a, ap->b, ap->c};
  int position = -1;
  if (!takes_leaves(ap->k)) return TP_TERM_NONE;
  for (int i = 0; i < 3 && tp_term_is(arg[i]); i++) {
    if (tp_is_scalar_const(tt, arg[i])) continue;
    if (position >= 0) return two_trees(tt, ap);
    if (tp_k(tt, arg[i]) != TP_OP_ITE) return TP_TERM_NONE;
    position = i;
  }
  if (position < 0) return TP_TERM_NONE;
  tree m = {0, 0, 0};
  measure(tt, arg[position], &m);
  if (m.inner > TP_TERM_ITE_NODES) return TP_TERM_NONE;
  bool is_test = ap->sort.id == TP_SORT_ID_BOOL && m.other <= 2 && m.other <= m.constant;
  if (m.other > 0 && !is_test) return TP_TERM_NONE;
  return map_leaves(tt, ap, position, arg[position]);
}

// -------------------------------------------------------------------- ITE itself

/* match: (ITE c true y)   result: (OR c y)          match: (ITE c false y)  result: (AND (NOT c) y)
 * match: (ITE c x true)   result: (OR (NOT c) x)    match: (ITE c x false)  result: (AND c x)
 * match: (ITE c c y)      result: (OR c y)          match: (ITE c x c)      result: (AND c x)
 * match: (ITE c x (NOT x)) result: (EQ c x)         match: (ITE c (NOT c) y) result: (AND (NOT c)
 * y) match: (ITE c x (NOT c)) result: (OR (NOT c) x) */
static tp_term bool_ite(tp_terms *tt, tp_term c, tp_term x, tp_term y) {
  if (x.id == TP_TRUE.id || x.id == c.id) return tp_mk_or(tt, c, y);
  if (y.id == TP_FALSE.id || y.id == c.id) return tp_mk_and(tt, c, x);
  if (x.id == TP_FALSE.id || tp_is_complement(tt, x, c)) return tp_mk_and(tt, tp_mk_not(tt, c), y);
  if (y.id == TP_TRUE.id || tp_is_complement(tt, y, c)) return tp_mk_or(tt, tp_mk_not(tt, c), x);
  if (tp_is_complement(tt, x, y)) return tp_mk_eq(tt, c, x);
  return TP_TERM_NONE;
}

/* Does c (resp. its negation, if !value) fix the truth of d? 1: d true, 0: d false, -1: open. */
static int fixes(const tp_terms *tt, tp_term c, bool value, tp_term d) {
  const tp_term_kind chain = value ? TP_OP_AND : TP_OP_OR;
  for (int i = 0; i < TP_TERM_ITE_NODES; i++) {
    bool more = tp_k(tt, c) == chain;
    tp_term literal = more ? tp_a(tt, c, 1) : c;
    if (literal.id == d.id) return value;
    if (tp_is_complement(tt, literal, d)) return !value;
    int fixed = tp_literal_fixes(tt, literal, value, d);
    if (fixed >= 0) return fixed;
    if (!more) break;
    c = tp_a(tt, c, 0);
  }
  return -1;
}

/* match: (ITE c (ITE d x y) z)   result: (ITE c x z)   if: c implies d; (ITE c y z) if c implies
 * NOT d likewise in the else branch under NOT c. Loops: each turn drops one ITE. */
static tp_term prune(const tp_terms *tt, tp_term c, bool value, tp_term branch) {
  for (int i = 0; i < TP_TERM_ITE_NODES && tp_k(tt, branch) == TP_OP_ITE; i++) {
    int d = fixes(tt, c, value, tp_a(tt, branch, 0));
    if (d < 0) break;
    branch = tp_a(tt, branch, d ? 1 : 2);
  }
  return branch;
}

/* Two ITEs that share a branch become one:
 * match: (ITE c x (ITE d x y))   result: (ITE (OR c d) x y)
 * match: (ITE c x (ITE d y x))   result: (ITE (AND (NOT c) d) y x)
 * match: (ITE c (ITE d x y) y)   result: (ITE (AND c d) x y)
 * match: (ITE c (ITE d y x) y)   result: (ITE (AND c (NOT d)) x y) */
static tp_term share(tp_terms *tt, tp_term c, tp_term x, tp_term y) {
  if (tp_k(tt, y) == TP_OP_ITE) {
    tp_term d = tp_a(tt, y, 0), y1 = tp_a(tt, y, 1), y2 = tp_a(tt, y, 2);
    if (y1.id == x.id) return tp_mk_ite(tt, tp_mk_or(tt, c, d), x, y2);
    if (y2.id == x.id) return tp_mk_ite(tt, tp_mk_and(tt, tp_mk_not(tt, c), d), y1, x);
  }
  if (tp_k(tt, x) == TP_OP_ITE) {
    tp_term d = tp_a(tt, x, 0), x1 = tp_a(tt, x, 1), x2 = tp_a(tt, x, 2);
    if (x2.id == y.id) return tp_mk_ite(tt, tp_mk_and(tt, c, d), x1, y);
    if (x1.id == y.id) return tp_mk_ite(tt, tp_mk_and(tt, c, tp_mk_not(tt, d)), x2, y);
  }
  return TP_TERM_NONE;
}

/* match: (ITE c (ITE d x y) (ITE d x z))   result: (ITE d x (ITE c y z))   likewise for the other
 * branch */
static tp_term same_condition(tp_terms *tt, tp_term c, tp_term x, tp_term y) {
  if (tp_k(tt, x) != TP_OP_ITE || tp_k(tt, y) != TP_OP_ITE) return TP_TERM_NONE;
  tp_term d = tp_a(tt, x, 0);
  if (d.id != tp_a(tt, y, 0).id) return TP_TERM_NONE;
  tp_term x1 = tp_a(tt, x, 1), x2 = tp_a(tt, x, 2), y1 = tp_a(tt, y, 1), y2 = tp_a(tt, y, 2);
  if (x1.id == y1.id) return tp_mk_ite(tt, d, x1, tp_mk_ite(tt, c, x2, y2));
  if (x2.id == y2.id) return tp_mk_ite(tt, d, tp_mk_ite(tt, c, x1, y1), x2);
  return TP_TERM_NONE;
}

/* match: (ITE true x y)        result: x      match: (ITE false x y)   result: y
 * match: (ITE c x x)           result: x      match: (ITE (NOT c) x y) result: (ITE c y x)
 * match: (ITE (EQ x y) x y)    result: y      match: (ITE (EQ x y) y x) result: x   if: not FP */
tp_term tp_rw_ite(tp_terms *tt, const tp_application *ap) {
  TP_REQUIRE(ap->k == TP_OP_ITE && tp_sk(tt, ap->a) == TP_SORT_BOOL);
  tp_term c = ap->a, x = ap->b, y = ap->c;
  if (c.id == TP_TRUE.id) return x;
  if (c.id == TP_FALSE.id) return y;
  if (tp_k(tt, c) == TP_OP_NOT) {
    tp_term swap = x;
    c = tp_a(tt, c, 0), x = y, y = swap;
  }
  x = prune(tt, c, true, x);
  y = prune(tt, c, false, y);
  if (x.id == y.id) return x;
  if (tp_k(tt, c) == TP_OP_EQ && ap->sort.id != TP_SORT_ID_FP32 && ap->sort.id != TP_SORT_ID_FP64) {
    tp_term e0 = tp_a(tt, c, 0), e1 = tp_a(tt, c, 1);
    if ((x.id == e0.id && y.id == e1.id) || (x.id == e1.id && y.id == e0.id)) return y;
  }
  tp_term r = ap->sort.id == TP_SORT_ID_BOOL ? bool_ite(tt, c, x, y) : TP_TERM_NONE;
  if (!tp_term_is(r)) r = share(tt, c, x, y);
  if (!tp_term_is(r)) r = same_condition(tt, c, x, y);
  if (!tp_term_is(r)) r = tp_rw_merge(tt, c, x, y);
  if (!tp_term_is(r)) r = tp_intern(tt, TP_OP_ITE, ap->sort, c, x, y, 0);
  return r;
}
