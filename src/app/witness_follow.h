/* The inputs that a violation witness gives, without a search.
 *
 * What       runs the original program; each call that a waypoint says the result of returns that,
 *            each variable without initial value has the value that an assumption says.
 * Law        a guess: whether the run follows the witness is found out by running the woven program
 *            on these inputs. */
#ifndef TP_APP_WITNESS_FOLLOW_H
#define TP_APP_WITNESS_FOLLOW_H

#include "app/witness_source.h"
#include "exec/exec.h"

/* Adds the inputs of the run. False: it does not end in an error. */
bool tp_witness_follow(tp_program *p, const tp_witness_task *t, const tp_witness_spot *spots,
                       tp_inputs *out);
/* Does the run of the woven program on these inputs end in an error? */
bool tp_witness_fails(const tp_program *p, const tp_inputs *inputs);

#endif
