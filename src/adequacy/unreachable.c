/* Missed abstract states that no run comes to.
 *
 * All of them are assumed to be that, at every cutpoint, together with what the closed set says.
 * Then it is asked of each whether k blocks lead there all the same; one that is led to is assumed
 * no longer, and the others are asked again. Those left are unreachable: the first of them that a
 * run comes to would stand less than k blocks from the start, where it was looked for, or behind k
 * blocks from states that meet all that is assumed. Source: Sheeran, Singh, Stalmarck 2000, with
 * candidates that keep each other (Flanagan, Leino 2001). */
#include "adequacy/adequacy_priv.h"
#include "adequacy/adequacy_limits.h"
#include "blocks/induction.h"

typedef struct {
  tp_adequacy *x;
  uint32_t k;
  bool *is_left;  // by abstract state: assumed to be unreachable
  bool has_changed;
} search;

/* What is assumed at the nodes. */
static tp_term *assumed(const search *u) {
  tp_adequacy *x = u->x;
  tp_term *known = tp_adequacy_known_at_nodes(x);
  for (uint32_t i = 0; i < x->c->states.n; i++) {
    const tp_abstract_state *a = &x->c->states.at[i];
    uint32_t node = x->node_of[a->cutpoint];
    if (u->is_left[i])
      known[node] =
          tp_mk_and(x->run.tt, known[node], tp_mk_not(x->run.tt, tp_coverage_cube(x->c, i)));
  }
  return known;
}

static bool is_asked_at(const search *u, uint32_t node) {
  const tp_adequacy *x = u->x;
  if (x->cutpoint_of[node] == TP_NO_CUTPOINT) return false;
  const tp_cutpoint_coverage *at = &x->c->cutpoints.at[x->cutpoint_of[node]];
  for (size_t i = 0; i < at->states.n; i++)
    if (u->is_left[at->states.at[i]]) return true;
  return false;
}

/* Does the path lead to one that is left? What it leads to is left no more. */
static void ask_along(search *u, const tp_path *path, uint32_t node) {
  tp_adequacy *x = u->x;
  const tp_cutpoint_coverage *at = &x->c->cutpoints.at[x->cutpoint_of[node]];
  tp_segment s = {.paths = &x->run.paths,
                  .path = path,
                  .to = at,
                  .layout = tp_mk_true(x->run.tt),
                  .options = tp_adequacy_query_options(x)};
  for (size_t i = 0; i < at->states.n && !tp_adequacy_is_over(x); i++) {
    uint32_t state = at->states.at[i];
    if (!u->is_left[state]) continue;
    x->report->counters.classification_calls++;
    if (tp_segment_ask_for(&s, x->c->states.at[state].values) == TP_SMT_UNSAT) continue;
    u->is_left[state] = false;
    u->has_changed = true;
  }
  tp_segment_clear(&s);
}

/* All ways of k blocks from this node. */
static void ask_from(search *u, tp_induction *along, uint32_t node) {
  tp_adequacy *x = u->x;
  tp_node_paths w = tp_induction_paths_from(along, node);
  for (uint32_t i = 1; i < u->k; i++) {
    tp_node_paths more = tp_induction_extended(along, &w, NULL);
    tp_induction_clear_paths(&x->run.blocks, &w);
    w = more;
  }
  for (size_t i = 0; i < x->run.blocks.list.n; i++) {
    const tp_block *b = &x->run.blocks.list.at[i];
    if (!w.has[b->from] || !is_asked_at(u, b->to)) continue;
    tp_path path = tp_path_then(&x->run.paths, &w.at[b->from], &b->path);
    ask_along(u, &path, b->to);
    tp_path_clear(&path);
  }
  tp_induction_clear_paths(&x->run.blocks, &w);
}

static void ask_all(search *u) {
  tp_adequacy *x = u->x;
  tp_term *known = assumed(u);
  tp_induction along;
  tp_induction_init(&along, &x->run.blocks, known, tp_adequacy_query_options(x));
  for (uint32_t n = 1; n < x->run.blocks.nodes.n && !tp_adequacy_is_over(x); n++)
    if (x->cutpoint_of[n] != TP_NO_CUTPOINT) ask_from(u, &along, n);
  tp_induction_clear(&along);
  tp_free(known);
}

void tp_adequacy_find_unreachable(tp_adequacy *x, uint32_t k, const bool *excused) {
  search u = {
      .x = x, .k = k, .is_left = TP_NEW_ARRAY(bool, x->c->states.n + 1), .has_changed = true};
  for (uint32_t i = 0; i < x->c->states.n; i++)
    u.is_left[i] =
        x->c->states.at[i].is_missed && x->c->states.at[i].reach != TP_REACH_REAL && !excused[i];
  for (uint32_t round = 0; round < TP_ADEQUACY_UNREACHABLE_ROUNDS && u.has_changed; round++) {
    u.has_changed = false;
    ask_all(&u);
  }
  for (uint32_t i = 0; i < x->c->states.n; i++)
    if (u.is_left[i] && !u.has_changed && !tp_adequacy_is_over(x))
      x->c->states.at[i].reach = TP_REACH_NEVER;
  tp_free(u.is_left);
}
