/* Unions are said along the split trees (as in partition_proof.c): a tree all of whose leaves are
 * in is TRUE, and what split it is not mentioned. */
#include "search/procedure_proof.h"

#include "blocks/unproved.h"
#include "engine/invariants.h"

/* The union of the instance's cells at the node. */
static tp_term union_at(const tp_procedure_reach *r, const tp_proc_instance *i, uint32_t node) {
  const tp_partition *pt = &r->x->list.at[i->procedure]->pt;
  tp_terms *tt = r->x->run->tt;
  tp_term *of = TP_NEW_ARRAY(tp_term, pt->cells.n);
  for (size_t c = pt->cells.n; c-- > 1;) {  // parts come behind what was split
    const tp_cell_node *cell = &pt->cells.at[c];
    if (cell->node != node) continue;
    of[c] = tp_term_is(cell->by) ? tp_mk_ite(tt, cell->by, of[cell->yes], of[cell->no])
                                 : tp_mk_bool(tt, tp_instance_reached(i, (uint32_t)c) != NULL);
  }
  const tp_term all = of[pt->root[node]];
  tp_free(of);
  return all;
}

static void add_contract(const tp_procedure_reach *r, const tp_proc_instance *i, tp_invariants *v) {
  const tp_procedure *p = r->x->list.at[i->procedure];
  tp_terms *tt = r->x->run->tt;
  tp_summary s = {.func = p->func, .engine = "smash", .sound = TP_SUMMARY_MAY};
  s.pre = p->pt.cells.at[i->entry].formula;
  s.post = p->exit ? union_at(r, i, p->exit) : tp_mk_false(tt);
  s.returns = !tp_is_false(tt, s.post);
  (void)tp_summaries_add(&v->contracts, s);
}

static void add_invariants(const tp_procedure_reach *r, const tp_proc_instance *i,
                           tp_context context, tp_invariants *v) {
  const tp_blocks *b = &r->x->list.at[i->procedure]->blocks;
  for (uint32_t n = 1; n < b->nodes.n; n++) {
    const tp_block_node *node = &b->nodes.at[n];
    // between loop heads a cutpoint would only make the checker lose the path
    if (!tp_block_node_is_bad(b, n) && tp_loc_of(r->x->run->p, node->loc)->is_cutpoint)
      tp_vec_push(&v->list, ((tp_invariant){context, node->loc, union_at(r, i, n)}));
  }
}

static void add_assumptions(const tp_procedure_reach *r, const tp_task *task, tp_invariants *v,
                            tp_result *out) {
  tp_unproved unproved;
  bool *followed = TP_NEW_ARRAY(bool, task->program->edges.n);
  for (size_t p = 1; p < r->x->list.n; p++)
    for (size_t e = 1; e < task->program->edges.n; e++)
      followed[e] |= r->x->list.at[p]->blocks.followed[e];
  tp_unproved_of_edges(task->program, task->property, followed, &unproved);
  for (size_t i = 0; i < unproved.assumptions.n; i++) {
    tp_invariants_add_assumption(v, unproved.assumptions.at[i]);
    tp_vec_push(&out->assumptions, tp_arena_strdup(&out->arena, unproved.assumptions.at[i]));
  }
  tp_unproved_clear(&unproved);
  tp_free(followed);
}

void tp_procedure_conclude_true(tp_procedure_reach *r, const tp_task *task, tp_result *out) {
  TP_REQUIRE(!r->list.at[1].fails && !r->x->gap);
  const tp_program *p = task->program;
  tp_invariants *v = tp_invariants_new();
  v->property = task->property;
  v->ptr_bits = p->ptr_bits;
  v->fingerprint = tp_program_fingerprint(p);
  for (size_t i = 2; i < r->list.n; i++) add_contract(r, &r->list.at[i], v);
  for (uint32_t i = 1; i < r->list.n; i++) {
    const tp_context c =
        tp_context_root(&v->contexts, r->x->list.at[r->list.at[i].procedure]->func, i - 1);
    add_invariants(r, &r->list.at[i], c, v);
  }
  add_assumptions(r, task, v, out);
  if (tp_invariants_write(v, p, &out->certificate)) {
    tp_result_set_invariants(out, NULL);
    out->verdict = TP_VERDICT_TRUE;
    out->reason = out->hint = NULL;
  } else {
    tp_result_give_up(out, "the proof speaks of something that has no name in certificates", NULL);
  }
  tp_invariants_free(v);
}

// ------------------------------------------------------------------------- counts

static uint64_t must_summaries(const tp_procedure_tests *t) {
  tp_map seen = {0};
  for (size_t i = 1; i < t->activations.n; i++) {
    const tp_activation *a = &t->activations.at[i];
    if (!a->caller || !a->entry || !a->exit) continue;
    const uint64_t key = (uint64_t)t->visits.at[a->entry].cell << 32 | t->visits.at[a->exit].cell;
    tp_map_set(&seen, tp_hash_mix(key, a->procedure), 1);
  }
  const uint64_t n = seen.n;
  tp_map_clear(&seen);
  return n;
}

void tp_procedure_note_counts(const tp_procedure_reach *r, const tp_procedure_tests *t,
                              tp_stats *stats) {
  stats->must_summaries = must_summaries(t);
  stats->not_may_summaries = 0;
  for (size_t i = 2; i < r->list.n; i++) {
    const tp_procedure *p = r->x->list.at[r->list.at[i].procedure];
    size_t n = 0;
    if (p->exit) (void)tp_procedure_leaves(p, p->exit, &n);
    stats->not_may_summaries += n - r->list.at[i].exits.n;
  }
  stats->regions = 0;
  for (size_t p = 1; p < r->x->list.n; p++) stats->regions += r->x->list.at[p]->pt.n_regions;
  stats->forest_nodes = t->visits.n - 1;
}
