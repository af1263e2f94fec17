/* Replay of a call: the body of the callee, with the two states of the call as exact bounds. */
#include "contracts/refine/heap_refinement_priv.h"

/* The relation has exactly the value of the expression. False: it has none, or one that is no value
 * of the relation. */
static bool fix(tp_heap_refinement *r, tp_refinement_question *q, tp_rel_eval *e, tp_rel_expr to,
                tp_rel_expr value) {
  tp_rel_tuples tuples = {0};
  const uint32_t n = tp_refine_number_of(r, to);
  const bool ok = tp_rel_eval_expr(e, value, &tuples) &&
                  tp_rel_tuples_are_subset(&tuples, tp_rel_upper(r->heap->bounds, n)) &&
                  tp_rel_bound_exactly(q->bounds, to, &tuples) == TP_OK;
  if (ok) tp_rel_tuples_copy(&q->states.of[n], &tuples);
  tp_rel_tuples_clear(&tuples);
  return ok;
}

static bool fix_state(tp_heap_refinement *r, tp_refinement_question *q, tp_rel_eval *e,
                      const tp_rexec_store *to, const tp_rexec_store *value, uint32_t n_fields) {
  const tp_rheap *h = r->heap;
  bool ok = fix(r, q, e, to->freed, value->freed);
  for (uint32_t f = 0; f < n_fields && ok; f++)
    ok = h->fields.at[f].is_inner || fix(r, q, e, to->fields[f], value->fields[f]);
  for (uint32_t b = 0; b < h->object_model->basics.n && ok; b++)
    ok = !h->types[b].is_used || !to->last[b].id || to->last[b].id == h->types[b].last.id ||
         fix(r, q, e, to->last[b], value->last[b]);
  return ok;
}

/* Fresh memory: what the main instance says; it is one world. */
static void fix_shared(tp_heap_refinement *r, tp_refinement_question *q,
                       const tp_refinement_question *caller) {
  const tp_rel_instance *i = tp_rel_finder_instance(caller->finder);
  for (uint32_t n = 0; n < r->n_shared; n++) {
    if (!r->is_shared[n]) continue;
    tp_rel_tuples_copy(&q->states.of[n], &i->of[n]);
    const tp_status st = tp_rel_bound_exactly(q->bounds, tp_refine_relation_of(r, n), &i->of[n]);
    TP_INVARIANT(st == TP_OK);
    (void)st;
  }
}

static bool fix_states(tp_heap_refinement *r, tp_refinement_question *q,
                       const tp_refinement_question *caller, const tp_rexec_call *c) {
  const tp_call_template *t = q->s->t;
  tp_rel_eval *e = tp_rel_eval_new(caller->bounds, tp_rel_finder_instance(caller->finder),
                                   r->heap->limits.width_bits);
  const tp_rel_expr none = tp_rel_none(r->heap->l, 1);
  bool ok = fix_state(r, q, e, &t->start.before, &c->before, t->start.n_fields) &&
            fix(r, q, e, t->start.before.stack, c->before.stack.id ? c->before.stack : none);
  for (uint32_t i = 0; i < t->n_args && ok; i++) ok = fix(r, q, e, t->start.args[i], c->args[i]);
  if (q->outcome == TP_CALL_RETURNS && ok) {
    ok = fix_state(r, q, e, &t->after, &c->after, t->start.n_fields);
    if (ok && t->result.id && c->result.id) ok = fix(r, q, e, t->result, c->result);
  }
  tp_rel_eval_free(e);
  return ok;
}

/* For an outcome without a post-state: its relations are bound, and say nothing. */
static void bind_post_state(const tp_heap_refinement *r, tp_refinement_question *q) {
  const tp_call_template *t = q->s->t;
  for (size_t i = t->first_havoc; i < t->own_havoc; i++) {
    const uint32_t n = tp_refine_number_of(r, r->heap->havocs.at[i].relation);
    if (!tp_rel_lower(q->bounds, n)) tp_refine_copy_bound(r, q->bounds, n);
  }
}

static void add_conjuncts(tp_heap_refinement *r, tp_refinement_question *q) {
  tp_rel_formulas all = {0};
  tp_call_template_behaviour(r->templates, q->s->t, q->outcome, &all);
  for (size_t i = 0; i < all.n; i++) {
    tp_vec_push(&q->all, all.at[i]);
    tp_vec_push(&q->weak, false);
  }
  tp_vec_clear(&all);
  for (size_t i = 0; i < q->s->guarded.n; i++) {
    tp_vec_push(&q->all, q->s->guarded.at[i]);
    tp_vec_push(&q->weak, q->s->weak.at[i]);
  }
  for (size_t i = 0; i < q->all.n && !q->is_broken; i++)
    q->is_broken = tp_refine_add_formula(q->finder, q->all.at[i], q->weak.at[i]) != TP_OK;
}

void tp_refine_leave(void *ctx, tp_refinement_question *q) {
  tp_heap_refinement *r = ctx;
  if (q->finder) {
    tp_refine_count_finder(r, q->finder);
    tp_rel_finder_free(q->finder);
  }
  tp_refine_clear_question(q);
  tp_free(q);
}

/* The behaviour of a call as a number: its two states, how it ends. */
uint64_t tp_refine_behaviour_of(const tp_refinement_question *callee) {
  uint64_t h = 1469598103934665603u ^ (uintptr_t)callee->s ^ ((uint64_t)callee->outcome << 1);
  for (uint32_t i = 0; i < callee->states.n; i++)
    for (size_t k = 0; k < callee->states.of[i].n; k++)
      h = (h ^ (callee->states.of[i].at[k] * 1099511628211u + i)) * 1099511628211u;
  return h;
}

/* Two behaviours of one number would make a call stand that does not: bodies are executed before a
 * failure is believed, so no verdict rests on it. */
void tp_refine_confirm(void *ctx, const tp_refinement_question *callee) {
  tp_heap_refinement *r = ctx;
  tp_map_set(&r->confirmed, tp_refine_behaviour_of(callee), 1);
}

tp_refinement_question *tp_refine_enter(void *ctx, tp_refinement_question *caller, size_t call) {
  tp_heap_refinement *r = ctx;
  const double start_s = tp_cpu_s();
  const tp_rexec_call *c = tp_refine_call_of(caller, call);
  tp_refinement_question *q = TP_NEW(tp_refinement_question);
  q->s = tp_refine_scope_of(r, c->contract->func);
  q->outcome = caller->how.at[call];
  q->s->n_replays += q->outcome == TP_CALL_RETURNS;
  q->bounds = tp_refine_shared_bounds(r);
  tp_rel_instance_init(&q->states, tp_rel_n_relations(r->heap->l));
  fix_shared(r, q, caller);
  if (!fix_states(r, q, caller, c)) {
    tp_refine_leave(r, q);
    return NULL;
  }
  q->is_confirmed = tp_map_has(&r->confirmed, tp_refine_behaviour_of(q));
  if (q->is_confirmed) {
    r->stats.replay_s += tp_cpu_s() - start_s;
    return q;
  }
  bind_post_state(r, q);
  for (size_t i = 0; i < q->s->own.n; i++) tp_refine_copy_bound(r, q->bounds, q->s->own.at[i]);
  q->finder = tp_rel_finder_new(q->bounds, tp_refine_options_of(r));
  add_conjuncts(r, q);
  r->stats.replay_s += tp_cpu_s() - start_s;
  return q;
}
