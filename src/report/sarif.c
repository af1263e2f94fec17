/* Columns are characters, where compilers count bytes. Paths become URI references: everything but
 * unreserved characters and slashes is escaped, absolute ones get `file://`. */
#include "report/sarif.h"

#include "report/error_path_priv.h"
#include "report/json_text.h"
#include "report/report_limits.h"
#include "report/sarif_rules.h"

#include <ctype.h>
#include <jansson.h>
#include <stdlib.h>

static json_t *message_of(const char *text) {
  return json_pack("{s:o}", "text", tp_json_text(text));
}

// ---------------------------------------------------------------------- locations

static json_t *uri_of(const char *path) {
  tp_str uri = {0};
  tp_str_add(&uri, path[0] == '/' ? "file://" : "");
  for (const char *c = path; *c; c++) {
    const bool is_plain = isalnum((unsigned char)*c) || strchr("-._~/", *c);
    if (is_plain)
      tp_str_add_char(&uri, *c);
    else
      tp_str_printf(&uri, "%%%02X", (unsigned)(unsigned char)*c);
  }
  json_t *o = json_pack("{s:o}", "uri", tp_json_text(tp_str_text(&uri)));
  tp_str_clear(&uri);
  return o;
}

static json_t *physical(const char *path, uint32_t line, uint32_t column) {
  json_t *region = json_object();
  json_object_set_new(region, "startLine", json_integer(line));
  if (column) json_object_set_new(region, "startColumn", json_integer(column));
  return json_pack("{s:o, s:o}", "artifactLocation", uri_of(path), "region", region);
}

/* Characters from the start of the line; bytes where the line cannot be had. */
static uint32_t character_of(tp_diag *diag, tp_pos pos) {
  const char *line = tp_diag_source_line(diag, pos.file, pos.line);
  uint32_t n = 1;
  if (!line || !pos.column || pos.column > strlen(line) + 1) return pos.column;
  for (uint32_t i = 0; i + 1 < pos.column; i++) n += ((unsigned char)line[i + 1] & 0xc0) != 0x80;
  return n;
}

/* NULL: the place is not known. */
static json_t *location_of(tp_diag *diag, tp_pos pos, const char *message) {
  if (!tp_pos_known(pos)) return NULL;
  json_t *o = json_object();
  json_object_set_new(
      o, "physicalLocation",
      physical(tp_diag_path_as_given(diag, pos.file), pos.line, character_of(diag, pos)));
  if (message) json_object_set_new(o, "message", message_of(message));
  return o;
}

// ---------------------------------------------------------------------- code flow

static void add_change(const tp_recording *r, const tp_change *c, tp_str *out) {
  const tp_program *p = r->program;
  if (c->kind != TP_CHANGE_VAR && c->kind != TP_CHANGE_PARAM) return;
  const tp_var_info *v = tp_var_of(p, c->var);
  tp_str_printf(out, "%s%s = ", out->n ? ", " : "", v->name);
  tp_value_print(&r->names, v->type, tp_sort_of(p->terms, v->term), c->value, out);
  if (c->is_input) tp_str_add(out, " (input)");
}

static json_t *step_of(const tp_recording *r, const tp_path_event *e, size_t order) {
  tp_str text = {0};
  if (e->enters) tp_str_printf(&text, "call of %s: ", tp_func_of(r->program, e->func)->name);
  tp_str changes = {0};
  for (size_t i = e->first_change; i < e->first_change + e->n_changes; i++)
    add_change(r, &r->changes.at[i], &changes);
  tp_str_add(&text, tp_str_text(&changes));
  if (e->error.id) tp_str_printf(&text, "%s%s", text.n ? "; " : "", tp_str_text(&r->message));
  json_t *location = location_of(r->program->diag, e->pos, text.n ? text.text : NULL), *step = NULL;
  if (location) {
    step = json_pack("{s:o, s:i, s:i}", "location", location, "nestingLevel",
                     e->depth > 0 ? (int)e->depth - 1 : 0, "executionOrder", (int)order);
    json_object_set_new(step, "importance",
                        json_string(e->error.id        ? "essential"
                                    : e->n_changes > 0 ? "important"
                                                       : "unimportant"));
  }
  tp_str_clear(&text);
  tp_str_clear(&changes);
  return step;
}

/* The run, of a long one the two ends. */
static json_t *code_flows(const tp_report *r, tp_run_limits limits, uint64_t steps_run) {
  tp_recording run;
  json_t *steps = json_array();
  tp_record_run(r->program, r->inputs, limits, steps_run, &run);
  for (size_t i = 0; i < run.events.n; i++) {
    const bool is_end = i < TP_REPORT_SARIF_STEPS || i + TP_REPORT_SARIF_STEPS >= run.events.n;
    json_t *step = is_end ? step_of(&run, &run.events.at[i], i + 1) : NULL;
    if (step) json_array_append_new(steps, step);
  }
  tp_recording_clear(&run);
  if (json_array_size(steps) == 0) {
    json_decref(steps);
    return NULL;
  }
  return json_pack("[{s:[{s:o}]}]", "threadFlows", "locations", steps);
}

// ------------------------------------------------------------------------- result

/* A line "f.c:38:3: note: freed here". */
static json_t *note_of(tp_diag *diag, const char *line, size_t n) {
  static const char mark[] = ": note: ";
  tp_str text = {0};
  tp_str_add_n(&text, line, n);
  char *at = strstr(tp_str_text(&text), mark), *column = NULL, *number = NULL;
  json_t *o = NULL;
  if (at) {
    *at = 0;
    column = strrchr(text.text, ':');
    if (column) *column = 0, number = strrchr(text.text, ':');
  }
  if (number) {
    *number = 0;
    const unsigned long l = strtoul(number + 1, NULL, 10), c = strtoul(column + 1, NULL, 10);
    if (l > 0 && l < UINT32_MAX && c < UINT32_MAX) {
      const tp_pos pos = {tp_diag_file(diag, text.text), (uint32_t)l, (uint32_t)c};
      o = json_pack("{s:o, s:o}", "physicalLocation",
                    physical(text.text, pos.line, character_of(diag, pos)), "message",
                    message_of(at + sizeof mark - 1));
    }
  }
  tp_str_clear(&text);
  return o;
}

static json_t *notes_of(tp_diag *diag, const char *notes) {
  json_t *list = json_array();
  while (notes && *notes) {
    const size_t n = strcspn(notes, "\n");
    json_t *note = note_of(diag, notes, n);
    if (note) {
      json_object_set_new(note, "id", json_integer((json_int_t)json_array_size(list)));
      json_array_append_new(list, note);
    }
    notes += n + (notes[n] == '\n');
  }
  return list;
}

static json_t *result_of(const tp_report *r, tp_run_limits limits, uint64_t steps) {
  const size_t rule = tp_sarif_rule_of(r->violated, r->error_message);
  const char *message =
      r->error_message && r->error_message[0] ? r->error_message : tp_sarif_rules[rule].text;
  json_t *o =
      json_pack("{s:s, s:i, s:s, s:s, s:o}", "ruleId", tp_sarif_rules[rule].id, "ruleIndex",
                (int)rule, "level", "error", "kind", "fail", "message", message_of(message));
  json_t *location = location_of(r->diag, r->error_pos, NULL),
         *notes = notes_of(r->diag, r->error_notes), *flows = code_flows(r, limits, steps),
         *locations = json_array();
  if (location) json_array_append_new(locations, location);
  json_object_set_new(o, "locations", locations);
  if (json_array_size(notes)) json_object_set(o, "relatedLocations", notes);
  json_decref(notes);
  if (flows) json_object_set_new(o, "codeFlows", flows);
  return o;
}

// ---------------------------------------------------------------------------- run

static json_t *rules(void) {
  json_t *list = json_array();
  for (size_t i = 0; i < tp_n_sarif_rules; i++) {
    const tp_sarif_rule *r = &tp_sarif_rules[i];
    char tag[40], uri[80];
    snprintf(tag, sizeof tag, "external/cwe/cwe-%u", r->cwe);
    snprintf(uri, sizeof uri, "https://cwe.mitre.org/data/definitions/%u.html", r->cwe);
    json_array_append_new(
        list, json_pack("{s:s, s:s, s:o, s:o, s:o, s:s, s:{s:s}, s:{s:[s, s], s:s}}", "id", r->id,
                        "name", r->name, "shortDescription", message_of(r->text), "fullDescription",
                        message_of(r->text), "help", message_of(r->help), "helpUri", uri,
                        "defaultConfiguration", "level", "error", "properties", "tags",
                        "correctness", tag, "precision", "very-high"));
  }
  return list;
}

/* How the run ended; an answer that is not known is said here. */
static json_t *invocation(const tp_report *r) {
  json_t *o = json_pack("{s:b}", "executionSuccessful", 1);
  if (r->verdict == TP_VERDICT_UNKNOWN)
    json_object_set_new(o, "toolExecutionNotifications",
                        json_pack("[{s:s, s:o}]", "level", "warning", "message",
                                  message_of(r->reason && r->reason[0] ? r->reason : "unknown")));
  return o;
}

void tp_report_sarif(const tp_report *r, const char *version, tp_run_limits limits, uint64_t steps,
                     tp_str *out) {
  TP_REQUIRE(r && version && out);
  json_object_seed(1);  // the same bytes every time
  json_t *results = json_array(), *properties = json_object();
  if (r->verdict == TP_VERDICT_FALSE) json_array_append_new(results, result_of(r, limits, steps));
  tp_str answer = {0};
  tp_report_result(r, &answer);
  json_object_set_new(properties, "property", tp_json_text(tp_property_name(r->asked)));
  json_object_set_new(properties, "result", tp_json_text(tp_str_text(&answer)));
  tp_str_clear(&answer);
  json_t *driver =
      json_pack("{s:s, s:s, s:o}", "name", "Twoproof", "version", version, "rules", rules());
  json_t *run = json_pack("{s:{s:o}, s:[o], s:s, s:o, s:o}", "tool", "driver", driver,
                          "invocations", invocation(r), "columnKind", "unicodeCodePoints",
                          "results", results, "properties", properties);
  json_t *log =
      json_pack("{s:s, s:s, s:[o]}", "$schema", "https://json.schemastore.org/sarif-2.1.0.json",
                "version", "2.1.0", "runs", run);
  char *text = json_dumps(log, JSON_INDENT(2));
  if (!text) tp_out_of_memory(0);  // all strings are UTF-8
  tp_str_printf(out, "%s\n", text);
  free(text);
  json_decref(log);
}
