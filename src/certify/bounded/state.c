#include "certify/bounded/walk.h"

tp_term tp_cwalk_fresh(tp_cwalk *w, const char *name, tp_sort s) {
  return tp_mk_var(w->tt, name, s);
}

tp_term tp_cwalk_input(tp_cwalk *w, const char *name, tp_sort s, tp_origin from) {
  if (!name) name = "input";
  if (tp_sort_kind_of(w->tt, s) != TP_SORT_PTR) return tp_cwalk_fresh(w, name, s);
  if (from == TP_FROM_OUTSIDE) return tp_cpointer_foreign(&w->heap.ps, name);
  return tp_cpointer_of_int(&w->heap.ps,
                            tp_cwalk_fresh(w, name, tp_sort_bv(w->tt, w->p->ptr_bits)));
}

tp_cstate *tp_cstate_initial(tp_cwalk *w) {
  const tp_program *p = w->p;
  tp_cstate *s = TP_NEW(tp_cstate);
  s->heap = tp_mk_bv(w->tt, 32, 0);
  s->globals = TP_NEW_ARRAY(tp_term, w->n_globals + 1);
  for (uint32_t i = 1; i < p->vars.n; i++) {
    const tp_var_info *v = &p->vars.at[i];
    if (v->kind != TP_V_GLOBAL) continue;
    s->globals[w->slots[i]] =
        tp_term_is(v->initial)
            ? v->initial
            : tp_cwalk_input(w, v->name, tp_sort_of(w->tt, v->term), TP_FROM_OUTSIDE);
  }
  tp_vec_resize(&s->cells, w->heap.objects.n);
  for (size_t i = 1; i < s->cells.n; i++) s->cells.at[i].live = tp_mk_true(w->tt);
  s->n_locals = w->n_locals[p->main.id];
  s->locals = TP_NEW_ARRAY(tp_term, s->n_locals + 1);
  return s;
}

tp_cstate *tp_cstate_copy(const tp_cwalk *w, const tp_cstate *s) {
  tp_cstate *c = TP_NEW(tp_cstate);
  *c = *s;
  c->cells.at = NULL;
  c->cells.n = c->cells.cap = 0;
  tp_vec_resize(&c->cells, s->cells.n);
  memcpy(c->cells.at, s->cells.at, s->cells.n * sizeof *s->cells.at);
  c->globals = TP_NEW_ARRAY(tp_term, w->n_globals + 1);
  memcpy(c->globals, s->globals, w->n_globals * sizeof *s->globals);
  c->locals = TP_NEW_ARRAY(tp_term, s->n_locals + 1);
  memcpy(c->locals, s->locals, s->n_locals * sizeof *s->locals);
  return c;
}

void tp_cstate_free(tp_cstate *s) {
  if (!s) return;
  tp_vec_clear(&s->cells);
  tp_free(s->globals);
  tp_free(s->locals);
  tp_free(s);
}

// ------------------------------------------------------------------- joining

static void join_values(tp_cwalk *w, tp_term cond, tp_term *into, const tp_term *other,
                        uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    tp_term a = into[i], b = other[i];
    if (tp_term_eq(a, b)) continue;
    tp_sort s = tp_sort_of(w->tt, tp_term_is(a) ? a : b);
    if (!tp_term_is(a)) a = tp_cwalk_fresh(w, "unassigned", s);
    if (!tp_term_is(b)) b = tp_cwalk_fresh(w, "unassigned", s);
    into[i] = tp_mk_ite(w->tt, cond, a, b);
  }
}

static tp_term bool_or_false(tp_cwalk *w, tp_term t) {
  return tp_term_is(t) ? t : tp_mk_false(w->tt);
}

static void join_cells(tp_cwalk *w, tp_term cond, tp_cstate *into, const tp_cstate *other) {
  if (into->cells.n < other->cells.n) tp_vec_resize(&into->cells, other->cells.n);
  for (size_t i = 1; i < other->cells.n; i++) {
    tp_ccell *a = &into->cells.at[i], b = other->cells.at[i];
    if (tp_term_eq(a->live, b.live) && a->log == b.log) continue;
    if (!tp_term_is(b.live)) b.log = a->log;  // does not exist there: nobody can look
    if (!tp_term_is(a->live)) a->log = b.log;
    a->live = tp_mk_ite(w->tt, cond, bool_or_false(w, a->live), bool_or_false(w, b.live));
    a->log = tp_cheap_join(&w->heap, cond, a->log, b.log);
  }
  for (size_t i = other->cells.n; i < into->cells.n; i++) {
    tp_ccell *a = &into->cells.at[i];
    if (tp_term_is(a->live)) a->live = tp_mk_and(w->tt, cond, a->live);
  }
}

void tp_cstate_join(tp_cwalk *w, tp_cstate *into, tp_cstate *other) {
  tp_term cond;
  into->path = tp_cpath_or(&w->paths, into->path, other->path, &cond);
  into->heap = tp_mk_ite(w->tt, cond, into->heap, other->heap);
  join_values(w, cond, into->globals, other->globals, w->n_globals);
  join_values(w, cond, into->locals, other->locals, into->n_locals);
  join_cells(w, cond, into, other);
  tp_cstate_free(other);
}

// ------------------------------------------------------------ variables, cells

tp_term tp_cstate_get(tp_cwalk *w, tp_cstate *s, tp_var v) {
  const tp_var_info *info = tp_var_of(w->p, v);
  if (info->kind == TP_V_GLOBAL) return s->globals[w->slots[v.id]];
  tp_term *at = &s->locals[w->slots[v.id]];
  if (!tp_term_is(*at)) {
    w->is_exact = false;
    *at = tp_cwalk_fresh(w, info->name ? info->name : "local", tp_sort_of(w->tt, info->term));
  }
  return *at;
}

void tp_cstate_set(tp_cwalk *w, tp_cstate *s, tp_var v, tp_term value) {
  if (!v.id) return;
  const tp_var_info *info = tp_var_of(w->p, v);
  if (!tp_sort_eq(tp_sort_of(w->tt, value), tp_sort_of(w->tt, info->term))) {
    w->stuck = "a value of the wrong sort is assigned";
    return;
  }
  if (info->kind == TP_V_GLOBAL)
    s->globals[w->slots[v.id]] = value;
  else
    s->locals[w->slots[v.id]] = value;
}

tp_ccell *tp_cstate_cell(tp_cstate *s, uint32_t object) {
  if (object >= s->cells.n) tp_vec_resize(&s->cells, (size_t)object + 1);
  return &s->cells.at[object];
}

tp_term tp_cstate_live(const tp_cwalk *w, const tp_cstate *s, uint32_t object) {
  if (object == 0 || object >= s->cells.n || !tp_term_is(s->cells.at[object].live))
    return tp_mk_false(w->tt);
  return s->cells.at[object].live;
}
