/* Shapes: heaps of a C program as three-valued graphs.
 *
 * What       for each kind of cells (a structure with links to its own kind) the set of graphs that
 *            its heap may be, over the pointers that are tracked and facts about the data of cells.
 * Represents cells of a kind are the heap objects of exactly the structure's size that were
 *            allocated so far, freed or not; a cell outside the structure is every other pointer
 *            value but null. A graph stands for the states whose cells and outside cells embed into
 *            it (shape/structure.h); pointers of functions that are not active have no value, so
 *            anything. A link: the value of a variable equals a field of the cell of a pointer.
 *            `formula` expresses which pointers are null or equal, and the links.
 * Settings   shape.classes = auto, or names of classes; shape.families = auto (all, but of a class
 *            that nobody named those that search for cells, which the checker does not follow),
 *            all, none, or names of predicates; shape.track, shape.separate = all, none, or names
 *            of variables; shape.data = auto (comparisons of data with numbers and variables that
 *            the program makes) | constants (only with constants that it stores or compares with)
 *            | none; shape.liveness = on | off; shape.graphs: most graphs of an element;
 *            shape.start = on | off: off: nothing is tracked until a precision transfer from
 *            another analysis (README.md).
 * Source     Theoduloz 2010, sec. 2.3, 3.2.6; Sagiv, Reps, Wilhelm 2002.
 */
#ifndef TP_CPA_SHAPE_SHAPE_CPA_H
#define TP_CPA_SHAPE_SHAPE_CPA_H

#include "cpa/cpa.h"
#include "cpa/explicit.h"
#include "shape/region.h"

extern const tp_cpa_ops tp_cpa_shape;

// ------------------------------------------ elements, for other analyses and proofs

/* A data predicate as a formula over `value`, a symbol for the number at `offset` of a cell. */
typedef struct {
  uint64_t offset;  // bytes
  uint32_t width_bits;
  tp_term value, fact;
  bool is_separating;  // cells that differ in it stay apart
} tp_data_formula;

/* A kind of cells: a structure type of the program with its shape class. */
typedef struct {
  tp_type structure;
  uint64_t size_bytes;
  tp_shape_engine *engine;
  const uint64_t *offsets;      // of the class's fields, bytes
  const tp_var *pointers;       // by number in the class
  const tp_data_formula *data;  // by data_predicate of the class
} tp_cell_kind;

/* The number of kinds; kind k of an analysis with these operators; e's graphs of it (bottom is
 * never an element). */
uint32_t tp_shape_n_cells(const tp_cpa *cpa);
const tp_cell_kind *tp_shape_cells(const tp_cpa *cpa, uint32_t k);
const tp_graph_ids *tp_shape_graphs(const tp_elem *e, uint32_t k);
/* The kinds (bits) whose sets of graphs are top in e: start = off, and no precision transfer has
 * happened yet. */
uint64_t tp_shape_off(const tp_elem *e);
/* e after the transfer of this heap, for the kinds among `kinds` that are off in e; other kinds
 * keep their graphs. */
const tp_elem *tp_shape_transfer_heap(tp_cpa *cpa, const tp_elem *e, uint64_t kinds,
                                      const tp_explicit_heap *heap);
/* The heap's canonical abstraction: its graphs of all kinds, without links. Pointers that are none
 * of its variables lead anywhere. NULL: it is no heap. Only with precision = all. */
const tp_elem *tp_shape_of_heap(tp_cpa *cpa, const tp_explicit_heap *heap);
/* e restricted to one graph of its set of kind k. */
const tp_elem *tp_shape_with_graph(tp_cpa *cpa, const tp_elem *e, uint32_t k, uint32_t graph);
/* Do the graphs of kind k in e, which were made from this heap, represent exactly its cells, and
 * the pointers that lead to them? Each cell is a node of its own, and all that stands in it is a
 * link, or a number that facts determine. */
bool tp_shape_describes_cells(const tp_cpa *cpa, const tp_elem *e, uint32_t k,
                              const tp_explicit_heap *heap);
/* The part of e's formula beside the graphs: links. */
tp_term tp_shape_links(const tp_cpa *cpa, const tp_elem *e);

#endif
