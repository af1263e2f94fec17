/* Edges that touch memory, as steps on graphs.
 *
 * Where the address is a pointer and a number, and pointers of its class lead to starts of objects,
 * the bytes that are touched are those of one cell at known offsets: fields that they meet get a
 * value, facts about data are decided or forgotten. Every other write that may touch a cell
 * sets the graphs of that kind to top. */
#include "cpa/shape/shape_priv.h"

#include "cpa/cpa_limits.h"

/* Where an access goes. */
typedef struct {
  tp_term address;
  tp_var base;  // NONE: no variable and number
  uint64_t offset, n_bytes;
  bool has_length;
} place;

/* What is written. */
typedef enum { WRITES_UNKNOWN, WRITES_ZEROS, WRITES_VALUE } written_kind;
typedef struct {
  written_kind kind;
  tp_term value;  // WRITES_VALUE: as wide as the place
} written;

static place place_of(const tp_shape_cpa *h, tp_term address, uint64_t n_bytes) {
  place at = {.address = address, .n_bytes = n_bytes, .has_length = true};
  tp_access a;
  if (tp_access_of(h->p, address, &a) && a.var.id && !tp_term_is(a.index) && a.offset >= 0) {
    at.base = a.var;
    at.offset = (uint64_t)a.offset;
  }
  return at;
}

/* The object of a variable in memory, or of a static, is no cell. */
static bool is_elsewhere(const tp_shape_cpa *h, tp_term address) {
  tp_access a;
  return tp_access_of(h->p, address, &a) &&
         (a.object || (a.var.id && tp_var_of(h->p, a.var)->is_address));
}

static bool meet(uint64_t a, uint64_t n_a, uint64_t b, uint64_t n_b) {
  return a < b + n_b && b < a + n_a;
}

// ------------------------------------------------------------------------- links

static bool meets_place(const void *ctx, const tp_shape_link *l) {
  const place *at = ctx;
  return meet(at->offset, at->n_bytes, l->offset, l->width_bits / 8);
}

/* What stands in memory was changed at the place. */
static void unlink_place(tp_shape_draft *d, const place *at) {
  if (at->base.id && at->has_length && !tp_shape_cpa_may_be_interior(d->h, at->address))
    tp_shape_cpa_unlink(d, meets_place, at);
  else
    tp_shape_cpa_unlink_all(d);
}

/* Pointers whose cells links may speak of. */
static bool is_tracked(const tp_shape_cpa *h, tp_var v) {
  for (uint32_t k = 0; k < h->n; k++)
    if (tp_shape_cpa_slot(&h->kinds[k], v) >= 0) return true;
  return false;
}

static void link_place(tp_shape_draft *d, tp_var v, const place *at) {
  if (!v.id || v.id == at->base.id || !is_tracked(d->h, at->base)) return;
  const tp_term var = tp_var_of(d->h->p, v)->term;
  if (tp_sort_kind_of(d->h->tt, tp_sort_of(d->h->tt, var)) != TP_SORT_BV) return;
  const uint32_t width = tp_width(d->h->tt, var);
  if (width % 8 == 0 && width / 8 == at->n_bytes)
    tp_shape_cpa_add_link(d, (tp_shape_link){v, at->base, at->offset, width});
}

// ------------------------------------------------------------------------ writes

static tp_kleene decided(const tp_shape_draft *d, uint32_t kind,
                         const tp_data_formula *data_formula, const place *at, written what) {
  TP_REQUIRE(what.kind != WRITES_VALUE || tp_term_is(what.value));
  const tp_shape_cpa *h = d->h;
  const bool same =
      at->offset == data_formula->offset && at->n_bytes == data_formula->width_bits / 8;
  const bool zero = what.kind == WRITES_ZEROS && at->offset <= data_formula->offset &&
                    at->offset + at->n_bytes >= data_formula->offset + data_formula->width_bits / 8;
  if (!zero && (what.kind != WRITES_VALUE || !same)) return TP_KLEENE_HALF;
  const tp_term value = zero ? tp_mk_bv(h->tt, data_formula->width_bits, 0) : what.value;
  if (!tp_sort_eq(tp_sort_of(h->tt, value), tp_sort_of(h->tt, data_formula->value)))
    return TP_KLEENE_HALF;
  const tp_term now =
      tp_shape_cpa_substitute(h->tt, data_formula->fact, data_formula->value, value);
  return tp_shape_cpa_query(d, kind, now);
}

/* Field f of x's cell gets what is written over it. */
static uint32_t write_field(tp_shape_draft *d, uint32_t kind, int x, uint32_t f, const place *at,
                            written what) {
  TP_REQUIRE(f < d->h->kinds[kind].c->n_fields);
  const tp_shape_cpa_kind *k = &d->h->kinds[kind];
  const uint64_t offset = k->visible.offsets[f], bytes = d->h->p->ptr_bits / 8;
  const bool whole = at->offset <= offset && at->offset + at->n_bytes >= offset + bytes,
             same = whole && at->offset == offset && at->n_bytes == bytes;
  const bool is_pointer =
      what.kind == WRITES_VALUE &&
      tp_sort_kind_of(d->h->tt, tp_sort_of(d->h->tt, what.value)) == TP_SORT_PTR;
  int y = TP_UNKNOWN_SLOT;
  if (same && is_pointer && tp_kind(d->h->tt, what.value) == TP_OP_VAR)
    y = tp_shape_cpa_slot(k, tp_program_var_of(d->h->p, what.value));
  const bool clears = (whole && what.kind == WRITES_ZEROS) ||
                      (same && is_pointer && tp_term_eq(what.value, tp_mk_null(d->h->tt)));
  if (clears)
    return tp_shape_cpa_step(d, kind, tp_heap_step(TP_HEAP_CLEAR, x, TP_UNKNOWN_SLOT, (int)f));
  return tp_shape_cpa_step(d, kind, tp_heap_step(TP_HEAP_STORE, x, y, (int)f));
}

/* Havocs the data predicates over these bytes. Some exclude each other: coerce makes one that is
 * havocked false while another one still holds, so all are havocked twice. */
static void havoc_data(tp_shape_draft *d, uint32_t kind, int x, const place *at) {
  const tp_shape_cpa_kind *k = &d->h->kinds[kind];
  for (int pass = 0; pass < 2; pass++)
    for (uint32_t i = 0; i < k->c->n_data_predicates; i++)
      if (meet(at->offset, at->n_bytes, k->visible.data[i].offset,
               k->visible.data[i].width_bits / 8))
        (void)tp_shape_cpa_step(
            d, kind, tp_shape_cpa_data_step(TP_SHAPE_STEP_ASSIGN_DATA, x, i, TP_KLEENE_HALF));
}

/* Orders compare data of cells in an unspecified way: any write beside the fields changes the
 * comparisons of the cell. */
static void havoc_order(tp_shape_draft *d, uint32_t kind, int x, const place *at) {
  const tp_shape_cpa_kind *k = &d->h->kinds[kind];
  const uint64_t bytes = d->h->p->ptr_bits / 8;
  bool is_field = k->c->n_orders == 0;
  for (uint32_t f = 0; f < k->c->n_fields; f++)
    is_field |= at->offset >= k->visible.offsets[f] &&
                at->offset + at->n_bytes <= k->visible.offsets[f] + bytes;
  if (!is_field)
    (void)tp_shape_cpa_step(d, kind,
                            tp_heap_step(TP_HEAP_SET, x, TP_UNKNOWN_SLOT, TP_UNKNOWN_SLOT));
}

/* Predicates that are false are assigned first: then no exclusion makes a true one false. */
static void write_data(tp_shape_draft *d, uint32_t kind, int x, const place *at, written what) {
  const tp_shape_cpa_kind *k = &d->h->kinds[kind];
  tp_kleene
      values[TP_CPA_SHAPE_DATA];  // before what the number may have been read from is forgotten
  for (uint32_t i = 0; i < k->c->n_data_predicates; i++) {
    const tp_data_formula *data_formula = &k->visible.data[i];
    values[i] = meet(at->offset, at->n_bytes, data_formula->offset, data_formula->width_bits / 8)
                    ? decided(d, kind, data_formula, at, what)
                    : TP_KLEENE_HALF;
  }
  havoc_data(d, kind, x, at);
  havoc_order(d, kind, x, at);
  for (int pass = 0; pass < 2; pass++)
    for (uint32_t i = 0; i < k->c->n_data_predicates; i++)
      if (values[i] == (pass ? TP_KLEENE_TRUE : TP_KLEENE_FALSE))
        (void)tp_shape_cpa_step(d, kind,
                                tp_shape_cpa_data_step(TP_SHAPE_STEP_ASSIGN_DATA, x, i, values[i]));
}

static uint32_t follow(tp_shape_draft *d, uint32_t kind, int x) {
  if (x < 0) return TP_EVENT_NIL | TP_EVENT_FREED | TP_EVENT_OUTSIDE;
  return tp_shape_cpa_step(d, kind,
                           tp_heap_step(TP_HEAP_LOAD, TP_UNKNOWN_SLOT, x, TP_UNKNOWN_SLOT));
}

static void write_kind(tp_shape_draft *d, uint32_t kind, const place *at, written what) {
  const tp_shape_cpa_kind *k = &d->h->kinds[kind];
  if (!tp_shape_cpa_may_hold(d->h, k, at->address) || is_elsewhere(d->h, at->address)) return;
  if (!at->base.id || !at->has_length) {
    tp_shape_cpa_havoc_heap(d, kind);
    return;
  }
  const int x = tp_shape_cpa_slot(k, at->base);
  uint32_t events = follow(d, kind, x);
  for (uint32_t f = 0; f < k->c->n_fields; f++)
    if (meet(at->offset, at->n_bytes, k->visible.offsets[f], d->h->p->ptr_bits / 8))
      events |= write_field(d, kind, x, f, at, what);
  write_data(d, kind, x, at, what);
  if ((events & TP_EVENT_OUTSIDE) && tp_shape_cpa_may_be_interior(d->h, at->address))
    tp_shape_cpa_havoc_heap(d, kind);
}

static bool may_be_cell(const tp_shape_cpa *h, tp_term address) {
  for (uint32_t k = 0; k < h->n; k++)
    if (tp_shape_cpa_may_hold(h, &h->kinds[k], address)) return true;
  return false;
}

static void write_place(tp_shape_draft *d, const place *at, written what) {
  if (!may_be_cell(d->h, at->address)) return;
  for (uint32_t k = 0; k < d->h->n; k++) write_kind(d, k, at, what);
  unlink_place(d, at);
}

void tp_shape_cpa_store(tp_shape_draft *d, const tp_edge_info *e) {
  TP_REQUIRE(e->kind == TP_E_STORE && tp_term_is(e->b));
  const place at = place_of(d->h, e->a, tp_sort_bytes(d->h->tt, tp_sort_of(d->h->tt, e->b)));
  write_place(d, &at, (written){WRITES_VALUE, e->b});
  if (at.base.id && !e->volatile_access && tp_kind(d->h->tt, e->b) == TP_OP_VAR)
    link_place(d, tp_program_var_of(d->h->p, e->b), &at);
}

void tp_shape_cpa_block(tp_shape_draft *d, const tp_edge_info *e) {
  TP_REQUIRE(e->kind == TP_E_COPY || e->kind == TP_E_SET || e->kind == TP_E_HAVOC_MEMORY);
  uint64_t n = 0, byte = 1;
  const bool has_length = tp_term_is(e->c) && tp_bv_value_u64(d->h->tt, e->c, &n);
  place at = place_of(d->h, e->a, n);
  at.has_length = has_length;
  if (e->kind == TP_E_HAVOC_MEMORY && !tp_term_is(e->c)) {  // whatever can be reached from there
    for (uint32_t k = 0; k < d->h->n; k++) tp_shape_cpa_havoc_heap(d, k);
    tp_shape_cpa_unlink_all(d);
    return;
  }
  const bool zeros = e->kind == TP_E_SET && tp_bv_value_u64(d->h->tt, e->b, &byte) && byte == 0;
  if (!has_length || n)
    write_place(d, &at, (written){zeros ? WRITES_ZEROS : WRITES_UNKNOWN, TP_TERM_NONE});
}

// ------------------------------------------------------------------------- reads

static int field_at(const tp_shape_cpa_kind *k, uint64_t offset) {
  for (uint32_t f = 0; f < k->c->n_fields; f++)
    if (k->visible.offsets[f] == offset) return (int)f;
  return TP_UNKNOWN_SLOT;
}

void tp_shape_cpa_load(tp_shape_draft *d, const tp_edge_info *e) {
  TP_REQUIRE(e->kind == TP_E_LOAD && e->var.id);
  const tp_shape_cpa *h = d->h;
  const tp_term var = tp_var_of(h->p, e->var)->term;
  const place at = place_of(h, e->a, tp_sort_bytes(h->tt, tp_sort_of(h->tt, var)));
  const bool is_pointer = tp_sort_kind_of(h->tt, tp_sort_of(h->tt, var)) == TP_SORT_PTR;
  for (uint32_t k = 0; k < h->n; k++) {
    const tp_shape_cpa_kind *kind = &h->kinds[k];
    const int x = tp_shape_cpa_slot(kind, e->var), y = tp_shape_cpa_slot(kind, at.base);
    const int f =
        y >= 0 && is_pointer && !e->volatile_access ? field_at(kind, at.offset) : TP_UNKNOWN_SLOT;
    if (y >= 0 && f < 0) (void)follow(d, k, y);
    if (y >= 0 && f >= 0)
      (void)tp_shape_cpa_step(d, k, tp_heap_step(TP_HEAP_LOAD, x, y, f));
    else if (x >= 0)
      (void)tp_shape_cpa_step(d, k,
                              tp_heap_step(TP_HEAP_COPY, x, TP_UNKNOWN_SLOT, TP_UNKNOWN_SLOT));
  }
  tp_shape_cpa_unlink_var(d, e->var);
  tp_shape_cpa_number_changes(d, e->var, TP_TERM_NONE);
  if (at.base.id && !e->volatile_access) link_place(d, e->var, &at);
}

// --------------------------------------------------------------- births and deaths

/* Uninitialised bytes are numbers, and a number that is read as a pointer leads to no object. */
static void new_cell(tp_shape_draft *d, uint32_t kind, int x, tp_term fill) {
  TP_REQUIRE(kind < d->h->n);
  const tp_shape_cpa_kind *k = &d->h->kinds[kind];
  uint64_t byte;
  const bool zeros = tp_term_is(fill) && tp_bv_value_u64(d->h->tt, fill, &byte) && byte == 0;
  const place at = {.n_bytes = k->visible.size_bytes, .has_length = true};
  (void)tp_shape_cpa_step(d, kind, tp_heap_step(TP_HEAP_NEW, x, TP_UNKNOWN_SLOT, TP_UNKNOWN_SLOT));
  for (uint32_t f = 0; f < k->c->n_fields && !zeros; f++)
    (void)tp_shape_cpa_step(d, kind, tp_heap_step(TP_HEAP_STORE, x, TP_OUTSIDE_SLOT, (int)f));
  if (x >= 0)
    write_data(d, kind, x, &at, (written){zeros ? WRITES_ZEROS : WRITES_UNKNOWN, TP_TERM_NONE});
}

static void alloc_kind(tp_shape_draft *d, uint32_t kind, const tp_edge_info *e) {
  const tp_shape_cpa_kind *k = &d->h->kinds[kind];
  const int x = tp_shape_cpa_slot(k, e->var);
  uint64_t size;
  const bool known = tp_bv_value_u64(d->h->tt, e->a, &size);
  const bool may = e->object_kind == TP_O_HEAP && (!known || size == k->visible.size_bytes),
             must = may && known;
  tp_graph_ids other = {0}, *set = &d->region.sets[kind];
  if (!must) tp_shape_cpa_set_copy(&other, set);
  if (may)
    new_cell(d, kind, x, e->b);
  else
    set->n = 0;
  if (!must) {
    if (x >= 0) {
      (void)tp_shape_cpa_post(d->h, k, &other,
                              tp_heap_step(TP_HEAP_COPY, x, TP_UNKNOWN_SLOT, TP_UNKNOWN_SLOT));
      (void)tp_shape_cpa_post(d->h, k, &other,
                              tp_shape_cpa_pointer_step(TP_SHAPE_STEP_NOT_NIL, x, TP_UNKNOWN_SLOT));
    }
    tp_shape_cpa_set_add(set, &other);
  }
  tp_vec_clear(&other);
}

void tp_shape_cpa_alloc(tp_shape_draft *d, const tp_edge_info *e) {
  TP_REQUIRE(e->kind == TP_E_ALLOC);
  for (uint32_t k = 0; k < d->h->n; k++) alloc_kind(d, k, e);
  tp_shape_cpa_unlink_var(d, e->var);
}

/* The data of a freed cell has no value. */
static void free_kind(tp_shape_draft *d, uint32_t kind, const tp_edge_info *e) {
  const tp_shape_cpa_kind *k = &d->h->kinds[kind];
  if (!tp_shape_cpa_may_hold(d->h, k, e->a) || is_elsewhere(d->h, e->a)) return;
  const int x = tp_kind(d->h->tt, e->a) == TP_OP_VAR
                    ? tp_shape_cpa_slot(k, tp_program_var_of(d->h->p, e->a))
                    : TP_UNKNOWN_SLOT;
  tp_graph_ids null = {0};
  if (x >= 0) {
    tp_shape_cpa_set_copy(&null, &d->region.sets[kind]);
    (void)tp_shape_cpa_post(d->h, k, &null,
                            tp_shape_cpa_pointer_step(TP_SHAPE_STEP_IS_NIL, x, TP_UNKNOWN_SLOT));
    (void)tp_shape_cpa_step(d, kind,
                            tp_shape_cpa_pointer_step(TP_SHAPE_STEP_NOT_NIL, x, TP_UNKNOWN_SLOT));
  }
  const place whole = {.n_bytes = k->visible.size_bytes, .has_length = true};
  havoc_data(d, kind, x, &whole);
  havoc_order(d, kind, x, &whole);
  (void)tp_shape_cpa_step(d, kind, tp_heap_step(TP_HEAP_FREE, x, TP_UNKNOWN_SLOT, TP_UNKNOWN_SLOT));
  tp_shape_cpa_set_add(&d->region.sets[kind], &null);
  tp_vec_clear(&null);
}

void tp_shape_cpa_free(tp_shape_draft *d, const tp_edge_info *e) {
  TP_REQUIRE(e->kind == TP_E_FREE);
  for (uint32_t k = 0; k < d->h->n; k++) free_kind(d, k, e);
  tp_shape_cpa_unlink_all(d);
}
