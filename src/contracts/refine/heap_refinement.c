/* Questions of the loop as questions to the model finder.
 *
 * The relations of a question are few: those that every state shares, those of its own execution,
 * and, for a call, the two states, which are bound exactly, so that most of the body is decided
 * while it is translated. */
#include "contracts/refine/heap_refinement_priv.h"

#include "contracts/contracts_limits.h"

// ----------------------------------------------------------------------- bounds

static void own_relation(tp_refined_scope *s, const tp_heap_refinement *r, tp_rel_expr x) {
  tp_vec_push(&s->own, tp_refine_number_of(r, x));
}

/* Relations of the heap that belong to no single state or execution. */
static void find_shared(tp_heap_refinement *r) {
  tp_rheap *h = r->heap;
  r->n_shared = tp_rel_n_relations(h->l);
  r->is_shared = TP_NEW_ARRAY(bool, r->n_shared + 1);
  for (uint32_t i = 0; i < r->n_shared; i++) r->is_shared[i] = tp_rel_lower(h->bounds, i) != NULL;
  for (size_t i = 0; i < h->havocs.n; i++)
    r->is_shared[tp_refine_number_of(r, h->havocs.at[i].relation)] = false;
  for (size_t i = 0; i < h->inputs.n; i++)
    r->is_shared[tp_refine_number_of(r, h->inputs.at[i].initial)] = false;
  for (size_t i = 0; i < h->fields.n; i++)
    if (!h->fields.at[i].is_inner)
      r->is_shared[tp_refine_number_of(r, h->fields.at[i].initial)] = false;
  for (uint32_t b = 0; b < h->object_model->basics.n; b++)
    if (h->types[b].is_used) r->is_shared[tp_refine_number_of(r, h->types[b].last)] = false;
}

static void find_own_of_main(tp_heap_refinement *r) {
  const tp_rheap *h = r->heap;
  size_t first = h->havocs.n;
  for (size_t i = 0; i < r->templates->all.n; i++)
    if (r->templates->all.at[i]->first_havoc < first) first = r->templates->all.at[i]->first_havoc;
  for (size_t i = 0; i < first; i++) own_relation(&r->main, r, h->havocs.at[i].relation);
  for (size_t i = 0; i < h->inputs.n - h->n_foreign_inputs; i++)
    own_relation(&r->main, r, h->inputs.at[i].initial);
  for (size_t i = 0; i < h->fields.n; i++)
    if (!h->fields.at[i].is_inner) own_relation(&r->main, r, h->fields.at[i].initial);
  for (uint32_t b = 0; b < h->object_model->basics.n; b++)
    if (h->types[b].is_used) own_relation(&r->main, r, h->types[b].last);
}

static void init_scope(tp_refined_scope *s, const tp_rexec *body, const tp_call_template *t) {
  *s = (tp_refined_scope){.body = body, .t = t};
  tp_vec_resize(&s->has, body->calls.n);
  tp_vec_resize(&s->copy, body->calls.n);
  tp_vec_resize(&s->in_place, body->calls.n);
}

static void clear_scope(tp_refined_scope *s) {
  for (size_t i = 0; i < s->has.n; i++) tp_map_clear(&s->has.at[i]);
  for (size_t i = 0; i < s->copy.n; i++) tp_map_clear(&s->copy.at[i]);
  tp_vec_clear(&s->has);
  tp_vec_clear(&s->copy);
  tp_vec_clear(&s->in_place);
  tp_vec_clear(&s->learned);
  tp_vec_clear(&s->guarded);
  tp_vec_clear(&s->weak);
  tp_vec_clear(&s->own);
  tp_vec_clear(&s->offers);
}

tp_heap_refinement *tp_heap_refinement_new(tp_call_templates *t, const tp_rexec *body,
                                           double cpu_s) {
  TP_REQUIRE(t && body && t->heap->bounds);
  tp_heap_refinement *r = TP_NEW(tp_heap_refinement);
  *r = (tp_heap_refinement){.templates = t, .heap = t->heap, .cpu_s = cpu_s};
  tp_arena_init(&r->arena);
  r->stats.loop.max_refinements = TP_CONTRACTS_REFINEMENTS;
  r->body_after = TP_CONTRACTS_BODY_AFTER;
  find_shared(r);
  init_scope(&r->main, body, NULL);
  find_own_of_main(r);
  r->callees = TP_NEW_ARRAY(tp_refined_scope, t->all.n + 1);
  for (size_t i = 0; i < t->all.n; i++) {
    const tp_call_template *f = t->all.at[i];
    init_scope(&r->callees[i], &f->body, f);
    for (size_t k = f->own_havoc; k < f->end_havoc; k++)
      own_relation(&r->callees[i], r, r->heap->havocs.at[k].relation);
    for (size_t k = f->first_input; k < f->end_input; k++)
      own_relation(&r->callees[i], r, r->heap->inputs.at[k].initial);
  }
  r->left_alone = tp_left_alone_new(t);
  r->question = (tp_refinement_question){.s = &r->main, .bounds = tp_refine_shared_bounds(r)};
  for (size_t i = 0; i < r->main.own.n; i++)
    tp_refine_copy_bound(r, r->question.bounds, r->main.own.at[i]);
  return r;
}

void tp_heap_refinement_free(tp_heap_refinement *r) {
  if (!r) return;
  tp_refine_clear_question(&r->question);
  for (size_t i = 0; i < r->templates->all.n; i++) clear_scope(&r->callees[i]);
  clear_scope(&r->main);
  tp_left_alone_free(r->left_alone);
  tp_free(r->callees);
  tp_free(r->is_shared);
  tp_map_clear(&r->confirmed);
  tp_map_clear(&r->pairs);
  tp_vec_clear(&r->inlined);
  tp_arena_clear(&r->arena);
  tp_free(r);
}

const tp_rel_bounds *tp_heap_refinement_bounds(const tp_heap_refinement *r) {
  return r->question.bounds;
}
void tp_heap_refinement_doubt_exact_calls(tp_heap_refinement *r) { r->doubts_exact = true; }
void tp_heap_refinement_limit(tp_heap_refinement *r, uint64_t max_refinements) {
  r->stats.loop.max_refinements = max_refinements;
}
void tp_heap_refinement_body_after(tp_heap_refinement *r, uint64_t n) { r->body_after = n; }
void tp_heap_refinement_prove(tp_heap_refinement *r, const tp_rel_prover *prover) {
  r->prover = prover;
}
size_t tp_heap_refinement_n_inlined(const tp_heap_refinement *r) { return r->inlined.n; }
const tp_rexec_call *tp_heap_refinement_inlined(const tp_heap_refinement *r, size_t i) {
  TP_REQUIRE(i < r->inlined.n);
  return &r->inlined.at[i];
}
uint64_t tp_heap_refinement_used(const tp_heap_refinement *r) {
  return r->stats.loop.n_refinements + r->stats.loop.n_recalled;
}
void tp_heap_refinement_next_phase(tp_heap_refinement *r) {
  if (r->is_later) return;
  r->is_later = true;
  r->stats.n_refinements_first = r->stats.loop.n_refinements;
  r->stats.first_s = r->stats.main_s + r->stats.replay_s;
}
tp_heap_refinement_stats tp_heap_refinement_statistics(const tp_heap_refinement *r) {
  tp_heap_refinement_stats s = r->stats;
  if (r->is_later) return s;
  s.n_refinements_first = s.loop.n_refinements;
  s.first_s = s.main_s + s.replay_s;
  return s;
}

// ----------------------------------------------------------------------- solving

static bool holds(tp_rel_eval *e, tp_rel_formula f) {
  return f.id && tp_rel_eval_formula(e, f) == TP_REL_IS_TRUE;
}

/* Then its body, put at a call, is the call. */
static bool calls_nothing(const tp_refined_scope *s) {
  for (size_t i = 0; i < s->body->calls.n; i++)
    if (s->body->calls.at[i].is_abstract) return false;
  return true;
}

/* Abstract calls that the execution makes, with how they end. */
static void find_executed(tp_heap_refinement *r, tp_refinement_question *q) {
  tp_rel_eval *e =
      tp_rel_eval_new(q->bounds, tp_rel_finder_instance(q->finder), r->heap->limits.width_bits);
  q->executed.n = q->how.n = 0;
  for (size_t i = 0; i < q->s->body->calls.n; i++) {
    const tp_rexec_call *c = &q->s->body->calls.at[i];
    if (!c->is_abstract || !holds(e, c->when)) continue;
    tp_call_outcome how = TP_CALL_N_OUTCOMES;
    if (holds(e, c->returns)) how = TP_CALL_RETURNS;
    for (uint32_t k = TP_REXEC_N_ENDS; k-- > 0;)
      if (holds(e, c->ends[k])) how = k;      // the first one counts, as in the execution
    if (how == TP_CALL_N_OUTCOMES) continue;  // no execution goes on from here
    if (how == TP_CALL_RETURNS && c->is_exact && !r->doubts_exact) continue;
    if (q->s->in_place.at[i] >> how & 1 && calls_nothing(tp_refine_scope_of(r, c->contract->func)))
      continue;
    tp_vec_push(&q->executed, i);
    tp_vec_push(&q->how, how);
  }
  tp_rel_eval_free(e);
}

static tp_refinement_answer solve(void *ctx, tp_refinement_question *q) {
  tp_heap_refinement *r = ctx;
  const double start_s = tp_cpu_s();
  if (q->is_broken) return TP_REFINEMENT_UNKNOWN;
  if (q->is_confirmed) return TP_REFINEMENT_POSSIBLE;
  const tp_rel_answer a = tp_rel_finder_solve(q->finder, &q->asked, q->asked.id ? 1 : 0);
  *(q->s->t ? &r->stats.replay_s : &r->stats.main_s) += tp_cpu_s() - start_s;
  if (a == TP_REL_UNSAT) return TP_REFINEMENT_IMPOSSIBLE;
  if (a != TP_REL_SAT) return TP_REFINEMENT_UNKNOWN;
  find_executed(r, q);
  return TP_REFINEMENT_POSSIBLE;
}

static size_t n_calls(void *ctx, const tp_refinement_question *q) {
  (void)ctx;
  return q->executed.n;
}

void tp_heap_refinement_use(tp_heap_refinement *r, tp_rel_finder *f) {
  tp_refinement_question *q = &r->question;
  q->finder = f;
  q->is_broken = false;
  for (size_t i = 0; i < q->s->guarded.n && !q->is_broken; i++)
    q->is_broken = tp_refine_add_formula(f, q->s->guarded.at[i], q->s->weak.at[i]) != TP_OK;
}

// -------------------------------------------------------------------------- all

static const tp_refinement_ops heap_ops = {.solve = solve,
                                           .n_calls = n_calls,
                                           .recall = tp_refine_recall,
                                           .enter = tp_refine_enter,
                                           .learn = tp_refine_learn,
                                           .confirm = tp_refine_confirm,
                                           .leave = tp_refine_leave};

tp_refinement_answer tp_heap_refinement_ask(tp_heap_refinement *r, tp_rel_formula asked) {
  TP_REQUIRE(r->question.finder && asked.id);
  r->question.asked = asked;
  return tp_refinement_decide(&heap_ops, r, &r->question, &r->stats.loop);
}

uint64_t tp_heap_refinement_replays(tp_heap_refinement *r, tp_func f) {
  const tp_refined_scope *s = tp_refine_scope_of(r, f);
  return s ? s->n_replays : 0;
}

size_t tp_heap_refinement_at_call(const tp_heap_refinement *r, size_t call) {
  TP_REQUIRE(call < r->main.has.n);
  return r->main.has.at[call].n;
}

void tp_heap_refinement_print(const tp_heap_refinement *r, tp_str *out) {
  for (size_t i = 0; i < r->templates->all.n; i++)
    for (size_t k = 0; k < r->callees[i].learned.n; k++)
      for (int part = 0; part < TP_REFINED_N_PARTS; part++) {
        const tp_rel_formula f = r->callees[i].learned.at[k].part[part];
        if (!f.id) continue;
        tp_str_printf(out, "  of %s: ", tp_func_of(r->heap->program, r->callees[i].t->func)->name);
        tp_rel_print(r->heap->l, f.id, out);
        tp_str_add_char(out, '\n');
      }
  for (size_t i = 0; i < r->main.has.n; i++)
    if (r->main.body->calls.at[i].is_abstract)
      tp_str_printf(out, "  call %zu, of %s: %zu specifications\n", i + 1,
                    r->main.body->calls.at[i].contract->name, r->main.has.at[i].n);
}
