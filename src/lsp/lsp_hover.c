/* What is proved where the pointer rests, as Markdown: invariants at the line of a loop, contracts
 * and summaries at the name of a function, verdicts at a function that was verified.
 *
 * The items are those of the report (doc/report.md), from the certificate that was checked. */
#include "lsp/lsp_priv.h"
#include "report/json_text.h"

#include <ctype.h>

typedef struct {
  tp_lsp_server *s;
  const tp_lsp_file *file;
  int64_t line;  // from 1, as it is shown
  const char *word;
  tp_str text;
  json_t *seen;  // body of a part -> its properties, in order
} hover;

static void add_facts(const json_t *facts, const char *before, tp_str *out) {
  for (size_t i = 0; i < json_array_size(facts); i++) {
    const char *fact = json_string_value(json_array_get(facts, i));
    if (fact) tp_str_printf(out, "%s%s\n", before, fact);
  }
}

static void add_hidden(const json_t *item, tp_str *out) {
  const int64_t hidden = tp_rpc_number(item, "hidden"), heaps = tp_rpc_number(item, "heaps");
  if (hidden > 0)
    tp_str_printf(out, "%lld more that C has no expression for: see the certificate\n",
                  (long long)hidden);
  if (heaps > 0)
    tp_str_printf(out, "%lld descriptions of heaps: see the report\n", (long long)heaps);
}

/* The kind of the item as a title, and what it says; false: it says nothing. */
static bool describe(const json_t *item, tp_str *title, tp_str *body) {
  const char *kind = tp_rpc_text(item, "kind"), *function = tp_rpc_text(item, "function");
  tp_str code = {0};
  if (!kind || !function) return false;
  if (strcmp(kind, "bound") == 0) {
    tp_str_add(title, "Bound of the loop");
    tp_str_printf(body, "at most %lld iterations, unrolled completely\n",
                  (long long)tp_rpc_number(item, "iterations"));
  } else if (strcmp(kind, "depth") == 0) {
    tp_str_printf(title, "Depth of `%s`", function);
    tp_str_printf(body, "at most %lld activations at a time\n",
                  (long long)tp_rpc_number(item, "activations"));
  } else if (strcmp(kind, "contract") == 0) {
    tp_str_printf(title, "Contract of `%s`", function);
    add_facts(json_object_get(item, "requires"), "requires: ", &code);
    add_facts(json_object_get(item, "ensures"), "ensures:  ", &code);
  } else {
    const json_t *alternatives = json_object_get(item, "alternatives");
    const bool is_loop = strcmp(kind, "loop") == 0;
    tp_str_printf(title,
                  is_loop                      ? "Invariant of the loop"
                  : strcmp(kind, "entry") == 0 ? "At every call of `%s`"
                  : strcmp(kind, "exit") == 0  ? "At the end of `%s`"
                                               : "Here, in `%s`",
                  function);
    for (size_t i = 0; i < json_array_size(alternatives); i++) {
      if (i && code.n) tp_str_add(&code, "// or\n");
      add_facts(json_array_get(alternatives, i), "", &code);
    }
  }
  if (code.n) tp_str_printf(body, "```c\n%s```\n", code.text);
  add_hidden(item, body);
  tp_str_clear(&code);
  return body->n > 0;
}

static bool is_here(const hover *h, const json_t *item) {
  const json_t *place = json_object_get(item, "place");
  const char *path = json_string_value(json_array_get(place, 0)), *kind = tp_rpc_text(item, "kind"),
             *function = tp_rpc_text(item, "function");
  if (!path || !kind || !function) return false;
  const bool is_of_function = strcmp(kind, "contract") == 0 || strcmp(kind, "depth") == 0 ||
                              strcmp(kind, "entry") == 0 || strcmp(kind, "exit") == 0;
  if (is_of_function && h->word && strcmp(function, h->word) == 0) return true;
  const int64_t line = json_integer_value(json_array_get(place, 1));
  return strcmp(path, h->file->path) == 0 && tp_lsp_shown_line(h->s, path, line) == h->line;
}

/* Notes that `by` says this; the same from several properties stands once. */
static void note(hover *h, const char *part, const char *by) {
  json_t *list = json_object_get(h->seen, part);
  if (!list) json_object_set_new(h->seen, part, list = json_array());
  for (size_t i = 0; i < json_array_size(list); i++)
    if (strcmp(json_string_value(json_array_get(list, i)), by) == 0) return;
  json_array_append_new(list, tp_json_text(by));
}

static void add_items(hover *h, const tp_lsp_file *f, const tp_lsp_target *t,
                      const json_t *finding) {
  size_t i;
  json_t *item;
  json_array_foreach(json_object_get(finding, "proof"), i, item) {
    tp_str title = {0}, body = {0}, part = {0}, by = {0};
    if (is_here(h, item) && describe(item, &title, &body)) {
      const char *property = tp_rpc_text(finding, "property");
      json_t *plain = tp_json_text(tp_str_text(&body));
      tp_str_printf(&part, "**%s**%s\n%s", tp_str_text(&title),
                    tp_lsp_is_stale(f, t) ? " (stale)" : "", json_string_value(plain));
      tp_str_add(&by, property ? property : "");
      if (strcmp(t->name, "main") != 0) tp_str_printf(&by, " of `%s`", t->name);
      note(h, part.text, by.text);
      json_decref(plain);
    }
    tp_str_clear(&title);
    tp_str_clear(&body);
    tp_str_clear(&part);
    tp_str_clear(&by);
  }
}

static void add_verdicts(hover *h, const tp_lsp_file *f, const tp_lsp_target *t) {
  size_t i;
  json_t *finding;
  if (!t->answer && !t->needs_check) return;
  tp_str_printf(&h->text, "%s`%s`%s\n\n", h->text.n ? "\n---\n" : "", t->name,
                !t->answer              ? ": not verified yet"
                : tp_lsp_is_stale(f, t) ? " (stale)"
                                        : "");
  json_array_foreach(t->answer, i, finding) {
    const char *property = tp_rpc_text(finding, "property"), *said = tp_rpc_text(finding, "said"),
               *verdict = tp_rpc_text(finding, "verdict");
    tp_str_printf(&h->text, "- `%s`: **%s**%s%s\n", property ? property : "",
                  verdict ? verdict : "unknown", said && said[0] ? ", " : "", said ? said : "");
    const json_t *assumptions = json_object_get(finding, "assumptions");
    for (size_t k = 0; k < json_array_size(assumptions); k++)
      tp_str_printf(&h->text, "  - assumed: %s\n",
                    json_string_value(json_array_get(assumptions, k)));
  }
}

static char *word_under(const tp_lsp_file *f, tp_text_position at, tp_position_unit unit) {
  size_t n;
  const char *line = tp_text_line(&f->document, at.line, &n);
  if (!line) return NULL;
  size_t from = tp_text_bytes(line, n, at.character, unit), to = from;
  while (from > 0 && (isalnum((unsigned char)line[from - 1]) || line[from - 1] == '_')) from--;
  while (to < n && (isalnum((unsigned char)line[to]) || line[to] == '_')) to++;
  if (from == to) return NULL;
  char *word = tp_alloc(to - from + 1);
  memcpy(word, line + from, to - from);
  return word;
}

static void add_parts(hover *h) {
  const char *part;
  json_t *by;
  json_object_foreach(h->seen, part, by) {
    tp_str_printf(&h->text, "%s%s\nproved for ", h->text.n ? "\n---\n" : "", part);
    for (size_t i = 0; i < json_array_size(by); i++)
      tp_str_printf(&h->text, "%s%s", i ? ", " : "", json_string_value(json_array_get(by, i)));
    tp_str_add_char(&h->text, '\n');
  }
}

json_t *tp_lsp_hover(tp_lsp_server *s, const tp_lsp_file *f, tp_text_position at) {
  char *word = word_under(f, at, s->unit);
  hover h = {.s = s, .file = f, .line = (int64_t)at.line + 1, .word = word, .seen = json_object()};
  for (size_t i = 0; i < s->files.n; i++) {
    const tp_lsp_file *other = s->files.at[i];
    for (size_t k = 0; other->is_open && k < other->survey.targets.n; k++) {
      const tp_lsp_target *t = &other->survey.targets.at[k];
      size_t j;
      json_t *finding;
      json_array_foreach(t->answer, j, finding) add_items(&h, other, t, finding);
    }
  }
  add_parts(&h);
  for (size_t k = 0; word && k < f->survey.targets.n; k++)
    if (strcmp(f->survey.targets.at[k].name, word) == 0)
      add_verdicts(&h, f, &f->survey.targets.at[k]);
  json_t *result = h.text.n ? json_pack("{s:{s:s, s:o}}", "contents", "kind", "markdown", "value",
                                        tp_json_text(h.text.text))
                            : json_null();
  json_decref(h.seen);
  tp_str_clear(&h.text);
  tp_free(word);
  return result;
}
