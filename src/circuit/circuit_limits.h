/* Tuning constants of this room: what bounds its searches, with units and what happens there;
 * listed by `twoproof dump --limits`. */
#ifndef TP_CIRCUIT_CIRCUIT_LIMITS_H
#define TP_CIRCUIT_CIRCUIT_LIMITS_H

#include "base/limits.h"

#define TP_CIRCUIT_LIMITS(L)                                                                      \
  L(ELSEWHERE_BITS, 24, "bits of an index from which there is a place that no read names",        \
    "arrays with shorter indexes are compared at named places alone")                             \
  L(GATES, 4000000, "gates of a circuit", "the back end of bits answers unknown")                 \
  L(INDICES, 1 << 23, "indexes at which arrays are read", "the back end of bits answers unknown") \
  L(FLAT_ARGUMENTS, 24, "arguments of nested ANDs that become one clause",                        \
    "the rest gets a variable of its own")                                                        \
  L(TICKS_PER_LOOK, 64, "calls of the terminator between two looks at the clock",                 \
    "a limit of CPU time is noticed that much later")                                             \
  L(COUNTED_COMPONENTS, 1 << 23, "components of clauses whose models were counted and are kept",  \
    "further ones are counted each time")                                                         \
  L(DECISIONS_PER_LOOK, 256, "decisions of counting between two looks at the clock",              \
    "a limit of CPU time is noticed that much later")
enum {
#define TP_LIMIT(name, value, what, then) TP_CIRCUIT_##name = value,
  TP_CIRCUIT_LIMITS(TP_LIMIT)
#undef TP_LIMIT
};

#endif
