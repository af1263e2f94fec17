/* One heap, found with some calls, bound as the only pre-state of another execution.
 *
 * What       parameters, members, elements, globals and existing objects get exactly the values of
 *            an instance; what the other heap does not have stays open.
 * Represents relations of the two heaps correspond by their names, atoms by type and place, inner
 *            and static ones by name.
 * Ownership  borrows all three; both heaps are of one program and of equal limits, with bounds. */
#ifndef TP_CONTRACTS_MODULAR_HEAP_FIX_H
#define TP_CONTRACTS_MODULAR_HEAP_FIX_H

#include "contracts/modular/relational_heap.h"

void tp_rheap_fix(const tp_rheap *from, const tp_rel_instance *i, tp_rheap *to);

#endif
