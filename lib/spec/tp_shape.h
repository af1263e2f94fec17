/* Structure properties by name, for `twoproof check`: plain C, so that every engine, every replay and every certificate means the same by them.
 *
 *   #include "tp_shape.h"          // -I build/lib/spec
 *   TP_MUST_BE_ACYCLIC(struct node, list, next);
 *
 * TP_MUST_BE_... is a statement that calls reach_error() if the heap does not have the property; TP_IS_... is a condition, 0 or 1, for assertions:
 *
 *   assert(TP_IS_TREE(struct node, root, left, right));
 *
 * `type` is the type of cells, `first` or `root` a pointer to the first one, or null; the others are names of fields. Nothing is written but locals: what was visited is
 * known by the walk, or from the calls that are active, so heaps are not changed and no memory is held. The conditions are expressions of GNU C (`({ })`). */
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

/* As TP_MUST_BE_ACYCLIC. */
#define TP_IS_ACYCLIC(type, first, next)                                               \
  ({                                                                                   \
    const type *tp_slow = (first), *tp_fast = tp_slow;                                 \
    int tp_is = 1;                                                                     \
    while (tp_fast && tp_fast->next) {                                                 \
      tp_slow = tp_slow->next;                                                         \
      tp_fast = tp_fast->next->next;                                                   \
      if (tp_slow == tp_fast && tp_slow) {                                             \
        tp_is = 0;                                                                     \
        break;                                                                         \
      }                                                                                \
    }                                                                                  \
    tp_is;                                                                             \
  })

/* A ring: there is a first cell, and following `next` comes back to it. Where two speeds meet is on the cycle; once around from there must pass the first cell. */
#define TP_IS_CYCLIC(type, first, next)                                                \
  ({                                                                                   \
    const type *const tp_first = (first), *tp_slow = tp_first, *tp_fast = tp_first;    \
    int tp_is = 0;                                                                     \
    while (tp_fast && tp_fast->next) {                                                 \
      tp_slow = tp_slow->next;                                                         \
      tp_fast = tp_fast->next->next;                                                   \
      if (tp_slow == tp_fast) break;                                                   \
    }                                                                                  \
    if (tp_fast && tp_fast->next) {                                                    \
      tp_fast = tp_slow;                                                               \
      while (tp_fast != tp_first && tp_fast->next != tp_slow) tp_fast = tp_fast->next; \
      tp_is = tp_fast == tp_first;                                                     \
    }                                                                                  \
    tp_is;                                                                             \
  })

/* The number `key` of a cell is at most that of the next one, from the first cell to the end. Does not end on a ring whose numbers are all equal. */
#define TP_IS_SORTED(type, first, next, key)                                           \
  ({                                                                                   \
    const type *tp_cell = (first);                                                     \
    int tp_is = 1;                                                                     \
    for (; tp_is && tp_cell && tp_cell->next; tp_cell = tp_cell->next)                 \
      tp_is = tp_cell->key <= tp_cell->next->key;                                      \
    tp_is;                                                                             \
  })

/* A binary tree: following `left` and `right` from the root comes to each cell in one way only, so there is neither a cycle nor a cell that two links lead to. */
#define TP_IS_TREE(type, root, left, right) \
  tp_shape_is_tree((root), __builtin_offsetof(type, left), __builtin_offsetof(type, right))
/* Some cell below the root is the target of two links, or of a link and of `root`: a cycle counts. */
#define TP_IS_SHARED(type, root, left, right) (!TP_IS_TREE(type, root, left, right))

/* A cell with those above it on the way from the root. */
struct tp_shape_way {
  const void *cell;
  const struct tp_shape_way *up;
};

static inline const void *tp_shape_target(const void *cell, unsigned long link) {
  return *(const void *const *)((const char *)cell + link);
}

/* The number of ways from `at` to `cell`, 2 standing for more. The heap has no cycle. */
static inline int tp_shape_ways(const void *at, const void *cell, unsigned long left, unsigned long right) {
  int n = at == cell;
  if (!at || n) return n;
  n = tp_shape_ways(tp_shape_target(at, left), cell, left, right);
  if (n < 2) n += tp_shape_ways(tp_shape_target(at, right), cell, left, right);
  return n < 2 ? n : 2;
}

/* No cell below `at` is on the way to itself. */
static inline int tp_shape_has_end(const void *at, const struct tp_shape_way *up, unsigned long left, unsigned long right) {
  const struct tp_shape_way here = {at, up};
  if (!at) return 1;
  for (const struct tp_shape_way *w = up; w; w = w->up)
    if (w->cell == at) return 0;
  return tp_shape_has_end(tp_shape_target(at, left), &here, left, right) && tp_shape_has_end(tp_shape_target(at, right), &here, left, right);
}

/* One way from `root` to each cell below `at`. */
static inline int tp_shape_one_way(const void *root, const void *at, unsigned long left, unsigned long right) {
  return !at || (tp_shape_ways(root, at, left, right) == 1 && tp_shape_one_way(root, tp_shape_target(at, left), left, right) &&
                 tp_shape_one_way(root, tp_shape_target(at, right), left, right));
}

static inline int tp_shape_is_tree(const void *root, unsigned long left, unsigned long right) {
  return tp_shape_has_end(root, 0, left, right) && tp_shape_one_way(root, root, left, right);
}

#endif
