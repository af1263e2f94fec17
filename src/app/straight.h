/* Programs without loops: what is to be shown of them needs no invariant.
 *
 * What       says whether a program, or one function with all that it calls, has neither loops nor
 *            recursion, and claims for a session that such a program is safe: with the certificate
 *            of an unrolling that has nothing to unroll.
 * Represents a claim that nobody has looked at: its checker follows the runs, and is the proof.
 * Law        a refused claim says nothing about the program (tp_result.is_tentative). */
#ifndef TP_APP_STRAIGHT_H
#define TP_APP_STRAIGHT_H

#include "app/session.h"

/* from: a function, with what it calls by name. */
bool tp_is_straight(const tp_program *p, tp_func from);
/* The claim is the session's now, in place of another one. */
void tp_straight_claim(tp_session *s);

#endif
