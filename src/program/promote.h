/* Objects in memory that become variables.
 *
 * What       a local object, or one that exists from the start, whose address only ever goes into
 *            parameters of calls and is only dereferenced at constant offsets there is replaced by
 *            one global variable for each place that is accessed (*slots*): `push(&list, x)` with
 *            `struct node **` or `struct list *`. The object itself stays in the program, and is
 *            never read after its declaration.
 * Represents the same runs: the same inputs in the same order, the same failures at the same
 *            positions. A function that is called with several such objects gets a copy for each
 *            combination; the first combination is the function itself.
 * Applies to objects with a place for a pointer, and to all where the program allocates memory, as
 *            analyses of heaps follow variables best.
 * Requires   tp_program_finish before and, where the answer is true, after.
 * Cost       linear in the program for each object that turns out not to qualify.
 * Source     scalar replacement (Muchnick 1997, sec. 12.2) across calls, by procedure cloning
 *            (Cooper, Hall, Kennedy 1993). */
#ifndef TP_PROGRAM_PROMOTE_H
#define TP_PROGRAM_PROMOTE_H

#include "program/program.h"

/* False: nothing was changed. */
bool tp_program_promote_objects(tp_program *p);

#endif
