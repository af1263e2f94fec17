/* Suitable tests: does a run go where a test was, and then over the frontier?
 *
 * What       the path of a test up to a state, as conditions over its inputs, and the condition of
 *            an abstract step out of that state: one question to the solver; a model becomes the
 *            inputs of a test, which is run.
 * Represents FOUND: the test was in the step's target when it ran. NONE: no run on this path takes
 *            the step. UNKNOWN: the solver gave up, or its model was no run (path formulas
 *            over-approximate), or the path cannot be said; nothing follows from that.
 * Ownership  the forest is borrowed; the last path is kept for the next question.
 * Source     Synergy sec. 2.3; Godefroid, Klarlund, Sen 2005. */
#ifndef TP_SEARCH_SUITABLE_H
#define TP_SEARCH_SUITABLE_H

#include "search/trace.h"

typedef enum { TP_SUITABLE_FOUND, TP_SUITABLE_NONE, TP_SUITABLE_UNKNOWN } tp_suitable_answer;

/* How far a test that was found goes on: to its end, or over the frontier only, from the very state
 * that was asked about. */
typedef enum { TP_SUITABLE_RUN, TP_SUITABLE_STEP } tp_suitable_how;

typedef struct {
  tp_forest *f;
  tp_smt_options smt;
  tp_trace *trace;  // of the test that was asked about last
  const char *why;  // after UNKNOWN: static
} tp_suitable;
void tp_suitable_init(tp_suitable *x, tp_forest *f, tp_smt_options smt);
void tp_suitable_clear(tp_suitable *x);
tp_suitable_answer tp_suitable_test(tp_suitable *x, uint32_t at, tp_abstract_step step,
                                    tp_suitable_how how);

#endif
