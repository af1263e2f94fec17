/* From a finished reached set to a certificate.
 *
 * What       the invariants that a reached set is: for each cutpoint the formulas of the elements
 *            there, contracts, contexts.
 * Represents only what the certificate needs: contexts that occur, elements that no other element
 *            at their location covers, conjuncts that may be said at their location. Each of these
 *            leaves the claim as strong as the reached set is closed, or weaker; a checker decides.
 * Law        the same reached set gives the same bytes. */
#ifndef TP_ENGINE_EXTRACT_H
#define TP_ENGINE_EXTRACT_H

#include "cpa/recursion.h"
#include "engine/invariants.h"
#include "engine/cert_shapes.h"

/* The run must have ended as DONE, and every element must tell its location and its context. out:
 * initialised, empty. shapes: initialised, gets the graphs of the analysis `shape`, and out borrows
 * it then; NULL: without graphs. false: these are facts (property NONE) that do not stand by
 * themselves, because the analysis knows more at a cutpoint than it can say. */
bool tp_extract_invariants(tp_recursion *r, const tp_cpa_env *env, tp_cpa *cpa,
                           tp_property property, tp_cert_shapes *shapes, tp_invariants *out);

#endif
