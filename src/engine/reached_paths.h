/* The paths to a node of the reached set.
 *
 * What       a directed graph without cycles: nodes of the reached set (one may stand in several
 *            blocks) in topological order, each with the steps that lead to it. It is cut into
 *            blocks: all paths go through the cuts, one after the other.
 * Represents with merges, all paths that the reached set holds between two cuts; without, the path
 *            of the first parents. The cuts are always those of the first parents.
 * Use        a counterexample: feasible, then it is executed (engine/feasibility.h); if not,
 *            refiners learn from it (proof/refine.h). */
#ifndef TP_ENGINE_REACHED_PATHS_H
#define TP_ENGINE_REACHED_PATHS_H

#include "cpa/reached.h"

typedef struct {
  uint32_t node;      // of the reached set; 0: there is none (paths that were made from steps)
  uint32_t first, n;  // paths in: ins[first .. first + n)
} tp_reached_path_node;

typedef struct {
  uint32_t from;  // index into nodes, smaller than the one it leads to
  tp_step step;
} tp_reached_path_edge;

typedef struct {
  TP_VEC(tp_reached_path_node) nodes;
  TP_VEC(tp_reached_path_edge) ins;
  TP_VEC(uint32_t) cuts;  // indices into nodes: the first node, the ends of blocks, the last node
} tp_reached_paths;

/* The path of the first parents, cut at every node. */
void tp_reached_paths_first(const tp_reached *r, uint32_t node, tp_reached_paths *out);
/* All paths between one cut and the next; is_cut chooses them among the first parents. Where what
 * lies between two of them has a cycle, it is the path of the first parents. */
void tp_reached_paths_all(const tp_reached *r, uint32_t node,
                          bool (*is_cut)(void *ctx, uint32_t node), void *ctx,
                          tp_reached_paths *out);
void tp_reached_paths_clear(tp_reached_paths *w);

static inline size_t tp_reached_paths_n_blocks(const tp_reached_paths *w) { return w->cuts.n - 1; }
/* The node of the reached set at a cut. */
static inline uint32_t tp_reached_paths_cut(const tp_reached_paths *w, size_t i) {
  return w->nodes.at[w->cuts.at[i]].node;
}

#endif
