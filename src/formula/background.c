/* Backgrounds: what an object's bytes are before anyone writes them.
 *
 * FILL is one byte repeated. IMAGE is a static's initial content with its pointers. INPUT is
 * unknown: a variable is made for each piece that is read first, and later reads that cut
 * differently are put together from these pieces, so that all paths see the same bytes. Once
 * somebody needs unknown offsets, an array variable stands for all bytes without a piece. */
#include "formula/content_priv.h"

static uint32_t add(tp_symex *x, tp_background b) {
  tp_vec_push(&x->backgrounds, b);
  return (uint32_t)x->backgrounds.n - 1;
}

/* One for each byte, so that paths which fill an object alike agree. */
uint32_t tp_background_fill(tp_symex *x, tp_term byte) {
  TP_REQUIRE(tp_width(x->tt, byte) == 8);
  uint64_t known;
  if (tp_map_get(&x->fills, byte.id, &known)) return (uint32_t)known;
  uint32_t id = add(x, (tp_background){.kind = TP_BG_FILL, .fill = byte});
  tp_map_set(&x->fills, byte.id, id);
  return id;
}
uint32_t tp_background_image(tp_symex *x, uint32_t object) {
  TP_REQUIRE(object > 0 && object < x->p->statics.n);
  return add(x, (tp_background){.kind = TP_BG_IMAGE, .object = object});
}
uint32_t tp_background_input(tp_symex *x, uint32_t object) {
  return add(x, (tp_background){.kind = TP_BG_INPUT, .object = object});
}

// ----------------------------------------------------------------------- fill

static tp_term repeat(tp_symex *x, tp_term byte, uint32_t n) {
  tp_term all = byte;
  uint64_t value;
  if (tp_bv_value_u64(x->tt, byte, &value) && value == 0) return tp_mk_bv(x->tt, 8 * n, 0);
  for (uint32_t i = 1; i < n; i++) all = tp_mk2(x->tt, TP_OP_BV_CONCAT, byte, all);
  return all;
}

// ---------------------------------------------------------------------- image

static uint32_t pointer_bytes(const tp_symex *x) { return x->p->ptr_bits / 8; }

/* The relocation that covers this byte, or NULL; relocs are sorted. */
static const tp_reloc *reloc_at(const tp_symex *x, const tp_static *s, uint64_t offset) {
  uint32_t lo = 0, hi = s->n_relocs;
  while (lo < hi) {
    uint32_t mid = (lo + hi) / 2;
    if (s->relocs[mid].offset + pointer_bytes(x) <= offset)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo < s->n_relocs && s->relocs[lo].offset <= offset ? &s->relocs[lo] : NULL;
}

static tp_term image_byte(tp_symex *x, const tp_static *s, uint64_t offset) {
  const tp_reloc *r = reloc_at(x, s, offset);
  if (r) {
    tp_term p = tp_mk_ptr_const(x->tt, r->object, r->addend);
    uint32_t k = (uint32_t)(offset - r->offset);
    return tp_mk_extract(x->tt, 8 * k + 7, 8 * k, tp_mk1(x->tt, TP_OP_PTR_TO_INT, p));
  }
  return tp_mk_bv(x->tt, 8, s->image && offset < s->size_bytes ? s->image[offset] : 0);
}

static tp_term image_bits(tp_symex *x, const tp_static *s, uint64_t offset, uint32_t n) {
  tp_term bits = TP_TERM_NONE;
  tp_u128 value = 0;
  if (!s->n_relocs && n <= 16) {
    for (uint32_t i = n; i-- > 0;)
      value = value << 8 | (s->image && offset + i < s->size_bytes ? s->image[offset + i] : 0);
    return tp_mk_bv(x->tt, 8 * n, value);
  }
  for (uint32_t i = 0; i < n; i++) bits = tp_concat_above(x, image_byte(x, s, offset + i), bits);
  return bits;
}

// ---------------------------------------------------------------------- input

static tp_term array_part(tp_symex *x, const tp_background *b, uint64_t offset, uint32_t n) {
  tp_term bits = TP_TERM_NONE;
  for (uint32_t i = 0; i < n; i++) {
    uint64_t at = offset + i, k = at % b->word;
    tp_term word = tp_mk2(x->tt, TP_OP_SELECT, b->array, tp_offset_const(x, at - k));
    if (tp_sort_kind_of(x->tt, tp_sort_of(x->tt, word)) == TP_SORT_PTR)
      word = tp_mk1(x->tt, TP_OP_PTR_TO_INT, word);
    bits = tp_concat_above(x, tp_mk_extract(x->tt, (uint32_t)(8 * k + 7), (uint32_t)(8 * k), word),
                           bits);
  }
  return bits;
}

/* Every byte of the newest piece leads to it: else a later read makes a second variable for it. */
static bool is_piece_indexed(const tp_background *b, const tp_piece *piece) {
  for (uint32_t i = 0; i < piece->bytes; i++) {
    uint64_t index = 0;
    if (!tp_map_get(&b->piece_at, piece->offset + i, &index) || index != b->pieces.n) return false;
  }
  return true;
}

/* Bytes [offset, offset + n) that have no piece yet. */
static tp_term new_piece(tp_symex *x, uint32_t background, uint64_t offset, uint32_t n) {
  tp_background *b = &x->backgrounds.at[background];
  if (b->word) return array_part(x, b, offset, n);
  tp_piece piece = {offset, n, tp_symex_fresh(x, "content", tp_sort_bv(x->tt, 8 * n))};
  tp_vec_push(&b->pieces, piece);
  for (uint32_t i = 0; i < n; i++) tp_map_set(&b->piece_at, offset + i, b->pieces.n);
  TP_INVARIANT(is_piece_indexed(b, &tp_vec_last(&b->pieces)));
  return piece.var;
}

static tp_term input_bits(tp_symex *x, uint32_t background, uint64_t offset, uint32_t n) {
  tp_term bits = TP_TERM_NONE;
  for (uint32_t i = 0; i < n;) {
    tp_background *b = &x->backgrounds.at[background];
    uint64_t index, at = offset + i;
    uint32_t run = 1;
    tp_term part;
    if (tp_map_get(&b->piece_at, at, &index)) {
      tp_piece piece = b->pieces.at[index - 1];
      uint32_t k = (uint32_t)(at - piece.offset);
      TP_INVARIANT(at >= piece.offset && k < piece.bytes);
      run = piece.bytes - k < n - i ? piece.bytes - k : n - i;
      part = tp_mk_extract(x->tt, 8 * (k + run) - 1, 8 * k, piece.var);
    } else {
      while (i + run < n && !tp_map_has(&b->piece_at, at + run)) run++;
      part = new_piece(x, background, at, run);
    }
    bits = tp_concat_above(x, part, bits);
    i += run;
  }
  return bits;
}

// ------------------------------------------------------------------- answers

tp_term tp_background_bits(tp_symex *x, uint32_t background, uint64_t offset, uint32_t n) {
  TP_REQUIRE(background > 0 && background < x->backgrounds.n);
  TP_REQUIRE(n >= 1 && n <= TP_CELL_MAX_BYTES);
  const tp_background *b = &x->backgrounds.at[background];
  if (b->kind == TP_BG_FILL) return repeat(x, b->fill, n);
  if (b->kind == TP_BG_IMAGE) return image_bits(x, &x->p->statics.at[b->object], offset, n);
  return input_bits(x, background, offset, n);
}

tp_term tp_background_value(tp_symex *x, uint32_t background, uint64_t offset, tp_sort sort) {
  TP_REQUIRE(background > 0 && background < x->backgrounds.n);
  const tp_background *b = &x->backgrounds.at[background];
  uint32_t n = tp_sort_bytes(x->tt, sort);
  if (b->kind == TP_BG_IMAGE && tp_sort_kind_of(x->tt, sort) == TP_SORT_PTR) {
    const tp_reloc *r = reloc_at(x, &x->p->statics.at[b->object], offset);
    if (r && r->offset == offset) return tp_mk_ptr_const(x->tt, r->object, r->addend);
  }
  return tp_value_of_bits(x, sort, tp_background_bits(x, background, offset, n));
}

// --------------------------------------------------------------------- arrays

static tp_term image_array(tp_symex *x, uint32_t background, uint32_t word, tp_sort element,
                           tp_sort sort) {
  const tp_static *s = &x->p->statics.at[x->backgrounds.at[background].object];
  tp_term zero = tp_value_of_bits(x, element, tp_mk_bv(x->tt, 8 * word, 0));
  tp_term array = tp_mk_const_array(x->tt, sort, zero);
  if (!s->image && !s->n_relocs) return array;
  for (uint64_t at = 0; at < s->size_bytes; at += word) {
    tp_term v = tp_background_value(x, background, at, element);
    if (!tp_term_eq(v, zero)) array = tp_mk3(x->tt, TP_OP_STORE, array, tp_offset_const(x, at), v);
  }
  return array;
}

/* Words that have pieces are stored over the variable; all others are its own. */
static tp_term input_array(tp_symex *x, uint32_t background, uint32_t word, tp_sort element,
                           tp_sort sort) {
  tp_background *b = &x->backgrounds.at[background];
  if (!b->word) {
    b->array = tp_symex_fresh(x, "content", sort);
    b->word = word;
  }
  tp_term array = b->array;
  TP_VEC(uint64_t) words = {0};
  tp_map done = {0};
  for (size_t i = 0; i < b->pieces.n; i++)
    for (uint32_t k = 0; k < b->pieces.at[i].bytes; k++) {
      uint64_t at = (b->pieces.at[i].offset + k) / word * word;
      if (tp_map_has(&done, at)) continue;
      tp_map_set(&done, at, 1);
      tp_vec_push(&words, at);
    }
  for (size_t i = 0; i < words.n; i++)
    array = tp_mk3(x->tt, TP_OP_STORE, array, tp_offset_const(x, words.at[i]),
                   tp_background_value(x, background, words.at[i], element));
  tp_vec_clear(&words);
  tp_map_clear(&done);
  return array;
}

tp_term tp_background_array(tp_symex *x, uint32_t background, uint32_t word, tp_sort element,
                            uint64_t size_bytes) {
  TP_REQUIRE(background > 0 && background < x->backgrounds.n && word > 0);
  (void)size_bytes;
  const tp_background *b = &x->backgrounds.at[background];
  tp_sort sort = tp_sort_array(x->tt, tp_sort_bv(x->tt, x->p->ptr_bits), element);
  if (b->kind == TP_BG_IMAGE) return image_array(x, background, word, element, sort);
  if (b->kind == TP_BG_INPUT) return input_array(x, background, word, element, sort);
  return tp_mk_const_array(x->tt, sort, tp_value_of_bits(x, element, repeat(x, b->fill, word)));
}
