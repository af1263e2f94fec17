/* What holds of a whole heap: of variables, and of its objects and parts in the order in which they
 * are written, so that heaps with one text have their facts at the same places. */
#include "proof/heaps/cell_orders.h"

void tp_heap_facts_forget(const tp_cell_facts *c, tp_symheap *s, const bool *is_flag) {
  const tp_symheap_search *x = c->x;
  s->facts.n = 0;
  for (uint32_t v = 1; v < x->p->vars.n; v++)
    if (c->is_tracked[v] && tp_term_is(s->vars[v]) &&
        !(is_flag[v] && tp_is_const(x->tt, s->vars[v])))
      s->vars[v] = tp_symheap_symbol(x, tp_sort_of(x->tt, s->vars[v]));
  for (size_t i = 0; i < s->parts.n; i++) {
    s->parts.at[i].where = TP_TERM_NONE;
    s->parts.at[i].holds = s->parts.at[i].ordered = 0;
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

static tp_cell_piece piece_of(const tp_symheap *s, uint32_t at) {
  return at < s->objects.n ? (tp_cell_piece){.object = &s->objects.at[at]}
                           : (tp_cell_piece){.part = &s->parts.at[at - s->objects.n]};
}

static uint32_t kind_of(const tp_cell_facts *c, tp_cell_piece piece) {
  return piece.part ? piece.part->kind : tp_symheap_kind_of_object(c->x, piece.object);
}

/* Orders among these between two pieces, or within one; no statement speaks of cells of two parts.
 */
static tp_cell_mask orders_of(tp_cell_facts *c, const tp_symheap *s, uint32_t first,
                              uint32_t second, tp_cell_mask among) {
  const tp_cell_piece a = piece_of(s, first), b = piece_of(s, second);
  const uint32_t kind = kind_of(c, a);
  if (first == second) return a.part ? a.part->ordered & among : 0;
  if (!kind || kind != kind_of(c, b) || (a.part && b.part)) return 0;
  return tp_cell_orders_between(c, s, a, b, among & tp_cell_orders_of_kind(c, kind));
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
  size_t next = s->objects.n + s->parts.n + 1;
  for (size_t i = 0; c->orders.n && i < s->objects.n + s->parts.n; i++)
    for (size_t k = i; k < s->objects.n + s->parts.n; k++, next++) {
      if (is_first) tp_vec_push(holds, TP_CELL_FACTS_ALL);
      const tp_cell_mask mask = orders_of(c, s, order[i], order[k], holds->at[next]);
      all = all && holds->at[next] == mask;
      holds->at[next] = mask;
    }
  return all;
}

/* Orders of an object and a part become a statement about the part's cells. */
static void say_orders(tp_cell_facts *c, tp_symheap *s, uint32_t first, uint32_t second,
                       tp_cell_mask mask) {
  const size_t n = s->objects.n;
  if (first == second && first >= n) s->parts.at[first - n].ordered = mask;
  if (first == second || !mask) return;
  if (first < n) tp_cell_orders_name(c, &s->objects.at[first], mask);
  if (second < n) tp_cell_orders_name(c, &s->objects.at[second], mask);
  const tp_term said = tp_cell_orders_said(c, piece_of(s, first), piece_of(s, second), mask);
  if (first < n && second < n) {
    tp_vec_push(&s->facts, said);
    return;
  }
  tp_symheap_part *part = &s->parts.at[(first < n ? second : first) - n];
  part->where = tp_term_is(part->where) ? tp_mk_and(c->x->tt, part->where, said) : said;
}

void tp_heap_facts_say(tp_cell_facts *c, tp_symheap *s, const uint32_t *order,
                       const tp_cell_masks *holds) {
  const size_t n = s->objects.n;
  TP_REQUIRE(holds->n >= n + s->parts.n + 1);
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
  size_t next = n + s->parts.n + 1;
  for (size_t i = 0; c->orders.n && i < n + s->parts.n; i++)
    for (size_t k = i; k < n + s->parts.n; k++, next++)
      say_orders(c, s, order[i], order[k], holds->at[next]);
}
