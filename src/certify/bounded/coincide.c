/* Comparing pointers for equality.
 *
 * In the model, pointers to different objects differ. Compilers and allocators know exceptions,
 * which the meaning of C leaves open: one past the end of an object may be the start of its
 * neighbour, the place of an object that has ended (or of a local whose declaration is executed
 * again) may be used again, string literals may share bytes, and a number that nobody knows (an
 * input, or what memory held before it was written) may be an address. There a comparison may have
 * either result. */
#include "certify/bounded/walk.h"

/* One past the end of a is the start of b. Allocators keep blocks of the heap apart. */
static tp_term touches(tp_cwalk *w, tp_cleaf a, tp_cleaf b) {
  const tp_cobject *x = &w->heap.objects.at[a.object], *y = &w->heap.objects.at[b.object];
  if (x->kind == TP_O_HEAP || y->kind == TP_O_HEAP) return tp_mk_false(w->tt);
  tp_term at_start = tp_mk_eq(w->tt, b.offset, tp_mk_bv(w->tt, w->p->ptr_bits, 0));
  return tp_mk_and(w->tt, tp_mk_eq(w->tt, a.offset, x->size), at_start);
}

static bool are_one_declaration(const tp_cobject *x, const tp_cobject *y) {
  return x->kind == TP_O_STACK && y->kind == TP_O_STACK && x->made_by.id == y->made_by.id &&
         x->frame == y->frame;
}

/* A number in pointer clothes, and some object: constants are not addresses. */
static tp_term is_address(tp_cwalk *w, tp_cleaf number) {
  if (tp_is_const(w->tt, number.offset)) return tp_mk_false(w->tt);
  return tp_mk_not(w->tt, tp_mk_eq(w->tt, number.offset, tp_mk_bv(w->tt, w->p->ptr_bits, 0)));
}

static tp_term may_coincide(tp_cwalk *w, const tp_cstate *s, tp_cleaf a, tp_cleaf b) {
  tp_terms *tt = w->tt;
  if (a.object == b.object) return tp_mk_false(tt);
  if (a.object == TP_LEAF_OPAQUE || b.object == TP_LEAF_OPAQUE)
    return tp_mk_false(tt);  // may be any pointer
  if (a.object == 0 || b.object == 0)
    return tp_mk_and(tt, tp_mk_and(tt, a.cond, b.cond), is_address(w, a.object == 0 ? a : b));
  const tp_cobject *x = &w->heap.objects.at[a.object], *y = &w->heap.objects.at[b.object];
  if (x->kind == TP_O_FUNCTION || y->kind == TP_O_FUNCTION) return tp_mk_false(tt);
  tp_term both = tp_mk_and(tt, a.cond, b.cond);
  if ((x->kind == TP_O_LITERAL && y->kind == TP_O_LITERAL) || are_one_declaration(x, y))
    return both;
  tp_term both_live = tp_mk_and(tt, tp_cstate_live(w, s, a.object), tp_cstate_live(w, s, b.object));
  tp_term neighbours = tp_mk_or(tt, touches(w, a, b), touches(w, b, a));
  return tp_mk_and(tt, both, tp_mk_or(tt, tp_mk_not(tt, both_live), neighbours));
}

tp_term tp_cwalk_same_pointer(tp_cwalk *w, const tp_cstate *s, tp_term p, tp_term q) {
  tp_terms *tt = w->tt;
  tp_term same = tp_mk_eq(tt, p, q), open = tp_mk_false(tt);
  if (tp_is_true(tt, same)) return same;
  tp_cleaves ps = tp_cpointer_leaves(&w->heap.ps, p), qs = tp_cpointer_leaves(&w->heap.ps, q);
  for (uint32_t i = 0; i < ps.n; i++)
    for (uint32_t k = 0; k < qs.n; k++)
      open = tp_mk_or(tt, open, may_coincide(w, s, ps.at[i], qs.at[k]));
  if (tp_is_false(tt, open)) return same;
  w->is_exact = false;
  return tp_mk_ite(tt, open, tp_cwalk_fresh(w, "same address", tp_sort_bool(tt)), same);
}
