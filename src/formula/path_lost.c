/* The ghost `lost` along paths: is some object on the heap out of reach?
 *
 * No path formula follows pointers through all of memory, so the answer is an input after each edge
 * that may decide it. Two things are known without looking further: where nothing is on the heap,
 * nothing is lost; and where variables lead to as many live objects as are on the heap, nothing is
 * lost either. The second is asked where the program asks, not after each edge: what is lost stays
 * lost, so what holds there held before. Variables are those of the function, of main, which is
 * always active, and globals. */
#include "formula/formula_limits.h"
#include "formula/path_priv.h"

void tp_path_set_lost(tp_paths *x, tp_path *a, tp_term is_lost) {
  tp_terms *tt = x->tt;
  tp_term heap = tp_path_get_key(x, a, x->p->ghost_heap.id),
          is_empty = tp_mk_eq(tt, heap, tp_mk_bv(tt, tp_width(tt, heap), 0));
  tp_path_set(a, x->p->ghost_leaked.id, tp_mk_and(tt, is_lost, tp_mk_not(tt, is_empty)));
}

void tp_path_havoc_leaked(tp_paths *x, tp_path *a, tp_edge e) {
  if (x->reads_lost) tp_path_set_lost(x, a, tp_path_input(x, a, e.id, "lost", tp_sort_bool(x->tt)));
}

typedef struct {
  tp_term objects[TP_FORMULA_LOST_ROOTS];
  size_t n;
  tp_term sum;  // how many live objects on the heap these lead to
} reached;

static void add_roots(tp_paths *x, tp_path *a, tp_func f, reached *r) {
  tp_terms *tt = x->tt;
  const tp_program *p = x->p;
  for (uint32_t i = x->locals.first[f.id]; i < x->locals.first[f.id + 1]; i++) {
    const tp_var_info *info = tp_var_of(p, x->locals.at[i]);
    if (info->kind == TP_V_TEMP || info->kind == TP_V_GHOST || info->is_address ||
        tp_sort_kind_of(tt, tp_sort_of(tt, info->term)) != TP_SORT_PTR)
      continue;
    const tp_term object = tp_mk1(tt, TP_OP_PTR_OBJ, tp_path_eval(x, a, info->term));
    if (tp_is_const(tt, object) || r->n == TP_FORMULA_LOST_ROOTS) continue;
    tp_term is = tp_mk_and(
        tt, tp_mk2(tt, TP_OP_SELECT, tp_path_get_key(x, a, p->ghost_live.id), object),
        tp_mk_eq(tt, tp_mk2(tt, TP_OP_SELECT, tp_path_get_key(x, a, p->ghost_kind.id), object),
                 tp_mk_bv(tt, 8, TP_O_HEAP)));
    for (size_t k = 0; k < r->n; k++)
      is = tp_mk_and(tt, is, tp_mk_not(tt, tp_mk_eq(tt, r->objects[k], object)));
    r->objects[r->n++] = object;
    r->sum = tp_mk2(tt, TP_OP_BV_ADD, r->sum, tp_mk_bool_to_bv(tt, 32, is));
  }
}

void tp_path_ask_lost(tp_paths *x, tp_path *a, const tp_edge_info *e) {
  tp_terms *tt = x->tt;
  const tp_program *p = x->p;
  if (!x->reads_lost || !tp_occurs(tt, tp_var_of(p, p->ghost_leaked)->term, e->a)) return;
  const tp_func own = tp_loc_of(p, e->from)->func;
  reached r = {.sum = tp_mk_bv(tt, 32, 0)};
  add_roots(x, a, own, &r);
  if (p->main.id != own.id) add_roots(x, a, p->main, &r);
  add_roots(x, a, TP_FUNC_NONE, &r);
  const tp_term are_all = tp_mk_eq(tt, tp_path_get_key(x, a, p->ghost_heap.id), r.sum);
  tp_path_set_lost(
      x, a, tp_mk_and(tt, tp_path_get_key(x, a, p->ghost_leaked.id), tp_mk_not(tt, are_all)));
}
