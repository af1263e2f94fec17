/* Formulas without array updates: reads are pushed through stores, conditionals and constant
 * arrays.
 *
 * What       an equivalent term in which SELECT is applied to array variables only and STORE, ITE
 *            and CONST_ARRAY of array sort do not occur, unless the limit is reached.
 * Why        bit-blasting such formulas is far quicker, and more often conclusive, than a solver's
 *            theory of arrays.
 * Cost       one conditional per pair of a read index and a store it passes; memoised.
 * Ownership  the memo keeps answers as long as the caller wants. */
#ifndef TP_FORMULA_FLATTEN_H
#define TP_FORMULA_FLATTEN_H

#include "term/term.h"

typedef struct {
  tp_map terms;  // term id -> flat term id
  tp_map reads;  // (array id, flat index id) -> flat term id
} tp_flattener;

void tp_flattener_clear(tp_flattener *f);  // a zeroed one is ready
/* A Bool term. After `limit` conditionals gives up and returns t itself. */
tp_term tp_flatten(tp_flattener *f, tp_terms *tt, tp_term t, size_t limit);

#endif
