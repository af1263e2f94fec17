/* Layout: what is known of addresses at every node, whatever the abstraction.
 *
 * What       the address of a local leads to a live stack object of its size, those of two locals
 *            to different objects; every other pointer is null or leads into a live object, of the
 *            heap or of a frame, a pointer to a struct to a whole one; a pointer in a struct does
 *            not lead to the struct itself; parameters are what the active calls passed.
 * Represents invariants, proved together (blocks/houdini.h). Predicates speak of values; without
 *            these facts a state could be fabricated whose locals lie over each other.
 * Ownership  terms live in the program's table. */
#ifndef TP_ADEQUACY_LAYOUT_H
#define TP_ADEQUACY_LAYOUT_H

#include "blocks/houdini.h"

/* out: by node, a conjunction; true where nothing is known. */
void tp_layout_find(const tp_blocks *b, tp_houdini_options o, tp_term *out);

#endif
