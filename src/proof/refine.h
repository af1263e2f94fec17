/* Refinement: what an infeasible abstract path teaches.
 *
 * What       the interface between the loop that explores (proof/cegar.h) and refiners, which make
 *            analyses more precise: predicates from interpolants, variables from value
 *            interpolants, formulas of nodes (IMPACT).
 * Represents precision belongs to the analysis and only grows; a refiner adds to it and names the
 *            first cut of the paths that must be explored again. That node goes, with everything
 *            that came from it (tp_reached_cut).
 * Law        after a refinement, exploring again does not find the same path, or the refiner says
 *            that it made no progress. */
#ifndef TP_PROOF_REFINE_H
#define TP_PROOF_REFINE_H

#include "engine/engine.h"
#include "engine/reached_paths.h"

/* Ways to an error that no run takes, cut where the analysis made an abstraction (block ends); at
 * every node if it makes none. */
typedef struct {
  const tp_task *task;
  tp_reached *reached;
  tp_cpa *cpa;                    // the composite
  const tp_reached_paths *paths;  // the first node is initial, the last the error
  tp_stats *stats;
  tp_arena *arena;   // for reasons
  double cpu_s;      // that may be used, 0: no limit
  uint64_t at_most;  // the cost that a refinement may have, 0: any
  tp_str *log;       // lines "# ..." about what was refined, or NULL
} tp_counterexample;

/* TOO_COSTLY: it could, for more than at_most; nothing was changed. */
typedef enum {
  TP_REFINED,
  TP_REFINE_NO_PROGRESS,
  TP_REFINE_FAILED,
  TP_REFINE_TOO_COSTLY
} tp_refine_answer;
typedef struct {
  tp_refine_answer answer;
  size_t cut;       // REFINED: index into paths->cuts: this node goes
  bool grew;        // REFINED: a precision grew; otherwise an element was older than the precision
  uint64_t cost;    // TOO_COSTLY: in the unit of blocks/predicate_cost.h; at least 1
  const char *why;  // FAILED, NO_PROGRESS: one line, static or from the arena
} tp_refinement;

typedef struct {
  const char *name;  // "predicate", "value", "impact"
  /* Can it refine this composite? */
  bool (*fits)(tp_cpa *cpa);
  bool in_blocks;  // asks for paths cut at block ends, with everything that was merged; otherwise:
                   // the first parents, node by node
  tp_refinement (*refine)(const tp_counterexample *c);
  /* The run was interrupted by an analysis (paths: NULL): gives other analyses what the one has
   * found out, and everything is explored again. False: there is nothing. NULL: never. */
  bool (*abstract)(const tp_counterexample *c);
} tp_refiner;
extern const tp_refiner tp_refiner_predicate, tp_refiner_shape, tp_refiner_value;

/* Sources of predicates, in order. */
#define TP_REFINE_SOURCES "mined wp sp horn-integers horn atoms"
/* Predicates from concrete runs, if `mined` is among the sources: the number of those that are new.
 * cpu_s: 0: no limit. */
size_t tp_refine_mine(const tp_task *task, tp_cpa *cpa, tp_stats *stats, double cpu_s);

/* The composition's setting refine.KEY, or otherwise. */
const char *tp_refine_setting(const tp_cpa *cpa, const char *key, const char *otherwise);
/* Ends of blocks: the cuts of its counterexamples. */
bool tp_refine_is_block_end(const tp_reached *r, const tp_cpa *cpa, uint32_t node);

#endif
