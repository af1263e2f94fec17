/* Drafts: elements of the explicit heap analysis while they are made; their canonical form.
 *
 * A draft is changed freely; sealing it keeps what the precision tracks, drops cells that no
 * pointer leads to, numbers the others along the variables and their fields, and keeps one copy of
 * each result: so equality up to names is equality of addresses. */
#include "cpa/heap/heap_priv.h"

#include "cpa/cpa_limits.h"

static tp_draft_cell copy_cell(const tp_explicit_cell *c) {
  tp_draft_cell copy = {.cell = *c};
  for (size_t i = 0; i < c->n_fields; i++) tp_vec_push(&copy.fields, c->fields[i]);
  return copy;
}

// ------------------------------------------------------------------------ drafts

void tp_heap_draft_open(tp_heap_draft *d, tp_explicit *h, const tp_elem *from) {
  *d = (tp_heap_draft){.h = h, .others = TP_OTHERS_ANY};
  if (!from) return;
  d->others = from->heap.others;
  for (size_t i = 0; i < from->heap.n_vars; i++) tp_vec_push(&d->vars, from->heap.vars[i]);
  for (size_t i = 0; i < from->heap.n_cells; i++)
    tp_vec_push(&d->cells, copy_cell(&from->heap.cells[i]));
}

void tp_heap_draft_drop(tp_heap_draft *d) {
  for (size_t i = 0; i < d->cells.n; i++) tp_vec_clear(&d->cells.at[i].fields);
  tp_vec_clear(&d->cells);
  tp_vec_clear(&d->vars);
}

static size_t find(const tp_heap_draft *d, tp_var v) {
  size_t lo = 0, hi = d->vars.n;
  while (lo < hi) {
    const size_t mid = (lo + hi) / 2;
    if (d->vars.at[mid].var.id < v.id)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

tp_term tp_heap_get(const tp_heap_draft *d, tp_var v) {
  TP_REQUIRE(v.id);
  const size_t i = find(d, v);
  return i < d->vars.n && d->vars.at[i].var.id == v.id ? d->vars.at[i].value : TP_TERM_NONE;
}

void tp_heap_put(tp_heap_draft *d, tp_var v, tp_term value) {
  TP_REQUIRE(v.id);
  const size_t i = find(d, v);
  const bool is_there = i < d->vars.n && d->vars.at[i].var.id == v.id;
  if (is_there && tp_term_is(value)) {
    d->vars.at[i].value = value;
  } else if (is_there) {
    memmove(&d->vars.at[i], &d->vars.at[i + 1], (d->vars.n - i - 1) * sizeof *d->vars.at);
    d->vars.n--;
  } else if (tp_term_is(value)) {
    tp_vec_push(&d->vars, (tp_explicit_var){0});
    memmove(&d->vars.at[i + 1], &d->vars.at[i], (d->vars.n - i - 1) * sizeof *d->vars.at);
    d->vars.at[i] = (tp_explicit_var){v, value};
  }
}

void tp_heap_havoc_vars(tp_heap_draft *d, bool (*is_havocked)(void *ctx, tp_var v), void *ctx) {
  size_t n = 0;
  for (size_t i = 0; i < d->vars.n; i++)
    if (!is_havocked(ctx, d->vars.at[i].var)) d->vars.at[n++] = d->vars.at[i];
  d->vars.n = n;
}

bool tp_heap_cell_of(const tp_explicit *h, tp_term value, uint32_t *cell, uint64_t *offset) {
  if (!tp_term_is(value) || tp_kind(h->tt, value) != TP_OP_PTR_CONST ||
      tp_ptr_const_object(h->tt, value) < h->first_object)
    return false;
  *cell = tp_ptr_const_object(h->tt, value) - h->first_object;
  *offset = tp_ptr_const_offset(h->tt, value);
  return true;
}

tp_term tp_heap_pointer_to(const tp_explicit *h, uint32_t cell, uint64_t offset) {
  TP_REQUIRE(cell < TP_CPA_HEAP_CELLS);
  return tp_mk_ptr_const(h->tt, h->first_object + cell, offset);
}

// --------------------------------------------------------------- canonical form

/* Without what is not tracked. Cells of a kind that is not are left over without pointers to them.
 */
static void restrict_to(tp_heap_draft *d, const tp_prec *p) {
  const tp_explicit *h = d->h;
  uint32_t c;
  uint64_t offset;
  size_t n = 0;
  for (size_t i = 0; i < d->vars.n; i++) {
    const tp_explicit_var *v = &d->vars.at[i];
    const bool is_gone = tp_heap_cell_of(h, v->value, &c, &offset) &&
                         !tp_heap_tracks_kind(h, p, d->cells.at[c].cell.class);
    if (!is_gone && tp_heap_tracks_var(h, p, v->var)) d->vars.at[n++] = *v;
  }
  d->vars.n = n;
  for (size_t i = 0; i < d->cells.n; i++)
    for (size_t f = 0; f < d->cells.at[i].fields.n; f++) {
      tp_explicit_field *field = &d->cells.at[i].fields.at[f];
      const bool leads_out = tp_heap_cell_of(h, field->value, &c, &offset) &&
                             !tp_heap_tracks_kind(h, p, d->cells.at[c].cell.class);
      if (leads_out || !tp_heap_tracks_field(h, p, d->cells.at[i].cell.class, field->offset))
        field->value = TP_TERM_NONE;
    }
}

/* Where nothing is known of the rest, unknown fields say nothing. */
static void tidy_fields(tp_draft_cell *c) {
  for (int pass = 0; pass < 2; pass++) {
    size_t n = 0;
    for (size_t i = 0; i < c->fields.n; i++)
      if (c->cell.rest != TP_REST_UNKNOWN || tp_term_is(c->fields.at[i].value))
        c->fields.at[n++] = c->fields.at[i];
    c->fields.n = n;
    if (n <= TP_CPA_HEAP_FIELDS) return;
    c->cell.rest = TP_REST_UNKNOWN;
  }
  c->fields.n = TP_CPA_HEAP_FIELDS;
}

typedef struct {
  tp_heap_draft *d;
  uint32_t *number;  // by cell: its new number + 1; 0: none yet
  uint32_t *order;   // by new number
  uint32_t n;
} numbering;

static void visit(numbering *m, tp_term value) {
  TP_REQUIRE(m->n <= m->d->cells.n);
  uint32_t c;
  uint64_t offset;
  if (!tp_heap_cell_of(m->d->h, value, &c, &offset) || m->number[c]) return;
  TP_INVARIANT(c < m->d->cells.n);  // pointers of a draft lead to its cells
  m->order[m->n++] = c;
  m->number[c] = m->n;
}

static tp_term renamed(const numbering *m, tp_term value) {
  uint32_t c;
  uint64_t offset;
  return tp_heap_cell_of(m->d->h, value, &c, &offset)
             ? tp_heap_pointer_to(m->d->h, m->number[c] - 1, offset)
             : value;
}

tp_other_cells tp_heap_join_others(tp_other_cells a, const tp_explicit_cell *left) {
  const tp_other_cells b = left->life == TP_CELL_FREED ? TP_OTHERS_FREED : TP_OTHERS_ANY;
  return a > b ? a : b;
}

static void number_cells(numbering *m) {
  tp_heap_draft *d = m->d;
  for (size_t i = 0; i < d->vars.n; i++) visit(m, d->vars.at[i].value);
  for (uint32_t k = 0; k < m->n; k++) {
    const tp_draft_cell *c = &d->cells.at[m->order[k]];
    for (size_t f = 0; f < c->fields.n; f++) visit(m, c->fields.at[f].value);
  }
  for (uint32_t c = 0; c < d->cells.n; c++)
    if (!m->number[c]) d->others = tp_heap_join_others(d->others, &d->cells.at[c].cell);
}

// --------------------------------------------------------------------- interning

static bool same_cell(const tp_explicit_cell *a, const tp_explicit_cell *b) {
  if (a->life != b->life || a->rest != b->rest || !tp_class_eq(a->class, b->class) ||
      !tp_term_eq(a->size, b->size) || a->n_fields != b->n_fields)
    return false;
  for (size_t i = 0; i < a->n_fields; i++)
    if (a->fields[i].offset != b->fields[i].offset ||
        a->fields[i].n_bytes != b->fields[i].n_bytes ||
        !tp_term_eq(a->fields[i].value, b->fields[i].value))
      return false;
  return true;
}

static bool same(const tp_explicit_heap *a, const tp_explicit_heap *b) {
  if (a->others != b->others || a->n_vars != b->n_vars || a->n_cells != b->n_cells) return false;
  for (size_t i = 0; i < a->n_vars; i++)
    if (a->vars[i].var.id != b->vars[i].var.id || !tp_term_eq(a->vars[i].value, b->vars[i].value))
      return false;
  for (size_t i = 0; i < a->n_cells; i++)
    if (!same_cell(&a->cells[i], &b->cells[i])) return false;
  return true;
}

static uint64_t hash_of(const tp_explicit_heap *e) {
  uint64_t x = tp_hash_mix(e->others, e->n_cells);
  for (size_t i = 0; i < e->n_vars; i++)
    x = tp_hash_mix(tp_hash_mix(x, e->vars[i].var.id), e->vars[i].value.id);
  for (size_t i = 0; i < e->n_cells; i++) {
    x = tp_hash_mix(x, (uint64_t)e->cells[i].life << 8 | (uint64_t)e->cells[i].rest);
    for (size_t f = 0; f < e->cells[i].n_fields; f++)
      x = tp_hash_mix(tp_hash_mix(x, e->cells[i].fields[f].offset), e->cells[i].fields[f].value.id);
  }
  return x;
}

static tp_elem *copy_of(tp_explicit *h, const tp_explicit_heap *from) {
  tp_arena *arena = &h->cpa->arena;
  tp_elem *e = tp_arena_new(arena, tp_elem);
  tp_explicit_var *vars = tp_arena_array(arena, tp_explicit_var, from->n_vars + 1);
  tp_explicit_cell *cells = tp_arena_array(arena, tp_explicit_cell, from->n_cells + 1);
  e->heap = *from;
  if (from->n_vars) memcpy(vars, from->vars, from->n_vars * sizeof *vars);
  for (size_t i = 0; i < from->n_cells; i++) {
    tp_explicit_field *fields =
        tp_arena_array(arena, tp_explicit_field, from->cells[i].n_fields + 1);
    if (from->cells[i].n_fields)
      memcpy(fields, from->cells[i].fields, from->cells[i].n_fields * sizeof *fields);
    cells[i] = from->cells[i];
    cells[i].fields = fields;
  }
  e->heap.vars = vars;
  e->heap.cells = cells;
  return e;
}

static const tp_elem *intern(tp_explicit *h, const tp_explicit_heap *heap) {
  TP_REQUIRE(heap->n_cells <= TP_CPA_HEAP_CELLS);
  const uint64_t hash = hash_of(heap);
  uint64_t first = 0;
  (void)tp_map_get(&h->elems, hash, &first);
  for (uint32_t i = (uint32_t)first; i; i = h->chain.at[i].next)
    if (same(&h->chain.at[i].e->heap, heap)) return h->chain.at[i].e;
  if (h->chain.n == 0) tp_vec_resize(&h->chain, 1);
  tp_map_set(&h->elems, hash, h->chain.n);
  tp_vec_resize(&h->chain, h->chain.n + 1);
  tp_vec_last(&h->chain).e = copy_of(h, heap);
  tp_vec_last(&h->chain).next = (uint32_t)first;
  return tp_vec_last(&h->chain).e;
}

/* The invariants of an element: variables ascend, fields of a cell ascend by offset (fields that
 * overlap are unknown bytes beside a known value), pointers lead to cells that exist. */
static bool check_heap(const tp_explicit *h, const tp_explicit_heap *heap) {
  uint32_t c;
  uint64_t offset;
  for (size_t i = 0; i < heap->n_vars; i++) {
    if (i > 0 && heap->vars[i - 1].var.id >= heap->vars[i].var.id) return false;
    if (tp_heap_cell_of(h, heap->vars[i].value, &c, &offset) && c >= heap->n_cells) return false;
  }
  for (size_t i = 0; i < heap->n_cells; i++)
    for (size_t k = 0; k + 1 < heap->cells[i].n_fields; k++)
      if (heap->cells[i].fields[k].offset > heap->cells[i].fields[k + 1].offset) return false;
  return true;
}

const tp_elem *tp_heap_seal(tp_heap_draft *d, const tp_prec *p) {
  const size_t n = d->cells.n;
  restrict_to(d, p);
  for (size_t i = 0; i < n; i++) tidy_fields(&d->cells.at[i]);
  numbering m = {d, TP_NEW_ARRAY(uint32_t, n + 1), TP_NEW_ARRAY(uint32_t, n + 1), 0};
  number_cells(&m);
  for (size_t i = 0; i < d->vars.n; i++) d->vars.at[i].value = renamed(&m, d->vars.at[i].value);
  TP_INVARIANT(m.n <= n);
  tp_explicit_cell *cells = TP_NEW_ARRAY(tp_explicit_cell, m.n + 1);
  for (uint32_t k = 0; k < m.n; k++) {
    const tp_draft_cell *c = &d->cells.at[m.order[k]];
    for (size_t f = 0; f < c->fields.n; f++)
      c->fields.at[f].value = renamed(&m, c->fields.at[f].value);
    cells[k] = c->cell;
    cells[k].fields = c->fields.at;
    cells[k].n_fields = c->fields.n;
  }
  const tp_explicit_heap heap = {d->h->first_object, d->vars.at, d->vars.n, cells, m.n, d->others};
  TP_INVARIANT(check_heap(d->h, &heap));
  const tp_elem *e = intern(d->h, &heap);
  tp_free(cells);
  tp_free(m.number);
  tp_free(m.order);
  tp_heap_draft_drop(d);
  return e;
}
