/* The engines of this room: bounded checking, k-induction, Horn clauses, configurable program
 * analysis, refinement.
 *
 * What       their rows of the table of engines (auto/engines.c), and runs of a composition of
 *            analyses.
 * Law        that of engine/engine.h. */
#ifndef TP_PROOF_PROOF_ENGINES_H
#define TP_PROOF_PROOF_ENGINES_H

#include "engine/engine.h"

extern const tp_engine tp_engine_bmc, tp_engine_cegar, tp_engine_cpa, tp_engine_elements,
    tp_engine_heaps, tp_engine_horn, tp_engine_kinduction;
extern const tp_engine tp_engine_value, tp_engine_interval, tp_engine_octagon,
    tp_engine_slam;  // configurations (proof/configurations.h)

/* The engine cpa, or cegar, with this configuration (cpa/composition.h) instead of the task's: what
 * engines that are configurations with a name do. */
void tp_engine_run_composition(const tp_task *task, const char *text, const tp_budget *budget,
                               tp_stats *stats, tp_result *out);
void tp_engine_refine_composition(const tp_task *task, const char *text, const tp_budget *budget,
                                  tp_stats *stats, tp_result *out);

#endif
