/* Accesses of slots: pointers in an object whose places no number tells, as those of a table.
 *
 * What       which slot an offset names, the cases of that, and what stands there.
 * Law        a structure that no field holds becomes a part of the state when its slot is named, so
 *            that it is there once. Slots that have a value of their own are pairwise apart.
 * Source     Gopan, Reps, Sagiv 2005 (one cell of an array told from the others, "focus"); we
 *            differ: what the others hold is a structure each. */
#ifndef TP_CERTIFY_HEAPS_HEAP_SLOTS_H
#define TP_CERTIFY_HEAPS_HEAP_SLOTS_H

#include "certify/heaps/heap_state.h"

typedef struct {
  const tp_chk_heap_world *w;
  tp_chk_heap_ask holds;
  void *ctx;
} tp_chk_heap_judge;

/* Is it open whether the offset, in this object, is that of a slot with a value of its own? Then
 * *a and *b are two offsets of which it must be told whether they are equal. */
bool tp_chk_heap_slot_is_open(const tp_chk_heap_judge *j, tp_chk_heap_state *s, uint32_t object,
                              tp_term offset, tp_term *a, tp_term *b);
/* What the slot there holds, to be read or written; NULL: this is not shown to be one. */
tp_term *tp_chk_heap_slot_at(const tp_chk_heap_judge *j, tp_chk_heap_state *s, uint32_t object,
                             tp_term offset);
/* n bytes at an offset, not those of a slot as a whole, get any values. */
void tp_chk_heap_write_beside(const tp_chk_heap_judge *j, tp_chk_heap_state *s, uint32_t object,
                              tp_term offset, uint64_t n);

#endif
