/* The answer about an entry: arguments filled by their types; where that fails, made by calls of
 * the module; where that shows no proof, a precondition with which there is one.
 *
 * What       the steps of `check` for one property of a function, below the guard.
 * Law        a failure stays a failure: calls and preconditions say for which arguments the
 * function holds, and how it fails for others is said beside that. Ownership  a session that is
 * concluded is cleared. */
#ifndef TP_APP_ENTRY_CHECK_H
#define TP_APP_ENTRY_CHECK_H

#include "app/entry.h"
#include "app/hints.h"

/* The report of a session, with further failures and returns. Returns the exit status. */
int tp_entry_conclude(tp_session *s, const tp_hints *hints, int status);
/* Behind a doubtful answer for arguments by their types (app/entry_made.h): the other steps, and
 * the end. files: those of the command line; of_types: room for as many names. */
int tp_entry_check_again(tp_session *by_types, tp_options *o, tp_hints *hints,
                         const char *const *files, const char **of_types);

/* --arguments=invariant: under an invariant of the module's structures, or not at all. */
int tp_entry_check_invariant(tp_options *o, tp_hints *hints);

#endif
