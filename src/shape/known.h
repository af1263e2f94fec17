/* Heaps of which some cells are known, as graphs.
 *
 * What       from an explicit heap (cells one by one, where their fields lead, or that nobody
 *            knows) to the graphs of a class.
 * Represents the graphs stand for every heap that has these cells, with these values where they are
 * known, and, unless the heap is
 *            complete, any other cells beside them. Instrumentation predicates have the values of
 *            their definitions, sharpened by coerce.
 * Ownership  the heap is the caller's; graphs are the engine's.
 * Source     Theoduloz 2010, sec. 4.4.6 (from explicit heaps to shapes); we add the other cells:
 *            what was not followed may exist. */
#ifndef TP_SHAPE_KNOWN_H
#define TP_SHAPE_KNOWN_H

#include "shape/transform.h"

/* Instead of a cell: nil; who knows where; a number that is read as a pointer: nil, or a foreign
 * cell. */
enum { TP_KNOWN_NIL = -1, TP_KNOWN_NOTHING = -2, TP_KNOWN_NUMBER = -3 };
typedef enum { TP_KNOWN_NO, TP_KNOWN_MAYBE, TP_KNOWN_YES } tp_known_extent;
typedef struct {
  uint32_t n_cells;
  const int16_t *pointer;      // by pointer of the class
  const int16_t *field;        // n_cells for each field
  const tp_kleene *assertion;  // n_cells for each assertion; NULL: nothing is known
  const tp_kleene *freed;      // by cell; NULL: none is
  bool is_complete;            // there are no other cells of the structure
  bool others_are_freed;       // ... or they were all freed
  tp_known_extent foreign;     // are there foreign cells? Unknown pointers lead there, too
} tp_known_heap;

/* Adds the graphs to out. Errors: TP_ERR_LIMIT: too many cells. */
tp_status tp_shape_from_known(tp_shape_engine *e, const tp_known_heap *heap,
                              tp_graph_ids *out) TP_MUST_USE;

#endif
