/* Edge terms in a state: variables are replaced by their values, reads of the ghost arrays by what
 * the state knows of the objects, and pointer operations go through the leaves of pointers. Terms
 * of edges are walked with an explicit stack; each is rebuilt once. */
#include "certify/bounded/walk.h"

typedef struct {
  tp_cwalk *w;
  tp_cstate *s;
  tp_map memo;
  TP_VEC(uint32_t) todo;
} evaluator;

static bool done(const evaluator *e, tp_term t, tp_term *out) {
  uint64_t v;
  if (!tp_map_get(&e->memo, t.id, &v)) return false;
  *out = (tp_term){(uint32_t)v};
  return true;
}

// -------------------------------------------------------------------- ghosts

static tp_term ghost_of_object(tp_cwalk *w, const tp_cstate *s, tp_var ghost, uint32_t object) {
  bool exists = object < s->cells.n && object != 0 && tp_term_is(s->cells.at[object].live);
  if (ghost.id == w->p->ghost_live.id) return tp_cstate_live(w, s, object);
  if (ghost.id == w->p->ghost_kind.id)
    return tp_mk_bv(w->tt, 8, exists ? w->heap.objects.at[object].kind : TP_O_NONE);
  return exists ? w->heap.objects.at[object].size : tp_mk_bv(w->tt, w->p->ptr_bits, 0);
}

/* ghost[index] where nothing is known of the index. */
static tp_term ghost_anywhere(tp_cwalk *w, const tp_cstate *s, tp_var ghost, tp_term index) {
  tp_term value = ghost_of_object(w, s, ghost, 0);
  for (uint32_t k = 1; k < s->cells.n; k++) {
    tp_term here = tp_mk_eq(w->tt, index, tp_mk_bv(w->tt, TP_OBJ_BITS, k));
    if (!tp_is_false(w->tt, here))
      value = tp_mk_ite(w->tt, here, ghost_of_object(w, s, ghost, k), value);
  }
  return value;
}

static tp_term ghost_of_pointer(tp_cwalk *w, const tp_cstate *s, tp_var ghost, tp_term ptr) {
  tp_cleaves ls = tp_cpointer_leaves(&w->heap.ps, ptr);
  tp_term value = TP_TERM_NONE;
  for (uint32_t i = ls.n; i-- > 0;) {
    tp_cleaf l = ls.at[i];
    tp_term v = l.object == TP_LEAF_OPAQUE
                    ? ghost_anywhere(w, s, ghost, tp_mk1(w->tt, TP_OP_PTR_OBJ, l.offset))
                    : ghost_of_object(w, s, ghost, l.object);
    value = tp_term_is(value) ? tp_mk_ite(w->tt, l.cond, v, value) : v;
  }
  return tp_term_is(value) ? value : ghost_of_object(w, s, ghost, 0);
}

static bool is_ghost_array(const tp_program *p, tp_term t, tp_var *out) {
  *out = tp_program_var_of(p, t);
  return out->id && (out->id == p->ghost_live.id || out->id == p->ghost_size.id ||
                     out->id == p->ghost_kind.id);
}

static tp_term value_of_symbol(tp_cwalk *w, tp_cstate *s, tp_term symbol) {
  tp_var v = tp_program_var_of(w->p, symbol), array;
  if (!v.id) return symbol;
  if (v.id == w->p->ghost_heap.id) return s->heap;
  if (v.id == w->p->ghost_leaked.id) return tp_cwalk_lost(w, s);
  if (is_ghost_array(w->p, symbol, &array)) {
    w->stuck = "a ghost array is used as a whole";
    return symbol;
  }
  return tp_cstate_get(w, s, v);
}

// ------------------------------------------------------------------ rebuilding

static bool is_pointer(const tp_cwalk *w, tp_term t) {
  return tp_sort_kind_of(w->tt, tp_sort_of(w->tt, t)) == TP_SORT_PTR;
}

static tp_term rebuild(tp_cwalk *w, const tp_cstate *s, tp_term t, const tp_term *a) {
  tp_terms *tt = w->tt;
  tp_cpointers *ps = &w->heap.ps;
  tp_term_kind k = tp_kind(tt, t);
  if (k == TP_OP_EQ && is_pointer(w, a[0])) return tp_cwalk_same_pointer(w, s, a[0], a[1]);
  if (k == TP_OP_PTR_TO_INT) return tp_cpointer_to_int(ps, a[0]);
  if (k == TP_OP_INT_TO_PTR) return tp_cpointer_of_int(ps, a[0]);
  if (k == TP_OP_PTR_OBJ) return tp_cpointer_object(ps, a[0]);
  if (k == TP_OP_PTR_OFF) return tp_cpointer_offset(ps, a[0]);
  if (k == TP_OP_BV_EXTRACT)
    return tp_mk_extract(tt, tp_extract_hi(tt, t), tp_extract_lo(tt, t), a[0]);
  if (k == TP_OP_BV_ZEXT) return tp_mk_zext(tt, tp_width(tt, t), a[0]);
  if (k == TP_OP_BV_SEXT) return tp_mk_sext(tt, tp_width(tt, t), a[0]);
  if (k == TP_OP_FP_ROUND) return tp_mk_fp_round(tt, tp_round_of(tt, t), a[0]);
  if (k == TP_OP_FP_OF_FP || k == TP_OP_FP_OF_SBV || k == TP_OP_FP_OF_UBV || k == TP_OP_FP_TO_SBV ||
      k == TP_OP_FP_TO_UBV)
    return tp_mk_fp_conv(tt, k, tp_width(tt, t), a[0]);
  if (k == TP_OP_CONST_ARRAY) return tp_mk_const_array(tt, tp_sort_of(tt, t), a[0]);
  if (k == TP_OP_FORALL || k == TP_OP_EXISTS || k == TP_OP_BOUND) {
    w->stuck = "an edge with a quantifier";
    return t;
  }
  switch (tp_n_args(tt, t)) {
    case 1: return tp_mk1(tt, k, a[0]);
    case 2: return tp_mk2(tt, k, a[0], a[1]);
    case 3: return tp_mk3(tt, k, a[0], a[1], a[2]);
    default: return t;
  }
}

/* Value of SELECT on a ghost array; false: an argument is not known yet (and is on the stack). */
static bool ghost_select(evaluator *e, tp_term t, tp_var ghost, tp_term *out) {
  tp_cwalk *w = e->w;
  tp_term index = tp_arg(w->tt, t, 1), value;
  bool of_pointer = tp_kind(w->tt, index) == TP_OP_PTR_OBJ;
  if (of_pointer) index = tp_arg(w->tt, index, 0);
  if (!done(e, index, &value)) {
    tp_vec_push(&e->todo, index.id);
    return false;
  }
  uint64_t object;
  if (of_pointer)
    *out = ghost_of_pointer(w, e->s, ghost, value);
  else if (tp_bv_value_u64(w->tt, value, &object))
    *out = ghost_of_object(w, e->s, ghost, (uint32_t)object);
  else
    *out = ghost_anywhere(w, e->s, ghost, value);
  return true;
}

static void step(evaluator *e, tp_term t) {
  tp_cwalk *w = e->w;
  tp_term args[3] = {{0}}, out;
  tp_var ghost;
  if (tp_kind(w->tt, t) == TP_OP_VAR) {
    out = value_of_symbol(w, e->s, t);
  } else if (tp_kind(w->tt, t) == TP_OP_SELECT &&
             is_ghost_array(w->p, tp_arg(w->tt, t, 0), &ghost)) {
    if (!ghost_select(e, t, ghost, &out)) return;
  } else {
    bool ready = true;
    for (uint32_t i = 0; i < tp_n_args(w->tt, t); i++)
      if (!done(e, tp_arg(w->tt, t, i), &args[i])) {
        tp_vec_push(&e->todo, tp_arg(w->tt, t, i).id);
        ready = false;
      }
    if (!ready) return;
    out = tp_n_args(w->tt, t) ? rebuild(w, e->s, t, args) : t;
  }
  tp_map_set(&e->memo, t.id, out.id);
}

tp_term tp_cstate_eval(tp_cwalk *w, tp_cstate *s, tp_term t) {
  if (tp_kind(w->tt, t) == TP_OP_VAR) return value_of_symbol(w, s, t);
  if (tp_n_args(w->tt, t) == 0) return t;
  evaluator e = {.w = w, .s = s};
  tp_term out = t;
  tp_vec_push(&e.todo, t.id);
  while (e.todo.n) {
    tp_term top = {tp_vec_last(&e.todo)};
    if (done(&e, top, &out))
      (void)tp_vec_pop(&e.todo);
    else
      step(&e, top);
  }
  bool known = done(&e, t, &out);
  TP_INVARIANT(known);
  (void)known;
  tp_map_clear(&e.memo);
  tp_vec_clear(&e.todo);
  return out;
}
