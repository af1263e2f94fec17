/* Path conditions of the unrolled program.
 *
 * What       conjunctions that grow edge by edge and are joined where paths meet.
 * Represents a tree: a node is its parent's condition and one more conjunct. Two nodes are joined
 * at
 *            their nearest common ancestor, so a join says only what distinguishes the two sides,
 *            and `if (c) .. else ..` leaves no trace behind.
 * Law        the two sides of a join exclude each other: they are different paths of one program
 *            whose branches are deterministic. */
#ifndef TP_CERTIFY_BOUNDED_PATH_H
#define TP_CERTIFY_BOUNDED_PATH_H

#include "term/term.h"

typedef struct {
  uint32_t parent, depth;
  tp_term conjunct;
  tp_term whole;  // conjunction of all up to the root
} tp_cpath_node;
typedef struct {
  tp_terms *tt;
  TP_VEC(tp_cpath_node) nodes;  // [0] is the root: true
  tp_map relative;              // (path, ancestor) -> conjunction of what is between
} tp_cpaths;
void tp_cpaths_init(tp_cpaths *ps, tp_terms *tt);
void tp_cpaths_clear(tp_cpaths *ps);
uint32_t tp_cpath_and(tp_cpaths *ps, uint32_t path, tp_term cond);
static inline tp_term tp_cpath_term(const tp_cpaths *ps, uint32_t path) {
  return ps->nodes.at[path].whole;
}
/* The path "a or b"; picks_a: a condition that holds on a and not on b. */
uint32_t tp_cpath_or(tp_cpaths *ps, uint32_t a, uint32_t b, tp_term *picks_a);

#endif
