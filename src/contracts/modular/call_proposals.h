/* What a function's summary says beside what its calls start with, as formulas over the two states
 * of its template.
 *
 * What       the frame condition and each clause of the proposed contract of a function
 *            (TP_CONTRACT_PROPOSED), lowered over the relations of the template.
 * Represents `S => C`: C is the clause, S says that the state before the call is one of a heap:
 * each member of an object that is there has one value, of its type, as have arguments. Summaries
 * are computed for heaps, bodies are executed from any relations. Invariants no formula is known to
 * hold: whoever uses one shows that the body implies it. Limits     clauses that speak of what the
 * states have no relations for are left out, and clauses whose quantifiers have more cases than
 * TP_CONTRACTS_PROPOSAL_CASES: where a clause is to be refuted, each case is a formula. */
#ifndef TP_CONTRACTS_MODULAR_CALL_PROPOSALS_H
#define TP_CONTRACTS_MODULAR_CALL_PROPOSALS_H

#include "contracts/modular/call_templates.h"

/* Replaces what is in `out`. May ask the heap for further relations. False: something that the
 * contract says was left out, or there is none. */
bool tp_call_proposals(tp_rheap *h, tp_contracts *m, const tp_call_template *f,
                       tp_rel_formulas *out);

#endif
