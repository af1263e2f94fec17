/* Known bits: which bits of an integer have one value in all states.
 *
 * What       the row `bits` of the table of analyses: a store over the lattice of known bits, and
 *            that lattice's operations.
 * Represents for each bit-vector variable and memory cell the integers whose known bits are those
 *            of `value`; bits of `unknown` are 0 or 1.
 * Invariants value & unknown = 0, and both are below 2^width; no element is empty.
 * Cost       constant, but for products and shifts by an unknown count: linear in the width.
 * Source     Vishwanathan, Shachnai, Narayana, Nagarakatte 2022, "Sound, precise, and fast abstract
 *            interpretation with tristate numbers"; we differ: up to 128 bits, division, shifts by
 *            unknown counts, and backward operators. */
#ifndef TP_CPA_BITS_BITS_CPA_H
#define TP_CPA_BITS_BITS_CPA_H

#include "cpa/store.h"

extern const tp_cpa_ops tp_cpa_bits;

typedef struct {
  uint32_t width;  // 1 .. TP_BV_MAX_BITS
  tp_u128 value, unknown;
} tp_known_bits;

static inline tp_u128 tp_bits_mask(uint32_t width) {  // 0 .. 128 low bits
  return width == 128 ? ~(tp_u128)0 : ((tp_u128)1 << width) - 1;
}
static inline tp_known_bits tp_bits_top(uint32_t width) {
  return (tp_known_bits){width, 0, tp_bits_mask(width)};
}
static inline tp_known_bits tp_bits_constant(uint32_t width, tp_u128 value) {
  return (tp_known_bits){width, value & tp_bits_mask(width), 0};
}
static inline bool tp_bits_contains(const tp_known_bits *x, tp_u128 value) {
  return !((value ^ x->value) & ~x->unknown);
}
// the least and the greatest member in the unsigned reading
static inline tp_u128 tp_bits_least(const tp_known_bits *x) { return x->value; }
static inline tp_u128 tp_bits_greatest(const tp_known_bits *x) { return x->value | x->unknown; }

bool tp_bits_leq(const tp_known_bits *a, const tp_known_bits *b);
tp_known_bits tp_bits_join(const tp_known_bits *a, const tp_known_bits *b);
/* False: no common member; *out is not set. out may be a or b. */
bool tp_bits_meet(const tp_known_bits *a, const tp_known_bits *b, tp_known_bits *out);
/* Members with exchanged sign bit: the signed order becomes the unsigned one. */
tp_known_bits tp_bits_flip_sign(const tp_known_bits *x);
/* Keeps the members of x between low and high (unsigned reading); members outside may stay. False:
 * there are none between; *x is as it was. */
bool tp_bits_between(tp_known_bits *x, tp_u128 low, tp_u128 high);

/* Bounds in both readings. False: wider than 64 bits. */
bool tp_bits_range(const tp_known_bits *x, tp_range *out);
/* Above all integers of the range, which is not top; width 1 .. 64. False: there are none. */
bool tp_bits_of_range(uint32_t width, const tp_range *r, tp_known_bits *out);

tp_known_bits tp_bits_not(const tp_known_bits *a);
tp_known_bits tp_bits_add(const tp_known_bits *a, const tp_known_bits *b);
tp_known_bits tp_bits_negate(const tp_known_bits *a);

/* The kind and payload of t, a bit-vector, on bit-vector arguments. Law: contains tp_eval on all
 * members. Kinds that it does not interpret give top. */
tp_known_bits tp_bits_apply(const tp_terms *tt, tp_term t, const tp_known_bits *args);
/* Is `a k b` decided, for a comparison k? False: no, *out is not set. */
bool tp_bits_compare(tp_term_kind k, const tp_known_bits *a, const tp_known_bits *b, bool *out);

/* Backward: the arguments lose only members that no member of result needs. False: no arguments
 * give a member of result; the arguments are then undefined. */
bool tp_bits_refine(const tp_terms *tt, tp_term t, const tp_known_bits *result,
                    tp_known_bits *args);
bool tp_bits_refine_comparison(tp_term_kind k, bool holds, tp_known_bits *a, tp_known_bits *b);

#endif
