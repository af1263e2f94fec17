/* From invariants at the nodes of the block graph to a result.
 *
 * What       the certificate behind TRUE; stronger invariants for other engines behind UNKNOWN; the
 *            location that no proof can pass.
 * Represents `known` is by node what holds there in every run; the formulas are inductive together
 *            along blocks. k: no error follows k blocks through them without one
 *            (blocks/induction.h).
 * Ownership  texts and records go into the result. */
#ifndef TP_BLOCKS_GRAPH_PROOF_H
#define TP_BLOCKS_GRAPH_PROOF_H

#include "blocks/blocks.h"

typedef struct {
  const tp_task *task;
  const tp_blocks *blocks;
  const tp_term *known;
  const struct tp_folds *folds;  // that the formulas read; NULL: none
} tp_graph_proof;

/* The verdict TRUE with its certificate; UNKNOWN if that cannot be written. */
void tp_graph_proof_conclude_true(const tp_graph_proof *g, uint32_t k, tp_result *out);
/* The invariants in the result (as the engine cpa extracts them) together with what is known. That
 * says nothing of what comes behind an unmodelled location, so they stay as they are if a run may
 * come to one. */
void tp_graph_proof_strengthen(const tp_graph_proof *g, tp_result *out);
/* Position of an unmodelled location that a run may come to; NULL: there is none. */
const char *tp_graph_proof_unmodelled_position(const tp_graph_proof *g, tp_arena *arena);
/* Of a node's location. */
const char *tp_graph_proof_position(const tp_graph_proof *g, uint32_t node, tp_arena *arena);

#endif
