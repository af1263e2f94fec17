/* Tuning constants of this room: what bounds its searches, with units and what happens there;
 * listed by `twoproof dump --limits`. */
#ifndef TP_EXPRESSION_EXPRESSION_LIMITS_H
#define TP_EXPRESSION_EXPRESSION_LIMITS_H

#include "base/limits.h"

#define TP_EXPRESSION_LIMITS(L)                                                              \
  L(LEVELS, 200, "levels of an expression", "deeper ones are refused")                       \
  L(ARGUMENTS, 16, "arguments of a call", "more are refused")                                \
  L(PRINT_LEVELS, 64, "levels of a term that is printed as C", "a deeper one has no C text") \
  L(PURE_BRANCHES, 1024, "branches of a function that becomes a term",                       \
    "the function cannot be called in expressions")                                          \
  L(NAME_CHARACTERS, 255, "characters of a name", "longer ones are not found")
enum {
#define TP_LIMIT(name, value, what, then) TP_EXPRESSION_##name = value,
  TP_EXPRESSION_LIMITS(TP_LIMIT)
#undef TP_LIMIT
};

#endif
