/* Runs towards goals: states that a proof could not exclude and from which an error follows.
 *
 * What       starts from states of earlier runs that came closest to a goal, with inputs drawn at
 *            random and, where those do not come closer, from the solver, one branch of a run
 *            turned around at a time. Reaching a goal is no failure yet: the run has to go on to an
 *            error.
 * Represents closeness as a distance of a state from a formula, 0 where it holds: differences of
 *            compared numbers, sums over conjunctions, the least over disjunctions.
 * Law        the result depends on (program, property, facts, seed) only, unless the clock
 *            ends it. A failing run is one from main's entry.
 * Source     branch distance: Korel 1990, Tracey et al. 1998; turning around one branch at a time:
 *            Godefroid, Levin, Molnar 2008 (SAGE); counterexamples to induction as goals are our
 *            own. */
#ifndef TP_SEARCH_SEEK_H
#define TP_SEARCH_SEEK_H

#include "engine/board.h"

/* True: the verdict in `out` is FALSE. Without goals in task->board it does nothing. It ends by
 * itself; the budget's steps are for others. */
bool tp_seek(const tp_task *task, const tp_budget *budget, tp_stats *stats, tp_result *out);

#endif
