/* Three truth values: 0, 1 and 1/2 (unknown).
 *
 * What       the values, their connectives, their information order; sixty-four of them at a time
 *            in two words.
 * Represents two bits: `may` (the value is possibly true) and `must` (it is definitely true). 0 is
 *            00, 1/2 is 01, 1 is 11, so conjunction and disjunction (minimum and maximum) are & and
 *            | of the bits.
 * Invariants must implies may; the pattern 10 does not occur. In a vector bits beyond its length
 *            are 0.
 * Source     Kleene 1952; Sagiv, Reps, Wilhelm 2002, sec. 2.4. A definite value is below 1/2: it
 *            says more. */
#ifndef TP_SHAPE_KLEENE_H
#define TP_SHAPE_KLEENE_H

#include <stdbool.h>
#include <stdint.h>

typedef enum { TP_KLEENE_FALSE = 0, TP_KLEENE_HALF = 1, TP_KLEENE_TRUE = 3 } tp_kleene;

static inline tp_kleene tp_kleene_of(bool may, bool must) {
  return (tp_kleene)((may ? 1u : 0u) | (must ? 2u : 0u));
}
static inline tp_kleene tp_kleene_not(tp_kleene a) {
  return a == TP_KLEENE_HALF ? a : (tp_kleene)(a ^ 3u);
}
static inline tp_kleene tp_kleene_and(tp_kleene a, tp_kleene b) {
  return (tp_kleene)((unsigned)a & (unsigned)b);
}
static inline tp_kleene tp_kleene_or(tp_kleene a, tp_kleene b) {
  return (tp_kleene)((unsigned)a | (unsigned)b);
}
/* Least upper bound of the information order: 0 and 1 join to 1/2. */
static inline tp_kleene tp_kleene_join(tp_kleene a, tp_kleene b) {
  return a == b ? a : TP_KLEENE_HALF;
}
static inline bool tp_kleene_leq(tp_kleene a, tp_kleene b) { return a == b || b == TP_KLEENE_HALF; }

/* A vector of up to 64 values: bit i of either word belongs to value i. */
typedef struct {
  uint64_t may, must;
} tp_k64;

static inline uint64_t tp_k64_all(uint32_t n) {
  return n >= 64 ? UINT64_MAX : ((uint64_t)1 << n) - 1;
}
static inline uint64_t tp_k64_bit(uint32_t i) { return (uint64_t)1 << i; }
static inline tp_k64 tp_k64_fill(tp_kleene v, uint64_t mask) {
  return (tp_k64){v == TP_KLEENE_FALSE ? 0 : mask, v == TP_KLEENE_TRUE ? mask : 0};
}
static inline tp_kleene tp_k64_get(tp_k64 a, uint32_t i) {
  return tp_kleene_of((a.may >> i) & 1, (a.must >> i) & 1);
}
static inline void tp_k64_set(tp_k64 *a, uint32_t i, tp_kleene v) {
  const uint64_t bit = tp_k64_bit(i);
  a->may = v == TP_KLEENE_FALSE ? a->may & ~bit : a->may | bit;
  a->must = v == TP_KLEENE_TRUE ? a->must | bit : a->must & ~bit;
}
/* mask: the values that exist. */
static inline tp_k64 tp_k64_not(tp_k64 a, uint64_t mask) {
  return (tp_k64){~a.must & mask, ~a.may & mask};
}
static inline tp_k64 tp_k64_and(tp_k64 a, tp_k64 b) {
  return (tp_k64){a.may & b.may, a.must & b.must};
}
static inline tp_k64 tp_k64_or(tp_k64 a, tp_k64 b) {
  return (tp_k64){a.may | b.may, a.must | b.must};
}
/* c ? a : b, which is a's value where a and b agree, whatever c is. */
static inline tp_k64 tp_k64_choose(tp_k64 c, tp_k64 a, tp_k64 b, uint64_t mask) {
  return tp_k64_or(tp_k64_or(tp_k64_and(c, a), tp_k64_and(tp_k64_not(c, mask), b)),
                   tp_k64_and(a, b));
}
/* Every value of a is equal to its value in b or 1/2 there. */
static inline bool tp_k64_leq(tp_k64 a, tp_k64 b) {
  return !(a.may & ~b.may) && !(b.must & ~a.must);
}
static inline bool tp_k64_eq(tp_k64 a, tp_k64 b) { return a.may == b.may && a.must == b.must; }
static inline uint64_t tp_k64_half(tp_k64 a) { return a.may & ~a.must; }

#endif
