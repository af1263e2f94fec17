/* Where a pointer term may point: a list of (condition, object, offset).
 *
 * What       splits pointer terms into leaves with known objects; integer <-> pointer with
 *            provenance; what is known of the low bits of an offset.
 * Represents the leaves of a pointer: exactly one condition holds. A leaf with object
 *            TP_LEAF_OPAQUE may be any pointer; its offset field holds the pointer term itself.
 * Law        an opaque pointer stands for every pointer, so giving up is an over-approximation. */
#ifndef TP_CERTIFY_BOUNDED_POINTER_H
#define TP_CERTIFY_BOUNDED_POINTER_H

#include "term/term.h"

#define TP_LEAF_OPAQUE UINT32_MAX
typedef struct {
  tp_term cond;
  uint32_t object;
  tp_term offset;
} tp_cleaf;
typedef struct {
  const tp_cleaf *at;
  uint32_t n;
  bool is_open;  // it may be that none of the conditions holds
} tp_cleaves;

typedef struct {
  tp_terms *tt;
  tp_arena arena;
  tp_map lists;  // pointer term -> index into spans
  TP_VEC(tp_cleaves) spans;
  tp_map made;       // integer term -> pointer made from it
  tp_map has_base;   // term -> does it mention PTR_TO_INT
  tp_map residues;   // term -> known low bits, packed
  tp_map addressed;  // objects whose base address was used
  bool is_exact;     // no opaque pointer was made
  tp_map foreign;    // opaque pointers that came from outside: symbol -> index into their names
  TP_VEC(const char *) sources;
} tp_cpointers;
void tp_cpointers_init(tp_cpointers *ps, tp_terms *tt);
void tp_cpointers_clear(tp_cpointers *ps);

tp_cleaves tp_cpointer_leaves(tp_cpointers *ps, tp_term ptr);
tp_term tp_cpointer_to_int(tp_cpointers *ps, tp_term ptr);
/* An integer made from exactly one pointer plus a number is that pointer moved; one that mentions
 * no pointer is (0, value); any other is opaque. */
tp_term tp_cpointer_of_int(tp_cpointers *ps, tp_term integer);
/* A pointer that code or data outside of the program gave: it may lead anywhere, also to memory
 * that the model knows nothing of. name: who gave it. */
tp_term tp_cpointer_foreign(tp_cpointers *ps, const char *name);
/* Who gave this opaque pointer, or the one that it was moved from; NULL: it is not foreign. */
const char *tp_cpointer_source(const tp_cpointers *ps, tp_term opaque);
tp_term tp_cpointer_object(tp_cpointers *ps, tp_term ptr);  // BV32
tp_term tp_cpointer_offset(tp_cpointers *ps, tp_term ptr);

/* t = value modulo 2^bits, for the largest bits (at most 16) that is easy to see. */
typedef struct {
  uint32_t bits, value;
} tp_cresidue;
tp_cresidue tp_clow_bits(tp_cpointers *ps, tp_term t);

#endif
