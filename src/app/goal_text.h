/* Conditions of coverage goals as the source has them: "r->count == r->size".
 *
 * What       values that are loaded on the way to a condition are shown as what they were loaded
 *            from, results of calls as the calls. A condition of several parts, which has no text
 * of its own, is shown by the line of the source. Represents texts depend on the source only, so
 * that models of one source in several programs give the same. Ownership  texts live in the arena
 * of the goals. */
#ifndef TP_APP_GOAL_TEXT_H
#define TP_APP_GOAL_TEXT_H

#include "program/goals.h"

void tp_goals_show(tp_goals *g, tp_program *p);

#endif
