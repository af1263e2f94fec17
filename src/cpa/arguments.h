/* Parameters as terms over the variables of their callers.
 *
 * What       for each frame of a context the equalities parameter = argument that hold as long as
 *            the frame is active: the function never assigns the parameter, and the argument is a
 *            term over variables of the caller, which do not change until the callee returns.
 * Represents facts about every run that is in the context; no analysis has to infer them.
 * Use        a condition over parameters is also one over the callers' variables: `assume(int c) {
 *            if (!c) abort(); }` called with x < 10 implies x < 10 behind the call. Certificates
 *            state the equalities, so that a checker can use them.
 * Ownership  terms are the program's; one table serves all contexts. */
#ifndef TP_CPA_ARGUMENTS_H
#define TP_CPA_ARGUMENTS_H

#include "cpa/context.h"

typedef struct tp_arguments tp_arguments;
tp_arguments *tp_arguments_new(const tp_program *p);
void tp_arguments_free(tp_arguments *a);
/* The conjunction of the equalities of all frames of the context. */
tp_term tp_arguments_hold(tp_arguments *a, const tp_contexts *contexts, tp_context context);
/* t with parameters replaced by arguments, frame after frame; t itself if there are none in it.
 * Equal to t in every state of the context. */
tp_term tp_arguments_unfold(tp_arguments *a, const tp_contexts *contexts, tp_context context,
                            tp_term t);

#endif
