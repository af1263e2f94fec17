/* Diagnostics from answers.
 *
 * FALSE is an error where the run fails, with the steps of the run as related places; UNKNOWN is
 * information at the function, with its reason; remarks of the front end are hints. A stale one
 * says so in its text and is shown faded (the tag Unnecessary). */
#include "lsp/file_uri.h"
#include "lsp/lsp_limits.h"
#include "lsp/lsp_priv.h"
#include "report/json_text.h"

#include <ctype.h>

enum { SEVERITY_ERROR = 1, SEVERITY_WARNING, SEVERITY_INFORMATION, SEVERITY_HINT };

bool tp_lsp_is_stale(const tp_lsp_file *f, const tp_lsp_target *t) {
  return t->is_stale || f->needs_survey || f->is_surveying || f->was_cancelled ||
         f->problems != NULL;
}

// ------------------------------------------------------------------------- places

int64_t tp_lsp_shown_line(tp_lsp_server *s, const char *path, int64_t line) {
  const tp_lsp_file *f = tp_lsp_file_of_path(s, path);
  return f && line > 0 ? 1 + (int64_t)tp_text_moved_line(&f->document, 0, (uint32_t)line - 1)
                       : line;
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Bytes of the word or the character at the column. */
static size_t word_at(const char *line, size_t n, size_t column) {
  size_t end = column;
  while (end < n && is_word(line[end])) end++;
  if (end == column && end < n) end += tp_text_character(line + end, n - end);
  return end - column;
}

/* shown: the line as the editor has it. */
static json_t *range_of(tp_lsp_server *s, const char *path, int64_t shown, int64_t column) {
  const tp_lsp_file *f = tp_lsp_file_of_path(s, path);
  const tp_text_document *d = f ? &f->document : tp_sources_get(&s->sources, path);
  const uint32_t at = shown > 0 ? (uint32_t)shown - 1 : 0;
  size_t n = 0, start = column > 0 ? (size_t)column - 1 : 0;
  const char *text = tp_text_line(d, at, &n);
  if (!text) text = "", n = 0;
  if (start > n) start = n;
  const size_t end = start + word_at(text, n, start);
  return json_pack("{s:{s:i, s:i}, s:{s:i, s:i}}", "start", "line", (int)at, "character",
                   (int)tp_text_units(text, n, start, s->unit), "end", "line", (int)at, "character",
                   (int)tp_text_units(text, n, end, s->unit));
}

json_t *tp_lsp_range(tp_lsp_server *s, const char *path, int64_t line, int64_t column) {
  return range_of(s, path, tp_lsp_shown_line(s, path, line), column);
}

json_t *tp_lsp_uri(tp_lsp_server *s, const char *path) {
  const tp_lsp_file *f = tp_lsp_file_of_path(s, path);
  if (f) return tp_json_text(f->uri);
  tp_str uri = {0};
  tp_file_uri_of(path, &uri);
  json_t *text = tp_json_text(uri.text);
  tp_str_clear(&uri);
  return text;
}

typedef struct {
  const char *path;
  int64_t line, column;
} shown_place;

static shown_place place_of(const json_t *place) {
  const char *path = json_string_value(json_array_get(place, 0));
  return (shown_place){path && path[0] == '/' ? path : NULL,
                       json_integer_value(json_array_get(place, 1)),
                       json_integer_value(json_array_get(place, 2))};
}

/* The name of the function, behind its type in the line of its declaration. */
static shown_place name_of_target(tp_lsp_server *s, const tp_lsp_target *t) {
  shown_place at = {t->place.path[0] == '/' ? t->place.path : NULL, t->place.line, t->place.column};
  if (!at.path) return at;
  const tp_lsp_file *f = tp_lsp_file_of_path(s, at.path);
  const tp_text_document *d = f ? &f->document : tp_sources_get(&s->sources, at.path);
  const int64_t shown = tp_lsp_shown_line(s, at.path, at.line);
  size_t n = 0;
  const char *text = tp_text_line(d, shown > 0 ? (uint32_t)shown - 1 : 0, &n);
  const size_t n_name = strlen(t->name);
  for (size_t i = 0; text && i + n_name <= n; i++)
    if (strncmp(text + i, t->name, n_name) == 0 && (i == 0 || !is_word(text[i - 1])) &&
        (i + n_name == n || !is_word(text[i + n_name]))) {
      at.column = (int64_t)i + 1;
      break;
    }
  return at;
}

// -------------------------------------------------------------------- diagnostics

typedef struct {
  tp_lsp_server *s;
  json_t *by_uri;
  const tp_lsp_file *file;
  const tp_lsp_target *target;  // NULL: of the file
  bool is_stale;
} desk;

static void add_with_range(desk *d, shown_place at, json_t *range, json_t *diagnostic) {
  json_object_set_new(diagnostic, "range", range);
  json_object_set_new(diagnostic, "source", json_string("twoproof"));
  json_t *uri = tp_lsp_uri(d->s, at.path),
         *list = json_object_get(d->by_uri, json_string_value(uri));
  if (!list) json_object_set_new(d->by_uri, json_string_value(uri), list = json_array());
  bool is_there = false;  // two properties may have the same remark
  for (size_t i = 0; i < json_array_size(list); i++)
    is_there |= json_equal(json_array_get(list, i), diagnostic);
  if (!is_there) json_array_append(list, diagnostic);
  json_decref(uri);
  json_decref(diagnostic);
}

static void add(desk *d, shown_place at, json_t *diagnostic) {
  add_with_range(d, at, tp_lsp_range(d->s, at.path, at.line, at.column), diagnostic);
}

static json_t *diagnostic_of(const desk *d, int severity, const char *code, const char *message) {
  tp_str text = {0};
  if (d->is_stale)
    tp_str_add(&text, d->file->was_cancelled ? "(stale: of the last save, the check was cancelled) "
                      : d->file->problems    ? "(stale: of the last text that could be read) "
                                             : "(stale: being verified again) ");
  tp_str_add(&text, message);
  json_t *o = json_pack("{s:i, s:s, s:o}", "severity", severity, "code", code, "message",
                        tp_json_text(text.text));
  if (d->is_stale) json_object_set_new(o, "tags", json_pack("[i]", 1));
  tp_str_clear(&text);
  return o;
}

/* Places of the environment of a function (app/environment.h) stand in a file that is gone: its
 * steps are those of the caller. */
static bool is_outside(const desk *d, const char *path) {
  const size_t n = strlen(d->s->temporary);
  return d->target && strncmp(path, d->s->temporary, n) == 0 && path[n] == '/';
}

static void add_related(const desk *d, json_t *list, const json_t *from, bool is_cut) {
  const size_t n = json_array_size(from), half = TP_LSP_RELATED / 2;
  for (size_t i = 0; i < n; i++) {
    if (is_cut && n > TP_LSP_RELATED && i >= half && i + half < n) continue;
    const json_t *step = json_array_get(from, i);
    shown_place at = place_of(json_object_get(step, "place"));
    if (!at.path || !tp_rpc_text(step, "text")) continue;
    const bool is_before = is_outside(d, at.path);
    tp_str text = {0};
    if (is_before) tp_str_printf(&text, "the caller of %s: ", d->target->name);
    tp_str_add(&text, tp_rpc_text(step, "text"));
    if (is_before) at = name_of_target(d->s, d->target);
    if (at.path)
      json_array_append_new(
          list, json_pack("{s:{s:o, s:o}, s:o}", "location", "uri", tp_lsp_uri(d->s, at.path),
                          "range", tp_lsp_range(d->s, at.path, at.line, at.column), "message",
                          tp_json_text(text.text)));
    tp_str_clear(&text);
  }
}

static void add_data(const desk *d, const json_t *finding, json_t *diagnostic) {
  json_object_set_new(diagnostic, "data",
                      json_pack("{s:o, s:o, s:O?, s:b}", "uri", tp_json_text(d->file->uri),
                                "target", tp_json_text(d->target->name), "property",
                                json_object_get(finding, "property"), "stale", (int)d->is_stale));
}

/* " when find is called", unless the program has a main. */
static void add_caller(const desk *d, tp_str *out) {
  if (strcmp(d->target->name, "main") != 0)
    tp_str_printf(out, " when %s is called", d->target->name);
}

/* What was asked for; bytes of memory that nobody set are in the test. */
static void add_inputs(const json_t *inputs, tp_str *out) {
  size_t n = 0;
  for (size_t i = 0; i < json_array_size(inputs); i++) {
    const json_t *input = json_array_get(inputs, i);
    const char *kind = tp_rpc_text(input, "kind"), *name = tp_rpc_text(input, "name"),
               *value = tp_rpc_text(input, "value");
    if (!kind || !value || strcmp(kind, "indeterminate") == 0) continue;
    if (n++ == TP_LSP_INPUTS) tp_str_add(out, ", ...");
    if (n > TP_LSP_INPUTS) continue;
    tp_str_printf(out, "%s%s = %s", n == 1 ? "\ninputs: " : ", ", name ? name : kind, value);
  }
}

static void add_failure(desk *d, const json_t *finding) {
  const char *violated = tp_rpc_text(finding, "violated"),
             *message = tp_rpc_text(finding, "message");
  const int64_t cwe = tp_rpc_number(finding, "cwe");
  tp_str text = {0}, code = {0};
  tp_str_printf(&text, "%s is violated", violated ? violated : "the property");
  add_caller(d, &text);
  tp_str_printf(&text, ": %s", message ? message : "");
  add_inputs(json_object_get(finding, "inputs"), &text);
  tp_str_printf(&code, cwe > 0 ? "CWE-%lld" : "failure", (long long)cwe);
  json_t *o = diagnostic_of(d, SEVERITY_ERROR, code.text, text.text);
  if (cwe > 0) {
    tp_str href = {0};
    tp_str_printf(&href, "https://cwe.mitre.org/data/definitions/%lld.html", (long long)cwe);
    json_object_set_new(o, "codeDescription", json_pack("{s:s}", "href", href.text));
    tp_str_clear(&href);
  }
  json_t *related = json_array();
  add_related(d, related, json_object_get(finding, "notes"), false);
  add_related(d, related, json_object_get(finding, "steps"), true);
  if (d->s->client.has_related) json_object_set(o, "relatedInformation", related);
  json_decref(related);
  add_data(d, finding, o);
  shown_place at = place_of(json_object_get(finding, "place"));
  if (!at.path || is_outside(d, at.path)) at = name_of_target(d->s, d->target);
  if (!at.path) at = (shown_place){d->file->path, 1, 1};
  add(d, at, o);
  tp_str_clear(&text);
  tp_str_clear(&code);
}

static void add_line(tp_str *out, const char *line) {
  if (line && line[0]) tp_str_printf(out, "\n%s", line);
}

static void add_at_target(desk *d, json_t *diagnostic) {
  const shown_place at = name_of_target(d->s, d->target);
  add(d, at.path ? at : (shown_place){d->file->path, 1, 1}, diagnostic);
}

static const char *why_of(const json_t *finding) {
  const char *verdict = tp_rpc_text(finding, "verdict"), *why = tp_rpc_text(finding, "why"),
             *reason = tp_rpc_text(finding, "reason");
  if (verdict && (strcmp(verdict, "true") == 0 || strcmp(verdict, "false") == 0 ||
                  strcmp(verdict, "bounded") == 0))
    return NULL;
  return why ? why : reason ? reason : "no reason was given";
}

/* Of all properties of the target that are unknown for this reason, at the first of them. */
static void add_unknown(desk *d, const json_t *finding) {
  const char *why = why_of(finding);
  tp_str text = {0}, names = {0};
  bool is_first = true;
  size_t i;
  json_t *other;
  json_array_foreach(d->target->answer, i, other) {
    const char *property = tp_rpc_text(other, "property"), *its_why = why_of(other);
    if (!its_why || strcmp(why, its_why) != 0) continue;
    if (!names.n) is_first = other == finding;
    tp_str_printf(&names, "%s%s", names.n ? ", " : "", property ? property : "the property");
  }
  tp_str_printf(&text, "%s: unknown", tp_str_text(&names));
  add_caller(d, &text);
  tp_str_printf(&text, ": %s", why);
  add_line(&text, tp_rpc_text(finding, "where"));
  add_line(&text, tp_rpc_text(finding, "next"));
  if (is_first) {
    json_t *o = diagnostic_of(d, SEVERITY_INFORMATION, "unknown", text.text);
    add_data(d, finding, o);
    add_at_target(d, o);
  }
  tp_str_clear(&text);
  tp_str_clear(&names);
}

/* `bounded(unroll=5)`: nothing failed, nothing is proved. */
static void add_bounded(desk *d, const json_t *finding) {
  const char *property = tp_rpc_text(finding, "property"), *result = tp_rpc_text(finding, "result");
  tp_str text = {0};
  tp_str_printf(&text, "%s: %s", property ? property : "", result ? result : "");
  json_t *o = diagnostic_of(d, SEVERITY_HINT, "bounded", text.text);
  add_data(d, finding, o);
  add_at_target(d, o);
  tp_str_clear(&text);
}

static void add_remarks(desk *d, const json_t *finding) {
  size_t i;
  json_t *remark;
  json_array_foreach(json_object_get(finding, "remarks"), i, remark) {
    const shown_place at = place_of(json_object_get(remark, "place"));
    if (!at.path) continue;
    add(d, at, diagnostic_of(d, SEVERITY_HINT, "remark", tp_rpc_text(remark, "text")));
  }
}

/* Does a failure beside it say what undefined behaviour keeps this property from being proved? */
static bool is_told_by_failure(const tp_lsp_target *t, const json_t *finding) {
  size_t i;
  json_t *other;
  if (!json_object_get(finding, "undefined")) return false;
  json_array_foreach(t->answer, i, other) {
    const char *verdict = tp_rpc_text(other, "verdict");
    if (verdict && strcmp(verdict, "false") == 0) return true;
  }
  return false;
}

static void add_target(desk *d) {
  const tp_lsp_target *t = d->target;
  size_t i;
  json_t *finding;
  d->is_stale = tp_lsp_is_stale(d->file, t);
  json_array_foreach(t->answer, i, finding) {
    const char *verdict = tp_rpc_text(finding, "verdict");
    if (verdict && strcmp(verdict, "false") == 0)
      add_failure(d, finding);
    else if (verdict && strcmp(verdict, "bounded") == 0)
      add_bounded(d, finding);
    else if ((!verdict || strcmp(verdict, "true") != 0) && !is_told_by_failure(t, finding))
      add_unknown(d, finding);
    add_remarks(d, finding);
  }
  tp_str text = {0};
  if (t->obstacle) {
    tp_str_printf(&text, "%s cannot be verified by itself: %s", t->name, t->obstacle);
    d->is_stale = false;
    add_at_target(d, diagnostic_of(d, SEVERITY_INFORMATION, "entry", text.text));
  }
  if (t->trouble) {
    d->is_stale = false;
    add_at_target(d, diagnostic_of(d, SEVERITY_WARNING, "no-answer", t->trouble));
  }
  tp_str_clear(&text);
}

static void add_problems(desk *d) {
  size_t i;
  json_t *problem;
  d->is_stale = false;
  json_array_foreach(d->file->problems, i, problem) {
    const shown_place at = place_of(json_object_get(problem, "place"));
    const char *text = tp_rpc_text(problem, "text");
    if (!at.path || !text) continue;
    json_t *o = json_pack("{s:I, s:s, s:s}", "severity", tp_rpc_number(problem, "severity"), "code",
                          "front-end", "message", text);
    json_t *related = json_array();
    add_related(d, related, json_object_get(problem, "notes"), false);
    if (json_array_size(related) && d->s->client.has_related)
      json_object_set(o, "relatedInformation", related);
    json_decref(related);
    int64_t line = at.line;
    if (strcmp(at.path, d->file->path) == 0 && line > 0)
      line = 1 + (int64_t)tp_text_moved_line(&d->file->document, d->file->problems_before,
                                             (uint32_t)line - 1);
    add_with_range(d, at, range_of(d->s, at.path, line, at.column), o);
  }
}

static const tp_lsp_file *open_file_of(const tp_lsp_server *s, const char *uri) {
  for (size_t i = 0; i < s->files.n; i++)
    if (s->files.at[i]->is_open && strcmp(s->files.at[i]->uri, uri) == 0) return s->files.at[i];
  return NULL;
}

static void send(tp_lsp_server *s, const char *uri, const json_t *list) {
  const tp_lsp_file *f = open_file_of(s, uri);
  json_t *params = json_pack("{s:s, s:o}", "uri", uri, "diagnostics",
                             list ? json_deep_copy(list) : json_array());
  if (f) json_object_set_new(params, "version", json_integer(f->version));
  tp_rpc_notify(&s->rpc, "textDocument/publishDiagnostics", params);
}

void tp_lsp_publish(tp_lsp_server *s) {
  desk d = {.s = s, .by_uri = json_object()};
  for (size_t i = 0; i < s->files.n; i++) {
    d.file = s->files.at[i];
    if (!d.file->is_open) continue;
    add_problems(&d);
    for (size_t k = 0; k < d.file->survey.targets.n; k++) {
      d.target = &d.file->survey.targets.at[k];
      add_target(&d);
    }
  }
  tp_sources_clear(&s->sources);
  const char *uri;
  json_t *list;
  json_object_foreach(d.by_uri, uri, list) {
    if (!json_equal(list, json_object_get(s->published, uri))) send(s, uri, list);
  }
  json_object_foreach(s->published, uri, list) {
    if (!json_object_get(d.by_uri, uri)) send(s, uri, NULL);
  }
  json_decref(s->published);
  s->published = d.by_uri;
}
