/* A block is all loop-free paths from one point to another: they are found again by a search from
 * its first point, as steps; what does not lead to its last point drops out. Points come in
 * topological order, since there are no loops between nodes. */
#include "search/replay_path.h"

#include "cpa/steps.h"

typedef struct {
  tp_context context;
  tp_loc loc;
} point;

typedef struct {
  point at;
  uint32_t next;  // step to look at
  tp_step_list out;
} visit;

typedef struct {
  uint32_t from, to;  // points of the block
  tp_step step;
} link;

typedef struct {
  const tp_blocks *blocks;
  tp_contexts *contexts;
  tp_steps *steps;
  tp_map node_at;  // point -> 1
  tp_reached_paths *out;
  // of the block at hand
  TP_VEC(point) points;
  tp_map point_at;  // point -> index
  TP_VEC(link) links;
  TP_VEC(uint32_t) left;  // points in the order in which the search left them
} replayer;

static uint64_t key_of(point p) { return (uint64_t)p.context.id << 32 | p.loc.id; }

static point point_of(const replayer *r, uint32_t node) {
  const tp_block_node *n = &r->blocks->nodes.at[node];
  return (point){n->context, n->loc};
}

static point behind(replayer *r, point from, const tp_step *step) {
  point to = {from.context, step->to};
  if (step->kind == TP_STEP_CALL)
    to.context = tp_context_push(r->contexts, from.context, step->edge, step->callee);
  if (step->kind == TP_STEP_RETURN) to.context = tp_context_of(r->contexts, from.context)->parent;
  return to;
}

/* The index of the point; *is_new: it was not seen in this block. */
static uint32_t index_of(replayer *r, point p, bool *is_new) {
  uint64_t known;
  *is_new = !tp_map_get(&r->point_at, key_of(p), &known);
  if (!*is_new) return (uint32_t)known;
  tp_map_set(&r->point_at, key_of(p), r->points.n);
  tp_vec_push(&r->points, p);
  return (uint32_t)r->points.n - 1;
}

/* All links of the block that starts at point 0 and ends at `end`, which is a node. Place 1 stands
 * for the end. */
static void search(replayer *r, point start, point end) {
  TP_VEC(visit) stack = {0};
  bool is_new;
  r->points.n = r->links.n = r->left.n = 0;
  tp_map_clear(&r->point_at);
  tp_vec_push(&r->points, start);
  tp_vec_push(&r->points, end);
  tp_vec_push(&stack, (visit){.at = start});
  tp_steps_from(r->steps, start.loc, start.context, &stack.at[0].out);
  while (stack.n) {
    visit *v = &tp_vec_last(&stack);
    uint64_t from = 0;
    if (stack.n > 1) tp_map_get(&r->point_at, key_of(v->at), &from);
    if (v->next == v->out.list.n) {
      tp_vec_push(&r->left, (uint32_t)from);
      tp_vec_clear(&v->out.list);
      (void)tp_vec_pop(&stack);
      continue;
    }
    tp_step step = v->out.list.at[v->next++];
    point to = behind(r, v->at, &step);
    if (key_of(to) == key_of(end)) {
      tp_vec_push(&r->links, (link){(uint32_t)from, 1, step});
    } else if (!tp_map_has(&r->node_at, key_of(to))) {
      uint32_t index = index_of(r, to, &is_new);
      tp_vec_push(&r->links, (link){(uint32_t)from, index, step});
      if (!is_new) continue;
      tp_vec_push(&stack, (visit){.at = to});
      tp_steps_from(r->steps, to.loc, to.context, &tp_vec_last(&stack).out);
    }
  }
  tp_vec_clear(&stack);
}

/* Links by the point that they come from, or lead to: order[first[point]] .. order[first[point + 1]
 * - 1]. */
typedef struct {
  uint32_t *first, *order;
} links_by;

static links_by index_links(const replayer *r, bool by_target) {
  links_by x = {TP_NEW_ARRAY(uint32_t, r->points.n + 2), TP_NEW_ARRAY(uint32_t, r->links.n + 1)};
  for (size_t k = 0; k < r->links.n; k++)
    x.first[(by_target ? r->links.at[k].to : r->links.at[k].from) + 2]++;
  for (size_t i = 2; i < r->points.n + 2; i++) x.first[i] += x.first[i - 1];
  for (uint32_t k = 0; k < r->links.n; k++)
    x.order[x.first[(by_target ? r->links.at[k].to : r->links.at[k].from) + 1]++] = k;
  return x;
}

static void clear_index(links_by *x) {
  tp_free(x->first);
  tp_free(x->order);
}

/* By point: does it lead to the end? What is behind a point was left before it. */
static bool *find_leading(const replayer *r) {
  bool *leads = TP_NEW_ARRAY(bool, r->points.n);
  links_by from = index_links(r, false);
  leads[1] = true;
  for (size_t i = 0; i < r->left.n; i++) {
    uint32_t p = r->left.at[i];
    for (uint32_t k = from.first[p]; k < from.first[p + 1]; k++)
      leads[p] |= leads[r->links.at[from.order[k]].to];
  }
  clear_index(&from);
  return leads;
}

/* The points of the block that lead to its end, as nodes of the paths; the first is the last of
 * what is there. */
static void append(replayer *r) {
  bool *leads = find_leading(r);
  links_by into = index_links(r, true);
  uint32_t *node_of = TP_NEW_ARRAY(uint32_t, r->points.n);
  node_of[0] = (uint32_t)r->out->nodes.n - 1;
  for (size_t i = r->left.n; i-- > 0;) {
    uint32_t p = i ? r->left.at[i - 1] : 1;  // the start is in already, the end comes last
    if (!leads[p]) continue;
    tp_reached_path_node node = {.first = (uint32_t)r->out->ins.n};
    for (uint32_t k = into.first[p]; k < into.first[p + 1]; k++) {
      const link *l = &r->links.at[into.order[k]];
      if (leads[l->from])
        tp_vec_push(&r->out->ins, (tp_reached_path_edge){node_of[l->from], l->step});
    }
    node.n = (uint32_t)r->out->ins.n - node.first;
    node_of[p] = (uint32_t)r->out->nodes.n;
    tp_vec_push(&r->out->nodes, node);
  }
  tp_vec_push(&r->out->cuts, (uint32_t)r->out->nodes.n - 1);
  clear_index(&into);
  tp_free(leads);
  tp_free(node_of);
}

static void find_paths(replayer *r, const tp_partition *pt, const tp_abstract_path *path) {
  tp_vec_push(&r->out->nodes, (tp_reached_path_node){0});
  tp_vec_push(&r->out->cuts, 0);
  for (size_t i = 0; i < path->n; i++) {
    uint32_t from = pt->cells.at[path->at[i].from].node, to = pt->cells.at[path->at[i].to].node;
    point start = point_of(r, from), end = point_of(r, to);
    if (from == 0 && key_of(start) == key_of(end)) continue;  // main's entry itself
    search(r, start, end);
    append(r);
  }
}

tp_feasibility tp_replay_path(const tp_partition *pt, const tp_abstract_path *path,
                              const tp_task *task, tp_contexts *contexts, double cpu_s,
                              tp_result *out) {
  TP_REQUIRE(path->n > 0);
  tp_reached_paths paths = {0};
  replayer r = {.blocks = pt->blocks, .contexts = contexts, .out = &paths};
  tp_feasibility answer = TP_FEASIBILITY_UNKNOWN;
  r.steps = tp_steps_new(task->program, contexts);
  for (uint32_t n = 1; n < pt->blocks->nodes.n; n++)
    tp_map_set(&r.node_at, key_of(point_of(&r, n)), 1);
  find_paths(&r, pt, path);
  if (paths.nodes.n > 1)
    answer = tp_feasibility_check(task, &paths, cpu_s, pt->stats, &out->inputs, &out->violated);
  if (answer == TP_FEASIBILITY_FAILS) out->verdict = TP_VERDICT_FALSE;
  tp_reached_paths_clear(&paths);
  tp_steps_free(r.steps);
  tp_map_clear(&r.node_at);
  tp_map_clear(&r.point_at);
  tp_vec_clear(&r.points);
  tp_vec_clear(&r.links);
  tp_vec_clear(&r.left);
  return answer;
}
