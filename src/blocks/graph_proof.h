/* From invariants at the nodes of the block graph to what an engine says.
 *
 * What       the certificate behind TRUE; facts for other engines behind UNKNOWN; the place that no
 *            proof can pass; a look for a failing run.
 * Represents `known` is by node what holds there in every run; conjunctions of neighbours keep each
 * other along blocks. k: no error follows
 *            k blocks through them without one (blocks/induction.h).
 * Ownership  texts go into the result. */
#ifndef TP_BLOCKS_GRAPH_PROOF_H
#define TP_BLOCKS_GRAPH_PROOF_H

#include "blocks/blocks.h"

typedef struct {
  const tp_task *task;
  const tp_blocks *blocks;
  const tp_term *known;
} tp_graph_proof;

/* The verdict TRUE with its certificate; UNKNOWN if that cannot be written. */
void tp_graph_proof_conclude_true(const tp_graph_proof *g, uint32_t k, tp_result *out);
/* The facts in the result (as the engine cpa writes them) together with what is known. They say
 * nothing of what comes behind an open place, so they stay as they are if a run may come to one. */
void tp_graph_proof_strengthen_facts(const tp_graph_proof *g, tp_result *out);
/* Position of an open place that a run may come to; NULL: there is none. */
const char *tp_graph_proof_unmodelled_position(const tp_graph_proof *g, tp_arena *arena);
/* Of a node's location. */
const char *tp_graph_proof_position(const tp_graph_proof *g, uint32_t node, tp_arena *arena);

/* Bounded model checking for a failing run within so many turns of each loop. True: that settled
 * it, `out` is replaced. bounded: within so many turns no run fails. */
bool tp_falsify(const tp_task *task, const tp_budget *budget, uint32_t turns, tp_stats *stats,
                tp_result *out, uint32_t *bounded);

#endif
