/* Graphs are closed under the steps of a program: shown for all graphs of a label at once, by
 * computing with them.
 *
 * What       one walk from a label's formula for all the graphs beside it. What the walk does to
 *            predicates is shown for all heaps once (lemmas.h); what that makes of each graph is
 *            computed (kleene.h), and must be described by a graph of the next label.
 * Law        a graph that stays open to the end of the walk is closed: all that was to be shown of
 *            the states that it describes was shown. Of the others nothing is known; the check of
 *            single graphs (shape.h) sees to them.
 * Cost       searches: some for each way and predicate that it changes, none for a graph;
 *            microseconds for a graph.
 * Source     Sagiv, Reps, Wilhelm 2002, sec. 5 (best transformers by update formulas); that updates
 *            and rules are proved here, for heaps of any size, is ours. */
#ifndef TP_CERTIFY_SHAPES_BATCH_H
#define TP_CERTIFY_SHAPES_BATCH_H

#include "certify/shapes/shape_check.h"

typedef struct tp_chk_batch tp_chk_batch;

/* The rules of all classes, and which of them were proved so far. */
typedef struct tp_chk_rule_proofs tp_chk_rule_proofs;
void tp_chk_rule_proofs_free(tp_chk_rule_proofs *b);

/* Walks from the label's formula for graphs of one class beside it. closed: by graph: need not be
 * checked alone. */
void tp_chk_batch_check(tp_chk_exec *g, const tp_chk_cutpoint *l, tp_term formula,
                        const uint32_t *graphs, uint32_t n, bool *closed);

// what the walk asks for; graphs for which it cannot be shown are not open any more. False: the
// walk ends
/* One of the goals holds here, for all graphs that stay open. */
bool tp_chk_batch_require(tp_chk_batch *c, const tp_term *goals, size_t n);
/* The same, if it can be shown for some of them; false, and nothing happens, if for none. */
bool tp_chk_batch_try(tp_chk_batch *c, const tp_term *goals, size_t n);
/* Does no run that starts in an open graph get here? Nothing happens. */
bool tp_chk_batch_is_unreachable(tp_chk_batch *c);
/* What comes here is described by the label. */
bool tp_chk_batch_arrives(tp_chk_batch *c, uint32_t label);

#endif
