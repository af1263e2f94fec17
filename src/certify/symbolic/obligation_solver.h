/* The solver of obligations: an answer that a verdict rests on is proved, where that can be done.
 *
 * What       the interface of smt.h for the checker: facts, frames, check, values. What has no
 * model is an obligation that is met, and is counted by who showed it. Represents UNSAT by proof:
 * clauses that are weaker than the facts (circuits/) were refuted, and the proof was checked
 * (unsat/). By intervals: certify's question about bounds or products (smt/value_bounds.h,
 * smt/algebra.h), or a fact that is false as it is written. Else the solver's word is all there is;
 * where proofs are required the answer is UNKNOWN then. SAT is no claim: nothing is accepted
 * because of it. Ownership  owns its facts and the solver below; borrows terms, policy and counts.
 * Cost       by default a proof is tried for circuits of up to PROOF_GATES gates and
 * PROOF_CONFLICTS conflicts, before the solver is asked; what is proved is not asked any more.
 * Source     Wetzler, Heule, Hunt 2014; the order and the limits are ours, measured. */
#ifndef TP_CERTIFY_SYMBOLIC_OBLIGATION_SOLVER_H
#define TP_CERTIFY_SYMBOLIC_OBLIGATION_SOLVER_H

#include "certify/certify.h"
#include "smt/smt.h"

typedef struct tp_chk_solver tp_chk_solver;
/* met: is counted up, NULL: nothing is. With options.trusts_models the solver is asked before a
 * proof is tried. */
tp_chk_solver *tp_chk_solver_new(tp_terms *tt, tp_smt_options options, tp_certify_proofs proofs,
                                 tp_certify_obligations *met);
void tp_chk_solver_free(tp_chk_solver *s);
void tp_chk_solver_push(tp_chk_solver *s);
void tp_chk_solver_pop(tp_chk_solver *s);
void tp_chk_solver_assert(tp_chk_solver *s, tp_term fact);
/* Have the facts and the assumption (NONE: no assumption) a model together? */
tp_smt_answer tp_chk_solver_check(tp_chk_solver *s, tp_term assumption);
/* The same for facts that are likely to have a model: the solver is asked before a proof is tried.
 */
tp_smt_answer tp_chk_solver_find_model(tp_chk_solver *s);
/* After SAT; false: it cannot be had. */
bool tp_chk_solver_value(tp_chk_solver *s, tp_term t, tp_value *out);
const char *tp_chk_solver_reason(const tp_chk_solver *s);  // after UNKNOWN

#endif
