/* Tuning constants of this room: what bounds its searches, with units and what happens there;
 * listed by `twoproof dump --limits`. */
#ifndef TP_BLOCKS_BLOCKS_LIMITS_H
#define TP_BLOCKS_BLOCKS_LIMITS_H

#include "base/limits.h"

#define TP_BLOCKS_LIMITS(L)                                                                        \
  L(GRAPH_EDGES, 400000, "edges that are executed to build the block graph",                       \
    "the graph has a gap: there is no proof")                                                      \
  L(HOUDINI_RLIMIT, 1000000, "solver steps of one query of Houdini", "the candidate is dropped")   \
  L(HOUDINI_PRODUCT_RLIMIT, 200000, "solver steps of one about a product",                         \
    "the candidate is dropped")                                                                    \
  L(NEEDED_ALONE_RLIMIT, 200000, "solver steps of one query without imported invariants",          \
    "these stay in the proof")                                                                     \
  L(HOUDINI_SOLVERS, 150, "solvers that are kept, one for each block",                             \
    "the block's solver is made anew each time")                                                   \
  L(HOUDINI_QUERIES, 40, "queries of one solver, which old goals slow down", "it is made anew")    \
  L(CLAIM_VARIABLES, 10, "variables in a state that shows why a claim is not kept",                \
    "later ones are left out")                                                                     \
  L(REGION_TERMS, 2000, "terms of a question whose counterexample becomes a goal for runs",        \
    "it is none")                                                                                  \
  L(REGION_BRANCHES, 64, "conditional values in a literal of a counterexample to induction",       \
    "it is no goal for runs")                                                                      \
  L(MINE_RUNS, 3000, "random runs that suggest candidates", "there are no more runs")              \
  L(MINE_STEPS, 400000, "steps of all these runs", "there are no more runs")                       \
  L(MINE_SHORT_STEPS, 3000, "steps of a usual run", "the run ends")                                \
  L(MINE_LONG_STEPS, 40000, "steps of a long run", "the run ends")                                 \
  L(MINE_LONG_EVERY, 12, "runs of which one is long", "the others are usual")                      \
  L(MINE_CANDIDATES, 300, "candidates at one cutpoint", "the more complicated ones are dropped")   \
  L(MINE_QUIET_RUNS, 150, "runs in a row without a new state",                                     \
    "there are no more runs if states are enough")                                                 \
  L(MINE_FEW_STATES, 100,                                                                          \
    "states that are enough, and up to which inputs of runs with new ones are kept",               \
    "fewer are never enough")                                                                      \
  L(MINE_BYTES_PER_STEP, 32, "bytes of objects of a run that cost one step",                       \
    "there are fewer runs")                                                                        \
  L(MINE_MEMORY_BYTES, 1 << 26, "bytes that a run may allocate", "the run ends")                   \
  L(MINE_ORDER_COLUMNS, 16, "columns that are compared with each other", "later ones are not")     \
  L(MINE_AFFINE_COLUMNS, 24, "columns between which equations are searched",                       \
    "later ones are not used")                                                                     \
  L(MINE_COEFFICIENT, 64, "mean magnitude of an equation's coefficients",                          \
    "the equation is no candidate")                                                                \
  L(MINE_TRIPLES, 10, "columns that equations of three are searched among",                        \
    "later ones are not used")                                                                     \
  L(MINE_FOURS, 7, "columns that equations of four are searched among", "later ones are not used") \
  L(MINE_FACTORS, 6, "columns whose products are columns of equations",                            \
    "later ones are not multiplied")                                                               \
  L(MINE_SQUARED, 8, "columns between which polynomials of degree 2 are searched",                 \
    "later ones have none")                                                                        \
  L(MINE_DEGREE, 6, "degree of polynomials in two columns", "higher ones are not found")           \
  L(MINE_POLYNOMIALS, 16, "polynomial equations of the first wave",                                \
    "others come where they exclude something")                                                    \
  L(MINE_DENOMINATOR, 60, "factor that makes the numbers of a polynomial integers",                \
    "the polynomial is no candidate")                                                              \
  L(MINE_NUMBER, 120, "magnitude of a polynomial's numbers", "it is no candidate")                 \
  L(MINE_MONOMIALS, 9, "monomials of a polynomial relation", "a longer one is no candidate")       \
  L(MINE_CELLS, 12, "cells of memory that are columns", "others are not observed")                 \
  L(MINE_ARRAY_CELLS, 4, "elements of an array that are columns", "later ones are not observed")   \
  L(MINE_POINTERS, 12, "pointers whose objects are observed at a cutpoint", "others are not")      \
  L(MINE_SIZE_COLUMNS, 12, "columns that the size of an object is compared with",                  \
    "later ones are not")                                                                          \
  L(MINE_CALLER_COLUMNS, 6, "numbers of callers that are columns where bytes are walked along",    \
    "others are not observed")                                                                     \
  L(MINE_STRING_BYTES, 256,                                                                        \
    "first bytes of an object of which it is noted whether they are 0 "                            \
    "(a multiple of 64)",                                                                          \
    "others may be anything")                                                                      \
  L(MINE_NUMBERS, 4096, "constants of the program, with their neighbours",                         \
    "later ones are not used")                                                                     \
  L(MINE_NEAR_STATES, 128, "invented states near those that were seen (a multiple of 64)",         \
    "what is true in all of them is dropped")                                                      \
  L(MINE_WAVES, 4, "waves by which candidates are tried, the most telling first",                  \
    "the rest is the last wave")                                                                   \
  L(MINE_NEAREST_DIFFERENCES, 2, "constants near a seen difference that become its bound",         \
    "others do not")                                                                               \
  L(MINE_FEW_DIFFERENCES, 3, "differences that become a set of values", "more become bounds")      \
  L(MINE_COLUMNS, 48, "columns of a cutpoint", "later ones are not observed")                      \
  L(MINE_DERIVED, 12, "columns that are computed from others", "further ones are not")             \
  L(MINE_ROWS, 1500, "states that are kept at a cutpoint", "later ones are not")                   \
  L(MINE_FIRST_VISITS, 32, "visits of a run that are all kept", "then ever fewer are")             \
  L(MINE_SPARSER, 8, "visits of which one more is kept than is left out",                          \
    "larger numbers keep more")                                                                    \
  L(MINE_RUN_SHARE, 8, "runs among which the rows that are left are divided",                      \
    "a run that needs more has later visits left out")                                             \
  L(MINE_RUN_ROWS, 8, "rows that each run has at least", "later visits are left out")              \
  L(MINE_ATOMS, 64, "comparisons of the program that split states", "later ones do not")           \
  L(MINE_SET, 4, "values of a column that become a set", "more become bounds")                     \
  L(MINE_CONTROL_SET, 24, "values of a control variable that become a set", "more become bounds")  \
  L(MINE_NEAREST_BOUNDS, 2, "constants near the least and largest value that become bounds",       \
    "others do not")                                                                               \
  L(MINE_MODULUS, 1024, "modulus of a congruence", "a larger one is no candidate")                 \
  L(MINE_CONTROLS, 4, "control variables", "later ones do not split states")                       \
  L(MINE_CONTROL_VALUES, 32, "values of a variable that conditions compare with constants",        \
    "with more it does not split states")                                                          \
  L(MINE_OTHER_VALUES, 3, "values of another variable that splits states",                         \
    "with more it does not")                                                                       \
  L(MINE_CUBES_OF_TWO, 24, "combinations of two control variables that become a formula",          \
    "more do not")                                                                                 \
  L(MINE_CUBES_OF_ALL, 64, "combinations of three or more that become a formula", "more do not")   \
  L(MINE_CONDITIONS, 8, "conditions of the program that split states", "later ones do not")        \
  L(MINE_LITERALS, 24, "conditions and negations that form clauses of two", "later ones do not")   \
  L(MINE_CLAUSES, 24, "clauses of two that become candidates", "later ones do not")                \
  L(MINE_PART_COLUMNS, 8, "columns between which facts of a part are searched",                    \
    "later ones are not used")                                                                     \
  L(MINE_PART_FACTS, 24, "facts of one part", "more complicated ones are dropped")                 \
  L(MINE_STARTS, 4, "columns whose first value splits states", "later ones do not")                \
  L(MINE_LISTED_STATES, 16, "states that are listed as one formula", "more are not")               \
  L(UNROLLED_COST, 40, "cost of a predicate that comes from unrolling, at least",                  \
    "cheaper predicates are taken first")                                                          \
  L(TEMPLATE_VARIABLES, 12, "variables of a cutpoint that templates are filled with",              \
    "later ones are not used")                                                                     \
  L(TEMPLATE_CONSTANTS, 14, "constants of a width that templates are filled with",                 \
    "later ones are not used")                                                                     \
  L(TEMPLATE_ATOMS, 60, "atoms of conditions that guard templates", "later ones do not")           \
  L(TEMPLATE_NODES, 400, "nodes of a weakest precondition that becomes a candidate",               \
    "a larger one does not")                                                                       \
  L(FOLDS, 8, "folds that loops compute", "others are no candidates")                              \
  L(FOLD_TERMS, 60, "subterms of the step of a fold", "a larger one is no candidate")              \
  L(FOLD_PLACES, 8, "indices at which a fold is read at a node", "there are no others")            \
  L(FOLD_POINTS, 4, "cells in which a fold differs behind a block", "nothing is said of it")       \
  L(FOLD_DIFFERENCES, 12, "pairs of folds in a question of which it is shown where they differ",   \
    "others are unrelated")                                                                        \
  L(FILTER_CLOCK, 64, "edges and facts of runs after which the time is looked at",                 \
    "larger numbers end runs later")                                                               \
  L(FILTER_FOLD, 64, "indices that a fold goes over in a state of a run", "it has no value there") \
  L(FILTER_RUNS, 60, "random runs that contradict facts about all elements",                       \
    "others are left to solvers")                                                                  \
  L(FILTER_STEPS, 3000, "steps of such a run", "the run ends")                                     \
  L(FILTER_LONG_STEPS, 4000000, "steps of a run where others did not come to all loops",           \
    "the run ends")                                                                                \
  L(FILTER_STATES, 120, "states of a cutpoint that are looked at", "later ones are not")           \
  L(FILTER_MANY_STATES, 12,                                                                        \
    "states of a cutpoint after which a range that none of them meets is given up",                \
    "facts are tried whose range was never met")                                                   \
  L(FILTER_FIRST_VISITS, 10, "visits of a run that are all looked at", "then ever fewer are")      \
  L(FILTER_ENDS, 3, "ends of a range beside which a fact is evaluated, too", "others are not")     \
  L(FILTER_INDICES, 6, "last index that a fact is evaluated at", "larger ones are not")            \
  L(FILTER_PAIR_VISITS, 5, "first visits of a run at which facts with two indices are looked at",  \
    "the other first ones are not")                                                                \
  L(FILTER_PAIRS, 3, "last index of facts with two of them", "larger ones are not")                \
  L(FILTER_SEED, 1, "seed of these runs", "other runs")                                            \
  L(UNIVERSAL_SUGGESTIONS, 2400,                                                                   \
    "facts about all elements that runs may contradict at one cutpoint",                           \
    "later ones are not tried")                                                                    \
  L(UNIVERSAL_CANDIDATES, 160, "facts about all elements that are tried at one cutpoint",          \
    "later ones are not")                                                                          \
  L(UNIVERSAL_BODIES, 20, "statements about an element that are tried", "later ones are not")      \
  L(UNIVERSAL_BODY_TERMS, 120, "terms of such a statement", "a larger one is not tried")           \
  L(UNIVERSAL_ENDS, 5, "terms that bound a range of indices", "later ones do not")                 \
  L(UNIVERSAL_MIRRORS, 3, "ends of ranges that speak of other counters", "later ones do not")      \
  L(UNIVERSAL_RELATIONS, 8, "counters that are told by other ones", "others are not")              \
  L(UNIVERSAL_COUNTERS, 6, "counters of a loop that bound a range", "later ones do not")           \
  L(UNIVERSAL_FIELDS, 4, "numbers in single cells that are taken for variables",                   \
    "later ones are not")                                                                          \
  L(UNIVERSAL_PLACES, 2, "variables of a loop that keep where a counter was",                      \
    "later ones bound no range")                                                                   \
  L(UNIVERSAL_LEAVES, 16, "leaves of conditionals that are looked at for a counter's step",        \
    "others are no steps")                                                                         \
  L(UNIVERSAL_GUARDS, 3, "conditions on flags under which facts about elements are tried",         \
    "later ones are not")                                                                          \
  L(UNIVERSAL_GROWTH, 1 << 20, "largest step of a value that grows", "it has no bound")            \
  L(UNIVERSAL_SPANS, 4, "arrays whose cells are between two values",                               \
    "of later ones nothing is said")                                                               \
  L(UNIVERSAL_GROWTHS, 8, "values that grow by steps", "later ones have no bound")                 \
  L(UNIVERSAL_DEFINITIONS, 4, "variables that are told by what they were computed as",             \
    "others are not")                                                                              \
  L(UNIVERSAL_DEFINITION_TERMS, 8, "terms of such a computation", "it is not tried")               \
  L(UNIVERSAL_BOUNDS, 4, "variables that bound a search", "later ones do not")                     \
  L(UNIVERSAL_MIDDLE_TERMS, 24, "terms of a place between bounds of a search", "it is none")       \
  L(UNIVERSAL_ORDERS, 3, "arrays whose cells are ordered", "others are not")                       \
  L(UNIVERSAL_TAKEN, 2, "variables that the cells of an ordered array are compared with",          \
    "others are not")                                                                              \
  L(UNIVERSAL_ORDERED, 10, "variables of a cutpoint that are ordered beside facts about elements", \
    "later ones are not")                                                                          \
  L(UNIVERSAL_POINTERS, 8, "pointers of a cutpoint that are compared with each other",             \
    "later ones are not")                                                                          \
  L(UNIVERSAL_ROUNDS, 2, "rounds of instances, each at the reads of the last",                     \
    "others are not used")                                                                         \
  L(UNIVERSAL_INSTANCES, 2000, "instances in one question", "others are not used")                 \
  L(UNIVERSAL_CASES, 4, "places at which a statement about elements is looked at by itself",       \
    "at others it is left to the solver")                                                          \
  L(UNIVERSAL_TOLD, 8, "numbers that are made of elements, of which runs tell something",          \
    "of others runs say nothing")                                                                  \
  L(UNIVERSAL_MINED, 24, "facts of a cutpoint that runs tell of such numbers",                     \
    "later ones are not tried")                                                                    \
  L(UNIVERSAL_EQUATIONS, 400, "equations of a question that may compare rows and columns",         \
    "others get no clause")                                                                        \
  L(UNIVERSAL_RLIMIT, 3000000, "solver steps of a question about candidates",                      \
    "they are asked one by one, then dropped")
enum {
#define TP_LIMIT(name, value, what, then) TP_BLOCKS_##name = value,
  TP_BLOCKS_LIMITS(TP_LIMIT)
#undef TP_LIMIT
};

/* Shares and times. */
#define TP_BLOCKS_FRACTIONS(L) \
  L(HOUDINI_S, 4.0, "seconds of CPU of one query of Houdini", "the candidate is dropped")
#define TP_LIMIT(name, value, what, then) static const double TP_BLOCKS_##name = value;
TP_BLOCKS_FRACTIONS(TP_LIMIT)
#undef TP_LIMIT

#endif
