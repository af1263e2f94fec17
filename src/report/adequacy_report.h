/* The answers about tests, for people and for machines.
 *
 * What       the line `TESTS: ...`, the abstract states that tests missed, invariants and potential
 *            errors as C over the user's names, counters as JSON.
 * Represents an abstract state as the conjunction of its cutpoint's predicates or their negations;
 *            an invariant as a short disjunction of such conjunctions that means the same as the
 *            list of abstract states. */
#ifndef TP_REPORT_ADEQUACY_REPORT_H
#define TP_REPORT_ADEQUACY_REPORT_H

#include "adequacy/adequacy.h"

/* "TESTS: adequate" or "TESTS: not adequate (2 of 7 abstract states missed)" and newline. */
void tp_adequacy_first_line(const tp_adequacy_report *r, tp_str *out);
/* What belongs under it: missed states with what they follow, potential errors if there are any,
 * invariants once the set is closed. */
void tp_adequacy_print(const tp_adequacy_report *r, const tp_diag *diag, tp_str *out);
/* Members of a JSON object, without braces. */
void tp_adequacy_json(const tp_adequacy_report *r, tp_str *out);

#endif
