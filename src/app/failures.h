/* All failures of one run: after a failure the search goes on without it.
 *
 * What       --failures=N: further failures of the property at other places, each once, up to N
 *            (0: all that are found), each with its own inputs, path and evidence.
 * Represents a failure that is known is no failure for the search any more: runs that come to it
 *            end there, as they do in C where the behaviour is undefined. It is the same failure if
 *            it is at the same place of the program, whatever the calls that lead there.
 * Law        every failure is replayed on the compiled program as the first one is. That there are
 *            no others is said only with a certificate for the program without the known ones,
 *            checked as every other.
 * Limits     a failure within a model of the C library is known for all calls of that function: of
 *            those only the first is shown, which the answer says.
 * Ownership  texts live in the session's arena. */
#ifndef TP_APP_FAILURES_H
#define TP_APP_FAILURES_H

#include "app/session.h"

/* Behind tp_session_decide: goes on if the verdict is FALSE and --failures asks for more. The first
 * failure stays the session's answer. */
void tp_failures_collect(tp_session *s);

#endif
