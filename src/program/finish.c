/* What follows from the edges alone: adjacency, reachability, orders.
 *
 * Adjacency is kept as two arrays in compressed rows (edges leaving and edges
 * entering each location, each by edge id), which every engine reads.
 * One iterative depth-first search from all function entries finds the reachable
 * locations, numbers them for the loop search, and yields reverse postorder. Successors are visited
 * last to first, so that in reverse postorder the first branch ("then", loop body) comes before the
 * second.
 *
 * A cycle of SKIPs without a way out (`while (1);`) is cut open: for every property a run that
 * does nothing for ever is as good as one that has ended, and only the latter can be unrolled.
 *
 * Edges out of unreachable locations stay in the table, because handles are
 * indexes, but become SKIPs without locations; the rows of
 * tp_out_edges and tp_in_edges do not contain them. */
#include "program/finish_priv.h"

/* Rows of edge ids by `key` of each linked edge. */
static void build_rows(tp_program *p, bool by_target, uint32_t **start, uint32_t **edges) {
  size_t n_locs = p->locs.n, n_edges = p->edges.n;
  if (!*start) {
    *start = tp_arena_array(&p->arena, uint32_t, n_locs + 1);
    *edges = tp_arena_array(&p->arena, uint32_t, n_edges);
  }
  uint32_t *first = *start;
  memset(first, 0, (n_locs + 1) * sizeof *first);
  for (size_t e = 1; e < n_edges; e++) {
    tp_loc key = by_target ? p->edges.at[e].to : p->edges.at[e].from;
    TP_INVARIANT(key.id < n_locs);
    if (key.id) first[key.id + 1]++;
  }
  for (size_t l = 0; l < n_locs; l++) first[l + 1] += first[l];
  for (size_t e = 1; e < n_edges; e++) {  // moves each start to its end
    tp_loc key = by_target ? p->edges.at[e].to : p->edges.at[e].from;
    if (key.id) (*edges)[first[key.id]++] = (uint32_t)e;
  }
  for (size_t l = n_locs; l > 0; l--) first[l] = first[l - 1];
  first[0] = 0;
}

static void build_adjacency(tp_program *p) {
  build_rows(p, false, &p->out_start, &p->out_edges);
  build_rows(p, true, &p->in_start, &p->in_edges);
  p->n_finished_locs = p->locs.n;
  p->n_finished_edges = p->edges.n;
}

// ------------------------------------------------------------------------ depth-first search

typedef struct {
  tp_loc loc;
  uint32_t left;  // successors still to visit
} dfs_frame;

static void enter(const tp_program *p, tp_dfs_tree *w, dfs_frame *stack, size_t *depth, tp_loc l) {
  TP_REQUIRE(l.id && l.id < p->locs.n && w->number[l.id] == 0);
  w->number[l.id] = ++w->n;
  w->at[w->n] = l;
  stack[(*depth)++] = (dfs_frame){l, tp_out_edges(p, l).n};
}

/* Search one function; its locations get `order` as they are left, counted downwards at the end. */
static void search_function(tp_program *p, tp_dfs_tree *w, dfs_frame *stack, tp_loc entry) {
  size_t depth = 0;
  uint32_t first = w->n + 1, n_left = 0;
  enter(p, w, stack, &depth, entry);
  while (depth > 0) {
    dfs_frame *top = &stack[depth - 1];
    if (top->left > 0) {
      uint32_t e = tp_out_edges(p, top->loc).at[--top->left];
      tp_loc to = p->edges.at[e].to;
      if (w->number[to.id] == 0) enter(p, w, stack, &depth, to);
    } else {
      w->last[top->loc.id] = w->n;
      p->locs.at[top->loc.id].order = n_left++;
      depth--;
    }
  }
  TP_INVARIANT(n_left == w->n + 1 - first);  // every location entered was left
  for (uint32_t i = first; i <= w->n; i++) {
    tp_loc_info *l = &p->locs.at[w->at[i].id];
    l->order = n_left - 1 - l->order;
  }
}

static tp_dfs_tree search_all(tp_program *p, tp_arena *scratch) {
  size_t n = p->locs.n;
  tp_dfs_tree w = {.number = tp_arena_array(scratch, uint32_t, n),
                   .last = tp_arena_array(scratch, uint32_t, n),
                   .at = tp_arena_array(scratch, tp_loc, n + 1)};
  dfs_frame *stack = tp_arena_array(scratch, dfs_frame, n);
  for (size_t f = 1; f < p->funcs.n; f++) {
    tp_loc entry = p->funcs.at[f].entry;
    if (p->funcs.at[f].has_body && entry.id && w.number[entry.id] == 0)
      search_function(p, &w, stack, entry);
  }
  return w;
}

static bool unlink_unreachable(tp_program *p, const tp_dfs_tree *w) {
  bool any = false;
  for (size_t e = 1; e < p->edges.n; e++) {
    tp_edge_info *edge = &p->edges.at[e];
    if (edge->from.id == 0 || w->number[edge->from.id] != 0) continue;
    *edge = (tp_edge_info){.kind = TP_E_SKIP, .pos = edge->pos};
    any = true;
  }
  return any;
}

/* The only edge out of l if it does nothing; 0 otherwise. */
static uint32_t idle_step(const tp_program *p, tp_loc l) {
  tp_edge_list out = tp_out_edges(p, l);
  return out.n == 1 && p->edges.at[out.at[0]].kind == TP_E_SKIP ? out.at[0] : 0;
}

/* Follows idle steps from each location; a path that meets itself has found a cycle. */
static bool cut_idle_cycles(tp_program *p, tp_arena *scratch) {
  uint32_t *path = tp_arena_array(scratch, uint32_t, p->locs.n);
  bool any = false;
  for (uint32_t start = 1; start < p->locs.n; start++) {
    uint32_t step = 0;
    for (tp_loc at = {start}; !path[at.id] && (step = idle_step(p, at)) != 0;
         at = p->edges.at[step].to) {
      path[at.id] = start;
      tp_loc next = p->edges.at[step].to;
      if (path[next.id] != start) continue;
      tp_loc_info *cut = &p->locs.at[p->edges.at[step].from.id];
      cut->is_idle = true;
      if (!tp_pos_known(cut->pos)) cut->pos = p->edges.at[step].pos;
      p->edges.at[step] = (tp_edge_info){.kind = TP_E_SKIP, .pos = p->edges.at[step].pos};
      any = true;
      break;
    }
  }
  return any;
}

static void reset(tp_program *p) {
  p->out_start = p->out_edges = p->in_start = p->in_edges = NULL;
  p->loops.n = 1;
  for (size_t l = 1; l < p->locs.n; l++) {
    tp_loc_info *loc = &p->locs.at[l];
    loc->is_loop_head = loc->is_cutpoint = false;
    loc->loop = 0;
    loc->order = TP_ORDER_NONE;
  }
}

void tp_program_finish(tp_program *p) {
  TP_REQUIRE(p->locs.n >= 1 && p->edges.n >= 1 && p->loops.n >= 1);
  tp_arena scratch;
  tp_arena_init(&scratch);
  reset(p);
  build_adjacency(p);
  if (cut_idle_cycles(p, &scratch)) build_adjacency(p);
  tp_dfs_tree w = search_all(p, &scratch);
  if (unlink_unreachable(p, &w)) build_adjacency(p);
  tp_program_find_loops(p, &w, &scratch);
  tp_program_choose_cutpoints(p, &w, &scratch);
  bool *is_recursive = tp_arena_array(&scratch, bool, p->funcs.n);
  tp_program_find_recursion(p, is_recursive, &scratch);
  for (size_t f = 1; f < p->funcs.n; f++) p->funcs.at[f].is_recursive = is_recursive[f];
  tp_arena_clear(&scratch);
  tp_program_require_derived(p);
}
