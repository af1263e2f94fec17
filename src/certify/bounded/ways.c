/* Cursors that are not read any more keep no paths apart; those of a function that waits for a call
 * are looked at once, when it is made. */
#include "certify/bounded/ways.h"

#include "certify/certify_limits.h"
#include "program/cursors.h"
#include "program/liveness.h"

typedef struct {
  uint32_t object;
  uint64_t offset;
  tp_sort sort;
  bool steps, indexes;
} cursor_cell;

struct tp_chk_ways {
  const tp_program *p;
  tp_cursors cursors;
  tp_liveness *liveness;
  TP_VEC(cursor_cell) cells;
};

tp_chk_ways *tp_chk_ways_new(const tp_program *p) {
  tp_chk_ways *w = TP_NEW(tp_chk_ways);
  w->p = p;
  w->liveness = tp_liveness_new(p);
  tp_cursors_init(&w->cursors, p);
  return w;
}

void tp_chk_ways_free(tp_chk_ways *w) {
  if (!w) return;
  tp_cursors_clear(&w->cursors);
  tp_liveness_free(w->liveness);
  tp_vec_clear(&w->cells);
  tp_free(w);
}

static cursor_cell *cell_at(tp_chk_ways *w, uint32_t object, uint64_t offset, tp_sort sort) {
  for (size_t i = 0; i < w->cells.n; i++)
    if (w->cells.at[i].object == object && w->cells.at[i].offset == offset) return &w->cells.at[i];
  if (w->cells.n == TP_CERTIFY_WAYS_CELLS) return NULL;
  tp_vec_push(&w->cells, ((cursor_cell){object, offset, sort, false, false}));
  return &tp_vec_last(&w->cells);
}

void tp_chk_ways_see(tp_chk_ways *w, tp_chk_exec *g, tp_edge e) {
  const tp_edge_info *edge = tp_edge_of(w->p, e);
  const bool steps = w->cursors.steps[e.id], indexes = w->cursors.indexes[e.id];
  if (!steps && !indexes) return;
  const tp_term at = tp_chk_eval_edge_term(g, edge->a).term;
  uint64_t object, offset;
  if (!tp_bv_value_u64(g->tt, tp_mk1(g->tt, TP_OP_PTR_OBJ, at), &object) || object == 0 ||
      !tp_bv_value_u64(g->tt, tp_mk1(g->tt, TP_OP_PTR_OFF, at), &offset))
    return;
  const tp_term value = steps ? edge->b : tp_var_of(w->p, edge->var)->term;
  cursor_cell *c = cell_at(w, (uint32_t)object, offset, tp_sort_of(g->tt, value));
  if (!c) return;
  c->steps |= steps;
  c->indexes |= indexes;
}

static uint64_t add_value(const tp_chk_exec *g, uint64_t way, uint64_t place, tp_term value) {
  return tp_is_const(g->tt, value) ? tp_hash_mix(tp_hash_mix(way, place), value.id) : way;
}

/* call: that the function waits for; NONE: the path is in it. */
static uint64_t add_vars(tp_chk_ways *w, tp_chk_exec *g, uint64_t way, tp_func f, tp_edge call) {
  for (uint32_t i = g->locals.first[f.id]; i < g->locals.first[f.id + 1]; i++) {
    const tp_var v = g->locals.at[i];
    if (w->cursors.is_cursor[v.id] && (call.id ? tp_is_live_across(w->liveness, call, v)
                                               : tp_is_live(w->liveness, g->state.loc, v)))
      way = add_value(g, way, v.id, tp_chk_exec_get(g, v).term);
  }
  return way;
}

uint64_t tp_chk_ways_of_call(tp_chk_ways *w, tp_chk_exec *g, uint64_t caller, tp_edge call) {
  const tp_loc from = tp_edge_of(w->p, call)->from;
  return add_vars(w, g, caller, tp_loc_of(w->p, from)->func, call);
}

uint64_t tp_chk_ways_here(tp_chk_ways *w, tp_chk_exec *g, uint64_t caller) {
  uint64_t way = add_vars(w, g, caller, TP_FUNC_NONE, TP_EDGE_NONE);
  way = add_vars(w, g, way, tp_loc_of(w->p, g->state.loc)->func, TP_EDGE_NONE);
  for (size_t i = 0; i < w->cells.n; i++) {
    const cursor_cell *c = &w->cells.at[i];
    if (!c->steps || !c->indexes) continue;
    const tp_term at = tp_mk_ptr_const(g->tt, c->object, c->offset);
    way = add_value(g, way, (uint64_t)c->object << 32 | c->offset,
                    tp_chk_history_read(&g->history, g->state.memory, at, c->sort).term);
  }
  return way;
}
