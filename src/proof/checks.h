/* Checks: the locations at which runs are asked whether they fail.
 *
 * What       for each error location of a property the branch that decides whether a run goes
 * there. Represents a check at the beginning of a function that is called more than once (a user's
 * own `verify(c)`) stands once for each call, and one of a library model for each call of the
 *            user's: with the position of that call.
 * Law        a run that does not reach `at` does not reach the error location by this way.
 * Ownership  the caller clears the list. */
#ifndef TP_PROOF_CHECKS_H
#define TP_PROOF_CHECKS_H

#include "program/program.h"

typedef struct {
  tp_loc at;
  tp_pos pos;
} tp_check;
typedef TP_VEC(tp_check) tp_checks;

/* Of the functions that main calls, directly or not; in the order of the program's locations. */
void tp_checks_find(const tp_program *p, tp_property property, tp_checks *out);

#endif
