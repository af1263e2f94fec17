/* Modules: C files without main, and the most general program that uses one.
 *
 * What       writes a client in C: makes the module's objects, then calls its functions in any order, with any arguments, without end.
 * Represents a module has handles (structs that functions of it return or initialise), functions that take them, and file-scope state. What
 *            holds in every run of the client holds for every user who keeps to what is said in `assumptions`.
 * Failures   that are not the module's own end the run (they are no error): memory that cannot be had, requests beyond PTRDIFF_MAX
 *            (a negative capacity), constructors that return null.
 * Source     Yorsh, Ball, Sagiv 2006, sec. 5 (unit testing mode: all methods on all exit states); an exception that is not tracked has no
 *            normal successor, so it leads nowhere. */
#ifndef TP_APP_MODULE_H
#define TP_APP_MODULE_H

#include "app/session.h"

/* Write the client of s->o->module's functions to a temporary file that includes the module, and have the session read that. False: there is
 * no client, which has been said. */
bool tp_module_prepare(tp_session *s, tp_options *o);

/* After FALSE: the calls that the failing run makes, as a C program of its own; false: the run makes none. */
bool tp_module_failing_calls(const tp_session *s, const char *module, tp_str *out);

#endif
