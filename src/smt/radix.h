/* Sums that are numbers in a mixed radix: row * columns + column.
 *
 * What       c r + d = 0 with |d| < |c| holds only where r = 0 and d = 0. A solver of bits has to
 *            find that out for each c anew; as a clause beside the equation it is at hand.
 * Law        what is returned holds for all values of its variables (tested by evaluation): where a
 *            sum might wrap the clause has bounds as conditions.
 * Use        addresses of cells of two dimensions that are compared with each other. */
#ifndef TP_SMT_RADIX_H
#define TP_SMT_RADIX_H

#include "term/term.h"

/* What holds of the equation of two bit-vectors (EQ a b) because of its radices: one clause for
 * each constant or variable that divides some of its products; TRUE where there is none. */
tp_term tp_radix_clauses(tp_terms *tt, tp_term equation);

#endif
