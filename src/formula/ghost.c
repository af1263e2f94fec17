/* Ghost variables: what property checks ask about objects.
 *
 * size, live and kind of an object number are conditionals over the objects it can be. `lost` (some
 * live heap object is unreachable) is the closure of "is reached under which condition" over the
 * pointers in memory: after k rounds the conditions cover all chains of k pointers, and no chain
 * without repetition has more pointers than there are heap objects, so the rounds end even where
 * the conditions keep changing their form. */
#include "formula/symex_priv.h"

static tp_term nothing(tp_symex *x, tp_ghost g) {
  if (g == TP_GHOST_LIVE) return tp_mk_false(x->tt);
  return tp_mk_bv(x->tt, g == TP_GHOST_SIZE ? x->p->ptr_bits : 8, 0);
}

static tp_term of_object(tp_symex *x, tp_sym *s, tp_ghost g, uint32_t object) {
  if (object == 0 || object >= x->instances.n) return nothing(x, g);
  const tp_instance *o = &x->instances.at[object];
  if (g == TP_GHOST_SIZE) return o->size;
  if (g == TP_GHOST_KIND) return tp_mk_bv(x->tt, 8, o->kind);
  const tp_content *c = tp_sym_content(x, s, object);
  return c ? c->live : nothing(x, g);
}

tp_term tp_ghost_select(tp_symex *x, tp_sym *s, tp_ghost g, tp_term object) {
  TP_REQUIRE(g <= TP_GHOST_KIND && tp_width(x->tt, object) == TP_OBJ_BITS);
  const tp_targets *t = tp_pointer_targets(&x->pointers, object);
  tp_term value = nothing(x, g);
  bool first = !t->open;  // the last alternative needs no condition
  for (uint32_t i = 0; i < t->n; i++) {
    tp_term here = of_object(x, s, g, t->at[i]);
    value =
        first ? here : tp_mk_ite(x->tt, tp_pointer_is(&x->pointers, object, t->at[i]), here, value);
    first = false;
  }
  if (t->open) {
    tp_term known = tp_mk_false(x->tt);
    for (uint32_t i = 0; i < t->n; i++)
      known = tp_mk_or(x->tt, known, tp_pointer_is(&x->pointers, object, t->at[i]));
    tp_note gap = {tp_mk_and(x->tt, tp_guard_term(&x->guards, s->guard), tp_mk_not(x->tt, known)),
                   TP_POS_NONE, "a pointer made from an integer whose origin is not known",
                   TP_GAP_POINTER};
    if (!tp_is_false(x->tt, gap.condition)) tp_vec_push(&x->gaps, gap);
  }
  return value;
}

// ------------------------------------------------------------------------ lost

typedef struct {
  tp_symex *x;
  tp_sym *s;
  tp_term *reached;  // by object number: condition after the last round, NONE: not
  tp_term *next;     // after this round
  bool changed, open;
} closure;

static void reach(closure *c, tp_term value, tp_term condition) {
  tp_terms *tt = c->x->tt;
  tp_sort_kind k = tp_sort_kind_of(tt, tp_sort_of(tt, value));
  tp_term pointer = value;
  if (k == TP_SORT_BV && tp_width(tt, value) == c->x->p->ptr_bits)
    pointer = tp_mk1(tt, TP_OP_INT_TO_PTR, value);
  else if (k != TP_SORT_PTR)
    return;
  const tp_targets *t = tp_pointer_targets(&c->x->pointers, pointer);
  c->open |= t->open;
  for (uint32_t i = 0; i < t->n; i++) {
    uint32_t object = t->at[i];
    if (object == 0 || object >= c->x->instances.n || c->x->instances.at[object].kind != TP_O_HEAP)
      continue;
    tp_term now = c->next[object];
    if (tp_term_is(now) && tp_is_true(tt, now)) continue;
    tp_term more = tp_mk_and(tt, condition, tp_pointer_is(&c->x->pointers, pointer, object));
    if (tp_is_false(tt, more)) continue;
    if (tp_term_is(now)) more = tp_mk_or(tt, now, more);
    if (tp_term_eq(now, more)) continue;
    c->next[object] = more;
  }
}

/* Temporaries do not count: no user's variable holds what only they hold. */
static void visit_var(void *ctx, uint64_t var, uint64_t value, uint64_t none) {
  (void)none;
  closure *c = ctx;
  if (c->x->p->vars.at[var].kind == TP_V_TEMP) return;
  reach(c, (tp_term){(uint32_t)value}, tp_mk_true(c->x->tt));
}

typedef struct {
  closure *c;
  tp_term condition;
} contents_of;

static void see_cell(void *ctx, uint64_t offset, uint64_t value, uint64_t none) {
  (void)offset, (void)none;
  contents_of *o = ctx;
  reach(o->c, (tp_term){(uint32_t)value}, o->condition);
}

static void see_object(void *ctx, uint64_t object, uint64_t value, uint64_t none) {
  (void)none;
  closure *c = ctx;
  tp_symex *x = c->x;
  const tp_content *content = tp_content_of(value);
  bool is_heap = x->instances.at[object].kind == TP_O_HEAP;
  tp_term condition = is_heap ? c->reached[object] : content->live;
  if (!tp_term_is(condition)) return;
  contents_of o = {c, condition};
  if (tp_term_is(content->array)) {
    if (tp_sort_kind_of(x->tt, tp_sort_element(x->tt, tp_sort_of(x->tt, content->array))) ==
        TP_SORT_PTR)
      c->open = true;
    return;
  }
  tp_pmap_each(&content->cells, see_cell, &o);
}

/* One round. Pointers in images of statics that nobody touched lead to statics: never to the heap.
 */
static void close_once(closure *c) {
  size_t n = c->x->instances.n;
  memset(c->next, 0, n * sizeof *c->next);
  tp_pmap_each(&c->s->vars, visit_var, c);
  tp_pmap_each(&c->s->objects, see_object, c);
  c->changed = memcmp(c->next, c->reached, n * sizeof *c->next) != 0;
  memcpy(c->reached, c->next, n * sizeof *c->next);
}

static bool is_live_heap(const tp_symex *x, const tp_sym *s, uint32_t object) {
  const tp_content *c = tp_content_of(tp_pmap_get(&s->objects, object));
  return c && x->instances.at[object].kind == TP_O_HEAP && !tp_is_false(x->tt, c->live);
}

tp_term tp_ghost_lost(tp_symex *x, tp_sym *s) {
  closure c = {.x = x, .s = s};
  uint32_t n_heap = 0;
  for (uint32_t i = (uint32_t)x->p->statics.n; i < x->instances.n; i++)
    n_heap += is_live_heap(x, s, i);
  tp_term lost = tp_mk_false(x->tt);
  if (!n_heap) return lost;
  c.reached = TP_NEW_ARRAY(tp_term, x->instances.n);
  c.next = TP_NEW_ARRAY(tp_term, x->instances.n);
  c.changed = true;
  for (uint32_t round = 0; c.changed && round <= n_heap; round++) close_once(&c);
  for (uint32_t i = (uint32_t)x->p->statics.n; i < x->instances.n; i++) {
    if (!is_live_heap(x, s, i)) continue;
    tp_term seen = tp_term_is(c.reached[i]) ? c.reached[i] : tp_mk_false(x->tt);
    tp_term exists = tp_mk_and(x->tt, x->instances.at[i].allocated,
                               tp_content_of(tp_pmap_get(&s->objects, i))->live);
    lost = tp_mk_or(x->tt, lost, tp_mk_and(x->tt, exists, tp_mk_not(x->tt, seen)));
  }
  if (c.open) {
    tp_note gap = {tp_guard_term(&x->guards, s->guard), TP_POS_NONE,
                   "reachability of heap objects through pointers of unknown origin",
                   TP_GAP_POINTER};
    tp_vec_push(&x->gaps, gap);
  }
  tp_free(c.reached);
  tp_free(c.next);
  return lost;
}
