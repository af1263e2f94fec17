/* One pass over the text. A punctuator is one character, but for those of two or three that a
 * reader of statements and expressions must not take apart: assignments, increments, arrows. */
#include "report/c_tokens.h"

#include <ctype.h>
#include <stdlib.h>

typedef struct {
  tp_c_tokens *t;
  size_t at;
  uint32_t line;
  size_t line_start;
  uint32_t file;  // named by the last line marker
  int64_t shift;  // named line - line
  bool at_start;  // of a line, but for spaces
  TP_VEC(uint32_t) open;
} lexer;

static char peek(const lexer *l, size_t ahead) {
  return l->at + ahead < l->t->n ? l->t->text[l->at + ahead] : 0;
}

static void step(lexer *l) {
  if (peek(l, 0) == '\n') {
    l->line++;
    l->line_start = l->at + 1;
    l->at_start = true;
  }
  l->at++;
}

static bool is_name_start(char c) {
  return isalpha((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool is_name(char c) { return is_name_start(c) || isdigit((unsigned char)c); }

/* A backslash before the line's end. */
static size_t splice(const lexer *l) {
  if (peek(l, 0) != '\\') return 0;
  return peek(l, 1) == '\n' ? 2 : peek(l, 1) == '\r' && peek(l, 2) == '\n' ? 3 : 0;
}

static bool skip_comment(lexer *l) {
  if (peek(l, 0) != '/' || (peek(l, 1) != '*' && peek(l, 1) != '/')) return false;
  const bool is_block = peek(l, 1) == '*';
  step(l), step(l);
  while (l->at < l->t->n) {
    if (is_block && peek(l, 0) == '*' && peek(l, 1) == '/') {
      step(l), step(l);
      return true;
    }
    if (!is_block && peek(l, 0) == '\n') return true;
    for (size_t n = splice(l); n; n--) step(l);
    if (l->at < l->t->n && (is_block || peek(l, 0) != '\n')) step(l);
  }
  return true;
}

// ------------------------------------------------------------------- directives

/* `# 12 "a.c"` or `#line 12 "a.c"` between from and to: the next line's name. */
static void follow_marker(lexer *l, const char *from, const char *to) {
  const char *c = from + 1;
  while (c < to && (*c == ' ' || *c == '\t')) c++;
  if (to - c > 4 && strncmp(c, "line", 4) == 0) c += 4;
  while (c < to && (*c == ' ' || *c == '\t')) c++;
  if (c >= to || !isdigit((unsigned char)*c)) return;
  char *end = NULL;
  const unsigned long line = strtoul(c, &end, 10);
  if (line > INT32_MAX) return;
  l->shift = (int64_t)line - ((int64_t)l->line + 1);
  const char *open = memchr(end, '"', (size_t)(to - end));
  if (!open) return;
  tp_str name = {0};
  for (c = open + 1; c < to && *c != '"'; c++) {
    if (*c == '\\' && c + 1 < to) c++;
    tp_str_add_char(&name, *c);
  }
  l->file = (uint32_t)l->t->files.n;
  tp_vec_push(&l->t->files, tp_arena_strdup(&l->t->arena, tp_str_text(&name)));
  tp_str_clear(&name);
}

static void skip_directive(lexer *l) {
  const char *from = l->t->text + l->at;
  while (l->at < l->t->n && peek(l, 0) != '\n') {
    for (size_t n = splice(l); n; n--) step(l);
    if (skip_comment(l)) continue;
    if (l->at < l->t->n && peek(l, 0) != '\n') step(l);
  }
  follow_marker(l, from, l->t->text + l->at);
}

// ----------------------------------------------------------------------- tokens

static size_t literal_length(const lexer *l) {
  const char quote = peek(l, 0);
  size_t n = 1;
  for (; l->at + n < l->t->n && peek(l, n) != quote && peek(l, n) != '\n'; n++)
    if (peek(l, n) == '\\' && l->at + n + 1 < l->t->n) n++;
  return l->at + n < l->t->n && peek(l, n) == quote ? n + 1 : n;
}

static size_t punctuator_length(const lexer *l) {
  static const char *const long_ones[] = {
      "<<=", ">>=", "...", "->", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=",
      "|=",  "^=",  "==",  "!=", "<=", ">=", "&&", "||", "<<", ">>", "##"};
  for (size_t i = 0; i < sizeof long_ones / sizeof *long_ones; i++) {
    const size_t n = strlen(long_ones[i]);
    if (l->at + n <= l->t->n && strncmp(l->t->text + l->at, long_ones[i], n) == 0) return n;
  }
  return 1;
}

static size_t number_length(const lexer *l) {
  size_t n = 1;
  for (; is_name(peek(l, n)) || peek(l, n) == '.' ||
         ((peek(l, n) == '+' || peek(l, n) == '-') && strchr("eEpP", peek(l, n - 1)));
       n++)
    continue;
  return n;
}

static size_t name_length(const lexer *l) {
  size_t n = 1;
  while (is_name(peek(l, n))) n++;
  return n;
}

/* Brackets that do not match leave both without a partner. */
static void match(lexer *l, uint32_t i) {
  const char c = l->t->text[l->t->v.at[i].at];
  if (strchr("([{", c)) {
    tp_vec_push(&l->open, i);
    return;
  }
  const char wanted = c == ')' ? '(' : c == ']' ? '[' : '{';
  if (l->open.n == 0 || l->t->text[l->t->v.at[tp_vec_last(&l->open)].at] != wanted) return;
  const uint32_t other = tp_vec_pop(&l->open);
  l->t->v.at[other].partner = i;
  l->t->v.at[i].partner = other;
}

static void add(lexer *l, tp_c_token_kind kind, size_t n) {
  const int64_t named = (int64_t)l->line + l->shift;
  const tp_c_token token = {.kind = kind,
                            .at = l->at,
                            .n = n,
                            .line = l->line,
                            .column = (uint32_t)(l->at - l->line_start + 1),
                            .named_file = l->file,
                            .named_line = named > 0 ? (uint32_t)named : 0};
  tp_vec_push(&l->t->v, token);
  if (kind == TP_C_TOKEN_PUNCTUATOR && n == 1 && strchr("()[]{}", peek(l, 0)))
    match(l, (uint32_t)(l->t->v.n - 1));
  while (n--) step(l);
  l->at_start = false;
}

static void read_token(lexer *l) {
  const char c = peek(l, 0);
  if (c == '"' || c == '\'')
    add(l, TP_C_TOKEN_LITERAL, literal_length(l));
  else if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)peek(l, 1))))
    add(l, TP_C_TOKEN_NUMBER, number_length(l));
  else if (is_name_start(c))
    add(l, TP_C_TOKEN_NAME, name_length(l));
  else
    add(l, TP_C_TOKEN_PUNCTUATOR, punctuator_length(l));
}

void tp_c_tokens_read(tp_c_tokens *t, const char *text, size_t n) {
  TP_REQUIRE(t && (text || n == 0) && n < UINT32_MAX);
  memset(t, 0, sizeof *t);
  tp_arena_init(&t->arena);
  t->text = text;
  t->n = n;
  tp_vec_push(&t->files, NULL);
  tp_vec_push(&t->v, (tp_c_token){0});
  lexer l = {.t = t, .line = 1, .at_start = true};
  while (l.at < n) {
    const size_t spliced = splice(&l);
    if (spliced)
      for (size_t i = 0; i < spliced; i++) step(&l);
    else if (isspace((unsigned char)peek(&l, 0)) || peek(&l, 0) == 0)
      step(&l);
    else if (l.at_start && peek(&l, 0) == '#')
      skip_directive(&l);
    else if (!skip_comment(&l))
      read_token(&l);
  }
  tp_vec_clear(&l.open);
}

void tp_c_tokens_clear(tp_c_tokens *t) {
  tp_vec_clear(&t->v);
  tp_vec_clear(&t->files);
  tp_arena_clear(&t->arena);
}

bool tp_c_token_is(const tp_c_tokens *t, uint32_t i, const char *text) {
  if (i == 0 || i >= t->v.n) return false;
  const tp_c_token *token = &t->v.at[i];
  return strlen(text) == token->n && memcmp(t->text + token->at, text, token->n) == 0;
}
