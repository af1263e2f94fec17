/* Explicit heaps: each element is one heap, cell by cell, with what variables hold.
 *
 * What       values of variables, and cells with explicit fields (numbers, pointers), followed up
 *            to thresholds: of cells below a pointer, of different values of a variable or of a
 *            field.
 * Represents see cpa/explicit.h. Elements that differ in the names of cells alone are equal: cells
 * are numbered along the variables.
 * Precision  what is not tracked any more: variables, fields, kinds of cells. A kind is all objects
 *            of one size, and what their pointers cannot tell apart; when a pointer has more cells
 *            below it than its threshold, its kind leaves, with all pointers of the kind at once.
 * Settings   heap.cells, heap.values = N | inf, with exceptions for variables by name: "3 a=5
 *            b=inf"; heap.data = N | inf (values of fields); heap.liveness = on | off (README.md)
 * Source     Theoduloz 2010, sec. 4.4.4 (E+, H+); we differ: *more than* k; k counts the cells that
 *            a pointer reaches, not the longest path (which is hard to find); a pointer that leaves
 *            takes its kind along; memory is that of C. */
#ifndef TP_CPA_HEAP_HEAP_CPA_H
#define TP_CPA_HEAP_HEAP_CPA_H

#include "cpa/cpa.h"

extern const tp_cpa_ops tp_cpa_heap;

#endif
