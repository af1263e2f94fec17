/* Imported invariants at nodes. Contexts of a record and of a graph are matched by their chains of
 * calls, parents first. */
#include "blocks/import_nodes.h"

static uint64_t key_of(tp_context c, tp_loc l) { return (uint64_t)c.id << 32 | l.id; }

/* By context: does no run enter it? Those whose function's entry has the formula false, and what is
 * called from them. */
static bool *find_unreachable(const tp_imported *imported, const tp_blocks *b) {
  const tp_program *p = b->paths->p;
  bool *unreachable = TP_NEW_ARRAY(bool, b->contexts->list.n);
  for (size_t i = 0; i < imported->list.n; i++) {
    const tp_imported_invariant *f = &imported->list.at[i];
    TP_INVARIANT(f->context.id < b->contexts->list.n);
    tp_func func = tp_context_of(b->contexts, f->context)->func;
    if (tp_func_of(p, func)->entry.id == f->loc.id && tp_is_false(p->terms, f->formula))
      unreachable[f->context.id] = true;
  }
  for (size_t c = 1; c < b->contexts->list.n; c++)
    unreachable[c] |= unreachable[b->contexts->list.at[c].parent.id];
  return unreachable;
}

void tp_import_at_nodes(const tp_imported *imported, const tp_blocks *b, tp_term *out) {
  TP_INVARIANT(tp_blocks_check(b));
  tp_terms *tt = b->paths->tt;
  bool *unreachable = find_unreachable(imported, b);
  tp_map at = {0};
  for (size_t i = 0; i < imported->list.n; i++)
    tp_map_set(&at, key_of(imported->list.at[i].context, imported->list.at[i].loc),
               imported->list.at[i].formula.id);
  out[0] = tp_mk_true(tt);  // before the program starts
  for (size_t n = 1; n < b->nodes.n; n++) {
    const tp_block_node *node = &b->nodes.at[n];
    uint64_t formula = tp_mk_true(tt).id;
    tp_map_get(&at, key_of(node->context, node->loc), &formula);
    out[n] = unreachable[node->context.id] ? tp_mk_false(tt) : (tp_term){(uint32_t)formula};
  }
  tp_map_clear(&at);
  tp_free(unreachable);
}

// --------------------------------------------------------------- strengthening

/* The record's context in the graph's table; NONE: the graph does not know it. */
static tp_context find_context(const tp_invariants *v, const tp_blocks *b, const tp_context *to,
                               size_t i) {
  const tp_context_info *c = &v->contexts.list.at[i];
  for (uint32_t k = 1; k < b->contexts->list.n; k++) {
    const tp_context_info *d = &b->contexts->list.at[k];
    bool is_same =
        d->func.id == c->func.id && d->call.id == c->call.id && d->contract == c->contract;
    if (is_same && d->parent.id == to[c->parent.id].id &&
        (d->parent.id != 0) == (c->parent.id != 0))
      return (tp_context){k};
  }
  return TP_CONTEXT_NONE;
}

void tp_import_strengthen(tp_invariants *v, const tp_blocks *b, const tp_term *known) {
  tp_terms *tt = b->paths->tt;
  tp_map node_at = {0};
  tp_context *to = TP_NEW_ARRAY(tp_context, v->contexts.list.n + 1);
  for (size_t i = 1; i < v->contexts.list.n; i++) to[i] = find_context(v, b, to, i);
  for (size_t n = 1; n < b->nodes.n; n++)
    tp_map_set(&node_at, key_of(b->nodes.at[n].context, b->nodes.at[n].loc), n);
  for (size_t i = 0; i < v->list.n; i++) {
    uint64_t n;
    tp_invariant *at = &v->list.at[i];
    if (!tp_map_get(&node_at, key_of(to[at->context.id], at->loc), &n)) continue;
    TP_INVARIANT(tp_block_node_may_use(b, (uint32_t)n, known[n]));
    at->formula = tp_mk_and(tt, at->formula, known[n]);
  }
  tp_free(to);
  tp_map_clear(&node_at);
}

// ------------------------------------------------------------------- intervals

bool tp_import_intervals(const tp_task *task, tp_budget budget, tp_stats *stats,
                         tp_contexts *contexts, tp_result *out, tp_imported *imported) {
  TP_REQUIRE(out->verdict == TP_VERDICT_UNKNOWN);
  tp_task intervals = *task;
  intervals.composition = NULL;
  tp_engine_find("interval")->run(&intervals, &budget, stats, out);
  if (out->verdict != TP_VERDICT_UNKNOWN) return true;
  tp_import_record(out->invariants, task->program, contexts, imported);
  return false;
}

void tp_import_interval_invariants(const tp_task *task, tp_budget budget, tp_stats *stats,
                                   tp_contexts *contexts, tp_imported *imported) {
  tp_result out;
  tp_result_init(&out);
  if (tp_import_intervals(task, budget, stats, contexts, &out, imported) &&
      out.verdict == TP_VERDICT_TRUE)
    tp_import_record(out.invariants, task->program, contexts, imported);
  tp_result_clear(&out);
}
