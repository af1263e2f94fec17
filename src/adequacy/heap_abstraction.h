/* Heaps of the concrete machine and their canonical abstraction.
 *
 * What       the element of a composition of location, call string and shapes for a state of the
 *            machine; states with another heap.
 * Represents an abstract state is (location, call string, one graph for each kind of cells): the
 *            canonical abstraction of the heap, in which pointers that no path reads any more lead
 *            anywhere. States inside of recursive calls have no call string and no element.
 * Ownership  an abstraction borrows the composition, which must outlive it; elements belong to the
 *            composition. */
#ifndef TP_ADEQUACY_HEAP_ABSTRACTION_H
#define TP_ADEQUACY_HEAP_ABSTRACTION_H

#include "adequacy/heap_models.h"
#include "cpa/composition.h"
#include "cpa/shape/shape_cpa.h"
#include "exec/exec.h"
#include "program/liveness.h"

typedef struct {
  const tp_program *p;
  tp_composition *c;
  tp_cpa *shape;  // the component
  tp_liveness *live;
} tp_heap_abstraction;

/* False: the program has no kind of cells. */
bool tp_heap_abstraction_init(tp_heap_abstraction *a, const tp_program *p, tp_composition *c);
void tp_heap_abstraction_clear(tp_heap_abstraction *a);

/* NONE: a function is active that is analysed by a summary. */
tp_context tp_heap_context(const tp_heap_abstraction *a, const tp_state *s);
/* Does some path from this place read the variable, or is it a global? */
bool tp_heap_is_known(const tp_heap_abstraction *a, tp_context context, tp_loc loc, tp_var v);
/* The abstract state of s; elem NULL: it has none. */
tp_succ tp_heap_abstract(const tp_heap_abstraction *a, const tp_state *s, tp_context context);
/* The graph of kind k in an element of the composite; 0: there are several. */
uint32_t tp_heap_graph(const tp_heap_abstraction *a, const tp_elem *e, uint32_t k);
/* The most live cells of one kind that a known pointer reaches along links. */
uint32_t tp_heap_longest(const tp_heap_abstraction *a, const tp_state *s);

/* The heap of s becomes that of the model, and known pointers lead where the model says: the cells
 * of the kind that were there are no cells any more. Numbers in cells are drawn from those of the
 * variables in scope, by `draw`; 0: all are 0. False: there is no room; s is of no use then. */
bool tp_heap_inject(const tp_heap_abstraction *a, tp_state *s, uint32_t k, const tp_heap_model *m,
                    uint64_t draw);
/* "list = c1, c1->next = c2, c2->next = NULL": cells that are live, and known pointers. */
void tp_heap_print(const tp_heap_abstraction *a, const tp_state *s, tp_str *out);

#endif
