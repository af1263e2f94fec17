/* Bounds of bit-vectors: questions about ranges, which bit-blasting turns into long chains of
 * adders.
 *
 * What       each term gets an interval in the unsigned and one in the signed reading; facts give
 *            bounds to what they compare, and back through sums and extensions to their operands. A
 *            fact that is false within the bounds of all others is a refutation.
 * Represents consequences by intervals alone: no case distinction, no relation between terms. It is
 *            a quick look before a solver is asked.
 * Law        true means that the facts have no model (tested against enumeration); false means
 *            nothing. Terms of other sorts, and of more than 64 bits, have no bounds.
 * Cost       BOUNDS_ROUNDS walks over the facts, each linear in their terms.
 * Source     Benhamou et al. 1999, "Revising hull and box consistency" (HC4). Shares no code with
 *            the intervals of analyses: a checker asks through here. */
#ifndef TP_SMT_VALUE_BOUNDS_H
#define TP_SMT_VALUE_BOUNDS_H

#include "term/term.h"

/* Are these facts together impossible? */
bool tp_bounds_refute(tp_terms *tt, const tp_term *facts, size_t n);

/* The bounds that facts give to terms. Owned by the caller, borrows the terms. */
typedef struct tp_bounds tp_bounds;
tp_bounds *tp_bounds_new(tp_terms *tt, const tp_term *facts, size_t n);
void tp_bounds_free(tp_bounds *b);
bool tp_bounds_are_empty(const tp_bounds *b);  // the facts are impossible
/* Has t one value only? */
bool tp_bounds_value(tp_bounds *b, tp_term t, uint64_t *value);
/* The least and the greatest value of a reading. False: t has no bounds. */
bool tp_bounds_span(tp_bounds *b, tp_term t, bool is_signed, tp_i128 *lo, tp_i128 *hi);
bool tp_bounds_not_negative(tp_bounds *b, tp_term t);  // in the signed reading
/* Is the sum, product or negation t the one of the integers that its arguments are read as: does
 * nothing wrap? Of other terms: no. */
bool tp_bounds_exact(tp_bounds *b, tp_term t, bool is_signed);

#endif
