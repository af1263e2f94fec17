/* Three-valued graphs at cutpoints: what a graph says of the start of a path, and whether the state
 * at its end is described by a graph of the next cutpoint.
 *
 * What       the check of certificates of kind `shapes`, beside their formulas (README.md).
 * Represents a query for a counterexample: a state that one graph of each class describes at the
 *            start of the path and that is at its end now. Quantifiers over elements are
 *            instantiated at address terms: what is true of all elements of a heap, of nodes and
 *            of paths is asserted of these.
 * Law        every assertion is true of every run on the path, for the elements at its address
 *            terms. So UNSAT is right; a missing instance costs an answer, never soundness.
 * Source     Yorsh, Reps, Sagiv 2004, sec. 3 (graphs as formulas); Itzhaky et al. 2013, sec. 3
 *            (paths along one field by universal formulas); ours: cycles, several fields, the
 *            choice of instances. */
#ifndef TP_CERTIFY_SHAPES_SHAPE_CHECK_H
#define TP_CERTIFY_SHAPES_SHAPE_CHECK_H

#include "certify/symbolic/executor.h"

/* What graphs say of the start of the path that is executed. */
typedef struct tp_chk_shape_start {
  const tp_chk_graphs *graphs;
  uint32_t *chosen;            // by class: the graph that describes the start; 0: nothing is known
  bool is_chosen;              // of some class
  tp_chk_state start;          // to come back to
  tp_chk_value *values;        // by variable, at the start
  struct tp_chk_batch *batch;  // the path is executed for many graphs (batch.h); NULL: for `chosen`
  struct tp_chk_lemma_book *book;  // what was proved of all heaps; NULL: not needed yet
} tp_chk_shape_start;

/* Owned by the caller; the graphs are borrowed. free(NULL) is fine. */
tp_chk_shape_start *tp_chk_shape_start_new(const tp_chk_exec *g, const tp_chk_graphs *graphs);
void tp_chk_shape_start_free(tp_chk_shape_start *s);

/* Which predicates of the class have a value in this context? out: by predicate. */
void tp_chk_readable_predicates(const tp_chk_exec *g, const tp_chk_class *c, uint32_t context,
                                bool *out);
/* The state now is the start of a path, and these graphs describe it (by class; 0: nothing is
 * known; NULL: of no class). Formulas of the cutpoint are assumed before. */
void tp_chk_shape_begin(tp_chk_exec *g, const uint32_t *chosen);
/* Does the object to which the variable led at the start change on the path, if it is a cell? */
bool tp_chk_shape_is_changed(const tp_chk_exec *g, tp_var v);
/* Does one of the goals hold in every state at the end of the path? Never REFUTED. For a batch:
 * graphs for which it is not shown leave the batch; without goals none does. */
tp_chk_answer tp_chk_shape_prove(tp_chk_exec *g, const tp_term *goals, size_t n);
/* The same for a goal that the proof can do without: no graph leaves the batch if it is shown for
 * none. */
tp_chk_answer tp_chk_shape_try(tp_chk_exec *g, tp_term goal);
/* Does one of the cutpoint's formulas hold at the end of the path, and one of its graphs describe
 * the heap? Never REFUTED. */
tp_chk_answer tp_chk_shape_arrives(tp_chk_exec *g, uint32_t cutpoint);

/* How much a search tries. BITS decides arithmetic and takes longer by far. */
typedef enum { TP_CHK_BY_SKELETON, TP_CHK_BY_BITS } tp_chk_effort;

#endif
