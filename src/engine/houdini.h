/* The largest inductive subset of candidates.
 *
 * What       candidates at nodes of the block graph are assumed all together and dropped one after the other where a block does not keep
 *            them, until those left keep each other: what is left holds in every run.
 * Represents invariants, proved in bit-vectors; given invariants (of an abstract interpretation, say) are assumed and not touched.
 * Source     Flanagan, Leino 2001 (Houdini). */
#ifndef TP_ENGINE_HOUDINI_H
#define TP_ENGINE_HOUDINI_H

#include "engine/blocks.h"
#include "engine/mine.h"

/* By node of the graph: formulas that hold whenever a run is there. */
typedef struct {
  TP_VEC(tp_term) *at;         // graph's nodes of them
  size_t n_nodes;
  uint64_t n_questions;
} tp_node_invariants;

/* given: by node, conjunctions, or NULL. The budget's limits end it with what is proved by then: nothing, unless is_done. */
typedef struct {
  const char *backend;
  tp_stats *stats;
  double cpu_s;
  bool (*should_stop)(void *ctx);
  void *ctx;
} tp_houdini_options;
bool tp_houdini(const tp_blocks *b, const tp_term *given, const tp_candidates *c, tp_houdini_options o, tp_node_invariants *out);
void tp_node_invariants_clear(tp_node_invariants *v);

#endif
