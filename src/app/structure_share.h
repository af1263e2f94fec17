/* Invariants that one process of a run has found, for those that come later: the other properties
 * of an entry, other functions of a module.
 *
 * What       memory that processes share; each finding stands under the structures that it is
 * about. Represents what this run has shown itself, of the same files with the same options. Law a
 * finding that does not fit, or is cut off, is none: it is looked for again. Ownership  the memory
 * is released by who made it; what is read lives in the caller's arena. */
#ifndef TP_APP_STRUCTURE_SHARE_H
#define TP_APP_STRUCTURE_SHARE_H

#include "app/structure_search.h"

typedef struct tp_shared_structures tp_shared_structures;
tp_shared_structures *tp_shared_structures_new(void);
void tp_shared_structures_free(tp_shared_structures *x);
/* Adds what was found, as far as there is room. NULL: nobody shares. */
void tp_shared_structures_put(tp_shared_structures *x, const tp_structure_finding *f);
/* The finding about these structures becomes f's. False: there is none. */
bool tp_shared_structures_take(const tp_shared_structures *x, tp_structure_finding *f,
                               tp_arena *arena);

#endif
