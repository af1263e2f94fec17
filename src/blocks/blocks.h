/* The block graph: a program as a graph of large blocks.
 *
 * What       nodes are pairs (context, location): main's entry, loop heads (or more locations) with
 *            every call string that leads there, error locations of the property, and unmodelled
 *            locations, where the model does not say what happens; an edge is the path formula of
 *            all loop-free paths from one node to the next, callees without loops included.
 * Represents every run of the program, as long as it does not go on from an unmodelled node, is a
 *            path through the graph, unless `gap` says what is missing. From most unmodelled nodes
 *            (calls that may write memory, calls of functions that are active already) blocks lead
 *            on, over-approximated; a proof shows that no run comes to them.
 * Use        the inductive part of unbounded proofs: pruning candidates, k-induction, Horn clauses
 *            for the whole program.
 * Ownership  the graph owns its paths; contexts and the factory of paths are the caller's. */
#ifndef TP_BLOCKS_BLOCKS_H
#define TP_BLOCKS_BLOCKS_H

#include "cpa/context.h"
#include "engine/engine.h"
#include "formula/path.h"

/* Where blocks end: at loop heads; or at every location, so that a block is one edge. */
typedef enum { TP_BLOCKS_TO_LOOPS, TP_BLOCKS_SINGLE_EDGES } tp_block_ends;

typedef struct {
  tp_context context;
  tp_loc loc;
  bool is_error;       // no block leads on
  bool is_unmodelled;  // unsupported, or what is called may do anything
} tp_block_node;

typedef struct {
  uint32_t from, to;  // nodes
  tp_path path;
} tp_block;

/* A call that no block follows, in the graph of one function. */
typedef struct {
  uint32_t from, to;  // nodes: of the call, behind it
  tp_edge edge;
  tp_func callee;  // one of those that the call may enter
} tp_block_call;

typedef struct {
  tp_paths *paths;              // borrowed
  const tp_contexts *contexts;  // borrowed
  TP_VEC(tp_block_node) nodes;  // [0] main's entry, before the program starts: no block leads there
  TP_VEC(tp_block) list;        // by `from`, then `to`: at most one for each pair
  TP_VEC(uint32_t) first;       // by node, and one more: where its blocks start
  bool *followed;               // by edge of the program: is it part of some block?
  tp_map entered;               // contexts that blocks pass or nodes are in -> 1
  TP_VEC(tp_block_call) calls;  // by `from`; empty: blocks follow calls
  const char *gap;              // what is missing, or NULL; static
} tp_blocks;
/* The graph of one function on its own, with a node at every location: from its entry with any
 * state (node 0 is before it; of main: before the program starts) to its exit. Calls of functions
 * with a body are no blocks but entries of `calls`. steps: as below. */
void tp_blocks_build_function(tp_blocks *b, tp_paths *x, tp_contexts *contexts,
                              tp_property property, tp_func func, uint64_t steps);
/* steps: most edges followed, 0: no limit. */
void tp_blocks_build(tp_blocks *b, tp_paths *x, tp_contexts *contexts, tp_property property,
                     tp_block_ends ends, uint64_t steps);
/* The same where blocks end at loop heads and at all locations (by number) of this set. */
void tp_blocks_build_at(tp_blocks *b, tp_paths *x, tp_contexts *contexts, tp_property property,
                        const bool *ends_at, uint64_t steps);
void tp_blocks_clear(tp_blocks *b);
/* The invariants of the structure; check builds ask between passes. Linear in the graph. */
bool tp_blocks_check(const tp_blocks *b);

/* Does every variable of the formula exist at the node? */
bool tp_block_node_may_use(const tp_blocks *b, uint32_t node, tp_term formula);
/* A node where no proof may come. */
static inline bool tp_block_node_is_bad(const tp_blocks *b, uint32_t node) {
  return b->nodes.at[node].is_error || b->nodes.at[node].is_unmodelled;
}

#endif
