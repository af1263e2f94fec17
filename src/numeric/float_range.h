/* Ranges of floats: IEEE binary32 and binary64 numbers between two bounds, and perhaps values that
 * are not numbers.
 *
 * What       sets of floats of one width, their lattice and the operators of the term language on
 *            them.
 * Represents lo <= x <= hi in the order -inf < ... < -0 < +0 < ... < +inf, if has_number; any value
 *            that is not a number, if may_nan. Bounds of binary32 are kept as the same number in
 *            binary64.
 * Law        every operator covers what tp_fold gives on the members of its arguments.
 * Rounding   bounds of a result are what tp_fold gives on bounds of the arguments, rounded to
 *            nearest like every value of the program: rounding to nearest never reverses the order
 *            of two numbers, so where the exact operation is monotone in an argument, the rounded
 *            one is too, and its extremes stand at the bounds: nothing has to be rounded outward.
 *            In the order above this is true of the signs of zeros as well.
 * Source     IEEE 754-2019, sec. 4.3; we differ from interval arithmetic (IEEE 1788): the set is
 *            one of floats, not of reals. */
#ifndef TP_NUMERIC_FLOAT_RANGE_H
#define TP_NUMERIC_FLOAT_RANGE_H

#include "numeric/interval.h"

typedef struct {
  uint32_t width;  // 32 or 64
  bool has_number, may_nan;
  double lo, hi;  // 0 without numbers
} tp_float_range;

tp_float_range tp_float_range_none(uint32_t width);
tp_float_range tp_float_range_full(uint32_t width);
tp_float_range tp_float_range_constant(uint32_t width, uint64_t bits);
tp_float_range tp_float_range_numbers(uint32_t width, double lo,
                                      double hi);  // lo at most hi in the order of floats

bool tp_float_range_is_none(const tp_float_range *x);
bool tp_float_range_is_full(const tp_float_range *x);
bool tp_float_range_is_constant(const tp_float_range *x,
                                uint64_t *bits);  // a number; bits may be NULL
bool tp_float_range_contains(const tp_float_range *x, uint64_t bits);
bool tp_float_range_eq(const tp_float_range *a, const tp_float_range *b);
/* Bits of a bound in the range's width. */
uint64_t tp_float_range_bits(uint32_t width, double v);
/* The number nearest to v in this width. */
double tp_float_nearest(uint32_t width, double v);
/* Monotone from floats to integers: -0 is -1, +0 is 0. */
int64_t tp_float_order(double v);

bool tp_float_range_leq(const tp_float_range *a, const tp_float_range *b);
tp_float_range tp_float_range_join(const tp_float_range *a, const tp_float_range *b);
tp_float_range tp_float_range_meet(const tp_float_range *a, const tp_float_range *b);
/* A bound that moves goes to the next integer of the thresholds, then to the largest finite number,
 * then to infinity. */
tp_float_range tp_float_range_widen(const tp_float_range *a, const tp_float_range *b,
                                    tp_thresholds at);

/* FP_ADD ... FP_MAX by kind, arguments as many as the kind has; payload: FP_ROUND's mode. */
tp_float_range tp_float_range_apply(tp_term_kind k, uint64_t payload, const tp_float_range *args);
tp_float_range tp_float_range_convert(uint32_t width, const tp_float_range *a);  // FP_OF_FP
tp_float_range tp_float_range_of_interval(uint32_t width, bool is_signed,
                                          const tp_interval *a);  // FP_OF_SBV, FP_OF_UBV
tp_float_range tp_float_range_of_bits(const tp_interval *a);
tp_interval tp_float_range_to_bits(const tp_float_range *a);
tp_interval tp_float_range_to_interval(uint32_t width, bool is_signed,
                                       const tp_float_range *a);  // FP_TO_SBV, FP_TO_UBV
/* EQ, FP_EQ, FP_LT, FP_LE: as a Bool. */
tp_interval tp_float_range_compare(tp_term_kind k, const tp_float_range *a,
                                   const tp_float_range *b);
tp_interval tp_float_range_test(tp_term_kind k, const tp_float_range *a);  // FP_IS_NAN, FP_IS_INF

// backward, as in numeric/interval.h
bool tp_float_range_refine_compare(tp_term_kind k, const tp_interval *result, tp_float_range *a,
                                   tp_float_range *b);
bool tp_float_range_refine_test(tp_term_kind k, const tp_interval *result, tp_float_range *a);
bool tp_float_range_refine_sign(tp_term_kind k, const tp_float_range *result,
                                tp_float_range *a);  // FP_NEG, FP_ABS
bool tp_float_range_refine_convert(const tp_float_range *result,
                                   tp_float_range *a);  // FP_OF_FP to the wider format
bool tp_float_range_refine_of_interval(bool is_signed, const tp_float_range *result,
                                       tp_interval *a);

#endif
