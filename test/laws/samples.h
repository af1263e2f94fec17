/* Concrete steps to hold analyses against: random runs of a model, written down.
 *
 * What       pairs (state before, step, state after) of runs on random inputs, with the context
 *            (call string) of each state.
 * Law        no recursion: models in which a function can be active twice are refused.
 * Ownership  samples own their states. */
#ifndef TP_LAWS_SAMPLES_H
#define TP_LAWS_SAMPLES_H

#include "cpa/cpa.h"
#include "exec/exec.h"

typedef struct {
  tp_state *state;
  tp_context context;
  tp_loc loc;
} sample_state;

typedef struct {
  uint32_t before, after;  // indices into states
  tp_step step;
} sample_step;

typedef struct {
  const tp_program *p;
  tp_contexts *contexts;  // borrowed
  TP_VEC(sample_state) states;
  TP_VEC(sample_step) steps;
  tp_context context;  // of the run at hand
  tp_edge taken;       // edge that led here; NONE at the start and behind a return
  tp_loc last;         // where the run was before; NONE at the start
  uint32_t last_kept;  // its index among the states; UINT32_MAX: not kept
  uint32_t max;        // steps kept
} samples;

/* False: the program is recursive, nothing was run. */
bool samples_take(samples *s, const tp_program *p, tp_contexts *contexts, uint64_t seed,
                  uint32_t runs, uint32_t max_steps);
void samples_clear(samples *s);

/* Is the sampled state among those that e means? True as well if the formula cannot be evaluated
 * there. */
bool sample_is_in(tp_cpa *cpa, const tp_elem *e, const sample_state *s);

#endif
