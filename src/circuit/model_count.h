/* Counting models of clauses, projected to some of their variables.
 *
 * What       in how many ways the counted variables can be chosen so that the clauses have a model.
 * Represents variables from 1, literals as in DIMACS. Variables that are not counted (gates,
 *            witnesses) are existential: they have a value or not, in how many ways does not
 *            matter. A counted variable that occurs in no clause doubles the number.
 * Limits     CPU time, and numbers from 2^127 on: LIMIT, the number is not known. A cache that is
 *            full costs time only.
 * Cost       exponential in the worst case; components of clauses that share no variable are
 *            counted apart, and each component of a kind once.
 * Source     Bayardo & Pehoushek 2000 (components), Sang et al. 2004 (component caching), Sharma
 *            et al. 2019 (fingerprints of components), Aziz et al. 2015 (projection: counted
 *            variables are decided first). We differ: no clauses are
 *            learned; pure literals of existential variables are set. */
#ifndef TP_CIRCUIT_MODEL_COUNT_H
#define TP_CIRCUIT_MODEL_COUNT_H

#include "base/base.h"

typedef enum { TP_COUNT_EXACT, TP_COUNT_LIMIT } tp_count_answer;
typedef struct {
  uint64_t n_decisions, n_cached, n_reused;  // components that were stored; that were found again
} tp_count_stats;

/* clauses: literals, 0 at the end of each clause. is_counted: by variable, n_vars + 1 entries.
 * cpu_s: 0: no limit. stats: NULL, or what it took. */
tp_count_answer tp_count_models(const int *clauses, size_t n, uint32_t n_vars,
                                const bool *is_counted, double cpu_s, tp_u128 *count,
                                tp_count_stats *stats) TP_MUST_USE;

#endif
