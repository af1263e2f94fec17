/* Claims of others about a program, judged on a block graph.
 *
 * What       what became of each claim (tp_candidate) when its proof was tried: proved; or a
 *            counterexample to induction, the state where a block starts and the one behind it.
 * Represents a claim that is not kept: all claims hold, and everything that was proved, in the
 *            first state; the block leads to the second, where this one does not. The first state
 *            need not be one that a run comes to: then the claims lack a fact that excludes it.
 * Law        a claim is a candidate and nothing more: only what Houdini kept is part of a proof.
 * Source     counterexamples to induction: Bradley 2011. */
#ifndef TP_BLOCKS_CLAIMS_H
#define TP_BLOCKS_CLAIMS_H

#include "blocks/learn.h"
#include "smt/smt.h"

/* Marks the locations of the claims, so that blocks end there; by location of the program. */
void tp_claims_mark(const tp_candidate_list *claims, bool *ends_at);
/* The claims at the nodes of their locations, in every context. */
void tp_claims_add(const tp_blocks *b, const tp_candidate_list *claims, tp_node_formulas *to);
/* What became of them, one answer for each number; texts live in the result's arena. */
void tp_claims_judge(const tp_learner *l, const tp_candidate_list *claims, tp_smt_options smt,
                     tp_result *out);

#endif
