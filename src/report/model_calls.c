/* From the functions that have the place, calls are followed backwards through models. */
#include "report/model_calls.h"

static bool is_same(tp_pos a, tp_pos b) {
  return a.file == b.file && a.line == b.line && a.column == b.column;
}

static bool is_before(tp_pos a, tp_pos b) {
  if (a.file != b.file) return a.file < b.file;
  return a.line != b.line ? a.line < b.line : a.column < b.column;
}

/* Marks the models that have an operation there. */
static void mark_place(const tp_program *p, tp_pos place, bool *reaches) {
  for (uint32_t e = 1; e < p->edges.n; e++) {
    const tp_edge_info *edge = &p->edges.at[e];
    const tp_func f = tp_loc_of(p, edge->from)->func;
    if (f.id && tp_func_of(p, f)->is_model && is_same(edge->pos, place)) reaches[f.id] = true;
  }
}

/* Marks the models that call a marked one. Returns whether one was marked. */
static bool mark_callers(const tp_program *p, bool *reaches) {
  bool is_more = false;
  for (uint32_t e = 1; e < p->edges.n; e++) {
    const tp_edge_info *edge = &p->edges.at[e];
    const tp_func from = tp_loc_of(p, edge->from)->func;
    if (!edge->callee.id || !reaches[edge->callee.id] || !from.id || reaches[from.id]) continue;
    if (!tp_func_of(p, from)->is_model) continue;
    reaches[from.id] = is_more = true;
  }
  return is_more;
}

tp_model_calls tp_model_calls_of(const tp_program *p, tp_pos place) {
  TP_REQUIRE(p);
  tp_model_calls out = {0};
  bool *reaches = TP_NEW_ARRAY(bool, p->funcs.n);
  mark_place(p, place, reaches);
  while (mark_callers(p, reaches)) {
  }
  for (uint32_t e = 1; e < p->edges.n; e++) {
    const tp_edge_info *edge = &p->edges.at[e];
    const tp_func from = tp_loc_of(p, edge->from)->func;
    if (!edge->callee.id || !reaches[edge->callee.id] || !tp_pos_known(edge->pos)) continue;
    if (!from.id || tp_func_of(p, from)->is_model) continue;
    out.n_more += tp_pos_known(out.pos) && !is_same(edge->pos, out.pos);
    if (tp_pos_known(out.pos) && !is_before(edge->pos, out.pos)) continue;
    out.pos = edge->pos;
    out.function = tp_func_of(p, edge->callee)->name;
  }
  tp_free(reaches);
  return out;
}
