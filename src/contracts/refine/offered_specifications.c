/* A call that contradicts what is known of its callee is refined without a replay. Known is what
 * was learned at other calls, and what is offered: what the body leaves alone, read off its
 * expressions (contracts/refine/left_alone.h), and what its summary says
 * (contracts/modular/call_proposals.h).
 *
 * No offer is believed. The first call that contradicts one makes the callee's be shown, those of
 * its own callees before: that the body, with what was shown of its calls, keeps them all, or else
 * one by one. */
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

// ------------------------------------------------------------------- implication

bool tp_refine_is_implied(tp_heap_refinement *r, const tp_rel_formula *premises, const bool *weak,
                          size_t n_premises, tp_rel_formula spec) {
  const double start_s = tp_cpu_s();
  const tp_rel_formula fails = tp_rel_not(r->heap->l, spec);
  tp_rel_bounds *b = tp_rel_bounds_new(r->heap->l, r->heap->atoms);
  bounds_copy to = {r, b};
  for (size_t i = 0; i < n_premises; i++)
    tp_rel_each_relation(r->heap->l, premises[i].id, &to, bind_generally);
  tp_rel_each_relation(r->heap->l, spec.id, &to, bind_generally);
  tp_rel_options o = tp_refine_options_of(r);
  o.conflicts = TP_CONTRACTS_SPECIFICATION_CONFLICTS;
  tp_rel_finder *f = tp_rel_finder_new(b, o);
  bool ok = true;
  // where the specification fails, a path's conditions hold: then the body is the path
  for (size_t i = 0; i < n_premises && ok; i++)
    ok = tp_refine_add_formula(f, tp_rel_given(r->heap->l, premises[i], fails), weak[i]) == TP_OK;
  ok = ok && tp_rel_finder_solve(f, &fails, 1) == TP_REL_UNSAT;
  const bool is_proved =
      ok && tp_rel_finder_is_refuted(f, &fails, 1, r->prover, tp_rel_finder_stats(f).solver_s);
  const bool counts = ok && (is_proved || !r->prover || !r->prover->is_required);
  r->stats.n_implied += counts;
  r->stats.n_implied_proved += is_proved;
  tp_refine_count_finder(r, f);
  tp_rel_finder_free(f);
  tp_rel_bounds_free(b);
  r->stats.implied_s += tp_cpu_s() - start_s;
  return counts;
}

// ------------------------------------------------------------------------ offers

static void find_offers(tp_heap_refinement *r, tp_refined_scope *s) {
  if (s->has_offers) return;
  s->has_offers = true;
  for (size_t i = 0; i < s->t->proposed.n; i++)
    tp_vec_push(&s->offers, (tp_refined_offer){.formula = s->t->proposed.at[i],
                                               .part = TP_REFINED_PART_IS_NOT_FALSE});
  if (s->offers.n) return;  // its frame condition is among them
  const tp_rel_formula frame = tp_left_alone_of(r->left_alone, s->t);
  if (frame.id)
    tp_vec_push(&s->offers, (tp_refined_offer){.formula = frame, .part = TP_REFINED_PART_HOLDS});
}

typedef struct {
  tp_rel_formulas at;
  TP_VEC(bool) weak;
} premises;

static void show_offers(tp_heap_refinement *r, tp_refined_scope *s);

/* Was all shown that stands for calls of the body? */
static bool is_all_shown(tp_heap_refinement *r, const tp_rexec *body) {
  for (size_t i = 0; i < body->calls.n; i++) {
    const tp_rexec_call *c = &body->calls.at[i];
    if (!c->is_abstract) continue;
    tp_refined_scope *callee = tp_refine_scope_of(r, c->contract->func);
    if (!callee || !callee->t->proposes_all) return false;
    show_offers(r, callee);
    for (size_t k = 0; k < callee->offers.n; k++)
      if (!callee->offers.at[k].is_shown) return false;
  }
  return true;
}

/* What was shown of the callee, where the call returns. */
static void add_shown(tp_heap_refinement *r, const tp_rexec_call *c, tp_refined_scope *callee,
                      premises *out) {
  tp_map of = {0};
  show_offers(r, callee);
  tp_refine_map_call(r, callee->t, c, &of);
  for (size_t i = 0; i < callee->offers.n; i++) {
    const tp_refined_offer *o = &callee->offers.at[i];
    if (!o->is_shown) continue;
    tp_vec_push(&out->at, tp_rel_implies(r->heap->l, c->returns,
                                         tp_rel_substitute(r->heap->l, o->formula, &of)));
    tp_vec_push(&out->weak, o->part == TP_REFINED_PART_IS_NOT_FALSE);
  }
  tp_map_clear(&of);
}

/* The body with what is proposed of its callees in place of its calls, if all of that was shown:
 * not to be false, so no part of it has to have a value; else with calls that may do anything but
 * contradict what was. */
static void find_premises(tp_heap_refinement *r, const tp_refined_scope *s, premises *out) {
  const tp_call_template *proposed = s->t->with_proposals;
  if (proposed && is_all_shown(r, &proposed->body)) {
    tp_call_template_behaviour(r->templates, proposed, TP_CALL_RETURNS, &out->at);
    for (size_t i = 0; i < out->at.n; i++) tp_vec_push(&out->weak, true);
    return;
  }
  tp_call_template_behaviour(r->templates, s->t, TP_CALL_RETURNS, &out->at);
  tp_vec_resize(&out->weak, out->at.n);
  for (size_t i = 0; i < s->body->calls.n; i++) {
    const tp_rexec_call *c = &s->body->calls.at[i];
    tp_refined_scope *callee = c->is_abstract ? tp_refine_scope_of(r, c->contract->func) : NULL;
    if (callee && c->after.freed.id) add_shown(r, c, callee, out);
  }
}

typedef struct {
  bool *is_open;  // by relation: a value behind the call that nothing asks for
  bool has_open;
} open_values;

static void close_value(void *ctx, uint32_t relation) {
  ((open_values *)ctx)->is_open[relation] = false;
}
static void find_open(void *ctx, uint32_t relation) {
  open_values *v = ctx;
  v->has_open = v->has_open || v->is_open[relation];
}

/* Values behind the call are determined by the body, one by one: premises that determine what the
 * offers do not speak of are left out. Which objects are gone is a part of all. */
static void leave_out_unasked(const tp_heap_refinement *r, const tp_refined_scope *s,
                              tp_rel_formula all, premises *p) {
  const tp_call_template *t = s->t;
  open_values v = {.is_open = TP_NEW_ARRAY(bool, tp_rel_n_relations(r->heap->l) + 1)};
  for (uint32_t f = 0; f < t->start.n_fields; f++)
    if (!r->heap->fields.at[f].is_inner)
      v.is_open[tp_refine_number_of(r, t->after.fields[f])] = true;
  if (t->result.id) v.is_open[tp_refine_number_of(r, t->result)] = true;
  tp_rel_each_relation(r->heap->l, all.id, &v, close_value);
  size_t n = 0;
  for (size_t i = 0; i < p->at.n; i++) {
    v.has_open = false;
    tp_rel_each_relation(r->heap->l, p->at.at[i].id, &v, find_open);
    if (v.has_open) continue;
    p->at.at[n] = p->at.at[i];
    p->weak.at[n++] = p->weak.at[i];
  }
  p->at.n = p->weak.n = n;
  tp_free(v.is_open);
}

/* Asked once for each function; templates call each other without cycles. */
static void show_offers(tp_heap_refinement *r, tp_refined_scope *s) {
  if (s->has_shown) return;
  s->has_shown = true;
  find_offers(r, s);
  if (!s->offers.n) return;
  premises p = {0};
  find_premises(r, s, &p);
  tp_rel_formula all = s->offers.at[0].formula;
  for (size_t i = 1; i < s->offers.n; i++)
    all = tp_rel_and(r->heap->l, all, s->offers.at[i].formula);
  leave_out_unasked(r, s, all, &p);
  const bool are_shown = tp_refine_is_implied(r, p.at.at, p.weak.at, p.at.n, all);
  for (size_t i = 0; i < s->offers.n; i++)
    s->offers.at[i].is_shown =
        are_shown || (s->offers.n > 1 &&
                      tp_refine_is_implied(r, p.at.at, p.weak.at, p.at.n, s->offers.at[i].formula));
  tp_vec_clear(&p.at);
  tp_vec_clear(&p.weak);
}

// ------------------------------------------------------------ what is known

/* A call whose execution is evaluated. */
typedef struct {
  tp_heap_refinement *r;
  tp_refined_scope *callee;
  tp_map of;
  tp_rel_eval *e;
} evaluated_call;

static bool excludes(const evaluated_call *k, int part, tp_rel_formula f) {
  if (!f.id) return false;
  const tp_rel_truth_value v =
      tp_rel_eval_formula(k->e, tp_rel_substitute(k->r->heap->l, f, &k->of));
  return v == TP_REL_IS_FALSE || (v == TP_REL_IS_UNDEFINED && part == TP_REFINED_PART_HOLDS);
}

typedef TP_VEC(size_t) number_list;

/* Specifications that were learned, and exclude the behaviour. */
static void find_known(const evaluated_call *k, tp_call_outcome how, const tp_map *has,
                       number_list *out) {
  for (size_t i = 0; i < k->callee->learned.n; i++) {
    const tp_refined_specification *s = &k->callee->learned.at[i];
    if (s->outcome != how || s->has_own || tp_map_has(has, i)) continue;
    bool any = false;
    for (int part = 0; part < TP_REFINED_N_PARTS && !any; part++)
      any = excludes(k, part, s->part[part]);
    if (any) tp_vec_push(out, i);
  }
}

/* Offers that exclude the behaviour of a call that returns become specifications. */
static void learn_offers(const evaluated_call *k, number_list *out) {
  find_offers(k->r, k->callee);
  for (size_t i = 0; i < k->callee->offers.n; i++) {
    tp_refined_offer *o = &k->callee->offers.at[i];
    if (o->is_learned || (k->callee->has_shown && !o->is_shown) ||
        !excludes(k, o->part, o->formula))
      continue;
    show_offers(k->r, k->callee);
    if (!o->is_shown) continue;
    tp_refined_specification s = {.outcome = TP_CALL_RETURNS};
    s.part[o->part] = o->formula;
    o->is_learned = true;
    tp_vec_push(&k->callee->learned, s);
    tp_vec_push(out, k->callee->learned.n - 1);
  }
}

tp_refinement_known tp_refine_recall(void *ctx, tp_refinement_question *q, size_t call) {
  tp_heap_refinement *r = ctx;
  const double start_s = tp_cpu_s();
  const tp_rexec_call *c = tp_refine_call_of(q, call);
  evaluated_call k = {.r = r, .callee = tp_refine_scope_of(r, c->contract->func)};
  number_list found = {0};
  k.e = tp_rel_eval_new(q->bounds, tp_rel_finder_instance(q->finder), r->heap->limits.width_bits);
  tp_refine_map_call(r, k.callee->t, c, &k.of);
  find_known(&k, q->how.at[call], &q->s->has.at[q->executed.at[call]], &found);
  tp_refinement_known known = {.n_again = found.n};
  if (q->how.at[call] == TP_CALL_RETURNS) learn_offers(&k, &found);
  known.n_first = found.n - known.n_again;
  tp_rel_eval_free(k.e);
  tp_map_clear(&k.of);
  for (size_t i = 0; i < found.n && !q->is_broken; i++)
    (void)tp_refine_add_at_call(r, q, call, k.callee, found.at[i]);
  tp_vec_clear(&found);
  r->stats.replay_s += tp_cpu_s() - start_s;
  return known;
}
