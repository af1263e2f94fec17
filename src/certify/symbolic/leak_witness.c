/* Witnesses of `lost` and `heap`.
 *
 * If memory is lost, some object is: the witness. It is a live heap object, so it has one of the
 * sizes that the program allocates; and neither leads a variable that counts as a root to it, nor a
 * path from there through live objects. The values of these variables are kept with the witness:
 * where a proof has graphs, the search says of each that no path along fields of cells leads from
 * there to the witness (shapes/shape_search.c). If the number of heap objects is not 0 there is a
 * witness of which only that is claimed. So a proof has to say that there are no live objects, or
 * that variables or paths from them lead to all of them. That variables do follows from numbers,
 * too: the witness is one more than the live heap objects that they lead to. */
#include "certify/symbolic/leak_witness.h"

#include "certify/certify_limits.h"

static tp_term word(const tp_chk_exec *g, uint64_t n) { return tp_mk_bv(g->tt, g->p->ptr_bits, n); }
static tp_term read_now(tp_chk_exec *g, tp_chk_ghost which, tp_term object) {
  return tp_chk_history_ghost_read(&g->history, g->state.ghosts, which, object);
}

/* One of the sizes that the program allocates; true: they are too many, or not known. */
static tp_term is_size(const tp_chk_exec *g, tp_term size) {
  tp_terms *tt = g->tt;
  tp_term any = tp_mk_false(tt);
  uint32_t n = 0;
  for (uint32_t i = 1; i < g->p->edges.n; i++) {
    const tp_edge_info *e = &g->p->edges.at[i];
    uint64_t bytes;
    if (e->kind != TP_E_ALLOC || e->object_kind != TP_O_HEAP) continue;
    if (!tp_bv_value_u64(tt, tp_mk_resize(tt, g->p->ptr_bits, false, e->a), &bytes))
      return tp_mk_true(tt);
    tp_term longer = tp_mk_or(tt, any, tp_mk_eq(tt, size, word(g, bytes)));
    if (!tp_term_eq(longer, any) && ++n > TP_CERTIFY_HEAP_SIZES) return tp_mk_true(tt);
    any = longer;
  }
  return any;
}

static tp_term is_live(tp_chk_exec *g, tp_term witness) {
  return read_now(g, TP_CHK_GHOST_LIVE, tp_mk1(g->tt, TP_OP_PTR_OBJ, witness));
}

/* The start of a live object on the heap. */
static tp_term is_heap_object(tp_chk_exec *g, tp_term witness) {
  tp_terms *tt = g->tt;
  tp_term object = tp_mk1(tt, TP_OP_PTR_OBJ, witness);
  const tp_term all[] = {
      tp_mk_eq(tt, tp_mk1(tt, TP_OP_PTR_OFF, witness), word(g, 0)),
      tp_mk2(tt, TP_OP_BV_ULE, tp_mk_bv(tt, TP_OBJ_BITS, g->p->statics.n), object),
      tp_chk_history_is_allocated(&g->history, g->state.age, object),
      tp_mk_eq(tt, read_now(g, TP_CHK_GHOST_KIND, object), tp_mk_bv(tt, 8, TP_O_HEAP)),
      is_live(g, witness),
      is_size(g, read_now(g, TP_CHK_GHOST_SIZE, object))};
  return tp_mk_and_n(tt, all, sizeof all / sizeof *all);
}

/* No variable of the function leads to it (of function 0: no global). Temporaries are no roots. The
 * variables' values are added to those of the witness. */
static tp_term is_out_of_reach(tp_chk_exec *g, tp_func f, tp_term witness) {
  tp_terms *tt = g->tt;
  tp_term all = tp_mk_true(tt), object = tp_mk1(tt, TP_OP_PTR_OBJ, witness);
  for (uint32_t i = g->locals.first[f.id]; i < g->locals.first[f.id + 1]; i++) {
    const tp_var v = g->locals.at[i];
    const tp_var_info *info = tp_var_of(g->p, v);
    if (info->kind == TP_V_TEMP || info->kind == TP_V_GHOST ||
        tp_sort_kind_of(tt, tp_sort_of(tt, info->term)) != TP_SORT_PTR)
      continue;
    const tp_term root = tp_chk_exec_get(g, v).term;
    tp_vec_push(&g->leak_roots, root);
    tp_term to = tp_mk1(tt, TP_OP_PTR_OBJ, root);
    all = tp_mk_and(tt, all, tp_mk_not(tt, tp_mk_eq(tt, to, object)));
  }
  return all;
}

/* Does the root lead to a live object on the heap, and none of the earlier ones to the same? */
static tp_term leads_to_another(tp_chk_exec *g, const tp_term *roots, size_t n, tp_term object) {
  tp_terms *tt = g->tt;
  tp_term is = tp_mk_and(
      tt, tp_chk_history_is_allocated(&g->history, g->state.age, object),
      tp_mk_and(tt, read_now(g, TP_CHK_GHOST_LIVE, object),
                tp_mk_eq(tt, read_now(g, TP_CHK_GHOST_KIND, object), tp_mk_bv(tt, 8, TP_O_HEAP))));
  for (size_t i = 0; i < n; i++)
    is = tp_mk_and(tt, is, tp_mk_not(tt, tp_mk_eq(tt, roots[i], object)));
  return is;
}

/* How many live heap objects the roots lead to at least: those from `first` on, then the others, as
 * far as there is room. */
static tp_term n_reached(tp_chk_exec *g, size_t from, size_t first) {
  tp_terms *tt = g->tt;
  tp_term objects[TP_CERTIFY_LEAK_ROOTS], sum = tp_mk_bv(tt, 32, 0);
  const size_t n_roots = g->leak_roots.n - from;
  size_t n = 0;
  for (size_t i = 0; i < n_roots && n < TP_CERTIFY_LEAK_ROOTS; i++) {
    const tp_term root = g->leak_roots.at[from + (first - from + i) % n_roots],
                  object = tp_mk1(tt, TP_OP_PTR_OBJ, root);
    if (tp_is_const(tt, object)) continue;
    const tp_term is = leads_to_another(g, objects, n, object);
    sum = tp_mk2(tt, TP_OP_BV_ADD, sum, tp_mk_bool_to_bv(tt, 32, is));
    objects[n++] = object;
  }
  return sum;
}

static tp_term new_witness(tp_chk_exec *g, tp_term condition) {
  tp_term at = tp_chk_exec_nondet(g, tp_sort_ptr(g->tt));
  tp_vec_push(&g->witnesses, ((tp_chk_leak_witness){.condition = condition,
                                                    .is_live = is_live(g, at),
                                                    .at = at,
                                                    .first_root = (uint32_t)g->leak_roots.n,
                                                    .memory = g->state.memory,
                                                    .ghosts = g->state.ghosts}));
  return at;
}

tp_term tp_chk_leak_condition(tp_chk_exec *g, tp_term is_lost) {
  tp_terms *tt = g->tt;
  if (tp_is_const(tt, is_lost)) return is_lost;
  tp_term none = tp_mk_eq(tt, g->state.heap, tp_mk_bv(tt, 32, 0)),
          witness = new_witness(g, is_lost);
  tp_term all = tp_mk_and(tt, is_lost, is_heap_object(g, witness));
  const size_t from = g->leak_roots.n;
  all = tp_mk_and(tt, all, is_out_of_reach(g, TP_FUNC_NONE, witness));
  const size_t own = g->leak_roots.n;
  for (uint32_t c = g->state.context; c; c = g->cert->contexts.at[c].parent)
    all = tp_mk_and(tt, all, is_out_of_reach(g, g->cert->contexts.at[c].func, witness));
  tp_chk_leak_witness *w = &tp_vec_last(&g->witnesses);
  w->n_roots = (uint32_t)g->leak_roots.n - w->first_root;
  all = tp_mk_and(tt, all, tp_mk2(tt, TP_OP_BV_ULT, n_reached(g, from, own), g->state.heap));
  return tp_mk_ite(tt, none, tp_mk_false(tt), all);  // nothing is on the heap: nothing is lost
}

void tp_chk_leak_assume_heap_object(tp_chk_exec *g) {
  tp_terms *tt = g->tt;
  tp_term some = tp_mk_not(tt, tp_mk_eq(tt, g->state.heap, tp_mk_bv(tt, 32, 0)));
  if (tp_is_const(tt, some)) return;
  tp_chk_assume(g, tp_mk_implies(tt, some, is_heap_object(g, new_witness(g, some))));
}

void tp_chk_leak_denials(const tp_chk_exec *g, tp_term_list *out) {
  for (size_t i = 0; i < g->witnesses.n; i++) {
    const tp_chk_leak_witness w = g->witnesses.at[i];
    if (tp_chk_is_assumed(g, w.condition)) tp_vec_push(out, tp_mk_not(g->tt, w.is_live));
  }
}
