/* Vacuous contracts: those that no state within bounds satisfies.
 *
 * What       searches a state in which a function may be called, two states between which it may
 *            lead, and an object of a struct with invariants.
 * Represents the answer for bounded states (contracts/spec/bounded_states.h) that keep the
 *            invariants. NONE is about these bounds only.
 * Cost       the questions are small, but not bounded: the solver has a limit of conflicts.
 * Source     vacuity: Beer, Ben-David, Eisner, Rodeh 2001; here: unsatisfiable preconditions,
 *            postconditions and invariants. */
#ifndef TP_CONTRACTS_SPEC_VACUITY_H
#define TP_CONTRACTS_SPEC_VACUITY_H

#include "contracts/spec/bounded_states.h"

typedef enum {
  TP_VACUITY_CALL,    // invariants hold and what is required
  TP_VACUITY_RETURN,  // also afterwards, with what is ensured and what may not change
  TP_VACUITY_OBJECT   // invariants hold, and an object of the struct exists
} tp_vacuity_query;
typedef enum { TP_VACUITY_FOUND, TP_VACUITY_NONE, TP_VACUITY_UNKNOWN } tp_vacuity_answer;

typedef struct {
  tp_vacuity_answer answer;
  tp_str text;            // FOUND: the state, one line for each relation; UNKNOWN: why
  bool is_width_binding;  // NONE: there may be one with larger integers
  TP_VEC(const tp_resolved_clause *)
  core;  // NONE otherwise: clauses that contradict each other; none of them can be left out
} tp_vacuity_result;

/* contract: of CALL, RETURN; basic: the struct of OBJECT. */
void tp_vacuity_find_state(tp_contracts *m, tp_vacuity_query q,
                           const tp_function_contract *contract, uint32_t basic,
                           tp_state_scope size, tp_vacuity_result *out);
void tp_vacuity_result_clear(tp_vacuity_result *r);

/* Warnings, through the diag of the clauses: invariants that no object meets, contracts under which
 * no function can be called, or none can return. Returns how many. Nothing is said where there may
 * be a state with larger integers, or the solver gave up. */
uint32_t tp_vacuity_warn(tp_contracts *m, tp_state_scope size);

#endif
