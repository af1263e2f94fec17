/* The answer for programs: the same facts as on the console as one JSON object. */
#include "exec/input_text.h"
#include "program/absent.h"
#include "report/json_text.h"
#include "report/open_operations.h"
#include "report/report.h"
#include "report/sarif_rules.h"
#include "report/unknown.h"

#include <jansson.h>
#include <stdlib.h>

static void set_text(json_t *o, const char *key, const char *text) {
  TP_REQUIRE(key && !json_object_get(o, key));  // each key once
  if (text && text[0]) json_object_set_new(o, key, tp_json_text(text));
}

/* Obligations of the certificate, by who showed that they are met. */
static json_t *obligations_of(const tp_report *r) {
  json_t *o = json_object();
  json_object_set_new(o, "reasoning", json_integer((json_int_t)r->by_reasoning));
  json_object_set_new(o, "proof", json_integer((json_int_t)r->by_proof));
  json_object_set_new(o, "word", json_integer((json_int_t)r->by_word));
  return o;
}

static json_t *times_of(const tp_stats *s) {
  json_t *times = json_object();
  json_object_set_new(times, "cpu_s", json_real(s->cpu_s));
  json_object_set_new(times, "wall_s", json_real(s->wall_s));
  json_object_set_new(times, "solver_s", json_real(s->solver_s));
  json_object_set_new(times, "certificate_s", json_real(s->certificate_s));
  return times;
}

static json_t *findings_of(const tp_report *r) {
  json_t *list = json_array();
  for (size_t i = 0; i < r->n_findings; i++) {
    const tp_finding *f = &r->findings[i];
    json_t *o = json_object();
    set_text(o, "engine", f->engine);
    set_text(o, "reason", f->reason);
    set_text(o, "condition", f->condition);
    set_text(o, "cost", f->cost);
    json_array_append_new(list, o);
  }
  return list;
}

static void set_place(json_t *o, const char *key, const tp_report *r, tp_pos pos) {
  json_t *place = tp_json_place(r->diag, pos);
  if (place) json_object_set_new(o, key, place);
}

/* The inputs of a failing run, all of them, in the order of asking. */
static json_t *inputs_of(const tp_report *r) {
  static const char *const kinds[] = {
      [TP_I_NONDET] = "nondet",     [TP_I_EXTERN] = "extern",
      [TP_I_ARGS] = "argument",     [TP_I_INDETERMINATE] = "indeterminate",
      [TP_I_VOLATILE] = "volatile", [TP_I_ENVIRONMENT] = "environment"};
  json_t *list = json_array();
  for (size_t i = 0; i < r->inputs->v.n; i++) {
    const tp_input *in = &r->inputs->v.at[i];
    tp_str value = {0};
    tp_literal_print(in, &value);
    json_t *o = json_object();
    json_object_set_new(o, "kind", tp_json_text(kinds[in->kind]));
    set_text(o, "name", in->name);
    json_object_set_new(o, "value", tp_json_text(tp_str_text(&value)));
    set_place(o, "position", r, tp_input_pos(in));
    json_array_append_new(list, o);
    tp_str_clear(&value);
  }
  return list;
}

/* What the text says of a failure. */
static void add_failure(json_t *o, const tp_report *r) {
  set_text(o, "violated", tp_property_name(r->violated));
  set_text(o, "message", r->error_message);
  set_place(o, "position", r, r->error_pos);
  set_text(o, "notes", r->error_notes);
  set_text(o, "path", r->path);
  json_object_set_new(o, "inputs", inputs_of(r));
}

static json_t *assumptions_of(const tp_report *r) {
  json_t *list = json_array();
  for (size_t i = 0; i < r->n_assumptions; i++)
    json_array_append_new(list, tp_json_text(r->assumptions[i]));
  return list;
}

static json_t *note_of(const tp_report *r, const char *key, const char *text, tp_pos pos) {
  tp_str at = {0};
  json_t *o = json_object();
  set_text(o, key, text);
  if (tp_pos_known(pos)) tp_pos_print(r->diag, pos, &at);
  set_text(o, "position", tp_str_text(&at));
  tp_str_clear(&at);
  return o;
}

/* Functions without body; those of the system have no model. Variables that nothing defines. */
static json_t *missing_of(const tp_report *r) {
  json_t *list = json_array();
  for (uint32_t i = 1; i < r->program->funcs.n; i++) {
    const tp_func_info *f = &r->program->funcs.at[i];
    if (f->absence == TP_PRESENT) continue;
    json_t *o = note_of(r, "function", f->name, tp_absent_pos(r->program, (tp_func){i}));
    json_object_set_new(o, "of_system", json_boolean(f->absence == TP_ABSENT_IN_SYSTEM));
    json_array_append_new(list, o);
  }
  const size_t n = tp_absent_variables(r->program, NULL, 0);
  const char **variables = TP_NEW_ARRAY(const char *, n + 1);
  (void)tp_absent_variables(r->program, variables, n);
  for (size_t i = 0; i < n; i++)
    json_array_append_new(list, note_of(r, "variable", variables[i], TP_POS_NONE));
  tp_free(variables);
  return list;
}

static json_t *remarks_of(const tp_report *r) {
  json_t *list = json_array();
  for (size_t i = 0; i < r->program->remarks.n; i++)
    json_array_append_new(
        list, note_of(r, "remark", r->program->remarks.at[i].text, r->program->remarks.at[i].pos));
  return list;
}

/* What the runs within the bound come to. */
static json_t *reach_of(const tp_report *r) {
  const tp_bounded_reach *reach = r->reach;
  json_t *o = json_object(), *missed = json_array(), *open = json_array(), *cuts = json_array();
  size_t n_reached = 0;
  for (size_t i = 0; i < reach->checks.n; i++) {
    const tp_looked_check *c = &reach->checks.at[i];
    json_t *place = tp_json_place(r->diag, c->pos);
    n_reached += c->reached == TP_LOOKED_YES;
    if (place && c->reached != TP_LOOKED_YES)
      json_array_append(c->reached == TP_LOOKED_NO ? missed : open, place);
    json_decref(place);
  }
  for (size_t i = 0; i < reach->cuts.n; i++) {
    json_t *cut = json_object();
    json_object_set_new(cut, "kind",
                        tp_json_text(reach->cuts.at[i].is_recursion ? "recursion" : "loop"));
    set_place(cut, "position", r, reach->cuts.at[i].pos);
    json_array_append_new(cuts, cut);
  }
  json_object_set_new(o, "checks", json_integer((json_int_t)reach->checks.n));
  json_object_set_new(o, "reached", json_integer((json_int_t)n_reached));
  json_object_set_new(o, "missed", missed);
  json_object_set_new(o, "open", open);
  json_object_set_new(o, "cuts", cuts);
  if (reach->larger) {
    json_t *larger = json_object();
    json_object_set_new(larger, "unroll", json_integer((json_int_t)reach->larger));
    json_object_set_new(larger, "is_least", json_boolean(reach->larger == reach->tried));
    set_place(larger, "position", r, reach->larger_pos);
    json_object_set_new(o, "larger", larger);
  }
  return o;
}

/* Members given as text; those of the table keep their values. */
static void add_members(json_t *o, const char *members) {
  tp_str text = {0};
  if (members) tp_str_printf(&text, "{%s}", members);
  json_t *more = members ? json_loads(tp_str_text(&text), 0, NULL) : NULL;
  if (more) json_object_update(o, more);
  json_decref(more);
  tp_str_clear(&text);
}

/* Where the operations that a proof takes to be valid are verified. */
static void add_property(json_t *o, const tp_report *r) {
  tp_str property = {0};
  tp_open_operations_property(r, &property);
  set_text(o, "verified_by", tp_str_text(&property));
  tp_str_clear(&property);
}

/* The three lines of an UNKNOWN. */
static void add_unknown(json_t *o, const tp_report *r) {
  static const struct {
    const char *key;
    void (*text)(const tp_report *r, tp_str *out);
  } lines[] = {
      {"why", tp_unknown_headline}, {"where", tp_unknown_where}, {"next", tp_unknown_next}};
  tp_str text = {0};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    lines[i].text(r, &text);
    set_text(o, lines[i].key, tp_str_text(&text));
    tp_str_clear(&text);
  }
}

void tp_report_json_failure(const tp_report *r, tp_str *out) {
  TP_REQUIRE(r && r->verdict == TP_VERDICT_FALSE);
  json_t *o = json_object();
  add_failure(o, r);
  const unsigned cwe = tp_sarif_rules[tp_sarif_rule_of(r->violated, r->error_message)].cwe;
  json_object_set_new(o, "cwe", json_integer((json_int_t)cwe));
  set_text(o, "evidence", r->evidence);
  set_text(o, "output", r->output);
  char *text = json_dumps(o, 0);
  if (text) tp_str_add(out, text);
  free(text);
  json_decref(o);
}

void tp_report_json(const tp_report *r, tp_str *out) {
  TP_REQUIRE(r && out);
  static const char *const verdicts[] = {
      [TP_VERDICT_UNKNOWN] = "unknown", [TP_VERDICT_TRUE] = "true", [TP_VERDICT_FALSE] = "false"};
  json_object_seed(1);  // the same bytes every time
  json_t *o = json_object();
  const bool is_unrolled = r->verdict == TP_VERDICT_TRUE && r->bound,
             is_made = r->verdict == TP_VERDICT_TRUE && r->has_operations;
  json_object_set_new(o, "verdict",
                      tp_json_text(is_unrolled || is_made ? "bounded" : verdicts[r->verdict]));
  if (is_made) json_object_set_new(o, "operations", json_integer((json_int_t)r->operations));
  if (is_unrolled) json_object_set_new(o, "bound", json_integer((json_int_t)r->bound));
  if (is_unrolled && r->reach->checks.n) json_object_set_new(o, "reach", reach_of(r));
  set_text(o, "property", tp_property_name(r->asked));
  tp_str result = {0};
  tp_report_result(r, &result);
  set_text(o, "result", tp_str_text(&result));
  tp_str_clear(&result);
  if (r->verdict == TP_VERDICT_FALSE) add_failure(o, r);
  set_text(o, "headline", r->headline);
  set_text(o, "features", r->features);
  set_text(o, "engine", r->engine);
  if (r->verdict == TP_VERDICT_UNKNOWN) set_text(o, "reason", r->reason);
  if (r->verdict == TP_VERDICT_UNKNOWN) {
    add_unknown(o, r);
    set_text(o, "hint", r->hint);
    json_object_set_new(o, "explored", findings_of(r));
  }
  set_text(o, "evidence", r->evidence);
  set_text(o, "help", r->help);
  json_object_set_new(o, "certificate", tp_json_text(r->certificate_checked ? "checked" : "none"));
  set_text(o, "certificate_hash", r->certificate_hash);
  if (r->certificate_checked) json_object_set_new(o, "obligations", obligations_of(r));
  if (r->verdict == TP_VERDICT_TRUE) json_object_set_new(o, "assumptions", assumptions_of(r));
  if (r->verdict == TP_VERDICT_TRUE) add_property(o, r);
  if (r->verdict != TP_VERDICT_FALSE && r->undefined)
    json_object_set_new(o, "undefined", note_of(r, "operation", r->undefined, r->undefined_pos));
  if (r->program) {
    json_object_set_new(o, "missing", missing_of(r));
    json_object_set_new(o, "remarks", remarks_of(r));
  }
#define TP_S(name, unit, help) \
  json_object_set_new(o, #name, json_integer((json_int_t)r->stats->name));
  TP_STATS(TP_S)
#undef TP_S
  add_members(o, r->extra_json);
  json_object_set_new(o, "times", times_of(r->stats));
  json_object_set_new(o, "peak_mb", json_real(r->stats->peak_mb));
  char *text = json_dumps(o, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
  if (text) tp_str_printf(out, "%s\n", text);
  free(text);
  json_decref(o);
}
