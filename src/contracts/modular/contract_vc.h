/* Verification conditions of a function: its contract as assumptions and goals about its execution.
 *
 * What       what is assumed when the function is called, and what must hold where it returns:
 *            clauses, invariants, frame conditions; each a formula over the pre-state.
 * Represents assumptions: requires, preserves and all invariants in the pre-state. Goals: ensures,
 *            preserves and all invariants in the post-state; modifies, for every relation that the
 *            body writes. A function without a contract has its invariants only.
 * Errors     why: a clause uses a symbol that has no relation; then there is no verdict about the
 *            contract.
 * Ownership  texts live in the arena; contracts, heap and execution are borrowed.
 * Source     Taghdiri 2008, sec. 5.2. */
#ifndef TP_CONTRACTS_MODULAR_CONTRACT_VC_H
#define TP_CONTRACTS_MODULAR_CONTRACT_VC_H

#include "contracts/modular/contract_check.h"
#include "contracts/spec/resolved_contracts.h"

struct tp_call_templates;  // contracts/modular/call_templates.h

typedef struct {
  tp_arena arena;
  tp_rheap *heap;
  const tp_rexec *body;
  tp_contracts *contracts;
  const tp_function_contract *contract;  // NULL: none
  TP_VEC(tp_rel_formula) assumptions;
  TP_VEC(tp_contract_goal) goals;
  TP_VEC(tp_rel_formula)
  two_state_goals;         // the goals again, over the pre-state and the relations of
                           // tp_contract_vc_after: what must hold
  bool calls_by_contract;  // contracts stand for bodies, too
  const char *why;
  tp_pos pos;  // of the clause
} tp_contract_vc;

/* Runs the body, and again until the heap collects nothing new. */
void tp_contract_vc_init(tp_contract_vc *c, tp_rheap *h, tp_rexec *b, tp_func f, tp_contracts *m,
                         bool calls_by_contract);
/* The same, and templates of the functions whose summaries stand for them at calls. */
void tp_contract_vc_init_with_templates(tp_contract_vc *c, tp_rheap *h, tp_rexec *b, tp_func f,
                                        tp_contracts *m, struct tp_call_templates *templates);
void tp_contract_vc_clear(tp_contract_vc *c);

/* Once the heap is bound: each goal in terms of a post-state found by a run,
 * given by relations of these names. */
void tp_contract_vc_two_states(tp_contract_vc *c);
tp_rel_expr tp_contract_vc_after(const tp_contract_vc *c, uint32_t field);
tp_rel_expr tp_contract_vc_allocated(const tp_contract_vc *c);  // objects that exist afterwards
tp_rel_expr tp_contract_vc_result(const tp_contract_vc *c);

#endif
