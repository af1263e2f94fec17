/* From the refutation of a call to a specification: the conjuncts of the solver's core, for one
 * path of the body where that is implied and enough; or all that is known of the body, where
 * specifications did not do. */
#include "contracts/refine/heap_refinement_priv.h"

#include "contracts/contracts_limits.h"
#include "contracts/refine/proof_specification.h"

/* Which relations the two states and the world give; which of them are not of the post-state. */
static bool *known_before(const tp_heap_refinement *r, const tp_refinement_question *q,
                          uint32_t *n) {
  const tp_call_template *t = q->s->t;
  *n = q->states.n;
  bool *known = TP_NEW_ARRAY(bool, *n + 1);
  for (uint32_t i = 0; i < r->n_shared; i++) known[i] = r->is_shared[i];
  for (size_t i = t->first_havoc; i < t->own_havoc; i++)
    known[tp_refine_number_of(r, r->heap->havocs.at[i].relation)] = true;
  for (uint32_t f = 0; f < t->start.n_fields; f++)
    if (!r->heap->fields.at[f].is_inner) known[tp_refine_number_of(r, t->after.fields[f])] = false;
  for (uint32_t b = 0; b < r->heap->object_model->basics.n; b++)
    if (r->heap->types[b].is_used && t->after.last[b].id != t->start.before.last[b].id)
      known[tp_refine_number_of(r, t->after.last[b])] = false;
  known[tp_refine_number_of(r, t->after.freed)] = false;
  known[tp_refine_number_of(r, t->after.stack)] = false;
  if (t->result.id) known[tp_refine_number_of(r, t->result)] = false;
  return known;
}

/* The two states contradict the specification by itself. */
static bool is_refuted(tp_heap_refinement *r, const tp_refinement_question *q,
                       const tp_refined_specification *s) {
  tp_rel_finder *f = tp_rel_finder_new(q->bounds, tp_refine_options_of(r));
  bool ok = true;
  for (int k = 0; k < TP_REFINED_N_PARTS && ok; k++)
    ok = !s->part[k].id ||
         tp_refine_add_formula(f, s->part[k], k == TP_REFINED_PART_IS_NOT_FALSE) == TP_OK;
  ok = ok && tp_rel_finder_solve(f, NULL, 0) == TP_REL_UNSAT;
  tp_refine_count_finder(r, f);
  tp_rel_finder_free(f);
  return ok;
}

/* Conjuncts, of all that were asked, that have no instance together. */
static tp_rel_formula *core_of(tp_refinement_question *q, size_t *n) {
  tp_rel_formula *core = TP_NEW_ARRAY(tp_rel_formula, q->all.n + 1);
  if (tp_rel_finder_core(q->finder, core, n) != TP_REL_UNSAT) {
    for (size_t i = 0; i < q->all.n; i++) core[i] = q->all.at[i];
    *n = q->all.n;
  }
  return core;
}

/* Each conjunct of the core for the path of this pre-state; id 0: it does not do. */
static tp_rel_formula path_of(tp_heap_refinement *r, tp_refinement_question *q,
                              const tp_rel_formula *core, size_t n) {
  tp_rel *l = r->heap->l;
  uint32_t n_known;
  bool *known = known_before(r, q, &n_known);
  tp_rel_formula all = {0};
  for (size_t i = 0; i < n; i++) {
    const tp_rel_formula path = tp_proof_specification_path(
        l, q->bounds, &q->states, known, n_known, r->heap->limits.width_bits, core[i]);
    const bool weak = false;
    if (path.id != core[i].id && !tp_refine_is_implied(r, &core[i], &weak, 1, path)) {
      all = (tp_rel_formula){0};
      break;
    }
    all = all.id ? tp_rel_and(l, all, path) : path;
  }
  tp_free(known);
  return all;
}

static bool is_weak(const tp_refinement_question *q, tp_rel_formula conjunct) {
  for (size_t k = 0; k < q->all.n; k++)
    if (q->all.at[k].id == conjunct.id && !q->weak.at[k]) return false;
  return true;
}

static tp_refined_specification whole(tp_heap_refinement *r, const tp_refinement_question *q,
                                      const tp_rel_formula *core, size_t n) {
  tp_refined_specification s = {.outcome = q->outcome};
  for (size_t i = 0; i < n; i++) {
    tp_rel_formula *part =
        &s.part[is_weak(q, core[i]) ? TP_REFINED_PART_IS_NOT_FALSE : TP_REFINED_PART_HOLDS];
    *part = part->id ? tp_rel_and(r->heap->l, *part, core[i]) : core[i];
  }
  return s;
}

/* One path of the body; whole conjuncts where that is no proof, or paths were not enough. */
static tp_refined_specification extract(tp_heap_refinement *r, tp_refinement_question *q) {
  size_t n;
  tp_rel_formula *core = core_of(q, &n);
  tp_refined_specification s = {.outcome = q->outcome, .is_path = true};
  if (q->s->n_paths < TP_CONTRACTS_SPECIFICATION_PATHS && q->outcome == TP_CALL_RETURNS) {
    s.part[TP_REFINED_PART_IS_NOT_FALSE] = path_of(r, q, core, n);
    q->s->n_paths++;
  }
  if (!s.part[TP_REFINED_PART_IS_NOT_FALSE].id || !is_refuted(r, q, &s)) s = whole(r, q, core, n);
  s.has_own = tp_refine_has_own(r, q->s, &s);
  tp_free(core);
  return s;
}

/* All that is known of the body. */
static tp_refined_specification body_of(tp_heap_refinement *r,
                                        const tp_refinement_question *callee) {
  tp_refined_specification s = whole(r, callee, callee->all.at, callee->all.n);
  s.has_own = tp_refine_has_own(r, callee->s, &s);
  return s;
}

/* So many specifications did not do at this call. */
static bool is_body_wanted(const tp_heap_refinement *r, const tp_refinement_question *q,
                           size_t call, const tp_refinement_question *callee) {
  const size_t at = q->executed.at[call];
  return r->body_after && q->s->has.at[at].n >= r->body_after &&
         !(q->s->in_place.at[at] >> callee->outcome & 1);
}

/* The two states of a call as a number, with the call. */
static uint64_t pair_of(const tp_refinement_question *caller, size_t call,
                        const tp_refinement_question *callee) {
  return tp_refine_behaviour_of(callee) ^
         tp_hash_u64((uintptr_t)caller->s ^ (caller->executed.at[call] << 3));
}

bool tp_refine_learn(void *ctx, tp_refinement_question *q, size_t call,
                     tp_refinement_question *callee) {
  tp_heap_refinement *r = ctx;
  const double start_s = tp_cpu_s();
  uint32_t *bodies = &q->s->in_place.at[q->executed.at[call]];
  const bool is_body = is_body_wanted(r, q, call, callee);
  const tp_refined_specification s = is_body ? body_of(r, callee) : extract(r, callee);
  const uint64_t pair = pair_of(q, call, callee);
  const bool is_again = tp_map_has(&r->pairs, pair);
  tp_map_set(&r->pairs, pair, 1);
  r->stats.n_repeated += is_again;
  *(is_body ? &r->stats.n_bodies : s.is_path ? &r->stats.n_paths : &r->stats.n_whole) += 1;
  tp_vec_push(&callee->s->learned, s);
  const bool ok = !is_again && (is_body || is_refuted(r, callee, &s)) &&
                  tp_refine_add_at_call(r, q, call, callee->s, callee->s->learned.n - 1);
  if (ok && is_body) {
    *bodies |= 1u << callee->outcome;
    tp_vec_push(&r->inlined, *tp_refine_call_of(q, call));
  }
  r->stats.replay_s += tp_cpu_s() - start_s;
  return ok;
}
