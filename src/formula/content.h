/* Contents of memory objects.
 *
 * What       the bytes of one object as terms: reading and writing values of any sort at constant
 *            or symbolic offsets.
 * Represents either cells: constant offset -> value of any sort (so that pointers keep their
 *            origin), over a background for bytes that nobody wrote; or an array term from offsets
 *            to words, indexed by the multiples of the word size, which stays until the object
 *            dies. Objects become arrays at the first access whose possible offsets are too many to
 *            be enumerated.
 * Invariants cells do not overlap; a cell has at most 16 bytes.
 * Ownership  contents are counted; tp_content_own gives one that may be changed. */
#ifndef TP_FORMULA_CONTENT_H
#define TP_FORMULA_CONTENT_H

#include "formula/symex.h"

typedef struct {
  uint32_t refs;
  uint32_t object;
  uint32_t background;  // index into tp_symex.backgrounds
  tp_term live;         // Bool
  tp_pmap cells;        // offset -> term id
  tp_term array;        // NONE: cells
  uint32_t word;        // bytes per element of the array
} tp_content;

extern const tp_pmap_ops tp_content_ops;  // for maps of contents

tp_content *tp_content_new(uint32_t object, uint32_t background, tp_term live);
tp_content *tp_content_own(tp_content *c);  // takes over a reference
static inline tp_content *tp_content_of(uint64_t value) { return (tp_content *)(uintptr_t)value; }

/* Value of sort `sort` at `offset` (BV(ptr_bits)); the caller knows that the access is in bounds.
 */
tp_term tp_content_read(tp_symex *x, tp_content *c, tp_term offset, tp_sort sort);
/* Write value at offset where condition holds. May turn c into an array. */
void tp_content_write(tp_symex *x, tp_content *c, tp_term offset, tp_term value, tp_term condition);
/* The content that is a where selector holds and b elsewhere, owned by the caller. */
tp_content *tp_content_join(tp_symex *x, tp_term selector, const tp_content *a,
                            const tp_content *b);
/* All bytes become `byte`. */
void tp_content_fill(tp_symex *x, tp_content *c, tp_term byte);
/* The sort in which the value at a constant offset is best copied, and its size (at most n bytes).
 */
tp_sort tp_content_piece(tp_symex *x, const tp_content *c, uint64_t offset, uint64_t n,
                         uint64_t *bytes);

/* Bits of a value as it stands in memory (BV of 8 * bytes), and back. */
tp_term tp_value_to_bits(tp_symex *x, tp_term value);
tp_term tp_value_of_bits(tp_symex *x, tp_sort sort, tp_term bits);

uint32_t tp_background_fill(tp_symex *x, tp_term byte);
uint32_t tp_background_image(tp_symex *x, uint32_t object);
uint32_t tp_background_input(tp_symex *x, uint32_t object);

#endif
