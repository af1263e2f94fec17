/* From invariants at nodes to a certificate, whose cutpoints are the graph's nodes at loop heads:
 * the checker's paths between two cutpoints are the graph's blocks. */
#include "blocks/graph_proof.h"

#include "blocks/candidate_folds.h"
#include "blocks/import_nodes.h"
#include "blocks/unproved.h"
#include "engine/invariants.h"

// ----------------------------------------------------------------- certificate

/* Operations that the verdict rests on. */
static void add_assumptions(const tp_graph_proof *g, tp_invariants *v, tp_result *out) {
  tp_unproved unproved;
  tp_unproved_of_edges(g->task->program, g->task->property, g->blocks->followed, &unproved);
  for (size_t i = 0; i < unproved.assumptions.n; i++) {
    tp_invariants_add_assumption(v, unproved.assumptions.at[i]);
    tp_vec_push(&out->assumptions, tp_arena_strdup(&out->arena, unproved.assumptions.at[i]));
  }
  tp_unproved_clear(&unproved);
}

/* The graph's contexts in the certificate's own numbers. A context comes behind its parent, and was
 * entered only if that was. */
static void add_contexts(const tp_graph_proof *g, tp_invariants *v, tp_context *to) {
  const tp_contexts *contexts = g->blocks->contexts;
  for (size_t i = 1; i < contexts->list.n; i++) {
    const tp_context_info *c = &contexts->list.at[i];
    if (!tp_map_has(&g->blocks->entered, i)) continue;
    to[i] = c->parent.id ? tp_context_push(&v->contexts, to[c->parent.id], c->call, c->func)
                         : tp_context_root(&v->contexts, c->func, 0);
  }
}

static bool write_certificate(const tp_graph_proof *g, uint32_t k, tp_result *out) {
  const tp_program *p = g->task->program;
  const tp_blocks *b = g->blocks;
  tp_invariants v;
  tp_context *to = TP_NEW_ARRAY(tp_context, b->contexts->list.n);
  tp_invariants_init(&v);
  v.property = g->task->property;
  v.ptr_bits = p->ptr_bits;
  v.fingerprint = tp_program_fingerprint(p);
  v.k = k + 1;
  add_contexts(g, &v, to);
  // main's entry is no cutpoint: the initial states are better than any formula
  for (uint32_t n = 1; n < b->nodes.n; n++) {
    const tp_block_node *node = &b->nodes.at[n];
    // between loop heads a cutpoint would only make the checker lose the path
    if (!tp_block_node_is_bad(b, n) && tp_loc_of(p, node->loc)->is_cutpoint)
      tp_vec_push(&v.list, (tp_invariant){to[node->context.id], node->loc, g->known[n]});
  }
  for (size_t i = 0; g->folds && i < g->folds->list.n; i++)
    tp_vec_push(&v.folds, g->folds->list.at[i]);
  add_assumptions(g, &v, out);
  bool ok = tp_invariants_write(&v, p, &out->certificate);
  tp_invariants_clear(&v);
  tp_free(to);
  return ok;
}

void tp_graph_proof_conclude_true(const tp_graph_proof *g, uint32_t k, tp_result *out) {
  TP_REQUIRE(!g->blocks->gap);
  TP_REQUIRE(!tp_graph_proof_unmodelled_position(g, &out->arena));
  if (!write_certificate(g, k, out)) {
    tp_result_give_up(out, "the proof speaks of something that has no name in certificates", NULL);
    return;
  }
  tp_result_set_invariants(out, NULL);
  out->verdict = TP_VERDICT_TRUE;
  out->reason = out->hint = NULL;
}

// ---------------------------------------------------------------------- unknown

const char *tp_graph_proof_position(const tp_graph_proof *g, uint32_t node, tp_arena *arena) {
  TP_REQUIRE(node < g->blocks->nodes.n);
  const tp_program *p = g->task->program;
  return tp_position_text(p, tp_loc_of(p, g->blocks->nodes.at[node].loc)->pos, arena);
}

const char *tp_graph_proof_unmodelled_position(const tp_graph_proof *g, tp_arena *arena) {
  for (uint32_t n = 0; n < g->blocks->nodes.n; n++)
    if (g->blocks->nodes.at[n].is_unmodelled && !tp_is_false(g->task->program->terms, g->known[n]))
      return tp_graph_proof_position(g, n, arena);
  return NULL;
}

void tp_graph_proof_strengthen(const tp_graph_proof *g, tp_result *out) {
  const bool is_closed = !g->blocks->gap && !tp_graph_proof_unmodelled_position(g, &out->arena);
  if (out->invariants && is_closed) tp_import_strengthen(out->invariants, g->blocks, g->known);
}
