/* The forest: concrete states that tests have visited.
 *
 * What       tests (their inputs, how long they were, where they ended) and states at the nodes of
 *            the block graph they passed, each with the cell it is in. A state's ancestors are the
 *            earlier states of its own test; the path to it is had by running the test's inputs
 *            again up to its step (exec/concolic.h).
 * Represents a lower bound: every state here is reached by a run of the program. States are unique:
 *            what was visited before adds nothing and keeps its first test. A test that comes back
 *            to a state of its own without an input in between would go on for ever: it ends there,
 *            as at a limit.
 * Limits     of each test, at each node, the first `per_node` states are kept, then one of 2, 4, 8,
 *            ...; the one at `keep_visit` and the last of the test always, the last of each node if
 *            settings.latest_state. A state that is not kept costs a later frontier, never a wrong
 *            one. Predicates are evaluated in kept states only. Between kept states a long test
 *            runs as machine code (exec/runner.h).
 * Ownership  states and inputs are the forest's.
 * Source     Synergy sec. 2.2; we differ: states of long tests are sampled, paths are re-run
 *            instead of stored. */
#ifndef TP_SEARCH_FOREST_H
#define TP_SEARCH_FOREST_H

#include "search/partition.h"
#include "exec/runner.h"

typedef struct {
  tp_inputs inputs;    // what it asked for, in order
  uint64_t steps;      // edges until its end, or its limit
  uint64_t visits;     // of nodes
  size_t inputs_half;  // asked for before half of its steps were done
  bool repeats;        // it came back to a state of its own
  uint32_t further;    // number + 1 of the same test with more steps, 0: none
  tp_run_result end;
} tp_test;

typedef struct {
  uint32_t test;
  uint64_t step;    // edges of the test before this state
  uint64_t visit;   // nodes of the block graph before this state
  size_t n_inputs;  // of the test before this state
  uint32_t node, cell;
  uint32_t next;  // in the same cell, in the order of visits; 0: none
  tp_state *state;
} tp_visited;

/* The nodes of one context, by location of its function. */
typedef struct {
  uint32_t first, n;  // locations
  uint32_t *node;     // + 1; 0: none
} tp_context_nodes;

typedef struct {
  tp_partition *pt;
  tp_property property;
  tp_run_limits limits;  // of one test
  uint32_t per_node;
  uint64_t keep_visit;  // of the next test: kept in any case; UINT64_MAX: none
  TP_VEC(tp_test) tests;
  TP_VEC(tp_visited) states;        // [0] unused
  TP_VEC(uint32_t) first, last;     // by cell: the list of its states
  tp_map unique;                    // hash of a state -> the first one with it
  tp_context_nodes *context_nodes;  // by context
  size_t n_contexts;
  tp_map callees;  // (context, call, function) -> context
  tp_runner *runner;
  tp_visit_block *blocks;  // by context, of the runner's visits; NULL: no run has needed them
  tp_state *start;         // main's entry: copied for each test
  uint32_t failing;        // test that reached an error of the property; 0: none, else number + 1
  uint64_t n_new;          // states that the last test added
  uint64_t total_steps;    // of all tests
  bool (*should_stop)(
      void *ctx);  // asked now and then; true: the test ends where it is. May be NULL
  void *ctx;
  // the test at hand, for oracles
  tp_loc loc;       // where it is
  uint64_t visits;  // nodes so far
} tp_forest;
void tp_forest_init(tp_forest *f, tp_partition *pt, tp_property property, tp_run_limits limits);
void tp_forest_clear(tp_forest *f);
/* The invariants: each state is in the list of its cell, a leaf, once, and the last one is known.
 * Linear in the states; for assertions. */
bool tp_forest_check(const tp_forest *f);

/* Runs a test to its end: first these inputs, then what `rest` answers (NULL: zeros). The number of
 * the test. Steps between cells that it takes are witnessed in the partition. */
uint32_t tp_forest_run(tp_forest *f, const tp_inputs *inputs, tp_oracle *rest);
/* A test that stays at main's entry. */
uint32_t tp_forest_start(tp_forest *f);
/* A test that goes on from a state, to the next node of the block graph only: first the inputs
 * before the state, then what `rest` answers. */
uint32_t tp_forest_step(tp_forest *f, uint32_t at, tp_oracle *rest);
/* A region was split into these: its states are put where they are now. */
void tp_forest_reassign(tp_forest *f, const uint32_t *old_cells, size_t n);
/* The first (or, settings.latest_state, last) state visited in a cell, in a region; 0: none. */
uint32_t tp_forest_first(const tp_forest *f, uint32_t cell);
uint32_t tp_forest_in_region(const tp_forest *f, uint32_t region);
/* As many states of the cell as fit. */
size_t tp_forest_in_cell(const tp_forest *f, uint32_t cell, const tp_state **out, size_t room);
/* The index of the first cell of the path that no state of the forest is in, after the last one
 * that is touched: the frontier k of the ordered path. *at: the state in the cell before it (0 if k
 * = 0). Length of the ordered path: *length nodes. Cells, not regions: paths go on in the cell that
 * they come to. */
size_t tp_forest_ordered_path(const tp_forest *f, const tp_abstract_path *path, uint32_t *at,
                              uint64_t *length);
/* Index of the frontier on the ordered path itself: the nodes that the run to `at` passes. */
uint64_t tp_forest_frontier(const tp_forest *f, uint32_t at);
/* The blocks that the state's test takes to it, in order. False: more than `most`, or a step
 * outside of the graph. */
typedef TP_VEC(uint32_t) tp_block_list;
bool tp_forest_blocks(tp_forest *f, uint32_t at, size_t most, tp_block_list *out);

#endif
