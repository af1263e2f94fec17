/* Tuning constants of this room: what bounds its searches, with units and what happens there;
 * listed by `twoproof dump --limits`. */
#ifndef TP_SEARCH_SEARCH_LIMITS_H
#define TP_SEARCH_SEARCH_LIMITS_H

#include "base/limits.h"

#define TP_SEARCH_LIMITS(L)                                                                        \
  L(DIRECTED_SLICE_STEPS, 10000000, "steps of a run between two looks at the clock",               \
    "limits are noticed that much later")                                                          \
  L(DIRECTED_ADDRESSES, 64, "addresses that are tried for one pinned pointer",                     \
    "the search is not complete")                                                                  \
  L(DIRECTED_BRANCHES, 1000, "other ways that are tried at one condition",                         \
    "the search is not complete")                                                                  \
  L(DIRECTED_RANDOM_INPUTS, 64, "random inputs behind those of a test", "further ones are 0")      \
  L(DIRECTED_RLIMIT, 4000000, "solver steps of one query", "the way is not tried")                 \
  L(SEEK_GOALS, 4, "goals of other engines that runs are led to", "older ones are not used")       \
  L(SEEK_TERMS, 2000, "terms of such a goal", "a larger one is not used")                          \
  L(SEEK_CONJUNCTS, 12, "conjuncts of a goal that are told apart", "later ones count as one")      \
  L(SEEK_STARTS, 48, "states near a goal from which runs start",                                   \
    "one that was tried often is dropped")                                                         \
  L(SEEK_FOUND, 4, "states of one run that become starts", "earlier ones are dropped")             \
  L(SEEK_STEPS, 200000, "steps of a run towards a goal", "the run ends")                           \
  L(SEEK_QUIET, 2000, "runs towards a goal of which none came closer", "the search for it ends")   \
  L(SEEK_AHEAD, 40, "of these, runs that one forgets which is ahead in some conjunct",             \
    "they count")                                                                                  \
  L(SEEK_FIRST_EVERY, 64, "of so many runs towards a goal one starts at main's entry",             \
    "the others start near the goal")                                                              \
  L(SEEK_FIRST_VISITS, 1024, "visits of the goal's location by a run from main's entry",           \
    "the run ends")                                                                                \
  L(SEEK_VISIT_BITS, 8, "binary digits of the visits of other runs, at most", "the run ends")      \
  L(SEEK_SOLVER_AFTER, 64, "runs of which none came closer before the solver is asked",            \
    "inputs are random until then")                                                                \
  L(SEEK_SOLVER_AGAIN, 4, "the same where the solver came closer before",                          \
    "inputs are random until then")                                                                \
  L(SEEK_SOLVER_EVERY, 128, "of so many runs without coming closer one is the solver's",           \
    "others are random")                                                                           \
  L(SEEK_QUESTIONS, 40, "questions to the solver about one run", "there are no more")              \
  L(SEEK_TURNED_RUNS, 3, "runs about which the solver is asked at a time", "there are no more")    \
  L(SEEK_TURNED_INPUTS, 16, "random inputs of them", "further ones are 0")                         \
  L(SEEK_TURNED_STEPS, 5000, "steps of such a run between two visits of the goal's location",      \
    "it ends")                                                                                     \
  L(SEEK_TURNED_VISITS, 3, "visits of the goal's location about which the solver is asked",        \
    "the run ends")                                                                                \
  L(SEEK_RLIMIT, 1000000, "solver steps of one question", "the answer is unknown")                 \
  L(SUITE_STEPS, 20000000, "steps of one test of a suite", "it is cut behind what it covers")      \
  L(SUITE_FUZZ_STEPS, 50000, "steps of one random run for a suite", "it is run once more, or cut") \
  L(SUITE_CUT_STEPS, 1000000, "steps of a test that is cut",                                       \
    "what it covers until then is covered, by a test that the clock ends")                         \
  L(FOREST_VISITS, 16, "first visits of a node in one test whose states are kept",                 \
    "then every power of two is")                                                                  \
  L(FOREST_STATES, 400000, "states of all tests", "further ones are not kept")                     \
  L(FOREST_LOOK_STEPS, 1 << 20, "steps between two looks at the clock",                            \
    "limits are noticed that much later")                                                          \
  L(GENERALIZE_AFTER, 3, "splits of one node that cause each other before generalisation",         \
    "fewer are split plainly")                                                                     \
  L(GENERALIZE_DOUBLINGS, 6, "failures that each double that number", "more do not")               \
  L(GENERALIZE_BLOCKS, 400, "blocks of a path that is interpolated", "a longer one is not")        \
  L(GENERALIZE_SEGMENTS, 24, "visits of the node on that path",                                    \
    "with more it is not interpolated")                                                            \
  L(PIECE_BRANCHES, 400, "cases of a formula that becomes polyhedra",                              \
    "it does not become polyhedra")                                                                \
  L(PIECES, 16, "polyhedra of one formula", "it does not become polyhedra")                        \
  L(PIECE_QUOTIENTS, 4, "values of a quotient that are told apart", "of more, none is known")      \
  L(PIECE_SUMMANDS, 400, "summands of a linear atom", "the sum is a dimension of its own")         \
  L(PIECE_CORNER, 16, "distance from the end of a type within which a bound is one of the type",   \
    "the bound is dropped")                                                                        \
  L(WIDEN_CHAIN, 4, "earlier splits that a widening looks at", "older ones are not used")          \
  L(WIDEN_DIMENSIONS, 6, "dimensions up to which guards of the region add theirs",                 \
    "then they do not")                                                                            \
  L(WIDEN_STATES, 64, "states that a widened set must exclude", "others are not looked at")        \
  L(WIDEN_COEFFICIENT, 1000, "magnitude of a coefficient of a widened set", "the set is not used") \
  L(WIDEN_ALIKE, 6, "pieces of an earlier split that are compared", "later ones are not")          \
  L(PARTITION_QUERIES, 100, "queries of one solver, which old ones slow down", "it is made anew")  \
  L(PARTITION_RLIMIT, 1000000, "solver steps of one query about regions",                          \
    "the step counts as possible")                                                                 \
  L(RANDOM_RUNS, 64, "runs of a round", "the next round has another seed")                         \
  L(RANDOM_STEPS, 200000, "steps of a run", "the run ends, or goes on as machine code")            \
  L(RANDOM_GROWING_ROUNDS, 6, "rounds in which steps of long runs grow fourfold",                  \
    "then they stay")                                                                              \
  L(RANDOM_LONG_STEPS, 64000000, "steps of a long run in the first round", "the run ends")         \
  L(PROCEDURE_VISITS, 400000, "states of all tests of smash", "further ones are not kept")         \
  L(PROCEDURE_NODE_VISITS, 3, "first visits of a node in one activation that are kept",            \
    "then every power of two is")                                                                  \
  L(PROCEDURE_DEPTH, 4000, "depth of calls in which states are kept", "deeper ones are not")       \
  L(PROCEDURE_ACTIVATIONS, 5000, "activations of one test whose states are kept",                  \
    "later ones are not")                                                                          \
  L(PROCEDURE_LOOK_STEPS, 1 << 16, "steps between two looks at the clock",                         \
    "limits are noticed that much later")                                                          \
  L(PROCEDURE_STATES_TRIED, 3, "states before a frontier from which a test is searched",           \
    "no test is found for the step")                                                               \
  L(CHECKED_EVERY, 16, "regions between two checks of the partition in check builds",              \
    "others are not checked")                                                                      \
  L(GRAPH_EDGES, 400000, "edges that are executed to build the block graph",                       \
    "the graph has a gap: there is no proof")                                                      \
  L(RLIMIT, 20000000, "solver steps of one query", "the step is not decided")                      \
  L(TEST_STEPS, 1000000, "steps of a test at first", "it is given more if it asks for no inputs")  \
  L(SAFETY_BLOCKS, 1, "blocks by which the property is pulled back to be a candidate",             \
    "longer ones are not")                                                                         \
  L(SPLIT_PREFIX, 64, "blocks of a prefix that is composed where tests have states",               \
    "a longer one is not used")                                                                    \
  L(SPLIT_CEGAR_RLIMIT, 2000000, "solver steps of one query", "the step is not decided")           \
  L(SPLIT_CEGAR_FALSIFY, 12, "iterations of a search for a failing run", "no run is found")        \
  L(SPLIT_BLOCKS, 300, "blocks of a path that is interpolated",                                    \
    "the split is made in another way")                                                            \
  L(SPLIT_LITERALS, 60, "literals around a state from which a split is made",                      \
    "later ones are not used")                                                                     \
  L(SPLIT_CUBES, 16, "cubes of a weakest precondition",                                            \
    "what mentions a variable out of scope is dropped")                                            \
  L(SPLIT_FLAT_CONDITIONS, 20000, "conditionals of a step's condition without array updates",      \
    "it keeps its arrays")                                                                         \
  L(LONG_TEST_EDGES, 300000, "edges of a test from which its condition comes from a concolic run", \
    "a shorter one is followed with terms")                                                        \
  L(CONCOLIC_TERMS, 1000000, "terms of such a run, and conditionals of its condition",             \
    "no test is found for the step")                                                               \
  L(FAIR_SPLITS, 8, "splits without a new test before a step of Lee and Yannakakis, at least",     \
    "that step is taken")                                                                          \
  L(FAIR_PATHS, 3, "lengths of the first path that make such splits", "that step is taken")        \
  L(STATES_TRIED, 4, "states before the frontier from which a test is searched",                   \
    "no test is found for the step")                                                               \
  L(STATES_EXCLUDED, 64, "states that a split excludes", "others are not looked at")               \
  L(INTERPOLATED_BLOCKS, 400, "blocks of a path that is given to interpolation",                   \
    "a longer one is not")                                                                         \
  L(LATE_ITERATIONS, 200, "iterations from which tests may be very long",                          \
    "before that they are shorter")                                                                \
  L(SLICE_ITERATIONS, 1000, "iterations of the first slice of a search with regions",              \
    "the next search has its turn")                                                                \
  L(SLICE_PATHS, 5000, "paths of the first slice of a search along paths",                         \
    "the next search has its turn")                                                                \
  L(TESTS_TAKEN, 100, "tests that a search takes over from the one before",                        \
    "others are not run again")                                                                    \
  L(TRACE_TERMS, 3000000, "terms that following a test makes", "its condition is not known")       \
  L(TEST_FACTOR, 10, "times the steps of a test that is given more", "it ends there")              \
  L(TEST_FAR_STEPS, 1000000000,                                                                    \
    "steps of a test in early iterations; machine code takes some 10^9 in two seconds",            \
    "the test ends")
enum {
#define TP_LIMIT(name, value, what, then) TP_SEARCH_##name = value,
  TP_SEARCH_LIMITS(TP_LIMIT)
#undef TP_LIMIT
};

/* Shares and times. */
#define TP_SEARCH_FRACTIONS(L)                                                                  \
  L(TEST_VERY_FAR_STEPS, 10000000000, "steps of a test in late iterations", "the test ends")    \
  L(PROCEDURES_SHARE, 0.6, "part of the time for recursion, function by function",              \
    "regions of call strings have their turn")                                                  \
  L(LATER_SLICE_SHARE, 0.5, "part of the time that is left for a later slice",                  \
    "the next search has its turn")                                                             \
  L(QUERY_SHARE, 0.3, "part of the time that is left for one query", "the step is not decided") \
  L(BOUNDS_SHARE, 0.2, "part of the time for intervals", "the search goes on without them")     \
  L(MINING_SHARE, 0.1, "part of the time that is left for runs", "there are fewer candidates")  \
  L(LEARNING_SHARE, 0.3, "part of the time that is left to prove candidates",                   \
    "the rest is not proved")                                                                   \
  L(SPLIT_CEGAR_QUERY_SHARE, 0.3, "part of the time that is left for one query",                \
    "the step is not decided")                                                                  \
  L(SPLIT_CEGAR_REPLAY_SHARE, 0.5, "part of the time that is left for replaying a path",        \
    "it is not replayed")                                                                       \
  L(SPLIT_CEGAR_FALSIFY_SHARE, 0.3, "part of the time that is left for a failing run",          \
    "none is found")                                                                            \
  L(SEEK_SHARE, 0.9, "part of the time of directed testing for goals of other engines",         \
    "the rest is for all paths")                                                                \
  L(GENERALIZE_S, 3.0, "seconds of CPU of one source of interpolants", "the next source is asked")
#define TP_LIMIT(name, value, what, then) static const double TP_SEARCH_##name = value;
TP_SEARCH_FRACTIONS(TP_LIMIT)
#undef TP_LIMIT

#endif
