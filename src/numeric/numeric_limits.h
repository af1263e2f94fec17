/* Tuning constants of this room: what bounds its searches, with units and what happens there;
 * listed by `twoproof dump --limits`. */
#ifndef TP_NUMERIC_NUMERIC_LIMITS_H
#define TP_NUMERIC_NUMERIC_LIMITS_H

#include "base/limits.h"

#define TP_NUMERIC_LIMITS(L)                                                                 \
  L(POLY_DIMS, 8, "dimensions of a polyhedron", "further variables are not tracked")         \
  L(FACTORS, 16, "factors that are multiplied one by one", "more are multiplied as a range") \
  L(DIVISORS, 32, "divisors that are divided by one by one", "more are a range")             \
  L(CHECKED_VARIABLES, 8, "variables of an octagon that check builds check, in cubic time",  \
    "larger ones are not checked")                                                           \
  L(HELPER_STARTS, 3, "starts of the helper in a row without an answer",                     \
    "operations are not done: the result is all states")
enum {
#define TP_LIMIT(name, value, what, then) TP_NUMERIC_##name = value,
  TP_NUMERIC_LIMITS(TP_LIMIT)
#undef TP_LIMIT
};

/* Shares and times. */
#define TP_NUMERIC_FRACTIONS(L)                                                            \
  L(HELPER_S, 5.0,                                                                         \
    "seconds of CPU of one operation of the helper, which has a limit of work of its own", \
    "the operation is not done")
#define TP_LIMIT(name, value, what, then) static const double TP_NUMERIC_##name = value;
TP_NUMERIC_FRACTIONS(TP_LIMIT)
#undef TP_LIMIT

#endif
