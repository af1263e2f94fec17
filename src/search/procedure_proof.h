/* From may summaries to a certificate: each instance of a function is a contract.
 *
 * What       the verdict TRUE with its certificate; counts of summaries.
 * Represents pre: the entry cell; post: the union of the exit cells that are reached from it;
 *            invariants at loop heads: the union of the cells that are reached there, in a context
 *            of each contract. The checker shows each contract on its own, calls by the posts of
 *            the others.
 * Ownership  texts go into the result. */
#ifndef TP_SEARCH_PROCEDURE_PROOF_H
#define TP_SEARCH_PROCEDURE_PROOF_H

#include "search/procedure_reach.h"
#include "search/procedure_tests.h"

/* The fixpoint is complete, and main reaches no error. UNKNOWN if it cannot be written. */
void tp_procedure_conclude_true(tp_procedure_reach *r, const tp_task *task, tp_result *out);
/* must_summaries, not_may_summaries, regions. */
void tp_procedure_note_counts(const tp_procedure_reach *r, const tp_procedure_tests *t,
                              tp_stats *stats);

#endif
