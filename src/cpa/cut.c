/* Cutting the abstract reachability graph.
 *
 * The removed set of nodes is closed under descendants, by parents and by merges, since the
 * contribution of a removed node to a merged element cannot be undone. Then every remaining node
 * that is linked to a removed one (as its parent, by a merge, by a cover) is requeued, so that the
 * invariant "successors of nodes that do not wait are in the set" holds again: each successor of
 * such a node was a node, merged into one, or covered by one, and if that one is removed, the node
 * waits. [The printed algorithm of the thesis omits covers: a removed node may have covered an
 * element of another branch that was never stored.] */
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
  TP_INVARIANT(c.first[n + 1] <= n_links);  // every child has its slot in c.at
  for (uint32_t i = 1; i < n; i++)
    if (r->nodes.at[i].parent && !r->nodes.at[i].removed) c.at[next[r->nodes.at[i].parent]++] = i;
  for (size_t i = 0; i < r->merges.n; i++)
    c.at[next[r->merges.at[i].from]++] = r->merges.at[i].into;
  tp_free(next);
  return c;
}

static bool *find_removed(const tp_reached *r, uint32_t node, tp_cut_extent extent) {
  TP_REQUIRE(tp_reached_has(r, node));
  children c = find_children(r);
  bool *removed_nodes = TP_NEW_ARRAY(bool, r->nodes.n);
  TP_VEC(uint32_t) todo = {0};
  tp_vec_push(&todo, node);
  removed_nodes[node] = extent == TP_CUT_WITH_NODE;
  while (todo.n) {
    uint32_t from = tp_vec_pop(&todo);
    for (uint32_t i = c.first[from]; i < c.first[from + 1]; i++) {
      uint32_t to = c.at[i];
      TP_INVARIANT(tp_reached_has(r, to));
      if (removed_nodes[to]) continue;
      removed_nodes[to] = true;
      if (to != node) tp_vec_push(&todo, to);  // node's own children have been pushed
    }
  }
  tp_vec_clear(&todo);
  tp_free(c.first);
  tp_free(c.at);
  return removed_nodes;
}

/* Requeues the remaining nodes with links to removed ones. */
static void requeue_all(tp_reached *r, const bool *removed_nodes) {
  tp_map keys = {0};  // merge keys of removed nodes
  for (uint32_t i = 1; i < r->nodes.n; i++) {
    if (!removed_nodes[i]) continue;
    uint32_t parent = r->nodes.at[i].parent;
    if (parent && !removed_nodes[parent]) tp_reached_requeue(r, parent);
    tp_map_set(&keys, r->nodes.at[i].key, 1);
  }
  for (size_t i = 0; i < r->merges.n; i++) {
    const tp_merge_link *l = &r->merges.at[i];
    if (removed_nodes[l->into] && !removed_nodes[l->from]) tp_reached_requeue(r, l->from);
  }
  for (size_t i = 0; i < r->covers.n; i++) {
    const tp_cover *l = &r->covers.at[i];
    TP_INVARIANT(tp_reached_has(r, l->from) && tp_reached_has(r, l->by));
    if (!removed_nodes[l->from] &&
        (removed_nodes[l->by] || (l->by_several && tp_map_has(&keys, r->nodes.at[l->by].key))))
      tp_reached_requeue(r, l->from);
  }
  tp_map_clear(&keys);
}

static size_t remove_all(tp_reached *r, const bool *removed_nodes) {
  size_t n = 0;
  for (uint32_t i = 1; i < r->nodes.n; i++) {
    if (!removed_nodes[i]) continue;
    tp_reached_unqueue(r, i);
    tp_reached_remove(r, i);
    n++;
  }
  tp_reached_remove_stale_links(r);
  return n;
}

static size_t restore_initials(tp_reached *r, const bool *removed_nodes) {
  size_t n = 0;
  for (size_t i = 0; i < r->initials.n; i++) {
    tp_initial_node s = r->initials.at[i];
    TP_INVARIANT(r->nodes.at[s.node].parent == 0);
    if (!removed_nodes[s.node]) continue;
    tp_reached_restore(r, s.node);
    tp_reached_replace(r, s.node, s.state);
    tp_reached_requeue(r, s.node);
    n++;
  }
  return n;
}

size_t tp_reached_cut(tp_reached *r, uint32_t node, tp_cut_extent extent) {
  TP_INVARIANT(!r->nodes.at[node].removed);
  bool *removed_nodes = find_removed(r, node, extent);
  requeue_all(r, removed_nodes);
  if (!removed_nodes[node]) tp_reached_requeue(r, node);
  size_t n = remove_all(r, removed_nodes);
  n -= restore_initials(r, removed_nodes);
  tp_reached_look(r);  // removed nodes left their buckets and the waitlist
  tp_free(removed_nodes);
  return n;
}

void tp_reached_strengthen(tp_reached *r, uint32_t node, tp_succ state) {
  TP_REQUIRE(tp_reached_has(r, node) && r->nodes.at[node].parent != 0);
  TP_REQUIRE(r->cpa->ops->leq(r->cpa, state.elem, r->nodes.at[node].state.elem));
  uint64_t key = r->nodes.at[node].key;
  tp_reached_replace(r, node, state);
  for (size_t i = 0; i < r->merges.n; i++)
    if (r->merges.at[i].into == node) tp_reached_requeue(r, r->merges.at[i].from);
  for (size_t i = 0; i < r->covers.n; i++) {
    const tp_cover *l = &r->covers.at[i];
    if (l->by == node || (l->by_several && r->nodes.at[l->by].key == key))
      tp_reached_requeue(r, l->from);
  }
}

void tp_reached_remove_initial(tp_reached *r, uint32_t node) {
  TP_REQUIRE(node == 0 || r->nodes.at[node].parent == 0);
  size_t n = 0;
  for (size_t i = 0; i < r->initials.n; i++)
    if (r->initials.at[i].node != node) r->initials.at[n++] = r->initials.at[i];
  r->initials.n = n;
  if (node && !r->nodes.at[node].removed) (void)tp_reached_cut(r, node, TP_CUT_WITH_NODE);
}
