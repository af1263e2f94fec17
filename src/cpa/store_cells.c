/* The cells of one object.
 *
 * A cell is (offset, sort). An element has entries for some; two entries may share bytes (both
 * facts hold then), and a write removes every entry that shares bytes with what it writes. An
 * object may have an *image*: then a cell that shares no byte with an entry has the value that the
 * image gives it, so nothing is spent on objects that are only read. In such an object the entries
 * together cover all bytes that were ever written; an entry whose value is not known any more says
 * LOST.
 *
 * Cells are named once per analysis and found by buckets of 16 bytes, the size of the largest cell.
 * The name of a cell that an image answered for tells the formula of an element which part of the
 * image was used. */
#include "cpa/store_priv.h"

#include "cpa/cpa_limits.h"

enum { BUCKET = 16 };

// ----------------------------------------------------------------------- fates

static bool same_object_info(const tp_store_object *a, const tp_store_object *b) {
  return a->size.id == b->size.id && a->kind == b->kind && a->life == b->life &&
         a->image == b->image && a->image_of == b->image_of && a->fill == b->fill;
}

const tp_store_object *tp_store_object_at(const tp_store *st, uint64_t number) {
  TP_REQUIRE(number > 0 && number < st->object_infos.n);
  return &st->object_infos.at[number];
}

void tp_store_set_object(tp_store *st, tp_elem *e, tp_object_name o, tp_store_object f) {
  TP_REQUIRE(o.id && o.id < st->n_statics + st->p->vars.n);
  TP_REQUIRE((f.image == TP_IMAGE_STATIC) == (f.image_of != 0));
  uint64_t h = tp_hash_mix(
               tp_hash_mix(f.size.id, (uint64_t)f.kind << 16 | (uint64_t)f.life << 8 | f.fill),
               (uint64_t)f.image << 32 | f.image_of),
           n;
  while (tp_map_get(&st->object_index, h, &n) && !same_object_info(&st->object_infos.at[n], &f))
    h++;
  if (!tp_map_get(&st->object_index, h, &n)) {
    n = st->object_infos.n;
    tp_map_set(&st->object_index, h, n);
    tp_vec_push(&st->object_infos, f);
  }
  if (tp_pmap_get(&e->objects, o.id) != n) tp_pmap_set(&e->objects, o.id, n);
}

bool tp_store_object_info(const tp_store *st, const tp_elem *e, tp_object_name o,
                          tp_store_object *out) {
  uint64_t number = tp_pmap_get(&e->objects, o.id);
  if (o.id == 0 || (tp_store_is_dynamic(st, o) && !number)) return false;
  if (number) *out = st->object_infos.at[number];
  if (tp_store_is_dynamic(st, o)) return true;
  const tp_static *s = &st->p->statics.at[o.id];
  bool has_image = !s->is_extern && s->kind != TP_O_FUNCTION && (number || s->is_const);
  *out = (tp_store_object){.size = tp_store_offset(st, s->size_bytes),
                           .kind = s->kind,
                           .life = TP_LIFE_ON,
                           .image = has_image ? TP_IMAGE_STATIC : TP_IMAGE_NONE,
                           .image_of = o.id};
  return true;
}

/* Constants and functions: a run that would write there ends. */
static bool is_fixed(const tp_store *st, tp_object_name o) {
  return !tp_store_is_dynamic(st, o) && (o.id == 0 || st->p->statics.at[o.id].is_const ||
                                         st->p->statics.at[o.id].kind == TP_O_FUNCTION);
}

static bool has_image(const tp_store *st, const tp_elem *e, tp_object_name o) {
  tp_store_object f;
  return tp_store_object_info(st, e, o, &f) && f.image != TP_IMAGE_NONE;
}

// ----------------------------------------------------------------------- names

bool tp_store_is_cell_sort(const tp_store *st, tp_sort s) {
  return tp_term_is(tp_cell(st->p, s, tp_mk_null(st->tt)));
}

static uint64_t bucket_key(tp_object_name o, uint64_t bucket) { return tp_hash_mix(o.id, bucket); }

uint32_t tp_store_cell_id(tp_store *st, tp_object_name o, uint64_t offset, tp_sort s) {
  TP_REQUIRE(o.id && tp_store_is_cell_sort(st, s));
  uint64_t key = bucket_key(o, offset / BUCKET), first = 0;
  (void)tp_map_get(&st->cell_buckets, key, &first);
  for (uint32_t c = (uint32_t)first; c; c = st->cells.at[c].next) {
    const tp_store_cell *x = &st->cells.at[c];
    if (x->object.id == o.id && x->offset == offset && tp_sort_eq(x->sort, s)) return c;
  }
  tp_vec_push(&st->cells, (tp_store_cell){o, offset, s, tp_sort_bytes(st->tt, s), (uint32_t)first});
  tp_map_set(&st->cell_buckets, key, st->cells.n - 1);
  TP_INVARIANT(tp_vec_last(&st->cells).size <= BUCKET);  // a range is in its bucket or the next
  return (uint32_t)st->cells.n - 1;
}

tp_term tp_store_cell_term(tp_store *st, uint32_t cell) {
  TP_REQUIRE(cell > 0 && cell < st->cells.n);
  const tp_store_cell *c = &st->cells.at[cell];
  tp_term at;
  if (tp_store_is_dynamic(st, c->object))
    at = tp_mk_ptr_add(st->tt, tp_var_of(st->p, tp_store_naming_var(st, c->object))->term,
                       tp_mk_bv(st->tt, st->p->ptr_bits, c->offset));
  else
    at = tp_mk_ptr_const(st->tt, c->object.id, c->offset);
  return tp_cell(st->p, c->sort, at);
}

// --------------------------------------------------------------------- overlap

/* Calls visit for every entry of e in the object that shares a byte with [offset, offset + n).
 * visit may change that entry. */
typedef void (*visit_cell)(void *ctx, uint32_t cell);

static bool touches(const tp_store_cell *c, tp_object_name o, uint64_t offset, uint64_t n) {
  return c->object.id == o.id && c->offset < offset + n && offset < c->offset + c->size;
}

static void each_in_range(tp_store *st, const tp_elem *e, tp_object_name o, uint64_t offset,
                          uint64_t n, visit_cell visit, void *ctx) {
  if (!e->cells.root || n == 0) return;
  if (n > TP_CPA_STORE_WIDE_BYTES || offset + n < offset) {
    if (offset + n < offset) offset = 0, n = UINT64_MAX;
    for (uint64_t c = 0, v; tp_pmap_next(&e->cells, c, &c, &v); c++)
      if (touches(&st->cells.at[c], o, offset, n)) visit(ctx, (uint32_t)c);
    return;
  }
  uint64_t first = offset / BUCKET, last = (offset + n - 1) / BUCKET;
  for (uint64_t b = first ? first - 1 : 0; b <= last; b++) {
    uint64_t c = 0;
    (void)tp_map_get(&st->cell_buckets, bucket_key(o, b), &c);
    for (; c; c = st->cells.at[c].next)
      if (st->cells.at[c].offset / BUCKET == b && touches(&st->cells.at[c], o, offset, n) &&
          tp_pmap_get(&e->cells, c))
        visit(ctx, (uint32_t)c);
  }
}

static void count(void *ctx, uint32_t cell) { (void)cell, ++*(size_t *)ctx; }

// ---------------------------------------------------------------------- images

/* n bytes of the static at offset, little endian; false: out of bounds, or a pointer is among them.
 */
static bool image_bytes(const tp_store *st, uint32_t object, uint64_t offset, uint32_t n,
                        tp_u128 *out) {
  TP_REQUIRE(object > 0 && object <= st->n_statics && n <= 16);
  const tp_static *s = &st->p->statics.at[object];
  if (offset > s->size_bytes || n > s->size_bytes - offset) return false;
  for (uint32_t i = 0; i < s->n_relocs; i++) {
    uint64_t at = s->relocs[i].offset;
    if (at < offset + n && offset < at + st->p->ptr_bits / 8) return false;
  }
  *out = 0;
  for (uint32_t i = 0; s->image && i < n; i++) *out |= (tp_u128)s->image[offset + i] << (8 * i);
  return true;
}

static tp_absval value_of_bits(tp_store *st, tp_sort s, tp_u128 bits) {
  uint32_t width = tp_sort_width(st->tt, s);
  switch (tp_sort_kind_of(st->tt, s)) {
    case TP_SORT_BOOL: return tp_store_truth(bits & 1);
    case TP_SORT_BV: return tp_store_value_of_const(st, tp_mk_bv(st->tt, width, bits));
    case TP_SORT_FP: return tp_store_value_of_const(st, tp_mk_fp(st->tt, width, (uint64_t)bits));
    case TP_SORT_PTR:
      return tp_store_value_of_const(st, tp_mk_ptr_const(st->tt, 0, (uint64_t)bits));
    case TP_SORT_ARRAY:
    case TP_SORT_INT: break;
  }
  return TP_ABSVAL_TOP;
}

static tp_absval image_pointer(tp_store *st, uint32_t object, uint64_t offset) {
  const tp_static *s = &st->p->statics.at[object];
  for (uint32_t i = 0; i < s->n_relocs; i++)
    if (s->relocs[i].offset == offset)
      return tp_store_value_of_const(
          st, tp_mk_ptr_const(st->tt, s->relocs[i].object, s->relocs[i].addend));
  return TP_ABSVAL_TOP;
}

static tp_absval image_value(tp_store *st, const tp_store_object *f, const tp_store_cell *c) {
  tp_u128 bits = 0;
  tp_range size;
  bool is_inside = tp_store_value_range(st, st->offset_sort, f->size, &size) &&
                   c->size <= size.umin && c->offset <= size.umin - c->size;
  if (!is_inside) return TP_ABSVAL_TOP;
  if (f->image == TP_IMAGE_FILLED) {
    for (uint32_t i = 0; i < c->size; i++) bits |= (tp_u128)f->fill << (8 * i);
  } else if (!image_bytes(st, f->image_of, c->offset, c->size, &bits)) {
    return tp_sort_kind_of(st->tt, c->sort) == TP_SORT_PTR
               ? image_pointer(st, f->image_of, c->offset)
               : TP_ABSVAL_TOP;
  }
  return value_of_bits(st, c->sort, bits);
}

// -------------------------------------------------------------- read and write

tp_absval tp_store_cell_value(tp_store *st, const tp_elem *e, uint32_t cell) {
  TP_REQUIRE(cell > 0 && cell < st->cells.n);
  tp_absval v = {tp_pmap_get(&e->cells, cell)};
  if (v.id) return tp_absval_eq(v, TP_STORE_CELL_TOP) ? TP_ABSVAL_TOP : v;
  const tp_store_cell c = st->cells.at[cell];
  tp_store_object f;
  if (!tp_store_object_info(st, e, c.object, &f) || f.image == TP_IMAGE_NONE ||
      f.life != TP_LIFE_ON)
    return TP_ABSVAL_TOP;
  size_t n_entries = 0;
  each_in_range(st, e, c.object, c.offset, c.size, count, &n_entries);
  return n_entries ? TP_ABSVAL_TOP : image_value(st, &f, &c);
}

void tp_store_cell_set(tp_store *st, tp_elem *e, uint32_t cell, tp_absval v) {
  TP_REQUIRE(cell > 0 && cell < st->cells.n);
  if (v.id == 0 && has_image(st, e, st->cells.at[cell].object)) v = TP_STORE_CELL_TOP;
  if (tp_pmap_get(&e->cells, cell) == v.id) return;
  tp_pmap_set(&e->cells, cell, v.id);
}

typedef struct {
  tp_store *st;
  tp_elem *e;
  uint64_t offset, n;  // what is overwritten
  bool replaced;       // by an entry that covers all of it
} overwriting;

/* In an object with an image an entry that is not covered by a new one must stay, as LOST. */
static void overwrite(void *ctx, uint32_t cell) {
  overwriting *o = ctx;
  const tp_store_cell *c = &o->st->cells.at[cell];
  bool is_inside = c->offset >= o->offset && c->offset + c->size <= o->offset + o->n;
  tp_store_cell_changed(o->st, o->e, cell);
  if (o->replaced && is_inside)
    tp_pmap_set(&o->e->cells, cell, 0);
  else
    tp_store_cell_set(o->st, o->e, cell, TP_ABSVAL_TOP);
}

/* Copies of cells that have no entry end too: they are known by name only, so all that the buckets
 * list are told. */
static void end_copies(tp_store *st, tp_elem *e, tp_object_name o, uint64_t offset, uint64_t n) {
  if (!e->copies.root) return;
  if (n > TP_CPA_STORE_WIDE_BYTES || offset + n < offset) {
    tp_store_drop_copies(e);
    return;
  }
  uint64_t first = offset / BUCKET, last = (offset + n - 1) / BUCKET;
  for (uint64_t b = first ? first - 1 : 0; b <= last; b++) {
    uint64_t c = 0;
    (void)tp_map_get(&st->cell_buckets, bucket_key(o, b), &c);
    for (; c; c = st->cells.at[c].next)
      if (touches(&st->cells.at[c], o, offset, n)) tp_store_cell_changed(st, e, (uint32_t)c);
  }
}

void tp_store_cell_write(tp_store *st, tp_elem *e, uint32_t cell, tp_absval v) {
  const tp_store_cell c = st->cells.at[cell];
  overwriting o = {st, e, c.offset, c.size, true};
  end_copies(st, e, c.object, c.offset, c.size);
  each_in_range(st, e, c.object, c.offset, c.size, overwrite, &o);
  TP_INVARIANT(!tp_pmap_get(&e->cells, cell));  // the cell itself was overwritten, too
  tp_store_cell_set(st, e, cell, v);
}

void tp_store_havoc_range(tp_store *st, tp_elem *e, tp_object_name o, uint64_t offset, uint64_t n) {
  if (n == 0 || is_fixed(st, o)) return;
  end_copies(st, e, o, offset, n);
  if (has_image(st, e, o) && (n > TP_CPA_STORE_LOST_BYTES || offset + n < offset))
    tp_store_drop_image(st, e, o);
  overwriting w = {st, e, offset, n, false};
  if (has_image(st, e, o)) {
    w.replaced = true;
    each_in_range(st, e, o, offset, n, overwrite, &w);
    for (uint64_t i = 0; i < n; i++) {
      uint32_t byte = tp_store_cell_id(st, o, offset + i, tp_sort_bv(st->tt, 8));
      tp_store_cell_set(st, e, byte, TP_ABSVAL_TOP);
    }
  } else {
    each_in_range(st, e, o, offset, n, overwrite, &w);
  }
}

void tp_store_drop_image(tp_store *st, tp_elem *e, tp_object_name o) {
  tp_store_object f;
  if (is_fixed(st, o) || !tp_store_object_info(st, e, o, &f) || f.image == TP_IMAGE_NONE) return;
  f.image = TP_IMAGE_NONE;
  f.image_of = 0;
  f.fill = 0;
  if (tp_store_is_dynamic(st, o))
    tp_store_set_object(st, e, o, f);
  else
    tp_pmap_set(&e->objects, o.id, 0);
  for (uint64_t c = 0, v; tp_pmap_next(&e->cells, c, &c, &v); c++)
    if (st->cells.at[c].object.id == o.id && v == TP_STORE_CELL_TOP.id)
      tp_pmap_set(&e->cells, c, 0);
}

void tp_store_havoc_cells(tp_store *st, tp_elem *e, tp_object_name o) {
  if (is_fixed(st, o)) return;
  tp_store_drop_image(st, e, o);
  if (e->copies.root) tp_store_drop_copies(e);
  for (uint64_t c = 0, v; tp_pmap_next(&e->cells, c, &c, &v); c++)
    if (st->cells.at[c].object.id == o.id) tp_pmap_set(&e->cells, c, 0);
}
