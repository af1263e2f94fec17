/* Live variables.
 *
 * What       for each location the parameters, locals and temporaries of its function that some
 *            path from there reads before it writes them.
 * Use        an analysis may project a variable that is not live: no later step reads its value,
 *            and states that differ in that variable alone become one.
 * Cost       one backward data-flow problem per function, solved at the first query about the
 *            function.
 * Source     Aho, Lam, Sethi, Ullman 2007, sec. 9.2.5. */
#ifndef TP_PROGRAM_LIVENESS_H
#define TP_PROGRAM_LIVENESS_H

#include "program/program.h"

typedef struct tp_liveness tp_liveness;
tp_liveness *tp_liveness_new(const tp_program *p);
void tp_liveness_free(tp_liveness *l);
/* Globals and ghosts: always true. A local of another function than at's: true as well, because
 * callers are not analysed. */
bool tp_is_live(tp_liveness *l, tp_loc at, tp_var v);
/* While a call is under way: does the caller read its variable v after it? (The variable that takes
 * the result: no.) */
bool tp_is_live_across(tp_liveness *l, tp_edge call, tp_var v);

#endif
