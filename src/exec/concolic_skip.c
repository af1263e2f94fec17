/* Where a concolic run may go on as a plain one: nothing there reads or writes what depends on
 * inputs. By location and variable, not by path: a place where some edge could is a place to stop.
 * Found again only when other variables depend on inputs. */
#include "exec/concolic_priv.h"

typedef struct {
  const tp_concolic *c;
  const bool *symbolic;
  bool any;
} search;

static void visit_symbol(void *ctx, tp_term symbol) {
  search *q = ctx;
  tp_var v = tp_program_var_of(q->c->p, symbol);
  q->any |=
      v.id && (q->symbolic[v.id] ||
               v.id == q->c->p->ghost_leaked.id);  // what is lost depends on what pointers mean
}

static bool reads(const tp_concolic *c, const bool *symbolic, tp_term t) {
  search q = {c, symbolic, false};
  if (tp_term_is(t)) tp_for_vars(c->tt, t, visit_symbol, &q);
  return q.any;
}

/* Could the edge touch shadows of memory, or what is known of addresses in memory? */
static bool touches_memory(const tp_concolic *c, const tp_edge_info *e) {
  switch (e->kind) {
    case TP_E_LOAD: return c->memory.n || (c->has_addresses && c->is_whole);
    case TP_E_STORE:
      return c->memory.n ||
             (!c->has_addresses && tp_sort_kind_of(c->tt, tp_sort_of(c->tt, e->b)) == TP_SORT_PTR);
    case TP_E_COPY:
    case TP_E_SET:
    case TP_E_HAVOC_MEMORY:
    case TP_E_FREE:
    case TP_E_END_SCOPE: return c->memory.n;
    case TP_E_SKIP:
    case TP_E_ASSIGN:
    case TP_E_ASSUME:
    case TP_E_ALLOC:
    case TP_E_HAVOC:
    case TP_E_CALL:
    case TP_E_RETURN: return false;
  }
  return true;
}

static bool touches(const tp_concolic *c, const bool *symbolic, const tp_edge_info *e) {
  if (touches_memory(c, e) || (e->var.id && symbolic[e->var.id])) return true;
  if (e->kind == TP_E_RETURN &&
      symbolic[tp_func_of(c->p, tp_loc_of(c->p, e->from)->func)->result.id])
    return true;
  bool any = reads(c, symbolic, e->a) || reads(c, symbolic, e->b) || reads(c, symbolic, e->c);
  for (uint32_t i = 0; i < e->n_args && !any; i++) any = reads(c, symbolic, e->args[i]);
  return any;
}

/* Variables that depend on inputs, in some active frame. */
static void find_symbolic(const tp_concolic *c, bool *symbolic) {
  for (size_t i = 0; i <= c->s->frames.n; i++) {
    const tp_frame *f = i ? &c->s->frames.at[i - 1] : NULL;
    const tp_slot_list list = tp_code_slots(c->s->code, f ? f->func : TP_FUNC_NONE);
    for (size_t k = 0; k < list.n; k++) {
      size_t slot = (f ? f->base : 0) + k;
      if (slot < c->slots.n && tp_term_is(c->slots.at[slot])) symbolic[list.var[k].id] = true;
    }
  }
}

/* Leaving a function forgets its variables, and gives the call's variable another value. */
static void stop_at_exits(const tp_concolic *c, const bool *symbolic, bool *stops) {
  for (size_t i = 1; i < c->s->frames.n; i++) {
    const tp_frame *f = &c->s->frames.at[i];
    const tp_slot_list list = tp_code_slots(c->s->code, f->func);
    bool any = symbolic[tp_edge_of(c->p, f->call)->var.id];
    for (size_t k = 0; k < list.n && !any; k++) any = symbolic[list.var[k].id];
    if (any) stops[tp_func_of(c->p, f->func)->exit.id] = true;
  }
}

static void find_stops(const tp_concolic *c, const bool *symbolic, bool *stops) {
  for (size_t i = 1; i < c->p->edges.n; i++) {
    const tp_edge_info *e = &c->p->edges.at[i];
    if (e->from.id && !stops[e->from.id]) stops[e->from.id] = touches(c, symbolic, e);
  }
}

/* What the stops were found for. */
static uint64_t key_of(const tp_concolic *c, const bool *symbolic) {
  uint64_t h = (c->memory.n != 0) | (unsigned)c->has_addresses << 1 | (unsigned)c->is_whole << 2;
  for (size_t i = 1; i < c->p->vars.n; i++)
    if (symbolic[i]) h = tp_hash_mix(h, i);
  return tp_hash_u64(h) | 1;
}

void tp_concolic_set_stops(tp_concolic *c, tp_visits *v) {
  bool *symbolic = TP_NEW_ARRAY(bool, c->p->vars.n + 1);
  if (c->n_symbolic) find_symbolic(c, symbolic);
  uint64_t key = key_of(c, symbolic);
  if (!c->stops || c->stops_key != key) {
    tp_free(c->stops);
    c->stops = TP_NEW_ARRAY(bool, c->p->locs.n + 1);
    c->stops_key = key;
    find_stops(c, symbolic, c->stops);
  }
  bool *exits = TP_NEW_ARRAY(bool, c->p->locs.n + 1);
  stop_at_exits(c, symbolic, exits);
  for (uint32_t l = 1; l < c->p->locs.n; l++)
    if (c->stops[l] || exits[l])
      *tp_visits_countdown(v, v->common[tp_loc_of(c->p, (tp_loc){l})->func.id], (tp_loc){l}) = 0;
  tp_free(exits);
  tp_free(symbolic);
}
