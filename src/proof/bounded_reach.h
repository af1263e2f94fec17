/* The reach of a bounded answer: which checks do runs within the bound come to?
 *
 * What       a bounded answer says nothing about a check that every run is cut off before. For each
 *            check (proof/checks.h) a query whether some run within the bound comes to it; the
 * loops and recursions at whose bound runs are cut; and, where a check is not reached, a larger
 *            bound with which a run comes to one: doubled until one does, then by bisection.
 * Law        changes no claim. A query that is not decided is left open. */
#ifndef TP_PROOF_BOUNDED_REACH_H
#define TP_PROOF_BOUNDED_REACH_H

#include "engine/engine.h"
#include "engine/query.h"
#include "proof/unroll.h"

typedef struct {
  const tp_program *program;
  tp_unroll *unroll;  // what it has unrolled is lost
  tp_query *query;    // of the same symbolic execution
  tp_property property;
  uint32_t within;
  double until_s;  // of tp_cpu_s
  bool (*feasible)(void *ctx, tp_term condition);
  bool (*stop)(void *ctx);
  void *ctx;  // of both
} tp_reach_question;
void tp_bounded_reach_find(const tp_reach_question *question, tp_bounded_reach *out);

#endif
