/* The block graph is built node by node: from each, all loop-free paths are followed at once.
 *
 * Locations wait with the path that leads to them; the location that is next is one that no other
 * waiting location can lead to, so all paths to it have been joined when it is left. Inside a
 * function that is a topological order of its graph without the edges into cutpoints; the locations
 * of a callee come before those of its callers, which wait behind the call. So each location is
 * left once for each node that leads there, however many paths meet. */
#include "blocks/blocks.h"

#include "cpa/steps.h"
#include "engine/invariants.h"

#include <stdlib.h>

/* A location, in a context, that paths from the node lead to. */
typedef struct {
  uint64_t rank;  // who is next: the smallest; each location has its own
  tp_context context;
  tp_loc loc;
  tp_path path;  // from the node
} waiting;

typedef struct {
  tp_blocks *b;
  const tp_program *p;
  tp_property property;
  tp_block_ends ends;
  bool is_function;     // one function on its own
  const bool *ends_at;  // further locations where blocks end; NULL: none
  tp_contexts *contexts;
  tp_steps *steps;
  tp_step_list out;        // of the location that is left
  tp_map node_at;          // (context, location) -> node
  TP_VEC(waiting) queue;   // largest rank first
  TP_VEC(tp_block) found;  // from the node at hand
  uint32_t *order;  // by location: position in its function, see find_order; 0: not computed yet
  uint64_t n_steps, most_steps;
} builder;

// ----------------------------------------------------------------------- nodes

static uint64_t key_of(tp_context c, tp_loc l) { return (uint64_t)c.id << 32 | l.id; }

static bool may_do_anything(const tp_edge_info *e) {
  return (e->kind == TP_E_HAVOC && e->may_write) ||
         (e->kind == TP_E_HAVOC_MEMORY && !tp_term_is(e->c));
}

/* A call that stands in `calls`: no block follows it. */
static bool is_call_apart(const builder *u, const tp_step *s) {
  return u->is_function && tp_edge_of(u->p, s->edge)->kind == TP_E_CALL &&
         tp_func_of(u->p, s->callee)->has_body;
}

/* Does the model leave open what happens at this location? */
static bool is_unmodelled(builder *u, tp_context c, tp_loc l) {
  if (tp_loc_of(u->p, l)->is_unsupported) return true;
  tp_edge_list edges = tp_out_edges(u->p, l);
  for (uint32_t i = 0; i < edges.n; i++)
    if (may_do_anything(&u->p->edges.at[edges.at[i]])) return true;
  tp_steps_from(u->steps, l, c, &u->out);
  for (size_t i = 0; i < u->out.list.n; i++)
    if (u->out.list.at[i].kind == TP_STEP_SUMMARY && !is_call_apart(u, &u->out.list.at[i]))
      return true;
  return false;
}

/* The node at this location; false: there is none. */
static bool find_node(builder *u, tp_context c, tp_loc l, uint32_t *node) {
  uint64_t known;
  if (tp_map_get(&u->node_at, key_of(c, l), &known)) {
    *node = (uint32_t)known;
    return known != 0;  // 0: no node; node 0 itself is before the entry
  }
  const tp_loc_info *info = tp_loc_of(u->p, l);
  tp_block_node n = {.context = c,
                     .loc = l,
                     .is_error = tp_property_covers(u->property, info->error),
                     .is_unmodelled = is_unmodelled(u, c, l)};
  *node = (uint32_t)u->b->nodes.n;
  bool is_node = u->ends == TP_BLOCKS_SINGLE_EDGES || (u->ends_at && u->ends_at[l.id]) ||
                 info->is_cutpoint || n.is_error || n.is_unmodelled;
  if (is_node) tp_vec_push(&u->b->nodes, n);
  tp_map_set(&u->node_at, key_of(c, l), is_node ? *node : 0);
  return is_node;
}

// ------------------------------------------------------------------------ walk

typedef struct {
  uint32_t loc, edge;  // next out-edge to look at
} visit;

typedef TP_VEC(uint32_t) locations;

/* Depth-first from this location, along edges that do not enter cutpoints; those go to `cut`,
 * locations that are left behind to `left`. */
static void visit_from(builder *u, uint32_t root, locations *left, locations *cut) {
  TP_VEC(visit) stack = {0};
  tp_vec_push(&stack, (visit){root, 0});
  while (stack.n) {
    visit *v = &tp_vec_last(&stack);
    tp_edge_list edges = tp_out_edges(u->p, (tp_loc){v->loc});
    if (v->edge == edges.n) {
      tp_vec_push(left, v->loc);
      (void)tp_vec_pop(&stack);
      continue;
    }
    uint32_t to = u->p->edges.at[edges.at[v->edge++]].to.id;
    if (u->order[to]) continue;
    u->order[to] = UINT32_MAX;
    if (u->p->locs.at[to].is_cutpoint)
      tp_vec_push(cut, to);
    else
      tp_vec_push(&stack, (visit){to, 0});
  }
  tp_vec_clear(&stack);
}

/* Numbers the locations of a function such that edges go up, but for those into cutpoints. */
static void find_order(builder *u, tp_loc entry) {
  locations left = {0}, roots = {0};
  u->order[entry.id] = UINT32_MAX;
  tp_vec_push(&roots, entry.id);
  for (size_t i = 0; i < roots.n; i++) visit_from(u, roots.at[i], &left, &roots);
  for (size_t i = 0; i < left.n; i++) u->order[left.at[i]] = (uint32_t)(left.n - i);
  tp_vec_clear(&left);
  tp_vec_clear(&roots);
}

/* Deeper contexts first, then one context after the other, then the function's order. */
static uint64_t rank_of(builder *u, tp_context c, tp_loc l) {
  if (!u->order[l.id]) find_order(u, tp_func_of(u->p, tp_loc_of(u->p, l)->func)->entry);
  uint64_t depth = tp_context_of(u->contexts, c)->depth, order = u->order[l.id];
  TP_INVARIANT(c.id >> 24 == 0 && order >> 24 == 0);
  return (0xffff - (depth < 0xffff ? depth : 0xffff)) << 48 | (uint64_t)c.id << 24 | order;
}

static void wait_at(builder *u, tp_context c, tp_loc l, tp_path path) {
  uint64_t rank = rank_of(u, c, l);
  size_t at = u->queue.n;
  while (at > 0 && u->queue.at[at - 1].rank < rank) at--;
  if (at > 0 && u->queue.at[at - 1].rank == rank) {
    waiting *w = &u->queue.at[at - 1];
    w->path = tp_path_join(u->b->paths, w->path, path);
    return;
  }
  tp_vec_push(&u->queue, (waiting){0});
  memmove(&u->queue.at[at + 1], &u->queue.at[at], (u->queue.n - 1 - at) * sizeof *u->queue.at);
  u->queue.at[at] = (waiting){rank, c, l, path};
  // who waits with the smallest rank is last, and each location waits once: all paths to it meet
  TP_INVARIANT((at == 0 || u->queue.at[at - 1].rank > rank) &&
               (at + 1 == u->queue.n || rank > u->queue.at[at + 1].rank));
}

static void arrive_at_node(builder *u, uint32_t from, uint32_t to, tp_path path) {
  TP_REQUIRE(to > 0 && to < u->b->nodes.n);
  for (size_t i = 0; i < u->found.n; i++) {
    tp_block *known = &u->found.at[i];
    if (known->to != to) continue;
    known->path = tp_path_join(u->b->paths, known->path, path);
    return;
  }
  tp_vec_push(&u->found, (tp_block){from, to, path});
}

static void arrive(builder *u, uint32_t from, tp_context c, tp_loc l, tp_path path) {
  uint32_t node;
  if (tp_path_is_false(&path))
    tp_path_clear(&path);
  else if (find_node(u, c, l, &node))
    arrive_at_node(u, from, node, path);
  else
    wait_at(u, c, l, path);
}

/* One step with a copy of the path; to: where it leads. */
static tp_path take(builder *u, const tp_path *before, tp_context c, const tp_step *step,
                    tp_context *to) {
  tp_paths *x = u->b->paths;
  tp_path path = tp_path_copy(before);
  *to = c;
  switch (step->kind) {
    case TP_STEP_EDGE: tp_path_edge(x, &path, step->edge); break;
    case TP_STEP_CALL:
      tp_path_call(x, &path, step->edge, step->callee);
      *to = tp_context_push(u->contexts, c, step->edge, step->callee);
      break;
    case TP_STEP_SUMMARY:
      tp_path_summary(x, &path, step->edge, step->callee, tp_mk_true(x->tt));
      break;
    case TP_STEP_RETURN:
      tp_path_return(x, &path, step->edge, step->callee);
      *to = tp_context_of(u->contexts, c)->parent;
      break;
  }
  return path;
}

static void note_call(builder *u, uint32_t from, tp_context c, const tp_step *step) {
  tp_block_call call = {.from = from, .edge = step->edge, .callee = step->callee};
  u->b->followed[step->edge.id] = true;
  if (find_node(u, c, tp_edge_of(u->p, step->edge)->to, &call.to)) tp_vec_push(&u->b->calls, call);
}

/* Leaves a location by all its steps; takes the path over. */
static void leave(builder *u, uint32_t from, tp_context c, tp_loc l, tp_path path) {
  TP_REQUIRE(from < u->b->nodes.n);
  tp_step_list steps = {0};
  tp_steps_from(u->steps, l, c, &steps);
  u->n_steps += steps.list.n;
  for (size_t i = 0; i < steps.list.n; i++) {
    tp_context to;
    if (is_call_apart(u, &steps.list.at[i])) {
      note_call(u, from, c, &steps.list.at[i]);
      continue;
    }
    tp_path next = take(u, &path, c, &steps.list.at[i], &to);
    tp_map_set(&u->b->entered, to.id, 1);
    u->b->followed[steps.list.at[i].edge.id] = true;
    arrive(u, from, to, steps.list.at[i].to, next);
  }
  tp_vec_clear(&steps.list);
  tp_path_clear(&path);
}

static int by_target(const void *a, const void *b) {
  const tp_block *x = a, *y = b;
  return (x->to > y->to) - (x->to < y->to);
}

/* All blocks from this node. */
static void walk(builder *u, uint32_t from) {
  tp_block_node n = u->b->nodes.at[from];
  tp_vec_push(&u->b->first, (uint32_t)u->b->list.n);
  if (n.is_error) return;
  if (from == 0)
    arrive(u, 0, n.context, n.loc,
           tp_context_of(u->contexts, n.context)->contract ? tp_path_here(u->b->paths)
                                                           : tp_path_start(u->b->paths));
  else
    leave(u, from, n.context, n.loc, tp_path_here(u->b->paths));
  while (u->queue.n) {
    waiting w = tp_vec_pop(&u->queue);
    if (u->most_steps && u->n_steps >= u->most_steps) {
      u->b->gap = "the program is too large for the graph of its blocks";
      tp_path_clear(&w.path);
    } else {
      leave(u, from, w.context, w.loc, w.path);
    }
  }
  if (u->found.n) qsort(u->found.at, u->found.n, sizeof *u->found.at, by_target);
  for (size_t i = 0; i < u->found.n; i++) tp_vec_push(&u->b->list, u->found.at[i]);
  u->found.n = 0;
}

/* func NONE: the whole program, from main. */
static void build(tp_blocks *b, tp_paths *x, tp_contexts *contexts, tp_property property,
                  tp_func func, tp_block_ends ends, const bool *ends_at, uint64_t steps) {
  const tp_program *p = x->p;
  *b = (tp_blocks){.paths = x, .contexts = contexts};
  builder u = {.b = b,
               .p = p,
               .property = property,
               .ends = ends,
               .is_function = func.id != 0,
               .ends_at = ends_at,
               .contexts = contexts,
               .most_steps = steps};
  u.steps = tp_steps_new(p, contexts);
  u.order = TP_NEW_ARRAY(uint32_t, p->locs.n);
  b->followed = TP_NEW_ARRAY(bool, p->edges.n);
  const tp_func root = func.id ? func : p->main;
  // functions on their own are numbered as such: certificates have numbers of their own
  const uint32_t number = root.id == p->main.id ? 0 : root.id;
  tp_vec_push(&b->nodes, (tp_block_node){.context = tp_context_root(contexts, root, number),
                                         .loc = tp_func_of(p, root)->entry});
  tp_map_set(&b->entered, b->nodes.at[0].context.id, 1);
  for (uint32_t i = 0; i < b->nodes.n; i++) walk(&u, i);
  tp_vec_push(&b->first, (uint32_t)b->list.n);
  for (size_t i = 1; i < p->unsupported.n; i++)
    if (!p->unsupported.at[i].loc.id) b->gap = p->unsupported.at[i].what;
  tp_steps_free(u.steps);
  tp_vec_clear(&u.out.list);
  tp_vec_clear(&u.queue);
  tp_free(u.order);
  tp_vec_clear(&u.found);
  tp_map_clear(&u.node_at);
  TP_INVARIANT(tp_blocks_check(b));
}

void tp_blocks_build(tp_blocks *b, tp_paths *x, tp_contexts *contexts, tp_property property,
                     tp_block_ends ends, uint64_t steps) {
  build(b, x, contexts, property, TP_FUNC_NONE, ends, NULL, steps);
}

void tp_blocks_build_function(tp_blocks *b, tp_paths *x, tp_contexts *contexts,
                              tp_property property, tp_func func, uint64_t steps) {
  TP_REQUIRE(func.id && tp_func_of(x->p, func)->has_body);
  build(b, x, contexts, property, func, TP_BLOCKS_SINGLE_EDGES, NULL, steps);
}

void tp_blocks_build_at(tp_blocks *b, tp_paths *x, tp_contexts *contexts, tp_property property,
                        const bool *ends_at, uint64_t steps) {
  build(b, x, contexts, property, TP_FUNC_NONE, TP_BLOCKS_TO_LOOPS, ends_at, steps);
}

void tp_blocks_clear(tp_blocks *b) {
  for (size_t i = 0; i < b->list.n; i++) tp_path_clear(&b->list.at[i].path);
  tp_vec_clear(&b->list);
  tp_vec_clear(&b->nodes);
  tp_vec_clear(&b->first);
  tp_vec_clear(&b->calls);
  tp_map_clear(&b->entered);
  tp_free(b->followed);
}

// ----------------------------------------------------------------------- check

static bool is_node_sound(const tp_blocks *b, const tp_block_node *n) {
  const tp_program *p = b->paths->p;
  return n->context.id > 0 && n->context.id < b->contexts->list.n && n->loc.id > 0 &&
         n->loc.id < p->locs.n &&
         tp_loc_of(p, n->loc)->func.id == tp_context_of(b->contexts, n->context)->func.id;
}

bool tp_blocks_check(const tp_blocks *b) {
  bool ok = b->nodes.n > 0 && b->first.n == b->nodes.n + 1 && b->first.at[0] == 0 &&
            b->first.at[b->nodes.n] == b->list.n;
  for (size_t n = 0; n < b->nodes.n && ok; n++) {
    ok = is_node_sound(b, &b->nodes.at[n]) && b->first.at[n] <= b->first.at[n + 1] &&
         (!b->nodes.at[n].is_error || b->first.at[n] == b->first.at[n + 1]);
    for (size_t i = b->first.at[n]; i < b->first.at[n + 1] && ok; i++) {
      const tp_block *k = &b->list.at[i];
      ok = k->from == n && k->to > 0 && k->to < b->nodes.n && !tp_path_is_false(&k->path) &&
           (i == b->first.at[n] || b->list.at[i - 1].to < k->to);
    }
  }
  return ok;
}

// ----------------------------------------------------------------------- scope

typedef struct {
  const tp_blocks *b;
  tp_context context;
  bool fits;
} scope;

static void visit_var(void *ctx, tp_term var) {
  scope *s = ctx;
  if (!tp_invariant_may_use(s->b->paths->p, s->b->contexts, s->context, var)) s->fits = false;
}

bool tp_block_node_may_use(const tp_blocks *b, uint32_t node, tp_term formula) {
  TP_REQUIRE(node < b->nodes.n);
  scope s = {b, b->nodes.at[node].context, true};
  tp_for_vars(b->paths->tt, formula, visit_var, &s);
  return s.fits;
}
