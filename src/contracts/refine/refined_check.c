/* A failure is believed only when the bodies have it. Calls whose summaries are exact are not
 * replayed at first; if the bodies do not fail, they are, because a body may need more rounds or
 * objects than the bounds allow. */
#include "contracts/refine/refined_check.h"

#include "contracts/modular/heap_fix.h"

void tp_contract_question_init(tp_contract_question *q, tp_contracts *m, tp_func f,
                               tp_rheap_limits limits, tp_calls calls, double cpu_s) {
  TP_REQUIRE(q && m && tp_func_of(m->object_model->program, f)->has_body);
  *q = (tp_contract_question){.func = f, .calls = calls, .start_s = tp_cpu_s(), .cpu_s = cpu_s};
  tp_rheap_init(&q->heap, m->object_model, limits);
  tp_rexec_init(&q->body);
  if (calls == TP_CALLS_REFINED) {
    tp_call_templates_init(&q->templates, &q->heap, m);
    tp_contract_vc_init_with_templates(&q->contract, &q->heap, &q->body, f, m, &q->templates);
  } else
    tp_contract_vc_init(&q->contract, &q->heap, &q->body, f, m, calls == TP_CALLS_BY_CONTRACT);
}

void tp_contract_question_clear(tp_contract_question *q) {
  tp_contract_verdict_clear(&q->verdict);
  tp_heap_refinement_free(q->refinement);
  tp_contract_vc_clear(&q->contract);
  if (q->calls == TP_CALLS_REFINED) tp_call_templates_clear(&q->templates);
  tp_rexec_clear(&q->body);
  tp_rheap_clear(&q->heap);
}

/* False: the bounds are too large. */
static bool bind_heap(tp_contract_question *q) {
  (void)tp_rheap_is_heap(&q->heap);  // small numbers that it needs have relations
  return !tp_rel_error(q->heap.l) && tp_rheap_set_bounds(&q->heap) == TP_OK;
}

static tp_contract_query query_of(tp_contract_question *q) {
  return (tp_contract_query){.heap = &q->heap,
                             .body = &q->body,
                             .assumptions = q->contract.assumptions.at,
                             .n_assumptions = q->contract.assumptions.n,
                             .goals = q->contract.goals.at,
                             .n_goals = q->contract.goals.n,
                             .cpu_s = q->cpu_s,
                             .refinement = q->refinement,
                             .failures_in_calls = q->failures_in_calls,
                             .prover = q->prover};
}

void tp_contract_question_ask(tp_contract_question *q) {
  const tp_contract_query asked = query_of(q);
  tp_contract_verdict_clear(&q->verdict);
  tp_contract_check(&asked, &q->verdict);
}

void tp_contract_question_count(tp_contract_question *q, tp_heaps_counted told, void *context,
                                tp_heap_counts *out) {
  const tp_contract_query asked = query_of(q);
  tp_heap_count(&asked, told, context, out);
}

/* From the heap that was found the bodies themselves are executed. */
static bool execute_bodies(const tp_contract_question *q, tp_contract_question *executed) {
  tp_contract_question_init(executed, q->contract.contracts, q->func, q->heap.limits,
                            TP_CALLS_EXECUTED, q->cpu_s);
  if (executed->contract.why || !bind_heap(executed)) return false;
  tp_rheap_fix(&q->heap, &q->verdict.instance, &executed->heap);
  tp_contract_question_ask(executed);
  return true;
}

static bool has_failure(const tp_contract_question *q, tp_contract_question *executed) {
  return execute_bodies(q, executed) && executed->verdict.answer == TP_CONTRACT_FAILS;
}

/* Not every heap from which the abstract calls return is one from which the bodies do; where the
 * first is not, an execution with possible calls is looked for, which few refinements may cost. */
static void find_return(tp_contract_question *q) {
  tp_contract_verdict *v = &q->verdict;
  for (int again = 0; again < 2 && v->may_not_return && v->instance.n; again++) {
    tp_contract_question executed;
    if (execute_bodies(q, &executed) && executed.verdict.answer == TP_CONTRACT_HOLDS)
      v->may_not_return = executed.verdict.never_returns;
    tp_contract_question_clear(&executed);
    if (again || !v->may_not_return) return;
    tp_heap_refinement_limit(q->refinement,
                             tp_heap_refinement_used(q->refinement) + TP_CONTRACTS_RETURNS);
    switch (tp_heap_refinement_ask(q->refinement, q->body.returns)) {
      case TP_REFINEMENT_POSSIBLE:
        tp_rel_instance_copy(&v->instance, tp_rel_finder_instance(v->finder));
        break;
      case TP_REFINEMENT_IMPOSSIBLE:
        v->never_returns = true;
        v->may_not_return = false;
        break;
      case TP_REFINEMENT_UNKNOWN:
      case TP_REFINEMENT_LIMIT: return;
    }
  }
}

tp_refined_answer tp_refined_check(tp_contract_question *q, tp_refined_limits limits,
                                   tp_contract_question *executed) {
  TP_REQUIRE(q->calls == TP_CALLS_REFINED && !q->contract.why && !q->refinement && executed);
  if (!bind_heap(q)) return TP_REFINED_IN_VAIN;
  q->refinement = tp_heap_refinement_new(&q->templates, &q->body, q->cpu_s);
  tp_heap_refinement_limit(q->refinement, limits.max_refinements);
  tp_heap_refinement_body_after(q->refinement, limits.body_after);
  tp_heap_refinement_prove(q->refinement, q->prover);
  tp_contract_question_ask(q);
  for (int doubts = 0; q->verdict.answer == TP_CONTRACT_FAILS; doubts++) {
    if (has_failure(q, executed)) return TP_REFINED_FAILS;
    tp_contract_question_clear(executed);
    if (doubts) return TP_REFINED_IN_VAIN;
    tp_heap_refinement_doubt_exact_calls(q->refinement);
    tp_contract_question_ask(q);
  }
  if (q->verdict.answer != TP_CONTRACT_HOLDS) return TP_REFINED_IN_VAIN;
  find_return(q);
  return TP_REFINED_HOLDS;
}
