/* Marks in the text of a source: labels as error locations, and places behind `return`.
 *
 * A scanner that knows enough of C to tell a label from everything else: comments, strings,
 * preprocessor lines, `?:` and `case`. `L: s` becomes `L: if (call) {} else s`, which keeps the
 * statement s in its syntactic place, whatever encloses it; `call` never returns. */
#include "certify/runs/native_replay.h"

typedef struct {
  const char *p;
  char before;  // last significant character before p
  bool at_line_start;
  int questions;  // open `?` of the current expression
} scanner;

static bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$';
}

static const char *skip_string(const char *p) {
  char quote = *p++;
  while (*p && *p != quote && *p != '\n') p += (*p == '\\' && p[1]) ? 2 : 1;
  return *p == quote ? p + 1 : p;
}

static const char *skip_line(const char *p) {
  while (*p && *p != '\n') p += (*p == '\\' && p[1]) ? 2 : 1;
  return p;
}

static const char *skip_comment(const char *p) {
  if (p[1] == '/') return skip_line(p);
  const char *end = strstr(p + 2, "*/");
  return end ? end + 2 : p + strlen(p);
}

static const char *skip_space(const char *p) {
  for (;;) {
    if (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r' || *p == '\f')
      p++;
    else if (p[0] == '/' && (p[1] == '*' || p[1] == '/'))
      p = skip_comment(p);
    else
      return p;
  }
}

/* The next piece of text that is copied as a whole; sets *word if it is an identifier. */
static const char *next_piece(scanner *s, const char **word) {
  const char *p = s->p;
  *word = NULL;
  if (*p == '\n') {
    s->at_line_start = true;
    return p + 1;
  }
  if (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\f') return p + 1;
  if (p[0] == '/' && (p[1] == '*' || p[1] == '/')) return skip_comment(p);
  bool first = s->at_line_start;
  s->at_line_start = false;
  if (first && *p == '#') return skip_line(p);
  if (*p == '"' || *p == '\'') {
    s->before = *p;
    return skip_string(p);
  }
  if (is_word(*p)) {
    *word = p;
    while (is_word(*p)) p++;
    return p;
  }
  if (*p == '?') s->questions++;
  if (*p == ':' && s->questions > 0) s->questions--;
  if (*p == ';' || *p == '{' || *p == '}') s->questions = 0;
  s->before = *p;
  return p + 1;
}

/* A label follows the start of a statement: `; { } ) :` or `else` or `do`. */
static bool can_start_statement(const scanner *s, bool after_keyword) {
  return after_keyword || s->before == ';' || s->before == '{' || s->before == '}' ||
         s->before == ')' || s->before == ':';
}

size_t tp_chk_mark_label(const char *text, const char *label, const char *call, tp_str *out) {
  TP_REQUIRE(*label && *call);
  scanner s = {.p = text, .before = ';', .at_line_start = true};
  size_t n_label = strlen(label), found = 0;
  bool after_keyword = false;
  while (*s.p) {
    const char *word, *start = s.p, *end = next_piece(&s, &word);
    s.p = end;
    tp_str_add_n(out, start, (size_t)(end - start));
    if (!word) continue;
    size_t n = (size_t)(end - word);
    const char *colon = skip_space(end);
    if (n == n_label && memcmp(word, label, n) == 0 && *colon == ':' && s.questions == 0 &&
        can_start_statement(&s, after_keyword)) {
      tp_str_add_n(out, end, (size_t)(colon + 1 - end));
      tp_str_printf(out, " if (%s) {} else ", call);
      s.p = colon + 1;
      s.before = ':';
      found++;
      continue;
    }
    after_keyword =
        (n == 4 && memcmp(word, "else", 4) == 0) || (n == 2 && memcmp(word, "do", 2) == 0);
    s.before = 'a';
  }
  return found;
}

static bool is_at_or_before(tp_chk_text_place a, tp_chk_text_place b) {
  return a.line < b.line || (a.line == b.line && a.column <= b.column);
}

size_t tp_chk_mark_returns(const char *text, const tp_chk_text_place *places, size_t n,
                           const char *mark, tp_str *out) {
  TP_REQUIRE(*mark);
  scanner s = {.p = text, .before = ';', .at_line_start = true};
  tp_chk_text_place at = {1, 1};
  TP_VEC(const char *) ends = {0};  // of place i: behind the last return in front of it, or NULL
  for (size_t i = 0; i < n; i++) tp_vec_push(&ends, NULL);
  while (*s.p) {
    const char *word, *start = s.p, *end = next_piece(&s, &word);
    s.p = end;
    const bool is_return = word && end - word == 6 && memcmp(word, "return", 6) == 0;
    for (size_t i = 0; is_return && i < n; i++)
      if (is_at_or_before(at, places[i])) ends.at[i] = end;
    for (const char *p = start; p < end; p++) {
      at.column = *p == '\n' ? 1 : at.column + 1;
      at.line += *p == '\n';
    }
  }
  size_t found = 0;
  for (const char *p = text;; p++) {
    bool is_marked = false;
    for (size_t i = 0; i < n; i++) is_marked |= ends.at[i] == p;
    if (is_marked) {
      tp_str_add(out, mark);
      found++;
    }
    if (!*p) break;
    tp_str_add_char(out, *p);
  }
  tp_vec_clear(&ends);
  return found;
}
