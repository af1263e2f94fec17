/* Intervals of bit-vectors: what is known of a machine integer in both of its readings.
 *
 * What       sets of bit-vectors of one width, their lattice and the operators of the term language
 *            on them.
 * Represents the values that lie in an unsigned range and in a signed range at once. The two
 *            readings differ only in where the values with the sign bit stand, so such a set is one
 *            range among the values without sign bit and one among those with it, and this is how
 *            it is kept: both readings, mutually reduced, in one canonical form. A Bool is an
 *            interval of width 1.
 * Invariants a half without values has lo > hi, canonically (1, 0); equal sets have equal fields.
 * Law        every operator covers what tp_fold gives on the members of its arguments, wrap-around
 *            and the values of division by zero included. Arguments have values; none of the
 *            operators takes an empty set.
 * Cost       constant; bitwise operators and shifts are linear in the width.
 * Source     Cousot & Cousot 1977, sec. 9; we differ: machine integers, two readings, thresholds.
 */
#ifndef TP_NUMERIC_INTERVAL_H
#define TP_NUMERIC_INTERVAL_H

#include "term/term.h"

typedef struct {
  uint32_t width;  // 1 .. TP_BV_MAX_BITS
  tp_u128 lo[2],
      hi[2];  // [0]: sign bit clear, [1]: sign bit set; as unsigned numbers, bounds included
} tp_interval;

// -------------------------------------------------------------- making, asking

tp_interval tp_interval_none(uint32_t width);
tp_interval tp_interval_full(uint32_t width);
tp_interval tp_interval_constant(uint32_t width, tp_u128 v);
tp_interval tp_interval_unsigned(uint32_t width, tp_u128 lo, tp_u128 hi);  // lo <= hi < 2^width
tp_interval tp_interval_signed(uint32_t width, tp_i128 lo,
                               tp_i128 hi);  // the integers lo .. hi, modulo 2^width
tp_interval tp_interval_bool(bool may_be_false, bool may_be_true);
/* The integers lo .. lo + span modulo 2^width join x. */
void tp_interval_include(tp_interval *x, tp_u128 lo, tp_u128 span);

static inline bool tp_interval_has(const tp_interval *x, int half) {
  return x->lo[half] <= x->hi[half];
}
bool tp_interval_is_none(const tp_interval *x);
bool tp_interval_is_full(const tp_interval *x);
bool tp_interval_is_constant(const tp_interval *x, tp_u128 *v);  // v may be NULL
bool tp_interval_contains(const tp_interval *x, tp_u128 v);
bool tp_interval_eq(const tp_interval *a, const tp_interval *b);
// bounds of the two readings; x is not empty
tp_u128 tp_interval_umin(const tp_interval *x);
tp_u128 tp_interval_umax(const tp_interval *x);
tp_i128 tp_interval_smin(const tp_interval *x);
tp_i128 tp_interval_smax(const tp_interval *x);

// -------------------------------------------------------------------- lattice

bool tp_interval_leq(const tp_interval *a, const tp_interval *b);
tp_interval tp_interval_join(const tp_interval *a, const tp_interval *b);
tp_interval tp_interval_meet(const tp_interval *a, const tp_interval *b);  // exact; may be empty
/* Numbers at which a growing bound rests: integers, ascending; each counts in every width that can
 * hold it, in its unsigned or its signed reading. */
typedef struct {
  const tp_i128 *at;
  size_t n;
} tp_thresholds;
/* Above both; every bound that b moves goes to the next threshold, then to the end of its half. A
 * chain x, widen(x, b1), widen(.., b2), ... changes at most 4 * (thresholds + 2) times. */
tp_interval tp_interval_widen(const tp_interval *a, const tp_interval *b, tp_thresholds at);

// ------------------------------------------------------------------- operators

/* BV_NEG, BV_NOT. */
tp_interval tp_interval_unary(tp_term_kind k, const tp_interval *a);
/* Sums, products, quotients, remainders, bitwise operators, shifts; CONCAT (first argument high);
 * BOOL: AND, OR, XOR. */
tp_interval tp_interval_binary(tp_term_kind k, const tp_interval *a, const tp_interval *b);
/* EQ, ULT, ULE, SLT, SLE: as a Bool. */
tp_interval tp_interval_compare(tp_term_kind k, const tp_interval *a, const tp_interval *b);
tp_interval tp_interval_extract(uint32_t hi, uint32_t lo, const tp_interval *a);
tp_interval tp_interval_extend(uint32_t width, bool is_signed, const tp_interval *a);

/* Backward: a and b shrink to (at least) those members that give a member of `result`. False: there
 * are none. The comparisons, sums, products with a constant, bitwise operators, shifts and
 * quotients by a constant, CONCAT; others: only the test. */
bool tp_interval_refine_unary(tp_term_kind k, const tp_interval *result, tp_interval *a);
bool tp_interval_refine_binary(tp_term_kind k, const tp_interval *result, tp_interval *a,
                               tp_interval *b);
bool tp_interval_refine_compare(tp_term_kind k, const tp_interval *result, tp_interval *a,
                                tp_interval *b);
bool tp_interval_refine_extract(uint32_t hi, uint32_t lo, const tp_interval *result,
                                tp_interval *a);
bool tp_interval_refine_extend(bool is_signed, const tp_interval *result, tp_interval *a);

// ------------------------------------------------------------- bits, for users

static inline tp_u128 tp_interval_mask(uint32_t width) {
  return width >= 128 ? ~(tp_u128)0 : ((tp_u128)1 << width) - 1;
}
static inline tp_u128 tp_interval_sign(uint32_t width) { return (tp_u128)1 << (width - 1); }
/* The number of `width` bits v as a signed integer. */
static inline tp_i128 tp_interval_to_signed(uint32_t width, tp_u128 v) {
  return (tp_i128)(v & tp_interval_sign(width) ? v | ~tp_interval_mask(width) : v);
}

#endif
