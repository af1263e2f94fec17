/* Tuning constants of this room: what bounds its searches, with units and what happens there;
 * listed by `twoproof dump --limits`. */
#ifndef TP_AUTO_AUTO_LIMITS_H
#define TP_AUTO_AUTO_LIMITS_H

#include "base/limits.h"

#define TP_AUTO_LIMITS(L)                                       \
  L(LARGE_EDGES, 20000, "edges of a program that is not large", \
    "a larger one gets the schedule of large programs")         \
  L(FLAGS, 3, "flags of a program that is a state machine",     \
    "with fewer, predicates alone have the turn of values with predicates")
enum {
#define TP_LIMIT(name, value, what, then) TP_AUTO_##name = value,
  TP_AUTO_LIMITS(TP_LIMIT)
#undef TP_LIMIT
};

#endif
