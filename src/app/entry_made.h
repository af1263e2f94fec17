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

#include "app/structure_search.h"

/* Errors count behind the call only (TP_ENVIRONMENT_CALLED). */
void tp_entry_guard_errors(tp_program *p);
/* Behind the loading of such a program, before the search. */
void tp_entry_restrict(tp_session *s);
/* Does this failure of an entry with arguments by types ask for a second look? */
bool tp_entry_is_doubtful(const tp_session *s);
/* The same of the session whose structures are any that have the invariant of those that the module
 * makes. */
void tp_entry_kept_answer(tp_session *s, const tp_session *by_types,
                          const tp_structure_finding *finding);
/* When the search has ended. by_types: the session with the failure for other structures;
 * no_invariant: why the module's structures have none; NULL: there was no such session, nobody
 * asked. */
void tp_entry_made_answer(tp_session *s, const tp_session *by_types, const char *no_invariant);

#endif
