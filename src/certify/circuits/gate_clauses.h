/* Gates and words as clauses, for obligations that are proved by clauses.
 *
 * What       AND, XOR, choice and majority over literals; sums, products, quotients, shifts and
 *            comparisons over words of them. Shares no code with circuit/, which serves engines.
 * Represents a literal is a number as in DIMACS; variable 1 is true. Each gate is a variable that
 *            the clauses equate with its function (Tseitin, both directions), so under every
 *            assignment of the inputs there is exactly one of the gates. Word[0] is the lowest bit.
 * Invariants no gate has a constant argument; equal ANDs and XORs are one gate.
 * Ownership  the clauses belong to the circuit. A circuit that became too large (`is_full`) gets
 *            inputs in place of gates: it says less, so what is refuted stays refuted.
 * Cost       gates: sums and comparisons n; shifts n log n; products, quotients n^2.
 * Source     Tseitin 1968; Kroening & Strichman, Decision Procedures, ch. 6. */
#ifndef TP_CERTIFY_CIRCUITS_GATE_CLAUSES_H
#define TP_CERTIFY_CIRCUITS_GATE_CLAUSES_H

#include "base/base.h"

typedef int tp_chk_bit;  // a literal; TP_CHK_TRUE and its negation are the constants
enum { TP_CHK_TRUE = 1, TP_CHK_FALSE = -1, TP_CHK_WORD_BITS = 128 };

typedef struct {
  TP_VEC(int) clauses;  // literals, 0 at the end of each clause
  int n_variables;
  uint64_t n_gates, most_gates;  // most: 0: no limit
  bool is_full;
  tp_map ands, xors;  // arguments -> gate
} tp_chk_circuit;

void tp_chk_circuit_init(tp_chk_circuit *c, uint64_t most_gates);
void tp_chk_circuit_clear(tp_chk_circuit *c);
tp_chk_bit tp_chk_input(tp_chk_circuit *c);
void tp_chk_clause(tp_chk_circuit *c, const tp_chk_bit *bits, size_t n);

tp_chk_bit tp_chk_and(tp_chk_circuit *c, tp_chk_bit a, tp_chk_bit b);
tp_chk_bit tp_chk_or(tp_chk_circuit *c, tp_chk_bit a, tp_chk_bit b);
tp_chk_bit tp_chk_xor(tp_chk_circuit *c, tp_chk_bit a, tp_chk_bit b);
tp_chk_bit tp_chk_choice(tp_chk_circuit *c, tp_chk_bit when, tp_chk_bit a, tp_chk_bit b);
tp_chk_bit tp_chk_majority(tp_chk_circuit *c, tp_chk_bit x, tp_chk_bit y, tp_chk_bit z);

/* Words of n bits, 1 to TP_CHK_WORD_BITS; out may be one of the arguments. */
void tp_chk_word_const(tp_chk_bit *out, tp_u128 value, uint32_t n);
void tp_chk_word_input(tp_chk_circuit *c, tp_chk_bit *out, uint32_t n);
void tp_chk_word_choice(tp_chk_circuit *c, tp_chk_bit *out, tp_chk_bit when, const tp_chk_bit *a,
                        const tp_chk_bit *b, uint32_t n);
void tp_chk_word_add(tp_chk_circuit *c, tp_chk_bit *out, const tp_chk_bit *a, const tp_chk_bit *b,
                     tp_chk_bit carry, uint32_t n);
void tp_chk_word_neg(tp_chk_circuit *c, tp_chk_bit *out, const tp_chk_bit *a, uint32_t n);
void tp_chk_word_mul(tp_chk_circuit *c, tp_chk_bit *out, const tp_chk_bit *a, const tp_chk_bit *b,
                     uint32_t n);
/* As SMT-LIB: by zero the quotient is all ones, the remainder the dividend; the signed remainder
 * has the sign of the dividend. Either result may be NULL. */
void tp_chk_word_divide(tp_chk_circuit *c, tp_chk_bit *quotient, tp_chk_bit *remainder,
                        const tp_chk_bit *a, const tp_chk_bit *b, uint32_t n);
void tp_chk_word_divide_signed(tp_chk_circuit *c, tp_chk_bit *quotient, tp_chk_bit *remainder,
                               const tp_chk_bit *a, const tp_chk_bit *b, uint32_t n);
typedef enum { TP_CHK_SHIFT_LEFT, TP_CHK_SHIFT_RIGHT } tp_chk_direction;
/* fill: the bits that come in; by: a word of the same width. */
void tp_chk_word_shift(tp_chk_circuit *c, tp_chk_bit *out, const tp_chk_bit *a,
                       const tp_chk_bit *by, tp_chk_direction direction, tp_chk_bit fill,
                       uint32_t n);
tp_chk_bit tp_chk_word_equal(tp_chk_circuit *c, const tp_chk_bit *a, const tp_chk_bit *b,
                             uint32_t n);
tp_chk_bit tp_chk_word_less(tp_chk_circuit *c, const tp_chk_bit *a, const tp_chk_bit *b,
                            uint32_t n);
tp_chk_bit tp_chk_word_less_signed(tp_chk_circuit *c, const tp_chk_bit *a, const tp_chk_bit *b,
                                   uint32_t n);

#endif
