/* Arithmetic on words of literals.
 *
 * What       circuits for the operations on bit-vectors, as SMT-LIB defines them.
 * Represents word[0] is the least significant bit; 1 to TP_WORD_MAX literals.
 * Ownership  out has room for n literals and may be one of the arguments.
 * Cost       gates: sums, comparisons n; shifts n log n; products n^2 / 2 full adders, of constants
 *            a third of that at most (canonical signed digits); division n^2 subtractors' bits.
 * Source     Kroening & Strichman, Decision Procedures, ch. 6; Reitwiesner 1960 (signed digits). */
#ifndef TP_CIRCUIT_WORDS_H
#define TP_CIRCUIT_WORDS_H

#include "circuit/gates.h"

enum { TP_WORD_MAX = 128 };

void tp_word_const(tp_lit *out, uint32_t n, tp_u128 value);
/* Is every literal constant? Then *value is the number. */
bool tp_word_is_const(const tp_lit *a, uint32_t n, tp_u128 *value);
void tp_word_input(tp_gates *g, tp_lit *out, uint32_t n);
void tp_word_not(tp_lit *out, const tp_lit *a, uint32_t n);
void tp_word_ite(tp_gates *g, tp_lit *out, tp_lit c, const tp_lit *a, const tp_lit *b, uint32_t n);
void tp_word_add(tp_gates *g, tp_lit *out, const tp_lit *a, const tp_lit *b, tp_lit carry,
                 uint32_t n);
void tp_word_neg(tp_gates *g, tp_lit *out, const tp_lit *a, uint32_t n);
void tp_word_mul(tp_gates *g, tp_lit *out, const tp_lit *a, const tp_lit *b, uint32_t n);
/* Either result may be NULL. By zero: all ones, and the dividend. */
void tp_word_udivrem(tp_gates *g, tp_lit *quotient, tp_lit *remainder, const tp_lit *a,
                     const tp_lit *b, uint32_t n);
void tp_word_sdivrem(tp_gates *g, tp_lit *quotient, tp_lit *remainder, const tp_lit *a,
                     const tp_lit *b, uint32_t n);
/* by: a word of the same width; fill: what comes in. */
void tp_word_shl(tp_gates *g, tp_lit *out, const tp_lit *a, const tp_lit *by, uint32_t n);
void tp_word_shr(tp_gates *g, tp_lit *out, const tp_lit *a, const tp_lit *by, tp_lit fill,
                 uint32_t n);
tp_lit tp_word_eq(tp_gates *g, const tp_lit *a, const tp_lit *b, uint32_t n);
tp_lit tp_word_ult(tp_gates *g, const tp_lit *a, const tp_lit *b, uint32_t n);
tp_lit tp_word_slt(tp_gates *g, const tp_lit *a, const tp_lit *b, uint32_t n);

#endif
