/* Intervals: between which bounds every number stays.
 *
 * What       a store over numeric/number.h: machine integers in both readings, Bools, floats,
 *            offsets of pointers.
 * Represents conjunctions of bounds on variables and memory cells.
 * Widening   a matter of precision: see state.c.
 * Source     Cousot & Cousot 1977, sec. 9; Theoduloz 2010, sec. 3.3.1 and 4.3.1 (widening needs the
 *            reached set, so it is the work of prec, not of merge). */
#ifndef TP_CPA_INTERVAL_INTERVAL_CPA_H
#define TP_CPA_INTERVAL_INTERVAL_CPA_H

#include "cpa/store.h"
#include "numeric/number.h"

extern const tp_cpa_ops tp_cpa_interval;

/* The lattice by itself. Handles are indices of hash-consed numbers. Settings of its analysis:
 * widen-after, thresholds, narrow. */
extern const tp_store_values tp_interval_values;
tp_number tp_interval_value(const void *lattice, tp_absval v);  // v is not top
/* From now on widened bounds rest at the thresholds of this function. */
void tp_interval_use_thresholds_of(void *lattice, tp_func f);
uint64_t tp_interval_widen_after(const void *lattice);  // growths; 0: never
uint32_t tp_interval_descents(const void *lattice);     // the setting narrow

/* The integers that a function, and then the rest of the program, compares with and computes with,
 * and their neighbours: at most `most` constants, those of the function's conditions first.
 * Ascending. */
typedef TP_VEC(tp_i128) tp_threshold_list;
void tp_interval_collect_thresholds(const tp_program *p, tp_func f, size_t most,
                                    tp_threshold_list *out);

#endif
