/* Which values can this bit-vector term have? A cheap over-approximation, without a solver.
 *
 * What       for a term of at most 64 bits: a small set of constants, or an arithmetic progression
 *            modulo 2^width.
 * Represents set: at[0 .. n). Progression: { lo + k * stride mod 2^width : k * stride <= span },
 *            stride >= 1; wrapping past 2^width is part of the notion, so that signed ranges are
 *            progressions too.
 * Law        every value that tp_eval can give under any valuation is contained.
 * Use        finding the possible cells of an access with symbolic offset, its alignment, and
 *            bounds of lengths.
 * Ownership  answers live in the memo. */
#ifndef TP_FORMULA_VALUE_SETS_H
#define TP_FORMULA_VALUE_SETS_H

#include "term/term.h"

typedef struct {
  uint32_t n;                 // 0: progression
  const uint64_t *at;         // sorted, different
  uint64_t lo, span, stride;  // of a set too: its hull, not wrapping
} tp_value_set;

typedef struct {
  tp_terms *tt;
  tp_arena arena;
  tp_map known;  // term id -> const tp_value_set *
} tp_value_sets;

void tp_value_sets_init(tp_value_sets *m, tp_terms *tt);
void tp_value_sets_clear(tp_value_sets *m);
/* t: BV of 1 .. 64 bits. */
const tp_value_set *tp_value_set_of(tp_value_sets *m, tp_term t);
/* Every value is congruent to *residue modulo the power of two `modulus`; false if that does not
 * follow. */
bool tp_value_set_residue(const tp_value_set *v, uint64_t modulus, uint64_t *residue);
/* Smallest and largest value, unsigned. */
uint64_t tp_value_set_min(const tp_value_set *v, uint32_t width_bits);
uint64_t tp_value_set_max(const tp_value_set *v, uint32_t width_bits);

#endif
