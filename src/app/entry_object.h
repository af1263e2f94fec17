/* The argument's object beyond which an entry fails.
 *
 * What       of a failing access outside of an object that the environment made: what it assumes of
 *            that object, and the precondition for callers that give more room.
 * Represents an assumption that only the environment makes: nothing in a declaration says how large
 *            the object behind a pointer is. The failure is one of a call that the assumptions
 *            allow; whether there is such a caller is for the user to judge.
 * Ownership  texts live in the arena that is given. */
#ifndef TP_APP_ENTRY_OBJECT_H
#define TP_APP_ENTRY_OBJECT_H

#include "app/session.h"

typedef struct {
  const char *said;  // "output points to 256 bytes"
  bool is_guess;     // nothing in the code says how large the object is
  const char *more;  // "room(output, 1024)"; NULL: none is offered
} tp_entry_object;

/* Of the failure of a session whose program is an environment; false: it leaves no such object. */
bool tp_entry_find_object(const tp_session *s, tp_arena *arena, tp_entry_object *out);
/* Adds to the answer what the failure rests on. Where that is a guess the failure is no verdict:
 * callers that give more are as likely. */
void tp_entry_say_object(tp_session *s);

#endif
