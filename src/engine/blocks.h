/* The block graph: a program as a graph of large blocks.
 *
 * What       nodes are places (context, location): main's entry, loop heads of the cut set with every call string that leads there, and
 *            error locations of the property; an edge is the path formula of all loop-free ways from one node to the next, callees without
 *            loops included.
 * Represents every run of the program is a way through the graph, unless `gaps` says what is not in it (recursion, unsupported
 *            constructs, functions that may write memory, limits).
 * Use        the inductive part of unbounded proofs: pruning candidates, k-induction, Horn clauses for the whole program.
 * Ownership  the graph owns its paths; contexts are the caller's. */
#ifndef TP_ENGINE_BLOCKS_H
#define TP_ENGINE_BLOCKS_H

#include "cpa/context.h"
#include "engine/engine.h"
#include "formula/path.h"

typedef struct {
  tp_context context;
  tp_loc loc;
  bool is_error;
} tp_block_node;

typedef struct {
  uint32_t from, to;           // nodes
  tp_path path;
} tp_block;

typedef struct {
  tp_paths *paths;             // borrowed
  TP_VEC(tp_block_node) nodes; // [0] main's entry
  TP_VEC(tp_block) list;       // by `from`, then `to`: at most one for each pair
  const char *gap;             // what is missing, or NULL; static, or in the arena
  tp_arena arena;
} tp_blocks;
/* steps: most edges followed, 0: no limit. */
void tp_blocks_build(tp_blocks *b, tp_paths *x, tp_contexts *contexts, tp_property property, uint64_t steps);
void tp_blocks_clear(tp_blocks *b);

#endif
