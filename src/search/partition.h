/* The partition: regions of states, and the steps that may lead from one to another.
 *
 * What       at each node of the block graph a binary tree of predicates; its leaves are cells; a
 *            region is one cell, or (start with three regions) many. Abstract steps lead from cell
 *            to cell along blocks; a step that no run can take is closed. Shortest abstract paths
 *            from the start to an error.
 * Represents every run goes from cell to cell along open steps, so a partition without an open path
 *            to an error is a proof. Cells at one node exclude each other and cover all states
 *            there.
 * Invariants a split replaces a region by two parts, neither of which is called empty; what was
 *            closed stays closed for the parts.
 * Ways       go on in the cell that they come to, also where a region has many cells: what a region
 *            has in common is that it is split as a whole. (In the paper's quotient, a path may
 *            come into a region at one location and leave it from another.)
 * Cost       distances from the start are kept up to date: closing a step costs what lies behind it
 *            and has no other shortest path; a split costs the closed steps of the cell.
 * Ownership  the block graph is borrowed; terms live in its table.
 * Source     Gulavani, Henzinger, Kannan, Nori, Rajamani 2006 (Synergy), sec. 2; edges by need, not
 *            all at once: Beckman, Nori, Rajamani, Simmons 2008. With exact edges a path is only
 *            handed out when each of its steps was found possible. Distances: Ramalingam, Reps
 *            1996. */
#ifndef TP_SEARCH_PARTITION_H
#define TP_SEARCH_PARTITION_H

#include "blocks/blocks.h"
#include "smt/smt.h"

typedef struct {
  uint32_t node;     // of the block graph
  uint32_t region;   // of a leaf
  tp_term formula;   // conjunction of the literals on the path from the root
  tp_term by;        // inner: the predicate that splits it; NONE: a leaf
  uint32_t yes, no;  // inner: cells where it holds, and does not
  uint32_t parent;   // 0: the root
} tp_cell_node;

typedef struct {
  TP_VEC(uint32_t) cells;  // leaves; empty: it was split
} tp_partition_region;

/* One abstract step. */
typedef struct {
  uint32_t block;     // of the block graph
  uint32_t from, to;  // cells
} tp_abstract_step;
typedef TP_VEC(tp_abstract_step) tp_abstract_path;

typedef enum { TP_STEP_UNKNOWN, TP_STEP_POSSIBLE, TP_STEP_CLOSED } tp_step_status;

typedef struct tp_partition {
  const tp_blocks *blocks;
  tp_search_settings settings;
  tp_smt_options smt;
  bool (*should_stop)(void *ctx);  // asked before each question; true: no more are asked, what is
                                   // unknown stays so. For engines to set; may be NULL
  void *ctx;
  bool *is_excluded;  // by node: no path to it is looked for; NULL: none
  tp_stats *stats;
  TP_VEC(tp_cell_node) cells;           // [0] unused
  TP_VEC(tp_partition_region) regions;  // [0] unused
  uint32_t *root;                       // by node: its tree
  tp_term *facts;      // by node: what cells rest on beside their literals; NULL: nothing
  tp_map status;       // from << 32 | to -> tp_step_status of steps between leaves; absent: unknown
  uint32_t n_regions;  // that were not split. One region for each node: without that of node 0,
                       // which is before the first location
  struct tp_partition_distances *distances;  // partition_distances.c
  struct tp_partition_solver *solver;        // partition_query.c
} tp_partition;

/* Of the graph that a partition with these settings is made for. */
static inline tp_block_ends tp_partition_block_ends(tp_search_settings s) {
  return s.nodes == TP_NODES_LOOPS ? TP_BLOCKS_TO_LOOPS : TP_BLOCKS_SINGLE_EDGES;
}

/* One region for each node, or three (settings.three_regions): the start, the errors (and open
 * places), everything else. smt: backend NULL or z3: mixed (circuits where they can, else z3),
 * since questions are many and small; rlimit 0: a default. */
void tp_partition_init(tp_partition *pt, const tp_blocks *blocks, tp_search_settings settings,
                       tp_smt_options smt, tp_stats *stats);
void tp_partition_clear(tp_partition *pt);
/* From now on; for all questions that splitting asks, too. */
void tp_partition_set_smt(tp_partition *pt, tp_smt_options smt);

/* What others proved holds at each node in every run (by node; they keep each other): states
 * without it leave the cells. */
void tp_partition_assume(tp_partition *pt, const tp_term *facts);

/* Do the trees, regions and statuses fit each other? Linear in the cells and steps; for assertions.
 */
bool tp_partition_check(const tp_partition *pt);

/* The leaf that a concrete state at the node is in. A predicate that cannot be evaluated in the
 * state counts as false. */
uint32_t tp_partition_cell_of(const tp_partition *pt, uint32_t node, const tp_state *s);
static inline bool tp_partition_is_leaf(const tp_partition *pt, uint32_t cell) {
  return !tp_term_is(pt->cells.at[cell].by);
}

/* Splits a region: `by` has one predicate over the state for each of its cells, in order; a
 * predicate TRUE or FALSE moves the whole cell to one side. The parts get the numbers *yes and *no.
 * If all cells are on one side, nothing is split: that is the region itself, the other 0. */
void tp_partition_split(tp_partition *pt, uint32_t region, const tp_term *by, uint32_t *yes,
                        uint32_t *no);
/* The same for the region of step.from, and closes the step for the part of step.from outside of
 * its predicate: split.h's (i) says why. A predicate FALSE for the only cell closes the step
 * without a split. */
void tp_partition_split_off(tp_partition *pt, tp_abstract_step step, const tp_term *by,
                            uint32_t *yes, uint32_t *no);

/* No run in `from` takes the block into `to`: the caller knows why. */
void tp_partition_close(tp_partition *pt, tp_abstract_step step);
/* A run takes it. */
void tp_partition_witness(tp_partition *pt, tp_abstract_step step);
tp_step_status tp_partition_status(const tp_partition *pt, uint32_t from, uint32_t to);
/* The block between two nodes; UINT32_MAX: there is none. */
uint32_t tp_partition_block(const tp_partition *pt, uint32_t from_node, uint32_t to_node);
/* The condition, over the state in `from` and inputs of the block, under which the block leads into
 * `to` (or into any state that satisfies `target` at its end). Not yet lowered: tp_paths_query.
 */
tp_term tp_partition_step_condition(tp_partition *pt, tp_abstract_step step);
tp_term tp_partition_step_into(tp_partition *pt, uint32_t from, uint32_t block, tp_term target);
/* Asks the solver about a step if its status is unknown (solver gave up: POSSIBLE). */
tp_step_status tp_partition_query_step(tp_partition *pt, tp_abstract_step step);
static inline bool tp_partition_is_stopped(const tp_partition *pt) {
  return pt->should_stop && pt->should_stop(pt->ctx);
}
/* Can such a condition be met? One solver for all, with a memory of answers. */
tp_smt_answer tp_partition_query(tp_partition *pt, tp_term condition);

/* No path to this error or open node is looked for any more. The partition is no proof about it
 * then: the caller remembers. */
void tp_partition_exclude_error(tp_partition *pt, uint32_t node);
/* A shortest abstract path from the initial region to an error or an open node; false: there is
 * none, so the partition is a proof. With exact edges (the default) each of its steps has been
 * asked about, unless that was stopped. The same history gives the same path. */
bool tp_partition_error_path(tp_partition *pt, tp_abstract_path *path);
/* Blocks on a shortest abstract path to the cell; UINT32_MAX: there is none. */
uint32_t tp_partition_distance(tp_partition *pt, uint32_t cell);
/* What holds at each node in every run, once there is no such path: the union of the cells that can
 * be reached, or of those from which no error can be, whichever says it shorter. out: one term by
 * node. */
void tp_partition_invariants(tp_partition *pt, tp_term *out);
/* The verdict TRUE with its certificate from a partition that is a proof. */
void tp_partition_conclude_true(tp_partition *pt, const tp_task *task, tp_result *out);

#endif
