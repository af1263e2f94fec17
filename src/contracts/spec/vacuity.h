/* Contracts that say nothing: what no state within bounds can meet.
 *
 * What       looks for a state in which a function may be called, for two that it may lead from and
 *            to, and for an object of a struct with invariants.
 * Represents the answer for small states (contracts/spec/small.h) that keep the invariants. NONE is
 * about these bounds only.
 * Cost       the questions are small, but not bounded: the solver has a limit of conflicts. */
#ifndef TP_CONTRACTS_SPEC_VACUITY_H
#define TP_CONTRACTS_SPEC_VACUITY_H

#include "contracts/spec/small.h"

typedef enum {
  TP_ASK_CALL,    // invariants hold and what is required
  TP_ASK_RETURN,  // also afterwards, with what is ensured and what may not change
  TP_ASK_OBJECT   // invariants hold, and an object of the struct exists
} tp_state_question;
typedef enum { TP_STATE_FOUND, TP_STATE_NONE, TP_STATE_UNKNOWN } tp_state_answer;

typedef struct {
  tp_state_answer answer;
  tp_str text;            // FOUND: the state, one line for each relation; UNKNOWN: why
  bool is_width_binding;  // NONE: there may be one with larger integers
  TP_VEC(const tp_clause_meaning *)
  core;  // NONE otherwise: clauses that contradict each other; none of them can be left out
} tp_state_result;

/* contract: of CALL, RETURN; basic: the struct of OBJECT. */
void tp_find_state(tp_meanings *m, tp_state_question q, const tp_contract *contract, uint32_t basic,
                   tp_small_size size, tp_state_result *out);
void tp_state_result_clear(tp_state_result *r);

/* Warnings, through the diag of the clauses: invariants that no object meets, contracts under which
 * no function can be called, or none can return. Returns how many. Nothing is said where there may
 * be a state with larger integers, or the solver gave up. */
uint32_t tp_warn_of_vacuity(tp_meanings *m, tp_small_size size);

#endif
