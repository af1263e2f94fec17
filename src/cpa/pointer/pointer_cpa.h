/* Pointers: to which objects each of them may lead, beside constants.
 *
 * What       the store over the lattice of constants with sets of targets and a real join: one
 *            element for each place is a points-to analysis of C memory (variables, fields, array
 *            cells), allocations included.
 * Represents conjunctions of place = constant, and of place in { (object, offset), ... }: statics,
 *            stack objects, null, the newest object of each allocation site. Two targets mean two
 *            objects. What a loop allocated before its newest object has no name: pointers to it
 *            are top.
 * Settings   pointer.targets (8): most targets of a pointer, 1 to 8; pointer.liveness = on | off
 *            (on)
 * Source     analysis A of Theoduloz 2010, sec. 3.2.7, 3.4 (Fischer, Jhala, Majumdar 2005), whose
 *            inside is not given there; Andersen 1994 (sets of targets); Balakrishnan, Reps 2006
 *            (the newest object of a site). */
#ifndef TP_CPA_POINTER_POINTER_CPA_H
#define TP_CPA_POINTER_POINTER_CPA_H

#include "cpa/cpa.h"

extern const tp_cpa_ops tp_cpa_pointer;

#endif
