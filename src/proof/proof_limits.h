/* Tuning constants of this room: what bounds its searches, with units and what happens there;
 * listed by `twoproof dump --limits`. */
#ifndef TP_PROOF_PROOF_LIMITS_H
#define TP_PROOF_PROOF_LIMITS_H

#include "base/limits.h"

#define TP_PROOF_LIMITS(L)                                                                        \
  L(BMC_STEPS, 30000, "edges that the first round unrolls", "the next round unrolls more")        \
  L(BMC_STEPS_FACTOR, 5, "times the edges of the round before",                                   \
    "a round that was cut is made again with so many")                                            \
  L(BMC_UNCONFIRMED, 3, "models that the concrete machine did not confirm",                       \
    "the answer is unknown")                                                                      \
  L(BMC_ASSUMPTIONS, 40, "assumptions of an unrolling that a solver tries to exclude",            \
    "later ones are listed")                                                                      \
  L(CHECKS, 4096, "checks of a bounded answer whose reach is asked",                              \
    "nothing is said of further ones")                                                            \
  L(CHECK_CALLS, 8, "calls between a check and the user's call that it is counted for",           \
    "it is counted where it stands")                                                              \
  L(CHECK_LOCATIONS, 64, "locations between a check and the error location",                      \
    "the check begins later")                                                                     \
  L(REACH_RLIMIT, 5000000, "solver steps of one query whether a check is reached",                \
    "it is left open")                                                                            \
  L(REACH_CUTS, 16, "loops and functions at whose bound runs are cut that are named",             \
    "further ones are not")                                                                       \
  L(REACH_BOUND, 4096, "bound up to which a larger --unroll is looked for", "none is advised")    \
  L(HEAPS_ENTRIES, 4000, "symbolic heaps of a search", "it gives up")                             \
  L(HEAPS_PLACE, 100, "symbolic heaps at a place", "other readings of links come first")          \
  L(HEAPS_PLACE_MORE, 400, "symbolic heaps at a place, where no reading gets by with few",        \
    "the search gives up")                                                                        \
  L(HEAPS_UNFOLDED, 24, "symbolic heaps with skip lists where paths meet",                        \
    "cells of further ones are folded")                                                           \
  L(HEAPS_STEPS, 100000, "steps of a search on symbolic heaps", "it gives up")                    \
  L(HEAPS_SLOTS, 1024, "slots of a table", "an object with more has none")                        \
  L(HEAPS_INDEX, 128, "values of an index of a table that are told apart", "it is forgotten")     \
  L(HEAPS_ROUNDS, 40, "explorations with what was learned", "the search gives up")                \
  L(HEAPS_FACTS, 64, "statements about cells of one kind, or about variables, that are tried",    \
    "further ones are not")                                                                       \
  L(HEAPS_ORDERS, 32, "orders of numbers in cells that are followed", "further ones are not")     \
  L(HEAPS_RUNS, 3, "runs of cells of one kind that are kept apart by what holds of them",         \
    "they become one")                                                                            \
  L(HEAPS_MARKS, 2, "cells that stay by themselves, as other facts hold of them than of others",  \
    "they become a part of a structure")                                                          \
  L(HEAPS_RLIMIT, 2000000, "solver steps of one question about cells",                            \
    "the statement is left out")                                                                  \
  L(HEAPS_LEVELS, 4, "levels of a skip list", "its links are read in another way")                \
  L(HEAPS_VARIANTS, 14, "readings of links that are tried", "the first reason is given")          \
  L(ELEMENTS_FEW, 12, "facts about elements of which it is not asked which a proof needs",        \
    "more are asked about")                                                                       \
  L(REFINERS, 8, "refiners of a composition", "as many as there are")                             \
  L(CPA_PATHS, 12, "paths to errors whose feasibility is asked", "further errors are not proved") \
  L(CPA_ROUNDS, 8, "explorations again with predicates that came too late",                       \
    "errors that are left are not proved")                                                        \
  L(HORN_RLIMIT, 30000000, "solver steps of one query about blocks",                              \
    "the candidate is not proved")                                                                \
  L(HORN_FALSIFY, 12, "iterations of a search for a failing run", "no run is found")              \
  L(HORN_BLOCKS, 1, "blocks before the induction begins", "the clauses begin behind them")        \
  L(HORN_FIRST_RLIMIT, 1500000, "solver steps of a first attempt", "the next attempt begins")     \
  L(HORN_LATER_RLIMIT, 40000000, "solver steps of a later attempt", "the next attempt begins")    \
  L(HORN_COLUMNS, 60, "arguments of a relation", "what else a state has is any value")            \
  L(HORN_TERMS, 300000, "terms of all clauses", "the engine gives up")                            \
  L(HORN_FLAT_CONDITIONS, 20000, "conditionals of a clause without array updates",                \
    "it keeps its arrays")                                                                        \
  L(HORN_LINKS, 3, "pointers that are followed to a cell", "a cell farther away is no argument")  \
  L(HORN_INTEGER_WIDTH, 64, "bits of a number that is an integer in clauses",                     \
    "a wider one is any value")                                                                   \
  L(KINDUCTION_GUARDED, 400, "candidates with a guard", "further ones are not made")              \
  L(KINDUCTION_SAFETY, 1, "blocks by which the property is pulled back to be a candidate",        \
    "longer ones are not")                                                                        \
  L(KINDUCTION_CLAIM_RLIMIT, 20000000, "solver steps of one query about what the user claims",    \
    "the claim is open")                                                                          \
  L(KINDUCTION_RLIMIT, 2000000, "solver steps of one query", "the answer is unknown")             \
  L(KINDUCTION_LAST_RLIMIT, 30000000, "solver steps of one query when candidates are used up",    \
    "the answer is unknown")                                                                      \
  L(PICTURES, 200, "pictures of reached heaps", "the rest is counted")                            \
  L(PICTURES_AT_PLACE, 24, "pictures of one place", "the last says that there are more")          \
  L(CHEAP_REFINEMENT, 12, "cost of a refinement that is taken without asking other refiners",     \
    "these are asked")                                                                            \
  L(MINED_CANDIDATES, 60, "candidates from runs at one cutpoint", "further ones are not tried")   \
  L(MINED_PREDICATES, 14, "predicates from runs at one location", "further ones are not used")    \
  L(MINED_EDGES, 200000, "edges that are executed to prove candidates", "none is proved")         \
  L(REFINED_PARTS, 4, "parts of a path that are refuted apart", "further ones are not")           \
  L(REFINE_SOURCES, 8, "sources of predicates in an option", "later ones are not used")           \
  L(VALUE_PREFIXES, 6, "infeasible prefixes of a path", "the cheapest so far is taken")           \
  L(VALUE_COUNTER_COST, 50, "cost of tracking a counter", "cheaper places are tracked first")     \
  L(VALUE_LOST_COST, 10000, "cost of tracking what had too many values",                          \
    "cheaper places are tracked first")                                                           \
  L(ORDERED_FIELDS, 3, "fields of a shape class that are tried in all orders",                    \
    "links are taken in their order")                                                             \
  L(SHAPE_COPY_ROUNDS, 4, "rounds that look for pointers with the same value on a path",          \
    "further ones are not tracked")                                                               \
  L(VALUE_STEPS, 400000, "steps of one refinement",                                               \
    "nothing more is dropped from what is tracked")                                               \
  L(ASK_FREELY, 64, "queries with the answer that an unrolled path can be taken",                 \
    "it is asked less often")                                                                     \
  L(ASK_MOST_EDGES, 4096, "edges between two queries whether an unrolled path can be taken",      \
    "paths are followed that no run takes")                                                       \
  L(WAYS, 64, "states at one place that differ in where their cursors are", "others are joined")  \
  L(WAYS_CELLS, 16, "cells of memory that count as cursors",                                      \
    "states are joined where others differ")                                                      \
  L(UNROLL_LOOK, 128, "edges between two looks at the clock", "limits are noticed that much later")
enum {
#define TP_LIMIT(name, value, what, then) TP_PROOF_##name = value,
  TP_PROOF_LIMITS(TP_LIMIT)
#undef TP_LIMIT
};

/* Shares and times. */
#define TP_PROOF_FRACTIONS(L)                                                                      \
  L(REACH_S, 4, "seconds of CPU for what a bounded answer reaches", "the rest is left open")       \
  L(REACH_SHARE, 0.15, "part of the time that is left for that", "the rest is left open")          \
  L(CPA_PATHS_SHARE, 0.3, "part of the time for paths to errors", "further errors are not proved") \
  L(HORN_INTERVALS_SHARE, 0.25, "part of the time for intervals", "clauses are made without them") \
  L(HORN_HOUDINI_SHARE, 0.4, "part of the time that is left for candidates",                       \
    "they are not proved")                                                                         \
  L(HORN_QUERY_SHARE, 0.3, "part of the time that is left for one query", "the answer is unknown") \
  L(HORN_FALSIFY_SHARE, 0.3, "part of the time that is left for a failing run", "none is found")   \
  L(ELEMENTS_INTERVALS_SHARE, 0.1, "share of intervals before facts about elements",               \
    "they prove less")                                                                             \
  L(ELEMENTS_RUNS_SHARE, 0.05, "share of runs that contradict facts about elements",               \
    "solvers are asked")                                                                           \
  L(ELEMENTS_SCALARS_SHARE, 0.4, "share of candidates about scalars before those about elements",  \
    "nothing is known of scalars but intervals")                                                   \
  L(ELEMENTS_SHRINK_SHARE, 0.4, "share of finding which facts about elements a proof needs",       \
    "the certificate has all that were proved")                                                    \
  L(KINDUCTION_INTERVALS_SHARE, 0.25, "part of the time for intervals",                            \
    "induction goes on without them")                                                              \
  L(KINDUCTION_MINING_SHARE, 0.1, "part of the time that is left for runs",                        \
    "there are fewer candidates")                                                                  \
  L(KINDUCTION_CANDIDATES_SHARE, 0.8, "part of the time that is left to prove candidates",         \
    "the rest is not proved")                                                                      \
  L(KINDUCTION_CLAIMS_SHARE, 0.5, "part of the time that is left to prove what the user claims",   \
    "the rest is not proved")                                                                      \
  L(KINDUCTION_QUERY_SHARE, 0.3, "part of the time that is left for one query",                    \
    "the answer is unknown")                                                                       \
  L(KINDUCTION_FALSIFY_SHARE, 0.25, "part of the time that is left for a failing run",             \
    "none is found")                                                                               \
  L(SHAPE_FORMULAS_S, 10, "seconds for formulas of one path of a shape refinement",                \
    "what is tracked grows without them")                                                          \
  L(MINED_RUNS_SHARE, 0.08, "part of the time for runs that suggest predicates",                   \
    "there are fewer")                                                                             \
  L(MINED_PROOF_SHARE, 0.2, "part of the time to prove them", "the rest is not used")
#define TP_LIMIT(name, value, what, then) static const double TP_PROOF_##name = value;
TP_PROOF_FRACTIONS(TP_LIMIT)
#undef TP_LIMIT

#endif
