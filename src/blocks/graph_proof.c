#include "blocks/graph_proof.h"

#include "blocks/unproved.h"
#include "blocks/import_nodes.h"
#include "engine/invariants.h"

// ----------------------------------------------------------------- certificate

/* Operations that the verdict rests on. */
static void add_assumptions(const tp_graph_proof *g, tp_invariants *v, tp_result *out) {
  tp_unproved doubts;
  tp_unproved_of_edges(g->task->program, g->task->property, g->blocks->followed, &doubts);
  for (size_t i = 0; i < doubts.assumptions.n; i++) {
    tp_invariants_add_assumption(v, doubts.assumptions.at[i]);
    tp_vec_push(&out->assumptions, tp_arena_strdup(&out->arena, doubts.assumptions.at[i]));
  }
  tp_unproved_clear(&doubts);
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
  for (uint32_t n = 1; n < b->nodes.n;
       n++) {  // main's entry has no label: the start is better than any formula
    const tp_block_node *node = &b->nodes.at[n];
    // between cutpoints a label would only make the checker forget the way
    if (!tp_block_node_is_bad(b, n) && tp_loc_of(p, node->loc)->is_cutpoint)
      tp_vec_push(&v.list, (tp_invariant){to[node->context.id], node->loc, g->known[n]});
  }
  add_assumptions(g, &v, out);
  bool ok = tp_invariants_write(&v, p, &out->certificate);
  tp_invariants_clear(&v);
  tp_free(to);
  return ok;
}

void tp_graph_proof_conclude_true(const tp_graph_proof *g, uint32_t k, tp_result *out) {
  if (!write_certificate(g, k, out)) {
    tp_result_give_up(out, "the proof speaks of something that has no name in certificates", NULL);
    return;
  }
  tp_str_clear(&out->facts);
  out->verdict = TP_VERDICT_TRUE;
  out->reason = out->hint = NULL;
}

// ---------------------------------------------------------------------- unknown

const char *tp_graph_proof_position(const tp_graph_proof *g, uint32_t node, tp_arena *arena) {
  const tp_program *p = g->task->program;
  return tp_position_text(p, tp_loc_of(p, g->blocks->nodes.at[node].loc)->pos, arena);
}

const char *tp_graph_proof_unmodelled_position(const tp_graph_proof *g, tp_arena *arena) {
  for (uint32_t n = 0; n < g->blocks->nodes.n; n++)
    if (g->blocks->nodes.at[n].is_open && !tp_is_false(g->task->program->terms, g->known[n]))
      return tp_graph_proof_position(g, n, arena);
  return NULL;
}

void tp_graph_proof_strengthen_facts(const tp_graph_proof *g, tp_result *out) {
  tp_str sharp = {0};
  bool is_closed = !g->blocks->gap && !tp_graph_proof_unmodelled_position(g, &out->arena);
  bool ok = out->facts.n && is_closed &&
            tp_import_strengthen(out->facts.text, g->blocks, g->known, &sharp);
  tp_str other = ok ? out->facts : sharp;
  if (ok) out->facts = sharp;
  tp_str_clear(&other);
}

// ------------------------------------------------------------------------- hunt

bool tp_falsify(const tp_task *task, const tp_budget *budget, uint32_t turns, tp_stats *stats,
                tp_result *out, uint32_t *bounded) {
  tp_stats own = {0};
  tp_task limited = *task;
  limited.bmc_max_unroll = turns;
  bool settled =
      tp_engine_delegate(tp_engine_find("bmc"), &limited, budget, TP_VERDICT_UNKNOWN, &own, out);
  *bounded = (uint32_t)own.proved_bound;
  stats->solver_calls += own.solver_calls;
  return settled;
}
