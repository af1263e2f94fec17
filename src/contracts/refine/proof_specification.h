/* From the refutation of a call to a specification.
 *
 * What       conjuncts of a body that contradict two states, made smaller: the solver's core leaves
 *            conjuncts out; constants under the pre-state leave out the branches that were not
 *            taken.
 * Represents a conjunct c becomes `p => c'`: c' is c with every conditional whose condition the
 *            pre-state decides replaced by the branch that it takes, and p the conditions, as few
 * as decide them. So it states what the body does on the paths of p, and c implies it. Source
 * Taghdiri 2008, sec. 6.2. We differ: an irrelevant branch becomes a premise, not a relation of any
 * value; conditions are reduced to implicants. */
#ifndef TP_CONTRACTS_REFINE_PROOF_SPECIFICATION_H
#define TP_CONTRACTS_REFINE_PROOF_SPECIFICATION_H

#include "contracts/rel/rel_bounds.h"

/* known, by number of relation: it is of the pre-state, and the instance has its value. */
tp_rel_formula tp_proof_specification_path(tp_rel *l, const tp_rel_bounds *b,
                                           const tp_rel_instance *pre, const bool *known,
                                           uint32_t n_known, uint32_t width_bits,
                                           tp_rel_formula conjunct);

#endif
