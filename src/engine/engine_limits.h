/* Tuning constants of this room: what bounds its searches, with units and what happens there;
 * listed by `twoproof dump --limits`. */
#ifndef TP_ENGINE_ENGINE_LIMITS_H
#define TP_ENGINE_ENGINE_LIMITS_H

#include "base/limits.h"

#define TP_ENGINE_LIMITS(L)                                                                     \
  L(FUNCTION_CHOICES, 256, "functions that a global pointer may point to",                      \
    "the certificate does not say which")                                                       \
  L(COMPARED_STATES, 300, "states of a location that are compared to drop covered ones",        \
    "more are written as they are")                                                             \
  L(ALLOCATION_EDGES, 40, "edges between an allocation and the writes that fill the object",    \
    "states in between are labelled as any other")                                              \
  L(QUICK_RLIMIT, 200000, "solver steps of a quick query", "the answer is unknown")             \
  L(DISJOINT_OBJECTS, 24, "objects whose disjointness a query asserts",                         \
    "of more it is not asserted")                                                               \
  L(FLAT_CONDITIONS, 2000000, "conditionals of a query without array updates",                  \
    "the query keeps its arrays")                                                               \
  L(NAMED_VARIABLES, 32, "variables of a formula whose names stand behind it in a certificate", \
    "the rest is counted")                                                                      \
  L(BOARD_BYTES, 1 << 18, "bytes of facts of one kind that engines exchange",                   \
    "further ones are dropped")                                                                 \
  L(INPUT_BYTES, 1 << 20, "bytes of an input that a model gives", "bytes beyond are 0")         \
  L(REPLAY_STEPS, 200000000, "steps of the concrete machine that confirms a model",             \
    "the model is not confirmed")
enum {
#define TP_LIMIT(name, value, what, then) TP_ENGINE_##name = value,
  TP_ENGINE_LIMITS(TP_LIMIT)
#undef TP_LIMIT
};

/* Shares and times. */
#define TP_ENGINE_FRACTIONS(L) \
  L(QUICK_S, 1.0, "seconds of CPU of a quick query", "the answer is unknown")
#define TP_LIMIT(name, value, what, then) static const double TP_ENGINE_##name = value;
TP_ENGINE_FRACTIONS(TP_LIMIT)
#undef TP_LIMIT

#endif
