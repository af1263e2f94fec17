/* The page from its template: text with slots, each a line `<!--@ NAME -->`, which is filled with
 * what stands in the table below. */
#include "report/page.h"

#include "report/page_priv.h"

#include <stdlib.h>

static const char *const template_lines[] = {
#include "report/page_html.inc"
    NULL};
static const char *const style_lines[] = {
#include "report/page_css.inc"
    NULL};
static const char *const script_lines[] = {
#include "report/page_js.inc"
    NULL};

// ---------------------------------------------------------------------- object

json_t *tp_page_option_list(const tp_page_option *options, size_t n) {
  json_t *list = json_array();
  for (size_t i = 0; i < n; i++) {
    json_t *o = json_array();
    json_array_append_new(o, tp_page_text(options[i].name));
    json_array_append_new(o, tp_page_text(options[i].value));
    json_array_append_new(o, json_boolean(options[i].is_given));
    json_array_append_new(list, o);
  }
  return list;
}

static json_t *pictures_of(const tp_page_extra *more) {
  json_t *list = json_array();
  for (size_t i = 0; i < more->n_pictures; i++) {
    json_t *o = json_object();
    json_object_set_new(o, "place", tp_page_text(more->pictures[i].place));
    json_object_set_new(o, "caption", tp_page_text(more->pictures[i].caption));
    if (more->pictures[i].svg) json_object_set_new(o, "svg", tp_page_text(more->pictures[i].svg));
    json_array_append_new(list, o);
  }
  return list;
}

/* The run, and the automata with its visits. */
static void add_program(json_t *o, const tp_report *r, const tp_page_extra *more,
                        const tp_map *index_of) {
  uint32_t *visits = NULL;
  if (more->has_run && r->program) {
    visits = TP_NEW_ARRAY(uint32_t, r->program->edges.n + 1);
    const bool is_whole = tp_page_count_visits(r, more, visits);
    json_t *run = tp_page_run(r, more, index_of);
    json_object_set_new(run, "visits_are_whole", json_boolean(is_whole));
    json_object_set_new(o, "run", run);
  }
  json_object_set_new(o, "automata", tp_page_automata(r->program, index_of, visits));
  tp_free(visits);
}

static json_t *object_of(const tp_report *r, const tp_page_extra *more, tp_str *console) {
  json_t *o = json_object();
  tp_map index_of = {0};
  json_object_set_new(o, "format", json_string("twoproof-page 1"));
  json_object_set_new(o, "version", tp_page_text(more->version));
  json_object_set_new(o, "command", tp_page_text(more->command));
  tp_page_answer(o, r, console);
  json_object_set_new(o, "options", tp_page_option_list(more->options, more->n_options));
  json_object_set_new(o, "files", tp_page_files(r, more, &index_of));
  json_object_set_new(o, "error", tp_page_place(&index_of, r->error_pos));
  if (r->verdict == TP_VERDICT_UNKNOWN)
    json_object_set_new(o, "where", tp_page_place(&index_of, r->obstacle.pos));
  json_object_set_new(o, "proof", tp_page_proof(r, more, &index_of));
  add_program(o, r, more, &index_of);
  json_object_set_new(o, "pictures", pictures_of(more));
  json_t *section = more->section ? json_loads(more->section, 0, NULL) : NULL;
  if (section) json_object_set_new(o, "section", section);
  tp_map_clear(&index_of);
  return o;
}

/* One member a line. In a script element only `<` can begin something; it stands in strings only.
 */
static void write_object(const json_t *object, tp_str *out) {
  const char *key;
  json_t *value;
  bool is_first = true;
  json_object_foreach((json_t *)(uintptr_t)object, key, value) {
    tp_str_printf(out, "%s\"%s\":", is_first ? "{" : ",\n", key);
    is_first = false;
    char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(6));
    if (!text) tp_out_of_memory(0);  // all strings are UTF-8
    for (const char *at = text; *at;) {
      const size_t n = strcspn(at, "<");
      tp_str_add_n(out, at, n);
      at += n;
      if (*at) tp_str_add(out, "\\u003c"), at++;
    }
    free(text);
  }
  tp_str_add(out, "}\n");
}

// -------------------------------------------------------------------- template

static void add_lines(const char *const *lines, tp_str *out) {
  for (; *lines; lines++) tp_str_add(out, *lines);
}

static void add_html(const char *text, tp_str *out) {
  for (; *text; text++) switch (*text) {
      case '<': tp_str_add(out, "&lt;"); break;
      case '>': tp_str_add(out, "&gt;"); break;
      case '&': tp_str_add(out, "&amp;"); break;
      case '"': tp_str_add(out, "&quot;"); break;
      default: tp_str_add_char(out, *text);
    }
}

/* UTF-8 as the object has it, escaped. */
static void add_text(const char *text, tp_str *out) {
  json_t *string = tp_page_text(text);
  add_html(json_string_value(string), out);
  json_decref(string);
}

static void add_title(const tp_report *r, const tp_page_extra *more, tp_str *out) {
  tp_report_result(r, out);
  for (size_t i = 0; i < more->n_files; i++)
    tp_str_printf(out, "%s%s", i ? ", " : " - ", more->files[i]);
}

void tp_page_fill(const json_t *object, const char *title, const char *console, tp_str *out) {
  for (const char *const *line = template_lines; *line; line++) {
    if (strcmp(*line, "<!--@ title -->\n") == 0)
      add_text(title, out);
    else if (strcmp(*line, "<!--@ style -->\n") == 0)
      add_lines(style_lines, out);
    else if (strcmp(*line, "<!--@ text -->\n") == 0)
      add_text(console, out);
    else if (strcmp(*line, "<!--@ object -->\n") == 0)
      write_object(object, out);
    else if (strcmp(*line, "<!--@ script -->\n") == 0)
      add_lines(script_lines, out);
    else
      tp_str_add(out, *line);
  }
}

void tp_page_write(const tp_report *r, const tp_page_extra *more, tp_str *out) {
  TP_REQUIRE(r && more && out);
  tp_str console = {0}, title = {0};
  json_t *object = object_of(r, more, &console);
  add_title(r, more, &title);
  tp_page_fill(object, tp_str_text(&title), tp_str_text(&console), out);
  json_decref(object);
  tp_str_clear(&console);
  tp_str_clear(&title);
}

void tp_page_write_proof(const tp_report *r, const tp_page_extra *more, tp_str *out) {
  TP_REQUIRE(r && more && out);
  json_object_seed(1);  // the same bytes every time
  json_t *o = json_object(), *paths = json_array();
  tp_map index_of = {0};
  json_t *files = tp_page_files(r, more, &index_of);
  for (size_t i = 0; i < index_of.n; i++)
    json_array_append_new(
        paths, tp_page_text(tp_diag_path_as_given(r->diag, (uint32_t)index_of.entries[i].key)));
  json_object_set_new(o, "files", paths);
  json_object_set_new(o, "proof", tp_page_proof(r, more, &index_of));
  write_object(o, out);
  json_decref(files);
  json_decref(o);
  tp_map_clear(&index_of);
}
