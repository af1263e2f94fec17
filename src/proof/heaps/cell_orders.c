/* Relations are terms over the values of a cell and of the next one; either becomes what stands in
 * an object. */
#include "proof/heaps/cell_orders.h"

tp_cell_mask tp_cell_orders_of_kind(const tp_cell_facts *c, uint32_t kind) {
  tp_cell_mask out = 0;
  for (size_t i = 0; i < c->orders.n; i++)
    if (c->orders.at[i].kind == kind) out |= (tp_cell_mask)1 << i;
  return out;
}

// ---------------------------------------------------------------------- instances

typedef struct {
  const tp_cell_facts *c;
  const tp_symheap_object *cell, *next;  // NULL: these values stay
  bool cell_is_next, next_is_cell;       // ... or become the others
} instance;

static tp_term value_in(const instance *x, const tp_symheap_object *o, const tp_cell_value *v) {
  const tp_sort sort = tp_sort_of(x->c->x->tt, v->symbol);
  const tp_term value = tp_symheap_read(x->c->x, o, v->offset, sort);
  return tp_term_is(value) ? value : tp_symheap_symbol(x->c->x, sort);
}

static tp_term value_of(void *ctx, tp_term symbol) {
  const instance *x = ctx;
  for (size_t i = 0; i < x->c->values.n; i++) {
    const tp_cell_value *v = &x->c->values.at[i];
    if (tp_term_eq(v->symbol, symbol))
      return x->cell ? value_in(x, x->cell, v) : x->cell_is_next ? v->next : TP_TERM_NONE;
    if (tp_term_eq(v->next, symbol))
      return x->next ? value_in(x, x->next, v) : x->next_is_cell ? v->symbol : TP_TERM_NONE;
  }
  return TP_TERM_NONE;
}

static tp_term say(instance x, tp_term t) { return tp_subst(x.c->x->tt, t, value_of, &x, NULL); }

static tp_term all_of(const tp_cell_facts *c, tp_cell_mask mask) {
  tp_term out = tp_mk_true(c->x->tt);
  for (size_t i = 0; i < c->orders.n; i++)
    if (mask >> i & 1) out = tp_mk_and(c->x->tt, out, c->orders.at[i].relation);
  return out;
}

tp_term tp_cell_orders_text(const tp_cell_facts *c, tp_cell_mask mask) {
  return mask ? all_of(c, mask) : TP_TERM_NONE;
}

tp_term tp_cell_orders_said(tp_cell_facts *c, tp_cell_piece first, tp_cell_piece second,
                            tp_cell_mask mask) {
  return say((instance){.c = c,
                        .cell = first.object,
                        .next = second.object,
                        .next_is_cell = first.object && !second.object},
             all_of(c, mask));
}

void tp_cell_orders_name(tp_cell_facts *c, tp_symheap_object *o, tp_cell_mask mask) {
  for (size_t i = 0; i < c->orders.n; i++) {
    if (!(mask >> i & 1)) continue;
    for (size_t k = 0; k < c->values.n; k++) {
      const tp_cell_value *v = &c->values.at[k];
      const tp_sort sort = tp_sort_of(c->x->tt, v->symbol);
      if (v->kind == c->orders.at[i].kind && v->offset == c->orders.at[i].offset &&
          !tp_term_is(tp_symheap_read(c->x, o, v->offset, sort)))
        tp_symheap_write(c->x, o, v->offset, tp_symheap_symbol(c->x, sort));
    }
  }
}

// ---------------------------------------------------------------------- questions

/* Is the member there in the object? Of others nothing is known. */
static bool has_value(tp_cell_piece piece, uint64_t offset) {
  for (size_t i = 0; piece.object && i < piece.object->fields.n; i++)
    if (piece.object->fields.at[i].offset == offset) return true;
  return piece.part || piece.object->is_zero;
}

tp_cell_mask tp_cell_orders_between(tp_cell_facts *c, const tp_symheap *s, tp_cell_piece first,
                                    tp_cell_piece second, tp_cell_mask among) {
  tp_terms *tt = c->x->tt;
  tp_term given = tp_mk_true(tt);
  if (!among) return 0;
  if (first.part && tp_term_is(first.part->where)) given = first.part->where;
  if (second.part && tp_term_is(second.part->where))
    given = tp_mk_and(tt, given, say((instance){.c = c, .cell_is_next = true}, second.part->where));
  tp_term_list said = {0};
  for (size_t i = 0; i < c->orders.n; i++) {
    const tp_cell_order *o = &c->orders.at[i];
    if (!has_value(first, o->offset) || !has_value(second, o->offset))
      among &= ~((tp_cell_mask)1 << i);
    tp_vec_push(&said, among >> i & 1
                           ? say((instance){.c = c, .cell = first.object, .next = second.object},
                                 o->relation)
                           : tp_mk_true(tt));
  }
  const tp_cell_mask out = tp_cell_facts_that_follow(c, s, given, &said, among);
  tp_vec_clear(&said);
  return out;
}

tp_term tp_cell_orders_bounds(tp_cell_facts *c, const tp_symheap *s, uint32_t kind,
                              const tp_cell_piece *pieces, size_t n) {
  tp_terms *tt = c->x->tt;
  const tp_cell_mask all = tp_cell_orders_of_kind(c, kind);
  tp_term out = TP_TERM_NONE;
  const tp_symheap_part any = {0};
  for (size_t i = 0; i < s->objects.n && all; i++) {
    const tp_cell_piece other = {.object = &s->objects.at[i]};
    tp_cell_mask mask = tp_symheap_kind_of_object(c->x, other.object) == kind ? all : 0;
    for (size_t k = 0; k < n && mask; k++)
      mask = tp_cell_orders_between(c, s, other, pieces[k], mask);
    if (!mask) continue;
    const tp_term bound = tp_cell_orders_said(c, other, (tp_cell_piece){.part = &any}, mask);
    out = tp_term_is(out) ? tp_mk_and(tt, out, bound) : bound;
  }
  return out;
}
