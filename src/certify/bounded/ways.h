/* Ways through an unrolled program: paths that meet at a visit and are kept apart.
 *
 * What       a number for the current path: what its cursors (program/cursors.h) are, as far as
 *            they are constants, in the function where it is and in those that wait for it.
 * Law        paths with different numbers are not merged, which changes no answer: each of them is
 *            followed on its own (symbolic/README.md, step 5).
 * Ownership  tp_chk_ways_free. */
#ifndef TP_CERTIFY_BOUNDED_WAYS_H
#define TP_CERTIFY_BOUNDED_WAYS_H

#include "certify/symbolic/executor.h"

typedef struct tp_chk_ways tp_chk_ways;
tp_chk_ways *tp_chk_ways_new(const tp_program *p);
void tp_chk_ways_free(tp_chk_ways *w);
/* The edge is about to be taken: notes cells of memory that step, and that addresses are made of.
 */
void tp_chk_ways_see(tp_chk_ways *w, tp_chk_exec *g, tp_edge e);
/* caller: the number at this call, which the path is about to follow. */
uint64_t tp_chk_ways_of_call(tp_chk_ways *w, tp_chk_exec *g, uint64_t caller, tp_edge call);
/* The path has come to a place. */
uint64_t tp_chk_ways_here(tp_chk_ways *w, tp_chk_exec *g, uint64_t caller);

#endif
