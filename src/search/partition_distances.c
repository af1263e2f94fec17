/* Shortest abstract paths, kept while cells are split and steps are closed.
 *
 * Every leaf has its distance from the start and the leaf before it on a shortest path. A split
 * changes no distance: what led to the cell leads to both parts, what was behind it is behind one
 * of them. Closing a step makes distances grow, if it was the last on some shortest path. Then
 * (Ramalingam, Reps 1996): in the order of distances, a leaf that finds no other leaf before it,
 * one step nearer and not affected itself, is affected, and so may be those that had it before
 * them; afterwards the affected ones get their distances anew from those that are not, nearest
 * first. Distances never shrink, so this ends. */
#include "search/partition_priv.h"

// -------------------------------------------------------------------------- heap

static void push(struct tp_partition_distances *w, uint32_t level, uint32_t cell) {
  tp_vec_push(&w->heap, tp_step_key(level, cell));
  for (size_t i = w->heap.n - 1; i > 0 && w->heap.at[i] < w->heap.at[(i - 1) / 2];
       i = (i - 1) / 2) {
    uint64_t t = w->heap.at[i];
    w->heap.at[i] = w->heap.at[(i - 1) / 2];
    w->heap.at[(i - 1) / 2] = t;
  }
}

static uint64_t pop(struct tp_partition_distances *w) {
  TP_REQUIRE(w->heap.n > 0);
  uint64_t top = w->heap.at[0], last = tp_vec_pop(&w->heap);
  size_t i = 0, n = w->heap.n;
  if (!n) return top;
  for (size_t child; (child = 2 * i + 1) < n; i = child) {
    if (child + 1 < n && w->heap.at[child + 1] < w->heap.at[child]) child++;
    if (last <= w->heap.at[child]) break;
    w->heap.at[i] = w->heap.at[child];
  }
  w->heap.at[i] = last;
  return top;
}

// ------------------------------------------------------------------------- start

/* Blocks by their targets, in the order of the graph. */
static void find_blocks_in(tp_partition *pt) {
  const tp_blocks *b = pt->blocks;
  struct tp_partition_distances *w = pt->distances;
  w->first_in = TP_NEW_ARRAY(uint32_t, b->nodes.n + 2);
  w->in = TP_NEW_ARRAY(uint32_t, b->list.n + 1);
  for (size_t i = 0; i < b->list.n; i++) w->first_in[b->list.at[i].to + 2]++;
  for (size_t n = 2; n <= b->nodes.n + 1; n++) w->first_in[n] += w->first_in[n - 1];
  for (uint32_t i = 0; i < b->list.n; i++) w->in[w->first_in[b->list.at[i].to + 1]++] = i;
}

void tp_partition_distances_new(tp_partition *pt) {
  pt->distances = TP_NEW(struct tp_partition_distances);
  pt->distances->leaves = TP_NEW_ARRAY(tp_cell_list, pt->blocks->nodes.n);
  tp_vec_push(&pt->distances->links, (tp_cell_links){0});
  find_blocks_in(pt);
}

void tp_partition_distances_free(tp_partition *pt) {
  struct tp_partition_distances *w = pt->distances;
  if (!w) return;
  for (size_t c = 0; c < w->links.n; c++) {
    tp_vec_clear(&w->links.at[c].closed_to);
    tp_vec_clear(&w->links.at[c].closed_from);
  }
  for (size_t n = 0; n < pt->blocks->nodes.n; n++) tp_vec_clear(&w->leaves[n]);
  tp_vec_clear(&w->links);
  tp_vec_clear(&w->stale);
  tp_vec_clear(&w->heap);
  tp_free(w->leaves);
  tp_free(w->first_in);
  tp_free(w->in);
  tp_free(w);
}

/* Behind nothing yet: its distance is found when distances are asked for. */
void tp_partition_distances_add_root(tp_partition *pt, uint32_t cell) {
  struct tp_partition_distances *w = pt->distances;
  uint32_t node = pt->cells.at[cell].node;
  tp_vec_push(&w->links, (tp_cell_links){.level = node == 0 ? 0 : TP_UNREACHED - 1});
  tp_vec_push(&w->leaves[node], cell);
  if (node) tp_vec_push(&w->stale, cell);
}

// -------------------------------------------------------------------------- steps

static bool is_closed(const tp_partition *pt, uint32_t from, uint32_t to) {
  return pt->distances->links.at[to].closed_from.n > 0 &&
         tp_partition_status(pt, from, to) == TP_STEP_CLOSED;
}

typedef struct {
  const tp_partition *pt;
  uint32_t cell;
  uint32_t block,
      leaf;  // next: of the blocks out of (or into) the node, of the leaves behind (before) it
} stepper;

/* The next leaf to which an open step leads from the cell; 0: no more. */
static uint32_t next_to(stepper *s) {
  const tp_blocks *b = s->pt->blocks;
  uint32_t node = s->pt->cells.at[s->cell].node, first = b->first.at[node],
           n = b->first.at[node + 1] - first;
  for (; s->block < n; s->block++, s->leaf = 0) {
    const tp_cell_list *leaves = &s->pt->distances->leaves[b->list.at[first + s->block].to];
    while (s->leaf < leaves->n) {
      uint32_t to = leaves->at[s->leaf++];
      if (!is_closed(s->pt, s->cell, to)) return to;
    }
  }
  return 0;
}

/* The same backwards. */
static uint32_t next_from(stepper *s) {
  const struct tp_partition_distances *w = s->pt->distances;
  uint32_t node = s->pt->cells.at[s->cell].node, first = w->first_in[node],
           n = w->first_in[node + 1] - first;
  for (; s->block < n; s->block++, s->leaf = 0) {
    const tp_cell_list *leaves = &w->leaves[s->pt->blocks->list.at[w->in[first + s->block]].from];
    while (s->leaf < leaves->n) {
      uint32_t from = leaves->at[s->leaf++];
      if (!is_closed(s->pt, from, s->cell)) return from;
    }
  }
  return 0;
}

// -------------------------------------------------------------------------- split

static void note_closed(tp_partition *pt, uint32_t from, uint32_t to) {
  tp_map_set(&pt->status, tp_step_key(from, to), TP_STEP_CLOSED);
  tp_vec_push(&pt->distances->links.at[from].closed_to, to);
  tp_vec_push(&pt->distances->links.at[to].closed_from, from);
}

/* What was closed is closed for both parts. */
static void inherit(tp_partition *pt, uint32_t cell, uint32_t yes, uint32_t no) {
  struct tp_partition_distances *w = pt->distances;
  for (size_t i = 0; i < w->links.at[cell].closed_to.n; i++) {
    uint32_t to = w->links.at[cell].closed_to.at[i];
    if (to == cell) {  // a step to itself
      const uint32_t parts[] = {yes, no};
      for (int k = 0; k < 4; k++) note_closed(pt, parts[k / 2], parts[k % 2]);
    } else if (tp_partition_is_leaf(pt, to)) {
      note_closed(pt, yes, to);
      note_closed(pt, no, to);
    }
  }
  for (size_t i = 0; i < w->links.at[cell].closed_from.n; i++) {
    uint32_t from = w->links.at[cell].closed_from.at[i];
    if (from == cell || !tp_partition_is_leaf(pt, from)) continue;
    note_closed(pt, from, yes);
    note_closed(pt, from, no);
  }
  tp_vec_clear(&w->links.at[cell].closed_to);
  tp_vec_clear(&w->links.at[cell].closed_from);
}

void tp_partition_distances_split(tp_partition *pt, uint32_t cell) {
  TP_REQUIRE(!tp_partition_is_leaf(pt, cell));
  struct tp_partition_distances *w = pt->distances;
  uint32_t yes = pt->cells.at[cell].yes, no = pt->cells.at[cell].no;
  tp_cell_list *leaves = &w->leaves[pt->cells.at[cell].node];
  tp_partition_distances_update(pt);  // so that distances fit
  tp_cell_links part = {.level = w->links.at[cell].level, .before = w->links.at[cell].before};
  for (stepper s = {pt, cell, 0, 0};;) {  // those that had it before them
    uint32_t to = next_to(&s);
    if (!to) break;
    if (w->links.at[to].before == cell) w->links.at[to].before = yes;
  }
  tp_vec_push(&w->links, part);
  tp_vec_push(&w->links, part);
  for (size_t i = 0; i < leaves->n; i++)
    if (leaves->at[i] == cell) leaves->at[i] = yes;
  tp_vec_push(leaves, no);
  inherit(pt, cell, yes, no);
}

// -------------------------------------------------------------------------- close

void tp_partition_distances_close(tp_partition *pt, uint32_t from, uint32_t to) {
  TP_REQUIRE(from < pt->distances->links.n && to < pt->distances->links.n);
  struct tp_partition_distances *w = pt->distances;
  tp_vec_push(&w->links.at[from].closed_to, to);
  tp_vec_push(&w->links.at[to].closed_from, from);
  if (w->links.at[to].before == from) tp_vec_push(&w->stale, to);
}

/* Another leaf before it, as near as the last one was? */
static bool finds_other(tp_partition *pt, uint32_t cell) {
  struct tp_partition_distances *w = pt->distances;
  for (stepper s = {pt, cell, 0, 0};;) {
    uint32_t from = next_from(&s);
    if (!from) return false;
    if (w->links.at[from].is_affected || w->links.at[from].level == TP_UNREACHED ||
        w->links.at[from].level + 1 != w->links.at[cell].level)
      continue;
    w->links.at[cell].before = from;
    return true;
  }
}

static void find_affected(tp_partition *pt, tp_cell_list *affected) {
  struct tp_partition_distances *w = pt->distances;
  for (size_t i = 0; i < w->stale.n; i++)
    push(w, w->links.at[w->stale.at[i]].level, w->stale.at[i]);
  w->stale.n = 0;
  while (w->heap.n) {
    uint32_t cell = (uint32_t)pop(w);
    if (w->links.at[cell].is_affected || finds_other(pt, cell)) continue;
    w->links.at[cell].is_affected = true;
    tp_vec_push(affected, cell);
    for (stepper s = {pt, cell, 0, 0};;) {
      uint32_t to = next_to(&s);
      if (!to) break;
      if (w->links.at[to].before == cell && !w->links.at[to].is_affected)
        push(w, w->links.at[to].level, to);
    }
  }
}

static void nearer(struct tp_partition_distances *w, uint32_t cell, uint32_t level,
                   uint32_t before) {
  if (w->links.at[cell].level <= level) return;
  w->links.at[cell].level = level;
  w->links.at[cell].before = before;
  push(w, level, cell);
}

void tp_partition_distances_update(tp_partition *pt) {
  struct tp_partition_distances *w = pt->distances;
  tp_cell_list affected = {0};
  if (!w->stale.n) return;
  find_affected(pt, &affected);
  for (size_t i = 0; i < affected.n; i++) {
    w->links.at[affected.at[i]].level = TP_UNREACHED;
    w->links.at[affected.at[i]].before = 0;
  }
  for (size_t i = 0; i < affected.n; i++)
    for (stepper s = {pt, affected.at[i], 0, 0};;) {
      uint32_t from = next_from(&s);
      if (!from) break;
      if (!w->links.at[from].is_affected && w->links.at[from].level != TP_UNREACHED)
        nearer(w, affected.at[i], w->links.at[from].level + 1, from);
    }
  while (w->heap.n) {
    uint64_t top = pop(w);
    uint32_t cell = (uint32_t)top, level = (uint32_t)(top >> 32);
    if (!w->links.at[cell].is_affected || w->links.at[cell].level != level) continue;
    w->links.at[cell].is_affected = false;
    for (stepper s = {pt, cell, 0, 0};;) {
      uint32_t to = next_to(&s);
      if (!to) break;
      if (w->links.at[to].is_affected) nearer(w, to, level + 1, cell);
    }
  }
  for (size_t i = 0; i < affected.n; i++) w->links.at[affected.at[i]].is_affected = false;
  tp_vec_clear(&affected);
}

// --------------------------------------------------------------------------- check

/* Is the step from the leaf before it on a shortest path one that is open, and one shorter? */
static bool is_last_step(const tp_partition *pt, uint32_t from, uint32_t cell) {
  const struct tp_partition_distances *w = pt->distances;
  return from > 0 && from < w->links.n && tp_partition_is_leaf(pt, from) &&
         w->links.at[from].level + 1 == w->links.at[cell].level && !is_closed(pt, from, cell) &&
         tp_partition_block(pt, pt->cells.at[from].node, pt->cells.at[cell].node) != UINT32_MAX;
}

static bool has(const uint32_t *list, size_t n, uint32_t cell) {
  for (size_t i = 0; i < n; i++)
    if (list[i] == cell) return true;
  return false;
}

/* Between leaves: what is closed to one is closed from the other, and has that status. */
static bool are_closed_steps_known(const tp_partition *pt, uint32_t cell) {
  const struct tp_partition_distances *w = pt->distances;
  const tp_cell_links *l = &w->links.at[cell];
  for (size_t i = 0; i < l->closed_to.n; i++) {
    const uint32_t to = l->closed_to.at[i];
    if (!tp_partition_is_leaf(pt, to)) continue;
    const tp_cell_links *k = &w->links.at[to];
    if (tp_partition_status(pt, cell, to) != TP_STEP_CLOSED ||
        !has(k->closed_from.at, k->closed_from.n, cell))
      return false;
  }
  return true;
}

/* No open step is a shorter way, and the way that is known is one. */
static bool is_shortest(const tp_partition *pt, uint32_t cell) {
  const tp_cell_links *l = &pt->distances->links.at[cell];
  if (l->is_affected) return false;
  if (l->level == TP_UNREACHED) return true;
  if (l->level > 0 && !is_last_step(pt, l->before, cell)) return false;
  for (stepper s = {pt, cell, 0, 0};;) {
    const uint32_t to = next_to(&s);
    if (!to) return true;
    if (pt->distances->links.at[to].level > l->level + 1) return false;
  }
}

bool tp_partition_distances_check(const tp_partition *pt) {
  const struct tp_partition_distances *w = pt->distances;
  size_t n_listed = 0, n_leaves = 0;
  if (w->links.n != pt->cells.n || w->heap.n) return false;
  for (uint32_t n = 0; n < pt->blocks->nodes.n; n++) {
    n_listed += w->leaves[n].n;
    for (size_t i = 0; i < w->leaves[n].n; i++) {
      const uint32_t cell = w->leaves[n].at[i];
      if (!tp_partition_is_leaf(pt, cell) || pt->cells.at[cell].node != n) return false;
      if (!are_closed_steps_known(pt, cell)) return false;
      if (!w->stale.n && !is_shortest(pt, cell)) return false;  // until they are up to date again
    }
  }
  for (uint32_t c = 1; c < pt->cells.n; c++) n_leaves += tp_partition_is_leaf(pt, c);
  return n_listed == n_leaves;
}

// --------------------------------------------------------------------------- paths

uint32_t tp_partition_distance(tp_partition *pt, uint32_t cell) {
  TP_REQUIRE(tp_partition_is_leaf(pt, cell));
  tp_partition_distances_update(pt);
  return pt->distances->links.at[cell].level;
}

/* The nearest leaf at an error or open node; 0: none can be reached. */
static uint32_t nearest_bad(tp_partition *pt) {
  uint32_t best = 0;
  tp_partition_distances_update(pt);
  for (uint32_t n = 0; n < pt->blocks->nodes.n; n++) {
    if (!tp_block_node_is_bad(pt->blocks, n) || (pt->is_excluded && pt->is_excluded[n])) continue;
    for (size_t i = 0; i < pt->distances->leaves[n].n; i++) {
      uint32_t cell = pt->distances->leaves[n].at[i], level = pt->distances->links.at[cell].level;
      if (level != TP_UNREACHED && (!best || level < pt->distances->links.at[best].level))
        best = cell;
    }
  }
  return best;
}

void tp_partition_exclude_error(tp_partition *pt, uint32_t node) {
  TP_REQUIRE(node < pt->blocks->nodes.n && tp_block_node_is_bad(pt->blocks, node));
  if (!pt->is_excluded) pt->is_excluded = TP_NEW_ARRAY(bool, pt->blocks->nodes.n);
  pt->is_excluded[node] = true;
}

static void path_to(tp_partition *pt, uint32_t cell, tp_abstract_path *path) {
  TP_REQUIRE(pt->distances->links.at[cell].level != TP_UNREACHED);
  uint32_t n = pt->distances->links.at[cell].level;
  tp_vec_resize(path, n);
  for (uint32_t i = n; i-- > 0;) {
    uint32_t from = pt->distances->links.at[cell].before;
    TP_INVARIANT(is_last_step(pt, from, cell));
    path->at[i] = (tp_abstract_step){
        tp_partition_block(pt, pt->cells.at[from].node, pt->cells.at[cell].node), from, cell};
    cell = from;
  }
}

bool tp_partition_error_path(tp_partition *pt, tp_abstract_path *path) {
  for (;;) {
    uint32_t error = nearest_bad(pt);
    bool is_open = true;
    if (!error) return false;
    path_to(pt, error, path);
    for (size_t i = 0; i < path->n && is_open && !pt->settings.lazy_edges; i++)
      is_open = tp_partition_query_step(pt, path->at[i]) != TP_STEP_CLOSED;
    if (is_open) return true;
  }
}
