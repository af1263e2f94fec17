/* Dead variables become top: states that differ in dead variables only are equal then.
 *
 * Which variables die along an edge is worked out once per edge: those that were live before it, or
 * are written by it, and are not live behind it. Pointers stay: they name objects that other
 * pointers may lead to. */
#include "cpa/store_priv.h"

#include "program/liveness.h"

static bool is_number(const tp_store *st, tp_var v) {
  return tp_sort_kind_of(st->tt, tp_sort_of(st->tt, st->p->vars.at[v.id].term)) != TP_SORT_PTR;
}

/* The variables of the function at `from` that die when the step is taken. */
static tp_store_dead_vars *dead_along(tp_store *st, const tp_step *step) {
  TP_REQUIRE(step->edge.id && step->kind != TP_STEP_SUMMARY);
  uint64_t key = (uint64_t)step->edge.id << 1 | (step->kind == TP_STEP_CALL), known;
  if (tp_map_get(&st->dead_index, key, &known)) return (tp_store_dead_vars *)(uintptr_t)known;
  if (!st->liveness) st->liveness = tp_liveness_new(st->p);
  const tp_edge_info *e = tp_edge_of(st->p, step->edge);
  tp_func f = tp_loc_of(st->p, e->from)->func;
  tp_store_dead_vars *d = tp_arena_new(&st->cpa->arena, tp_store_dead_vars);
  d->at = tp_arena_array(&st->cpa->arena, tp_var,
                         st->locals.first[f.id + 1] - st->locals.first[f.id] + 1);
  for (uint32_t i = st->locals.first[f.id]; i < st->locals.first[f.id + 1]; i++) {
    tp_var v = st->locals.at[i];
    bool was = tp_is_live(st->liveness, e->from, v) || e->var.id == v.id;
    bool is = step->kind == TP_STEP_CALL ? tp_is_live_across(st->liveness, step->edge, v)
                                         : tp_is_live(st->liveness, e->to, v);
    if (was && !is && is_number(st, v)) d->at[d->n++] = v;
  }
  tp_map_set(&st->dead_index, key, (uintptr_t)d);
  return d;
}

void tp_store_havoc_dead(tp_store *st, tp_elem *e, const tp_step *step) {
  if (step->kind == TP_STEP_SUMMARY) return;
  const tp_store_dead_vars *d = dead_along(st, step);
  for (uint32_t i = 0; i < d->n; i++)
    if (tp_pmap_get(&e->vars, d->at[i].id)) tp_store_assign_var(st, e, d->at[i], TP_ABSVAL_TOP);
}
