/* Memory edges. Every pointer is split into leaves with known objects; an operation acts on the log
 * of each of them, guarded by the leaf's condition. That the operation has a meaning becomes part
 * of the path condition (it would end the run), and a doubt if it is not evident. */
#include "certify/bounded/walk.h"

/* The call that led from the user's code into the library model that e is in, NONE if e is the
 * user's. */
static tp_edge users_call(const tp_cwalk *w, tp_edge e) {
  tp_func func = tp_loc_of(w->p, tp_edge_of(w->p, e)->from)->func;
  size_t at = w->frames.n - 1;
  while (w->frames.at[at].func.id != func.id && w->frames.at[at].parent != at)
    at = w->frames.at[at].parent;
  tp_edge call = TP_EDGE_NONE;
  while (tp_func_of(w->p, w->frames.at[at].func)->is_model && w->frames.at[at].parent != at) {
    call = w->frames.at[at].call;
    at = w->frames.at[at].parent;
  }
  return call;
}

void tp_cwalk_doubt(tp_cwalk *w, tp_cstate *s, tp_edge e, tp_term holds) {
  if (tp_is_true(w->tt, holds)) return;
  tp_term when = tp_mk_and(w->tt, tp_cpath_term(&w->paths, s->path), tp_mk_not(w->tt, holds));
  if (!tp_is_false(w->tt, when)) tp_vec_push(&w->doubts, (tp_doubt){when, e, users_call(w, e)});
  s->path = tp_cpath_and(&w->paths, s->path, holds);
}

/* Following a foreign pointer that is not null. */
static void foreign_duty(tp_cwalk *w, const tp_cstate *s, tp_edge e, tp_term cond, tp_term object,
                         const char *source) {
  tp_term some = tp_mk_not(w->tt, tp_mk_eq(w->tt, object, tp_mk_bv(w->tt, TP_OBJ_BITS, 0)));
  tp_term when = tp_mk_and(w->tt, tp_cpath_term(&w->paths, s->path), tp_mk_and(w->tt, cond, some));
  tp_vec_push(&w->duties,
              (tp_duty){TP_DUTY_FOREIGN, when, tp_edge_of(w->p, e)->from, TP_FUNC_NONE, source});
}

tp_cleaves tp_cwalk_leaves(tp_cwalk *w, const tp_cstate *s, tp_edge e, tp_term ptr) {
  tp_cleaves ls = tp_cpointer_leaves(&w->heap.ps, ptr);
  bool opaque = false;
  for (uint32_t i = 0; i < ls.n; i++) opaque = opaque || ls.at[i].object == TP_LEAF_OPAQUE;
  if (!opaque) return ls;
  w->is_exact = false;
  TP_VEC(tp_cleaf) v = {0};
  for (uint32_t i = 0; i < ls.n; i++) {
    tp_cleaf l = ls.at[i];
    if (l.object != TP_LEAF_OPAQUE) {
      tp_vec_push(&v, l);
      continue;
    }
    tp_term object = tp_mk1(w->tt, TP_OP_PTR_OBJ, l.offset),
            offset = tp_mk1(w->tt, TP_OP_PTR_OFF, l.offset);
    const char *source = tp_cpointer_source(&w->heap.ps, l.offset);
    if (source) foreign_duty(w, s, e, l.cond, object, source);
    for (uint32_t k = 0; k < s->cells.n; k++) {
      if (k && !tp_term_is(s->cells.at[k].live)) continue;
      tp_term here =
          tp_mk_and(w->tt, l.cond, tp_mk_eq(w->tt, object, tp_mk_bv(w->tt, TP_OBJ_BITS, k)));
      if (!tp_is_false(w->tt, here)) tp_vec_push(&v, (tp_cleaf){here, k, offset});
    }
  }
  tp_cleaf *at = tp_arena_array(&w->arena, tp_cleaf, v.n + 1);
  if (v.n) memcpy(at, v.at, v.n * sizeof *at);
  ls = (tp_cleaves){at, (uint32_t)v.n, true};
  tp_vec_clear(&v);
  return ls;
}

// ---------------------------------------------------------------- what is valid

typedef enum { TO_READ, TO_WRITE } access_kind;

static bool is_writable(const tp_cobject *o) {
  return o->kind != TP_O_LITERAL && o->kind != TP_O_FUNCTION && !(o->image && o->image->is_const);
}

/* Are the `length` bytes at this leaf inside a live object? */
static tp_term leaf_valid(tp_cwalk *w, const tp_cstate *s, tp_cleaf l, tp_term length,
                          access_kind access) {
  tp_terms *tt = w->tt;
  const tp_cobject *o = &w->heap.objects.at[l.object];
  if (l.object == 0 || o->kind == TP_O_FUNCTION || (access == TO_WRITE && !is_writable(o)))
    return tp_mk_false(tt);
  tp_term fits = tp_mk2(tt, TP_OP_BV_ULE, length, o->size);
  tp_term room = tp_mk2(tt, TP_OP_BV_ULE, l.offset, tp_mk_sub(tt, o->size, length));
  return tp_mk_and(tt, tp_cstate_live(w, s, l.object), tp_mk_and(tt, fits, room));
}

/* One of the leaves applies. */
static tp_term some_leaf(tp_cwalk *w, tp_cleaves ls) {
  tp_term any = tp_mk_bool(w->tt, !ls.is_open);
  for (uint32_t i = 0; ls.is_open && i < ls.n; i++) any = tp_mk_or(w->tt, any, ls.at[i].cond);
  return any;
}

/* The leaf that applies is valid. */
static tp_term all_valid(tp_cwalk *w, const tp_cstate *s, tp_cleaves ls, tp_term length,
                         access_kind access) {
  tp_term ok = some_leaf(w, ls);
  for (uint32_t i = 0; i < ls.n; i++) {
    tp_term valid = leaf_valid(w, s, ls.at[i], length, access);
    ok = tp_mk_and(w->tt, ok, tp_mk_implies(w->tt, ls.at[i].cond, valid));
  }
  return ok;
}

static tp_term ptr_sized(tp_cwalk *w, uint64_t n) { return tp_mk_bv(w->tt, w->p->ptr_bits, n); }

// ------------------------------------------------------------------ load, store

void tp_cwalk_load(tp_cwalk *w, tp_cstate *s, tp_edge e) {
  const tp_edge_info *edge = tp_edge_of(w->p, e);
  tp_sort sort = tp_sort_of(w->tt, tp_var_of(w->p, edge->var)->term);
  tp_cleaves ls = tp_cwalk_leaves(w, s, e, tp_cstate_eval(w, s, edge->a));
  tp_cwalk_doubt(w, s, e, all_valid(w, s, ls, ptr_sized(w, tp_sort_bytes(w->tt, sort)), TO_READ));
  tp_term value = TP_TERM_NONE;
  for (uint32_t i = ls.n; i-- > 0;) {
    tp_cleaf l = ls.at[i];
    if (l.object == 0 || tp_is_false(w->tt, tp_cstate_live(w, s, l.object))) continue;
    tp_term v = tp_cheap_read(&w->heap, l.object, s->cells.at[l.object].log, l.offset, sort);
    value = tp_term_is(value) ? tp_mk_ite(w->tt, l.cond, v, value) : v;
  }
  tp_cstate_set(w, s, edge->var, tp_term_is(value) ? value : tp_cwalk_fresh(w, "nothing", sort));
}

void tp_cwalk_store(tp_cwalk *w, tp_cstate *s, tp_edge e) {
  const tp_edge_info *edge = tp_edge_of(w->p, e);
  tp_term value = tp_cstate_eval(w, s, edge->b);
  tp_cleaves ls = tp_cwalk_leaves(w, s, e, tp_cstate_eval(w, s, edge->a));
  tp_term length = ptr_sized(w, tp_sort_bytes(w->tt, tp_sort_of(w->tt, value)));
  tp_cwalk_doubt(w, s, e, all_valid(w, s, ls, length, TO_WRITE));
  for (uint32_t i = 0; i < ls.n; i++) {
    tp_cleaf l = ls.at[i];
    if (l.object == 0 || !is_writable(&w->heap.objects.at[l.object])) continue;
    tp_ccell *cell = tp_cstate_cell(s, l.object);
    cell->log = tp_cheap_write(&w->heap, cell->log, l.cond, l.offset, value);
  }
}

// ------------------------------------------------------------------- lifetimes

void tp_cwalk_alloc(tp_cwalk *w, tp_cstate *s, tp_edge e) {
  const tp_edge_info *edge = tp_edge_of(w->p, e);
  tp_term size = tp_mk_resize(w->tt, w->p->ptr_bits, false, tp_cstate_eval(w, s, edge->a));
  tp_cobject o = {.kind = edge->object_kind,
                  .size = size,
                  .name = edge->name,
                  .made_by = e,
                  .frame = (uint32_t)w->frames.n};
  if (tp_term_is(edge->b)) o.fill = tp_mk_resize(w->tt, 8, false, tp_cstate_eval(w, s, edge->b));
  uint32_t id = tp_cheap_object(&w->heap, o);
  *tp_cstate_cell(s, id) = (tp_ccell){tp_mk_true(w->tt), 0};
  if (edge->object_kind == TP_O_HEAP)
    s->heap = tp_mk2(w->tt, TP_OP_BV_ADD, s->heap, tp_mk_bv(w->tt, 32, 1));
  tp_cstate_set(w, s, edge->var, tp_mk_ptr_const(w->tt, id, 0));
}

void tp_cwalk_end_life(tp_cwalk *w, tp_cstate *s, tp_edge e) {
  tp_terms *tt = w->tt;
  const tp_edge_info *edge = tp_edge_of(w->p, e);
  tp_object_kind kind = edge->kind == TP_E_FREE ? TP_O_HEAP : TP_O_STACK;
  tp_cleaves ls = tp_cwalk_leaves(w, s, e, tp_cstate_eval(w, s, edge->a));
  tp_term ok = some_leaf(w, ls), is_null = tp_mk_false(tt);
  for (uint32_t i = 0; i < ls.n; i++) {
    tp_cleaf l = ls.at[i];
    tp_term valid = tp_mk_eq(tt, l.offset, ptr_sized(w, 0));
    if (l.object == 0)
      is_null = tp_mk_or(tt, is_null, l.cond);
    else if (w->heap.objects.at[l.object].kind != kind)
      valid = tp_mk_false(tt);
    else
      valid = tp_mk_and(tt, valid, tp_cstate_live(w, s, l.object));
    ok = tp_mk_and(tt, ok, tp_mk_implies(tt, l.cond, valid));
  }
  tp_cwalk_doubt(w, s, e, ok);
  for (uint32_t i = 0; i < ls.n; i++) {
    tp_cleaf l = ls.at[i];
    if (l.object == 0 || w->heap.objects.at[l.object].kind != kind) continue;
    tp_ccell *cell = tp_cstate_cell(s, l.object);
    if (tp_term_is(cell->live)) cell->live = tp_mk_and(tt, cell->live, tp_mk_not(tt, l.cond));
  }
  if (kind == TP_O_HEAP) {
    tp_term fewer = tp_mk_sub(tt, s->heap, tp_mk_bv(tt, 32, 1));
    s->heap = tp_mk_ite(tt, is_null, s->heap, fewer);
  }
}

// ---------------------------------------------------------------------- blocks

static void block_of_leaf(tp_cwalk *w, tp_cstate *s, const tp_edge_info *edge, tp_cleaf to,
                          tp_cleaf from, uint32_t from_log, tp_term length, tp_term value) {
  tp_ccell *cell = tp_cstate_cell(s, to.object);
  if (edge->kind == TP_E_SET)
    cell->log = tp_cheap_set(&w->heap, cell->log, to.cond, to.offset, length, value);
  else if (edge->kind == TP_E_HAVOC_MEMORY)
    cell->log = tp_cheap_havoc(&w->heap, cell->log, to.cond, to.offset, length, value);
  else
    cell->log = tp_cheap_copy(&w->heap, cell->log, tp_mk_and(w->tt, to.cond, from.cond), to.offset,
                              length, from.object, from_log, from.offset);
}

/* The operand `value` of SET: a byte; of HAVOC_MEMORY: fresh bytes. */
static tp_term block_value(tp_cwalk *w, tp_cstate *s, const tp_edge_info *edge) {
  if (edge->kind == TP_E_SET) return tp_mk_resize(w->tt, 8, false, tp_cstate_eval(w, s, edge->b));
  return tp_cwalk_fresh(
      w, edge->name ? edge->name : "input",
      tp_sort_array(w->tt, tp_sort_bv(w->tt, w->p->ptr_bits), tp_sort_bv(w->tt, 8)));
}

/* A block operation of length 0 touches nothing, wherever its pointers point. */
static tp_term valid_or_empty(tp_cwalk *w, tp_term length, tp_term valid) {
  return tp_mk_or(w->tt, tp_mk_eq(w->tt, length, ptr_sized(w, 0)), valid);
}

void tp_cwalk_block(tp_cwalk *w, tp_cstate *s, tp_edge e) {
  const tp_edge_info *edge = tp_edge_of(w->p, e);
  if (!tp_term_is(edge->c)) {  // all that is reachable may change: not followed
    tp_vec_push(&w->duties, (tp_duty){TP_DUTY_EXTERN, tp_cpath_term(&w->paths, s->path), edge->from,
                                      TP_FUNC_NONE, edge->name});
    return;
  }
  tp_term length = tp_mk_resize(w->tt, w->p->ptr_bits, false, tp_cstate_eval(w, s, edge->c));
  tp_cleaves to = tp_cwalk_leaves(w, s, e, tp_cstate_eval(w, s, edge->a)), from = {0};
  tp_term value = TP_TERM_NONE;
  tp_cwalk_doubt(w, s, e, valid_or_empty(w, length, all_valid(w, s, to, length, TO_WRITE)));
  if (edge->kind == TP_E_COPY) {
    from = tp_cwalk_leaves(w, s, e, tp_cstate_eval(w, s, edge->b));
    tp_cwalk_doubt(w, s, e, valid_or_empty(w, length, all_valid(w, s, from, length, TO_READ)));
  } else {
    value = block_value(w, s, edge);
  }
  uint32_t n_from = edge->kind == TP_E_COPY ? from.n : 1;
  uint32_t *logs = TP_NEW_ARRAY(uint32_t, n_from + 1);  // contents before anything is written
  for (uint32_t j = 0; j < from.n; j++) logs[j] = tp_cstate_cell(s, from.at[j].object)->log;
  for (uint32_t i = 0; i < to.n; i++) {
    if (to.at[i].object == 0 || !is_writable(&w->heap.objects.at[to.at[i].object])) continue;
    for (uint32_t j = 0; j < n_from; j++) {
      if (edge->kind == TP_E_COPY && from.at[j].object == 0) continue;
      block_of_leaf(w, s, edge, to.at[i], edge->kind == TP_E_COPY ? from.at[j] : (tp_cleaf){0},
                    logs[j], length, value);
    }
  }
  tp_free(logs);
}
