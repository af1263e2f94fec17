/* Reads a file of predicates line by line; every wrong line is reported, and reading goes on behind
 * it. An expression under the scope * is read at every location and kept where its names have a
 * meaning. */
#include "expression/predicate_file.h"

#include "expression/expression.h"
#include "expression/scope.h"

#include <ctype.h>
#include <stdlib.h>

typedef struct {
  const tp_program *p;
  tp_predicate_locations places;
  tp_diag *diag;
  tp_predicate_sink sink;
  tp_pos pos;  // of the line
  const char *line;
} file_reader;

static tp_status complain(file_reader *r, const char *where, const char *what) {
  tp_pos pos = r->pos;
  pos.column = (uint32_t)(where - r->line) + 1;
  tp_diag_say(r->diag, TP_ERROR, pos, "predicate", "%s", what);
  return TP_ERR_INPUT;
}

// ----------------------------------------------------------------------- scope

typedef struct {
  bool everywhere;
  tp_func func;
  uint32_t line;  // 0: all
} scope;

static tp_status read_scope(file_reader *r, const char *text, size_t n, scope *out) {
  char name[256];
  size_t k = 0;
  *out = (scope){0};
  if (n == 1 && *text == '*') {
    out->everywhere = true;
    return TP_OK;
  }
  while (k < n && (isalnum((unsigned char)text[k]) || text[k] == '_' || text[k] == '.')) k++;
  if (k == 0 || k >= sizeof name)
    return complain(r, text, "expected '*', FUNCTION or FUNCTION@LINE before ':'");
  memcpy(name, text, k);
  name[k] = 0;
  out->func = tp_scope_function(r->p, name);
  if (out->func.id == 0 || !tp_func_of(r->p, out->func)->has_body)
    return complain(r, text, "no such function in the program");
  if (k == n) return TP_OK;
  char *end = NULL;
  unsigned long line =
      text[k] == '@' && isdigit((unsigned char)text[k + 1]) ? strtoul(text + k + 1, &end, 10) : 0;
  if (line == 0 || line > UINT32_MAX || end != text + n)
    return complain(r, text + k, "expected @LINE behind the function");
  out->line = (uint32_t)line;
  return TP_OK;
}

static bool is_in_scope(const file_reader *r, const scope *s, tp_loc at) {
  const tp_loc_info *l = tp_loc_of(r->p, at);
  return s->everywhere || (l->func.id == s->func.id && (s->line == 0 || l->pos.line == s->line));
}

/* No place is meant: say which there are. */
static tp_status complain_of_place(file_reader *r, const scope *s, const char *where) {
  tp_str text = {0};
  uint32_t last = 0, n = 0;
  for (size_t i = 0; i < r->places.n; i++) {
    const tp_loc_info *l = tp_loc_of(r->p, r->places.at[i]);
    if (l->func.id != s->func.id || l->pos.line == 0 || l->pos.line == last) continue;
    tp_str_printf(&text, "%s%u", n++ ? ", " : "", last = l->pos.line);
  }
  tp_str message = {0};
  const char *name = tp_func_of(r->p, s->func)->name;
  if (n)
    tp_str_printf(&message, "no cutpoint of %s there; it has some in line %s", name,
                  tp_str_text(&text));
  else
    tp_str_printf(&message, "%s has no cutpoints", name);
  (void)complain(r, where, tp_str_text(&message));
  tp_str_clear(&message);
  tp_str_clear(&text);
  return TP_ERR_INPUT;
}

// ----------------------------------------------------------------------- lines

static tp_status read_predicate(file_reader *r, const scope *s, const char *scope_text,
                                const char *text) {
  size_t n_meant = 0, n_read = 0;
  tp_expression_error error = {0}, best = {0};
  for (size_t i = 0; i < r->places.n; i++) {
    tp_loc at = r->places.at[i];
    if (!is_in_scope(r, s, at)) continue;
    n_meant++;
    tp_term t;
    error.why.n = 0;
    bool ok = tp_predicate_read(r->p, at, text, &t, &error) == TP_OK;
    if (ok) n_read++, r->sink.found(r->sink.ctx, at, t, text);
    if (ok || (best.why.n && error.column <= best.column)) continue;
    best.column = error.column;
    best.why.n = 0;
    tp_str_add(&best.why, tp_str_text(&error.why));
  }
  bool is_wrong = best.why.n && (n_read == 0 || !s->everywhere);
  tp_status st = TP_OK;
  if (n_meant == 0)
    st = s->everywhere ? TP_OK : complain_of_place(r, s, scope_text);
  else if (is_wrong)
    st = complain(r, text + best.column - 1, tp_str_text(&best.why));
  tp_str_clear(&error.why);
  tp_str_clear(&best.why);
  return st;
}

/* The line ends where a comment starts. */
static void cut_comment(char *line) {
  for (char *c = line; *c; c++)
    if (*c == '#' && (c == line || isspace((unsigned char)c[-1]))) *c = 0;
  size_t n = strlen(line);
  while (n && isspace((unsigned char)line[n - 1])) line[--n] = 0;
}

static tp_status read_line(file_reader *r, char *line) {
  cut_comment(line);
  r->line = line;
  const char *at = line;
  while (isspace((unsigned char)*at)) at++;
  if (!*at) return TP_OK;
  const char *colon = strchr(at, ':');
  if (!colon) return complain(r, at, "expected SCOPE: EXPRESSION");
  size_t n = (size_t)(colon - at);
  while (n && isspace((unsigned char)at[n - 1])) n--;
  scope s;
  TP_TRY(read_scope(r, at, n, &s));
  const char *text = colon + 1;
  while (isspace((unsigned char)*text)) text++;
  if (!*text) return complain(r, text, "expected an expression at the end");
  return read_predicate(r, &s, at, text);
}

tp_status tp_predicates_read(const tp_program *p, tp_predicate_locations places, const char *path,
                             tp_diag *diag, tp_predicate_sink sink) {
  TP_REQUIRE(path && sink.found && (places.n == 0 || places.at));
  tp_str text = {0};
  TP_TRY(tp_read_file(path, &text));
  file_reader r = {.p = p,
                   .places = places,
                   .diag = diag,
                   .sink = sink,
                   .pos = {tp_diag_file(diag, path), 0, 0}};
  tp_status st = TP_OK;
  for (char *line = text.text; line && *line;) {
    char *end = strchr(line, '\n');
    if (end) *end = 0;
    r.pos.line++;
    if (read_line(&r, line) != TP_OK) st = TP_ERR_INPUT;  // say all that is wrong
    line = end ? end + 1 : NULL;
  }
  tp_str_clear(&text);
  return st;
}

void tp_predicate_write(const tp_program *p, tp_loc at, const char *text, tp_str *out) {
  TP_REQUIRE(at.id > 0 && at.id < p->locs.n && text);
  const tp_loc_info *l = tp_loc_of(p, at);
  tp_str_add(out, tp_func_of(p, l->func)->name);
  if (l->pos.line) tp_str_printf(out, "@%u", l->pos.line);
  tp_str_printf(out, ": %s\n", text);
}
