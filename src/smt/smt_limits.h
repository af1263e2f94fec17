/* Tuning constants of this room: what bounds its searches, with units and what happens there;
 * listed by `twoproof dump --limits`. */
#ifndef TP_SMT_SMT_LIMITS_H
#define TP_SMT_SMT_LIMITS_H

#include "base/limits.h"

#define TP_SMT_LIMITS(L)                                                                           \
  L(ALGEBRA_SUMMANDS, 200, "summands of a polynomial", "the algebra gives up, solvers are asked")  \
  L(ALGEBRA_DEGREE, 6, "degree of a monomial", "the algebra gives up, solvers are asked")          \
  L(ALGEBRA_FACTS, 400, "conjuncts of a query that the algebra reads", "later ones are not used")  \
  L(ALGEBRA_LEVELS, 100, "levels of a term that becomes a polynomial",                             \
    "deeper terms are unknowns")                                                                   \
  L(ALGEBRA_MONOMIALS, 4000, "different monomials of a query", "later conjuncts are not used")     \
  L(ALGEBRA_WORK, 1000000, "summands that are made or looked at",                                  \
    "the algebra gives up, solvers are asked")                                                     \
  L(ALGEBRA_CONDITIONS, 8, "conditions that the algebra decides on one way",                       \
    "choices that are left are unknowns")                                                          \
  L(ALGEBRA_CASES, 64, "cases of a query that the algebra looks at",                               \
    "the algebra gives up, solvers are asked")                                                     \
  L(BOUNDS_LEVELS, 24, "levels of a fact that give bounds to its parts", "deeper parts get none")  \
  L(BOUNDS_ROUNDS, 3, "walks over the facts that learn bounds", "later consequences are not seen") \
  L(CACHE_BYTES, 64 << 20, "bytes of remembered answers", "all are forgotten")                     \
  L(CACHED_FACTS, 20000, "facts of a query whose answer is remembered",                            \
    "a larger query is solved again")                                                              \
  L(BITS_STEPS_PER_CONFLICT, 500, "steps of rlimit for one conflict",                              \
    "Z3 takes about as long for as many steps")                                                    \
  L(BITS_LEMMA_ROUNDS, 2000, "rounds that add lemmas about arrays", "the answer is unknown")       \
  L(BITS_GARBAGE_GATES, 100000, "gates of facts that were popped",                                 \
    "if they are three quarters of all, circuits are built anew")                                  \
  L(INTS_RLIMIT, 1000000, "solver steps of a query over integers",                                 \
    "the query over bit-vectors is asked")                                                         \
  L(RADIX_PRODUCTS, 6, "products of an equation that is looked at as a number in mixed radix",     \
    "the equation gets no clause")                                                                 \
  L(INTS_FAILURES, 3, "queries over integers in a row without an answer",                          \
    "integers are not tried any more")                                                             \
  L(MIXED_BITS_RLIMIT, 10000000, "solver steps of the back end of bits", "Z3 is asked")            \
  L(MIXED_FAILURES, 3, "queries in a row without an answer of bits", "Z3 alone is asked")          \
  L(PIPE_STARTS, 3, "starts of a solver in a row without an answer", "it is not started any more") \
  L(Z3_TACTIC_RLIMIT, 400000, "solver steps of the tactics for bit-vectors, 40 to 60 ms",          \
    "the incremental solver is asked")                                                             \
  L(Z3_INCREMENTAL_RLIMIT, 1000000, "solver steps of the incremental solver",                      \
    "a new solver gets the whole query")                                                           \
  L(Z3_FIRST_CHECKS, 2, "checks before the incremental solver is used",                            \
    "these are answered by tactics")                                                               \
  L(Z3_FAILURES, 2, "checks in a row without an answer of one way to ask",                         \
    "that way is not tried any more")                                                              \
  L(Z3_CONTEXT_TERMS, 4000000, "terms in one context of Z3, which frees none before",              \
    "the context is made anew")                                                                    \
  L(Z3_KEPT_BYTES, 32 << 20, "bytes of freed memory that the process keeps",                       \
    "more go back to the system")                                                                  \
  L(REPLY_BYTES, 256 << 20, "bytes of a reply", "the process is ended, the answer is unknown")     \
  L(REPLY_LOOK_MS, 50, "milliseconds between two looks at the limits of a dialogue",               \
    "they are noticed that much later")                                                            \
  L(LINEAR_SUMMANDS, 24, "summands of a linear atom over integers",                                \
    "the atom is not brought into normal form")                                                    \
  L(SPAN_WALKS, 3, "walks over all facts that narrow the spans of terms", "spans are left wider")  \
  L(SPAN_WORK, 1 << 20, "spans that are computed", "spans are left wider")                         \
  L(INTS_WIDTH, 96, "bits of a term that is translated to integers",                               \
    "the query stays over bit-vectors")                                                            \
  L(INTS_VARIABLE_WIDTH, 64, "bits of a variable that is translated to integers",                  \
    "the query stays over bit-vectors")                                                            \
  L(INTS_WRAP_CASES, 3, "wraps of a sum that become cases", "more are written with a quotient")    \
  L(INTS_MASK_RUNS, 4, "runs of ones of a mask that is translated",                                \
    "the query stays over bit-vectors")                                                            \
  L(INTS_SLACK_BITS, 20, "bits by which an integer may exceed its type",                           \
    "beyond, it is wrapped again")                                                                 \
  L(INTS_ROUNDS, 4, "rounds that translate with narrower spans", "the last translation is used")   \
  L(SMTLIB_QUANTIFIERS, 16, "quantifiers inside of each other in SMT-LIB text",                    \
    "the query is not sent")
enum {
#define TP_LIMIT(name, value, what, then) TP_SMT_##name = value,
  TP_SMT_LIMITS(TP_LIMIT)
#undef TP_LIMIT
};

/* Shares and times. */
#define TP_SMT_FRACTIONS(L)                                                           \
  L(REPLY_IDLE_S, 1.0, "seconds without CPU time or output of a solver with a limit", \
    "it counts as a time-out")                                                        \
  L(WATCHDOG_REPEAT_S, 0.02, "seconds between two interrupts of a call that goes on", \
    "an interrupt between two calls of the solver is lost that long")
#define TP_LIMIT(name, value, what, then) static const double TP_SMT_##name = value;
TP_SMT_FRACTIONS(TP_LIMIT)
#undef TP_LIMIT

#endif
