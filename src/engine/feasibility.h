/* Is an abstract path to an error a run?
 *
 * What       the paths from the start of the program to an error location, executed symbolically
 *            and joined where they meet; if their condition is satisfiable, a model gives inputs,
 *            and the concrete machine decides.
 * Use        an analysis that reaches an error has a path there: often the shortest proof that it
 *            is real (a late iteration of an endless loop costs one long, simple formula),
 *            otherwise the start of a refinement. */
#ifndef TP_ENGINE_FEASIBILITY_H
#define TP_ENGINE_FEASIBILITY_H

#include "engine/engine.h"
#include "engine/reached_paths.h"

typedef enum {
  TP_FEASIBILITY_FAILS,       // inputs, violated are set: the concrete machine fails on them
  TP_FEASIBILITY_INFEASIBLE,  // no run takes any of these paths
  TP_FEASIBILITY_UNKNOWN      // calls by summary, limits, a model that the machine does not confirm
} tp_feasibility;

/* paths: from main's entry, call strings only; SUMMARY steps are not followed. cpu_s: of the
 * solver, 0: none. inputs: initialised by the caller, set on FAILS. */
tp_feasibility tp_feasibility_check(const tp_task *task, const tp_reached_paths *paths,
                                    double cpu_s, tp_stats *stats, tp_inputs *inputs,
                                    tp_property *violated);

#endif
