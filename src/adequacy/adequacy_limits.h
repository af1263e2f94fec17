/* Tuning constants of this room: what bounds its searches, with units and what happens there;
 * listed by `twoproof dump --limits`. */
#ifndef TP_ADEQUACY_ADEQUACY_LIMITS_H
#define TP_ADEQUACY_ADEQUACY_LIMITS_H

#include "base/limits.h"

#define TP_ADEQUACY_LIMITS(L)                                                                      \
  L(LAYOUT_RLIMIT, 20000000, "solver steps of one query about the layout of memory",               \
    "the fact is not used")                                                                        \
  L(QUERY_RLIMIT, 30000000, "solver steps of one query whether a step leaves the table",           \
    "a fallback takes its place")                                                                  \
  L(LANDMARKS, 40, "constants of the program at which numeric widening stops",                     \
    "later ones are not used")                                                                     \
  L(FIRST_PATIENCE, 1000, "visits without news that a run has at first", "the run ends")           \
  L(RUNS_FROM_STATE, 8, "runs from one state", "there are no more")                                \
  L(IDLE_RUNS, 3, "runs in a row without a new state", "there are no more")                        \
  L(NO_LIMIT_S, 20, "seconds of CPU of an engine for potential errors where nothing has a limit",  \
    "the error stays potential")                                                                   \
  L(SHORT_WAY, 3, "blocks of ways that are asked before runs", "longer ones are asked later")      \
  L(LONGEST_WAY, 5, "blocks of a way to a missed state", "the state stays unknown")                \
  L(RANDOM_RUNS, 64, "runs with random inputs", "there are no more")                               \
  L(RUN_STEPS, 50000, "steps of each of these runs", "the run ends")                               \
  L(CLASSIFIED_STATES, 400, "abstract states that are classified", "with more, none is")           \
  L(CLASSIFY_QUERIES, 3000, "queries that classify states", "states stay unknown")                 \
  L(CLASSIFY_INDUCTION, 3, "blocks of an induction that a state is never reached",                 \
    "the state stays unknown")                                                                     \
  L(MODELS, 1, "models of one query (default)", "the next query is made")                          \
  L(MOST_MODELS, 16, "models of one query that an option may ask for", "no more are asked for")    \
  L(PROBES_AT_CUTPOINT, 64, "predicates of a cutpoint", "later ones are not used")                 \
  L(PROBE_TURNS, 2, "turns of a loop that an atom is pulled back", "it goes no further")           \
  L(PROBE_HEADS, 4, "loop heads that an atom remembers", "the oldest is forgotten")                \
  L(PROBE_ITEMS, 20000, "atoms that are pulled back in all", "further ones are not")               \
  L(PROBES_AT_LOCATION, 48, "atoms that pass one location", "further ones go no further")          \
  L(PROBE_NODES, 60, "nodes of an atom", "a larger one is dropped")                                \
  L(PROBE_TURN_COST, 1000, "distance that a turn of a loop adds",                                  \
    "what is near the property is kept")                                                           \
  L(PROBES_ENOUGH, 4, "predicates of a cutpoint that are enough without those of further turns",   \
    "these are dropped")                                                                           \
  L(PROBES, 14, "predicates of a cutpoint (default)", "what is far from the property is dropped")  \
  L(FABRICATED_BYTES, 1 << 24, "bytes of an object of a fabricated state",                         \
    "the state is not fabricated")                                                                 \
  L(OPEN_PREDICATES, 10, "predicates that a step leaves open in the Cartesian fallback",           \
    "all states of the cutpoint are added")                                                        \
  L(LAYOUT_POINTERS, 24, "pointers whose objects a layout describes", "later ones are not")        \
  L(LAYOUT_MEMBERS, 8, "members of a structure that are searched for pointers",                    \
    "later ones are not")                                                                          \
  L(NARROW_PASSES, 2, "passes that narrow numeric states", "states are left wider")                \
  L(NUMERIC_DELAY, 8, "growths of a numeric state before widening", "it is widened")               \
  L(COEFFICIENT_BITS, 40, "bits of a coefficient of a numeric state", "the constraint is dropped") \
  L(NEIGHBOURS, 4, "atoms that a comparison becomes", "further ones are not used")                 \
  L(PROBE_PARAMETERS, 16, "parameters of a function of predicates", "with more it is not used")    \
  L(PATIENCE, 1000, "visits without news that a run has after news", "the run ends")               \
  L(LEAST_PATIENCE, 50, "visits without news that a run has at least", "the run ends")             \
  L(STEPS, 1000000, "steps of a run", "the run ends")                                              \
  L(LOOK_STEPS, 1 << 12, "steps between two looks at the clock",                                   \
    "limits are noticed that much later")                                                          \
  L(HEAP_CELLS, 8, "cells of a heap that is fabricated", "larger ones are not made")               \
  L(HEAP_LIST, 7, "cells that one pointer reaches in a run from a fabricated heap",                \
    "the run ends")                                                                                \
  L(HEAP_MODELS, 60, "heaps that are tried for one graph and number of cells of each node",        \
    "there are no more")                                                                           \
  L(HEAP_DRAWS, 4, "draws of numbers for the cells of a fabricated heap",                          \
    "the state is not fabricated")                                                                 \
  L(HEAP_RUNS, 4, "runs from one fabricated heap", "there are no more")                            \
  L(HEAP_STEPS, 20000, "steps of a run from a fabricated heap", "the run ends")                    \
  L(UNREACHABLE_ROUNDS, 12, "rounds of an induction over missed states", "they stay unknown")
enum {
#define TP_LIMIT(name, value, what, then) TP_ADEQUACY_##name = value,
  TP_ADEQUACY_LIMITS(TP_LIMIT)
#undef TP_LIMIT
};

#endif
