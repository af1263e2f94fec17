/* Narrowing: a finished reached set is recomputed from itself, downward.
 *
 * What       each element is replaced by the join of the successors that lead to it now, a
 *            bounded number of times, in the order of the program.
 * Law        the result is a reached set again: it covers the initial elements and its own
 *            successors (tp_reached_check must hold, otherwise the old set is restored), and no
 *            element has grown.
 * Source     Cousot & Cousot 1977, sec. 9.3. CPA+ only ever weakens the elements of reached, so
 *            narrowing is a step of its own behind the algorithm: the fixpoint is taken as the
 *            upper bound and recomputed below it. */
#ifndef TP_CPA_DESCEND_H
#define TP_CPA_DESCEND_H

#include "cpa/reached.h"

/* Requires: no node of r is waiting. Nodes that are unreachable now become `removed`. Elements with
 * other elements of the same merge key, and reached sets with SUMMARY steps, are left as they are.
 * True: some element became smaller. */
bool tp_reached_descend(tp_reached *r, uint32_t rounds);

#endif
