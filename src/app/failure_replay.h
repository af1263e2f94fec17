/* A failing run on the concrete machine, told in a worker of its own.
 *
 * What       which inputs are run (those that an engine found, smaller ones, variants), the error
 *            path, what the failure rests on.
 * Law        nothing of an engine's claim is believed but the inputs. */
#ifndef TP_APP_FAILURE_REPLAY_H
#define TP_APP_FAILURE_REPLAY_H

#include "app/session.h"

typedef enum {
  TP_INPUTS_AS_FOUND,
  TP_INPUTS_SMALLER,  // smaller ones that fail at the same location (exec/smaller_inputs.h)
  TP_INPUTS_VARIED    // the next variant of them
} tp_inputs_choice;

typedef struct {
  // asked
  const tp_inputs *inputs;
  tp_inputs_choice choice;
  size_t variant;  // VARIED: the first that is tried; becomes the one behind what was taken
  // answered
  tp_loc error;
  tp_str order;     // a place on the path whose order of evaluation C leaves open, or empty
  tp_str open;      // what nobody stated and the failure rests on: a clause; empty: nothing
  bool is_changed;  // other inputs than those that were asked about
  bool is_exact;    // no indeterminate bit, guess, or number made of an address has a part in it
  tp_str why;       // no failing run: the reason
} tp_failure_replay;
void tp_failure_replay_clear(tp_failure_replay *r);

/* Fills the answers, and the evidence of s->now: inputs, path, positions, property. False: there is
 * no such run. */
bool tp_failure_replay_run(tp_session *s, tp_failure_replay *r);

#endif
