/* What can be reached within procedures, from each cell of their entries: may summaries.
 *
 * What       the least fixpoint of abstract reachability: an *instance* is a procedure with a cell
 *            of its entry that some call may enter it in; for each, the cells that paths lead to.
 *            A call leads from a cell before it to a cell behind it only by an exit cell that the
 *            callee's instance reaches.
 * Represents every run of the procedure from a state of the entry cell passes reached cells only.
 *            What an instance's exit does not reach is a not-may summary <entry cell, exit cell>:
 *            no run from the first returns in the second; so recursion is proved by induction over
 *            the length of runs. Cells were reached in an order in which each rests on earlier
 *            ones, so a path through calls can be read off.
 * Cost       answers of the solver about calls are kept from one fixpoint to the next; of cells
 *            that were split, what was impossible before stays so.
 * Ownership  procedures are borrowed.
 * Source     Sharir, Pnueli 1981; SMASH (not-may summaries); Reps, Horwitz, Sagiv 1995. */
#ifndef TP_SEARCH_PROCEDURE_REACH_H
#define TP_SEARCH_PROCEDURE_REACH_H

#include "search/procedures.h"

typedef struct {
  uint32_t cell;
  uint32_t from;      // cell before it; 0: the entry
  uint32_t block;     // UINT32_MAX: a call
  uint32_t call;      // of procedures
  uint32_t instance;  // the callee's
  uint32_t exit;      // cell of the callee; 0: the callee fails inside
  uint64_t rank;      // when it was reached: what it rests on has smaller ranks
} tp_reached_cell;

typedef struct {
  uint32_t instance, cell, call;
} tp_instance_user;

typedef struct {
  uint32_t procedure, entry;      // entry: a cell
  TP_VEC(tp_reached_cell) cells;  // in the order that they were reached
  tp_map index;                   // cell -> position
  TP_VEC(uint32_t) exits;         // reached cells at the exit
  TP_VEC(tp_instance_user) users;
  bool fails;               // an error, or what is not modelled, is reached
  tp_reached_cell failure;  // then: how; cell 0 where a callee fails
} tp_proc_instance;

typedef struct {
  tp_procedures *x;
  TP_VEC(tp_proc_instance) list;  // [0] unused; [1] main
  tp_map instance_of;             // procedure << 32 | entry cell -> instance
  TP_VEC(uint64_t) queue;         // instance << 32 | position
  size_t next;
  uint64_t rank;   // of what was reached last
  tp_map pairs;    // (a, b) -> number
  tp_map answers;  // number of a question -> tp_smt_answer
} tp_procedure_reach;
void tp_procedure_reach_init(tp_procedure_reach *r, tp_procedures *x);
void tp_procedure_reach_clear(tp_procedure_reach *r);
/* The fixpoint anew, for the partitions as they are now. True: main fails, as far as the partitions
 * say. UNTIL_FAILURE: it is not complete then. */
typedef enum { TP_REACH_UNTIL_FAILURE, TP_REACH_ALL } tp_reach_extent;
bool tp_procedure_reach_run(tp_procedure_reach *r, tp_reach_extent extent);
/* 0: none. */
uint32_t tp_procedure_instance(const tp_procedure_reach *r, uint32_t procedure, uint32_t entry);
/* How the instance reaches the cell; NULL: it does not. */
const tp_reached_cell *tp_instance_reached(const tp_proc_instance *i, uint32_t cell);
/* Can the call come from `before`, through the callee's entry and exit cells, to `behind`? */
bool tp_procedure_call_possible(tp_procedure_reach *r, uint32_t call, uint32_t before,
                                uint32_t entry, uint32_t exit, uint32_t behind);

#endif
