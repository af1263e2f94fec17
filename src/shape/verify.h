/* Are the formulas of an entry right? Asked of heaps, one by one.
 *
 * What       a check of update formulas and rules against concrete heaps: all small ones, random
 *            larger ones.
 * Represents a heap's cells and pointers as plain numbers, with operations of their own; families
 *            have the values of their definitions. On a two-valued structure an update must give
 *            exactly the values that the definitions have behind the operation, and coerce must
 *            leave everything as it is. By the embedding theorem that covers what three-valued
 *            structures stand for, as far as the heaps go that were tried.
 * Source     Sagiv, Reps, Wilhelm 2002, thm. 4.9 (embedding). */
#ifndef TP_SHAPE_VERIFY_H
#define TP_SHAPE_VERIFY_H

#include "shape/description.h"

typedef struct {
  uint32_t all_cells;     // all heaps of up to so many cells, up to renumbering
  uint32_t sample_cells;  // and up to so many, a part of them:
  uint64_t every;         // each of them with this chance, one in `every`; 0: none
  uint32_t random_cells;  // and random ones of up to so many (at most 8)
  uint64_t n_random;
  uint64_t seed;
} tp_verify_volume;

typedef struct {
  uint64_t heaps, steps;  // that were tried
  bool is_wrong;          // and then:
  tp_pos pos;             // the update line, family or constraint
  tp_str text;            // which value is wrong, and what it should be
  tp_str heap;            // the counterexample: the heap before the operation
} tp_verify_result;       // zeroed before
void tp_verify_result_clear(tp_verify_result *result);

/* Errors: TP_ERR_LIMIT: the entry has too many predicates or variables for a class. */
tp_status tp_description_verify(const tp_description *entry, const tp_verify_volume *volume,
                                tp_verify_result *result) TP_MUST_USE;
/* Does a heap satisfy the entry's invariants? Row u of field f: where field f of cell u leads,
 * UINT8_MAX: nil, or not known. */
typedef struct {
  uint32_t n_cells;
  const uint8_t *target;  // n_cells per field
} tp_plain_heap;
tp_status tp_description_describes(const tp_description *entry, const tp_plain_heap *heap,
                                   bool *yes) TP_MUST_USE;

#endif
