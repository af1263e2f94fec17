/* Threaded code: stretches of edges that the interpreter runs without looking around (private to
 * exec/).
 *
 * What       per location the edges from there to the next branch, as instructions that name their
 *            successor's code by address. Made at first use, linked at first use.
 * Represents what exec/interp.c does for the same edges, as long as nothing special happens: no
 *            observer, no value with a shadow, every access plain and allowed. At the first special
 *            thing it stops *before* that edge, and the interpreter takes it.
 * Law        steps are counted as the interpreter counts them; the last step below the limit is
 *            always left to it.
 * Ownership  code lies in the arena of the tp_code. */
#ifndef TP_EXEC_THREADED_CODE_H
#define TP_EXEC_THREADED_CODE_H

#include "exec/eval.h"

/* Runs from `loc` in the top frame and comes back with where it stopped. *left: steps that may be
 * taken, more than 0. */
tp_loc tp_threaded_code_run(tp_state *s, tp_loc loc, uint64_t *left);

#endif
