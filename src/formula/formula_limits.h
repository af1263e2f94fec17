/* Tuning constants of this room: what bounds its searches, with units and what happens there;
 * listed by `twoproof dump --limits`. */
#ifndef TP_FORMULA_FORMULA_LIMITS_H
#define TP_FORMULA_FORMULA_LIMITS_H

#include "base/limits.h"

#define TP_FORMULA_LIMITS(L)                                                                       \
  L(ALONG_FLAT_CONDITIONS, 20000, "conditionals of a path's condition without array updates",      \
    "it keeps its arrays")                                                                         \
  L(ALONG_RLIMIT, 3000000, "solver steps of the model of a path", "the model is not known")        \
  L(BLOCK_PIECES, 4096, "pieces of a block that is copied or filled",                              \
    "the operation is a gap: bounded proofs are unknown")                                          \
  L(LONG_BLOCK_PIECES, 64, "pieces of a block whose length nothing bounds",                        \
    "runs with a longer one are a gap: bounded proofs are unknown if there are such runs")         \
  L(JOINED_BYTES, 4096, "bytes of an object whose contents are joined cell by cell",               \
    "a larger one becomes an array")                                                               \
  L(OFFSET_CANDIDATES, 64, "offsets of an access that are told apart",                             \
    "with more the object becomes an array")                                                       \
  L(RESOLVENTS, 24, "pairs of bounds that elimination of a variable combines",                     \
    "the variable stays")                                                                          \
  L(ELIMINATION_PASSES, 200, "passes over all variables that are to go", "variables stay")         \
  L(CUBE_STEPS, 4000, "steps that choose a cube by a model", "there is no cube")                   \
  L(ELIMINATED_SUMS, 4, "sums with a variable that are eliminated in its place",                   \
    "the variable stays")                                                                          \
  L(ELIMINATION_CASES, 5, "levels of cases of a formula whose variable stayed",                    \
    "cubes are tried, else what mentions it is dropped")                                           \
  L(GUARD_LOOK_BACK, 200,                                                                          \
    "literals of a guard that are searched for a repetition or contradiction",                     \
    "the literal is added")                                                                        \
  L(STEP_EFFORT, 4, "times the limit of solver steps for the check of a step",                     \
    "the interpolants are not accepted")                                                           \
  L(PATH_ATOMS, 200, "atoms of a path's conditions", "later ones are not used")                    \
  L(ATOM_CANDIDATES, 40, "atoms that are candidates at each cut", "later ones are not used")       \
  L(ATOM_DROPS, 24, "conjuncts of an interpolant that are tried to be dropped",                    \
    "a longer one stays as it is")                                                                 \
  L(ATOM_RLIMIT, 400000, "solver steps of one check", "the candidates are not used")               \
  L(CHAIN_FLAT_CONDITIONS, 20000, "conditionals of a formula without array updates",               \
    "it keeps its arrays")                                                                         \
  L(CHAIN_RLIMIT, 3000000, "solver steps of one query of interpolation", "the answer is unknown")  \
  L(CORE_DELETIONS, 80, "literals of a core that are tried to be deleted", "the others stay")      \
  L(CORE_RLIMIT, 400000, "solver steps of each of these tries", "the literal stays")               \
  L(RELATED_CANDIDATES, 64, "candidates for relations at one cut", "later ones are not used")      \
  L(RELATED_ROUNDS, 24, "models that remove candidates", "none of the candidates is used")         \
  L(RELATED_FRUITLESS, 3, "searches over the whole path without a relation",                       \
    "only the generalised path is searched")                                                       \
  L(RELATED_RLIMIT, 400000, "solver steps of one check of candidates",                             \
    "the candidates are not used")                                                                 \
  L(RELATED_FORMS, 8, "linear forms from conditions at one cut", "later ones are not used")        \
  L(RELATED_ATOMS, 16, "atoms from which candidates are made", "later ones are not used")          \
  L(RELATED_TERMS, 12, "terms through whose values lines are laid, in pairs",                      \
    "later ones are not used")                                                                     \
  L(RELATED_CUTS, 6, "earlier cuts whose values are compared", "older ones are not")               \
  L(RELATED_LITERAL, 40, "nodes of a literal that becomes a candidate", "a larger one does not")   \
  L(RELATED_FACTOR, 1000, "magnitude of a coefficient of a line", "the line is no candidate")      \
  L(SP_CUBES, 4, "cubes of a strongest postcondition", "what mentions a dead variable is dropped") \
  L(SP_DROPS, 16, "conjuncts that are tried to be dropped", "a longer interpolant stays as it is") \
  L(WP_CUBES, 6, "cubes of a weakest precondition",                                                \
    "what mentions a variable out of scope is dropped")                                            \
  L(WP_DROPS, 12, "conjuncts that are tried to be dropped", "a longer interpolant stays as it is") \
  L(IMAGE_CELLS, 128, "cells of static objects whose first values a read can have",                \
    "of more nothing is asserted")                                                                 \
  L(PATH_FLAT_CONDITIONS, 20000, "conditionals of a path's formula without array updates",         \
    "it keeps its arrays")                                                                         \
  L(PATH_BLOCK_BYTES, 32, "bytes of a block at an unknown offset that is written byte by byte",    \
    "all of memory is havocked")                                                                   \
  L(PATH_BLOCK_READS, 300, "reads of long blocks in one question of which facts are said",         \
    "nothing is said of others")                                                                   \
  L(PATH_COPY_BYTES, 1024, "bytes of a block that is copied or set", "all of memory is havocked")  \
  L(PATH_FILL_BYTES, 256, "bytes of a block with any content, or of a new object",                 \
    "all of memory is havocked; a new object holds anything")                                      \
  L(ADDRESS_SEARCH_TERMS, 5000, "terms that are searched for an address made an integer",          \
    "one is taken to be there")                                                                    \
  L(LOST_ROOTS, 6, "variables that are asked whether they lead to all that is on the heap",        \
    "others are not")                                                                              \
  L(TARGETS, 4096, "objects that a pointer may point to", "it may point to any object")            \
  L(VALUES, 48, "values of a set", "more become a range with a stride")
enum {
#define TP_LIMIT(name, value, what, then) TP_FORMULA_##name = value,
  TP_FORMULA_LIMITS(TP_LIMIT)
#undef TP_LIMIT
};

#endif
