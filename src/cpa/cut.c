/* Cutting the abstract reachability graph.
 *
 * A set of nodes is chosen that is closed under "came from": children by parents and by merges,
 * since what a removed node contributed to another one is in it for good. Then every node that is
 * left and is linked to a removed one (as its parent, by a merge, by a cover) is put back into the
 * frontier, so that the invariant "successors of nodes that do not wait are in the set" holds
 * again: each of its successors had been a node, gone into one, or been covered, and if that is
 * gone, the node waits. [The printed algorithm of the thesis forgets covers: a removed node may
 * have covered an element of another branch that was never stored.] */
#include "cpa/reached_priv.h"

/* Children by node: those of n are at[first[n]] .. at[first[n + 1] - 1]. */
typedef struct {
  uint32_t *first, *at;
} children;

static children find_children(const tp_reached *r) {
  size_t n = r->nodes.n, n_links = r->merges.n;
  children c = {.first = TP_NEW_ARRAY(uint32_t, n + 2)};
  for (uint32_t i = 1; i < n; i++)
    if (r->nodes.at[i].parent && !r->nodes.at[i].removed)
      c.first[r->nodes.at[i].parent + 1]++, n_links++;
  for (size_t i = 0; i < r->merges.n; i++) c.first[r->merges.at[i].from + 1]++;
  for (size_t i = 1; i <= n + 1; i++) c.first[i] += c.first[i - 1];
  c.at = TP_NEW_ARRAY(uint32_t, n_links + 1);
  uint32_t *next = TP_NEW_ARRAY(uint32_t, n + 2);
  memcpy(next, c.first, (n + 2) * sizeof *next);
  for (uint32_t i = 1; i < n; i++)
    if (r->nodes.at[i].parent && !r->nodes.at[i].removed) c.at[next[r->nodes.at[i].parent]++] = i;
  for (size_t i = 0; i < r->merges.n; i++)
    c.at[next[r->merges.at[i].from]++] = r->merges.at[i].into;
  tp_free(next);
  return c;
}

static bool *find_gone(const tp_reached *r, uint32_t node, tp_cut_extent extent) {
  children c = find_children(r);
  bool *gone = TP_NEW_ARRAY(bool, r->nodes.n);
  TP_VEC(uint32_t) todo = {0};
  tp_vec_push(&todo, node);
  gone[node] = extent == TP_CUT_WITH_NODE;
  while (todo.n) {
    uint32_t from = tp_vec_pop(&todo);
    for (uint32_t i = c.first[from]; i < c.first[from + 1]; i++) {
      uint32_t to = c.at[i];
      if (gone[to]) continue;
      gone[to] = true;
      if (to != node) tp_vec_push(&todo, to);  // node's own children are on their way already
    }
  }
  tp_vec_clear(&todo);
  tp_free(c.first);
  tp_free(c.at);
  return gone;
}

/* Whoever led to something that is gone. */
static void open_again(tp_reached *r, const bool *gone) {
  tp_map keys = {0};  // merge keys of which a node is gone
  for (uint32_t i = 1; i < r->nodes.n; i++) {
    if (!gone[i]) continue;
    uint32_t parent = r->nodes.at[i].parent;
    if (parent && !gone[parent]) tp_reached_again(r, parent);
    tp_map_set(&keys, r->nodes.at[i].key, 1);
  }
  for (size_t i = 0; i < r->merges.n; i++) {
    const tp_merge_link *l = &r->merges.at[i];
    if (gone[l->into] && !gone[l->from]) tp_reached_again(r, l->from);
  }
  for (size_t i = 0; i < r->covers.n; i++) {
    const tp_cover *l = &r->covers.at[i];
    if (!gone[l->from] &&
        (gone[l->by] || (l->together && tp_map_has(&keys, r->nodes.at[l->by].key))))
      tp_reached_again(r, l->from);
  }
  tp_map_clear(&keys);
}

static size_t remove_all(tp_reached *r, const bool *gone) {
  size_t n = 0;
  for (uint32_t i = 1; i < r->nodes.n; i++) {
    if (!gone[i]) continue;
    tp_reached_withdraw(r, i);
    tp_reached_remove(r, i);
    n++;
  }
  tp_reached_drop_links(r);
  return n;
}

static size_t bring_back_starts(tp_reached *r, const bool *gone) {
  size_t n = 0;
  for (size_t i = 0; i < r->starts.n; i++) {
    tp_start s = r->starts.at[i];
    if (!gone[s.node]) continue;
    tp_reached_restore(r, s.node);
    tp_reached_replace(r, s.node, s.state);
    tp_reached_again(r, s.node);
    n++;
  }
  return n;
}

size_t tp_reached_cut(tp_reached *r, uint32_t node, tp_cut_extent extent) {
  TP_INVARIANT(!r->nodes.at[node].removed);
  bool *gone = find_gone(r, node, extent);
  open_again(r, gone);
  if (!gone[node]) tp_reached_again(r, node);
  size_t n = remove_all(r, gone);
  n -= bring_back_starts(r, gone);
  tp_reached_look(r);  // what is gone left its bucket and the frontier
  tp_free(gone);
  return n;
}

void tp_reached_strengthen(tp_reached *r, uint32_t node, tp_succ state) {
  uint64_t key = r->nodes.at[node].key;
  tp_reached_replace(r, node, state);
  for (size_t i = 0; i < r->merges.n; i++)
    if (r->merges.at[i].into == node) tp_reached_again(r, r->merges.at[i].from);
  for (size_t i = 0; i < r->covers.n; i++) {
    const tp_cover *l = &r->covers.at[i];
    if (l->by == node || (l->together && r->nodes.at[l->by].key == key))
      tp_reached_again(r, l->from);
  }
}

void tp_reached_end(tp_reached *r, uint32_t node) {
  size_t n = 0;
  for (size_t i = 0; i < r->starts.n; i++)
    if (r->starts.at[i].node != node) r->starts.at[n++] = r->starts.at[i];
  r->starts.n = n;
  if (node && !r->nodes.at[node].removed) (void)tp_reached_cut(r, node, TP_CUT_WITH_NODE);
}
