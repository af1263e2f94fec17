/* Contents: cells at constant offsets, and the choice between cells and arrays.
 *
 * A symbolic offset is first tried against the cells: its possible values (formula/value_sets.h)
 * inside the object are enumerated, and reading becomes a chain of conditionals, writing a
 * conditional write to each candidate. That keeps values typed and pointers known. Only when there
 * are more than TP_FORMULA_OFFSET_CANDIDATES the object becomes an array. */
#include "formula/content_priv.h"

#include "formula/formula_limits.h"

// ------------------------------------------------------------------ ownership

static void retain(uint64_t value) { tp_content_of(value)->refs++; }

static void release(uint64_t value) {
  tp_content *c = tp_content_of(value);
  if (--c->refs) return;
  tp_pmap_clear(&c->cells);
  tp_free(c);
}

const tp_pmap_ops tp_content_ops = {retain, release};

tp_content *tp_content_new(uint32_t object, uint32_t background, tp_term live) {
  tp_content *c = TP_NEW(tp_content);
  c->refs = 1;
  c->object = object;
  c->background = background;
  c->live = live;
  return c;
}

tp_content *tp_content_own(tp_content *c) {
  TP_REQUIRE(c && c->refs > 0);
  if (c->refs == 1) return c;
  tp_content *own = TP_NEW(tp_content);
  *own = *c;
  own->refs = 1;
  own->cells = tp_pmap_copy(&c->cells);
  c->refs--;
  return own;
}

// --------------------------------------------------------------------- values

tp_term tp_value_to_bits(tp_symex *x, tp_term v) {
  tp_terms *tt = x->tt;
  tp_sort s = tp_sort_of(tt, v);
  switch (tp_sort_kind_of(tt, s)) {
    case TP_SORT_BOOL: return tp_mk_bool_to_bv(tt, 8, v);
    case TP_SORT_PTR: return tp_mk1(tt, TP_OP_PTR_TO_INT, v);
    case TP_SORT_FP: return tp_mk1(tt, TP_OP_FP_TO_BITS, v);
    case TP_SORT_BV: return tp_mk_zext(tt, 8 * tp_sort_bytes(tt, s), v);
    case TP_SORT_ARRAY:
    case TP_SORT_INT: break;
  }
  return v;
}

/* Integers become pointers leaf by leaf, so that a conditional between stored addresses stays one
 * between objects. */
static tp_term int_to_ptr(tp_symex *x, tp_term bits) {
  tp_terms *tt = x->tt;
  if (tp_kind(tt, bits) == TP_OP_ITE) {
    tp_term a = tp_mk1(tt, TP_OP_INT_TO_PTR, tp_arg(tt, bits, 1)),
            b = tp_mk1(tt, TP_OP_INT_TO_PTR, tp_arg(tt, bits, 2));
    return tp_mk_ite(tt, tp_arg(tt, bits, 0), a, b);
  }
  return tp_mk1(tt, TP_OP_INT_TO_PTR, bits);
}

tp_term tp_value_of_bits(tp_symex *x, tp_sort sort, tp_term bits) {
  TP_REQUIRE(tp_sort_kind_of(x->tt, tp_sort_of(x->tt, bits)) == TP_SORT_BV);
  tp_terms *tt = x->tt;
  switch (tp_sort_kind_of(tt, sort)) {
    case TP_SORT_BOOL: return tp_mk_eq(tt, tp_mk_extract(tt, 0, 0, bits), tp_mk_bv(tt, 1, 1));
    case TP_SORT_PTR: return int_to_ptr(x, bits);
    case TP_SORT_FP: return tp_mk1(tt, TP_OP_FP_OF_BITS, bits);
    case TP_SORT_BV: return tp_mk_trunc(tt, tp_sort_width(tt, sort), bits);
    case TP_SORT_ARRAY:
    case TP_SORT_INT: break;
  }
  return bits;
}

static tp_term convert(tp_symex *x, tp_term v, tp_sort sort) {
  if (tp_sort_eq(tp_sort_of(x->tt, v), sort)) return v;
  return tp_value_of_bits(x, sort, tp_value_to_bits(x, v));
}

static uint32_t bytes_of(const tp_symex *x, tp_term v) {
  return tp_sort_bytes(x->tt, tp_sort_of(x->tt, v));
}

// ---------------------------------------------------------------------- cells

static tp_term cell_at(const tp_content *c, uint64_t offset) {
  return (tp_term){(uint32_t)tp_pmap_get(&c->cells, offset)};
}

/* The first cell that reaches past `offset`; without one, start is UINT64_MAX. */
static bool cell_from(const tp_symex *x, const tp_content *c, uint64_t offset, uint64_t *start,
                      tp_term *v) {
  uint64_t from = offset >= TP_CELL_MAX_BYTES - 1 ? offset - (TP_CELL_MAX_BYTES - 1) : 0, key,
           value;
  while (tp_pmap_next(&c->cells, from, &key, &value)) {
    *start = key;
    *v = (tp_term){(uint32_t)value};
    if (key + bytes_of(x, *v) > offset) return true;
    from = key + 1;
  }
  *start = UINT64_MAX;
  return false;
}

tp_term tp_cells_bits(tp_symex *x, const tp_content *c, uint64_t offset, uint32_t n) {
  TP_REQUIRE(n >= 1 && n <= TP_CELL_MAX_BYTES && !tp_term_is(c->array));
  tp_term bits = TP_TERM_NONE;
  for (uint64_t at = offset, end = offset + n; at < end;) {
    uint64_t start, run;
    tp_term v, part;
    bool found = cell_from(x, c, at, &start, &v);
    if (found && start <= at) {
      uint64_t cell_end = start + bytes_of(x, v), k = at - start;
      run = (cell_end < end ? cell_end : end) - at;
      part = tp_mk_extract(x->tt, (uint32_t)(8 * (k + run) - 1), (uint32_t)(8 * k),
                           tp_value_to_bits(x, v));
    } else {
      run = (found && start < end ? start : end) - at;
      part = tp_background_bits(x, c->background, at, (uint32_t)run);
    }
    bits = tp_concat_above(x, part, bits);
    at += run;
  }
  return bits;
}

tp_term tp_cells_read(tp_symex *x, const tp_content *c, uint64_t offset, tp_sort sort) {
  TP_REQUIRE(!tp_term_is(c->array));
  tp_term v = cell_at(c, offset);
  uint32_t n = tp_sort_bytes(x->tt, sort);
  if (tp_term_is(v) && bytes_of(x, v) == n) return convert(x, v, sort);
  uint64_t start;
  if (!cell_from(x, c, offset, &start, &v) || start >= offset + n)
    return tp_background_value(x, c->background, offset, sort);
  return tp_value_of_bits(x, sort, tp_cells_bits(x, c, offset, n));
}

/* Take [offset, offset + n) out of the cells; what sticks out stays as cells of bits. */
static void cut_out(tp_symex *x, tp_content *c, uint64_t offset, uint32_t n) {
  uint64_t start, end = offset + n;
  tp_term v;
  while (cell_from(x, c, offset, &start, &v) && start < end) {
    uint64_t cell_end = start + bytes_of(x, v);
    tp_term bits = tp_value_to_bits(x, v);
    tp_pmap_set(&c->cells, start, 0);
    if (start < offset)
      tp_pmap_set(&c->cells, start,
                  tp_mk_extract(x->tt, (uint32_t)(8 * (offset - start) - 1), 0, bits).id);
    if (cell_end > end)
      tp_pmap_set(&c->cells, end,
                  tp_mk_extract(x->tt, (uint32_t)(8 * (cell_end - start) - 1),
                                (uint32_t)(8 * (end - start)), bits)
                      .id);
  }
}

void tp_cells_write(tp_symex *x, tp_content *c, uint64_t offset, tp_term value) {
  TP_REQUIRE(c->refs == 1 && !tp_term_is(c->array));
  tp_term old = cell_at(c, offset);
  if (tp_term_eq(old, value)) return;
  if (!tp_term_is(old) || bytes_of(x, old) != bytes_of(x, value))
    cut_out(x, c, offset, bytes_of(x, value));
  tp_pmap_set(&c->cells, offset, value.id);
}

// ----------------------------------------------------------- symbolic offsets

/* first, first + stride, ... up to end, as far as they are at most last. */
static bool add_candidates(uint64_t first, uint64_t end, uint64_t stride, uint64_t last,
                           uint64_t *out, uint32_t *count) {
  if (end > last) end = last;
  for (uint64_t at = first; at <= end; at += stride) {
    if (*count == TP_FORMULA_OFFSET_CANDIDATES) return false;
    out[(*count)++] = at;
    if (stride > end - at) break;
  }
  return true;
}

/* Offsets in the object that `offset` can have for an access of n bytes. False: too many or
 * unbounded. */
static bool candidates(tp_symex *x, const tp_content *c, tp_term offset, uint32_t n, uint64_t *out,
                       uint32_t *count) {
  const tp_instance *o = &x->instances.at[c->object];
  *count = 0;
  if (!o->has_const_size) return false;
  if (o->size_bytes < n) return true;
  const tp_value_set *v = tp_value_set_of(&x->values, offset);
  uint64_t last = o->size_bytes - n, top = x->p->ptr_bits == 64 ? UINT64_MAX : UINT32_MAX,
           before_wrap = top - v->lo;
  for (uint32_t i = 0; i < v->n; i++)
    if (v->at[i] <= last) out[(*count)++] = v->at[i];
  if (v->n) return true;
  if (v->span <= before_wrap)
    return add_candidates(v->lo, v->lo + v->span, v->stride, last, out, count);
  // The progression passes 2^width: what comes behind starts somewhere in the first stride.
  uint64_t behind = v->stride - 1 - before_wrap % v->stride;
  return add_candidates(v->lo, top, v->stride, last, out, count) &&
         add_candidates(behind, v->span - before_wrap - 1, v->stride, last, out, count);
}

static tp_sort_kind element_kind(const tp_symex *x, tp_sort s) {
  return tp_sort_kind_of(x->tt, s) == TP_SORT_PTR ? TP_SORT_PTR : TP_SORT_BV;
}

/* Word size for an object first met by an access of this sort. */
static uint32_t word_for(const tp_symex *x, tp_sort s) {
  uint32_t n = tp_sort_bytes(x->tt, s);
  return n == 1 || n == 2 || n == 4 || n == 8 ? n : n == 16 ? 8 : 1;
}

tp_term tp_content_read(tp_symex *x, tp_content *c, tp_term offset, tp_sort sort) {
  TP_REQUIRE(c && tp_width(x->tt, offset) == x->p->ptr_bits);
  uint64_t at, all[TP_FORMULA_OFFSET_CANDIDATES];
  uint32_t n;
  if (tp_term_is(c->array)) return tp_array_read(x, c, offset, sort);
  if (tp_bv_value_u64(x->tt, offset, &at)) return tp_cells_read(x, c, at, sort);
  if (!candidates(x, c, offset, tp_sort_bytes(x->tt, sort), all, &n)) {
    tp_content_to_array(x, c, word_for(x, sort), element_kind(x, sort));
    return tp_array_read(x, c, offset, sort);
  }
  tp_term v = TP_TERM_NONE;
  for (uint32_t i = n; i-- > 0;) {
    tp_term here = tp_cells_read(x, c, all[i], sort);
    v = tp_term_is(v)
            ? tp_mk_ite(x->tt, tp_mk_eq(x->tt, offset, tp_offset_const(x, all[i])), here, v)
            : here;
  }
  return tp_term_is(v)
             ? v
             : tp_value_of_bits(
                   x, sort, tp_mk_bv(x->tt, 8 * tp_sort_bytes(x->tt, sort), 0));  // never in bounds
}

static void write_array(tp_symex *x, tp_content *c, tp_term offset, tp_term value,
                        tp_term condition) {
  if (!tp_is_true(x->tt, condition))
    value =
        tp_mk_ite(x->tt, condition, value, tp_array_read(x, c, offset, tp_sort_of(x->tt, value)));
  tp_array_write(x, c, offset, value);
}

static void write_cell(tp_symex *x, tp_content *c, uint64_t at, tp_term value, tp_term condition) {
  if (tp_is_false(x->tt, condition)) return;
  if (!tp_is_true(x->tt, condition))
    value = tp_mk_ite(x->tt, condition, value, tp_cells_read(x, c, at, tp_sort_of(x->tt, value)));
  tp_cells_write(x, c, at, value);
}

void tp_content_write(tp_symex *x, tp_content *c, tp_term offset, tp_term value,
                      tp_term condition) {
  TP_REQUIRE(c->refs == 1 && tp_width(x->tt, offset) == x->p->ptr_bits);
  TP_REQUIRE(tp_sort_kind_of(x->tt, tp_sort_of(x->tt, condition)) == TP_SORT_BOOL);
  uint64_t at, all[TP_FORMULA_OFFSET_CANDIDATES];
  uint32_t n;
  tp_sort sort = tp_sort_of(x->tt, value);
  if (!tp_term_is(c->array) && tp_bv_value_u64(x->tt, offset, &at)) {
    write_cell(x, c, at, value, condition);
    return;
  }
  if (tp_term_is(c->array) || !candidates(x, c, offset, bytes_of(x, value), all, &n)) {
    if (!tp_term_is(c->array)) tp_content_to_array(x, c, word_for(x, sort), element_kind(x, sort));
    write_array(x, c, offset, value, condition);
    return;
  }
  // Overlapping candidates are fine: at most one condition holds, and each write reads what the
  // ones before left.
  for (uint32_t i = 0; i < n; i++) {
    tp_term here = tp_mk_and(x->tt, condition, tp_mk_eq(x->tt, offset, tp_offset_const(x, all[i])));
    write_cell(x, c, all[i], value, here);
  }
}

// ---------------------------------------------------------------------- joins

typedef struct {
  tp_symex *x;
  tp_term selector;
  const tp_content *a, *b;
  tp_content *out;
} joiner;

/* A cell differs. Written in the sort of the side that has it, pointers preferred. */
static void join_cell(void *ctx, uint64_t offset, uint64_t in_a, uint64_t in_b) {
  joiner *j = ctx;
  tp_terms *tt = j->x->tt;
  tp_term va = {(uint32_t)in_a}, vb = {(uint32_t)in_b};
  tp_sort sort = tp_sort_of(tt, tp_term_is(va) ? va : vb);
  if (tp_term_is(va) && tp_term_is(vb) && bytes_of(j->x, va) == bytes_of(j->x, vb) &&
      tp_sort_kind_of(tt, tp_sort_of(tt, vb)) == TP_SORT_PTR)
    sort = tp_sort_of(tt, vb);
  tp_term x = tp_cells_read(j->x, j->a, offset, sort), y = tp_cells_read(j->x, j->b, offset, sort);
  tp_cells_write(j->x, j->out, offset, tp_mk_ite(tt, j->selector, x, y));
  if (!tp_term_is(va) || !tp_term_is(vb) || bytes_of(j->x, va) == bytes_of(j->x, vb)) return;
  sort = tp_sort_of(tt, vb);  // different sizes: also the bytes that only the other one covers
  x = tp_cells_read(j->x, j->a, offset, sort), y = tp_cells_read(j->x, j->b, offset, sort);
  tp_cells_write(j->x, j->out, offset, tp_mk_ite(tt, j->selector, x, y));
}

/* An array that is one store over the other side's becomes one conditional store, so that reads
 * still look through. */
static tp_term join_arrays(tp_symex *x, tp_term selector, tp_term a, tp_term b) {
  tp_terms *tt = x->tt;
  if (tp_term_eq(a, b)) return a;
  if (tp_kind(tt, a) == TP_OP_STORE && tp_term_eq(tp_arg(tt, a, 0), b)) {
    tp_term i = tp_arg(tt, a, 1), old = tp_mk2(tt, TP_OP_SELECT, b, i);
    return tp_mk3(tt, TP_OP_STORE, b, i, tp_mk_ite(tt, selector, tp_arg(tt, a, 2), old));
  }
  if (tp_kind(tt, b) == TP_OP_STORE && tp_term_eq(tp_arg(tt, b, 0), a))
    return join_arrays(x, tp_mk_not(tt, selector), b, a);
  return tp_mk_ite(tt, selector, a, b);
}

static tp_content *as_array(tp_symex *x, const tp_content *c, uint32_t word, tp_sort_kind element) {
  tp_content *own = tp_content_new(c->object, c->background, c->live);
  own->cells = tp_pmap_copy(&c->cells);
  own->array = c->array;
  own->word = c->word;
  if (!tp_term_is(own->array)) tp_content_to_array(x, own, word, element);
  return own;
}

static tp_content *join_as_arrays(tp_symex *x, tp_term selector, const tp_content *a,
                                  const tp_content *b) {
  const tp_content *shape = tp_term_is(a->array) ? a : b;
  uint32_t word = tp_term_is(shape->array) ? shape->word : 8;
  tp_sort_kind element = TP_SORT_BV;
  if (tp_term_is(shape->array))
    element = tp_sort_kind_of(x->tt, tp_sort_element(x->tt, tp_sort_of(x->tt, shape->array)));
  tp_content *ca = as_array(x, a, word, element), *cb = as_array(x, b, word, element);
  if (tp_sort_eq(tp_sort_of(x->tt, ca->array), tp_sort_of(x->tt, cb->array))) {
    ca->array = join_arrays(x, selector, ca->array, cb->array);
    release((uint64_t)(uintptr_t)cb);
    return ca;
  }
  release((uint64_t)(uintptr_t)ca);
  release((uint64_t)(uintptr_t)cb);
  return NULL;
}

/* Different backgrounds (one side was filled as a whole): spell one side out over the other's. */
static tp_content *spell_out(tp_symex *x, const tp_content *from, uint32_t background) {
  tp_content *c = tp_content_new(from->object, background, from->live);
  uint64_t size = x->instances.at[from->object].size_bytes, bytes;
  for (uint64_t at = 0; at < size; at += bytes) {
    tp_sort sort = tp_content_piece(x, from, at, size - at, &bytes);
    tp_cells_write(x, c, at, tp_cells_read(x, from, at, sort));
  }
  return c;
}

static tp_content *join_cells(tp_symex *x, tp_term selector, const tp_content *a,
                              const tp_content *b) {
  tp_content *out = tp_content_new(a->object, a->background, a->live);
  out->cells = tp_pmap_copy(&a->cells);
  joiner j = {x, selector, a, b, out};
  tp_pmap_diff(&a->cells, &b->cells, join_cell, &j);
  return out;
}

tp_content *tp_content_join(tp_symex *x, tp_term selector, const tp_content *a,
                            const tp_content *b) {
  TP_REQUIRE(tp_sort_kind_of(x->tt, tp_sort_of(x->tt, selector)) == TP_SORT_BOOL);
  TP_REQUIRE(a->object == b->object);
  const tp_instance *o = &x->instances.at[a->object];
  tp_content *out = NULL;
  if (tp_term_is(a->array) || tp_term_is(b->array)) {
    out = join_as_arrays(x, selector, a, b);
  } else if (a->background == b->background) {
    out = join_cells(x, selector, a, b);
  } else if (o->has_const_size && o->size_bytes <= TP_FORMULA_JOINED_BYTES) {
    tp_content *same = spell_out(x, b, a->background);
    out = join_cells(x, selector, a, same);
    release((uint64_t)(uintptr_t)same);
  } else {
    out = join_as_arrays(x, selector, a, b);
  }
  if (out) out->live = tp_mk_ite(x->tt, selector, a->live, b->live);
  return out;
}

// --------------------------------------------------------------- whole objects

void tp_content_fill(tp_symex *x, tp_content *c, tp_term byte) {
  TP_REQUIRE(c->refs == 1 && tp_width(x->tt, byte) == 8);
  tp_pmap_clear(&c->cells);
  c->array = TP_TERM_NONE;
  c->word = 0;
  c->background = tp_background_fill(x, byte);
}

tp_sort tp_content_piece(tp_symex *x, const tp_content *c, uint64_t offset, uint64_t n,
                         uint64_t *bytes) {
  TP_REQUIRE(n > 0 && bytes);
  tp_term v = TP_TERM_NONE;
  uint64_t start = offset + n, limit = n;
  if (!tp_term_is(c->array)) {
    v = cell_at(c, offset);
    if (tp_term_is(v) && bytes_of(x, v) <= n) {
      *bytes = bytes_of(x, v);
      return tp_sort_of(x->tt, v);
    }
    if (tp_pmap_next(&c->cells, offset + 1, &start, &(uint64_t){0}) && start - offset < limit &&
        !tp_term_is(v))
      limit = start - offset;
  }
  uint32_t word = tp_term_is(c->array) ? c->word : 8;
  while (word > limit || offset % word) word /= 2;
  *bytes = word;
  if (tp_term_is(c->array) && word == c->word)
    return tp_sort_element(x->tt, tp_sort_of(x->tt, c->array));
  const tp_background *b = &x->backgrounds.at[c->background];
  if (b->kind == TP_BG_IMAGE && word >= x->p->ptr_bits / 8 &&
      x->p->statics.at[b->object].n_relocs) {
    *bytes = x->p->ptr_bits / 8;
    tp_term here = tp_background_value(x, c->background, offset, tp_sort_ptr(x->tt));
    if (tp_kind(x->tt, here) == TP_OP_PTR_CONST) return tp_sort_ptr(x->tt);
    return tp_sort_bv(x->tt, x->p->ptr_bits);
  }
  return tp_sort_bv(x->tt, 8 * word);
}
