/* What runs have in common of numbers that elements decide, as candidates beside facts about
 * elements.
 *
 * What       a sum, a count or a maximum, in a variable or in a cell at a known place, is told by
 *            counters in every state that runs come to; only facts about all elements prove it.
 * Represents guesses: nothing rests on them before they are proved (blocks/universals.h). */
#ifndef TP_BLOCKS_ELEMENTS_MINED_H
#define TP_BLOCKS_ELEMENTS_MINED_H

#include "blocks/mine.h"
#include "blocks/universals.h"

/* Numbers that an iteration makes of a cell of an array: variables, and single cells. */
void tp_elements_find_told(const tp_blocks *b, tp_term_list *out);
/* Adds what was mined of them, TP_BLOCKS_UNIVERSAL_MINED at each node at most. */
void tp_elements_add_mined(tp_universals *u, const tp_term_list *told,
                           const tp_mined_candidates *mined);

#endif
