/* An abstract path, tried on the concrete machine.
 *
 * What       the blocks of a path as steps of the program, executed symbolically
 *            (engine/feasibility.h); a model gives inputs, and the machine has the last word.
 * Represents all runs along these blocks, whatever cells they pass.
 * Ownership  contexts are the graph's; the result's inputs are set on FAILS. */
#ifndef TP_SEARCH_REPLAY_PATH_H
#define TP_SEARCH_REPLAY_PATH_H

#include "search/partition.h"
#include "engine/feasibility.h"

/* path: from the start to an error. On FAILS the verdict in `out` is FALSE. cpu_s: of the solver,
 * 0: none. */
tp_feasibility tp_replay_path(const tp_partition *pt, const tp_abstract_path *path,
                              const tp_task *task, tp_contexts *contexts, double cpu_s,
                              tp_result *out);

#endif
