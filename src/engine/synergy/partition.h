/* The partition: regions of states, and the steps that may lead from one to another.
 *
 * What       at each node of the block graph a binary tree of predicates; its leaves are cells; a region is one cell, or (start
 *            with three regions) many. Abstract steps lead from cell to cell along blocks; a step that no run can take is closed. Shortest
 *            abstract ways from the start to an error.
 * Represents every run goes from cell to cell along open steps, so a partition without an open way to an error is a proof. Cells at one
 *            node exclude each other and cover all states there.
 * Invariants a split replaces a region by two parts, neither of which is called empty; what was closed stays closed for the parts.
 * Ownership  the block graph is borrowed; terms live in its table.
 * Source     Gulavani, Henzinger, Kannan, Nori, Rajamani 2006 (Synergy), sec. 2; edges by need, not all at once: Beckman, Nori,
 *            Rajamani, Simmons 2008. With exact edges a way is only handed out when each of its steps was found possible. */
#ifndef TP_ENGINE_SYNERGY_PARTITION_H
#define TP_ENGINE_SYNERGY_PARTITION_H

#include "engine/blocks.h"
#include "smt/smt.h"

typedef struct {
  uint32_t node;               // of the block graph
  uint32_t region;             // of a leaf
  tp_term formula;             // conjunction of the literals on the way from the root
  tp_term by;                  // inner: the predicate that splits it; NONE: a leaf
  uint32_t yes, no;            // inner: cells where it holds, and does not
} tp_cell_node;

typedef struct {
  TP_VEC(uint32_t) cells;      // leaves; empty: it was split
} tp_region;

/* One abstract step. */
typedef struct {
  uint32_t block;              // of the block graph
  uint32_t from, to;           // cells
} tp_abstract_step;
typedef TP_VEC(tp_abstract_step) tp_abstract_way;

typedef enum { TP_STEP_UNKNOWN, TP_STEP_POSSIBLE, TP_STEP_CLOSED } tp_step_status;

typedef struct tp_partition {
  const tp_blocks *blocks;
  tp_search_settings settings;
  tp_smt_options smt;
  tp_stats *stats;
  TP_VEC(tp_cell_node) cells;  // [0] unused
  TP_VEC(tp_region) regions;   // [0] unused
  uint32_t *root;              // by node: its tree
  tp_map status;               // (block, from, to) -> tp_step_status of leaves
  uint32_t n_regions;          // that were not split
} tp_partition;

/* One region for each node, or three (settings.three_regions): the start, the errors, everything else. */
void tp_partition_init(tp_partition *pt, const tp_blocks *blocks, tp_search_settings settings, tp_smt_options smt, tp_stats *stats);
void tp_partition_clear(tp_partition *pt);

/* The leaf that a concrete state at the node is in. A predicate that cannot be evaluated in the state counts as false. */
uint32_t tp_partition_cell_of(const tp_partition *pt, uint32_t node, const tp_state *s);

/* Splits a region: `by` has one predicate over the state for each of its cells, in order; a predicate TRUE or FALSE moves the whole cell to one
 * side. The parts get the numbers *yes and *no. */
void tp_partition_split(tp_partition *pt, uint32_t region, const tp_term *by, uint32_t *yes, uint32_t *no);

/* No run in `from` takes the block into `to`: the caller knows why. */
void tp_partition_close(tp_partition *pt, tp_abstract_step step);
/* A run takes it. */
void tp_partition_witness(tp_partition *pt, tp_abstract_step step);
/* The condition, over the state in `from` and inputs of the block, under which the block leads into `to` (or into any state that satisfies
 * `target` at its end). Not yet lowered: tp_paths_question. */
tp_term tp_partition_step_condition(const tp_partition *pt, tp_abstract_step step);
tp_term tp_partition_step_into(const tp_partition *pt, uint32_t from, uint32_t block, tp_term target);
/* Asks the solver about a step if its status is unknown (solver gave up: POSSIBLE). */
tp_step_status tp_partition_ask(tp_partition *pt, tp_abstract_step step);

/* A shortest abstract way from the initial region to an error or an open node; false: there is none, so the partition is a proof. With exact
 * edges (the default) each of its steps has been asked about. The same partition gives the same way. */
bool tp_partition_error_way(tp_partition *pt, tp_abstract_way *way);
/* What holds at each node in every run, once there is no such way: the union of the cells that can be reached. out: one term by node. */
void tp_partition_invariants(tp_partition *pt, tp_term *out);
/* The verdict TRUE with its certificate from a partition that is a proof. */
void tp_partition_say_true(tp_partition *pt, const tp_task *task, tp_result *out);

#endif
