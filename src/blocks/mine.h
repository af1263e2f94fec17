/* Candidates for invariants, mined from concrete runs.
 *
 * What       runs the program on many inputs, notes the values of integer variables (and cells of
 *            known objects) when a run comes to a cut point, and says what all of them have in
 *            common: constants, small sets, affine equations (exact modulo 2^n), congruences,
 *            bounds, orders, products, what holds for each value of a control variable, and the
 *            program's own conditions.
 * Represents guesses: each holds in every state that was noted. Nothing is an invariant before a
 * prover said so (blocks/houdini.h).
 * States     of all runs, failing ones too: each state is one that an invariant has to contain. If
 *            n_failed > 0 the program is wrong (a run came to an error location) and there is
 *            nothing to prove.
 * Use        wave 0 is a small set that excludes, near what was seen, all that the candidates of
 *            the location exclude together; wave 1 does it once more with the others, for where
 *            members of wave 0 turn out to be no invariants, and so on; the last wave is the rest.
 *            Ask a prover for wave 0 alone, then for waves 0 and 1, ..: mostly the first one is
 *            enough, at a tenth of the price.
 * Source     Ernst et al. 2007 (Daikon); affine hulls: Karr 1976, modulo 2^n Mueller-Olm and Seidl
 *            2007. We differ: what was seen is not weighed by statistics; short and relational
 *            facts come first, and a prover decides. */
#ifndef TP_BLOCKS_MINE_H
#define TP_BLOCKS_MINE_H

#include "cpa/context.h"
#include "engine/engine.h"

/* A candidate at a location, in every context: it speaks of globals, of the variables of the
 * location's function, and of cells. */
typedef struct {
  tp_loc loc;
  tp_term formula;
  uint32_t wave;       // 0 .. 4, see Use
  uint32_t cost;       // what it is worth: lower is better; only for the order
  bool is_polynomial;  // an equation with products
} tp_mined_candidate;

/* The states seen at a location, each once, as rows: values of terms (symbols of variables, cells,
 * PTR_OFF and PTR_OBJ of pointers). */
typedef struct {
  tp_loc loc;
  tp_term *columns;
  size_t n_columns, n_rows;
  uint64_t *values;  // of row r, column c: values[c * n_rows + r]
} tp_samples;

typedef struct {
  TP_VEC(tp_mined_candidate)
  list;                        // by location, then wave, then cost: strong and short ones first
  TP_VEC(tp_samples) samples;  // by location; places where no run came have none, and no candidate
  uint64_t n_runs, n_states, n_steps;
  uint64_t n_failed;  // runs that came to an error location
} tp_mined_candidates;

/* seed decides the inputs; runs, steps (of all runs together), most (candidates of a location): 0
 * means the default; cpu_s: 0 none. Deterministic unless cpu_s or should_stop end it. */
typedef struct {
  uint64_t seed, runs, steps;
  size_t most;
  double cpu_s;
  bool (*should_stop)(void *ctx);
  void *ctx;
} tp_mine_options;
void tp_mine(const tp_program *p, tp_mine_options o, tp_mined_candidates *out);
void tp_mined_candidates_clear(tp_mined_candidates *c);

#endif
