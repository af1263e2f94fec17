/* Queries about one function over one finder, in this order: a violation, a reachable unsupported
 * operation, binding bounds, vacuity. A query that the solver does not answer ends in UNKNOWN,
 * never in HOLDS. */
#include "contracts/modular/contract_check.h"

#include "contracts/refine/heap_refinement.h"
#include "contracts/rel/rel_eval.h"

static tp_rel_answer query(tp_contract_verdict *j, tp_rel_formula f) {
  return tp_rel_finder_solve(j->finder, &f, 1);
}

/* With calls that are possible, where summaries stand for them. */
static tp_rel_answer refined_query(const tp_contract_query *q, tp_contract_verdict *j,
                                   tp_rel_formula f) {
  if (!q->refinement) return query(j, f);
  switch (tp_heap_refinement_ask(q->refinement, f)) {
    case TP_REFINEMENT_POSSIBLE: return TP_REL_SAT;
    case TP_REFINEMENT_IMPOSSIBLE: return TP_REL_UNSAT;
    case TP_REFINEMENT_LIMIT: j->is_used_up = true; break;
    case TP_REFINEMENT_UNKNOWN: break;
  }
  return TP_REL_UNKNOWN;
}

typedef enum { REFINE_CALLS, KEEP_CALLS } call_use;

/* The verdict rests on it that there is no instance: a proof of that is checked. Specifications
 * that refinement added are among the clauses; that bodies imply them is proved where they are
 * extracted. */
static tp_rel_answer prove_none(const tp_contract_query *q, tp_contract_verdict *j,
                                tp_rel_formula f, call_use use) {
  const double before_s = tp_rel_finder_stats(j->finder).solver_s;
  const tp_rel_answer a = use == REFINE_CALLS ? refined_query(q, j, f) : query(j, f);
  if (a != TP_REL_UNSAT) return a;
  const double solved_s = tp_rel_finder_stats(j->finder).solver_s - before_s;
  j->n_refuted++;
  j->n_proved += tp_rel_finder_is_refuted(j->finder, &f, 1, q->prover, solved_s);
  return a;
}

static bool give_up(tp_contract_verdict *j, const char *why) {
  TP_REQUIRE(why != NULL);
  j->answer = TP_CONTRACT_UNKNOWN;
  j->what = why;
  return false;
}

static const char *reason_of(const tp_contract_verdict *j, tp_rel_answer a) {
  if (a == TP_REL_INCONSISTENT) return "the model finder contradicts itself";
  if (j->is_used_up) return "the specifications of called functions were refined too often";
  const char *error = tp_rel_finder_error(j->finder);
  return error ? error : "a limit of the solver";
}

/* The first of the ends that the instance comes to, or of the doubts; ends exclude each other. */
static const tp_rexec_end *end_of(const tp_contract_query *q, tp_rexec_end_kind kind,
                                  const tp_rel_instance *i) {
  const tp_rexec_end *found = NULL;
  tp_rel_eval *e = tp_rel_eval_new(q->heap->bounds, i, q->heap->limits.width_bits);
  for (size_t k = 0; k < q->body->unproved_bounds.n && !found; k++)
    if (q->body->unproved_bounds.at[k].kind == kind &&
        tp_rel_eval_formula(e, q->body->unproved_bounds.at[k].when) == TP_REL_IS_TRUE)
      found = &q->body->unproved_bounds.at[k];
  for (size_t k = 0; k < q->body->ends.n && !found; k++) {
    const tp_rexec_end *end = &q->body->ends.at[k];
    if (end->kind == kind && tp_rel_eval_formula(e, end->when) == TP_REL_IS_TRUE) found = end;
  }
  tp_rel_eval_free(e);
  return found;
}

static const tp_contract_goal *violated_goal(const tp_contract_query *q, const tp_rel_instance *i) {
  const tp_contract_goal *found = NULL;
  tp_rel_eval *e = tp_rel_eval_new(q->heap->bounds, i, q->heap->limits.width_bits);
  for (size_t k = 0; k < q->n_goals && !found; k++)
    if (tp_rel_eval_formula(e, q->goals[k].when) == TP_REL_IS_TRUE) found = &q->goals[k];
  tp_rel_eval_free(e);
  return found;
}

typedef enum { OWN_ENDS, ENDS_IN_CALLS, ALL_ENDS } ends_of;

/* One of the ends of these kinds (a bit each) is reached, or `also` holds. A list, not a chain:
 * there can be thousands. */
static tp_rel_formula one_of(const tp_contract_query *q, uint32_t kinds, ends_of which,
                             const tp_rel_formula *also, size_t n_also) {
  tp_rel_formula *all = TP_NEW_ARRAY(tp_rel_formula, q->body->ends.n + n_also + 1);
  uint32_t n = 0;
  for (size_t k = 0; k < n_also; k++) all[n++] = also[k];
  for (size_t k = 0; k < q->body->ends.n; k++)
    if (kinds >> q->body->ends.at[k].kind & 1 &&
        (which == ALL_ENDS || (which == ENDS_IN_CALLS) == q->body->ends.at[k].in_call))
      all[n++] = q->body->ends.at[k].when;
  const tp_rel_formula any = tp_rel_or_all(q->heap->l, all, n);
  tp_free(all);
  return any;
}

static tp_rel_formula any_end(const tp_contract_query *q, tp_rexec_end_kind kind) {
  return one_of(q, 1u << kind, ALL_ENDS, NULL, 0);
}

/* What is asked first: the property, and failures of the body itself. */
static tp_rel_formula fails(const tp_contract_query *q) {
  tp_rel_formula *goals = TP_NEW_ARRAY(tp_rel_formula, q->n_goals + 1);
  for (size_t k = 0; k < q->n_goals; k++) goals[k] = q->goals[k].when;
  const tp_rel_formula any = one_of(q, 1u << TP_REXEC_FAILS, OWN_ENDS, goals, q->n_goals);
  tp_free(goals);
  return any;
}

/* Every execution with a known end ends in one of these. */
static tp_rel_formula all_ends(const tp_contract_query *q) {
  tp_rel_formula good = q->body->returns;
  for (size_t k = 0; k < q->n_goals; k++)
    good = tp_rel_and(q->heap->l, good, tp_rel_not(q->heap->l, q->goals[k].when));
  return one_of(q, UINT32_MAX, ALL_ENDS, &good, 1);
}

static bool prepare(const tp_contract_query *q, tp_contract_verdict *j, tp_rel_formula is_heap) {
  if (tp_rel_error(q->heap->l)) return give_up(j, tp_rel_error(q->heap->l));
  if (!q->heap->bounds && tp_rheap_set_bounds(q->heap) != TP_OK)
    return give_up(j, "these bounds are too large");
  tp_rel_options options = tp_rel_default_options();
  options.width_bits = q->heap->limits.width_bits;
  options.cpu_s = q->cpu_s;
  if (q->refinement) options.symmetry_length = 0;
  j->finder = tp_rel_finder_new(
      q->refinement ? tp_heap_refinement_bounds(q->refinement) : q->heap->bounds, options);
  bool ok = tp_rel_finder_add(j->finder, is_heap) == TP_OK;
  for (size_t i = 0; i < q->n_assumptions && ok; i++)
    ok = tp_rel_finder_add(j->finder, q->assumptions[i]) == TP_OK;
  if (ok && q->refinement) {
    // before specifications: where a call does not return, they leave no instance
    j->is_vacuous = tp_rel_finder_solve(j->finder, NULL, 0) == TP_REL_UNSAT;
    tp_heap_refinement_use(q->refinement, j->finder);
  }
  for (size_t i = 0; i < q->body->demanded.n && ok; i++)
    ok = tp_rel_finder_add(j->finder, q->body->demanded.at[i]) == TP_OK;
  return ok || give_up(j, reason_of(j, TP_REL_UNKNOWN));
}

/* failure: one of the ends FAILS, or of the goals. */
static bool find_failure(const tp_contract_query *q, tp_contract_verdict *j,
                         tp_rel_formula failure) {
  TP_REQUIRE(j->finder && q->heap->bounds);
  if (tp_rel_at(q->heap->l, failure.id)->kind == TP_REL_FALSE) return true;
  const tp_rel_answer a = prove_none(q, j, failure, REFINE_CALLS);
  if (a == TP_REL_UNKNOWN || a == TP_REL_INCONSISTENT) return give_up(j, reason_of(j, a));
  if (a == TP_REL_UNSAT) return true;
  tp_rel_instance_init(&j->instance, 0);
  tp_rel_instance_copy(&j->instance, tp_rel_finder_instance(j->finder));
  const tp_rexec_end *end = end_of(q, TP_REXEC_FAILS, &j->instance);
  const tp_contract_goal *goal = end ? NULL : violated_goal(q, &j->instance);
  if (!end && !goal) return give_up(j, "the model finder contradicts itself");
  j->answer = TP_CONTRACT_FAILS;
  j->what = end ? end->what : goal->what;
  j->pos = end ? end->pos : goal->pos;
  return false;
}

static bool find_refused(const tp_contract_query *q, tp_contract_verdict *j) {
  const tp_rel_answer a = prove_none(q, j, any_end(q, TP_REXEC_UNSUPPORTED), REFINE_CALLS);
  if (a == TP_REL_UNSAT) return true;
  const tp_rexec_end *end =
      a == TP_REL_SAT ? end_of(q, TP_REXEC_UNSUPPORTED, tp_rel_finder_instance(j->finder)) : NULL;
  if (end) j->pos = end->pos;
  return give_up(j, end ? end->what : reason_of(j, a));
}

static tp_rel_formula any_end_or_doubt(const tp_contract_query *q, tp_rexec_end_kind kind) {
  tp_rel_formula any = any_end(q, kind);
  for (size_t k = 0; k < q->body->unproved_bounds.n; k++)
    if (q->body->unproved_bounds.at[k].kind == kind)
      any = tp_rel_or(q->heap->l, any, q->body->unproved_bounds.at[k].when);
  return any;
}

/* A location where a function is called that cannot return by its contract: what comes behind it
 * was not checked. Unrolled, one location is several. */
static void find_dead_call(const tp_contract_query *q, tp_contract_verdict *j) {
  tp_rel *l = q->heap->l;
  for (size_t i = 0; i < q->body->calls.n && !j->dead_call; i++) {
    const tp_rexec_call *c = &q->body->calls.at[i];
    if (c->is_abstract) continue;
    tp_rel_formula when = tp_rel_bool(l, false), returns = when;
    bool is_first = true;
    for (size_t k = 0; k < q->body->calls.n; k++) {
      const tp_rexec_call *same = &q->body->calls.at[k];
      if (same->contract != c->contract || memcmp(&same->pos, &c->pos, sizeof c->pos) != 0)
        continue;
      is_first = is_first && k >= i;
      when = tp_rel_or(l, when, same->when);
      returns = tp_rel_or(l, returns, same->returns);
    }
    if (is_first && query(j, returns) == TP_REL_UNSAT && query(j, when) == TP_REL_SAT)
      j->dead_call = c->contract->name, j->dead_call_pos = c->pos;
  }
}

/* With calls that are not executed an instance is kept: whether the function returns from its heap
 * is for the caller to find out. */
static void find_return(const tp_contract_query *q, tp_contract_verdict *j) {
  const tp_rel_answer returns = j->is_vacuous ? TP_REL_UNKNOWN : query(j, q->body->returns);
  j->never_returns = returns == TP_REL_UNSAT;
  j->may_not_return = q->refinement && !j->is_vacuous && !j->never_returns;
  if (returns != TP_REL_SAT || !q->refinement) return;
  tp_rel_instance_init(&j->instance, 0);
  tp_rel_instance_copy(&j->instance, tp_rel_finder_instance(j->finder));
}

static void find_binding(const tp_contract_query *q, tp_contract_verdict *j) {
  static const tp_rexec_end_kind kinds[] = {TP_REXEC_UNROLL, TP_REXEC_OBJECTS};
  for (size_t i = 0; i < 2; i++) {
    // inside of calls that are refined a bound that may bind is named without being looked at
    const tp_rel_answer a = prove_none(q, j, any_end_or_doubt(q, kinds[i]), KEEP_CALLS);
    const tp_rexec_end *end =
        a == TP_REL_SAT ? end_of(q, kinds[i], tp_rel_finder_instance(j->finder)) : NULL;
    j->is_binding[kinds[i]] = a != TP_REL_UNSAT;
    if (end) j->binding_what[kinds[i]] = end->what, j->binding_pos[kinds[i]] = end->pos;
  }
  if (!q->refinement) j->is_vacuous = tp_rel_finder_solve(j->finder, NULL, 0) == TP_REL_UNSAT;
  find_return(q, j);
  find_dead_call(q, j);
  if (tp_rel_finder_add(j->finder, all_ends(q)) == TP_OK)
    j->is_width_binding = tp_rel_finder_width_binding(j->finder) != TP_REL_UNSAT;
}

/* Inside of calls that summaries stand for: after the property, so that it is known what each
 * took. */
static bool find_failure_in_calls(const tp_contract_query *q, tp_contract_verdict *j) {
  if (q->refinement) tp_heap_refinement_next_phase(q->refinement);
  if (!q->refinement || q->failures_in_calls == TP_CONTRACT_FAILURES_ASSUMED_AWAY) return true;
  return find_failure(q, j, one_of(q, 1u << TP_REXEC_FAILS, ENDS_IN_CALLS, NULL, 0));
}

void tp_contract_check(const tp_contract_query *q, tp_contract_verdict *j) {
  TP_REQUIRE(q->heap && (q->n_assumptions == 0 || q->assumptions) && (q->n_goals == 0 || q->goals));
  *j = (tp_contract_verdict){.answer = TP_CONTRACT_HOLDS};
  const tp_rel_formula is_heap = tp_rheap_is_heap(q->heap);
  if (prepare(q, j, is_heap) && find_failure(q, j, fails(q)) && find_failure_in_calls(q, j) &&
      find_refused(q, j)) {
    find_binding(q, j);
    if (q->refinement) {
      const tp_heap_refinement_stats s = tp_heap_refinement_statistics(q->refinement);
      j->n_refuted += s.n_implied;
      j->n_proved += s.n_implied_proved;
    }
    if (q->prover && q->prover->is_required && j->n_proved < j->n_refuted)
      (void)give_up(j, "the solver found no violation, but no proof of it was checked");
  }
  if (j->finder) j->stats = tp_rel_finder_stats(j->finder);
}

void tp_contract_verdict_clear(tp_contract_verdict *j) {
  if (j->finder) tp_rel_finder_free(j->finder);
  tp_rel_instance_clear(&j->instance);
}
