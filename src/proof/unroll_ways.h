/* Ways: which symbolic states at one place are joined, and which stay apart.
 *
 * What       a key of a state at a location: what its cursors (program/cursors.h) are, as far as
 *            they are constants. States with equal keys are joined; others go on side by side, so
 *            that a parser's next byte stays one byte, and not a choice among all bytes.
 * Represents a partition of paths, of any fineness: joining fewer states loses nothing but time.
 * Ownership  tp_ways_free. */
#ifndef TP_PROOF_UNROLL_WAYS_H
#define TP_PROOF_UNROLL_WAYS_H

#include "formula/symex.h"

typedef struct tp_ways tp_ways;
tp_ways *tp_ways_new(tp_symex *x);
void tp_ways_free(tp_ways *w);
/* Forgets the cells that were seen: objects are numbered anew. */
void tp_ways_restart(tp_ways *w);
/* The edge is about to be executed on s: notes cells of memory that step, and that addresses are
 * made of. */
void tp_ways_see(tp_ways *w, tp_sym *s, tp_edge e);
uint64_t tp_ways_key(tp_ways *w, const tp_sym *s, tp_loc at);

#endif
