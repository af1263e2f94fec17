/* Tuning constants of this room: what bounds its searches, with units and what happens there;
 * listed by `twoproof dump --limits`. */
#ifndef TP_TERM_TERM_LIMITS_H
#define TP_TERM_TERM_LIMITS_H

#include "base/limits.h"

#define TP_TERM_LIMITS(L)                                                                        \
  L(TAG_NESTING, 8, "operations on tags inside of each other", "the address keeps no object")    \
  L(TAG_BITS, 12,                                                                                \
    "low bits of an address that are tags: what a program stores in it, or clears to align it",  \
    "the address keeps no object")                                                               \
  L(EVAL_LEVELS, 24, "levels of a term that is evaluated by recursion",                          \
    "deeper terms are evaluated with an explicit stack")                                         \
  L(EVAL_STEPS, 200, "applications that are evaluated by recursion",                             \
    "larger terms are evaluated with an explicit stack")                                         \
  L(RULE_LEVELS, 100, "rules inside of which rules are applied",                                 \
    "deeper results are not simplified")                                                         \
  L(PRINT_SUMMANDS, 64, "summands that are printed in order, positive ones first",               \
    "the rest is printed as one operand")                                                        \
  L(PRINT_TREE, 400, "nodes of a term, as a tree, that is printed in one piece",                 \
    "what a larger term shares gets names")                                                      \
  L(CODE_LEVELS, 20, "levels of an expression in generated C", "parts of deeper ones get names") \
  L(LINEAR_MONOMIALS, 32, "monomials of a sum in normal form",                                   \
    "a larger sum is one opaque summand")                                                        \
  L(READ_STORES, 256, "STOREs that a read passes", "the read stands above the rest")             \
  L(WRITE_STORES, 32, "STOREs below a write that are searched for one at its index",             \
    "the older STORE stays")                                                                     \
  L(READ_LEAVES, 15, "constants among which the index of a read chooses",                        \
    "the choice stays in the index")                                                             \
  L(CHAIN_LITERALS, 32, "literals at the right end of a chain that are compared",                \
    "older ones are not simplified")                                                             \
  L(COMPLEMENT_LITERALS, 8, "literals of two chains that may be complements by de Morgan",       \
    "longer chains are not recognised")                                                          \
  L(COMPLEMENT_LEVELS, 2, "alternations of AND and OR in a search for complements",              \
    "deeper ones are not recognised")                                                            \
  L(CHAIN_SHRINKS, 8, "times that a chain is made again without a redundant literal",            \
    "it is linked as it stands")                                                                 \
  L(CHAIN_JOINS, 256, "joins of chains for one application",                                     \
    "what is left is linked as it stands")                                                       \
  L(ITE_NODES, 16, "conditions of a tree with constant leaves into which operations are pushed", \
    "the operation stays above the tree")                                                        \
  L(MERGED_STORES, 16, "STOREs by which two merged arrays may differ",                           \
    "the arrays are merged by one ITE")                                                          \
  L(TEXT_BYTES, 1 << 26, "bytes of a term's text", "longer texts are refused")                   \
  L(TEXT_LEVELS, 1 << 20, "levels of a term's text", "deeper texts are refused")                 \
  L(TEXT_SORT_LEVELS, 8, "levels of a sort's text", "deeper ones are refused")
enum {
#define TP_LIMIT(name, value, what, then) TP_TERM_##name = value,
  TP_TERM_LIMITS(TP_LIMIT)
#undef TP_LIMIT
};

#endif
