/* From a finished reached set to a result.
 *
 * What       the error locations that the set reaches; the verdict TRUE with its certificate, or
 *            why there is none.
 * Represents a reached set without waiting elements covers all runs: no error location of the
 *            property and no unmodelled location in it, and nothing passes an operation that the
 *            model leaves open: TRUE. The certificate is the set, written as formulas and graphs;
 *            whoever checks it does not run the analysis.
 * Ownership  everything is borrowed; texts and records go into the result. */
#ifndef TP_BLOCKS_REACHED_PROOF_H
#define TP_BLOCKS_REACHED_PROOF_H

#include "cpa/composition.h"
#include "cpa/recursion.h"
#include "engine/engine.h"

typedef struct {
  const tp_task *task;
  tp_composition *c;
  tp_recursion *r;
  tp_result *out;
} tp_reached_proof;

/* Adds the error locations of the property that the set has to out->unproved; if the exploration is
 * complete, the others to out->proved. */
void tp_reached_find_errors(const tp_reached_proof *x, bool is_complete);
/* TRUE with a certificate; or UNKNOWN with the reason, and with invariants that make no claim about
 * errors. Requires: nothing waits; out->unproved has what _find_errors found. */
void tp_reached_conclude(const tp_reached_proof *x);

#endif
