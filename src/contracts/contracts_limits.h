/* Tuning constants of this room: what bounds its searches, with units and what happens there;
 * listed by `twoproof dump --limits`. */
#ifndef TP_CONTRACTS_CONTRACTS_LIMITS_H
#define TP_CONTRACTS_CONTRACTS_LIMITS_H

#include "base/limits.h"

#define TP_CONTRACTS_LIMITS(L)                                                                     \
  L(COMPILER_OPTIONS, 200, "flags of the compiler for a replay", "further ones are not passed")    \
  L(PICTURE_STEPS, 80, "steps beside a picture", "the rest is counted")                            \
  L(FIELDS, 4096, "fields of memory of a function", "the function is not supported")               \
  L(STEPS, 200000, "edges of a symbolic execution", "the function is not supported")               \
  L(CALLS, 60, "calls inside of each other", "a deeper recursion is not unrolled")                 \
  L(INDEX_SUMMANDS, 8, "summands of an index", "the function is not supported")                    \
  L(REGISTER_PARTS, 32, "members of a struct in registers", "the function is not supported")       \
  L(TERM_LEVELS, 300, "levels of a term", "the function is not supported")                         \
  L(INTEGER_WIDTH, 8, "bits of integers of bounded heaps", "wrong usage")                          \
  L(LOCALS, 300, "local variables in memory of an execution, each time that one is declared",      \
    "further ones are outside of the bounds")                                                      \
  L(LOCAL_ELEMENTS, 16, "elements of a local array, unless more are allowed for all arrays",       \
    "the declaration is outside of the bounds")                                                    \
  L(OBJECTS, 32, "objects of a type of bounded heaps", "wrong usage")                              \
  L(ARITY, 8, "columns of a relation", "the formula is refused")                                   \
  L(FORMULA_LEVELS, 2000, "levels of a relational formula", "the formula is refused")              \
  L(QUANTIFIED, 8, "variables of one quantifier", "the formula is refused")                        \
  L(FORMULA_TEXT, 10000, "characters of a formula's text", "the rest is ...")                      \
  L(EMIT_LEVELS, 7, "levels of an expression in generated C", "a higher one becomes a function")   \
  L(EMIT_LINE, 100, "characters of a line of generated C", "the line is broken")                   \
  L(EMIT_COMMENT, 150, "characters of a comment in generated C", "the rest is ...")                \
  L(SYMMETRY_NEAR, 20, "pairs of variables compared for neighbours, against",                      \
    "shorter predicates break fewer symmetries")                                                   \
  L(SYMMETRY_FAR, 12, "those compared for other atoms: the ratio counts",                          \
    "shorter predicates break fewer symmetries")                                                   \
  L(COMMENT_GAP_LINES, 2000, "lines between two comments of one contract",                         \
    "the later one begins another")                                                                \
  L(TYPE_ARITY, 8, "columns of a relation's type, dimensions of an array",                         \
    "the contract is refused")                                                                     \
  L(TYPE_PRODUCTS, 600, "products of one arity in a type", "they become one that contains them")   \
  L(CONTRACT_LEVELS, 400, "levels of a contract's expression, formulas of a clause",               \
    "the contract is refused")                                                                     \
  L(BOUND_LEVELS, 40, "levels of a relational bound looked into for an inclusion",                 \
    "the inclusion is not known")                                                                  \
  L(BOUND_COPIES, 400, "operators of a relational bound written out, for one of those allowed",    \
    "the bound is too large")                                                                      \
  L(BOUND_ANSWERS, 1000000, "pairs of bounds whose inclusion, sum, ... are remembered",            \
    "all are forgotten")                                                                           \
  L(BOUND_LETS, 300, "operators of a bound written out without let",                               \
    "parts that a larger one has several times get names")                                         \
  L(BOUND_LET, 3, "operators of a part written out wherever it stands", "larger ones get names")   \
  L(BOUND_STEPS, 4, "steps of a path that may repeat in a loop",                                   \
    "no closure is found, the bound becomes universal")                                            \
  L(BOUND_CLOSURES, 8, "closures found in one bound when a loop is widened",                       \
    "the other paths wait for the next round")                                                     \
  L(BOUND_ROUNDS, 12, "rounds of a loop, of a recursion", "what still changes becomes universal")  \
  L(BOUND_FACTS, 32, "conditions that are remembered along a path",                                \
    "branches that differ by later ones are joined")                                               \
  L(BOUND_INNER, 12, "structs inside of each other", "the address may lead anywhere")              \
  L(REFINEMENTS, 150, "specifications added to called functions, unless an option says otherwise", \
    "the calls are executed")                                                                      \
  L(BODY_AFTER, 6, "specifications at one call, unless an option says otherwise",                  \
    "the callee's body is put there")                                                              \
  L(RETURNS, 20, "refinements for the question whether a function returns", "it is not known")     \
  L(SPECIFICATION_PATHS, 2, "refutations of one function asked for a specification of one path",   \
    "later ones become whole conjuncts of its body")                                               \
  L(SPECIFICATION_CONFLICTS, 20000, "conflicts of a check that a body implies a specification",    \
    "whole conjuncts of the body are taken")                                                       \
  L(PROPOSAL_CASES, 1300, "cases of new objects in what a summary says",                           \
    "refinement is not offered the clause")                                                        \
  L(VACUITY_CONFLICTS, 20000, "conflicts of a check whether a precondition holds in any heap",     \
    "it is not known")                                                                             \
  L(VACUITY_CELLS, 4000000, "cells of matrices of that check", "it is not known")                  \
  L(CLAUSE_LITERALS, 16, "literals of a conjunction that becomes one clause",                      \
    "longer ones become clauses of clauses")
enum {
#define TP_LIMIT(name, value, what, then) TP_CONTRACTS_##name = value,
  TP_CONTRACTS_LIMITS(TP_LIMIT)
#undef TP_LIMIT
};

#endif
