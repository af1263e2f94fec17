/* Turns are counted per activation: each frame has one count for each head of its function, an edge
 * to a head from inside of its component adds one, from outside starts again. */
#include "search/iteration_counts.h"

/* What an edge does: nothing, or twice the component plus whether it turns. */
enum { NOT_KNOWN, NOTHING, FIRST_ARRIVAL };

static const tp_wto *order_of(const tp_iteration_counts *t, tp_func f) {
  tp_wto **w = &t->orders.at[f.id];
  if (!*w) {
    *w = TP_NEW(tp_wto);
    tp_wto_init(*w, t->p, f);
  }
  return *w;
}

void tp_iteration_counts_init(tp_iteration_counts *t, const tp_program *p) {
  *t = (tp_iteration_counts){.p = p};
  tp_vec_resize(&t->orders, p->funcs.n);
  tp_vec_resize(&t->active, p->funcs.n);
  tp_vec_resize(&t->most_active, p->funcs.n);
  tp_vec_resize(&t->arrivals, p->edges.n);
}

void tp_iteration_counts_clear(tp_iteration_counts *t) {
  for (size_t i = 0; i < t->orders.n; i++) {
    if (!t->orders.at[i]) continue;
    tp_wto_clear(t->orders.at[i]);
    tp_free(t->orders.at[i]);
  }
  tp_vec_clear(&t->orders);
  tp_vec_clear(&t->active);
  tp_vec_clear(&t->most_active);
  tp_vec_clear(&t->arrivals);
  tp_vec_clear(&t->frames);
  tp_vec_clear(&t->counts);
  tp_map_clear(&t->most);
}

static uint32_t arrival(const tp_iteration_counts *t, const tp_edge_info *e) {
  const tp_wto *w = order_of(t, tp_loc_of(t->p, e->from)->func);
  uint32_t from = tp_wto_position(w, e->from), to = tp_wto_position(w, e->to);
  if (to >= w->inner.n) return NOTHING;
  uint32_t c = w->inner.at[to];
  if (!c || w->components.at[c].first != to) return NOTHING;
  return 2 * c + (tp_wto_inside(w, c, from) ? 1 : 0);
}

static void push(tp_iteration_counts *t, tp_func f) {
  tp_vec_push(&t->frames, f);
  tp_vec_resize(&t->counts, t->counts.n + order_of(t, f)->components.n);
  if (++t->active.at[f.id] > t->most_active.at[f.id]) t->most_active.at[f.id] = t->active.at[f.id];
}

static void pop(tp_iteration_counts *t) {
  TP_REQUIRE(t->frames.n > 0);
  tp_func f = tp_vec_pop(&t->frames);
  t->counts.n -= order_of(t, f)->components.n;
  t->active.at[f.id]--;
}

static void count(tp_iteration_counts *t, uint32_t how) {
  TP_REQUIRE(how >= FIRST_ARRIVAL && t->frames.n > 0);
  const tp_wto *w = order_of(t, tp_vec_last(&t->frames));
  uint32_t c = how / 2;
  uint64_t *n = &t->counts.at[t->counts.n - w->components.n + c], most = 0;
  *n = how % 2 ? *n + 1 : 0;
  (void)tp_map_get(&t->most, w->components.at[c].head.id, &most);
  if (*n > most) tp_map_set(&t->most, w->components.at[c].head.id, *n);
}

static bool edge(void *ctx, const tp_state *before, tp_edge id) {
  tp_iteration_counts *t = ctx;
  const tp_edge_info *e = tp_edge_of(t->p, id);
  while (t->frames.n > tp_state_depth(before)) pop(t);
  if (t->frames.n < tp_state_depth(before)) push(t, tp_loc_of(t->p, e->from)->func);
  uint32_t *how = &t->arrivals.at[id.id];
  if (*how == NOT_KNOWN) *how = arrival(t, e);
  if (*how >= FIRST_ARRIVAL) count(t, *how);
  return true;
}

tp_run_result tp_iteration_counts_run(tp_iteration_counts *t, const tp_state *start,
                                      const tp_inputs *inputs, tp_run_limits limits) {
  tp_vector_oracle vector = {.in = inputs, .then_zero = true};
  tp_oracle oracle = tp_oracle_of_vector(&vector);
  tp_observer observer = {.mask = TP_OBSERVE_EDGES, .ctx = t, .edge = edge};
  tp_state *s = tp_state_copy(start);
  tp_run_result r = tp_exec_run(t->p, s, &oracle, limits, &observer);
  tp_state_free(s);
  while (t->frames.n) pop(t);
  return r;
}

void tp_iteration_counts_describe(const tp_iteration_counts *t, tp_unrolling *out) {
  TP_REQUIRE(t->frames.n == 0);
  for (uint32_t f = 1; f < t->p->funcs.n; f++) {
    if (!t->p->funcs.at[f].has_body) continue;
    const tp_wto *w = order_of(t, (tp_func){f});
    for (uint32_t c = 1; c < w->components.n; c++) {
      uint64_t turns = 0;
      (void)tp_map_get(&t->most, w->components.at[c].head.id, &turns);
      tp_vec_push(&out->loops, (tp_cert_loop){{f}, w->components.at[c].head, turns});
    }
    if (t->most_active.at[f] > 1)
      tp_vec_push(&out->depths, (tp_cert_depth){{f}, t->most_active.at[f]});
  }
}
