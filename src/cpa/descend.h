/* Narrowing: a finished reached set is computed again from itself, downward.
 *
 * What       each element is replaced by the join of what now leads to it, a bounded number of
 *            times, in the order of the program.
 * Law        the result is a reached set again: it covers the initial elements and its own
 *            successors (tp_reached_check says so before it is accepted, otherwise everything stays
 *            as it was), and no element has grown.
 * Source     Cousot & Cousot 1977, sec. 9.3. CPA+ only ever weakens the elements of reached, so
 *            narrowing is a step of its own behind the algorithm: the fixpoint is taken as the
 *            upper bound and recomputed below it. */
#ifndef TP_CPA_DESCEND_H
#define TP_CPA_DESCEND_H

#include "cpa/reached.h"

/* r has nothing waiting. Nodes that nothing leads to any more become `removed`. Elements that share
 * their place with others, and reached sets with SUMMARY steps, are left alone. True: something
 * became smaller. */
bool tp_reached_descend(tp_reached *r, uint32_t rounds);

#endif
