/* Facts of strings: where in its object a byte is 0 that ends it.
 *
 * That a walk along a string stays within the object follows from one zero ahead of it. Which one
 * that is no state tells by itself, so two kinds are guessed: the last byte of the object, and the
 * byte at the place that a column gives. With the zero come the bounds that a walk has: the pointer
 * is before it, and so are columns that may be indices. A write behind a walk leaves the zero where
 * it is, so these facts are kept where contents change. */
#include "blocks/mine_priv.h"

#include "blocks/blocks_limits.h"
#include "program/cells.h"

static tp_terms *terms(const mine_view *v) { return v->shared->p->terms; }

// ------------------------------------------------------------------------- notes

bool mine_string_is_byte(const tp_program *p, tp_type element) {
  return element.id && tp_type_of(p, element)->kind == TP_T_INT &&
         tp_type_of(p, element)->size_bytes == 1;
}

/* Bytes behind those that are noted may be anything. */
void mine_string_add_row(mine_pointer *b, const tp_state *s, const mine_target *to) {
  uint8_t bytes[TP_BLOCKS_MINE_STRING_BYTES], last = 1;
  mine_zeros zeros = {0};
  const uint64_t n = to->size < sizeof bytes ? to->size : sizeof bytes;
  if (to->object && n && tp_state_read_bytes(s, to->object, 0, n, bytes)) {
    zeros.is_last = tp_state_read_bytes(s, to->object, to->size - 1, 1, &last) && !last;
    for (uint64_t i = 0; i < n; i++)
      if (!bytes[i]) zeros.at[i / 64] |= (uint64_t)1 << i % 64;
  }
  tp_vec_push(&b->zeros, zeros);
}

// ------------------------------------------------------------------------- facts

typedef struct {
  const mine_pointer *from;
  bool is_null_somewhere, is_at_start, is_ended, is_before_last;
  tp_term object, offset, size;
} text;

/* False: somewhere it leads to no object. */
static bool find_text(const mine_view *v, const mine_pointer *b, text *out) {
  const tp_program *p = v->shared->p;
  tp_terms *tt = p->terms;
  *out = (text){.from = b, .is_at_start = true, .is_ended = true, .is_before_last = true};
  bool some = false;
  for (size_t r = 0; r < b->rows.n; r++) {
    const mine_target *row = &b->rows.at[r];
    if (!row->object && row->is_other) return false;
    out->is_null_somewhere |= !row->object;
    if (!row->object) continue;
    some = true;
    out->is_at_start &= !row->offset;
    out->is_ended &= b->zeros.at[r].is_last;
    out->is_before_last &= row->offset < row->size;
  }
  if (!some) return false;
  out->object = tp_mk1(tt, TP_OP_PTR_OBJ, b->pointer);
  out->offset = tp_mk1(tt, TP_OP_PTR_OFF, b->pointer);
  out->size = tp_mk2(tt, TP_OP_SELECT, tp_var_of(p, p->ghost_size)->term, out->object);
  return true;
}

static void add_unless_null(mine_candidates *f, const mine_view *v, const text *k, tp_term fact,
                            uint32_t cost) {
  tp_terms *tt = terms(v);
  const tp_term is_null = tp_mk_eq(tt, k->from->pointer, tp_mk_null(tt));
  mine_add(f, v, k->is_null_somewhere ? tp_mk_or(tt, is_null, fact) : fact, cost);
}

static tp_term is_zero_at(const mine_view *v, const text *k, tp_term place) {
  tp_terms *tt = terms(v);
  const tp_term byte = tp_cell(v->shared->p, tp_sort_bv(tt, 8), tp_mk_ptr(tt, k->object, place));
  return tp_mk_eq(tt, byte, tp_mk_bv(tt, 8, 0));
}

static bool is_zero_in_row(const mine_pointer *b, size_t r, uint64_t place) {
  if (place >= b->rows.at[r].size) return false;
  return place >= TP_BLOCKS_MINE_STRING_BYTES || (b->zeros.at[r].at[place / 64] >> place % 64 & 1);
}

/* What all rows say of a column beside the object. */
typedef struct {
  bool is_end, is_ahead, is_within;  // a zero is there; not before the pointer; within the object
} column_facts;

static column_facts look_at_column(const mine_view *v, const text *k, size_t c) {
  const uint32_t w = v->shared->p->ptr_bits;
  column_facts all = {true, true, true};
  for (size_t r = 0; r < k->from->rows.n; r++) {
    const mine_target *row = &k->from->rows.at[r];
    if (!row->object) continue;
    const uint64_t x = mine_value_at(v, c, r, w);
    all.is_end &= is_zero_in_row(k->from, r, x);
    all.is_ahead &= row->offset <= x;
    all.is_within &= x < row->size;
  }
  return all;
}

static void add_columns(mine_candidates *f, const mine_view *v, const text *k) {
  tp_terms *tt = terms(v);
  const uint32_t w = v->shared->p->ptr_bits;
  size_t taken = 0;
  for (size_t c = 0; c < v->at->n_observed && taken < TP_BLOCKS_MINE_SIZE_COLUMNS; c++) {
    const mine_column *col = mine_col(v, c);
    if (col->is_object || col->is_offset || col->is_bool || col->width < 16 || col->width > w)
      continue;
    taken++;
    const column_facts facts = look_at_column(v, k, c);
    const tp_term x = mine_term_at(v, c, w);
    const uint32_t cost = 3 + mine_rank_cost(v, c);
    if (facts.is_end) add_unless_null(f, v, k, is_zero_at(v, k, x), cost);
    if (facts.is_end && facts.is_ahead && !k->is_at_start)
      add_unless_null(f, v, k, tp_mk2(tt, TP_OP_BV_ULE, k->offset, x), cost);
    if (facts.is_within) add_unless_null(f, v, k, tp_mk2(tt, TP_OP_BV_ULT, x, k->size), cost);
  }
}

void mine_strings(mine_candidates *f, const mine_view *v) {
  tp_terms *tt = terms(v);
  const tp_term one = tp_mk_bv(tt, v->shared->p->ptr_bits, 1);
  text k;
  for (size_t i = 0; i < v->at->pointers.n; i++) {
    const mine_pointer *b = &v->at->pointers.at[i];
    if (!b->is_text || !find_text(v, b, &k)) continue;
    if (k.is_before_last) add_unless_null(f, v, &k, tp_mk2(tt, TP_OP_BV_ULT, k.offset, k.size), 2);
    if (k.is_ended) add_unless_null(f, v, &k, is_zero_at(v, &k, tp_mk_sub(tt, k.size, one)), 2);
    add_columns(f, v, &k);
  }
}
