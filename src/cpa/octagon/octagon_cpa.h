/* Octagon analysis: bounds on sums and differences of two integer variables.
 *
 * What       a relational analysis over the BV variables (2 .. 64 bits) of all active frames and
 *            the globals.
 * Represents each tracked variable stands for the integer that it is in ONE reading: unsigned if
 * its C type is, else signed.
 *            An element is a conjunction of +-x +-y <= c over these integers, every other
 *            variable is within its type. Memory is unconstrained.
 * Wrap       an assignment is taken as one over integers only if the octagon proves which multiple
 *            of 2^width was lost (mostly none); otherwise the variable is havocked, within its
 *            type. Comparisons likewise.
 * Settings   octagon.variables (48): most variables of an element; octagon.widen-after (3): joins
 *            at a loop head before widening; octagon.thresholds (24): most program constants that
 *            widening stops at; octagon.narrow (2): descents below the fixpoint (cpa/descend.h).
 * Source     Mine 2006; numeric/octagon.h. */
#ifndef TP_CPA_OCTAGON_OCTAGON_CPA_H
#define TP_CPA_OCTAGON_OCTAGON_CPA_H

#include "cpa/cpa.h"

extern const tp_cpa_ops tp_cpa_octagon;

#endif
