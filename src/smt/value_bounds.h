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

#endif
