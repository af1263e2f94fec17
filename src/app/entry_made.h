/* Functions whose arguments the module makes: what counts as a failure of such an entry, and what
 * its answer says.
 *
 * What       --arguments: an entry that fails for structures filled by their types is verified once
 *            more, with structures that calls of the module's own functions make.
 * Represents of the program that makes the arguments by calls, the runs in which these calls do not
 *            fail: a failure before the function itself is called ends the run, it is none.
 * Law        FALSE is a sequence of calls in which the function fails. A proof is about structures
 *            that a bounded number of calls has changed: its answer is `bounded`, and says how the
 *            function fails for others.
 * Ownership  texts live in the arena of the session. */
#ifndef TP_APP_ENTRY_MADE_H
#define TP_APP_ENTRY_MADE_H

#include "app/session.h"

/* Behind the loading of such a program, before the search. */
void tp_entry_restrict(tp_session *s);
/* Does this failure of an entry with arguments by types ask for a second look? */
bool tp_entry_is_doubtful(const tp_session *s);
/* When the search has ended. by_types: the session with the failure for other structures; NULL:
 * none was there. */
void tp_entry_made_answer(tp_session *s, const tp_session *by_types);

#endif
