/* Summaries of functions by abstract interpretation: the file to read after
 * contracts/summarise/summary_state.h.
 *
 * What       for each function of a program, what it does to the heap, as intervals over the state
 * in which it is called. No property is needed, nothing is bounded: heaps of any size, loops of any
 * number of rounds. Represents runs that return. A run that fails, or ends the program, is in no
 * summary. Cost       one analysis for each function (recursive ones: a few), each statement
 * visited a constant number of times. Ownership  borrows the object model; owns bounds and
 * templates. Source     Taghdiri 2008, chapter 4. */
#ifndef TP_CONTRACTS_SUMMARISE_SUMMARISE_H
#define TP_CONTRACTS_SUMMARISE_SUMMARISE_H

#include "contracts/summarise/summary_state.h"

typedef struct tp_rsums tp_rsums;

tp_rsums *tp_rsums_new(const tp_object_model *u, tp_rsum_limits limits);
void tp_rsums_free(tp_rsums *s);
/* The function has a body. Computed once. */
const tp_rsum_template *tp_rsums_of(tp_rsums *s, tp_func f);

tp_rbounds *tp_rsums_bounds(tp_rsums *s);
uint32_t tp_rsums_n_places(const tp_rsums *s);
const tp_rsum_place *tp_rsums_place(const tp_rsums *s, uint32_t place);
/* The interval of a global variable where the function returns. */
tp_rinterval tp_rsums_global(const tp_rsums *s, const tp_rsum_template *f, tp_var global);
/* What the bounds call a parameter, a global, `\alloc`. */
tp_rbound tp_rsums_name_of_var(tp_rsums *s, tp_var v);
tp_rbound tp_rsums_alloc(tp_rsums *s);

#endif
