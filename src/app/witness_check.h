/* check --witness: is a witness of others, or of our own, right?
 *
 * What       a violation witness: a run that follows its waypoints must fail at its target, and the
 *            failure is confirmed on the original program as every other. A correctness witness:
 *            each of its invariants is verified as an assertion at its place, then the program,
 *            with the invariants that hold as candidates of proofs.
 * Law        nothing that a witness says is believed. TRUE and FALSE are of the original program
 *            and come with the evidence that they always have; the witness only says where to look.
 * Errors     a witness that cannot be read, is of another program, or names places that the program
 *            has not, is refused: status 6. */
#ifndef TP_APP_WITNESS_CHECK_H
#define TP_APP_WITNESS_CHECK_H

#include "app/session.h"

/* The session of the program, not loaded yet, and its options, which the witness completes
 * (property, data model). Ends and clears the session; returns the exit status. */
int tp_witness_check(tp_session *s, tp_options *o);

#endif
