/* Edges that touch memory.
 *
 * An address evaluates to null, to a static, to a cell and an offset, or to top.
 * A write through top may write any cell of the address's points-to class: the field is havocked in
 * all of them, or all of their contents. An access outside of objects ends the run, so a cell that
 * was accessed is live. */
#include "cpa/heap/heap_priv.h"
#include "cpa/cpa_limits.h"
#include "program/access.h"

typedef enum { AT_NOWHERE, AT_CELL, AT_OTHER, AT_ANY } place_kind;
typedef struct {
  place_kind kind;
  uint32_t cell;
  uint64_t offset;
  tp_class class;  // AT_ANY
} place;

/* The target of an access of n bytes. NOWHERE: the access is invalid in every state. */
static place place_of(const tp_heap_draft *d, tp_term address, uint64_t n_bytes) {
  const tp_explicit *h = d->h;
  const tp_term value = tp_heap_eval(d, address);
  place at = {.kind = AT_ANY, .class = tp_pointsto_of_address(h->pt, address)};
  uint64_t size;
  if (!tp_term_is(value) || tp_kind(h->tt, value) != TP_OP_PTR_CONST) return at;
  at.kind = tp_ptr_const_object(h->tt, value) == 0 ? AT_NOWHERE : AT_OTHER;
  if (!tp_heap_cell_of(h, value, &at.cell, &at.offset)) return at;
  TP_INVARIANT(at.cell < d->cells.n);
  const tp_explicit_cell *c = &d->cells.at[at.cell].cell;
  const bool is_outside = tp_term_is(c->size) && tp_bv_value_u64(h->tt, c->size, &size) &&
                          (n_bytes > size || at.offset > size - n_bytes);
  at.kind = c->life == TP_CELL_FREED || is_outside ? AT_NOWHERE : AT_CELL;
  return at;
}

static bool may_lead_to(const tp_explicit_cell *c, tp_class address) {
  return tp_class_eq(address, TP_CLASS_ANY) || tp_class_eq(c->class, TP_CLASS_ANY) ||
         tp_class_eq(c->class, address);
}

void tp_heap_havoc_contents(tp_heap_draft *d, tp_class of) {
  for (size_t i = 0; i < d->cells.n; i++) {
    if (!may_lead_to(&d->cells.at[i].cell, of)) continue;
    d->cells.at[i].fields.n = 0;
    d->cells.at[i].cell.rest = TP_REST_UNKNOWN;
  }
}

// ------------------------------------------------------------------------ fields

static bool meet(const tp_explicit_field *f, uint64_t offset, uint64_t n) {
  return f->offset < offset + n && offset < f->offset + f->n_bytes;
}

static bool comes_before(const tp_explicit_field *a, const tp_explicit_field *b) {
  return a->offset != b->offset ? a->offset < b->offset : a->n_bytes < b->n_bytes;
}

/* Assigns the bytes; fields inside are removed, fields that overlap partly are havocked. */
static void write_field(tp_draft_cell *c, uint64_t offset, uint64_t n_bytes, tp_term value) {
  TP_REQUIRE(n_bytes > 0 && offset <= UINT64_MAX - n_bytes);
  const tp_explicit_field fresh = {offset, n_bytes, value};
  size_t n = 0;
  for (size_t i = 0; i < c->fields.n; i++) {
    tp_explicit_field f = c->fields.at[i];
    if (f.offset >= offset && f.offset + f.n_bytes <= offset + n_bytes) continue;
    if (meet(&f, offset, n_bytes)) f.value = TP_TERM_NONE;
    c->fields.at[n++] = f;
  }
  c->fields.n = n;
  tp_vec_push(&c->fields, fresh);
  size_t i = c->fields.n - 1;
  for (; i > 0 && comes_before(&fresh, &c->fields.at[i - 1]); i--)
    c->fields.at[i] = c->fields.at[i - 1];
  c->fields.at[i] = fresh;
}

/* NONE: any value. A field that was written later than one that it overlaps is known, the other
 * one is not. */
static tp_term read_field(const tp_explicit *h, const tp_draft_cell *c, uint64_t offset,
                          tp_sort sort) {
  const uint64_t n_bytes = tp_sort_bytes(h->tt, sort);
  bool is_free = true;
  for (size_t i = 0; i < c->fields.n; i++) {
    const tp_explicit_field *f = &c->fields.at[i];
    if (!meet(f, offset, n_bytes)) continue;
    is_free = false;
    if (f->offset == offset && f->n_bytes == n_bytes && tp_term_is(f->value) &&
        tp_sort_eq(tp_sort_of(h->tt, f->value), sort))
      return f->value;
  }
  if (!is_free || c->cell.rest != TP_REST_ZEROS) return TP_TERM_NONE;
  return tp_mk_value(h->tt, sort, (tp_value){0});
}

/* Some cell that the address may lead to gets n bytes, 0: an unknown number. Where pointers of
 * its class lead to starts only, the offset is known: then these bytes of each cell may have
 * changed, and no others. */
static void write_anywhere(tp_heap_draft *d, tp_term address, tp_class of, uint64_t n) {
  const tp_explicit *h = d->h;
  tp_access a;
  const bool is_field = n && tp_access_of(h->p, address, &a) && a.var.id && !tp_term_is(a.index) &&
                        a.offset >= 0 &&
                        !tp_may_be_interior(h->inside, tp_var_of(h->p, a.var)->term);
  if (!is_field) tp_heap_havoc_contents(d, of);
  for (size_t i = 0; i < d->cells.n && is_field; i++)
    if (may_lead_to(&d->cells.at[i].cell, of))
      write_field(&d->cells.at[i], (uint64_t)a.offset, n, TP_TERM_NONE);
  if (d->cells.n && h->cpa->env->stats) h->cpa->env->stats->havocs++;
}

// ------------------------------------------------------------------------- edges

bool tp_heap_load(tp_heap_draft *d, const tp_edge_info *e) {
  TP_REQUIRE(e->kind == TP_E_LOAD && e->var.id);
  const tp_sort sort = tp_sort_of(d->h->tt, tp_var_of(d->h->p, e->var)->term);
  const place at = place_of(d, e->a, tp_sort_bytes(d->h->tt, sort));
  tp_term value = TP_TERM_NONE;
  if (at.kind == AT_NOWHERE) return false;
  if (at.kind == AT_CELL) {
    d->cells.at[at.cell].cell.life = TP_CELL_LIVE;
    if (!e->volatile_access) value = read_field(d->h, &d->cells.at[at.cell], at.offset, sort);
  }
  tp_heap_put(d, e->var, value);
  return true;
}

bool tp_heap_store(tp_heap_draft *d, const tp_edge_info *e) {
  TP_REQUIRE(e->kind == TP_E_STORE);
  const uint64_t n_bytes = tp_sort_bytes(d->h->tt, tp_sort_of(d->h->tt, e->b));
  const place at = place_of(d, e->a, n_bytes);
  if (at.kind == AT_CELL) {
    write_field(&d->cells.at[at.cell], at.offset, n_bytes,
                e->volatile_access ? TP_TERM_NONE : tp_heap_eval(d, e->b));
    d->cells.at[at.cell].cell.life = TP_CELL_LIVE;
  }
  if (at.kind == AT_ANY) write_anywhere(d, e->a, at.class, n_bytes);
  return at.kind != AT_NOWHERE;
}

/* n bytes of a cell, as they are before the step, at another place. */
static void copy_fields(tp_heap_draft *d, const place *to, const place *from, uint64_t n) {
  TP_REQUIRE(to->kind == AT_CELL && from->kind == AT_CELL && n > 0);
  const tp_draft_cell *source = &d->cells.at[from->cell];
  tp_field_list moved = {0};
  for (size_t i = 0; i < source->fields.n; i++) {
    tp_explicit_field f = source->fields.at[i];
    const bool is_inside = f.offset >= from->offset && f.offset + f.n_bytes <= from->offset + n;
    f.offset = f.offset - from->offset + to->offset;
    if (is_inside && tp_term_is(f.value) &&
        tp_term_is(
            read_field(d->h, source, source->fields.at[i].offset, tp_sort_of(d->h->tt, f.value))))
      tp_vec_push(&moved, f);
  }
  write_field(&d->cells.at[to->cell], to->offset, n, TP_TERM_NONE);
  for (size_t i = 0; i < moved.n; i++) {
    tp_draft_cell *target = &d->cells.at[to->cell];
    tp_vec_push(&target->fields, moved.at[i]);
    for (size_t k = target->fields.n - 1;
         k > 0 && comes_before(&moved.at[i], &target->fields.at[k - 1]); k--) {
      target->fields.at[k] = target->fields.at[k - 1];
      target->fields.at[k - 1] = moved.at[i];
    }
  }
  tp_vec_clear(&moved);
}

bool tp_heap_block(tp_heap_draft *d, const tp_edge_info *e) {
  TP_REQUIRE(e->kind == TP_E_COPY || e->kind == TP_E_SET || e->kind == TP_E_HAVOC_MEMORY);
  const tp_explicit *h = d->h;
  uint64_t n = 0, byte = 1;
  const tp_term length = tp_heap_eval(d, e->c);
  const bool has_length = tp_term_is(length) && tp_bv_value_u64(h->tt, length, &n);
  if (e->kind == TP_E_HAVOC_MEMORY && !tp_term_is(e->c)) {  // whatever can be reached from there
    tp_heap_havoc_contents(d, TP_CLASS_ANY);
    return true;
  }
  if (has_length && n == 0) return true;
  const place at = place_of(d, e->a, has_length ? n : 0);
  if (at.kind == AT_NOWHERE) return !has_length;
  if (at.kind == AT_ANY) write_anywhere(d, e->a, at.class, has_length ? n : 0);
  if (at.kind != AT_CELL) return true;
  tp_draft_cell *c = &d->cells.at[at.cell];
  const place from =
      e->kind == TP_E_COPY && has_length ? place_of(d, e->b, n) : (place){.kind = AT_OTHER};
  if (!has_length) {
    tp_heap_havoc_contents(d, c->cell.class);
  } else if (from.kind == AT_CELL) {
    copy_fields(d, &at, &from, n);
  } else {
    uint64_t size;
    const tp_term fill = e->kind == TP_E_SET ? tp_heap_eval(d, e->b) : TP_TERM_NONE;
    const bool is_whole = at.offset == 0 && tp_term_is(c->cell.size) &&
                          tp_bv_value_u64(h->tt, c->cell.size, &size) && size == n;
    if (is_whole) c->fields.n = 0;
    if (is_whole)
      c->cell.rest = tp_term_is(fill) && tp_bv_value_u64(h->tt, fill, &byte) && byte == 0
                         ? TP_REST_ZEROS
                         : TP_REST_UNKNOWN;
    else
      write_field(c, at.offset, n, TP_TERM_NONE);
  }
  return true;
}

// --------------------------------------------------------------- births and deaths

void tp_heap_alloc(tp_heap_draft *d, const tp_edge_info *e, tp_edge edge) {
  TP_REQUIRE(e->kind == TP_E_ALLOC);
  const tp_explicit *h = d->h;
  uint64_t byte = 1;
  if (e->object_kind != TP_O_HEAP || d->cells.n >= TP_CPA_HEAP_CELLS) {
    if (e->object_kind == TP_O_HEAP) d->others = TP_OTHERS_ANY;
    tp_heap_put(d, e->var, TP_TERM_NONE);
    return;
  }
  const bool is_zeros = tp_term_is(e->b) && tp_bv_value_u64(h->tt, e->b, &byte) && byte == 0;
  const tp_cell_rest rest = is_zeros           ? TP_REST_ZEROS
                            : tp_term_is(e->b) ? TP_REST_UNKNOWN
                                               : TP_REST_NUMBERS;
  const tp_draft_cell fresh = {.cell = {.life = TP_CELL_LIVE,
                                        .rest = rest,
                                        .class = tp_pointsto_of_alloc(h->pt, edge),
                                        .size = tp_heap_eval(d, e->a)}};
  tp_vec_push(&d->cells, fresh);
  tp_heap_put(d, e->var, tp_mk_ptr_const(h->tt, h->first_object + (uint32_t)d->cells.n - 1, 0));
}

bool tp_heap_free(tp_heap_draft *d, const tp_edge_info *e) {
  TP_REQUIRE(e->kind == TP_E_FREE);
  const place at = place_of(d, e->a, 0);
  const tp_term value = tp_heap_eval(d, e->a);
  if (tp_term_is(value) && tp_term_eq(value, tp_mk_null(d->h->tt))) return true;
  if (at.kind == AT_CELL && at.offset == 0) {
    tp_draft_cell *c = &d->cells.at[at.cell];
    c->fields.n = 0;
    c->cell.rest = TP_REST_UNKNOWN;
    c->cell.life = TP_CELL_FREED;
    return true;
  }
  for (size_t i = 0; i < d->cells.n && at.kind == AT_ANY; i++)
    if (d->cells.at[i].cell.life == TP_CELL_LIVE && may_lead_to(&d->cells.at[i].cell, at.class))
      d->cells.at[i].cell.life = TP_CELL_EITHER;
  return at.kind == AT_ANY;
}
