/* The steps from a location.
 *
 * What       out-edges as EDGE steps; a call edge as one CALL or SUMMARY step per function that it
 *            may call; a function's exit as one RETURN step per call that may have entered it.
 * Law        every step of the concrete machine from the location, in the context, is among the
 *            steps. A call of a function whose signature does not match ends the run and need not
 *            be a step.
 * Calls      a function that can be active twice, and one without body, is never entered by a CALL
 *            step: the call is a SUMMARY step, and there are no RETURN steps at its exit.
 *            Candidates of calls through pointers come from program/pointsto.h. */
#ifndef TP_CPA_STEPS_H
#define TP_CPA_STEPS_H

#include "cpa/cpa.h"

typedef struct {
  TP_VEC(tp_step) list;
} tp_step_list;

typedef struct tp_steps tp_steps;
tp_steps *tp_steps_new(const tp_program *p, const tp_contexts *contexts);
/* No caller conditions from now on: for comparison with algorithms without call strings. */
void tp_steps_omit_caller_conditions(tp_steps *s);
void tp_steps_free(tp_steps *s);
/* Replaces out. loc NONE: all steps of the program; context NONE: any. */
void tp_steps_from(const tp_steps *s, tp_loc loc, tp_context context, tp_step_list *out);

#endif
