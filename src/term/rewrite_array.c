/* Rules for arrays: read over write. Walks down a chain of STOREs end after TP_TERM_READ_STORES
 * steps. */
#include "term/rewrite.h"

#include "term/term_limits.h"

/* Into both branches, if that pays: at least one read is answered. Remembered, as branches share.
 */
static tp_term read_ite(tp_terms *tt, tp_term array, tp_term index) {
  uint64_t key = (uint64_t)array.id << 32 | index.id, known;
  if (tp_map_get(&tt->read, key, &known)) return (tp_term){(uint32_t)known};
  tp_term c = tp_a(tt, array, 0), x = tp_a(tt, array, 1), y = tp_a(tt, array, 2);
  tp_term rx = tp_mk2(tt, TP_OP_SELECT, x, index), ry = tp_mk2(tt, TP_OP_SELECT, y, index);
  bool pays = rx.id == ry.id || tp_k(tt, rx) != TP_OP_SELECT || tp_k(tt, ry) != TP_OP_SELECT;
  tp_term r = pays ? tp_mk_ite(tt, c, rx, ry) : TP_TERM_NONE;
  tp_map_set(&tt->read, key, r.id);
  return r;
}

/* At every leaf of a small tree of constant indexes, if all these reads are answered. NONE else. */
static tp_term read_leaves(tp_terms *tt, tp_term array, tp_term index, int *budget) {
  if (--*budget < 0) return TP_TERM_NONE;
  if (tp_k(tt, index) != TP_OP_ITE) {
    tp_term r =
        tp_is_scalar_const(tt, index) ? tp_mk2(tt, TP_OP_SELECT, array, index) : TP_TERM_NONE;
    return tp_term_is(r) && tp_k(tt, r) != TP_OP_SELECT ? r : TP_TERM_NONE;
  }
  tp_term x = read_leaves(tt, array, tp_a(tt, index, 1), budget);
  tp_term y = tp_term_is(x) ? read_leaves(tt, array, tp_a(tt, index, 2), budget) : x;
  return tp_term_is(y) ? tp_mk_ite(tt, tp_a(tt, index, 0), x, y) : y;
}

/* match: (SELECT a (ITE c i j))        result: (ITE c (SELECT a i) (SELECT a j))   if: constant
 * leaves, all answered match: (SELECT (STORE a i x) j)      result: x                if: i = j
 * certainly match: (SELECT (STORE a i x) j)      result: (SELECT a j)     if: i and j certainly
 * differ match: (SELECT (CONST_ARRAY x) j)    result: x match: (SELECT (ITE c a b) j)
 * result: (ITE c (SELECT a j) (SELECT b j))   if: one of them is answered */
static tp_term select(tp_terms *tt, const tp_application *ap) {
  tp_term a = ap->a;
  for (int steps = 0; steps < TP_TERM_READ_STORES && tp_k(tt, a) == TP_OP_STORE; steps++) {
    int same = tp_compare_terms(tt, tp_a(tt, a, 1), ap->b);
    if (same > 0) return tp_a(tt, a, 2);
    if (same == 0) break;
    a = tp_a(tt, a, 0);
  }
  if (tp_k(tt, a) == TP_OP_CONST_ARRAY) return tp_a(tt, a, 0);
  int budget = TP_TERM_READ_LEAVES;
  tp_term r = tp_k(tt, a) == TP_OP_ITE ? read_ite(tt, a, ap->b) : TP_TERM_NONE;
  if (!tp_term_is(r) && tp_k(tt, ap->b) == TP_OP_ITE && tp_k(tt, a) != TP_OP_VAR)
    r = read_leaves(tt, a, ap->b, &budget);
  if (tp_term_is(r) || a.id == ap->a.id) return r;
  return tp_intern2(tt, TP_OP_SELECT, ap->sort, a, ap->b);
}

/* match: (STORE (STORE a i x) j y)      result: (STORE a j y)   if: i = j certainly; also through
 *                                       STOREs at indexes that certainly differ from j
 * match: (STORE a i (SELECT a i))       result: a
 * match: (STORE (CONST_ARRAY x) i x)    result: (CONST_ARRAY x) */
static tp_term store(tp_terms *tt, const tp_application *ap) {
  if (tp_k(tt, ap->c) == TP_OP_SELECT && tp_a(tt, ap->c, 0).id == ap->a.id &&
      tp_a(tt, ap->c, 1).id == ap->b.id)
    return ap->a;
  tp_term above[TP_TERM_WRITE_STORES], a = ap->a;
  int n = 0, same = -1;
  while (n < TP_TERM_WRITE_STORES && tp_k(tt, a) == TP_OP_STORE &&
         (same = tp_compare_terms(tt, tp_a(tt, a, 1), ap->b)) < 0) {
    above[n++] = a;
    a = tp_a(tt, a, 0);
  }
  if (n == 0 && tp_k(tt, a) == TP_OP_CONST_ARRAY && tp_a(tt, a, 0).id == ap->c.id) return a;
  if (tp_k(tt, a) != TP_OP_STORE || same <= 0) return TP_TERM_NONE;
  a = tp_a(tt, a, 0);
  while (n-- > 0)
    a = tp_intern(tt, TP_OP_STORE, ap->sort, a, tp_a(tt, above[n], 1), tp_a(tt, above[n], 2), 0);
  return tp_intern(tt, TP_OP_STORE, ap->sort, a, ap->b, ap->c, 0);
}

tp_term tp_rw_array(tp_terms *tt, const tp_application *ap) {
  TP_REQUIRE(ap->k == TP_OP_SELECT || ap->k == TP_OP_STORE);
  return ap->k == TP_OP_SELECT ? select(tt, ap) : store(tt, ap);
}
