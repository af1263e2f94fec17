/* Path analysis: the way that a run came, and interrupts on it. Its operators and laws: README.md.
 */
#ifndef TP_CPA_PATH_PATH_CPA_H
#define TP_CPA_PATH_PATH_CPA_H

#include "cpa/cpa.h"

extern const tp_cpa_ops tp_cpa_path;

/* The locations of a path, first to last; in the arena. 0: any path. */
size_t tp_path_locations(const tp_elem *e, tp_arena *arena, tp_loc **out);
/* The precision that interrupts at these locations. */
const tp_prec *tp_path_interrupts(tp_cpa *self, const tp_loc *at, size_t n);

#endif
