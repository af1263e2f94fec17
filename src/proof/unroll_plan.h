/* Plans: what unrolling needs to know of a function, computed once.
 *
 * Represents slots, the places where states wait, in the order in which they are served: one slot
 *            per location in weak topological order, and behind the last location of each loop one
 *            slot for the states that go round again.
 * Ownership  a plan is freed with tp_unroll_plan_free. */
#ifndef TP_PROOF_UNROLL_PLAN_H
#define TP_PROOF_UNROLL_PLAN_H

#include "formula/wto.h"

typedef struct {
  tp_wto wto;
  TP_VEC(uint32_t) slots;  // position, or TP_SLOT_ITERATION + component
  TP_VEC(uint32_t) slot_of_position;
  TP_VEC(uint32_t) slot_of_component;
  TP_VEC(bool) reaches_exit;  // by position: the function can return from here
} tp_unroll_plan;
#define TP_SLOT_ITERATION 0x80000000u

tp_unroll_plan *tp_unroll_plan_new(const tp_program *p, tp_func f);
void tp_unroll_plan_free(tp_unroll_plan *plan);

#endif
