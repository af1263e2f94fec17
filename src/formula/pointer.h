/* Which objects can this pointer term mean, under which condition, and where in them?
 *
 * What       for terms of sort PTR, and for object numbers (BV32): the finite set of objects, read
 *            off the structure of the term (conditionals, array stores), and per object the
 *            condition and the offset as terms.
 * Represents a set of object numbers, complete unless `open`: an open term can be something else
 *            (an integer in pointer clothes whose origin was lost, or more than TP_FORMULA_TARGETS
 *            objects).
 * Law        under every valuation the term's object is in the set, if the set is not open.
 * Ownership  answers live in the memo. */
#ifndef TP_FORMULA_POINTER_H
#define TP_FORMULA_POINTER_H

#include "formula/formula_limits.h"
#include "term/term.h"

typedef struct {
  uint32_t n;
  const uint32_t *at;  // sorted, different; may contain 0
  bool open;
} tp_targets;

typedef struct {
  tp_terms *tt;
  tp_arena arena;
  tp_map sets;        // term id -> const tp_targets *
  tp_map conditions;  // (term id, object) -> term id
  tp_map offsets;     // (term id, object) -> term id
} tp_pointers;

void tp_pointers_init(tp_pointers *m, tp_terms *tt);
void tp_pointers_clear(tp_pointers *m);
/* t: PTR or BV32 (an object number). */
const tp_targets *tp_pointer_targets(tp_pointers *m, tp_term t);
/* Condition that t means object o; o should be among the targets. */
tp_term tp_pointer_is(tp_pointers *m, tp_term t, uint32_t object);
/* Offset of the pointer t, provided that it points into the object. */
tp_term tp_pointer_offset(tp_pointers *m, tp_term t, uint32_t object);

#endif
