/* The session of an entry: its program, and the search in it.
 *
 * What       the first steps of `check` for one property of a function, which each way to make the
 *            arguments goes through.
 * Errors     an entry that cannot be read: the session says why, and is not decided. */
#ifndef TP_APP_ENTRY_LOAD_H
#define TP_APP_ENTRY_LOAD_H

#include "app/entry.h"
#include "app/hints.h"

tp_entry_arguments tp_entry_first_arguments(const tp_options *o);
/* A function of the program, with its arguments. Returns 0, or the exit status. */
int tp_entry_load(tp_session *s, tp_options *o, tp_entry_arguments how);
/* The search, with the hints of the user. */
void tp_entry_decide(tp_session *s, tp_hints *hints);

#endif
