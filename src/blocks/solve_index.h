/* The index of which an equation of addresses speaks.
 *
 * What       solves an equation of sums for an index that occurs once, under a constant factor and
 *            perhaps extended to a wider width.
 * Represents a guess: whoever uses the index shows by itself what it needs of it. */
#ifndef TP_BLOCKS_SOLVE_INDEX_H
#define TP_BLOCKS_SOLVE_INDEX_H

#include "term/term.h"

/* equation: an EQ of bit-vectors of at most 64 bits. False: it has another form. */
bool tp_solve_index(tp_terms *tt, tp_term equation, tp_term index, tp_term *out);

#endif
