/* Tuning constants of this room: what bounds its searches, with units and what happens there;
 * listed by `twoproof dump --limits`. */
#ifndef TP_SHAPE_SHAPE_LIMITS_H
#define TP_SHAPE_SHAPE_LIMITS_H

#include "base/limits.h"

#define TP_SHAPE_LIMITS(L)                                                                       \
  L(MAX_UNARY, 256, "unary predicates of a class", "the class is refused")                       \
  L(MAX_BINARY, 256, "binary predicates of a class", "the class is refused")                     \
  L(MAX_NODES, 64, "nodes of a structure", "the step is not done: every heap is possible")       \
  L(MAX_ARGUMENTS, 4, "parameters of a predicate", "the description is refused")                 \
  L(MAX_SLOTS, 8, "names of pointers, or of fields, in one scope", "the description is refused") \
  L(MAX_FIELDS, 8, "pointer fields of a cell", "the structure is not described")                 \
  L(MAX_ORDERS, 2, "orders on data", "the description is refused")                               \
  L(MAX_FAMILIES, 32, "families of predicates", "the description is refused")                    \
  L(FORMULA_NODES, 2000, "nodes of a formula in a description", "the description is refused")    \
  L(FORMULA_LEVELS, 100, "levels of a formula in a description", "the description is refused")   \
  L(EMBEDDING_TRIES, 100000, "pairs of nodes that a search for an embedding tries",              \
    "the structure counts as not embedded")                                                      \
  L(DEFINITION_VISITS, 10000, "parts of definitions that are inlined into one formula",          \
    "the class is refused")
enum {
#define TP_LIMIT(name, value, what, then) TP_SHAPE_##name = value,
  TP_SHAPE_LIMITS(TP_LIMIT)
#undef TP_LIMIT
};

#endif
