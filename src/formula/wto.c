/* Weak topological orders.
 *
 * A task is a set of locations whose subgraph is to be ordered, in a range of positions that is
 * already known (its size is the size of the set). Tarjan's algorithm gives its strongly connected
 * components in topological order; single locations get their position, a component's head
 * (smallest in reverse postorder) gets the first position of the component's range, and the rest of
 * the component becomes a task of its own with the head removed. Each task is strictly smaller than
 * the one it came from, so this ends; the cost is edges times nesting depth. */
#include "formula/wto.h"

typedef struct {
  uint32_t begin, end;  // positions; members stand in w->order.at[begin .. end)
  uint32_t component;   // that this task is the inside of
} task;

typedef struct {
  uint32_t loc;   // index into the local numbering
  uint32_t edge;  // next out-edge to look at
} visit;

typedef struct {
  const tp_program *p;
  tp_wto *w;
  TP_VEC(task) tasks;
  TP_VEC(visit) visits;
  TP_VEC(uint32_t) scc_stack;
  TP_VEC(uint32_t) members;       // copy of the task's locations
  TP_VEC(uint32_t) found;         // components in reverse topological order, flattened
  TP_VEC(uint32_t) ends;          // where each component in `found` ends
  uint32_t *stamp, *index, *low;  // by location id - base
  bool *on_stack;
  uint32_t base, now, next_index;
} builder;

static uint32_t n_out(const builder *b, uint32_t loc) {
  return tp_out_edges(b->p, (tp_loc){loc}).n;
}

static uint32_t target(const builder *b, uint32_t loc, uint32_t i) {
  return b->p->edges.at[tp_out_edges(b->p, (tp_loc){loc}).at[i]].to.id;
}

static void enter(builder *b, uint32_t loc) {
  uint32_t i = loc - b->base;
  b->index[i] = b->low[i] = ++b->next_index;
  b->on_stack[i] = true;
  tp_vec_push(&b->scc_stack, loc);
  tp_vec_push(&b->visits, (visit){loc, 0});
}

static void leave(builder *b, uint32_t loc) {
  uint32_t i = loc - b->base, top;
  if (b->low[i] == b->index[i]) {
    do {
      top = tp_vec_pop(&b->scc_stack);
      b->on_stack[top - b->base] = false;
      tp_vec_push(&b->found, top);
    } while (top != loc);
    tp_vec_push(&b->ends, (uint32_t)b->found.n);
  }
  if (b->visits.n) {
    uint32_t up = tp_vec_last(&b->visits).loc - b->base;
    if (b->low[i] < b->low[up]) b->low[up] = b->low[i];
  }
}

static void search(builder *b, uint32_t root) {
  enter(b, root);
  while (b->visits.n) {
    visit *v = &tp_vec_last(&b->visits);
    uint32_t loc = v->loc;
    if (v->edge == n_out(b, loc)) {
      (void)tp_vec_pop(&b->visits);
      leave(b, loc);
      continue;
    }
    uint32_t to = target(b, loc, v->edge++), i = to - b->base;
    if (b->stamp[i] != b->now) continue;
    if (!b->index[i])
      enter(b, to);
    else if (b->on_stack[i] && b->index[i] < b->low[loc - b->base])
      b->low[loc - b->base] = b->index[i];
  }
}

static bool has_self_loop(const builder *b, uint32_t loc) {
  for (uint32_t i = 0; i < n_out(b, loc); i++)
    if (target(b, loc, i) == loc) return true;
  return false;
}

static void place(builder *b, uint32_t position, uint32_t loc, uint32_t component) {
  b->w->order.at[position] = (tp_loc){loc};
  b->w->inner.at[position] = component;
}

/* Lay out one strongly connected component from `position` on. */
static void lay_out(builder *b, const uint32_t *locs, uint32_t n, uint32_t position,
                    uint32_t outer) {
  if (n == 1 && !has_self_loop(b, locs[0])) {
    place(b, position, locs[0], outer);
    return;
  }
  uint32_t head = 0;
  for (uint32_t i = 1; i < n; i++)
    if (b->p->locs.at[locs[i]].order < b->p->locs.at[locs[head]].order) head = i;
  tp_wto_component c = {{locs[head]},
                        position,
                        position + n - 1,
                        outer,
                        outer ? b->w->components.at[outer].depth + 1 : 1};
  tp_vec_push(&b->w->components, c);
  uint32_t id = (uint32_t)b->w->components.n - 1, at = position;
  place(b, at++, locs[head], id);
  for (uint32_t i = 0; i < n; i++)
    if (i != head) place(b, at++, locs[i], id);
  if (n > 1) tp_vec_push(&b->tasks, (task){position + 1, position + n, id});
}

static void run_task(builder *b, task t) {
  b->now++;
  b->next_index = 0;
  b->found.n = b->ends.n = b->members.n = 0;
  for (uint32_t i = t.begin; i < t.end; i++) {
    uint32_t loc = b->w->order.at[i].id;
    tp_vec_push(&b->members, loc);
    b->stamp[loc - b->base] = b->now;
    b->index[loc - b->base] = 0;
  }
  for (size_t i = 0; i < b->members.n; i++)
    if (!b->index[b->members.at[i] - b->base]) search(b, b->members.at[i]);
  uint32_t position = t.begin;
  for (size_t c = b->ends.n; c-- > 0;) {
    uint32_t from = c ? b->ends.at[c - 1] : 0, n = b->ends.at[c] - from;
    lay_out(b, &b->found.at[from], n, position, t.component);
    position += n;
  }
}

/* All locations that the entry reaches, in order of discovery. Also finds the range of ids. */
static void collect(builder *b, tp_loc entry) {
  tp_map seen = {0};
  TP_VEC(uint32_t) todo = {0};
  uint32_t low = entry.id, high = entry.id;
  tp_vec_push(&todo, entry.id);
  tp_map_set(&seen, entry.id, 1);
  while (todo.n) {
    uint32_t loc = tp_vec_pop(&todo);
    tp_vec_push(&b->w->order, (tp_loc){loc});
    if (loc < low) low = loc;
    if (loc > high) high = loc;
    for (uint32_t i = 0; i < n_out(b, loc); i++) {
      uint32_t to = target(b, loc, i);
      if (tp_map_has(&seen, to)) continue;
      tp_map_set(&seen, to, 1);
      tp_vec_push(&todo, to);
    }
  }
  tp_map_clear(&seen);
  tp_vec_clear(&todo);
  b->base = low;
  b->stamp = TP_NEW_ARRAY(uint32_t, high - low + 1);
  b->index = TP_NEW_ARRAY(uint32_t, high - low + 1);
  b->low = TP_NEW_ARRAY(uint32_t, high - low + 1);
  b->on_stack = TP_NEW_ARRAY(bool, high - low + 1);
}

void tp_wto_init(tp_wto *w, const tp_program *p, tp_func f) {
  TP_REQUIRE(f.id && f.id < p->funcs.n && tp_func_of(p, f)->has_body);
  memset(w, 0, sizeof *w);
  w->func = f;
  tp_vec_push(&w->components, (tp_wto_component){{0}, 0, 0, 0, 0});
  builder b = {.p = p, .w = w};
  collect(&b, p->funcs.at[f.id].entry);
  tp_vec_resize(&w->inner, w->order.n);
  tp_vec_push(&b.tasks, (task){0, (uint32_t)w->order.n, 0});
  while (b.tasks.n) run_task(&b, tp_vec_pop(&b.tasks));
  for (uint32_t i = 0; i < w->order.n; i++) tp_map_set(&w->position, w->order.at[i].id, i);
  TP_INVARIANT(tp_wto_check(w, p));
  tp_vec_clear(&b.tasks);
  tp_vec_clear(&b.visits);
  tp_vec_clear(&b.scc_stack);
  tp_vec_clear(&b.members);
  tp_vec_clear(&b.found);
  tp_vec_clear(&b.ends);
  tp_free(b.stamp), tp_free(b.index), tp_free(b.low), tp_free(b.on_stack);
}

static bool is_component_sound(const tp_wto *w, uint32_t i) {
  const tp_wto_component *c = &w->components.at[i];
  if (c->first > c->last || c->last >= w->order.n || w->order.at[c->first].id != c->head.id)
    return false;
  if (c->parent >= i || w->inner.at[c->first] != i) return false;
  if (c->parent == 0) return c->depth == 1;
  const tp_wto_component *up = &w->components.at[c->parent];
  return up->first < c->first && c->last <= up->last && c->depth == up->depth + 1;
}

/* Is the edge a forward one, or one to the head of a component around its start? */
static bool is_edge_in_order(const tp_wto *w, uint32_t from, tp_loc target) {
  const uint32_t to = tp_wto_position(w, target);
  if (to == UINT32_MAX) return false;
  uint32_t c = w->inner.at[from];
  while (to <= from && c && w->components.at[c].first != to) c = w->components.at[c].parent;
  return to > from || c;
}

bool tp_wto_check(const tp_wto *w, const tp_program *p) {
  if (w->inner.n != w->order.n || w->position.n != w->order.n) return false;
  for (uint32_t i = 1; i < w->components.n; i++)
    if (!is_component_sound(w, i)) return false;
  uint32_t open = 0;  // the innermost component around the position
  for (uint32_t at = 0; at < w->order.n; at++) {
    while (open && w->components.at[open].last < at) open = w->components.at[open].parent;
    const uint32_t inner = w->inner.at[at];
    if (inner >= w->components.n) return false;
    if (inner && w->components.at[inner].first == at) open = inner;
    if (inner != open) return false;
    const tp_edge_list out = tp_out_edges(p, w->order.at[at]);
    for (uint32_t i = 0; i < out.n; i++)
      if (!is_edge_in_order(w, at, p->edges.at[out.at[i]].to)) return false;
  }
  return true;
}

void tp_wto_clear(tp_wto *w) {
  tp_vec_clear(&w->order);
  tp_vec_clear(&w->components);
  tp_vec_clear(&w->inner);
  tp_map_clear(&w->position);
}

uint32_t tp_wto_position(const tp_wto *w, tp_loc l) {
  uint64_t at;
  return tp_map_get(&w->position, l.id, &at) ? (uint32_t)at : UINT32_MAX;
}
