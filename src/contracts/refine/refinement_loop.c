/* The recursion is that of the calls: a callee's question is decided as the caller's is. */
#include "contracts/refine/refinement_loop.h"

typedef struct {
  const tp_refinement_ops *ops;
  void *ctx;
  tp_refinement_count *count;
} run;

static tp_refinement_answer decide(const run *r, tp_refinement_question *q, uint64_t *n_solved);

static bool is_used_up(const run *r) {
  return r->count->n_refinements + r->count->n_recalled >= r->count->max_refinements;
}

typedef enum { CALL_STANDS, CALL_REFINED, CALL_UNKNOWN, CALL_LIMIT } call_answer;

static call_answer validate_call(const run *r, tp_refinement_question *q, size_t call) {
  const tp_refinement_known known = r->ops->recall(r->ctx, q, call);
  r->count->n_refinements += known.n_first;
  r->count->n_recalled += known.n_again;
  if (known.n_first + known.n_again) return CALL_REFINED;
  tp_refinement_question *callee = r->ops->enter(r->ctx, q, call);
  if (!callee) return CALL_UNKNOWN;
  call_answer a = CALL_UNKNOWN;
  switch (decide(r, callee, &r->count->n_replay)) {
    case TP_REFINEMENT_POSSIBLE:
      r->ops->confirm(r->ctx, callee);
      a = CALL_STANDS;
      break;
    case TP_REFINEMENT_IMPOSSIBLE:
      if (is_used_up(r))
        a = CALL_LIMIT;
      else if (r->ops->learn(r->ctx, q, call, callee)) {
        r->count->n_refinements++;
        a = CALL_REFINED;
      }
      break;
    case TP_REFINEMENT_LIMIT: a = CALL_LIMIT; break;
    case TP_REFINEMENT_UNKNOWN: break;
  }
  r->ops->leave(r->ctx, callee);
  return a;
}

/* The first call that cannot be as it is ends the round. */
static call_answer validate(const run *r, tp_refinement_question *q) {
  call_answer a = CALL_STANDS;
  const size_t n = r->ops->n_calls(r->ctx, q);
  for (size_t call = 0; call < n && a == CALL_STANDS; call++) a = validate_call(r, q, call);
  return a;
}

static tp_refinement_answer decide(const run *r, tp_refinement_question *q, uint64_t *n_solved) {
  for (;;) {
    ++*n_solved;
    const tp_refinement_answer a = r->ops->solve(r->ctx, q);
    if (a != TP_REFINEMENT_POSSIBLE) return a;
    switch (validate(r, q)) {
      case CALL_STANDS: return TP_REFINEMENT_POSSIBLE;
      case CALL_UNKNOWN: return TP_REFINEMENT_UNKNOWN;
      case CALL_LIMIT: return TP_REFINEMENT_LIMIT;
      case CALL_REFINED: break;
    }
  }
}

tp_refinement_answer tp_refinement_decide(const tp_refinement_ops *ops, void *ctx,
                                          tp_refinement_question *q, tp_refinement_count *count) {
  TP_REQUIRE(ops && q && count);
  const run r = {ops, ctx, count};
  return decide(&r, q, &count->n_main);
}
