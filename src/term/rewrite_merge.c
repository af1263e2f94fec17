/* ITE of two values that grew from one: what remains of the states of two paths where they join.
 * The common part moves out of the ITE, so that sums still cancel, a pointer keeps its one
 * object, and memory stays a chain of stores that reads can be walked through. */
#include "term/rewrite.h"

#include "term/term_limits.h"

/* match: (ITE c (ADD s k1) (ADD s k2))   result: (ADD s (ITE c k1 k2))   if: s is no constant */
static tp_term merge_sums(tp_terms *tt, tp_term c, tp_term x, tp_term y) {
  tp_linear lx, ly;
  tp_linear_init(&lx, tp_w(tt, x));
  tp_linear_init(&ly, tp_w(tt, x));
  if (tp_k(tt, x) != TP_OP_BV_ADD && tp_k(tt, y) != TP_OP_BV_ADD) return TP_TERM_NONE;
  if (!tp_linear_add(tt, &lx, x, 1) || !tp_linear_add(tt, &ly, y, 1)) return TP_TERM_NONE;
  if (lx.n != ly.n || lx.n == 0) return TP_TERM_NONE;
  for (uint32_t i = 0; i < lx.n; i++)
    if (lx.m[i].base.id != ly.m[i].base.id || lx.m[i].coefficient != ly.m[i].coefficient)
      return TP_TERM_NONE;
  tp_term choice =
      tp_mk_ite(tt, c, tp_mk_bv(tt, lx.width, lx.constant), tp_mk_bv(tt, lx.width, ly.constant));
  lx.constant = 0;
  if (lx.n == 1 && tp_k(tt, lx.m[0].base) == TP_OP_ITE)
    return TP_TERM_NONE;  // may be a tree of constants
  return tp_mk2(tt, TP_OP_BV_ADD, tp_linear_term(tt, &lx), choice);
}

/* p as root + offset, the offset NONE for 0 */
static tp_term root_of(tp_terms *tt, tp_term p, tp_term *displacement) {
  *displacement = TP_TERM_NONE;
  if (tp_k(tt, p) == TP_OP_PTR_ADD) {
    *displacement = tp_a(tt, p, 1);
    return tp_a(tt, p, 0);
  }
  if (tp_k(tt, p) != TP_OP_PTR_CONST || tt->payload[p.id] == 0) return p;
  *displacement = tp_mk_bv(tt, tt->ptr_bits, tt->payload[p.id]);
  return tp_mk_ptr_const(tt, tp_ptr_const_object(tt, p), 0);
}

/* match: (ITE c (PTR_ADD p x) (PTR_ADD p y))   result: (PTR_ADD p (ITE c x y))
 *   p itself counts as (PTR_ADD p 0), a constant as (PTR_ADD (PTR_CONST o 0) k); not both constants
 */
static tp_term merge_pointers(tp_terms *tt, tp_term c, tp_term p, tp_term q) {
  if (tp_k(tt, p) != TP_OP_PTR_ADD && tp_k(tt, q) != TP_OP_PTR_ADD) return TP_TERM_NONE;
  tp_term x, y, root = root_of(tt, p, &x);
  if (root_of(tt, q, &y).id != root.id) return TP_TERM_NONE;
  tp_term zero = tp_mk_bv(tt, tt->ptr_bits, 0);
  return tp_mk_ptr_add(tt, root,
                       tp_mk_ite(tt, c, tp_term_is(x) ? x : zero, tp_term_is(y) ? y : zero));
}

/* match: (ITE c (STORE ... (STORE m i x) ...) (STORE ... (STORE m j y) ...))
 * result: m with the stores of both, each guarded:  (STORE a i (ITE c x (SELECT a i))) for the
 *   then side, (STORE a j (ITE c (SELECT a j) y)) for the else side, older ones first
 * if: m is found by peeling the younger end, at most TP_TERM_MERGED_STORES times */
static tp_term merge_arrays(tp_terms *tt, tp_term c, tp_term x, tp_term y) {
  tp_term side[2] = {x, y}, stores[2][TP_TERM_MERGED_STORES];
  int n[2] = {0, 0};
  while (side[0].id != side[1].id) {
    int young = side[0].id > side[1].id ? 0 : 1;
    if (tp_k(tt, side[young]) != TP_OP_STORE || n[0] + n[1] == TP_TERM_MERGED_STORES)
      return TP_TERM_NONE;
    stores[young][n[young]++] = side[young];
    side[young] = tp_a(tt, side[young], 0);
  }
  tp_term merged = side[0];
  for (int s = 0; s < 2; s++)
    while (n[s]-- > 0) {
      tp_term index = tp_a(tt, stores[s][n[s]], 1), value = tp_a(tt, stores[s][n[s]], 2);
      tp_term old = tp_mk2(tt, TP_OP_SELECT, merged, index);
      tp_term kept = s == 0 ? tp_mk_ite(tt, c, value, old) : tp_mk_ite(tt, c, old, value);
      merged = tp_mk3(tt, TP_OP_STORE, merged, index, kept);
    }
  return merged;
}

tp_term tp_rw_merge(tp_terms *tt, tp_term c, tp_term x, tp_term y) {
  TP_REQUIRE(tp_sk(tt, c) == TP_SORT_BOOL && tp_s(tt, x).id == tp_s(tt, y).id);
  switch (tp_sk(tt, x)) {
    case TP_SORT_BV: return merge_sums(tt, c, x, y);
    case TP_SORT_PTR: return merge_pointers(tt, c, x, y);
    case TP_SORT_ARRAY: return merge_arrays(tt, c, x, y);
    case TP_SORT_BOOL:
    case TP_SORT_FP:
    case TP_SORT_INT: break;
  }
  return TP_TERM_NONE;
}
