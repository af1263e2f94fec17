/* Which cutpoint a concrete state is at, with its call string, and which abstract state it is in
 * there. */
#include "adequacy/adequacy_priv.h"

#include "adequacy/adequacy_limits.h"
#include "exec/inject.h"

static uint64_t call_key(uint32_t context, uint32_t call, uint32_t func) {
  return tp_hash_mix((uint64_t)context << 32 | call, func);
}
static uint64_t node_key(tp_context context, tp_loc loc) {
  return (uint64_t)context.id << 32 | loc.id;
}

/* Predicates asked at this node: what its variables allow. */
static void add_probes(tp_adequacy *x, uint32_t node, tp_cutpoint_coverage *cutpoint) {
  TP_REQUIRE(node < x->run.blocks.nodes.n);
  const tp_probes *probes = &x->q->probes;
  for (size_t i = 0; i < probes->n && x->q->settings.domain == TP_ABSTRACT_PREDICATES; i++) {
    const tp_probe *b = &probes->at[i];
    if (b->at.id != cutpoint->loc.id || cutpoint->probes.n >= TP_ADEQUACY_PROBES_AT_CUTPOINT)
      continue;
    bool is_known = !tp_block_node_may_use(&x->run.blocks, node, b->term) ||
                    !tp_paths_is_expressible(&x->run.paths, b->term);
    for (size_t k = 0; k < cutpoint->probes.n; k++)
      is_known |= tp_term_eq(cutpoint->probes.at[k].term, b->term);
    if (!is_known) tp_vec_push(&cutpoint->probes, *b);
  }
  x->report->counters.predicates += cutpoint->probes.n;
}

static void add_cutpoint(tp_adequacy *x, uint32_t node) {
  TP_REQUIRE(node < x->run.blocks.nodes.n);
  const tp_block_node *n = &x->run.blocks.nodes.at[node];
  uint32_t at = (uint32_t)x->c->cutpoints.n;
  tp_cutpoint_coverage cutpoint = {.context = n->context, .loc = n->loc};
  add_probes(x, node, &cutpoint);
  tp_vec_push(&x->c->cutpoints, cutpoint);
  x->cutpoint_of[node] = at;
  x->node_of[at] = node;
  x->is_cutpoint[n->loc.id] = true;
  tp_map_set(&x->node_at, node_key(n->context, n->loc), node + 1);
}

void tp_adequacy_find_cutpoints(tp_adequacy *x) {
  const tp_contexts *contexts = &x->report->contexts;
  x->cutpoint_of = TP_NEW_ARRAY(uint32_t, x->run.blocks.nodes.n);
  x->node_of = TP_NEW_ARRAY(uint32_t, x->run.blocks.nodes.n);
  x->is_cutpoint = TP_NEW_ARRAY(bool, x->run.p->locs.n);
  for (uint32_t n = 0; n < x->run.blocks.nodes.n; n++) {
    x->cutpoint_of[n] = TP_NO_CUTPOINT;
    if (n > 0 && !tp_block_node_is_bad(&x->run.blocks, n)) add_cutpoint(x, n);
  }
  for (uint32_t c = 1; c < contexts->list.n; c++) {
    const tp_context_info *info = tp_context_of(contexts, (tp_context){c});
    if (info->parent.id)
      tp_map_set(&x->context_of_call, call_key(info->parent.id, info->call.id, info->func.id), c);
  }
  x->report->counters.cutpoints = x->c->cutpoints.n;
}

bool tp_adequacy_is_new(const tp_adequacy *x, uint32_t cutpoint, const tp_state *s) {
  TP_REQUIRE(cutpoint < x->c->cutpoints.n);
  int64_t point[TP_NUMERIC_POLY_DIMS];
  if (x->numeric)
    return tp_numeric_point(x->numeric, cutpoint, s, point) &&
           !tp_numeric_contains(x->numeric, cutpoint, point);
  return tp_coverage_find(x->c, cutpoint, tp_coverage_values(x->c, cutpoint, s)) == UINT32_MAX;
}

tp_term tp_adequacy_formula(const tp_adequacy *x, uint32_t cutpoint) {
  TP_REQUIRE(cutpoint < x->c->cutpoints.n);
  return x->numeric ? tp_numeric_formula(x->numeric, cutpoint, NULL)
                    : tp_coverage_formula(x->c, cutpoint);
}

/* The call string of the state's frames; 0: the graph does not have it. */
static uint32_t context_of(const tp_adequacy *x, const tp_state *s) {
  uint64_t context = x->run.blocks.nodes.at[0].context.id;
  for (size_t i = 1; i < tp_state_depth(s) && context; i++) {
    tp_edge call;
    tp_func func = tp_state_frame(s, i, &call);
    if (!tp_map_get(&x->context_of_call, call_key((uint32_t)context, call.id, func.id), &context))
      context = 0;
  }
  return (uint32_t)context;
}

uint32_t tp_adequacy_cutpoint_of(const tp_adequacy *x, const tp_state *s) {
  tp_loc loc = tp_state_loc(s);
  uint64_t node;
  if (!x->is_cutpoint[loc.id] ||
      !tp_map_get(&x->node_at, node_key((tp_context){context_of(x, s)}, loc), &node))
    return TP_NO_CUTPOINT;
  return x->cutpoint_of[node - 1];
}
