/* Does a program that is TRUE perform an operation that its proof takes to be valid?
 *
 * What       bounded checking of the property that verifies such operations ("undefined",
 *            "valid-memsafety"), for inputs that random runs do not come upon.
 * Represents the program read once more, in a worker: the model of one property has no error
 *            locations of another.
 * Law        sure where it answers: the run is one of the program that was proved. Silence says
 *            nothing. It has at most TP_APP_UNDEFINED_SEARCH_S seconds of CPU for each property.
 *            Nothing is looked for with --steps, where the answer may not depend on time, and
 *            where other programs are made of the files (--entry, --equal, --witness).
 * Ownership  texts of the answer live in the session's arena. */
#ifndef TP_APP_UNDEFINED_SEARCH_H
#define TP_APP_UNDEFINED_SEARCH_H

#include "app/session.h"

tp_undefined_run tp_undefined_search(tp_session *s) TP_MUST_USE;

#endif
