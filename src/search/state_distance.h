/* How far is a state from a formula?
 *
 * What       0 if the formula holds in the state, else more, less the closer compared numbers are:
 *            a gradient for searches.
 * Law        finite; 0 exactly where the formula holds. What cannot be evaluated is far away.
 * Source     Korel 1990; Tracey, Clark, Mander, McDermid 1998. We differ: differences count by
 *            their logarithm, so that one large number does not hide the others. */
#ifndef TP_SEARCH_STATE_DISTANCE_H
#define TP_SEARCH_STATE_DISTANCE_H

#include "exec/exec.h"

double tp_state_distance(const tp_program *p, const tp_state *s, tp_term formula);

#endif
