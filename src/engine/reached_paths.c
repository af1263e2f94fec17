/* Blocks are made one by one, from the first to the last: backwards from the end of the block along
 * all links (parents, merges, and covers: what a node covers alone might as well have gone on from
 * it), never through a cut; what the start of the block does not lead to drops out; the rest in
 * topological order. */
#include "engine/reached_paths.h"

// -------------------------------------------------------------------- links

/* Links by the node that they lead to: those to n are at[first[n]] .. at[first[n + 1] - 1]. */
typedef struct {
  uint32_t from;
  tp_step step;
} link;
typedef struct {
  uint32_t *first;
  link *at;
} links;

static bool has_parent(const tp_node *n) { return n->parent && !n->removed; }

static links find_links(const tp_reached *r) {
  size_t n = tp_reached_n(r), n_covers, n_merges;
  const tp_cover *covers = tp_reached_covers(r, &n_covers);
  const tp_merge_link *merges = tp_reached_merges(r, &n_merges);
  links l = {.first = TP_NEW_ARRAY(uint32_t, n + 2),
             .at = TP_NEW_ARRAY(link, n + n_covers + n_merges + 1)};
  for (uint32_t i = 1; i <= n; i++) l.first[i + 1] += has_parent(tp_reached_node(r, i));
  for (size_t i = 0; i < n_covers; i++) l.first[covers[i].by + 1] += !covers[i].by_several;
  for (size_t i = 0; i < n_merges; i++) l.first[merges[i].into + 1]++;
  for (size_t i = 1; i <= n + 1; i++) l.first[i] += l.first[i - 1];
  uint32_t *next = TP_NEW_ARRAY(uint32_t, n + 2);
  memcpy(next, l.first, (n + 2) * sizeof *next);
  for (uint32_t i = 1; i <= n; i++) {
    const tp_node *to = tp_reached_node(r, i);
    if (has_parent(to)) l.at[next[i]++] = (link){to->parent, to->step};
  }
  for (size_t i = 0; i < n_merges; i++)
    l.at[next[merges[i].into]++] = (link){merges[i].from, merges[i].step};
  for (size_t i = 0; i < n_covers; i++)
    if (!covers[i].by_several) l.at[next[covers[i].by]++] = (link){covers[i].from, covers[i].step};
  tp_free(next);
  return l;
}

static void clear_links(links *l) {
  tp_free(l->first);
  tp_free(l->at);
}

// ------------------------------------------------------------------- one block

enum { UNSEEN, OPEN, DONE };

typedef struct {
  const tp_reached *r;
  links links;
  bool *is_cut;     // by node
  uint8_t *color;   // by node
  bool *leads;      // by node: the start of the block leads to it
  uint32_t *index;  // by node: in out->nodes
  tp_reached_paths *out;
} search;

typedef struct {
  uint32_t node, next;  // next link to look at
} frame;

static bool same_step(tp_step a, tp_step b) {
  return a.kind == b.kind && a.edge.id == b.edge.id && a.callee.id == b.callee.id;
}

/* A merge and a cover often say the same. */
static bool is_repeated(const search *s, uint32_t node, uint32_t at) {
  for (uint32_t i = s->links.first[node]; i < at; i++)
    if (s->links.at[i].from == s->links.at[at].from &&
        same_step(s->links.at[i].step, s->links.at[at].step))
      return true;
  return false;
}

/* All links to the node have been followed: it belongs to the block if one of them comes from it.
 */
static void finish(search *s, uint32_t node, uint32_t start) {
  tp_reached_path_node n = {.node = node, .first = (uint32_t)s->out->ins.n};
  for (uint32_t i = s->links.first[node]; i < s->links.first[node + 1]; i++) {
    uint32_t from = s->links.at[i].from;
    if (from != start && !(s->color[from] == DONE && s->leads[from])) continue;
    if (is_repeated(s, node, i)) continue;
    tp_vec_push(&s->out->ins, (tp_reached_path_edge){s->index[from], s->links.at[i].step});
    n.n++;
  }
  s->color[node] = DONE;
  s->leads[node] = n.n > 0;
  if (!n.n) return;
  s->index[node] = (uint32_t)s->out->nodes.n;
  tp_vec_push(&s->out->nodes, n);
}

/* Depth first from the end. False: there is a cycle. */
static bool walk(search *s, uint32_t start, uint32_t end) {
  TP_VEC(frame) stack = {0};
  TP_VEC(uint32_t) seen = {0};
  bool acyclic = true;
  tp_vec_push(&stack, (frame){end, s->links.first[end]});
  tp_vec_push(&seen, end);
  s->color[end] = OPEN;
  while (stack.n && acyclic) {
    frame *f = &tp_vec_last(&stack);
    if (f->next == s->links.first[f->node + 1]) {
      finish(s, f->node, start);
      stack.n--;
      continue;
    }
    uint32_t from = s->links.at[f->next++].from;
    if (from == start || from == end || s->is_cut[from] || s->color[from] == DONE) continue;
    acyclic = s->color[from] == UNSEEN;
    s->color[from] = OPEN;
    tp_vec_push(&seen, from);
    tp_vec_push(&stack, (frame){from, s->links.first[from]});
  }
  for (size_t i = 0; i < seen.n; i++) s->color[seen.at[i]] = UNSEEN, s->leads[seen.at[i]] = false;
  tp_vec_clear(&stack);
  tp_vec_clear(&seen);
  return acyclic;
}

// ------------------------------------------------------------------ all blocks

/* The nodes on the path of the first parents, the first one first. */
static uint32_t *first_parents(const tp_reached *r, uint32_t node, size_t *n) {
  *n = 1;
  for (uint32_t at = node; tp_reached_node(r, at)->parent; at = tp_reached_node(r, at)->parent)
    ++*n;
  uint32_t *nodes = TP_NEW_ARRAY(uint32_t, *n);
  size_t i = *n;
  for (uint32_t at = node; i > 0; at = tp_reached_node(r, at)->parent) nodes[--i] = at;
  return nodes;
}

static void add_first(tp_reached_paths *out, uint32_t node) {
  tp_vec_push(&out->nodes, (tp_reached_path_node){.node = node});
}

/* One more node behind the last one. */
static void add_parent_step(const tp_reached *r, uint32_t node, tp_reached_paths *out) {
  tp_reached_path_edge in = {(uint32_t)out->nodes.n - 1, tp_reached_node(r, node)->step};
  tp_vec_push(&out->nodes, (tp_reached_path_node){node, (uint32_t)out->ins.n, 1});
  tp_vec_push(&out->ins, in);
}

void tp_reached_paths_first(const tp_reached *r, uint32_t node, tp_reached_paths *out) {
  TP_REQUIRE(node > 0 && node <= tp_reached_n(r));
  TP_REQUIRE(out->nodes.n == 0);
  size_t n;
  uint32_t *nodes = first_parents(r, node, &n);
  add_first(out, nodes[0]);
  tp_vec_push(&out->cuts, 0);
  for (size_t i = 1; i < n; i++) {
    add_parent_step(r, nodes[i], out);
    tp_vec_push(&out->cuts, (uint32_t)i);
  }
  tp_free(nodes);
}

static void add_block(search *s, const uint32_t *nodes, size_t from, size_t to) {
  TP_REQUIRE(from < to);
  tp_reached_paths *out = s->out;
  size_t n_nodes = out->nodes.n, n_ins = out->ins.n;
  s->index[nodes[from]] = (uint32_t)n_nodes - 1;
  if (!walk(s, nodes[from], nodes[to])) {
    out->nodes.n = n_nodes;
    out->ins.n = n_ins;
    for (size_t i = from + 1; i <= to; i++) add_parent_step(s->r, nodes[i], out);
  }
  tp_vec_push(&out->cuts, (uint32_t)out->nodes.n - 1);
}

void tp_reached_paths_all(const tp_reached *r, uint32_t node,
                          bool (*is_cut)(void *ctx, uint32_t node), void *ctx,
                          tp_reached_paths *out) {
  TP_REQUIRE(node > 0 && node <= tp_reached_n(r));
  TP_REQUIRE(out->nodes.n == 0);
  size_t n, size = tp_reached_n(r) + 1, last = 0;
  uint32_t *nodes = first_parents(r, node, &n);
  search s = {.r = r, .links = find_links(r), .out = out};
  s.is_cut = TP_NEW_ARRAY(bool, size);
  s.color = TP_NEW_ARRAY(uint8_t, size);
  s.leads = TP_NEW_ARRAY(bool, size);
  s.index = TP_NEW_ARRAY(uint32_t, size);
  for (uint32_t i = 1; i < size; i++)
    s.is_cut[i] = !tp_reached_node(r, i)->removed && is_cut(ctx, i);
  add_first(out, nodes[0]);
  tp_vec_push(&out->cuts, 0);
  for (size_t i = 1; i < n; i++) {
    if (i + 1 < n && !s.is_cut[nodes[i]]) continue;
    add_block(&s, nodes, last, i);
    last = i;
  }
  clear_links(&s.links);
  TP_INVARIANT(out->cuts.n > 0 && tp_vec_last(&out->cuts) + 1 == out->nodes.n);
  tp_free(s.is_cut);
  tp_free(s.color);
  tp_free(s.leads);
  tp_free(s.index);
  tp_free(nodes);
}

void tp_reached_paths_clear(tp_reached_paths *w) {
  tp_vec_clear(&w->nodes);
  tp_vec_clear(&w->ins);
  tp_vec_clear(&w->cuts);
}
