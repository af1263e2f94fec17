/* Engines: one class, the graphs that were made of it, structures for scratch, and the graphs of
 * the heaps that need no step: none, any, those at the start. */
#include "shape/engine_priv.h"

tp_shape_engine *tp_shape_engine_new(tp_shape_class *c) {
  TP_REQUIRE(c && c->formulas);
  tp_shape_engine *e = TP_NEW(tp_shape_engine);
  e->c = c;
  e->e = tp_evaluation_new(c->formulas);
  return e;
}

void tp_shape_engine_free(tp_shape_engine *e) {
  if (!e) return;
  for (size_t i = 0; i < e->idle.n; i++) {
    tp_structure_clear(e->idle.at[i]);
    tp_free(e->idle.at[i]);
  }
  for (size_t i = 0; i < e->actions.n; i++) {
    tp_vec_clear(&e->actions.at[i]->changes);
    tp_free(e->actions.at[i]);
  }
  tp_vec_clear(&e->idle);
  tp_vec_clear(&e->actions);
  tp_vec_clear(&e->steps);
  tp_vec_clear(&e->remembered);
  tp_vec_clear(&e->results);
  tp_map_clear(&e->memory);
  tp_graph_pool_clear(&e->graphs);
  tp_graph_pool_clear(&e->sharp);
  tp_vec_clear(&e->sharp_of);
  tp_evaluation_free(e->e);
  tp_free(e);
}

const tp_shape_class *tp_shape_engine_class(const tp_shape_engine *e) { return e->c; }
const tp_graph_pool *tp_shape_engine_graphs(const tp_shape_engine *e) { return &e->graphs; }
const tp_shape_stats *tp_shape_engine_stats(const tp_shape_engine *e) { return &e->stats; }
tp_evaluation *tp_shape_engine_evaluation(tp_shape_engine *e) { return e->e; }

tp_structure *tp_shape_take(tp_shape_engine *e) {
  tp_structure *s = e->idle.n ? tp_vec_pop(&e->idle) : tp_shape_class_structure_new(e->c);
  tp_structure_reset(s);
  return s;
}

void tp_shape_give(tp_shape_engine *e, tp_structure *s) { tp_vec_push(&e->idle, s); }

void tp_graph_ids_add(tp_graph_ids *set, uint32_t id) {
  TP_REQUIRE(id > 0);  // 0 is no graph
  size_t i = set->n;
  while (i > 0 && set->at[i - 1] > id) i--;
  if (i > 0 && set->at[i - 1] == id) return;
  tp_vec_push(set, id);
  memmove(set->at + i + 1, set->at + i, (set->n - 1 - i) * sizeof *set->at);
  set->at[i] = id;
}

uint32_t tp_shape_engine_add(tp_shape_engine *e, const tp_structure *s) {
  tp_structure *blurred = tp_shape_take(e);
  tp_structure_blur(blurred, s, &e->c->abstraction);
  TP_INVARIANT(tp_structure_is_blurred(blurred, &e->c->abstraction));
  const uint32_t id = tp_graph_intern(&e->graphs, blurred)->id;
  tp_shape_give(e, blurred);
  return id;
}

uint32_t tp_shape_engine_add_coerced(tp_shape_engine *e, const tp_structure *s) {
  tp_structure *copy = tp_shape_take(e);
  tp_structure_copy(copy, s);
  const uint32_t id = tp_shape_coerce(e->c, e->e, copy) ? tp_shape_engine_add(e, copy) : 0;
  tp_shape_give(e, copy);
  return id;
}

uint32_t tp_shape_engine_empty(tp_shape_engine *e) {
  tp_structure *s = tp_shape_take(e);
  const uint32_t id = tp_shape_engine_add(e, s);
  tp_shape_give(e, s);
  return id;
}

/* One node of which nothing is known but, perhaps, that it is outside. */
static void add_unknown(tp_shape_engine *e, tp_kleene outside, tp_graph_ids *out) {
  tp_structure *s = tp_shape_take(e);
  s->n = 1;
  s->summary = 1;
  for (uint32_t p = 0; p < s->n_unary; p++) s->unary[p] = (tp_k64){1, 0};
  for (uint32_t p = 0; p < s->n_binary; p++) *tp_structure_row(s, p, 0) = (tp_k64){1, 0};
  if (e->c->rules && outside == TP_KLEENE_TRUE) {
    tp_k64_set(&s->unary[e->c->outside], 0, TP_KLEENE_TRUE);
    tp_k64_set(&s->unary[e->c->freed], 0, TP_KLEENE_FALSE);
  }
  const uint32_t id =
      outside == TP_KLEENE_TRUE ? tp_shape_engine_add_coerced(e, s) : tp_shape_engine_add(e, s);
  if (id) tp_graph_ids_add(out, id);
  tp_shape_give(e, s);
}

void tp_shape_engine_top(tp_shape_engine *e, tp_graph_ids *out) {
  tp_graph_ids_add(out, tp_shape_engine_empty(e));
  add_unknown(e, TP_KLEENE_HALF, out);
}

void tp_shape_engine_start(tp_shape_engine *e, tp_graph_ids *out) {
  add_unknown(e, TP_KLEENE_TRUE, out);
}
