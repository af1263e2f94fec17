/* Partial heaps as graphs: heaps some cells of which are explicit.
 *
 * What       from an explicit heap (cells one by one, with the targets of their fields as far as
 *            they are known) to the graphs of a class.
 * Represents the graphs stand for every heap that has these cells, with these values where they are
 *            known, and, unless the heap is complete, any other cells beside them. Instrumentation
 *            predicates have the values of their definitions, sharpened by coerce.
 * Ownership  the heap is the caller's; graphs are the engine's.
 * Source     Theoduloz 2010, sec. 4.4.6 (from explicit heaps to shapes); we add the other cells:
 *            what was not followed may exist. */
#ifndef TP_SHAPE_PARTIAL_HEAP_H
#define TP_SHAPE_PARTIAL_HEAP_H

#include "shape/transform.h"

/* Instead of a cell: nil; who knows where; a number that is read as a pointer: nil, or a outside
 * cell. */
enum { TP_PARTIAL_NIL = -1, TP_PARTIAL_NOTHING = -2, TP_PARTIAL_NUMBER = -3 };
typedef enum { TP_PARTIAL_NO, TP_PARTIAL_MAYBE, TP_PARTIAL_YES } tp_partial_answer;
typedef struct {
  uint32_t n_cells;
  const int16_t *pointer;           // by pointer of the class
  const int16_t *field;             // n_cells for each field
  const tp_kleene *data_predicate;  // n_cells for each data_predicate; NULL: nothing is known
  const tp_kleene *freed;           // by cell; NULL: none is
  bool is_complete;                 // there are no other cells of the structure
  bool others_are_freed;            // ... or they were all freed
  tp_partial_answer
      outside;  // are there cells outside the structure? Unknown pointers lead there, too
} tp_partial_heap;

/* Adds the graphs to out. Errors: TP_ERR_LIMIT: too many cells. */
tp_status tp_shape_from_partial(tp_shape_engine *e, const tp_partial_heap *heap,
                                tp_graph_ids *out) TP_MUST_USE;

#endif
