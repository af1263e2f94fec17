/* Unrolling: explores a program symbolically, merging wherever paths meet.
 *
 * What       runs the symbolic states of formula/symex.h through the program from main's entry:
 *            inside a function in weak topological order (so each location is visited once per
 *            iteration of the loops around it, with all paths merged), calls by pushing a frame of
 *            the exploration itself, loops iteration by iteration.
 * Represents after tp_unroll_run: under which conditions errors, cut-offs and gaps are reached, and
 * how often loops turned.
 *            If nothing was cut off under a satisfiable condition, all runs have been covered.
 * Bounds     an iteration whose exit was decided by constants is free; all others count against the
 *            bound of the loop's entry. The same holds for recursion: an activation is free if
 *            nothing was decided since the last one.
 * Ownership  results live until the next run or tp_unroll_clear. */
#ifndef TP_PROOF_UNROLL_H
#define TP_PROOF_UNROLL_H

#include "engine/unrolling.h"
#include "formula/symex.h"
#include "formula/wto.h"

typedef struct {
  tp_property property;
  uint32_t bound;  // counted iterations per loop entry, counted activations per function
  uint64_t steps;  // edges; 0: no limit
  /* Asked before iterations that count; false: this condition is certainly unsatisfiable. */
  bool (*feasible)(void *ctx, tp_term condition);
  bool (*stop)(void *ctx);  // polled; true ends the run as cut off
  void *ctx;
  const bool *watched;  // by location: whose visits tp_unroll_visited tells of; NULL: none
} tp_unroll_options;

typedef struct {
  tp_term condition;
  tp_loc loc;
} tp_hit;

typedef enum { TP_CUT_LOOP, TP_CUT_RECURSION, TP_CUT_STEPS } tp_cut_kind;
typedef struct {
  tp_cut_kind kind;
  tp_term condition;  // STEPS: true
  tp_func func;
  tp_loc head;          // LOOP
  uint64_t iterations;  // that were executed
} tp_cut;

typedef struct tp_unroll tp_unroll;
tp_unroll *tp_unroll_new(tp_symex *x);
void tp_unroll_free(tp_unroll *u);
void tp_unroll_run(tp_unroll *u, tp_unroll_options options);
const tp_hit *tp_unroll_errors(const tp_unroll *u, size_t *n);
const tp_cut *tp_unroll_cuts(const tp_unroll *u, size_t *n);
/* The condition under which a run within the unrolling comes to a watched location; NONE: none
 * does. */
tp_term tp_unroll_visited(const tp_unroll *u, tp_loc l);
uint64_t tp_unroll_locations(const tp_unroll *u);  // symbolic states that were run on
/* Loops and depths for a certificate: all heads of all functions that were entered. */
void tp_unroll_describe(const tp_unroll *u, tp_unrolling *out);

#endif
