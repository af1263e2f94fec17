/* Abstract states by cutpoint, those that no test was in marked. */
#include "report/page_adequacy.h"

#include "exec/input_text.h"
#include "report/invariant_text.h"
#include "report/page_priv.h"
#include "report/report_limits.h"

#include <stdlib.h>

static json_t *line_of(const tp_program *p, tp_pos pos) {
  if (!tp_pos_known(pos) || !p->diag) return json_null();
  json_t *place = json_array();
  json_array_append_new(place, tp_page_text(tp_diag_path(p->diag, pos.file)));
  json_array_append_new(place, tp_page_number(pos.line));
  return place;
}

/* Of the witness of a missed abstract state: the values that it was asked for before. */
static json_t *witness_of(const tp_adequacy_report *r, const tp_abstract_state *a) {
  const tp_inputs *in = &r->witnesses.at[a->witness];
  json_t *list = json_array();
  for (size_t i = 0; i < a->n_witness && json_array_size(list) < TP_REPORT_WITNESS_VALUES; i++) {
    if (in->v.at[i].width_bits == 0) continue;
    tp_str value = {0};
    tp_literal_print(&in->v.at[i], &value);
    json_array_append_new(list, tp_page_text(tp_str_text(&value)));
    tp_str_clear(&value);
  }
  return list;
}

static json_t *origin_of(const tp_abstract_state *a, const char *const *tests, size_t n_tests) {
  switch (a->origin.kind) {
    case TP_FROM_TEST:
      return a->origin.index < n_tests ? tp_page_text(tests[a->origin.index])
                                       : json_string("a test");
    case TP_FROM_INITIAL: return json_string("a run that is no test");
    case TP_FROM_FABRICATED: return json_string("a fabricated state");
    case TP_FROM_RUN: return json_string("a run from a fabricated state");
    case TP_FROM_STEP: return json_string("an abstract step");
  }
  return json_null();
}

static void add_reach(json_t *o, const tp_adequacy_report *r, const tp_abstract_state *a) {
  if (!a->is_missed || !r->is_closed) return;
  switch (a->reach) {
    case TP_REACH_UNKNOWN: json_object_set_new(o, "reach", json_string("unknown")); return;
    case TP_REACH_NEVER: json_object_set_new(o, "reach", json_string("never")); return;
    case TP_REACH_REAL:
      json_object_set_new(o, "reach", json_string("real"));
      json_object_set_new(o, "inputs", witness_of(r, a));
      return;
  }
}

static json_t *cutpoint_of(const tp_adequacy_report *r, uint32_t cutpoint, const char *const *tests,
                           size_t n_tests) {
  const tp_coverage *c = &r->coverage;
  const tp_cutpoint_coverage *at = &c->cutpoints.at[cutpoint];
  const tp_loc_info *l = tp_loc_of(c->program, at->loc);
  json_t *o = json_object(), *states = json_array();
  tp_str text = {0};
  json_object_set_new(o, "function", tp_page_text(tp_func_of(c->program, l->func)->name));
  json_object_set_new(o, "place", line_of(c->program, l->pos));
  if (r->is_closed && tp_invariant_print(r, cutpoint, &text))
    json_object_set_new(o, "invariant", tp_page_text(tp_str_text(&text)));
  for (size_t i = 0; i < at->states.n; i++) {
    const tp_abstract_state *a = &c->states.at[at->states.at[i]];
    json_t *state = json_object();
    tp_str_clear(&text);
    if (at->probes.n) tp_cube_print(at, a->values, tp_cube_mask(at), &text);
    json_object_set_new(state, "text", tp_page_text(tp_str_text(&text)));
    json_object_set_new(state, "missed", json_boolean(a->is_missed));
    json_object_set_new(state, "by", origin_of(a, tests, n_tests));
    add_reach(state, r, a);
    json_array_append_new(states, state);
  }
  json_object_set_new(o, "states", states);
  tp_str_clear(&text);
  return o;
}

static json_t *potential_of(const tp_adequacy_report *r) {
  const tp_program *p = r->coverage.program;
  json_t *list = json_array();
  for (size_t i = 0; i < r->potential.n; i++) {
    const tp_loc_info *l = tp_loc_of(p, r->potential.at[i].error);
    json_t *o = json_object();
    json_object_set_new(o, "place", line_of(p, l->pos));
    json_object_set_new(o, "message", tp_page_text(l->message));
    json_object_set_new(o, "open", json_boolean(r->potential.at[i].is_open));
    json_array_append_new(list, o);
  }
  return list;
}

void tp_page_adequacy(const tp_adequacy_report *r, const char *const *tests, size_t n_tests,
                      tp_str *out) {
  TP_REQUIRE(r && out && (tests || n_tests == 0));
  json_object_seed(1);  // the same bytes every time
  json_t *o = json_object(), *names = json_array(), *cutpoints = json_array();
  for (size_t i = 0; i < n_tests; i++) json_array_append_new(names, tp_page_text(tests[i]));
  for (uint32_t i = 0; i < r->coverage.cutpoints.n; i++)
    if (r->coverage.cutpoints.at[i].states.n)
      json_array_append_new(cutpoints, cutpoint_of(r, i, tests, n_tests));
  json_object_set_new(o, "tests", names);
  json_object_set_new(o, "adequate", json_boolean(r->is_adequate));
  json_object_set_new(o, "closed", json_boolean(r->is_closed));
  json_object_set_new(o, "cutpoints", cutpoints);
  json_object_set_new(o, "potential", potential_of(r));
  char *text = json_dumps(o, JSON_COMPACT);
  if (!text) tp_out_of_memory(0);  // all strings are UTF-8
  tp_str_add(out, text);
  free(text);
  json_decref(o);
}
