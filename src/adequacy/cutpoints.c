/* Locations at which states are abstracted: loop heads always, since every cycle needs one; on
 * request also calls, or every statement. */
#include "adequacy/cutpoints.h"

#include "program/liveness.h"
#include "program/locals.h"

static void add_calls(const tp_program *p, bool *at) {
  for (size_t i = 1; i < p->edges.n; i++) {
    const tp_edge_info *e = &p->edges.at[i];
    if (e->kind == TP_E_CALL && e->from.id) at[e->from.id] = at[e->to.id] = true;
  }
  for (uint32_t f = 1; f < p->funcs.n; f++) {
    const tp_func_info *info = &p->funcs.at[f];
    if (info->has_body) at[info->entry.id] = at[info->exit.id] = true;
  }
}

/* Does an edge of this kind, or one that only passes a check of the property, lead here and nothing
 * else? */
static bool only_behind(const tp_program *p, tp_property property, tp_loc l) {
  tp_edge_list in = tp_in_edges(p, l);
  bool only = in.n > 0;
  for (uint32_t i = 0; i < in.n && only; i++) {
    const tp_edge_info *e = &p->edges.at[in.at[i]];
    bool is_check = false;
    tp_edge_list beside = tp_out_edges(p, e->from);
    for (uint32_t k = 0; k < beside.n; k++)
      is_check |= tp_property_covers(property, tp_loc_of(p, p->edges.at[beside.at[k]].to)->error);
    only = e->kind == TP_E_END_SCOPE || (e->kind == TP_E_ASSUME && is_check);
  }
  return only;
}

static bool same_line(tp_pos a, tp_pos b) {
  return a.file == b.file && a.line == b.line && a.line != 0;
}

/* Is the location still part of entering its function: objects and values of parameters? */
static bool is_in_entry(const tp_program *p, tp_loc l) {
  tp_edge_list out = tp_out_edges(p, l);
  tp_pos entry = tp_func_of(p, tp_loc_of(p, l)->func)->pos;
  for (uint32_t i = 0; i < out.n; i++) {
    const tp_edge_info *e = &p->edges.at[out.at[i]];
    if ((e->kind == TP_E_ALLOC || e->kind == TP_E_STORE || e->kind == TP_E_ASSIGN) &&
        same_line(e->pos, entry))
      return true;
  }
  return false;
}

static void add_statements(const tp_program *p, tp_property property, bool *at) {
  tp_liveness *live = tp_liveness_new(p);
  tp_locals locals;
  tp_locals_init(&locals, p);
  for (uint32_t l = 1; l < p->locs.n; l++) {
    const tp_loc_info *info = &p->locs.at[l];
    if (info->order == TP_ORDER_NONE || tp_out_edges(p, (tp_loc){l}).n == 0) continue;
    bool pending = false;
    for (uint32_t i = locals.first[info->func.id]; i < locals.first[info->func.id + 1] && !pending;
         i++)
      pending = tp_var_of(p, locals.at[i])->kind == TP_V_TEMP &&
                tp_is_live(live, (tp_loc){l}, locals.at[i]);
    if (!pending && !only_behind(p, property, (tp_loc){l}) && !is_in_entry(p, (tp_loc){l}))
      at[l] = true;
  }
  tp_locals_clear(&locals);
  tp_liveness_free(live);
}

bool *tp_cutpoints_find(const tp_program *p, tp_property property, tp_cutpoints choice) {
  bool *at = TP_NEW_ARRAY(bool, p->locs.n);
  for (size_t l = 1; l < p->locs.n; l++) at[l] = p->locs.at[l].is_cutpoint;
  if (choice != TP_CUTPOINTS_LOOPS) add_calls(p, at);
  if (choice == TP_CUTPOINTS_ALL) add_statements(p, property, at);
  at[tp_func_of(p, p->main)->exit.id] = false;  // nothing follows
  return at;
}
