/* Failures of an entry that rest on guesses: behind each the search goes on to others.
 *
 * What       a failure beyond an object of which nothing says how large it is may be none for any
 *            caller. It is set aside, and the search goes on for part of the time that is left: a
 *            failure that rests on no guess is the answer, and says how many were set aside.
 * Error      no other failure in that time: the session's answer stays. */
#ifndef TP_APP_ENTRY_GUESSES_H
#define TP_APP_ENTRY_GUESSES_H

#include "app/session.h"

/* Behind the decision about an entry. */
void tp_entry_pass_guesses(tp_session *s);

#endif
