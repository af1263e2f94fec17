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

// ---------------------------------------------------------------------- summaries

/* How many activations went from the entry cell to the exit cell. */
static size_t count_runs(const tp_procedure_tests *t, uint32_t procedure, uint32_t entry,
                         uint32_t exit) {
  const tp_visit_list *in = tp_procedure_tests_in(t, procedure, exit);
  size_t n = 0;
  for (size_t i = 0; i < in->n; i++) {
    const uint32_t a = t->visits.at[in->at[i]].activation;
    n += t->activations.at[a].caller && tp_activation_entry_cell(t, a) == entry;
  }
  return n;
}

static void print_cell(const tp_procedure *p, tp_terms *tt, uint32_t cell, tp_str *out) {
  tp_print_c(tt, p->pt.cells.at[cell].formula, TP_C_READABLE, out);
}

/* One line: what is known of this entry and this exit. */
static void note_pair(const tp_procedure_reach *r, const tp_procedure_tests *t,
                      const tp_proc_instance *i, uint32_t exit, tp_summaries_noted which,
                      tp_stats *stats, tp_str *out) {
  const tp_procedure *p = r->x->list.at[i->procedure];
  tp_terms *tt = r->x->run->tt;
  const size_t n = count_runs(t, i->procedure, i->entry, exit);
  const bool may = which == TP_SUMMARIES_MUST_ONLY || tp_instance_reached(i, exit);
  stats->must_summaries += n > 0;
  stats->not_may_summaries += !may;
  if (may && !n) return;
  tp_str_printf(out, "%-8s %s: from ", may ? "must" : "not-may",
                tp_func_of(r->x->run->p, p->func)->name);
  print_cell(p, tt, i->entry, out);
  tp_str_add(out, may ? " to " : " never to ");
  print_cell(p, tt, exit, out);
  if (may) tp_str_printf(out, "  # %zu calls in tests", n);
  tp_str_add_char(out, '\n');
}

void tp_procedure_note_summaries(tp_procedure_reach *r, const tp_procedure_tests *t,
                                 tp_summaries_noted which, tp_stats *stats, tp_result *out) {
  stats->must_summaries = stats->not_may_summaries = stats->regions = 0;
  for (size_t p = 1; p < r->x->list.n; p++) stats->regions += r->x->list.at[p]->pt.n_regions;
  stats->forest_nodes = t->visits.n - 1;
  if (out->verdict != TP_VERDICT_TRUE) (void)tp_procedure_reach_run(r, TP_REACH_ALL);
  for (size_t i = 2; i < r->list.n; i++) {
    const tp_procedure *p = r->x->list.at[r->list.at[i].procedure];
    size_t n = 0;
    const uint32_t *exits = p->exit ? tp_procedure_leaves(p, p->exit, &n) : NULL;
    for (size_t k = 0; k < n; k++)
      note_pair(r, t, &r->list.at[i], exits[k], which, stats, &out->summaries);
    if (!r->list.at[i].fails && which == TP_SUMMARIES_ALL) {
      tp_str_printf(&out->summaries, "%-8s %s: from ", "not-may",
                    tp_func_of(r->x->run->p, p->func)->name);
      print_cell(p, r->x->run->tt, r->list.at[i].entry, &out->summaries);
      tp_str_add(&out->summaries, " never to an error\n");
    }
  }
}
