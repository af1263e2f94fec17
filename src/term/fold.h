/* The meaning of one operation on values: the one definition of every scalar kind, for evaluators
 * that walk terms in their own way (exec/). */
#ifndef TP_TERM_FOLD_H
#define TP_TERM_FOLD_H

#include "term/term.h"

/* Apply kind k to values. False: k is not one that can be folded without an environment
 * (arrays, bases of objects, quantifiers), or an integer result does not fit. */
typedef struct {
  tp_term_kind kind;
  tp_sort_kind arg_sort;      // of the first argument
  uint32_t width, arg_width;  // of the result, of the first argument
  uint32_t ptr_bits;
  uint64_t payload;  // BV_EXTRACT: low bit in the low half; FP_ROUND: mode
} tp_operation;
bool tp_fold(const tp_operation *op, const tp_value *v, tp_value *out);

#endif
