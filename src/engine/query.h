/* Queries of an engine to the solver: conditions over one term table, with what is always true of
 * addresses.
 *
 * What       quick yes/no queries under a small step limit with a memory of answers, and thorough
 *            ones that leave a model.
 * Represents bases of objects: not zero, aligned, no wrap at the end, and disjoint where they are
 *            few enough.
 * Errors     a solver that gives up costs an answer: TP_SMT_UNKNOWN. */
#ifndef TP_ENGINE_QUERY_H
#define TP_ENGINE_QUERY_H

#include "formula/flatten.h"
#include "formula/symex.h"
#include "smt/smt.h"

typedef struct {
  tp_symex *x;
  tp_stats *stats;
  const char *backend;
  tp_smt *quick;          // kept: earlier queries share their terms with later ones
  tp_map answers;         // condition -> answer + 1, certain ones only
  tp_map bases_asserted;  // objects whose base `quick` knows about
  tp_map scanned;         // terms whose objects are among them
  tp_smt *model;          // of the last thorough query that was SAT
  tp_map constants;       // memo of tp_query_value
  tp_flattener flattener;
  double solver_s;
  size_t largest;  // terms of the largest thorough query
} tp_query;

void tp_query_init(tp_query *q, tp_symex *x, const char *backend, tp_stats *stats);
void tp_query_clear(tp_query *q);
/* Object numbers were given out anew: base facts no longer fit. */
void tp_query_restart(tp_query *q);
tp_smt_answer tp_query_quick(tp_query *q, tp_term condition);
/* rlimit, cpu_s: 0 none. */
tp_smt_answer tp_query_thorough(tp_query *q, tp_term condition, uint64_t rlimit, double cpu_s);
/* Value of a term in the model of the last thorough query; false: it cannot be had. Not for
 * arrays. */
bool tp_query_value(tp_query *q, tp_term t, tp_value *out);

#endif
