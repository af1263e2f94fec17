/* Calls on symbolic heaps: into a context of the certificate, or as a whole, by a contract.
 *
 * What       what is behind a call edge, and behind the end of a function's body.
 * Law        a function gets the heap that its contract names, and nothing else of its caller's:
 *            what is left of the heap is the same behind the call (frame rule). The callee's
 *            variables are its own, also where it is active below.
 * Source     O'Hearn, Reynolds, Yang 2001. */
#ifndef TP_CERTIFY_HEAPS_HEAP_CALLS_H
#define TP_CERTIFY_HEAPS_HEAP_CALLS_H

#include "certify/heaps/heap_exec.h"

/* The states behind join c->todo; both take the state over. */
void tp_chk_heaps_call(tp_chk_heaps *c, tp_chk_heap_state *s, tp_edge e);
void tp_chk_heaps_leave(tp_chk_heaps *c, tp_chk_heap_state *s);

#endif
