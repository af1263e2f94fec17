/* Numbers as sets: one abstract value for every scalar sort, and the term language on it.
 *
 * What       an interval (Bool, bit-vectors) or a float range, with the operators by kind of term.
 * Law        apply covers what tp_eval gives on members of the arguments; refine keeps every tuple
 *            of arguments that gives a member of the result. Sorts without numbers (pointers,
 *            arrays) are not taken. */
#ifndef TP_NUMERIC_NUMBER_H
#define TP_NUMERIC_NUMBER_H

#include "numeric/float_range.h"

typedef struct {
  bool is_float;
  tp_interval bits;     // unless is_float
  tp_float_range real;  // if is_float
} tp_number;

/* Every value of the sort. False: the sort has no numbers. */
bool tp_number_full(const tp_terms *tt, tp_sort s, tp_number *out);
bool tp_number_constant(const tp_terms *tt, tp_term c,
                        tp_number *out);  // false: not a Bool, BV or FP constant
tp_number tp_number_of_interval(tp_interval x);
tp_number tp_number_of_float(tp_float_range x);
bool tp_number_is_full(const tp_number *x);
bool tp_number_is_none(const tp_number *x);
bool tp_number_eq(const tp_number *a, const tp_number *b);
uint64_t tp_number_hash(const tp_number *x);
void tp_number_print(const tp_number *x, tp_str *out);  // "[0, 9]", "{3}", "[-1.5, +inf] or NaN"
/* "t is in x": exactly. */
tp_term tp_number_formula(tp_terms *tt, tp_term t, const tp_number *x);

bool tp_number_leq(const tp_number *a, const tp_number *b);
tp_number tp_number_join(const tp_number *a, const tp_number *b);
tp_number tp_number_meet(const tp_number *a, const tp_number *b);
tp_number tp_number_widen(const tp_number *a, const tp_number *b, tp_thresholds at);

/* t's kind and payload on values of its arguments, none of them empty. False: t, or an argument, is
 * of a sort without numbers. */
bool tp_number_apply(const tp_terms *tt, tp_term t, const tp_number *args, tp_number *out);
/* t's value is in result: the arguments shrink in place. False: impossible. */
bool tp_number_refine(const tp_terms *tt, tp_term t, const tp_number *result, tp_number *args);

#endif
