/* Contents as arrays of words.
 *
 * The index of a word is its byte offset (a multiple of the word size), so no division is needed.
 * An access whose position in the word is known touches words directly; any other one goes byte by
 * byte, each byte shifted out of or masked into the word that holds it. So every access works on
 * every array, and uniform ones are cheap. */
#include "formula/content_priv.h"

static tp_sort element_sort(const tp_symex *x, const tp_content *c) {
  return tp_sort_element(x->tt, tp_sort_of(x->tt, c->array));
}

static bool has_pointers(tp_symex *x, const tp_content *c) {
  uint64_t key, value, from = 0;
  while (tp_pmap_next(&c->cells, from, &key, &value)) {
    if (tp_sort_kind_of(x->tt, tp_sort_of(x->tt, (tp_term){(uint32_t)value})) == TP_SORT_PTR)
      return true;
    from = key + 1;
  }
  const tp_background *b = &x->backgrounds.at[c->background];
  return b->kind == TP_BG_IMAGE && x->p->statics.at[b->object].n_relocs > 0;
}

void tp_content_to_array(tp_symex *x, tp_content *c, uint32_t word, tp_sort_kind element) {
  TP_REQUIRE(c->refs == 1 && word > 0 && !tp_term_is(c->array));
  tp_terms *tt = x->tt;
  const tp_background *b = &x->backgrounds.at[c->background];
  uint32_t pointer = x->p->ptr_bits / 8;
  if (element == TP_SORT_PTR || has_pointers(x, c)) word = pointer, element = TP_SORT_PTR;
  if (b->kind == TP_BG_INPUT && b->word) {
    word = b->word;
    element = tp_sort_kind_of(tt, tp_sort_element(tt, tp_sort_of(tt, b->array)));
  }
  tp_sort sort = element == TP_SORT_PTR ? tp_sort_ptr(tt) : tp_sort_bv(tt, 8 * word);
  tp_term array =
      tp_background_array(x, c->background, word, sort, x->instances.at[c->object].size_bytes);
  uint64_t key, value, from = 0, done = UINT64_MAX;
  while (tp_pmap_next(&c->cells, from, &key, &value)) {
    uint64_t end = key + tp_sort_bytes(tt, tp_sort_of(tt, (tp_term){(uint32_t)value}));
    for (uint64_t at = key / word * word; at < end; at += word) {
      if (at == done) continue;
      array = tp_mk3(tt, TP_OP_STORE, array, tp_offset_const(x, at), tp_cells_read(x, c, at, sort));
      done = at;
    }
    from = key + 1;
  }
  tp_pmap_clear(&c->cells);
  c->array = array;
  c->word = word;
}

// --------------------------------------------------------------------- words

static tp_term word_bits(tp_symex *x, const tp_content *c, tp_term index) {
  return tp_value_to_bits(x, tp_mk2(x->tt, TP_OP_SELECT, c->array, index));
}

static void put_word(tp_symex *x, tp_content *c, tp_term index, tp_term bits) {
  c->array =
      tp_mk3(x->tt, TP_OP_STORE, c->array, index, tp_value_of_bits(x, element_sort(x, c), bits));
}

static tp_term plus(tp_symex *x, tp_term offset, uint64_t k) {
  return k ? tp_mk2(x->tt, TP_OP_BV_ADD, offset, tp_offset_const(x, k)) : offset;
}

/* The word that holds the byte at `offset`, and by how many bits that byte is shifted in it. */
static tp_term word_of_byte(tp_symex *x, const tp_content *c, tp_term offset, tp_term *shift) {
  tp_terms *tt = x->tt;
  uint32_t w = x->p->ptr_bits;
  tp_term low = tp_mk2(tt, TP_OP_BV_AND, offset, tp_offset_const(x, c->word - 1));
  tp_term bits = tp_mk2(tt, TP_OP_BV_SHL, low, tp_mk_bv(tt, w, 3));
  *shift = tp_mk_resize(tt, 8 * c->word, false, bits);
  return tp_mk_sub(tt, offset, low);
}

static tp_term read_byte(tp_symex *x, const tp_content *c, tp_term offset) {
  tp_term shift, index = word_of_byte(x, c, offset, &shift);
  return tp_mk_trunc(x->tt, 8, tp_mk2(x->tt, TP_OP_BV_LSHR, word_bits(x, c, index), shift));
}

static void write_byte(tp_symex *x, tp_content *c, tp_term offset, tp_term byte) {
  tp_terms *tt = x->tt;
  uint32_t w = 8 * c->word;
  tp_term shift, index = word_of_byte(x, c, offset, &shift);
  tp_term hole = tp_mk1(tt, TP_OP_BV_NOT, tp_mk2(tt, TP_OP_BV_SHL, tp_mk_bv(tt, w, 0xff), shift));
  tp_term kept = tp_mk2(tt, TP_OP_BV_AND, word_bits(x, c, index), hole);
  tp_term moved = tp_mk2(tt, TP_OP_BV_SHL, tp_mk_zext(tt, w, byte), shift);
  put_word(x, c, index, tp_mk2(tt, TP_OP_BV_OR, kept, moved));
}

// ------------------------------------------------------------------- accesses

/* Position of the access in its first word; false: not known. */
static bool position(tp_symex *x, const tp_content *c, tp_term offset, uint64_t *r) {
  return tp_value_set_residue(tp_value_set_of(&x->values, offset), c->word, r);
}

tp_term tp_array_read(tp_symex *x, const tp_content *c, tp_term offset, tp_sort sort) {
  TP_REQUIRE(tp_term_is(c->array) && c->word > 0);
  tp_terms *tt = x->tt;
  uint32_t n = tp_sort_bytes(tt, sort);
  uint64_t r;
  bool known = position(x, c, offset, &r);
  if (known && r == 0 && n == c->word && tp_sort_eq(sort, element_sort(x, c)))
    return tp_mk2(tt, TP_OP_SELECT, c->array, offset);
  tp_term bits = TP_TERM_NONE;
  if (known && r + n <= c->word) {
    tp_term word = word_bits(x, c, plus(x, offset, 0 - r));
    bits = tp_mk_extract(tt, (uint32_t)(8 * (r + n) - 1), (uint32_t)(8 * r), word);
  } else if (known && r == 0 && n % c->word == 0) {
    for (uint32_t i = 0; i < n; i += c->word)
      bits = tp_concat_above(x, word_bits(x, c, plus(x, offset, i)), bits);
  } else {
    for (uint32_t i = 0; i < n; i++)
      bits = tp_concat_above(x, read_byte(x, c, plus(x, offset, i)), bits);
  }
  return tp_value_of_bits(x, sort, bits);
}

/* The word with n bytes from position r on replaced. */
static tp_term insert(tp_symex *x, tp_term word, uint32_t word_bytes, uint32_t r, uint32_t n,
                      tp_term bits) {
  tp_terms *tt = x->tt;
  tp_term all = r ? tp_mk2(tt, TP_OP_BV_CONCAT, bits, tp_mk_extract(tt, 8 * r - 1, 0, word)) : bits;
  if (r + n == word_bytes) return all;
  return tp_mk2(tt, TP_OP_BV_CONCAT, tp_mk_extract(tt, 8 * word_bytes - 1, 8 * (r + n), word), all);
}

void tp_array_write(tp_symex *x, tp_content *c, tp_term offset, tp_term value) {
  TP_REQUIRE(tp_term_is(c->array) && c->word > 0);
  tp_terms *tt = x->tt;
  tp_sort sort = tp_sort_of(tt, value);
  uint32_t n = tp_sort_bytes(tt, sort);
  uint64_t r;
  bool known = position(x, c, offset, &r);
  if (known && r == 0 && n == c->word && tp_sort_eq(sort, element_sort(x, c))) {
    c->array = tp_mk3(tt, TP_OP_STORE, c->array, offset, value);
    return;
  }
  tp_term bits = tp_value_to_bits(x, value);
  if (known && r + n <= c->word) {
    tp_term index = plus(x, offset, 0 - r);
    put_word(x, c, index, insert(x, word_bits(x, c, index), c->word, (uint32_t)r, n, bits));
  } else if (known && r == 0 && n % c->word == 0) {
    for (uint32_t i = 0; i < n; i += c->word)
      put_word(x, c, plus(x, offset, i), tp_mk_extract(tt, 8 * (i + c->word) - 1, 8 * i, bits));
  } else {
    for (uint32_t i = 0; i < n; i++)
      write_byte(x, c, plus(x, offset, i), tp_mk_extract(tt, 8 * i + 7, 8 * i, bits));
  }
}
