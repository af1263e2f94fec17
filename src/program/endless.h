/* Loops that no run leaves, for a remark: termination is not verified.
 *
 * What       finds a loop without a way out in what main reaches.
 * Law        only certain ones: no edge leaves the loop but to an error, and nothing within calls a
 *            function of the program, which could end the run. A loop that does nothing counts
 *            only in functions that never return: `if (!c) for (;;) ;` is an assumption. */
#ifndef TP_PROGRAM_ENDLESS_H
#define TP_PROGRAM_ENDLESS_H

#include "program/program.h"

/* The head of the first such loop, by number; NONE: there is none. */
tp_loc tp_endless_loop(const tp_program *p);
/* Has the program a loop or a recursive function, library models aside? */
bool tp_has_loops(const tp_program *p);

#endif
