/* Effects: what a path does to the heap of a class, as an operation.
 *
 * What       recognises, from the terms at the end of a path, that the path is one operation on the
 *            class's heap; executes an operation on a heap of which nothing else is known.
 * Represents for each pointer with a value at the end, where the value comes from: null, a pointer
 *            or a field at the start, the cell that was made, memory that nobody has written, or
 *            anywhere; the same, but for the last, for each field of the cells that change.
 * Law        two runs with the same heap of the class at the start, the same effect and the same
 *            values from anywhere have the same heap of the class at the end. (Data of cells are
 *            no part of it.) So a statement
 *            about predicates without data that holds of all runs of the operation holds of every
 *            path with this effect.
 * Cost       comparisons of terms; a question to the solver where a cell's life changes.
 * Source     Sagiv, Reps, Wilhelm 2002, sec. 3.3 (update formulas of core predicates). */
#ifndef TP_CERTIFY_SHAPES_EFFECT_H
#define TP_CERTIFY_SHAPES_EFFECT_H

#include "certify/shapes/shape_search.h"

typedef enum {
  TP_CHK_FROM_NOWHERE,  // not recognised
  TP_CHK_FROM_NULL,
  TP_CHK_FROM_POINTER,
  TP_CHK_FROM_FIELD,  // of the cell of a pointer
  TP_CHK_FROM_NEW,
  TP_CHK_FROM_UNWRITTEN,
  TP_CHK_FROM_ANYWHERE  // of a pointer: any value
} tp_chk_origin_kind;
typedef struct {
  tp_chk_origin_kind kind;
  uint32_t pointer, field;  // predicate; index
} tp_chk_origin;

typedef struct {
  uint32_t pointer;  // predicate; 0: the cell that is made
  bool is_freed;
  tp_chk_origin fields[TP_CERTIFY_CLASS_FIELDS];
} tp_chk_written_cell;

typedef struct {
  uint32_t number;  // of the class
  const tp_chk_class *c;
  uint32_t from, to;        // contexts
  bool *before, *after;     // by predicate: readable there
  tp_chk_origin *pointers;  // by predicate of a pointer that is readable at the end
  tp_chk_written_cell written[TP_CHK_MOST_CHANGED];
  uint32_t n_written;
} tp_chk_effect;

/* The effect of the path of g on the class's heap. False: not recognised. To be cleared in either
 * case. */
bool tp_chk_effect_of(tp_chk_exec *g, uint32_t number, tp_chk_effect *out);
void tp_chk_effect_clear(tp_chk_effect *e);
bool tp_chk_effect_eq(const tp_chk_effect *a, const tp_chk_effect *b);
/* Does the pointer keep its value? */
bool tp_chk_effect_keeps(const tp_chk_effect *e, uint32_t pointer);
/* Are the fields and the life of the written cell as before? (Its data may differ.) */
bool tp_chk_effect_leaves_cell(const tp_chk_effect *e, const tp_chk_written_cell *w);
/* Starts a path of g at a heap of which nothing is known but that the pointers that the operation
 * follows lead to live cells; g is at the end of a path with this effect. False: not possible. */
bool tp_chk_effect_execute(tp_chk_exec *g, tp_loc from, const tp_chk_effect *e);
/* Data predicate k at the end, of the written cell: 1 or 0 if that is certain, or what the
 * predicate was of that cell (TP_CHK_DATA_KEPT); else HALF. Of other cells the predicate keeps its
 * values. False: what is said here is not shown. */
enum { TP_CHK_DATA_KEPT = 3 };
bool tp_chk_effect_on_data(tp_chk_exec *g, const tp_chk_effect *e, uint32_t k, uint8_t *written);

/* The address is one of a cell of the class that was not freed, at the start of the path. */
void tp_chk_live_cell_facts(tp_chk_exec *g, const tp_chk_class *c, tp_term address,
                            tp_term facts[5]);

#endif
