/* Formulas of shape classes in the notation of certificates (doc/certificates.md).
 *
 * What       the text of a formula; also with other formulas in the place of some predicates.
 * Law        a predicate of the structure behind an operation has no text: where only an open value
 *            can stand for it, `h` does (only if may_be_open). */
#ifndef TP_ENGINE_FORMULA_TEXT_H
#define TP_ENGINE_FORMULA_TEXT_H

#include "shape/transform.h"

typedef struct {
  const tp_shape_class *c;
  bool may_be_open;
  const tp_update_instances *before;  // these predicates are what the formulas say; NULL: none are
  int cleared_of,
      cleared;  // field number `cleared` of the cell of pointer `cleared_of` is null; with `before`
} tp_formula_writing;

/* Appends; false: it has no text, and what was appended means nothing. */
bool tp_formula_write(const tp_formula_writing *w, tp_formula f, tp_str *out) TP_MUST_USE;
/* The number of the predicate with this arity and index in certificates; 0: none. */
uint32_t tp_formula_predicate_number(const tp_shape_class *c, uint32_t arity, uint32_t index);

#endif
