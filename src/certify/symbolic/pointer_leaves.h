/* The leaves of a pointer term: where it may point, as a list of (condition, object, offset).
 *
 * What       splits conditional pointers into leaves with constant object ids; what is known of the
 *            low bits of an offset.
 * Represents exactly one condition of a pointer's leaves holds. A leaf with object TP_LEAF_OPAQUE
 *            is any other pointer term: its `offset` is that term itself.
 * Ownership  lists live in the table's arena.
 * Cost       one list per pointer term, remembered; at most 256 leaves, then the term is opaque. */
#ifndef TP_CERTIFY_SYMBOLIC_POINTER_LEAVES_H
#define TP_CERTIFY_SYMBOLIC_POINTER_LEAVES_H

#include "term/term.h"

#define TP_LEAF_OPAQUE UINT32_MAX
typedef struct {
  tp_term cond;
  uint32_t object;
  tp_term offset;
} tp_chk_leaf;
typedef struct {
  const tp_chk_leaf *at;
  uint32_t n;
  bool is_known;  // no leaf is opaque
} tp_chk_leaves;

typedef struct {
  tp_terms *tt;
  tp_arena arena;
  tp_map lists;  // pointer term -> index into spans
  TP_VEC(tp_chk_leaves) spans;
  tp_map residues;  // term -> known low bits, packed
} tp_chk_leaf_table;
void tp_chk_leaf_table_init(tp_chk_leaf_table *ps, tp_terms *tt);
void tp_chk_leaf_table_clear(tp_chk_leaf_table *ps);

tp_chk_leaves tp_chk_leaves_of(tp_chk_leaf_table *ps, tp_term ptr);

/* The pointer that the leaf is. */
static inline tp_term tp_chk_pointer_of_leaf(tp_terms *tt, tp_chk_leaf l) {
  if (l.object == TP_LEAF_OPAQUE) return l.offset;
  return tp_mk_ptr_add(tt, tp_mk_ptr_const(tt, l.object, 0), l.offset);
}

/* t = value modulo 2^bits, for the largest bits (at most 16) that is easy to see. */
typedef struct {
  uint32_t bits, value;
} tp_chk_residue;
tp_chk_residue tp_chk_low_bits(tp_chk_leaf_table *ps, tp_term t);

#endif
