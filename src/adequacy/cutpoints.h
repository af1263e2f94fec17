/* Cutpoints: where states are abstracted.
 *
 * What       for each choice the set of locations at which segments end, beside the heads of loops,
 *            which always are.
 * Represents CALLS: entries and exits of functions, before and behind every call. ALL: also every
 *            location in front of a statement: no intermediate value is pending there, it does not
 *            only lie behind a check of the property or inside of the entry or the end of a
 *            function.
 * Law        a larger choice contains the smaller ones; every cycle of the program passes a
 *            cutpoint with each. */
#ifndef TP_ADEQUACY_CUTPOINTS_H
#define TP_ADEQUACY_CUTPOINTS_H

#include "adequacy/adequacy.h"

/* By location; to be freed. */
bool *tp_cutpoints_find(const tp_program *p, tp_property property, tp_cutpoints choice);

#endif
