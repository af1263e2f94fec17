/* Statements about all cells of a structure, and about those that links join: values of the cell,
 * and of the next one, are replaced by what stands in an object, or by each other. */
#include "certify/heaps/heap_state.h"

typedef struct {
  const tp_chk_heap_world *w;
  const tp_chk_heap_object *cell, *next;  // NULL: these values stay
  bool cell_is_next, next_is_cell;        // ... or become the others
} instance;

static tp_term value_in(const tp_chk_heap_world *w, const tp_chk_heap_object *o,
                        const tp_chk_cell_value *v) {
  const tp_sort sort = tp_sort_of(w->tt, v->symbol);
  const tp_term value = tp_chk_heap_read(w, o, v->offset, sort);
  return tp_term_is(value) ? value : tp_chk_heap_symbol(w, sort);
}

static tp_term value_of(void *ctx, tp_term symbol) {
  const instance *x = ctx;
  for (size_t i = 0; i < x->w->values->n; i++) {
    const tp_chk_cell_value *v = &x->w->values->at[i];
    if (tp_term_eq(v->symbol, symbol)) {
      if (x->cell) return value_in(x->w, x->cell, v);
      return x->cell_is_next ? v->next : TP_TERM_NONE;
    }
    if (tp_term_eq(v->next, symbol)) {
      if (x->next) return value_in(x->w, x->next, v);
      return x->next_is_cell ? v->symbol : TP_TERM_NONE;
    }
  }
  return TP_TERM_NONE;
}

static tp_term say(instance x, tp_term t) {
  return tp_term_is(t) ? tp_subst(x.w->tt, t, value_of, &x, NULL) : TP_TERM_NONE;
}

tp_term tp_chk_heap_of_cell(const tp_chk_heap_world *w, const tp_chk_heap_object *o,
                            tp_term where) {
  return say((instance){.w = w, .cell = o}, where);
}

tp_term tp_chk_heap_of_next(const tp_chk_heap_world *w, const tp_chk_heap_object *o, tp_term said) {
  return say((instance){.w = w, .next = o}, said);
}

tp_term tp_chk_heap_as_next(const tp_chk_heap_world *w, tp_term where) {
  return say((instance){.w = w, .cell_is_next = true}, where);
}

tp_term tp_chk_heap_as_cell(const tp_chk_heap_world *w, tp_term said) {
  return say((instance){.w = w, .next_is_cell = true}, said);
}

tp_term tp_chk_heap_transitivity(const tp_chk_heap_world *w, tp_term said) {
  TP_REQUIRE(w && tp_term_is(said));
  tp_chk_heap_object o = {0};  // the third one
  for (size_t i = 0; i < w->values->n; i++) {
    const tp_chk_cell_value *v = &w->values->at[i];
    if (tp_occurs(w->tt, v->symbol, said) || tp_occurs(w->tt, v->next, said))
      tp_chk_heap_write(w, &o, v->offset, tp_chk_heap_symbol(w, tp_sort_of(w->tt, v->symbol)));
  }
  const tp_term of_third = tp_chk_heap_of_next(w, &o, said),
                second_and_third = tp_chk_heap_as_next(w, of_third);
  tp_vec_clear(&o.fields);
  return tp_mk_implies(w->tt, tp_mk_and(w->tt, said, second_and_third), of_third);
}
