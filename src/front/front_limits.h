/* Tuning constants of this room: what bounds its searches, with units and what happens there;
 * listed by `twoproof dump --limits`. */
#ifndef TP_FRONT_FRONT_LIMITS_H
#define TP_FRONT_FRONT_LIMITS_H

#include "base/limits.h"

#define TP_FRONT_LIMITS(L)                                                                        \
  L(FORMAT_STRINGS, 16, "strings that a format prints", "the call is the model's")                \
  L(ATTRIBUTES, 64, "attributes of a parameter that are copied to a stand-in",                    \
    "with more, none are copied")                                                                 \
  L(POINTER_SEARCH_LEVELS, 8, "levels of a type that are searched for a pointer",                 \
    "a deeper type counts as one that holds pointers")                                            \
  L(EFFECT_LEVELS, 500, "levels of operands whose effects are followed",                          \
    "a deeper one may have any effect")                                                           \
  L(ORDER_OPERANDS, 32, "operands of a call whose order of evaluation is compared",               \
    "later ones are not")                                                                         \
  L(OPEN_RANGES, 256, "ranges of bytes that an initialiser leaves open",                          \
    "the initialiser is not supported")                                                           \
  L(MAIN_ARGUMENTS, 8, "arguments of main, with the program's name",                              \
    "runs with more are not considered")                                                          \
  L(MAIN_ARGUMENT_BYTES, 16, "bytes of an argument of main, with the 0",                          \
    "runs with longer ones are not considered")                                                   \
  L(ASSEMBLY_OPERANDS, 64, "operands of an inline assembly", "with more it is not modelled")      \
  L(COMPILER_LINES, 24, "lines of clang's messages that are shown", "the rest is cut")            \
  L(COMPILER_COLUMNS, 160, "columns of each of them", "the rest is cut")                          \
  L(PADDED_BYTES, 4096, "bytes of an object whose padding is any value",                          \
    "padding of larger ones is what clang's code makes it: an assumption")                        \
  L(PADDING_RANGES, 64, "ranges of padding of an object",                                         \
    "further ones are what clang's code makes them: an assumption")                               \
  L(FOLD_INSTRUCTIONS, 64, "instructions of a block that becomes one side of a conditional term", \
    "the branch stays")                                                                           \
  L(FOLD_LEVELS, 100, "branches inside of each other that become one term", "outer ones stay")    \
  L(FOLD_BLOCKS, 32, "blocks in a row on one side of a branch that becomes a term",               \
    "the branch stays")                                                                           \
  L(CALL_MEMO_SLOTS, 4, "places of calls of a const function whose results are compared",         \
    "later calls give any result")                                                                \
  L(SCOPE_LEVELS, 256, "blocks of the source around an instruction that are searched",            \
    "a deeper one counts as outside")                                                             \
  L(FILLED_PIECES, 64, "addresses within a new object that are followed",                         \
    "its first content is an input")                                                              \
  L(FILLED_INSTRUCTIONS, 400,                                                                     \
    "instructions behind a declaration that are searched for stores that fill it",                \
    "its first content is an input")                                                              \
  L(FILLED_BYTES, 1024, "bytes of an object that may be filled by single stores",                 \
    "its first content is an input")                                                              \
  L(VOLATILE_LEVELS, 4, "constant expressions through which a volatile access is searched",       \
    "deeper ones are not found")                                                                  \
  L(SOURCES, 128, "values from which a value is computed", "of more, all count as set")
enum {
#define TP_LIMIT(name, value, what, then) TP_FRONT_##name = value,
  TP_FRONT_LIMITS(TP_LIMIT)
#undef TP_LIMIT
};

#endif
