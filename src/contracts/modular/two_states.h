/* The pre-state and the post-state of a heap, as values of the symbols that contracts use.
 *
 * What       values of all symbols of a contract before and after an execution: of a whole body, or
 *            of one call. Objects that do not exist have no members: freed objects lose theirs
 *            here, objects not yet allocated never had any.
 * Ownership  borrows everything; the heap collects what a contract uses
 *            (contracts/modular/relational_heap.h). */
#ifndef TP_CONTRACTS_MODULAR_TWO_STATES_H
#define TP_CONTRACTS_MODULAR_TWO_STATES_H

#include "contracts/modular/relational_exec.h"
#include "contracts/spec/spec_lower.h"

typedef struct {
  tp_rheap *h;
  tp_rexec_store before, after;
  uint32_t n_fields;  // of both; fields that were collected later are as in the pre-state
  tp_rel_expr exist_before, exist_after;  // all objects that exist then; id 0: what the states say
  const tp_rel_expr *params;              // sets of one
  uint32_t n_params;
  tp_rel_expr result;  // id 0: none
} tp_two_states;

/* For tp_lowering_new; s must live as long. */
tp_state_relations tp_two_states_relations(tp_two_states *s);
/* The value of a symbol; id 0: it has none. */
tp_rel_expr tp_two_states_value(tp_two_states *s, const tp_symbol *symbol, tp_contract_state when);
/* All objects that exist. */
tp_rel_expr tp_two_states_exist(tp_two_states *s, tp_contract_state when);

#endif
