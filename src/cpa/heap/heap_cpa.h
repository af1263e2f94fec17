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

// ------------------------------------------------------------ samples, for refiners

/* A heap in which cells can be reached from a pointer: as many as setting cells asks for. */
typedef struct {
  const tp_explicit_heap *heap;
  tp_term pointer;  // to one of its cells
} tp_heap_sample;

/* With start = off no cell is followed, and no pointer, until a refiner asks for all cells of this
 * size; then everything has to be explored again. With over = interrupt the run is interrupted as
 * soon as there are as many different samples as setting samples says. Following begins without
 * samples and ends with unfollow. false: no kind of cells has this size. */
bool tp_heap_follow(tp_cpa *cpa, uint64_t size_bytes);
void tp_heap_unfollow(tp_cpa *cpa, uint64_t size_bytes);
bool tp_heap_is_followed(const tp_cpa *cpa, uint64_t size_bytes);
bool tp_heap_can_sample(const tp_cpa *cpa);  // start = off and over = interrupt
const tp_heap_sample *tp_heap_samples_of(const tp_cpa *cpa, size_t *n);

#endif
