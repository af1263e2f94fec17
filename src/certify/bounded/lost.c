/* The ghost `lost`: is some live heap object unreachable from the globals and the live stack?
 *
 * Pointers between objects become conditional edges of a graph; reachability is unrolled round by
 * round, at most as often as there are heap objects. What is not seen (pointers at unknown offsets,
 * pointers hidden in integers) only makes fewer objects reachable, so `lost` errs on the side of
 * true. */
#include "certify/bounded/walk.h"

enum { MAX_SCANNED_BYTES = 2048, MAX_ROUNDS = 64 };

typedef struct {
  uint32_t from, to;
  tp_term cond;
} link;

typedef struct {
  tp_cwalk *w;
  tp_cstate *s;
  TP_VEC(tp_term) reached;  // by object
  TP_VEC(link) links;
} search;

static void reach(search *x, uint32_t object, tp_term cond) {
  if (object == 0 || object >= x->reached.n) return;
  x->reached.at[object] = tp_mk_or(x->w->tt, x->reached.at[object], cond);
}

static void reach_through(search *x, tp_term ptr) {
  tp_cleaves ls = tp_cpointer_leaves(&x->w->heap.ps, ptr);
  for (uint32_t i = 0; i < ls.n; i++)
    if (ls.at[i].object != TP_LEAF_OPAQUE) reach(x, ls.at[i].object, ls.at[i].cond);
}

/* Variables of one kind or one function; temporaries hold nothing for the user. */
static void reach_from_variables(search *x, tp_func f, const tp_term *values, uint32_t n) {
  const tp_program *p = x->w->p;
  for (uint32_t i = 1; i < p->vars.n; i++) {
    const tp_var_info *v = &p->vars.at[i];
    bool mine = f.id ? v->func.id == f.id && v->kind != TP_V_TEMP : v->kind == TP_V_GLOBAL;
    if (!mine || x->w->slots[i] >= n ||
        tp_sort_kind_of(p->terms, tp_sort_of(p->terms, v->term)) != TP_SORT_PTR)
      continue;
    if (tp_term_is(values[x->w->slots[i]])) reach_through(x, values[x->w->slots[i]]);
  }
}

/* The pointers in one object, at offsets that are multiples of their size. */
static void find_links(search *x, uint32_t object) {
  tp_cwalk *w = x->w;
  const tp_cobject *o = &w->heap.objects.at[object];
  uint64_t size, step = w->p->ptr_bits / 8;
  tp_ccell cell = x->s->cells.at[object];
  bool empty = cell.log == 0 && !(o->image && o->image->n_relocs);
  if (empty || !tp_bv_value_u64(w->tt, o->size, &size)) return;
  for (uint64_t at = 0; at + step <= size && at < MAX_SCANNED_BYTES; at += step) {
    tp_term v = tp_cheap_read(&w->heap, object, cell.log, tp_mk_bv(w->tt, w->p->ptr_bits, at),
                              tp_sort_ptr(w->tt));
    tp_cleaves ls = tp_cpointer_leaves(&w->heap.ps, v);
    for (uint32_t i = 0; i < ls.n; i++)
      if (ls.at[i].object != TP_LEAF_OPAQUE && ls.at[i].object != 0)
        tp_vec_push(&x->links, (link){object, ls.at[i].object, ls.at[i].cond});
  }
}

static void start(search *x) {
  tp_cwalk *w = x->w;
  tp_vec_resize(&x->reached, x->s->cells.n);
  for (uint32_t i = 0; i < x->reached.n; i++) {
    bool root = i && w->heap.objects.at[i].kind != TP_O_HEAP;
    x->reached.at[i] = root ? tp_cstate_live(w, x->s, i) : tp_mk_false(w->tt);
    if (i && !tp_is_false(w->tt, tp_cstate_live(w, x->s, i))) find_links(x, i);
  }
  reach_from_variables(x, TP_FUNC_NONE, x->s->globals, w->n_globals);
  const tp_term *values = x->s->locals;
  uint32_t n = x->s->n_locals, at = (uint32_t)w->frames.n - 1;
  for (;;) {  // the frame on top, its caller, and so on
    const tp_cframe *f = &w->frames.at[at];
    reach_from_variables(x, f->func, values, n);
    if (f->parent == at) break;
    values = f->caller_locals;
    n = f->n_caller_locals;
    at = f->parent;
  }
}

static bool one_round(search *x) {
  tp_cwalk *w = x->w;
  bool changed = false;
  for (size_t i = 0; i < x->links.n; i++) {
    link l = x->links.at[i];
    tp_term before = l.to < x->reached.n ? x->reached.at[l.to] : TP_TERM_NONE;
    tp_term from = tp_mk_and(w->tt, x->reached.at[l.from], tp_cstate_live(w, x->s, l.from));
    reach(x, l.to, tp_mk_and(w->tt, from, l.cond));
    changed = changed || (tp_term_is(before) && !tp_term_eq(before, x->reached.at[l.to]));
  }
  return changed;
}

tp_term tp_cwalk_lost(tp_cwalk *w, tp_cstate *s) {
  search x = {.w = w, .s = s};
  tp_term lost = tp_mk_false(w->tt);
  uint32_t n_heap = 0;
  for (size_t i = 1; i < s->cells.n; i++) n_heap += w->heap.objects.at[i].kind == TP_O_HEAP;
  if (n_heap == 0) return lost;
  start(&x);
  for (uint32_t i = 0; i <= n_heap && i < MAX_ROUNDS && one_round(&x); i++) continue;
  for (uint32_t i = 1; i < s->cells.n; i++)
    if (w->heap.objects.at[i].kind == TP_O_HEAP)
      lost = tp_mk_or(w->tt, lost,
                      tp_mk_and(w->tt, tp_cstate_live(w, s, i), tp_mk_not(w->tt, x.reached.at[i])));
  tp_vec_clear(&x.reached);
  tp_vec_clear(&x.links);
  if (!tp_is_false(w->tt, lost)) w->is_exact = false;
  return lost;
}
