/* Candidates for invariants, mined from concrete runs.
 *
 * What       runs the program on many inputs, notes the values of integer variables (and cells of known objects) when a run comes to a loop
 *            head, and says what all of them have in common: affine equations (exact modulo 2^n), congruences, bounds, orders between
 *            variables, equalities with constants.
 * Represents guesses: each holds in every state that was seen. Nothing is an invariant before a prover said so (engine/houdini.h).
 * Source     Ernst et al. 2007 (Daikon); affine hulls: Karr 1976, modulo 2^n Mueller-Olm and Seidl 2007. */
#ifndef TP_ENGINE_MINE_H
#define TP_ENGINE_MINE_H

#include "cpa/context.h"
#include "engine/engine.h"

/* A candidate at a location, in every context in which its variables are in scope. */
typedef struct {
  tp_loc loc;
  tp_term formula;
} tp_candidate;

typedef struct {
  TP_VEC(tp_candidate) list;   // by location; strong and short ones first
  uint64_t n_runs, n_states;
} tp_candidates;

/* seed decides the inputs; cpu_s, steps: limits (0: none). Deterministic under a limit of steps. */
typedef struct {
  uint64_t seed, runs, steps;
  double cpu_s;
  bool (*should_stop)(void *ctx);
  void *ctx;
} tp_mine_options;
void tp_mine(const tp_program *p, tp_mine_options o, tp_candidates *out);
void tp_candidates_clear(tp_candidates *c);

#endif
