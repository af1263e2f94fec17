/* States that wait, ordered so that all paths to a location within a segment have met before it is
 * left. */
#include "certify/symbolic/worklist.h"

void tp_chk_worklist_init(tp_chk_worklist *a, const tp_program *p, const tp_chk_cert *e) {
  *a = (tp_chk_worklist){.p = p,
                         .e = e,
                         .has_positions = TP_NEW_ARRAY(bool, e->contexts.n + 1),
                         .first_cutpoint = TP_NEW_ARRAY(uint32_t, e->contexts.n + 1),
                         .next_cutpoint = TP_NEW_ARRAY(uint32_t, e->cutpoints.n + 1)};
  for (size_t i = e->cutpoints.n; i-- > 1;) {
    uint32_t *first = &a->first_cutpoint[e->cutpoints.at[i].context];
    a->next_cutpoint[i] = *first;
    *first = (uint32_t)i;
  }
}

void tp_chk_worklist_clear(tp_chk_worklist *a) {
  tp_map_clear(&a->positions);
  tp_free(a->has_positions);
  tp_free(a->first_cutpoint);
  tp_free(a->next_cutpoint);
  tp_vec_clear(&a->depths);
  tp_vec_clear(&a->waiting);
}

void tp_chk_worklist_restart(tp_chk_worklist *a) { a->waiting.n = 0; }

void tp_chk_worklist_pass_cutpoints(tp_chk_worklist *a, bool passes) {
  a->passes_cutpoints = passes;
  tp_map_clear(&a->positions);
  memset(a->has_positions, 0, a->e->contexts.n * sizeof *a->has_positions);
}

// ------------------------------------------------------------------- positions

static uint64_t place_of(uint32_t context, tp_loc l) { return (uint64_t)context << 32 | l.id; }

typedef struct {
  tp_chk_worklist *a;
  uint32_t context;
  tp_map seen;
  struct {
    struct step {
      uint32_t loc, edge;
    } *at;
    size_t n, cap;
  } path;
  TP_VEC(uint32_t) finished;
} search;

static void enter(search *s, tp_loc l) {
  if (tp_map_has(&s->seen, l.id)) return;
  tp_map_set(&s->seen, l.id, 1);
  tp_vec_push(&s->path, (struct step){l.id, 0});
}

static bool is_cut(const tp_chk_worklist *a, uint32_t context, tp_loc l) {
  return (a->passes_cutpoints ? tp_chk_cert_counted_cutpoint(a->e, context, l)
                              : tp_chk_cert_cutpoint(a->e, context, l)) != 0;
}

/* Depth first, not into cutpoints. */
static void search_from(search *s, tp_loc root) {
  const tp_program *p = s->a->p;
  enter(s, root);
  while (s->path.n) {
    struct step *top = &tp_vec_last(&s->path);
    tp_edge_list out = tp_out_edges(p, (tp_loc){top->loc});
    if (top->edge == out.n) {
      tp_vec_push(&s->finished, top->loc);
      (void)tp_vec_pop(&s->path);
      continue;
    }
    tp_loc to = p->edges.at[out.at[top->edge++]].to;
    if (!is_cut(s->a, s->context, to)) enter(s, to);
  }
}

static void order_context(tp_chk_worklist *a, uint32_t context) {
  TP_REQUIRE(context > 0 && context < a->e->contexts.n);
  if (a->has_positions[context]) return;
  a->has_positions[context] = true;
  search s = {.a = a, .context = context};
  search_from(&s, tp_func_of(a->p, a->e->contexts.at[context].func)->entry);
  for (uint32_t i = a->first_cutpoint[context]; i; i = a->next_cutpoint[i])
    search_from(&s, a->e->cutpoints.at[i].loc);
  for (size_t i = 0; i < s.finished.n; i++)
    tp_map_set(&a->positions, place_of(context, (tp_loc){s.finished.at[i]}), s.finished.n - i);
  tp_map_clear(&s.seen);
  tp_vec_clear(&s.path);
  tp_vec_clear(&s.finished);
}

static uint32_t position(tp_chk_worklist *a, uint32_t context, tp_loc l) {
  uint64_t n = 0;
  order_context(a, context);
  return tp_map_get(&a->positions, place_of(context, l), &n) ? (uint32_t)n : 0;
}

// ----------------------------------------------------------------------- places

void tp_chk_worklist_locate(tp_chk_worklist *a, tp_chk_state *m) {
  m->place = (tp_chk_place){.is_located = true,
                            .arrivals = m->arrivals,
                            .n_back_moves = m->n_back_moves,
                            .context = m->context};
  if (!m->frame) m->place.position = position(a, m->context, m->loc);
}

/* Of one function activation each: the context, then the visit. */
static int compare_frame(const tp_chk_worklist *a, const tp_chk_frame *f, const tp_chk_frame *g) {
  if (f->context != g->context) return f->context < g->context ? -1 : 1;
  return tp_chk_order_compare(a->order, f->at, g->at);
}

/* The outermost difference decides; a caller comes before what it calls. */
static int compare_frames(const tp_chk_worklist *a, const tp_chk_frame *f, const tp_chk_frame *g) {
  TP_REQUIRE(a->order && f && g);
  int order = (f->depth > g->depth) - (f->depth < g->depth);
  while (f->depth > g->depth) f = f->caller;
  while (g->depth > f->depth) g = g->caller;
  for (; f != g; f = f->caller, g = g->caller) {
    const int here = compare_frame(a, f, g);
    if (here) order = here;
  }
  return order;
}

static uint32_t depth_of(tp_chk_worklist *a, uint32_t context) {
  const tp_chk_context *contexts = a->e->contexts.at;
  while (a->depths.n <= context) {  // parents have smaller numbers
    const uint32_t c = (uint32_t)a->depths.n, parent = c ? contexts[c].parent : 0;
    TP_INVARIANT(parent < c || c == 0);
    tp_vec_push(&a->depths, parent ? a->depths.at[parent] + 1 : 0);
  }
  return a->depths.at[context];
}

/* A place seen from a context around it: the position of the call that leads on to it. */
typedef struct {
  uint32_t context, position;
  uint32_t entered;  // the context that the call enters; 0: the place is in `context`
} outer_place;

static void step_out(tp_chk_worklist *a, outer_place *o) {
  const tp_chk_context *c = &a->e->contexts.at[o->context];
  o->entered = o->context;
  o->context = c->parent;
  o->position = c->parent ? position(a, c->parent, tp_edge_of(a->p, c->call)->from) : 0;
}

static int compare_numbers(uint32_t m, uint32_t n) { return (m > n) - (m < n); }

/* In the context around both: the positions, then which contexts are entered there. */
static int compare_contexts(tp_chk_worklist *a, outer_place m, outer_place n) {
  uint32_t depth_m = depth_of(a, m.context), depth_n = depth_of(a, n.context);
  for (; depth_m > depth_n; depth_m--) step_out(a, &m);
  for (; depth_n > depth_m; depth_n--) step_out(a, &n);
  while (m.context != n.context) {
    step_out(a, &m);
    step_out(a, &n);
  }
  return m.position != n.position ? compare_numbers(m.position, n.position)
                                  : compare_numbers(m.entered, n.entered);
}

static int compare_places(tp_chk_worklist *a, const tp_chk_place *m, const tp_chk_place *n) {
  if (m->arrivals != n->arrivals) return compare_numbers(m->arrivals, n->arrivals);
  if (m->n_back_moves != n->n_back_moves) return compare_numbers(m->n_back_moves, n->n_back_moves);
  return compare_contexts(a, (outer_place){m->context, m->position, 0},
                          (outer_place){n->context, n->position, 0});
}

int tp_chk_worklist_compare(tp_chk_worklist *a, const tp_chk_state *m, const tp_chk_state *n) {
  TP_REQUIRE(m->place.is_located && n->place.is_located && !m->frame == !n->frame);
  const int order =
      m->frame ? compare_frames(a, m->frame, n->frame) : compare_places(a, &m->place, &n->place);
  return order ? order : (m->way > n->way) - (m->way < n->way);
}

void tp_chk_worklist_add(tp_chk_worklist *a, tp_chk_state m) {
  TP_REQUIRE(m.place.is_located);
  size_t from = 0, to = a->waiting.n;
  while (from < to) {  // the first that is not greater
    size_t mid = (from + to) / 2;
    if (tp_chk_worklist_compare(a, &a->waiting.at[mid], &m) > 0)
      from = mid + 1;
    else
      to = mid;
  }
  TP_INVARIANT(from == a->waiting.n || tp_chk_worklist_compare(a, &a->waiting.at[from], &m) <= 0);
  TP_INVARIANT(from == 0 || tp_chk_worklist_compare(a, &a->waiting.at[from - 1], &m) > 0);
  tp_vec_push(&a->waiting, m);
  memmove(a->waiting.at + from + 1, a->waiting.at + from,
          (a->waiting.n - 1 - from) * sizeof *a->waiting.at);
  a->waiting.at[from] = m;
}

bool tp_chk_worklist_next(tp_chk_worklist *a, tp_chk_states *out) {
  out->n = 0;
  if (!a->waiting.n) return false;
  do {
    tp_chk_state m = tp_vec_pop(&a->waiting);
    tp_vec_push(out, m);
  } while (a->waiting.n && tp_chk_worklist_compare(a, &tp_vec_last(&a->waiting), &out->at[0]) == 0);
  return true;
}
