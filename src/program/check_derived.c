/* The invariants of what tp_program_finish derives: rows of edges, orders, loops, cutpoints, flags.
 *
 * Derived data goes stale when somebody changes edges and forgets to finish the program again. Each
 * item is therefore compared with the edges themselves, by another argument than the one that
 * computed it: orders by counting, loops by their entries and by the retreating edges of the
 * reverse postorder, cutpoints by a topological order of the graph without them. Only recursion is
 * computed anew, by the same search.
 *
 * Terminates: each check is one pass over locations, edges or loops; the climb through enclosing
 * loops is bounded by their depth. */
#include "program/check_priv.h"
#include "program/finish_priv.h"

bool tp_model_check_fail(tp_model_check *c, const char *fmt, ...) {
  char text[512];
  va_list args;
  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  tp_str_add(c->why, text);
  return false;
}

// ------------------------------------------------------------------- adjacency

/* Edges leaving and entering l: those of l, by ascending id. */
static bool check_rows(tp_model_check *c, uint32_t l) {
  const tp_program *p = c->p;
  tp_edge_list out = tp_out_edges(p, (tp_loc){l}), in = tp_in_edges(p, (tp_loc){l});
  for (uint32_t i = 0; i < out.n; i++) {
    TP_MODEL_REQUIRE(out.at[i] < p->edges.n && p->edges.at[out.at[i]].from.id == l,
                     "L%u: a foreign edge in its row of leaving edges", l);
    TP_MODEL_REQUIRE(i == 0 || out.at[i - 1] < out.at[i], "L%u: leaving edges are not sorted", l);
  }
  for (uint32_t i = 0; i < in.n; i++) {
    TP_MODEL_REQUIRE(in.at[i] < p->edges.n && p->edges.at[in.at[i]].to.id == l,
                     "L%u: a foreign edge in its row of entering edges", l);
    TP_MODEL_REQUIRE(i == 0 || in.at[i - 1] < in.at[i], "L%u: entering edges are not sorted", l);
  }
  return true;
}

static bool check_adjacency(tp_model_check *c) {
  const tp_program *p = c->p;
  TP_MODEL_REQUIRE(p->out_start && p->in_start, "tp_program_finish has not run");
  TP_MODEL_REQUIRE(p->n_finished_locs == p->locs.n && p->n_finished_edges == p->edges.n,
                   "adjacency is older than the table of edges");
  size_t linked = 0;
  for (uint32_t e = 1; e < p->edges.n; e++) linked += p->edges.at[e].from.id != 0;
  TP_MODEL_REQUIRE(p->out_start[p->locs.n] == linked && p->in_start[p->locs.n] == linked,
                   "adjacency is older than the table of edges");
  for (uint32_t l = 1; l < p->locs.n; l++)
    if (!check_rows(c, l)) return false;
  return true;
}

// ---------------------------------------------------------------------- orders

/* Reached locations of each function are numbered 0, 1, ... with the entry first; edges leave
 * reached locations only. */
static bool check_orders(tp_model_check *c) {
  const tp_program *p = c->p;
  uint32_t *n_reached = tp_arena_array(&c->scratch, uint32_t, p->funcs.n);
  uint64_t *sum = tp_arena_array(&c->scratch, uint64_t, p->funcs.n);
  for (uint32_t l = 1; l < p->locs.n; l++) {
    const tp_loc_info *loc = &p->locs.at[l];
    if (loc->order == TP_ORDER_NONE) {
      TP_MODEL_REQUIRE(tp_out_edges(p, (tp_loc){l}).n == 0, "L%u has edges, but no order", l);
      continue;
    }
    n_reached[loc->func.id]++;
    sum[loc->func.id] += loc->order;
  }
  for (uint32_t l = 1; l < p->locs.n; l++) {
    const tp_loc_info *loc = &p->locs.at[l];
    TP_MODEL_REQUIRE(loc->order == TP_ORDER_NONE || loc->order < n_reached[loc->func.id],
                     "L%u: order out of range", l);
  }
  for (size_t f = 1; f < p->funcs.n; f++) {
    const uint64_t n = n_reached[f];
    TP_MODEL_REQUIRE(n == 0 || sum[f] == n * (n - 1) / 2, "function %s: orders are no permutation",
                     p->funcs.at[f].name);
    TP_MODEL_REQUIRE(!p->funcs.at[f].has_body || p->locs.at[p->funcs.at[f].entry.id].order == 0,
                     "function %s: its entry is not the first location", p->funcs.at[f].name);
  }
  for (uint32_t e = 1; e < p->edges.n; e++) {
    const tp_edge_info *edge = &p->edges.at[e];
    TP_MODEL_REQUIRE(!edge->from.id || p->locs.at[edge->to.id].order != TP_ORDER_NONE,
                     "edge %u leads to a location without order", e);
  }
  return true;
}

// ----------------------------------------------------------------------- loops

/* Does the loop contain the location? Enclosing loops have smaller numbers, so the climb ends. */
static bool contains(const tp_program *p, uint32_t loop, tp_loc l) {
  uint32_t at = p->locs.at[l.id].loop;
  while (at > loop) at = p->loops.at[at].parent;
  return at == loop;
}

static bool check_loop_table(tp_model_check *c) {
  const tp_program *p = c->p;
  for (uint32_t i = 1; i < p->loops.n; i++) {
    const tp_loop *l = &p->loops.at[i];
    TP_MODEL_REQUIRE(l->head.id && l->head.id < p->locs.n, "loop %u has no head", i);
    const tp_loc_info *head = &p->locs.at[l->head.id];
    TP_MODEL_REQUIRE(head->is_loop_head && head->loop == i, "loop %u: its head is another's", i);
    TP_MODEL_REQUIRE(l->parent < i, "loop %u: its parent stands behind it", i);
    TP_MODEL_REQUIRE(l->depth == (l->parent ? p->loops.at[l->parent].depth + 1 : 1),
                     "loop %u: depth does not follow from its parent", i);
    TP_MODEL_REQUIRE(
        !l->parent || p->locs.at[p->loops.at[l->parent].head.id].func.id == head->func.id,
        "loop %u: its parent is in another function", i);
  }
  for (uint32_t l = 1; l < p->locs.n; l++) {
    const tp_loc_info *loc = &p->locs.at[l];
    TP_MODEL_REQUIRE(loc->loop < p->loops.n, "location L%u: loop out of range", l);
    TP_MODEL_REQUIRE(!loc->is_loop_head || (loc->loop && p->loops.at[loc->loop].head.id == l),
                     "loop head L%u has no loop", l);
    TP_MODEL_REQUIRE(!loc->is_cutpoint || loc->is_loop_head, "cutpoint L%u is no loop head", l);
    TP_MODEL_REQUIRE(
        !loc->loop || p->locs.at[p->loops.at[loc->loop].head.id].func.id == loc->func.id,
        "location L%u: its loop is in another function", l);
  }
  return true;
}

/* An edge that goes back in reverse postorder leads to the head of a loop around its start. A loop
 * that is not irreducible is entered through its head only. */
static bool check_loop_edges(tp_model_check *c) {
  const tp_program *p = c->p;
  for (uint32_t e = 1; e < p->edges.n; e++) {
    const tp_edge_info *edge = &p->edges.at[e];
    if (!edge->from.id) continue;
    const tp_loc_info *from = &p->locs.at[edge->from.id], *to = &p->locs.at[edge->to.id];
    TP_MODEL_REQUIRE(
        to->order > from->order || (to->is_loop_head && contains(p, to->loop, edge->from)),
        "edge %u goes back to no loop head", e);
    for (uint32_t l = to->loop; l && !contains(p, l, edge->from); l = p->loops.at[l].parent)
      TP_MODEL_REQUIRE(p->loops.at[l].head.id == edge->to.id || p->loops.at[l].is_irreducible,
                       "edge %u enters loop %u beside its head", e, l);
  }
  return true;
}

// ------------------------------------------------------------------- cutpoints

/* Without the edges into cutpoints the graph has a topological order. */
static bool check_cutpoints(tp_model_check *c) {
  const tp_program *p = c->p;
  tp_mark mark = tp_arena_mark(&c->scratch);
  uint32_t *waits_for = tp_arena_array(&c->scratch, uint32_t, p->locs.n);
  uint32_t *ready = tp_arena_array(&c->scratch, uint32_t, p->locs.n);
  size_t n_ready = 0, n_done = 0;
  for (uint32_t l = 1; l < p->locs.n; l++) {
    waits_for[l] = p->locs.at[l].is_cutpoint ? 0 : tp_in_edges(p, (tp_loc){l}).n;
    if (waits_for[l] == 0) ready[n_ready++] = l;
  }
  while (n_done < n_ready) {
    tp_edge_list out = tp_out_edges(p, (tp_loc){ready[n_done++]});
    for (uint32_t i = 0; i < out.n; i++) {
      uint32_t to = p->edges.at[out.at[i]].to.id;
      if (!p->locs.at[to].is_cutpoint && --waits_for[to] == 0) ready[n_ready++] = to;
    }
  }
  tp_arena_release(&c->scratch, mark);
  TP_MODEL_REQUIRE(n_done == p->locs.n - 1, "a cycle passes no cutpoint");
  return true;
}

// ------------------------------------------------------------------- recursion

/* Rewritings remove calls and keep flags: a flag without a cycle is a loss of precision only. */
static bool check_recursion(tp_model_check *c) {
  const tp_program *p = c->p;
  bool *is_recursive = tp_arena_array(&c->scratch, bool, p->funcs.n);
  tp_program_find_recursion(p, is_recursive, &c->scratch);
  for (size_t f = 1; f < p->funcs.n; f++)
    TP_MODEL_REQUIRE(!is_recursive[f] || p->funcs.at[f].is_recursive,
                     "function %s: recursive, and not marked", p->funcs.at[f].name);
  return true;
}

bool tp_model_check_derived(tp_model_check *c) {
  return check_adjacency(c) && check_orders(c) && check_loop_table(c) && check_loop_edges(c) &&
         check_cutpoints(c) && check_recursion(c);
}
