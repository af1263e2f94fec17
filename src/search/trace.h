/* The path of a test, symbolically.
 *
 * What       a test runs again, and beside it a path formula follows edge by edge, with its inputs
 *            as symbols.
 * Represents the states that runs along the same edges can be in, and under which inputs;
 *            over-approximated as all path formulas are. What depends on no input is a constant.
 * Use        suitable tests. It goes forward only: asked for a state further on in the same test it
 *            goes on from where it is.
 * Ownership  the forest is borrowed. */
#ifndef TP_SEARCH_TRACE_H
#define TP_SEARCH_TRACE_H

#include "search/forest.h"

typedef struct tp_trace tp_trace;
tp_trace *tp_trace_new(const tp_forest *f, uint32_t test);
void tp_trace_free(tp_trace *t);
uint32_t tp_trace_test(const tp_trace *t);
uint64_t tp_trace_steps(const tp_trace *t);
/* Follows the test until so many edges were taken (and the returns from functions behind the
 * last). False: path formulas cannot say it (recursion, functions without body), or the path has
 * grown too large. */
bool tp_trace_follow(tp_trace *t, uint64_t step);
const tp_state *tp_trace_state(const tp_trace *t);
const tp_path *tp_trace_path(const tp_trace *t);
/* Inputs so far: what they were, and their symbols (NONE: it has none). */
const tp_inputs *tp_trace_inputs(const tp_trace *t);
tp_term tp_trace_symbol(const tp_trace *t, size_t input);

#endif
