/* All graphs of a cutpoint together: a path is executed once, and computed for each graph.
 *
 * What       one execution of the paths from a cutpoint formula, for all graphs beside it. What the
 *            path does to predicates is proved once for all heaps (lemmas.h); what that makes of
 *            each graph is computed (transformer.h), and must embed in a graph of the next
 *            cutpoint.
 * Law        a graph that is in the batch to the end is inductive: every obligation was shown of
 *            the states that it describes. Of the others nothing is known; each is checked alone
 *            (shape_check.h).
 * Cost       searches: some for each path and predicate that it changes, none for a graph;
 *            microseconds for a graph.
 * Source     Sagiv, Reps, Wilhelm 2002, sec. 5 (best transformers by update formulas); ours:
 *            updates and rules are proved, for heaps of any size. */
#ifndef TP_CERTIFY_SHAPES_BATCH_H
#define TP_CERTIFY_SHAPES_BATCH_H

#include "certify/shapes/shape_check.h"

typedef struct tp_chk_batch tp_chk_batch;

/* Executes the paths from the cutpoint's formula, for graphs of one class beside it.
 * inductive  by graph: need not be checked alone; set. */
void tp_chk_batch_check(tp_chk_exec *g, const tp_chk_cutpoint *l, tp_term formula,
                        const uint32_t *graphs, uint32_t n, bool *inductive);

// Obligations on the path. Graphs for which one is not shown leave the batch; false: the path ends.
/* One of the goals holds here, for all graphs that stay. */
bool tp_chk_batch_require(tp_chk_batch *c, const tp_term *goals, size_t n);
/* The same if it is shown for some graph; else false, and no graph leaves. */
bool tp_chk_batch_try(tp_chk_batch *c, const tp_term *goals, size_t n);
/* Is it shown for all graphs? Without goals: does no run from them get here? No graph leaves. */
bool tp_chk_batch_shows(tp_chk_batch *c, const tp_term *goals, size_t n);
/* The heap at the end of the path is described by a graph of this cutpoint. */
bool tp_chk_batch_arrives(tp_chk_batch *c, uint32_t cutpoint);

#endif
