/* Plans of functions. */
#include "proof/unroll_plan.h"

static void lay_slots(tp_unroll_plan *plan) {
  const tp_wto *w = &plan->wto;
  tp_vec_resize(&plan->slot_of_position, w->order.n);
  tp_vec_resize(&plan->slot_of_component, w->components.n);
  for (uint32_t p = 0; p < w->order.n; p++) {
    plan->slot_of_position.at[p] = (uint32_t)plan->slots.n;
    tp_vec_push(&plan->slots, p);
    for (uint32_t c = w->inner.at[p]; c && w->components.at[c].last == p;
         c = w->components.at[c].parent) {
      plan->slot_of_component.at[c] = (uint32_t)plan->slots.n;
      tp_vec_push(&plan->slots, TP_SLOT_ITERATION | c);
    }
  }
}

/* Backwards from the exit. */
static void find_exits(tp_unroll_plan *plan, const tp_program *p) {
  const tp_wto *w = &plan->wto;
  tp_vec_resize(&plan->reaches_exit, w->order.n);
  TP_VEC(tp_loc) todo = {0};
  tp_vec_push(&todo, p->funcs.at[w->func.id].exit);
  while (todo.n) {
    tp_loc l = tp_vec_pop(&todo);
    uint32_t at = tp_wto_position(w, l);
    if (at == UINT32_MAX || plan->reaches_exit.at[at]) continue;
    plan->reaches_exit.at[at] = true;
    tp_edge_list in = tp_in_edges(p, l);
    for (uint32_t i = 0; i < in.n; i++) tp_vec_push(&todo, p->edges.at[in.at[i]].from);
  }
  tp_vec_clear(&todo);
}

tp_unroll_plan *tp_unroll_plan_new(const tp_program *p, tp_func f) {
  TP_REQUIRE(tp_func_of(p, f)->has_body);
  tp_unroll_plan *plan = TP_NEW(tp_unroll_plan);
  tp_wto_init(&plan->wto, p, f);
  lay_slots(plan);
  find_exits(plan, p);
  TP_INVARIANT(plan->slots.n == plan->wto.order.n + plan->wto.components.n - 1);
  return plan;
}

void tp_unroll_plan_free(tp_unroll_plan *plan) {
  if (!plan) return;
  tp_wto_clear(&plan->wto);
  tp_vec_clear(&plan->slots);
  tp_vec_clear(&plan->slot_of_position);
  tp_vec_clear(&plan->slot_of_component);
  tp_vec_clear(&plan->reaches_exit);
  tp_free(plan);
}
