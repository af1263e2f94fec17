/* Preconditions that the user states of entries: --requires.
 *
 * What       the option is a C expression over the parameters, or names a file whose lines are
 *            FUNC: CONDITION; a line that starts with # is a comment, several lines of one function
 *            hold together. Beside numbers it may say how large objects are: room(NAME, N).
 * Represents an assumption about calls: the environment assumes it in front of the call, and the
 *            answer lists it.
 * Ownership  texts live in the arena that is given. */
#ifndef TP_APP_REQUIRES_H
#define TP_APP_REQUIRES_H

#include "app/options.h"

/* What --requires says of the function; NULL: nothing. */
const char *tp_requires_of(const tp_options *o, const char *function, tp_arena *arena);
/* Can the option be used? Says why not: a statement, quotes or parentheses without partner, lines
 * of a file that are none of the form above. */
bool tp_requires_is_usable(const tp_options *o);
/* room(NAME, N) among the conditions says that the object of this argument has N elements, or bytes
 * of a void *: N, in parentheses; NULL: nothing says so. condition: NULL, or of tp_requires_of. */
const char *tp_requires_room(const char *condition, const char *name, tp_arena *arena);
uint32_t tp_requires_count_rooms(const char *condition);
/* What is left to be assumed of numbers: each room(NAME, N) is 1. */
const char *tp_requires_without_rooms(const char *condition, tp_arena *arena);
/* Both conditions; NULL and "": none. */
const char *tp_requires_both(const char *a, const char *b, tp_arena *arena);

#endif
