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
/* The summaries as text in the result, and their counts; regions. Computes the fixpoint anew if it
 * was not complete. MUST_ONLY: steps were given up, so that what is not reached means nothing. */
typedef enum { TP_SUMMARIES_ALL, TP_SUMMARIES_MUST_ONLY } tp_summaries_noted;
void tp_procedure_note_summaries(tp_procedure_reach *r, const tp_procedure_tests *t,
                                 tp_summaries_noted which, tp_stats *stats, tp_result *out);

#endif
