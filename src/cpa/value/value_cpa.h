/* Explicit values: each element is one valuation of variables and cells.
 *
 * What       the store over the lattice of constants (bit-vectors up to 128 bits, Bools, floats,
 *            pointers to known objects, memory cells) without joins; each lvalue (variable, cell)
 * is tracked up to a number of different values. Represents conjunctions of lvalue = constant.
 * Precision  the lvalues that are tracked no more. One that had more than `threshold` values at the
 *            same merge key is dropped, and stays dropped along this branch.
 * Refinement precision = location, function or global: only lvalues added by tp_value_track are
 *            tracked, without limit if no threshold is given. The set of tracked lvalues belongs to
 *            the analysis and only grows.
 * Settings   threshold = N | inf (50)      memory = on | off (on)      points-to = on | off (off)
 *            precision = all (default) | location | function | global lift = on | off (off): a
 *            refinement that needs an lvalue which the threshold dropped frees it from the
 * threshold unknown = stays (default) | leaves | infer: what becomes of a variable that a step left
 * without a value; leaves: it is dropped, infer: it is only offered to neighbours as if it were
 * (adjust = precision-transfer). threshold = 0 means leaves Source     Theoduloz 2010, sec. 4.2
 * (E+, C+); we differ: an lvalue is dropped when the number of its values exceeds the threshold,
 * and the dropped lvalue leaves the precision; memory is that of C. */
#ifndef TP_CPA_VALUE_VALUE_CPA_H
#define TP_CPA_VALUE_VALUE_CPA_H

#include "cpa/cpa.h"

extern const tp_cpa_ops tp_cpa_value;

/* Does the analysis track only lvalues that refinement adds? */
bool tp_value_is_refined(const tp_cpa *self);
/* Can refinement increase the precision: by adding lvalues, or by lifting thresholds? */
bool tp_value_can_grow(const tp_cpa *self);
/* Track an lvalue (tp_store_lvalue_term) at a location, or by the setting for its function or the
 * program. False: it was tracked already. */
bool tp_value_track(tp_cpa *self, tp_loc at, tp_term lvalue);
/* The same for exactly this location, or (NONE) this function, or (NONE) everywhere, whatever the
 * setting. */
bool tp_value_track_for(tp_cpa *self, tp_loc at, tp_func func, tp_term lvalue);
size_t tp_value_n_tracked(const tp_cpa *self);
/* Everything tracked, in the order in which it came. at: NONE unless for a location; func: NONE if
 * everywhere. */
void tp_value_each_tracked(const tp_cpa *self,
                           void (*visit)(void *ctx, tp_loc at, tp_func func, tp_term lvalue),
                           void *ctx);
/* Was it dropped anywhere, by a threshold or by tp_value_drop, and not kept since? */
bool tp_value_is_dropped(const tp_cpa *self, tp_term lvalue);
/* A variable that is dropped from the start, in elements that are made later. False: it is no
 * variable, or was dropped already. */
bool tp_value_drop(tp_cpa *self, tp_term lvalue);
/* Thresholds end for this lvalue, in elements that are made later (setting lift). False: they had,
 * or cannot. */
bool tp_value_lift_threshold(tp_cpa *self, tp_term lvalue);
bool tp_value_lifts_thresholds(const tp_cpa *self);
void tp_value_each_dropped(const tp_cpa *self, void (*visit)(void *ctx, tp_term lvalue), void *ctx);
/* One step with everything tracked; NULL: it cannot be taken. */
const tp_elem *tp_value_step(tp_cpa *self, const tp_elem *e, const tp_step *step);

#endif
