/* Refinement: what an infeasible abstract path teaches.
 *
 * What       the interface between the loop that explores (engine/cegar.h) and those who make analyses more precise: predicates from
 *            interpolants, variables from value interpolants, formulas of nodes (IMPACT).
 * Represents precision belongs to the analysis and only grows; a refiner adds to it and names the first node of the path that must be
 *            explored again. What lies below that node is cut off (tp_reached_cut), what it covered is opened again.
 * Law        after a refinement, exploring again does not find the same path, or the refiner says that it made no progress. */
#ifndef TP_ENGINE_REFINE_H
#define TP_ENGINE_REFINE_H

#include "cpa/reached.h"
#include "engine/engine.h"
#include "formula/path.h"

/* An abstract path to an error, cut into blocks at nodes where the analysis made an abstraction (block ends). Without blocks of its own an
 * analysis has one block for each step. */
typedef struct {
  const tp_task *task;
  tp_reached *reached;
  tp_cpa *cpa;                 // the composite
  tp_paths *paths;
  const uint32_t *nodes;       // n + 1 nodes at the cuts: the first is initial, the last the error
  const tp_path *blocks;       // n: all ways from nodes[i] to nodes[i + 1] that the reached set holds, merged
  const tp_step *const *steps; // n: one of these ways each, the steps of the first parents
  const size_t *n_steps;
  size_t n;
  tp_stats *stats;
  double cpu_s;                // that may be used, 0: no limit
} tp_counterexample;

typedef enum { TP_REFINED, TP_REFINE_NO_PROGRESS, TP_REFINE_FAILED } tp_refine_answer;
typedef struct {
  tp_refine_answer answer;
  size_t cut;                  // REFINED: index into nodes: this one is expanded again, everything below it goes
  const char *why;             // FAILED, NO_PROGRESS: one line, static or from the arena of the result
} tp_refinement;

typedef struct {
  const char *name;            // "predicate", "value", "impact"
  /* Can it refine this composite? */
  bool (*fits)(const tp_cpa *cpa);
  tp_refinement (*refine)(const tp_counterexample *c);
} tp_refiner;
extern const tp_refiner *const tp_refiners[];                  // NULL-terminated; in the order in which they are asked

#endif
