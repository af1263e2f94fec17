/* Inside formula/content: the parts that cells, arrays and backgrounds need of each other. */
#ifndef TP_FORMULA_CONTENT_PRIV_H
#define TP_FORMULA_CONTENT_PRIV_H

#include "formula/content.h"

enum { TP_CELL_MAX_BYTES = 16 };

// background.c
/* Bits of n <= 16 bytes. */
tp_term tp_background_bits(tp_symex *x, uint32_t background, uint64_t offset, uint32_t n);
tp_term tp_background_value(tp_symex *x, uint32_t background, uint64_t offset, tp_sort sort);
/* The background as an array of words (BV or PTR elements). */
tp_term tp_background_array(tp_symex *x, uint32_t background, uint32_t word, tp_sort element,
                            uint64_t size_bytes);

// content.c: cells, constant offsets
tp_term tp_cells_read(tp_symex *x, const tp_content *c, uint64_t offset, tp_sort sort);
tp_term tp_cells_bits(tp_symex *x, const tp_content *c, uint64_t offset, uint32_t n);
void tp_cells_write(tp_symex *x, tp_content *c, uint64_t offset, tp_term value);

// array.c
void tp_content_to_array(tp_symex *x, tp_content *c, uint32_t word, tp_sort_kind element);
tp_term tp_array_read(tp_symex *x, const tp_content *c, tp_term offset, tp_sort sort);
void tp_array_write(tp_symex *x, tp_content *c, tp_term offset, tp_term value);

static inline tp_term tp_offset_const(const tp_symex *x, uint64_t offset) {
  return tp_mk_bv(x->tt, tp_terms_ptr_bits(x->tt), offset);
}
/* high part first, NONE: nothing yet */
static inline tp_term tp_concat_above(tp_symex *x, tp_term high, tp_term low) {
  return tp_term_is(low) ? tp_mk2(x->tt, TP_OP_BV_CONCAT, high, low) : high;
}

#endif
