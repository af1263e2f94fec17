/* Tuning constants of this room: what bounds its searches, with units and what happens there;
 * listed by `twoproof dump --limits`. */
#ifndef TP_CPA_CPA_LIMITS_H
#define TP_CPA_CPA_LIMITS_H

#include "base/limits.h"

#define TP_CPA_LIMITS(L)                                                                           \
  L(CHECKED_NODES, 2000, "nodes of a reached set whose links check builds check each time",        \
    "of larger sets only some times are checked")                                                  \
  L(LOOK_EACH, 32, "times that a larger reached set comes by, of which one is checked",            \
    "faults between them show later")                                                              \
  L(CHECKED_STATES, 400, "abstract states of a reached set that check builds check",               \
    "larger sets are not checked")                                                                 \
  L(ARGUMENT_NODES, 100, "nodes of an argument in a condition about a caller's variables",         \
    "the condition stays where it is")                                                             \
  L(ARGUMENT_FRAMES, 8, "frames that a condition is followed up", "it is not followed further")    \
  L(CONTEXT_FRAMES, 8, "frames of a context that are printed", "those in the middle are left out") \
  L(COMPOSITION_LEVELS, 16, "parentheses inside of each other in a composition", "it is refused")  \
  L(COMPONENTS, 64, "components of a composition", "it is refused")                                \
  L(HEAP_CELLS, 4096, "cells of an explicit heap", "a further block is not tracked")               \
  L(HEAP_FIELDS, 64, "fields of a cell", "others have any value")                                  \
  L(MINED_ROWS, 64, "abstract states whose values suggest predicates", "later ones do not")        \
  L(MINED_PARTNERS, 24, "variables that are compared with one place", "later ones are not")        \
  L(MINED_RELATIONS, 8, "relations of one place that become predicates", "further ones do not")    \
  L(MINED_MODULUS, 64, "modulus of a congruence that becomes a predicate",                         \
    "a larger one does not")                                                                       \
  L(INTERVAL_WIDEN_AFTER, 3, "joins before widening (default of interval.widen-after)",            \
    "bounds are widened")                                                                          \
  L(INTERVAL_THRESHOLDS, 40, "constants at which widening stops (default of interval.thresholds)", \
    "widening goes past others")                                                                   \
  L(INTERVAL_NARROW, 2, "steps of narrowing (default of interval.narrow)",                         \
    "bounds are left wider")                                                                       \
  L(OCTAGON_ASSIGN_SPLITS, 4, "conditionals of an assigned value that are split",                  \
    "the value is bounded as a whole")                                                             \
  L(OCTAGON_BOUNDS, 6, "bounds of an assigned value that is not linear",                           \
    "further ones are not used")                                                                   \
  L(OCTAGON_SUMMANDS, 6, "summands that are searched for values with bounds",                      \
    "the rest is one summand")                                                                     \
  L(OCTAGON_ASSUME_LEVELS, 60, "levels of a condition", "deeper parts are not assumed")            \
  L(OCTAGON_ASSUME_SPLITS, 12, "disjunctions of a condition that are split",                       \
    "others are not assumed")                                                                      \
  L(OCTAGON_ASSUME_STEPS, 600, "parts of a condition that are looked at",                          \
    "others are not assumed")                                                                      \
  L(OCTAGON_FORM_LEVELS, 40, "levels of a term that becomes a linear form",                        \
    "deeper terms have any value of their type")                                                   \
  L(OCTAGON_FORM_STEPS, 400, "subterms that are looked at",                                        \
    "further ones have any value of their type")                                                   \
  L(OCTAGON_MONOMIALS, 8, "variables of a linear form",                                            \
    "further ones are bounded by their intervals")                                                 \
  L(OCTAGON_CONSTANT_ROUNDS, 24, "rounds in which widening stops at the program's constants",      \
    "then at -1, 0 and 1")                                                                         \
  L(OCTAGON_SIGN_ROUNDS, 200, "rounds in which widening stops at -1, 0 and 1", "then nowhere")     \
  L(POLYHEDRA_LOOP_WEIGHT, 8, "points of a use inside of a loop, against one outside",             \
    "variables with fewest points are no dimensions")                                              \
  L(POLYHEDRA_WIDTH, 32, "bits of a variable that can be a dimension",                             \
    "wider ones are not tracked")                                                                  \
  L(POLYHEDRA_FORM_LEVELS, 40, "levels of a term that becomes a linear form",                      \
    "the assignment or condition is not used")                                                     \
  L(POLYHEDRA_NARROW, 2, "steps of narrowing", "constraints are left out that hold")               \
  L(POLYHEDRA_ASSUME_LEVELS, 30, "levels of a condition", "deeper parts are not assumed")          \
  L(PREDICATE_CUBES, 200, "combinations of open predicates in one abstraction",                    \
    "the abstraction is TRUE on them")                                                             \
  L(PREDICATE_PART_ROUNDS, 8,                                                                      \
    "rounds that propagate constants before a formula is cut into parts", "it is not cut")         \
  L(PREDICATE_ANCESTORS, 1000, "merged states that are searched for a part",                       \
    "the part counts as not found")                                                                \
  L(RECURSION_ENTRIES, 10, "entries of a recursive function that have a summary of their own",     \
    "further ones are joined to the last")                                                         \
  L(RECURSION_JOINS, 2, "joins of an entry or exit before widening", "it is widened")              \
  L(RECURSION_EXITS, 8, "exits of a summary that are kept apart",                                  \
    "they become one, which is widened")                                                           \
  L(HEAP_SAMPLED_ELEMENTS, 4000, "heaps that are looked at for samples of a structure",            \
    "the class is chosen by the samples that there are")                                           \
  L(SHAPE_COMPARISONS, 5, "comparisons of data that become predicates", "further ones do not")     \
  L(SHAPE_CONDITION_TERMS, 200, "terms of a condition that are searched for comparisons",          \
    "later ones are not")                                                                          \
  L(SHAPE_CONDITIONS, 24, "conditions about numbers that a state keeps",                           \
    "further ones are dropped")                                                                    \
  L(SHAPE_CONDITION_LEVELS, 16, "levels of a condition about numbers", "deeper parts are dropped") \
  L(SHAPE_MARK_ROUNDS, 20, "rounds that mark numbers that matter to pointers",                     \
    "others do not count")                                                                         \
  L(SHAPE_RLIMIT, 2000000, "solver steps of a query whether a state is possible",                  \
    "the state counts as possible")                                                                \
  L(SHAPE_ASSUME_LEVELS, 32, "levels of a condition about pointers",                               \
    "deeper parts are not assumed")                                                                \
  L(SHAPE_ASSUME_POINTERS, 3, "pointers in one condition",                                         \
    "a condition about more is not assumed")                                                       \
  L(SHAPE_POINTERS, 24, "pointer variables that are tracked",                                      \
    "others point anywhere; named ones are refused")                                               \
  L(SHAPE_DATA, 8, "predicates about data, each of which can double the number of graphs",         \
    "further comparisons are not used")                                                            \
  L(SHAPE_KINDS_OFF, 64, "kinds of cells that can be switched off before refinement",              \
    "further kinds are on")                                                                        \
  L(SHAPE_FORMULA_GRAPHS, 64, "graphs of a state that is written as a formula",                    \
    "the formula is TRUE")                                                                         \
  L(STORE_TARGETS, 8, "targets of a pointer (and default of pointer.targets)",                     \
    "with more it points anywhere")                                                                \
  L(STORE_ASSUME_ROUNDS, 4, "passes that sharpen values by a condition", "values are left wider")  \
  L(STORE_LOST_BYTES, 64,                                                                          \
    "bytes of a write that are lost one by one from an object's first content",                    \
    "a longer write loses all of it")                                                              \
  L(STORE_WIDE_BYTES, 256, "bytes of an access that looks cells up",                               \
    "for a longer one all cells are walked")                                                       \
  L(STORE_SPLITS, 6, "conditionals inside of each other that are evaluated apart",                 \
    "inner ones are evaluated as a whole")                                                         \
  L(STORE_ACCESS_CELLS, 64, "possible cells of one access",                                        \
    "a write to more loses what they hold, a read gives anything")                                 \
  L(STORE_DECIDING, 8, "variables that showed lately that states are not in order",                \
    "they are compared first")                                                                     \
  L(STORE_SUPPOSED, 16, "terms with a value under a condition",                                    \
    "of further ones the value is that without it")                                                \
  L(VALUE_THRESHOLD, 50, "values of a variable that are kept apart (default of value.threshold)",  \
    "then it has any value: a loop of 50 iterations is run through")
enum {
#define TP_LIMIT(name, value, what, then) TP_CPA_##name = value,
  TP_CPA_LIMITS(TP_LIMIT)
#undef TP_LIMIT
};

/* Shares and times. */
#define TP_CPA_FRACTIONS(L)                                                   \
  L(PREDICATE_S, 5, "seconds of CPU of one query of an abstraction",          \
    "the predicate is not decided")                                           \
  L(PREDICATE_LEAST_S, 0.01, "seconds of CPU that such a query has at least", \
    "the predicate is not decided")
#define TP_LIMIT(name, value, what, then) static const double TP_CPA_##name = value;
TP_CPA_FRACTIONS(TP_LIMIT)
#undef TP_LIMIT

#endif
