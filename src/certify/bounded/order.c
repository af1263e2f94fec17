/* Nested strongly connected components, without recursion: a stack of sets of locations that still
 * have to be split; each set is split by Tarjan's algorithm with an explicit stack. A component
 * with a cycle loses its head and goes back on the stack one level deeper, so the work is bounded
 * by (depth of nesting) x (edges). */
#include "certify/bounded/order.h"

void tp_chk_order_init(tp_chk_order *o, const tp_program *p, const uint32_t *preferred) {
  *o = (tp_chk_order){.p = p, .preferred = preferred};
  o->places = TP_NEW_ARRAY(tp_chk_nesting, p->locs.n + 1);
  o->has_order = TP_NEW_ARRAY(bool, p->funcs.n + 1);
}

void tp_chk_order_clear(tp_chk_order *o) {
  if (!o->places) return;
  for (size_t i = 0; i < o->p->locs.n; i++) tp_vec_clear(&o->places[i].levels);
  tp_free(o->places);
  tp_free(o->has_order);
  *o = (tp_chk_order){0};
}

typedef struct {
  uint32_t first, n;  // slice of `nodes`
  uint32_t level;
  uint32_t start;  // position of the first component of the slice
} region;

typedef struct {
  tp_chk_order *o;
  uint32_t *region_of;    // by location: number of the region it is in now
  uint32_t *index, *low;  // Tarjan; 0: not seen
  uint32_t *rank;         // by location: time of first visit from the entry
  bool *on_stack;
  TP_VEC(uint32_t) nodes;
  TP_VEC(region) todo;
  TP_VEC(uint32_t) open;  // Tarjan's stack of open nodes
  struct {
    struct step {
      uint32_t loc, edge;
    } *at;
    size_t n, cap;
  } path;
  TP_VEC(uint32_t) found;  // components of one region, concatenated
  TP_VEC(uint32_t) sizes;  // of them, in the order of completion (last in topological order first)
  uint32_t counter, n_regions;
} splitter;

static void enter(splitter *s, uint32_t loc) {
  TP_REQUIRE(!s->on_stack[loc]);
  s->index[loc] = s->low[loc] = ++s->counter;
  s->on_stack[loc] = true;
  tp_vec_push(&s->open, loc);
  tp_vec_push(&s->path, (struct step){loc, 0});
}

static void close_component(splitter *s, uint32_t root) {
  TP_REQUIRE(s->on_stack[root]);
  uint32_t n = 0, loc;
  do {
    loc = tp_vec_pop(&s->open);
    s->on_stack[loc] = false;
    tp_vec_push(&s->found, loc);
    n++;
  } while (loc != root);
  tp_vec_push(&s->sizes, n);
}

static void tarjan(splitter *s, uint32_t root, uint32_t number) {
  enter(s, root);
  while (s->path.n) {
    struct step *top = &tp_vec_last(&s->path);
    uint32_t loc = top->loc;
    tp_edge_list out = tp_out_edges(s->o->p, (tp_loc){loc});
    if (top->edge < out.n) {
      uint32_t to = s->o->p->edges.at[out.at[top->edge++]].to.id;
      if (s->region_of[to] != number) continue;
      if (!s->index[to])
        enter(s, to);
      else if (s->on_stack[to] && s->index[to] < s->low[loc])
        s->low[loc] = s->index[to];
      continue;
    }
    (void)tp_vec_pop(&s->path);
    if (s->path.n) {
      uint32_t up = tp_vec_last(&s->path).loc;
      if (s->low[loc] < s->low[up]) s->low[up] = s->low[loc];
    }
    if (s->low[loc] == s->index[loc]) close_component(s, loc);
  }
}

static bool has_self_loop(const splitter *s, uint32_t loc) {
  tp_edge_list out = tp_out_edges(s->o->p, (tp_loc){loc});
  for (uint32_t i = 0; i < out.n; i++)
    if (s->o->p->edges.at[out.at[i]].to.id == loc) return true;
  return false;
}

static void set_level(splitter *s, uint32_t loc, uint32_t position, uint32_t component) {
  tp_vec_push(&s->o->places[loc].levels, (tp_chk_level){position, component});
}

static bool is_better_head(const splitter *s, uint32_t a, uint32_t b) {
  uint32_t x = s->o->preferred[a], y = s->o->preferred[b];
  if (x != y) return x && (!y || x < y);
  return s->rank[a] < s->rank[b];
}

/* A component with a cycle: its head comes first inside, the rest is split again. */
static void nest(splitter *s, const uint32_t *members, uint32_t n, uint32_t level,
                 uint32_t position) {
  uint32_t head = members[0], component = ++s->o->n_components;
  for (uint32_t i = 0; i < n; i++) {
    set_level(s, members[i], position, component);
    if (is_better_head(s, members[i], head)) head = members[i];
  }
  set_level(s, head, 0, 0);
  TP_INVARIANT(!s->o->places[head].is_head);  // a location heads one component
  s->o->places[head].is_head = true;
  s->region_of[head] = 0;
  region rest = {(uint32_t)s->nodes.n, 0, level + 1, 1};
  uint32_t number = ++s->n_regions;
  for (uint32_t i = 0; i < n; i++) {
    if (members[i] == head) continue;
    tp_vec_push(&s->nodes, members[i]);
    s->region_of[members[i]] = number;
    rest.n++;
  }
  if (rest.n) tp_vec_push(&s->todo, rest);
}

static void split(splitter *s, region r) {
  s->found.n = s->sizes.n = 0;
  s->counter = 0;
  uint32_t number = s->region_of[s->nodes.at[r.first]];
  for (uint32_t i = 0; i < r.n; i++) s->index[s->nodes.at[r.first + i]] = 0;
  for (uint32_t i = 0; i < r.n; i++)
    if (!s->index[s->nodes.at[r.first + i]]) tarjan(s, s->nodes.at[r.first + i], number);
  uint32_t n = (uint32_t)s->sizes.n, at = 0;
  for (uint32_t i = 0; i < n; i++) {  // completed first = last in topological order
    TP_INVARIANT(at < s->found.n);
    uint32_t size = s->sizes.at[i], position = r.start + (n - 1 - i);
    const uint32_t *members = &s->found.at[at];
    if (size > 1 || has_self_loop(s, members[0]))
      nest(s, members, size, r.level, position);
    else {
      set_level(s, members[0], position, 0);
      s->region_of[members[0]] = 0;
    }
    at += size;
  }
}

/* The locations that the entry reaches, ranked by first visit in a depth-first search. */
static void collect(splitter *s, tp_loc entry) {
  enter(s, entry.id);
  s->rank[entry.id] = 1;
  uint32_t rank = 1;
  tp_vec_push(&s->nodes, entry.id);
  while (s->path.n) {
    struct step *top = &tp_vec_last(&s->path);
    tp_edge_list out = tp_out_edges(s->o->p, (tp_loc){top->loc});
    if (top->edge >= out.n) {
      (void)tp_vec_pop(&s->path);
      continue;
    }
    uint32_t to = s->o->p->edges.at[out.at[top->edge++]].to.id;
    if (s->index[to]) continue;
    enter(s, to);
    s->rank[to] = ++rank;
    tp_vec_push(&s->nodes, to);
  }
  for (size_t i = 0; i < s->nodes.n; i++) s->on_stack[s->nodes.at[i]] = false;
  s->open.n = 0;
}

void tp_chk_order_of_func(tp_chk_order *o, tp_func f) {
  TP_REQUIRE(f.id && tp_func_of(o->p, f)->entry.id);
  if (o->has_order[f.id]) return;
  o->has_order[f.id] = true;
  size_t n = o->p->locs.n;
  splitter s = {.o = o};
  s.region_of = TP_NEW_ARRAY(uint32_t, n);
  s.index = TP_NEW_ARRAY(uint32_t, n);
  s.low = TP_NEW_ARRAY(uint32_t, n);
  s.rank = TP_NEW_ARRAY(uint32_t, n);
  s.on_stack = TP_NEW_ARRAY(bool, n);
  collect(&s, tp_func_of(o->p, f)->entry);
  s.n_regions = 1;
  for (size_t i = 0; i < s.nodes.n; i++) s.region_of[s.nodes.at[i]] = 1;
  tp_vec_push(&s.todo, (region){0, (uint32_t)s.nodes.n, 0, 0});
  while (s.todo.n) {
    region r = tp_vec_pop(&s.todo);
    split(&s, r);
  }
  tp_free(s.region_of);
  tp_free(s.index);
  tp_free(s.low);
  tp_free(s.rank);
  tp_free(s.on_stack);
  tp_vec_clear(&s.nodes);
  tp_vec_clear(&s.todo);
  tp_vec_clear(&s.open);
  tp_vec_clear(&s.path);
  tp_vec_clear(&s.found);
  tp_vec_clear(&s.sizes);
}

tp_chk_visit tp_chk_order_follow(const tp_chk_order *o, tp_chk_visit from, tp_loc to,
                                 tp_arena *arena) {
  TP_REQUIRE(o->has_order[tp_loc_of(o->p, to)->func.id]);
  const tp_chk_nesting *a = tp_chk_order_place(o, from.loc), *b = tp_chk_order_place(o, to);
  TP_INVARIANT(b->levels.n > 0);  // the entry reaches the location
  uint32_t n = (uint32_t)b->levels.n - 1;
  tp_chk_visit v = {to, n, n ? tp_arena_array(arena, uint32_t, n) : NULL};
  for (uint32_t i = 0; i < n && i < from.n; i++) {
    if (a->levels.at[i].component != b->levels.at[i].component) break;
    v.iterations[i] = from.iterations[i];
    if (b->is_head && i + 1 == n)
      v.iterations[i]++;  // from inside the loop to its head: one more turn
  }
  return v;
}

int tp_chk_order_compare(const tp_chk_order *o, tp_chk_visit a, tp_chk_visit b) {
  const tp_chk_nesting *pa = tp_chk_order_place(o, a.loc), *pb = tp_chk_order_place(o, b.loc);
  for (uint32_t i = 0;; i++) {
    uint32_t x = pa->levels.at[i].position, y = pb->levels.at[i].position;
    if (x != y) return x < y ? -1 : 1;
    if (i == a.n || i == b.n) return 0;  // the same location: positions within a level are unique
    if (a.iterations[i] != b.iterations[i]) return a.iterations[i] < b.iterations[i] ? -1 : 1;
  }
}
