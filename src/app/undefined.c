/* Random runs until one ends at an operation without meaning, or the few that it may cost are over.
 */
#include "app/undefined.h"

#include "app/app_limits.h"
#include "exec/random_inputs.h"

/* The position of the user's call where the operation is one of a library model. */
static tp_pos user_position(const tp_program *p, const tp_state *s, const tp_run_result *r) {
  const tp_pos pos = r->edge.id ? tp_edge_of(p, r->edge)->pos : r->pos;
  if (r->loc.id && !tp_func_of(p, tp_loc_of(p, r->loc)->func)->is_model) return pos;
  for (size_t frame = tp_state_depth(s); frame-- > 0;) {
    tp_edge call = {0};
    (void)tp_state_frame(s, frame, &call);
    if (!call.id) break;
    const tp_edge_info *e = tp_edge_of(p, call);
    if (!tp_func_of(p, tp_loc_of(p, e->from)->func)->is_model) return e->pos;
  }
  return pos;
}

tp_undefined_run tp_undefined_run_find(const tp_program *p, uint64_t seed) {
  TP_REQUIRE(p && p->main.id);
  const double start_s = tp_cpu_s();
  tp_undefined_run out = {0};
  tp_random_inputs draw;
  tp_random_inputs_init(&draw, p, seed);
  tp_state *start = tp_state_initial(p);
  for (int i = 0; i < TP_APP_UNDEFINED_RUNS && !out.found; i++) {
    if (tp_cpu_s() - start_s > (double)TP_APP_UNDEFINED_MS / 1000) break;
    tp_inputs made;
    tp_inputs_init(&made);
    tp_random_inputs_start(&draw, &made);
    tp_oracle oracle = tp_random_inputs_oracle(&draw);
    tp_state *s = tp_state_copy(start);
    const tp_run_limits limits = {.steps = TP_APP_UNDEFINED_STEPS};
    const tp_run_result r = tp_exec_run(p, s, &oracle, limits, NULL);
    if (r.end == TP_END_INVALID && r.why)
      out = (tp_undefined_run){true, user_position(p, s, &r), r.why};
    tp_state_free(s);
    tp_inputs_clear(&made);
  }
  tp_state_free(start);
  tp_random_inputs_clear(&draw);
  return out;
}
