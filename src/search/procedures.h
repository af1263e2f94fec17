/* Procedures: each function with a graph and a partition of its own, and what leads over calls.
 *
 * What       the functions that main can call; the block graph of each, with calls apart; a
 *            partition of each; the conditions of the steps of a call.
 * Represents states of one frame: what formulas at a function's nodes speak of are its own
 *            variables, globals and memory. A call goes from a cell before it to a cell of the
 *            callee's entry (parameters are the arguments), and from a cell of the callee's exit to
 *            a cell behind it (the result is assigned). At the exit, parameters that the callee
 *            never assigns still are the arguments (program/effects.h), so cells there relate
 *            results to arguments; what it does not change is the same on both sides.
 * Symbols    what a call changes is, behind it, a symbol for each variable and memory ("after").
 * Ownership  graphs and partitions are the procedures'; paths and contexts are borrowed.
 * Source     Beckman, Nori, Rajamani, Simmons 2008 (DASH), sec. 4; Godefroid, Nori, Rajamani,
 * Tetali 2010 (SMASH). We differ: a callee's partition is shared by all questions about it, and its
 * cells at entry and exit are what summaries are said with. */
#ifndef TP_SEARCH_PROCEDURES_H
#define TP_SEARCH_PROCEDURES_H

#include "blocks/graph_run.h"
#include "program/effects.h"
#include "search/partition.h"

typedef struct {
  tp_func func;
  tp_blocks blocks;
  tp_partition pt;
  uint32_t entry, exit;  // nodes; exit 0: the function does not return
  uint32_t first_loc;    // node + 1 of each location of the function
  uint32_t *node_of, n_locs;
  uint32_t *first_call;  // by node, and one more: into `calls` of tp_procedures
} tp_procedure;

typedef struct {
  uint32_t caller, callee;  // procedures
  uint32_t from, to;        // nodes of the caller
  tp_edge edge;
  tp_term guard;  // over the caller: the call enters the callee (calls through pointers)
  tp_map entry;   // substitution: the callee's parameters -> arguments
  tp_map
      at_exit;  // the callee's result and what it changes -> symbols; fixed parameters -> arguments
  tp_map behind;  // the caller's assigned variable and what the call changes -> the same symbols
} tp_procedure_call;

typedef struct {
  tp_graph_run *run;
  tp_effects effects;
  TP_VEC(tp_procedure *) list;      // [0] unused; [1] main
  uint32_t *of_func;                // function -> procedure, 0: none
  TP_VEC(tp_procedure_call) calls;  // [0] unused; by caller and node
  tp_map after;                     // variable -> its symbol behind a call
  tp_map is_after;                  // such symbols -> the variable
  const char *gap;                  // a proof is out of reach; NULL: nothing is missing
} tp_procedures;

void tp_procedures_init(tp_procedures *x, tp_graph_run *run, tp_search_settings settings,
                        tp_smt_options smt);
void tp_procedures_clear(tp_procedures *x);

static inline tp_procedure *tp_procedure_of(const tp_procedures *x, uint32_t p) {
  return x->list.at[p];
}
/* The node of a location of the function; false: it has none. */
bool tp_procedure_node(const tp_procedure *p, tp_loc loc, uint32_t *node);
/* The leaves at a node, in a fixed order. */
const uint32_t *tp_procedure_leaves(const tp_procedure *p, uint32_t node, size_t *n);

/* Over the state at the call: the state is in `before`, and the callee is entered in `entry`. */
tp_term tp_call_entry_condition(const tp_procedures *x, uint32_t call, uint32_t before,
                                uint32_t entry);
/* The same, and from `exit` the run comes to `behind`. */
tp_term tp_call_condition(const tp_procedures *x, uint32_t call, uint32_t before, uint32_t entry,
                          uint32_t exit, uint32_t behind);
/* Over the state at the call: the callee is entered in this cell of it. */
tp_term tp_call_enters(const tp_procedures *x, uint32_t call, uint32_t entry);

/* What the callee's exit must satisfy for a run to come to `behind`, one conjunct of it at a time.
 */
typedef enum {
  TP_CALL_BEFORE,  // it speaks of the state at the call alone: out is over that
  TP_CALL_EXIT,    // it can be said at the exit: out is over the callee's state there
  TP_CALL_MIXED  // it relates what the call changes to `out`, a term of the state at the call that
                 // the callee's exit cannot speak of
} tp_call_side;
tp_call_side tp_call_pull_back(const tp_procedures *x, uint32_t call, tp_term conjunct,
                               tp_term *out);
/* The same for a conjunction, whatever it relates: terms of the state at the call that the exit
 * cannot speak of are projected away, so out follows from it. */
tp_term tp_call_project(const tp_procedures *x, uint32_t call, tp_term conjunction,
                        tp_smt_options smt);
/* Conjuncts of the formula of `behind`, as they are behind the call: over the state at the call and
 * symbols. */
void tp_call_conjuncts(const tp_procedures *x, uint32_t call, uint32_t behind, tp_term_list *out);

#endif
