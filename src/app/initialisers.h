/* Which functions initialise an object: they write it before they read anything of it.
 *
 * What       of a function and a parameter that points to a structure: a call of it may stand where
 *            the object has any content, and gives most members a value, as start(iterator, tree)
 *            and open_buffer(stream, bytes, n) do, whatever they are called.
 * Represents the function's code, and that of the functions it calls. On all paths a byte of the
 *            object is read only where it was written before; what is written on some path is at
 *            least half of the members that are neither arrays nor unions. Code that is not there,
 *            and calls through pointers, initialise nothing.
 * Use        how an object is made for an entry (app/makers.h). Nothing is proved by the answer:
 * the calls that make an object are listed with what is proved of it. Cost       linear in the
 * edges of the function and of its calls, for each path of calls; at most TP_APP_INITIALISER_EDGES.
 */
#ifndef TP_APP_INITIALISERS_H
#define TP_APP_INITIALISERS_H

#include "program/program.h"

bool tp_initialises(const tp_program *p, tp_func f, uint32_t parameter);

#endif
