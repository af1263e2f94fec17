/* The extended precision numbers of the x87 (`long double` on x86), as terms over bit vectors.
 *
 * What       arithmetic, comparison, rounding and conversion; a number is a bit vector of 80 bits.
 * Represents bit 79 the sign, 78 .. 64 the exponent (bias 16383), 63 .. 0 the significand, whose
 *            leading bit is explicit. Rounding is to nearest even, precision 64 bits.
 * Invariants results are those of the machine, bit by bit, NaNs included: of two NaNs the one with
 *            the larger significand, made quiet; what has no value is the default NaN (negative).
 *            Encodings that are no numbers (an exponent without the leading bit) are invalid
 *            operands; a denormal with the leading bit counts as if its exponent were 1.
 * Cost       40 (comparison) to 400 (square root) terms, of at most 128 bits: everything that knows
 *            bit vectors knows these numbers, engines, solvers and the checker of proofs.
 * Source     Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1,
 * sections 4.2.2, 4.8.3.5 and 8.2; IEEE 754-2008. */
#ifndef TP_TERM_X87_H
#define TP_TERM_X87_H

#include "term/term.h"

enum { TP_X87_BITS = 80 };

typedef enum { TP_X87_ADD, TP_X87_SUB, TP_X87_MUL, TP_X87_DIV } tp_x87_operation;

tp_term tp_x87_apply(tp_terms *tt, tp_x87_operation k, tp_term a, tp_term b);
tp_term tp_x87_sqrt(tp_terms *tt, tp_term a);
/* To an integral value. */
tp_term tp_x87_round(tp_terms *tt, tp_round mode, tp_term a);
/* Sign bit only: NaNs, too. */
tp_term tp_x87_neg(tp_terms *tt, tp_term a);
tp_term tp_x87_abs(tp_terms *tt, tp_term a);

/* Bool. NaNs and invalid encodings have no order; is_nan holds for both. */
tp_term tp_x87_eq(tp_terms *tt, tp_term a, tp_term b);
tp_term tp_x87_less(tp_terms *tt, tp_term a, tp_term b);
tp_term tp_x87_is_nan(tp_terms *tt, tp_term a);
tp_term tp_x87_is_inf(tp_terms *tt, tp_term a);
tp_term tp_x87_is_zero(tp_terms *tt, tp_term a);
tp_term tp_x87_is_subnormal(tp_terms *tt, tp_term a);  // the exponent is 0, the number is not

/* Exact; a signalling NaN becomes quiet. a: FP of 32 or 64 bits. */
tp_term tp_x87_of_fp(tp_terms *tt, tp_term a);
tp_term tp_x87_to_fp(tp_terms *tt, uint32_t width_bits, tp_term a);  // to 32 or 64, rounded
tp_term tp_x87_of_int(tp_terms *tt, bool is_signed, tp_term a);      // BV of 1 .. 128 bits
/* Truncated to an integer of this width; any value where in_range does not hold. */
tp_term tp_x87_to_int(tp_terms *tt, uint32_t width_bits, tp_term a);
tp_term tp_x87_in_range(tp_terms *tt, uint32_t width_bits, bool is_signed, tp_term a);

#endif
