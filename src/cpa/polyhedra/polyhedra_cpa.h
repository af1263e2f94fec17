/* Polyhedra: linear relations between up to eight integer variables of a function.
 *
 * What       a relational analysis over the BV variables (2 .. 32 bits) of each function that
 *            matter most; numeric/polyhedra.h computes.
 * Represents each tracked variable stands for the integer that it is in the reading of its C type.
 * An element is a polyhedron for each active
 *            frame; all other variables, and memory, are unconstrained.
 * Wrap       an assignment or a comparison is taken as one over integers only if the bounds of the
 *            polyhedron and the types leave a single multiple of 2^width that may be lost;
 *            otherwise the variable is havocked, or the condition is ignored.
 * Settings   polyhedra.widen-after (2): joins at a loop head before widening
 * Limits     without the helper program, or where it gives up, the result is top (sound).
 * Source     Cousot, Halbwachs 1978; Simon, King 2007 (wrapping); we differ: what may wrap is
 *            havocked. */
#ifndef TP_CPA_POLYHEDRA_POLYHEDRA_CPA_H
#define TP_CPA_POLYHEDRA_POLYHEDRA_CPA_H

#include "cpa/cpa.h"

extern const tp_cpa_ops tp_cpa_polyhedra;

#endif
