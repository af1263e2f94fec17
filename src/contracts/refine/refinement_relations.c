/* Relations, bounds and limits of the finders of all stages, and templates by their functions. */
#include "contracts/refine/heap_refinement_priv.h"

tp_rel_expr tp_refine_relation_of(const tp_heap_refinement *r, uint32_t number) {
  return tp_rel_relation(r->heap->l, tp_rel_relation_name(r->heap->l, number),
                         tp_rel_relation_arity(r->heap->l, number));
}

void tp_refine_copy_bound(const tp_heap_refinement *r, tp_rel_bounds *to, uint32_t number) {
  const tp_rel_tuples *lower = tp_rel_lower(r->heap->bounds, number);
  if (!lower) return;
  const tp_status st = tp_rel_bound(to, tp_refine_relation_of(r, number), lower,
                                    tp_rel_upper(r->heap->bounds, number));
  TP_INVARIANT(st == TP_OK);
  (void)st;
}

tp_rel_bounds *tp_refine_shared_bounds(const tp_heap_refinement *r) {
  tp_rel_bounds *b = tp_rel_bounds_new(r->heap->l, r->heap->atoms);
  for (uint32_t i = 0; i < r->n_shared; i++)
    if (r->is_shared[i]) tp_refine_copy_bound(r, b, i);
  return b;
}

tp_rel_options tp_refine_options_of(const tp_heap_refinement *r) {
  tp_rel_options o = tp_rel_default_options();
  o.width_bits = r->heap->limits.width_bits;
  o.cpu_s = r->cpu_s;
  o.symmetry_length = 0;
  return o;
}

void tp_refine_clear_question(tp_refinement_question *q) {
  tp_vec_clear(&q->all);
  tp_vec_clear(&q->weak);
  tp_vec_clear(&q->executed);
  tp_vec_clear(&q->how);
  tp_rel_instance_clear(&q->states);
  if (q->bounds) tp_rel_bounds_free(q->bounds);
}

tp_refined_scope *tp_refine_scope_of(tp_heap_refinement *r, tp_func f) {
  for (size_t i = 0; i < r->templates->all.n; i++)
    if (r->templates->all.at[i]->func.id == f.id) return &r->callees[i];
  return NULL;
}

void tp_refine_count_finder(tp_heap_refinement *r, const tp_rel_finder *f) {
  const tp_rel_stats s = tp_rel_finder_stats(f);
  r->stats.n_solver_calls += s.n_solver_calls;
  r->stats.n_variables += s.n_variables;
  r->stats.n_clauses += s.n_clauses;
}
