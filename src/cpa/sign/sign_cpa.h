/* Sign analysis: which of negative, zero and positive a variable can be.
 *
 * What       the row `sign` of the table of analyses: a store over the lattice of sets of signs.
 * Represents for each bit-vector variable and memory cell a set of signs, in the signed reading.
 * Source     Cousot, Cousot 1979, sec. 7 ("rule of signs"); we differ: sums and negations wrap
 *            around. */
#ifndef TP_CPA_SIGN_SIGN_CPA_H
#define TP_CPA_SIGN_SIGN_CPA_H

#include "cpa/store.h"

extern const tp_cpa_ops tp_cpa_sign;

#endif
