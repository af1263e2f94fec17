/* Random compositions of analyses: any row of the table of analyses, put together in any way that is allowed.
 *
 * What       a text for cpa/composition.h: components, nesting, merge, stop, transfer, adjust, compare, waitlist, settings.
 * Law        accepted by tp_composition_check; has location and callstack, so that it can prove something. */
#ifndef TP_FUZZ_COMPOSITIONS_H
#define TP_FUZZ_COMPOSITIONS_H

#include "tape.h"

void composition_make(tape *t, tp_str *out);

#endif
