/* Explicit heaps: the input of precision transfers from `heap`.
 *
 * What       values of variables and of the fields of heap objects ("cells").
 * Represents the states in which the cells are different heap objects that were allocated so far,
 *            with these contents, and variables have these values: constants of their sort. A
 *            pointer to cell i is the constant (first_object + i, offset): numbers of cells are
 *            names only. `others` restricts all heap objects that are no cells.
 * Invariants variables ascending, fields ascending by offset. Every cell can be reached from a
 *            variable along known pointers.
 * Ownership  the analysis that made the heap, as its elements. */
#ifndef TP_CPA_EXPLICIT_H
#define TP_CPA_EXPLICIT_H

#include "program/pointsto.h"

typedef enum { TP_CELL_LIVE, TP_CELL_FREED, TP_CELL_EITHER } tp_cell_life;
/* Bytes outside of the fields: indeterminate (never written, so no part of a pointer), zero, or
 * any. */
typedef enum { TP_REST_NUMBERS, TP_REST_ZEROS, TP_REST_UNKNOWN } tp_cell_rest;
typedef enum { TP_OTHERS_NONE, TP_OTHERS_FREED, TP_OTHERS_ANY } tp_other_cells;

typedef struct {
  uint64_t offset, n_bytes;
  tp_term value;  // NONE: any
} tp_explicit_field;

typedef struct {
  tp_cell_life life;
  tp_cell_rest rest;
  tp_class class;  // of the allocation
  tp_term size;    // bytes, a constant; NONE: any
  const tp_explicit_field *fields;
  size_t n_fields;
} tp_explicit_cell;

typedef struct {
  tp_var var;
  tp_term value;
} tp_explicit_var;

typedef struct {
  uint32_t first_object;
  const tp_explicit_var *vars;
  size_t n_vars;
  const tp_explicit_cell *cells;
  size_t n_cells;
  tp_other_cells others;
} tp_explicit_heap;

/* Does the value lead to a cell, or into one? */
static inline bool tp_explicit_is_cell(const tp_terms *tt, const tp_explicit_heap *heap,
                                       tp_term value) {
  return tp_kind(tt, value) == TP_OP_PTR_CONST &&
         tp_ptr_const_object(tt, value) >= heap->first_object;
}

#endif
