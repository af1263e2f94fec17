/* Explicit values: each element is one way in which the program has set its variables.
 *
 * What       the store over the lattice of constants (bit-vectors up to 128 bits, Bools, floats, pointers to known objects,
 *            memory cells) without joins; each place (variable, cell) is tracked up to a number of different values.
 * Represents conjunctions of place = constant.
 * Precision  the places that are tracked no more. One that had more than `threshold` values at the same merge key is dropped, and
 *            stays dropped along this branch.
 * Settings   threshold = N | inf (50)      memory = on | off (on)      points-to = on | off (off)
 * Source     Theoduloz 2010, sec. 4.2 (E+, C+); we differ: a place is dropped when the number of its values exceeds the
 *            threshold, and the dropped place leaves the precision; memory is that of C. */
#ifndef TP_CPA_VALUE_VALUE_H
#define TP_CPA_VALUE_VALUE_H

#include "cpa/cpa.h"

extern const tp_cpa_ops tp_cpa_value;

#endif
