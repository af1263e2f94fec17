/* The forest: concrete states that tests have visited.
 *
 * What       tests (their inputs, how long they were, where they ended) and states at the nodes of the block graph they passed, each with the
 *            cell it is in. A state's ancestors are the earlier states of its own test; the path to it is had by running the test's inputs
 *            again up to its step (exec/concolic.h).
 * Represents a lower bound: every state here is reached by a run of the program. States are unique: what was visited before adds nothing and
 *            keeps its first test.
 * Limits     of each test, at each node, the first `per_node` states are kept, then one of 2, 4, 8, ...; the last always. A state
 *            that is not kept costs a later frontier, never a wrong one.
 * Ownership  states and inputs are the forest's.
 * Source     Synergy sec. 2.2; we differ: states of long tests are sampled, paths are re-run instead of stored. */
#ifndef TP_ENGINE_SYNERGY_FOREST_H
#define TP_ENGINE_SYNERGY_FOREST_H

#include "engine/synergy/partition.h"

typedef struct {
  tp_inputs inputs;            // what it asked for, in order
  uint64_t steps;              // edges until its end, or its limit
  uint64_t visits;             // of nodes
  tp_run_result end;
} tp_test;

typedef struct {
  uint32_t test;
  uint64_t step;               // edges of the test before this state
  uint64_t visit;              // nodes of the block graph before this state
  size_t n_inputs;             // of the test before this state
  uint32_t node, cell;
  uint32_t next;               // in the same cell, in the order of visits; 0: none
  tp_state *state;
} tp_visited;

typedef struct {
  tp_partition *pt;
  tp_property property;
  tp_run_limits limits;
  uint32_t per_node;
  TP_VEC(tp_test) tests;
  TP_VEC(tp_visited) states;   // [0] unused
  TP_VEC(uint32_t) first, last;        // by cell: the list of its states
  tp_map unique;               // hash of a state -> the first one with it
  tp_map node_at;              // (context, location) -> node + 1
  tp_state *start;             // main's entry: copied for each test
  uint32_t failing;            // test that reached an error of the property; 0: none, else number + 1
  uint64_t n_new;              // states that the last test added
} tp_forest;
void tp_forest_init(tp_forest *f, tp_partition *pt, tp_property property, tp_run_limits limits);
void tp_forest_clear(tp_forest *f);

/* Runs a test to its end: first these inputs, then what `rest` answers (NULL: zeros). The number of the test. Steps between cells that it takes
 * are witnessed in the partition. */
uint32_t tp_forest_run(tp_forest *f, const tp_inputs *inputs, tp_oracle *rest);
/* A region was split into these: its states are put where they are now. */
void tp_forest_resplit(tp_forest *f, const uint32_t *old_cells, size_t n);
/* The first (or, settings.latest_state, last) state visited in the region; 0: none. */
uint32_t tp_forest_in_region(const tp_forest *f, uint32_t region);
/* As many states of the cell as fit. */
size_t tp_forest_in_cell(const tp_forest *f, uint32_t cell, const tp_state **out, size_t room);
/* The index of the first cell of the way that no state of the forest is in, after the last one that is touched: the frontier k of the ordered
 * way. *at: the state in the region before it (0 if k = 0). Length of the ordered way: *length nodes. */
size_t tp_forest_order(const tp_forest *f, const tp_abstract_way *way, uint32_t *at, uint64_t *length);

#endif
