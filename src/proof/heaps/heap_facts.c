/* What holds of a whole heap: of variables, and of its objects and parts in the order in which they
 * are written, so that heaps with one text have their facts at the same places. */
#include "proof/heaps/cell_facts.h"

void tp_heap_facts_forget(const tp_cell_facts *c, tp_symheap *s, const bool *is_flag) {
  const tp_symheap_search *x = c->x;
  s->facts.n = 0;
  for (uint32_t v = 1; v < x->p->vars.n; v++)
    if (c->is_tracked[v] && tp_term_is(s->vars[v]) &&
        !(is_flag[v] && tp_is_const(x->tt, s->vars[v])))
      s->vars[v] = tp_symheap_symbol(x, tp_sort_of(x->tt, s->vars[v]));
  for (size_t i = 0; i < s->parts.n; i++) {
    s->parts.at[i].where = TP_TERM_NONE;
    s->parts.at[i].holds = 0;
  }
  for (size_t i = 0; i < s->objects.n; i++)
    for (size_t f = 0; f < s->objects.at[i].fields.n; f++) {
      tp_term *value = &s->objects.at[i].fields.at[f].value;
      const tp_sort sort = tp_sort_of(x->tt, *value);
      if (tp_sort_kind_of(x->tt, sort) != TP_SORT_PTR) *value = tp_symheap_symbol(x, sort);
    }
}

/* Candidates among these that hold: of variables (piece 0), an object or a part. */
static tp_cell_mask holds_of(tp_cell_facts *c, tp_symheap *s, size_t piece, tp_cell_mask among) {
  const size_t n = s->objects.n;
  if (piece == 0) return tp_cell_facts_of_variables(c, s, among);
  if (piece > n) return tp_cell_facts_of_part(c, s, &s->parts.at[piece - n - 1], among);
  const tp_symheap_object *o = &s->objects.at[piece - 1];
  const uint32_t kind = tp_symheap_kind_of_object(c->x, o);
  return kind ? tp_cell_facts_of_object(c, s, o, kind, among) : 0;
}

bool tp_heap_facts_keep(tp_cell_facts *c, tp_symheap *s, const uint32_t *order,
                        tp_cell_masks *holds) {
  const bool is_first = holds->n == 0;
  bool all = !is_first;
  for (size_t i = 0; i <= s->objects.n + s->parts.n; i++) {
    if (is_first) tp_vec_push(holds, TP_CELL_FACTS_ALL);
    const tp_cell_mask mask = holds_of(c, s, i ? order[i - 1] + 1 : 0, holds->at[i]);
    all = all && holds->at[i] == mask;
    holds->at[i] = mask;
  }
  return all;
}

void tp_heap_facts_say(tp_cell_facts *c, tp_symheap *s, const uint32_t *order,
                       const tp_cell_masks *holds) {
  const size_t n = s->objects.n;
  TP_REQUIRE(holds->n == n + s->parts.n + 1);
  tp_term said = tp_cell_facts_where(c, s, 0, holds->at[0]);
  if (tp_term_is(said)) tp_vec_push(&s->facts, said);
  for (size_t i = 0; i < n + s->parts.n; i++) {
    const tp_cell_mask mask = holds->at[i + 1];
    const uint32_t at = order[i];
    if (at >= n) {
      tp_symheap_part *part = &s->parts.at[at - n];
      part->holds = mask;
      part->where = tp_cell_facts_where(c, s, part->kind, mask);
    } else if (mask) {
      tp_symheap_object *o = &s->objects.at[at];
      said = tp_cell_facts_where(c, s, tp_symheap_kind_of_object(c->x, o), mask);
      tp_vec_push(&s->facts, tp_cell_facts_said_of(c, o, said));
    }
  }
}
