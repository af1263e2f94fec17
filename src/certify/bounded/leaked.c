/* Leaked memory in an unrolled program: which heap objects are allocated and reached by no pointer.
 *
 * Every object has a condition under which it is reached: from variables and from objects that are
 * no heap objects, then along the pointers that lie in reached objects, round by round. There are
 * at most as many rounds as heap objects. Pointers are looked for at offsets that are multiples of
 * their size, in objects of constant size; where a pointer may lie elsewhere, or leads to an object
 * that is not known, objects may be reached that are not counted: then more is called leaked than
 * is, and the answer is not exact. */
#include "certify/bounded/unrolled_exec.h"

#include "certify/certify_limits.h"
#include "certify/inductive/check_inductive.h"

typedef struct {
  uint32_t from, to;
  tp_term cond;
} heap_link;

typedef struct {
  tp_chk_exec *g;
  tp_term *reached;  // by object
  uint32_t n_objects;
  TP_VEC(heap_link) links;
} search;

static tp_term ghost(tp_chk_exec *g, tp_chk_ghost which, uint32_t object) {
  return tp_chk_history_ghost_read(&g->history, g->state.ghosts, which,
                                   tp_mk_bv(g->tt, TP_OBJ_BITS, object));
}

static bool is_heap(tp_chk_exec *g, uint32_t object) {
  uint64_t kind;
  return tp_bv_value_u64(g->tt, ghost(g, TP_CHK_GHOST_KIND, object), &kind) && kind == TP_O_HEAP;
}

static void reach(search *x, uint32_t object, tp_term cond) {
  TP_INVARIANT(object < x->n_objects);
  x->reached[object] = tp_mk_or(x->g->tt, x->reached[object], cond);
}

/* Variables of the function in the current context; of function 0: globals. Temporaries are no
 * roots. */
static void reach_from_variables(search *x, tp_func f) {
  tp_chk_exec *g = x->g;
  for (uint32_t i = g->locals.first[f.id]; i < g->locals.first[f.id + 1]; i++) {
    const tp_var_info *info = tp_var_of(g->p, g->locals.at[i]);
    if (info->kind == TP_V_TEMP || info->kind == TP_V_GHOST ||
        tp_sort_kind_of(g->tt, tp_sort_of(g->tt, info->term)) != TP_SORT_PTR)
      continue;
    tp_chk_leaves ls =
        tp_chk_leaves_of(&g->history.leaves, tp_chk_exec_get(g, g->locals.at[i]).term);
    for (uint32_t k = 0; k < ls.n; k++)
      if (ls.at[k].object < x->n_objects) reach(x, ls.at[k].object, ls.at[k].cond);
  }
}

/* Pointers in one object. */
static void find_links(search *x, uint32_t object) {
  tp_chk_exec *g = x->g;
  uint64_t size, step = g->p->ptr_bits / 8;
  if (!tp_bv_value_u64(g->tt, ghost(g, TP_CHK_GHOST_SIZE, object), &size)) return;
  for (uint64_t at = 0; at + step <= size && at < TP_CERTIFY_SCANNED_BYTES; at += step) {
    tp_term v = tp_chk_history_read(&g->history, g->state.memory,
                                    tp_mk_ptr_const(g->tt, object, at), tp_sort_ptr(g->tt))
                    .term;
    tp_chk_leaves ls = tp_chk_leaves_of(&g->history.leaves, v);
    for (uint32_t i = 0; i < ls.n; i++)
      if (ls.at[i].object != 0 && ls.at[i].object < x->n_objects)
        tp_vec_push(&x->links, (heap_link){object, ls.at[i].object, ls.at[i].cond});
  }
}

static void start(search *x) {
  tp_chk_exec *g = x->g;
  for (uint32_t i = 1; i < x->n_objects; i++) {
    tp_term live = ghost(g, TP_CHK_GHOST_LIVE, i);
    x->reached[i] = is_heap(g, i) ? tp_mk_false(g->tt) : live;
    if (!tp_is_false(g->tt, live)) find_links(x, i);
  }
  reach_from_variables(x, TP_FUNC_NONE);
  const uint32_t here = g->state.context;
  for (uint32_t c = here; c; c = g->cert->contexts.at[c].parent) {
    g->state.context = c;  // each activation has its own variables
    reach_from_variables(x, g->cert->contexts.at[c].func);
  }
  g->state.context = here;
}

static bool one_round(search *x) {
  tp_chk_exec *g = x->g;
  bool changed = false;
  for (size_t i = 0; i < x->links.n; i++) {
    heap_link l = x->links.at[i];
    tp_term before = x->reached[l.to];
    tp_term from = tp_mk_and(g->tt, x->reached[l.from], ghost(g, TP_CHK_GHOST_LIVE, l.from));
    reach(x, l.to, tp_mk_and(g->tt, from, l.cond));
    changed = changed || !tp_term_eq(before, x->reached[l.to]);
  }
  return changed;
}

tp_term tp_chk_unrolling_leaked(tp_chk_exec *g) {
  search x = {.g = g, .n_objects = (uint32_t)g->p->statics.n + g->unrolling->n_allocated};
  tp_term leaked = tp_mk_false(g->tt);
  uint32_t n_heap = 0;
  for (uint32_t i = (uint32_t)g->p->statics.n; i < x.n_objects; i++) n_heap += is_heap(g, i);
  if (n_heap == 0) return leaked;
  x.reached = TP_NEW_ARRAY(tp_term, x.n_objects + 1);
  x.reached[0] = tp_mk_false(g->tt);
  start(&x);
  for (uint32_t i = 0; i <= n_heap && i < TP_CERTIFY_LEAK_ROUNDS && one_round(&x); i++) continue;
  for (uint32_t i = 1; i < x.n_objects; i++)
    if (is_heap(g, i))
      leaked = tp_mk_or(
          g->tt, leaked,
          tp_mk_and(g->tt, ghost(g, TP_CHK_GHOST_LIVE, i), tp_mk_not(g->tt, x.reached[i])));
  tp_free(x.reached);
  tp_vec_clear(&x.links);
  if (!tp_is_false(g->tt, leaked)) g->history.is_exact = false;
  return leaked;
}
