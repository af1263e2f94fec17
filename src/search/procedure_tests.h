/* Tests by procedures: the states of each activation that tests have passed, and what activations
 * came to: must summaries.
 *
 * What       tests of the whole program, from main; for each, its activations (calls of functions
 *            that are active, or were), and the states at locations of their functions, each with
 *            its cell in the partition of its procedure.
 * Represents a lower bound: the activation began in a state of its entry cell, and passed these
 *            states. An activation that returned is a must summary: a run leads from its entry cell
 *            to its exit cell.
 * Limits     of each test the first activations, up to a depth, are kept; of each node in one
 *            activation the first visits and then those of powers of two. What is not kept costs a
 *            frontier, never a wrong one.
 * Ownership  states and inputs are the record's; procedures are borrowed. */
#ifndef TP_SEARCH_PROCEDURE_TESTS_H
#define TP_SEARCH_PROCEDURE_TESTS_H

#include "search/procedures.h"
#include "exec/concolic.h"

typedef struct {
  uint32_t activation, node, cell;
  uint64_t step;    // edges of the test before it
  uint32_t callee;  // activation that the call here made; 0: none, or it was not kept
  uint32_t next;    // visit of the same activation at the next node that it came to; 0: none kept
  tp_state *state;  // its top frame alone
} tp_procedure_visit;

typedef TP_VEC(uint32_t) tp_visit_list;

typedef struct {
  tp_visit_list visits;  // that were kept, in order
  uint32_t test, procedure;
  uint32_t caller;  // visit at the call; 0: main
  uint32_t entry;   // visit
  uint32_t exit;    // visit; 0: it did not return, or that was not kept
} tp_activation;

typedef struct {
  tp_inputs inputs;
  tp_run_result end;
} tp_procedure_test;

typedef struct {
  tp_procedures *x;
  tp_property property;
  tp_state *start;
  TP_VEC(tp_procedure_test) tests;
  TP_VEC(tp_activation) activations;  // [0] unused
  TP_VEC(tp_procedure_visit) visits;  // [0] unused
  TP_VEC(tp_visit_list) * in_cell;    // by procedure: by cell
  uint32_t failing;                   // number of the failing test + 1
  size_t n_new;                       // visits that the last test added
} tp_procedure_tests;
void tp_procedure_tests_init(tp_procedure_tests *t, tp_procedures *x, tp_property property);
void tp_procedure_tests_clear(tp_procedure_tests *t);

/* Runs the program with these inputs (zeros behind them) to its end. */
void tp_procedure_tests_run(tp_procedure_tests *t, const tp_inputs *inputs);
/* The cell was split: its visits go to where they are now. */
void tp_procedure_tests_reassign(tp_procedure_tests *t, uint32_t procedure, uint32_t cell);
/* Visits in a cell, in the order that they were made. */
const tp_visit_list *tp_procedure_tests_in(const tp_procedure_tests *t, uint32_t procedure,
                                           uint32_t cell);
static inline const tp_activation *tp_activation_of(const tp_procedure_tests *t, uint32_t visit) {
  return &t->activations.at[t->visits.at[visit].activation];
}
static inline uint32_t tp_activation_entry_cell(const tp_procedure_tests *t, uint32_t activation) {
  return t->visits.at[t->activations.at[activation].entry].cell;
}

#endif
