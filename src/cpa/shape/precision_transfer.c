/* Precision transfer: from the explicit heap of another analysis to graphs, when that analysis
 * drops a kind of cells, and for proofs before that.
 *
 * The kinds whose pointers it drops are described by graphs from there on. Cells of the kind become
 * nodes, facts about their data are decided by their fields, and whatever else a pointer leads to
 * is outside; then the graph is abstracted like any other. Lost is only what no predicate of the
 * class expresses.
 */
#include "cpa/shape/shape_priv.h"
#include "shape/partial_heap.h"

typedef struct {
  const tp_shape_cpa *h;
  const tp_shape_cpa_kind *k;
  const tp_explicit_heap *heap;
  int16_t *node;  // by cell of the heap: its number among the cells of the kind; NOTHING:
                  // unknown size
  uint32_t n;
} conversion;

enum { IS_OUTSIDE = -4 };  // a cell of another size

/* Cells of the structure's size get numbers. False: some cell's size is not known. */
static bool number_cells(conversion *x) {
  bool all_known = true;
  for (size_t i = 0; i < x->heap->n_cells; i++) {
    uint64_t size;
    const tp_term t = x->heap->cells[i].size;
    const bool is_known = tp_term_is(t) && tp_bv_value_u64(x->h->tt, t, &size);
    x->node[i] = !is_known                          ? TP_PARTIAL_NOTHING
                 : size == x->k->visible.size_bytes ? (int16_t)x->n++
                                                    : IS_OUTSIDE;
    all_known &= is_known;
  }
  return all_known;
}

/* The node that a pointer with this value leads to; NONE: unknown. */
static int16_t target_of(const conversion *x, tp_term value) {
  const tp_terms *tt = x->h->tt;
  if (!tp_term_is(value) || tp_kind(tt, value) != TP_OP_PTR_CONST) return TP_PARTIAL_NOTHING;
  const uint32_t object = tp_ptr_const_object(tt, value);
  if (object == 0 && tp_ptr_const_offset(tt, value) == 0) return TP_PARTIAL_NIL;
  if (object < x->heap->first_object || tp_ptr_const_offset(tt, value) != 0) return IS_OUTSIDE;
  return x->node[object - x->heap->first_object];
}

static tp_term value_of_var(const conversion *x, tp_var v) {
  for (size_t i = 0; i < x->heap->n_vars; i++)
    if (x->heap->vars[i].var.id == v.id) return x->heap->vars[i].value;
  return TP_TERM_NONE;
}

// ------------------------------------------------------------------------ fields

static bool meets(const tp_explicit_field *f, uint64_t offset, uint64_t n_bytes) {
  return f->offset < offset + n_bytes && offset < f->offset + f->n_bytes;
}

/* What stands in the bytes; NONE: nobody knows. is_untouched: nobody has written there since the
 * cell was made. */
static tp_term bytes_of(const tp_explicit_cell *c, uint64_t offset, uint64_t n_bytes,
                        bool *is_untouched) {
  *is_untouched = true;
  for (size_t i = 0; i < c->n_fields; i++) {
    if (!meets(&c->fields[i], offset, n_bytes)) continue;
    *is_untouched = false;
    if (c->fields[i].offset == offset && c->fields[i].n_bytes == n_bytes &&
        tp_term_is(c->fields[i].value))
      return c->fields[i].value;
  }
  return TP_TERM_NONE;
}

static int16_t field_target(const conversion *x, const tp_explicit_cell *c, uint64_t offset) {
  bool is_untouched;
  const tp_term value = bytes_of(c, offset, x->h->p->ptr_bits / 8, &is_untouched);
  if (c->life != TP_CELL_LIVE) return TP_PARTIAL_NOTHING;
  if (is_untouched && c->rest != TP_REST_UNKNOWN)
    return c->rest == TP_REST_ZEROS ? TP_PARTIAL_NIL : TP_PARTIAL_NUMBER;
  const int16_t to = target_of(x, value);
  return to == IS_OUTSIDE ? TP_PARTIAL_NUMBER : to;
}

static tp_kleene fact_of(const conversion *x, const tp_explicit_cell *c, const tp_data_formula *d) {
  bool is_untouched;
  tp_terms *tt = x->h->tt;
  tp_term value = bytes_of(c, d->offset, d->width_bits / 8, &is_untouched);
  if (c->life != TP_CELL_LIVE) return TP_KLEENE_HALF;
  if (is_untouched && c->rest == TP_REST_ZEROS) value = tp_mk_bv(tt, d->width_bits, 0);
  if (!tp_term_is(value) || !tp_sort_eq(tp_sort_of(tt, value), tp_sort_of(tt, d->value)))
    return TP_KLEENE_HALF;
  return tp_shape_cpa_decide(tt, d, tp_mk_eq(tt, d->value, value));
}

// ----------------------------------------------------------------------- a kind

static void fill_cells(const conversion *x, int16_t *fields, tp_kleene *facts, tp_kleene *freed) {
  for (size_t i = 0; i < x->heap->n_cells; i++) {
    const tp_explicit_cell *c = &x->heap->cells[i];
    if (x->node[i] < 0) continue;
    const uint32_t u = (uint32_t)x->node[i];
    freed[u] = c->life == TP_CELL_LIVE    ? TP_KLEENE_FALSE
               : c->life == TP_CELL_FREED ? TP_KLEENE_TRUE
                                          : TP_KLEENE_HALF;
    for (uint32_t f = 0; f < x->k->c->n_fields; f++)
      fields[f * x->n + u] = field_target(x, c, x->k->visible.offsets[f]);
    for (uint32_t a = 0; a < x->k->c->n_data_predicates; a++)
      facts[a * x->n + u] = fact_of(x, c, &x->k->visible.data[a]);
  }
}

/* The graphs of the kind's cells; all heaps, if there is no room for them. */
static void convert(const tp_shape_cpa *h, const tp_shape_cpa_kind *k, const tp_explicit_heap *heap,
                    tp_graph_ids *out) {
  conversion x = {h, k, heap, TP_NEW_ARRAY(int16_t, heap->n_cells + 1), 0};
  const uint32_t n_pointers = k->c->n_pointers;
  const bool knows_sizes = number_cells(&x);
  int16_t *pointers = TP_NEW_ARRAY(int16_t, n_pointers + 1),
          *fields = TP_NEW_ARRAY(int16_t, x.n * k->c->n_fields + 1);
  tp_kleene *facts = TP_NEW_ARRAY(tp_kleene, x.n * k->c->n_data_predicates + 1),
            *freed = TP_NEW_ARRAY(tp_kleene, x.n + 1);
  bool *is_outside = TP_NEW_ARRAY(bool, n_pointers + 1);
  for (uint32_t p = 0; p < n_pointers; p++) {
    pointers[p] = target_of(&x, value_of_var(&x, k->visible.pointers[p]));
    is_outside[p] = pointers[p] == IS_OUTSIDE;
    if (is_outside[p]) pointers[p] = TP_PARTIAL_NUMBER;
  }
  fill_cells(&x, fields, facts, freed);
  const tp_partial_heap known = {
      .n_cells = x.n,
      .pointer = pointers,
      .field = fields,
      .data_predicate = facts,
      .freed = freed,
      .outside = TP_PARTIAL_YES,
      .is_complete = knows_sizes && heap->others == TP_OTHERS_NONE,
      .others_are_freed = knows_sizes && heap->others == TP_OTHERS_FREED};
  out->n = 0;
  if (tp_shape_from_partial(k->e, &known, out) != TP_OK) out->n = 0;
  for (uint32_t p = 0; p < n_pointers; p++)
    if (is_outside[p])
      (void)tp_shape_cpa_post(
          h, k, out, tp_shape_cpa_pointer_step(TP_SHAPE_STEP_NOT_NIL, (int)p, TP_UNKNOWN_SLOT));
  if (out->n == 0) tp_shape_engine_top(k->e, out);
  tp_free(x.node);
  tp_free(pointers);
  tp_free(fields);
  tp_free(facts);
  tp_free(freed);
  tp_free(is_outside);
}

/* kinds: a bit for each that is off in e, and goes. */
static const tp_elem *transfer_precisions(tp_shape_cpa *h, const tp_elem *e, uint64_t kinds,
                                          const tp_explicit_heap *heap) {
  tp_shape_draft d;
  tp_shape_cpa_draft_open(&d, h, e);
  d.off &= ~kinds;
  for (uint32_t k = 0; k < h->n; k++)
    if (tp_shape_cpa_is_off(kinds, k)) convert(h, &h->kinds[k], heap, &d.region.sets[k]);
  return tp_shape_cpa_seal(&d);
}

const tp_elem *tp_shape_transfer_heap(tp_cpa *cpa, const tp_elem *e, uint64_t kinds,
                                      const tp_explicit_heap *heap) {
  return (e->off & kinds) == 0 ? e
                               : transfer_precisions(tp_shape_cpa_of(cpa), e, e->off & kinds, heap);
}

const tp_elem *tp_shape_of_heap(tp_cpa *cpa, const tp_explicit_heap *heap) {
  tp_shape_cpa *h = tp_shape_cpa_of(cpa);
  const tp_elem none = {.region = {.n = 0}};
  tp_shape_draft d;
  tp_shape_cpa_draft_open(&d, h, &none);
  for (uint32_t k = 0; k < h->n; k++) convert(h, &h->kinds[k], heap, &d.region.sets[k]);
  return tp_shape_cpa_seal(&d);
}

// ------------------------------------------------------------------- are they all?

/* Is the value of this number the one that a fact says? */
static bool is_determined(const conversion *x, const tp_explicit_cell *c,
                          const tp_explicit_field *f) {
  for (uint32_t a = 0; a < x->k->c->n_data_predicates; a++) {
    const tp_data_formula *d = &x->k->visible.data[a];
    if (d->offset == f->offset && d->width_bits / 8 == f->n_bytes &&
        tp_kind(x->h->tt, d->fact) == TP_OP_EQ && fact_of(x, c, d) == TP_KLEENE_TRUE)
      return true;
  }
  return false;
}

/* A pointer is told by a link if it leads to a cell, or nowhere. */
static bool is_represented(const conversion *x, const tp_explicit_cell *c,
                           const tp_explicit_field *f) {
  if (!tp_term_is(f->value)) return true;
  if (tp_sort_kind_of(x->h->tt, tp_sort_of(x->h->tt, f->value)) != TP_SORT_PTR)
    return is_determined(x, c, f);
  const int16_t to = target_of(x, f->value);
  for (uint32_t i = 0; i < x->k->c->n_fields; i++)
    if (x->k->visible.offsets[i] == f->offset) return to >= 0 || to == TP_PARTIAL_NIL;
  return false;
}

static bool is_cell_represented(const conversion *x, const tp_explicit_cell *c) {
  bool said = c->life == TP_CELL_LIVE && tp_term_is(c->size);
  for (size_t i = 0; i < c->n_fields && said; i++) said = is_represented(x, c, &c->fields[i]);
  return said;
}

/* Nodes that are one cell each. */
static uint32_t n_single_cells(const tp_shape_class *c, const tp_structure *s) {
  uint32_t n = 0;
  for (uint32_t u = 0; u < s->n; u++)
    n += !(s->summary >> u & 1) && !(s->unary[c->outside].may >> u & 1);
  return n;
}

bool tp_shape_describes_cells(const tp_cpa *cpa, const tp_elem *e, uint32_t k,
                              const tp_explicit_heap *heap) {
  TP_REQUIRE(k < tp_shape_cpa_of(cpa)->n);
  const tp_shape_cpa *h = tp_shape_cpa_of(cpa);
  conversion x = {h, &h->kinds[k], heap, TP_NEW_ARRAY(int16_t, heap->n_cells + 1), 0};
  bool says = number_cells(&x) && x.n == heap->n_cells;
  for (size_t i = 0; i < heap->n_cells && says; i++)
    says = is_cell_represented(&x, &heap->cells[i]);
  for (size_t i = 0; i < heap->n_vars && says; i++)
    says =
        !tp_explicit_is_cell(h->tt, heap, heap->vars[i].value) ||
        (target_of(&x, heap->vars[i].value) >= 0 && tp_shape_cpa_slot(x.k, heap->vars[i].var) >= 0);
  for (size_t i = 0; i < e->region.sets[k].n && says; i++)
    says = n_single_cells(
               x.k->c, &tp_graph_at(tp_shape_engine_graphs(x.k->e), e->region.sets[k].at[i])->s) ==
           x.n;
  tp_free(x.node);
  return says;
}

// --------------------------------------------------------------------- hand-over

typedef struct {
  const tp_shape_cpa *h;
  uint64_t off, leaving;
} leaving_kinds;

static void visit_lvalue(void *ctx, tp_term lvalue) {
  leaving_kinds *l = ctx;
  if (tp_kind(l->h->tt, lvalue) != TP_OP_VAR ||
      tp_sort_kind_of(l->h->tt, tp_sort_of(l->h->tt, lvalue)) != TP_SORT_PTR)
    return;
  for (uint32_t k = 0; k < l->h->n; k++)
    if (tp_shape_cpa_is_off(l->off, k) && tp_shape_cpa_may_hold(l->h, &l->h->kinds[k], lvalue))
      l->leaving |= (uint64_t)1 << k;
}

const tp_elem *tp_shape_cpa_transfer_precision(tp_cpa *cpa, const tp_elem *e,
                                               const tp_precision_transfer *from) {
  tp_shape_cpa *h = tp_shape_cpa_of(cpa);
  const tp_cpa_ops *ops = from->cpa->ops;
  const tp_explicit_heap *heap =
      ops->explicit_heap ? ops->explicit_heap(from->cpa, from->before.elem) : NULL;
  leaving_kinds l = {h, e->off, 0};
  if (!heap || !ops->each_untracked || e->off == 0) return e;
  ops->each_untracked(from->cpa, from->before, from->after, visit_lvalue, &l);
  return l.leaving == 0 ? e : transfer_precisions(h, e, l.leaving, heap);
}
