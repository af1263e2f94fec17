/* Leaks on the path of a segment: witnesses in the place of "there is".
 *
 * What       the ghosts `lost` (some live heap object is out of reach) and `heap` (how many there
 *            are) speak of all objects. Where an edge asks for them, a symbol stands for an object
 *            that makes the answer so: whoever shows that there is no such object has the answer.
 * Law        if the condition of a witness holds, its object can be chosen among the heap objects
 *            of that state so that all that is known of it is true.
 * Cost       an ITE for each question; facts about variables that hold pointers. */
#ifndef TP_CERTIFY_SYMBOLIC_LEAK_WITNESS_H
#define TP_CERTIFY_SYMBOLIC_LEAK_WITNESS_H

#include "certify/symbolic/executor.h"

/* Is memory lost here? is_lost: a symbol for the answer, or the answer. */
tp_term tp_chk_leak_condition(tp_chk_exec *g, tp_term is_lost);
/* An edge asks how many objects are on the heap. */
void tp_chk_leak_assume_heap_object(tp_chk_exec *g);
/* "The witness was not live when it was asked for", of those whose condition is known to hold:
 * goals that no state here meets. Adds them. */
void tp_chk_leak_denials(const tp_chk_exec *g, tp_term_list *out);

#endif
