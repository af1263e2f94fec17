/* Structure properties by name, for `twoproof check`: plain C, so that every engine, every replay and every certificate means the same by them.
 *
 *   #include "tp_shape.h"          // -I build/lib/spec
 *   TP_MUST_BE_ACYCLIC(struct node, list, next);
 *
 * Each is a statement that calls reach_error() if the heap does not have the property. `type` is the type of cells, `first` a pointer to the first one, or
 * null; the others are names of fields. */
#ifndef TP_SHAPE_H
#define TP_SHAPE_H

void reach_error(void);

/* A list that ends: following `next` comes to null. A walk with two speeds: on a cycle the fast one meets the slow one (Floyd). */
#define TP_MUST_BE_ACYCLIC(type, first, next)                                          \
  do {                                                                                 \
    type *tp_slow = (first), *tp_fast = tp_slow;                                       \
    while (tp_fast && tp_fast->next) {                                                 \
      tp_slow = tp_slow->next;                                                         \
      tp_fast = tp_fast->next->next;                                                   \
      if (tp_slow == tp_fast && tp_slow) reach_error();                                \
    }                                                                                  \
  } while (0)

/* Forth and back is back, from each cell that `next` leads to. Does not end on a list that does not. */
#define TP_MUST_BE_DOUBLY_LINKED(type, first, next, prev)                              \
  do {                                                                                 \
    for (type *tp_cell = (first); tp_cell; tp_cell = tp_cell->next)                    \
      if (tp_cell->next && tp_cell->next->prev != tp_cell) reach_error();              \
  } while (0)

#endif
