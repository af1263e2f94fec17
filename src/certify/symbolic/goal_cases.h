/* Goals about all values of an index, by cases.
 *
 * What       a goal that is to be shown for an index of which nothing is known asks, behind a
 *            write, whether the index is the place that was written. It becomes a goal about that
 *            place, which speaks of the index no more, and one about all others.
 * Law        the new goal is true for the same values as the old one: both cases stand below a
 *            conditional on index = place, so each is complete whatever place was chosen.
 * Cost       a copy of the goal for each place, TP_CERTIFY_GOAL_CASES at most. */
#ifndef TP_CERTIFY_SYMBOLIC_GOAL_CASES_H
#define TP_CERTIFY_SYMBOLIC_GOAL_CASES_H

#include "certify/inductive/inductive_cert.h"

/* The goal by cases of the certificate's index symbols. */
tp_term tp_chk_goal_by_cases(const tp_chk_cert *e, tp_terms *tt, tp_term goal);

#endif
