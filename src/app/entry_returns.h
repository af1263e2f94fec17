/* Is a proof about an entry about anything: which returns of the function do calls come to?
 *
 * What       behind a proof of an entry: random runs, then bounded checking, look for a run of the
 *            environment to each return of the function; the answer says which were reached.
 * Represents a return counts as reached by a run of the concrete machine only. One that is not
 *            reached may be dead, under the assumptions of the answer (memory can always be
 *            allocated), or its inputs were not found.
 * Law        where no run comes back from the function at all the verdict is UNKNOWN: the
 *            assumptions may exclude every call.
 * Ownership  texts live in the arena of the session. */
#ifndef TP_APP_ENTRY_RETURNS_H
#define TP_APP_ENTRY_RETURNS_H

#include "app/session.h"
#include "search/suite.h"

/* Looks for runs to the returns: the suite, over goals of TP_COVER_RETURNS or of calls, has those
 * that were found. */
void tp_entry_cover_returns(tp_session *s, tp_suite *suite);
/* How many of the goals such runs come to. */
size_t tp_entry_count_reached(tp_session *s, tp_goal_cover cover, const char *callee);
/* When the search has ended; verdicts other than TRUE stay as they are. */
void tp_entry_find_returns(tp_session *s);

#endif
