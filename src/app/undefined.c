/* Runs of the concrete machine until one ends at an operation without meaning: an access that it
 * refuses, or a condition of the model that the proof assumes ("no shift by the width or more at
 * ..."). */
#include "app/undefined.h"

#include "app/app_limits.h"
#include "exec/random_inputs.h"
#include "report/open_operations.h"

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

/* Does the proof assume that the condition of this edge holds there? */
static bool is_assumed(const tp_undefined_question *q, tp_edge e, tp_pos pos) {
  const char *name = e.id ? tp_edge_of(q->program, e)->name : NULL;
  if (!name || tp_edge_of(q->program, e)->kind != TP_E_ASSUME) return false;
  tp_str at = {0}, begin = {0};
  tp_pos_print(q->program->diag, pos, &at);
  tp_str_printf(&begin, "no %s at ", name);
  const tp_refutation by = {.position = tp_str_text(&at)};
  bool is = false;
  for (size_t i = 0; i < q->n_assumptions && !is; i++)
    is = strncmp(q->assumptions[i], begin.text, begin.n) == 0 && tp_refutes(&by, q->assumptions[i]);
  tp_str_clear(&at);
  tp_str_clear(&begin);
  return is;
}

static tp_undefined_run run_with(const tp_undefined_question *q, const tp_state *start,
                                 tp_oracle *oracle) {
  const tp_program *p = q->program;
  tp_state *s = tp_state_copy(start);
  const tp_run_limits limits = {.steps = TP_APP_UNDEFINED_STEPS};
  const tp_run_result r = tp_exec_run(p, s, oracle, limits, NULL);
  tp_undefined_run out = {.pos = user_position(p, s, &r), .why = r.why};
  out.found = r.end == TP_END_INVALID && r.why;
  if (r.end == TP_END_BLOCKED && is_assumed(q, r.edge, out.pos))
    out.found = true, out.why = tp_edge_of(p, r.edge)->name;
  tp_state_free(s);
  return out;
}

tp_undefined_run tp_undefined_run_find(const tp_undefined_question *q, uint64_t seed) {
  TP_REQUIRE(q && q->program && q->program->main.id);
  const tp_program *p = q->program;
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
    out = run_with(q, start, &oracle);
    tp_inputs_clear(&made);
  }
  tp_state_free(start);
  tp_random_inputs_clear(&draw);
  return out.found ? out : (tp_undefined_run){0};
}

tp_undefined_run tp_undefined_run_with(const tp_undefined_question *q, const tp_inputs *in) {
  TP_REQUIRE(q && q->program && q->program->main.id && in);
  tp_vector_oracle vector = {.in = in};
  tp_oracle oracle = tp_oracle_of_defined(&vector);
  tp_state *start = tp_state_initial(q->program);
  const tp_undefined_run out = run_with(q, start, &oracle);
  tp_state_free(start);
  return out.found ? out : (tp_undefined_run){0};
}
