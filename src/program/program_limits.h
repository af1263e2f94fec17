/* Tuning constants of this room: what bounds its searches, with units and what happens there;
 * listed by `twoproof dump --limits`. */
#ifndef TP_PROGRAM_PROGRAM_LIMITS_H
#define TP_PROGRAM_PROGRAM_LIMITS_H

#include "base/limits.h"

#define TP_PROGRAM_LIMITS(L)                                                                \
  L(BRANCH_SAMPLES, 24, "valuations on which conditions of one location are compared",      \
    "conditions that exclude each other there are taken to be complete")                    \
  L(DISTANCE_BITS, 46, "bits of a distance between two fields of an object",                \
    "all fields of the object become one")                                                  \
  L(GOAL_TEMPORARIES, 16, "temporaries of a condition that are shown as what they hold",    \
    "later ones keep their names")                                                          \
  L(MONITOR_VALUES, 12, "arguments of a call that a monitor can name",                      \
    "later arguments have no name")                                                         \
  L(THREADED_LOCATIONS, 200, "locations that are repeated for what the compiler remembers", \
    "the variable stays")                                                                   \
  L(FLAG_BITS, 8, "bits of a flag that a rewriting of the program makes",                   \
    "its three values need two")                                                            \
  L(LINK_POINTERS, 32, "pointers to links that become a flag and a pointer to a cell",      \
    "later ones stay")                                                                      \
  L(PROMOTED_SLOTS, 16, "places of an object that becomes variables",                       \
    "the object stays in memory")                                                           \
  L(PROMOTED_COPIES, 4000, "edges of copies of functions for objects as variables",         \
    "all objects stay in memory")                                                           \
  L(PROMOTED_CONTEXTS, 200, "ways to call functions with objects, beyond one for each",     \
    "all objects stay in memory")
enum {
#define TP_LIMIT(name, value, what, then) TP_PROGRAM_##name = value,
  TP_PROGRAM_LIMITS(TP_LIMIT)
#undef TP_LIMIT
};

#endif
