/* Constant propagation: which variables have one value.
 *
 * What       the flat lattice of constants over bit-vector variables, as two rows of the table:
 *            `constant` (no location of its own, join, to be composed with a location analysis) and
 *            `constant-location` (the location is a part of the element).
 * Represents conjunctions of x = c.
 * Source     Theoduloz 2010, sec. 3.2.1 (CO), 3.2.5 (CO'); we differ: machine integers. */
#ifndef TP_CPA_CONSTANT_CONSTANT_CPA_H
#define TP_CPA_CONSTANT_CONSTANT_CPA_H

#include "cpa/store.h"

extern const tp_cpa_ops tp_cpa_constant;           // CO'
extern const tp_cpa_ops tp_cpa_constant_location;  // CO

/* The flat lattice by itself, for other analyses: bit-vectors, Bools and floats (as bits). */
extern const tp_store_values tp_constant_values;

#endif
