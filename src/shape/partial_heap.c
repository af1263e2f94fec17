/* Cells are single nodes; the others, and the outside ones, are a summary each, which may be
 * missing: so up to four graphs. A value that is not known is 1/2 for every node that it can be; a
 * field leads to one cell, which coerce knows. Definitions are evaluated on what there is, so
 * instrumentation is as definite as the heap allows. */
#include "shape/partial_heap.h"

#include "shape/shape_limits.h"

static tp_k64 leads_to(const tp_shape_class *c, const tp_structure *s, int16_t to) {
  TP_REQUIRE(to >= TP_PARTIAL_NUMBER && (to < 0 || (uint32_t)to < s->n));
  if (to == TP_PARTIAL_NIL) return (tp_k64){0, 0};
  if (to == TP_PARTIAL_NUMBER) return (tp_k64){s->unary[c->outside].must, 0};
  return to == TP_PARTIAL_NOTHING ? (tp_k64){tp_structure_nodes(s), 0}
                                  : tp_k64_fill(TP_KLEENE_TRUE, tp_k64_bit((uint32_t)to));
}

/* A summary node of cells that are not explicit; outside ones have no fields. */
static void add_summary(const tp_shape_class *c, tp_structure *s, bool is_outside, bool is_freed) {
  const uint32_t u = tp_structure_add(s);
  s->summary |= tp_k64_bit(u);
  tp_k64_set(&s->unary[c->outside], u, is_outside ? TP_KLEENE_TRUE : TP_KLEENE_FALSE);
  if (!is_outside) tp_k64_set(&s->unary[c->freed], u, is_freed ? TP_KLEENE_TRUE : TP_KLEENE_HALF);
  for (uint32_t i = 0; i < c->n_data_predicates; i++)
    tp_k64_set(&s->unary[c->data_predicate[i]], u, TP_KLEENE_HALF);
}

/* Where a field leads; those of outside and of freed cells are nil. */
static int16_t field_of(const tp_shape_class *c, const tp_partial_heap *heap, const tp_structure *s,
                        uint32_t f, uint32_t u) {
  if ((s->unary[c->outside].must | s->unary[c->freed].must) >> u & 1) return TP_PARTIAL_NIL;
  return u < heap->n_cells ? heap->field[f * heap->n_cells + u] : TP_PARTIAL_NOTHING;
}

static void fill(const tp_shape_class *c, const tp_partial_heap *heap, tp_structure *s) {
  for (uint32_t p = 0; p < c->n_pointers; p++)
    s->unary[c->points[p]] = leads_to(c, s, heap->pointer[p]);
  for (uint32_t u = 0; heap->freed && u < heap->n_cells; u++)
    tp_k64_set(&s->unary[c->freed], u, heap->freed[u]);
  for (uint32_t i = 0; i < c->n_data_predicates; i++)
    for (uint32_t u = 0; u < heap->n_cells; u++)
      tp_k64_set(
          &s->unary[c->data_predicate[i]], u,
          heap->data_predicate ? heap->data_predicate[i * heap->n_cells + u] : TP_KLEENE_HALF);
  for (uint32_t f = 0; f < c->n_fields; f++)
    for (uint32_t u = 0; u < s->n; u++)
      *tp_structure_row(s, c->field[f], u) = leads_to(c, s, field_of(c, heap, s, f, u));
  for (uint32_t i = 0; i < c->n_orders; i++)
    for (uint32_t u = 0; u < s->n; u++)
      *tp_structure_row(s, c->order[i], u) = leads_to(c, s, TP_PARTIAL_NOTHING);
}

tp_status tp_shape_from_partial(tp_shape_engine *e, const tp_partial_heap *heap,
                                tp_graph_ids *out) {
  TP_REQUIRE(heap->pointer && heap->field);
  const tp_shape_class *c = tp_shape_engine_class(e);
  if (heap->n_cells + 2 > TP_SHAPE_MAX_NODES) return TP_ERR_LIMIT;
  for (int others = 0; others <= (heap->is_complete ? 0 : 1); others++)
    for (int outside = heap->outside == TP_PARTIAL_YES ? 1 : 0;
         outside <= (heap->outside == TP_PARTIAL_NO ? 0 : 1); outside++) {
      tp_structure *s = tp_shape_take(e);
      for (uint32_t u = 0; u < heap->n_cells; u++) tp_structure_add(s);
      if (others) add_summary(c, s, false, heap->others_are_freed);
      if (outside) add_summary(c, s, true, false);
      fill(c, heap, s);
      tp_shape_define_all(e, s);
      const uint32_t id = tp_shape_engine_add_coerced(e, s);
      if (id) tp_graph_ids_add(out, id);
      tp_shape_give(e, s);
    }
  return TP_OK;
}
