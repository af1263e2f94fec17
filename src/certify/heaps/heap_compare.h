/* Values of the program's terms, in which comparisons of pointers are as C means them.
 *
 * What       equations between pointers that the program asks for, in a symbolic heap.
 * Represents of pointers that may have one address though they are not the same (doc/semantics.md:
 *            one past an object and the start of another, an object that has ended, numbers, string
 *            literals, locals that are made again) either answer, and nothing is learned from it.
 *            Equations that the check itself makes, of terms that stand for one pointer, are none
 *            of these.
 * Ownership  terms belong to the program's table. */
#ifndef TP_CERTIFY_HEAPS_HEAP_COMPARE_H
#define TP_CERTIFY_HEAPS_HEAP_COMPARE_H

#include "certify/heaps/heap_state.h"

/* The term with program variables replaced by their values; questions about objects (ghosts) are
 * left as they are. */
tp_term tp_chk_heap_evaluate(const tp_chk_heap_world *w, tp_chk_heap_state *s, tp_term t);

#endif
