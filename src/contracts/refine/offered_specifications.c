/* What a body leaves alone is a specification before any refutation; so is all that was learned at
 * other calls. A call that violates one is refined without a replay. */
#include "contracts/refine/heap_refinement_priv.h"

#include "contracts/contracts_limits.h"
#include "contracts/rel/rel_rewrite.h"

typedef struct {
  const tp_heap_refinement *r;
  tp_rel_bounds *to;
} bounds_copy;

static void bind_generally(void *ctx, uint32_t relation) {
  const bounds_copy *c = ctx;
  tp_refine_copy_bound(c->r, c->to, relation);
}

/* No instance makes the conjunct true and the specification false, whatever the states are. A
 * specification that counts is a part of the verdict's argument: its refutation is proved, too. */
bool tp_refine_is_implied(tp_heap_refinement *r, tp_rel_formula conjunct, tp_rel_formula spec) {
  if (conjunct.id == spec.id) return true;
  tp_rel *l = r->heap->l;
  const tp_rel_formula both[] = {conjunct, tp_rel_not(l, spec)};
  tp_rel_bounds *b = tp_rel_bounds_new(l, r->heap->atoms);
  bounds_copy to = {r, b};
  tp_rel_each_relation(l, both[0].id, &to, bind_generally);
  tp_rel_each_relation(l, both[1].id, &to, bind_generally);
  tp_rel_options o = tp_refine_options_of(r);
  o.conflicts = TP_CONTRACTS_SPECIFICATION_CONFLICTS;
  tp_rel_finder *f = tp_rel_finder_new(b, o);
  const bool ok = tp_rel_finder_solve(f, both, 2) == TP_REL_UNSAT;
  const bool is_proved =
      ok && tp_rel_finder_is_refuted(f, both, 2, r->prover, tp_rel_finder_stats(f).solver_s);
  const bool counts = ok && (is_proved || !r->prover || !r->prover->is_required);
  r->stats.n_implied += counts;
  r->stats.n_implied_proved += is_proved;
  tp_refine_count_finder(r, f);
  tp_rel_finder_free(f);
  tp_rel_bounds_free(b);
  return counts;
}

// ------------------------------------------------------- what bodies leave alone

static bool is_frame_implied(tp_heap_refinement *r, tp_refined_scope *s);

/* The body, and of each call in it what its callee leaves alone. */
static tp_rel_formula frame_premise(tp_heap_refinement *r, const tp_refined_scope *s) {
  tp_rel *l = r->heap->l;
  tp_rel_formulas all = {0};
  tp_call_template_behaviour(r->templates, s->t, TP_CALL_RETURNS, &all);
  for (size_t i = 0; i < s->body->calls.n; i++) {
    const tp_rexec_call *c = &s->body->calls.at[i];
    tp_refined_scope *callee = c->is_abstract ? tp_refine_scope_of(r, c->contract->func) : NULL;
    if (!callee || !c->after.freed.id || !is_frame_implied(r, callee)) continue;
    tp_map of = {0};
    tp_refine_map_call(r, callee->t, c, &of);
    const tp_rel_formula frame = tp_left_alone_of(r->left_alone, callee->t);
    tp_vec_push(&all, tp_rel_implies(l, c->returns, tp_rel_substitute(l, frame, &of)));
    tp_map_clear(&of);
  }
  const tp_rel_formula premise = tp_rel_and_all(l, all.at, (uint32_t)all.n);
  tp_vec_clear(&all);
  return premise;
}

/* Asked once for each function; those that it calls are asked before. */
static bool is_frame_implied(tp_heap_refinement *r, tp_refined_scope *s) {
  if (s->frame == TP_REFINED_FRAME_NOT_ASKED) {
    const tp_rel_formula frame = tp_left_alone_of(r->left_alone, s->t);
    s->frame = TP_REFINED_FRAME_IS_NOT;  // until it is shown
    if (frame.id && tp_refine_is_implied(r, frame_premise(r, s), frame))
      s->frame = TP_REFINED_FRAME_IS_IMPLIED;
  }
  return s->frame == TP_REFINED_FRAME_IS_IMPLIED;
}

static size_t learn_frame(tp_heap_refinement *r, tp_refined_scope *s) {
  const tp_refined_specification frame = {
      .outcome = TP_CALL_RETURNS,
      .part[TP_REFINED_PART_HOLDS] = tp_left_alone_of(r->left_alone, s->t)};
  tp_vec_push(&s->learned, frame);
  s->uses_frame = true;
  return s->learned.n - 1;
}

// ------------------------------------------------------------ what is known

static bool excludes(tp_heap_refinement *r, const tp_refined_specification *s, const tp_map *of,
                     tp_rel_eval *e) {
  for (int k = 0; k < TP_REFINED_N_PARTS; k++) {
    if (!s->part[k].id) continue;
    const tp_rel_truth_value v =
        tp_rel_eval_formula(e, tp_rel_substitute(r->heap->l, s->part[k], of));
    if (v == TP_REL_IS_FALSE || (v == TP_REL_IS_UNDEFINED && k == TP_REFINED_PART_HOLDS))
      return true;
  }
  return false;
}

/* A specification of the callee that excludes the behaviour; SIZE_MAX: none. */
static size_t find_known(tp_heap_refinement *r, const tp_refinement_question *q, size_t call,
                         const tp_refined_scope *callee, const tp_map *of, tp_rel_eval *e) {
  const tp_map *has = &q->s->has.at[q->executed.at[call]];
  for (size_t i = 0; i < callee->learned.n; i++) {
    const tp_refined_specification *s = &callee->learned.at[i];
    if (s->outcome == q->how.at[call] && !s->has_own && !tp_map_has(has, i) &&
        excludes(r, s, of, e))
      return i;
  }
  return SIZE_MAX;
}

/* Does the call change what its body leaves alone? */
static bool changes_frame(tp_heap_refinement *r, const tp_refined_scope *callee, const tp_map *of,
                          tp_rel_eval *e) {
  const tp_refined_specification s = {.part[TP_REFINED_PART_HOLDS] =
                                          tp_left_alone_of(r->left_alone, callee->t)};
  return s.part[TP_REFINED_PART_HOLDS].id && excludes(r, &s, of, e);
}

tp_refinement_known tp_refine_recall(void *ctx, tp_refinement_question *q, size_t call) {
  tp_heap_refinement *r = ctx;
  const double start_s = tp_cpu_s();
  const tp_rexec_call *c = tp_refine_call_of(q, call);
  tp_refined_scope *callee = tp_refine_scope_of(r, c->contract->func);
  tp_map of = {0};
  tp_rel_eval *e =
      tp_rel_eval_new(q->bounds, tp_rel_finder_instance(q->finder), r->heap->limits.width_bits);
  tp_refine_map_call(r, callee->t, c, &of);
  size_t found = find_known(r, q, call, callee, &of, e);
  tp_refinement_known known = TP_REFINEMENT_AGAIN;
  if (found == SIZE_MAX && q->how.at[call] == TP_CALL_RETURNS && !callee->uses_frame &&
      changes_frame(r, callee, &of, e) && is_frame_implied(r, callee)) {
    found = learn_frame(r, callee);
    known = TP_REFINEMENT_FIRST;
  }
  tp_rel_eval_free(e);
  tp_map_clear(&of);
  const bool ok = found != SIZE_MAX && tp_refine_add_at_call(r, q, call, callee, found);
  r->stats.replay_s += tp_cpu_s() - start_s;
  return ok ? known : TP_REFINEMENT_NOTHING;
}
