/* Recursive descent over statements; within a simple statement only brackets count. At the top
 * level a function is what has a parameter list and then a brace. Each step goes at least one token
 * on, so it terminates on every text. */
#include "report/c_outline.h"

#include "report/report_limits.h"

typedef struct {
  tp_outline *o;
  const tp_c_tokens *t;
  uint32_t n;         // tokens
  uint32_t function;  // index
  uint32_t depth;
} parser;

static bool is(const parser *p, uint32_t i, const char *text) {
  return tp_c_token_is(p->t, i, text);
}

/* Behind a bracket and its partner, or behind the token. */
static uint32_t over(const parser *p, uint32_t i) {
  const uint32_t partner = p->t->v.at[i].partner;
  return partner > i ? partner + 1 : i + 1;
}

// ------------------------------------------------------------------- statements

static uint32_t parse_statement(parser *p, uint32_t i, uint32_t block, uint32_t end, bool is_item);

/* `a:`, `case 1:`, `default:`; returns the token behind them. */
static uint32_t skip_labels(const parser *p, uint32_t i, uint32_t end) {
  for (;;) {
    uint32_t next = i;
    if (is(p, i, "case")) {
      uint32_t questions = 0;
      for (next = i + 1; next < end && (questions || !is(p, next, ":")); next = over(p, next)) {
        if (is(p, next, "?")) questions++;
        if (is(p, next, ":")) questions--;
      }
    } else if (i + 1 < end && p->t->v.at[i].kind == TP_C_TOKEN_NAME && is(p, i + 1, ":")) {
      next = i + 1;
    }
    if (next == i || next + 1 >= end) return i;
    i = next + 1;
  }
}

/* The last token of what ends with a semicolon. */
static uint32_t simple_end(const parser *p, uint32_t i, uint32_t end) {
  while (i < end && !is(p, i, ";")) i = over(p, i);
  return i < end ? i : end - 1;
}

static void parse_block(parser *p, uint32_t open, uint32_t close) {
  for (uint32_t i = open + 1; i < close;) i = parse_statement(p, i, open, close, true) + 1;
}

/* The statement that a condition governs; returns its last token. */
static uint32_t parse_body(parser *p, size_t s, uint32_t i, uint32_t end) {
  if (i >= end) return end - 1;
  if (!p->o->statements.at[s].body) p->o->statements.at[s].body = i;
  return parse_statement(p, i, p->o->statements.at[s].block, end, false);
}

/* The condition behind a keyword; returns the token behind it, 0: there is none. */
static uint32_t parse_condition(parser *p, size_t s, uint32_t i) {
  if (!is(p, i, "(") || p->t->v.at[i].partner < i) return 0;
  p->o->statements.at[s].open = i;
  p->o->statements.at[s].close = p->t->v.at[i].partner;
  return p->t->v.at[i].partner + 1;
}

static uint32_t parse_do(parser *p, size_t s, uint32_t i, uint32_t end) {
  uint32_t last = parse_body(p, s, i + 1, end);
  if (!is(p, last + 1, "while") || last + 1 >= end) return last;
  const uint32_t behind = parse_condition(p, s, last + 2);
  if (!behind) return last + 1;
  return is(p, behind, ";") && behind < end ? behind : behind - 1;
}

static uint32_t parse_choice(parser *p, size_t s, uint32_t i, uint32_t end) {
  const uint32_t behind = parse_condition(p, s, i + 1);
  if (!behind || behind > end) return simple_end(p, i, end);
  uint32_t last = parse_body(p, s, behind, end);
  if (p->o->statements.at[s].kind == TP_OUTLINE_IF && last + 2 < end && is(p, last + 1, "else"))
    last = parse_body(p, s, last + 2, end);
  return last;
}

static tp_outline_kind kind_of(const parser *p, uint32_t i) {
  static const struct {
    const char *keyword;
    tp_outline_kind kind;
  } keywords[] = {{"{", TP_OUTLINE_BLOCK},     {"if", TP_OUTLINE_IF}, {"switch", TP_OUTLINE_SWITCH},
                  {"while", TP_OUTLINE_WHILE}, {"do", TP_OUTLINE_DO}, {"for", TP_OUTLINE_FOR}};
  for (size_t k = 0; k < sizeof keywords / sizeof *keywords; k++)
    if (is(p, i, keywords[k].keyword)) return keywords[k].kind;
  return TP_OUTLINE_SIMPLE;
}

/* Returns the last token. */
static uint32_t parse_statement(parser *p, uint32_t i, uint32_t block, uint32_t end, bool is_item) {
  TP_REQUIRE(i < end);
  const uint32_t label = i;
  i = skip_labels(p, i, end);
  const size_t s = p->o->statements.n;
  const tp_outline_statement statement = {.kind = kind_of(p, i),
                                          .label = label,
                                          .first = i,
                                          .block = block,
                                          .is_item = is_item,
                                          .function = p->function};
  tp_vec_push(&p->o->statements, statement);
  uint32_t last = i;
  if (p->depth >= TP_REPORT_OUTLINE_DEPTH) {
    last =
        is(p, i, "{") && p->t->v.at[i].partner > i ? p->t->v.at[i].partner : simple_end(p, i, end);
  } else {
    p->depth++;
    switch (statement.kind) {
      case TP_OUTLINE_SIMPLE: last = simple_end(p, i, end); break;
      case TP_OUTLINE_BLOCK:
        last = p->t->v.at[i].partner > i ? p->t->v.at[i].partner : i;
        if (last > i) parse_block(p, i, last);
        break;
      case TP_OUTLINE_IF:
      case TP_OUTLINE_SWITCH:
      case TP_OUTLINE_WHILE:
      case TP_OUTLINE_FOR: last = parse_choice(p, s, i, end); break;
      case TP_OUTLINE_DO: last = parse_do(p, s, i, end); break;
    }
    p->depth--;
  }
  p->o->statements.at[s].last = last;
  return last;
}

// -------------------------------------------------------------------- functions

/* The name before the first parameter list of a declaration; 0: it declares no function. */
static uint32_t declared_name(const parser *p, uint32_t from, uint32_t to) {
  uint32_t name = 0;
  for (uint32_t i = from; i < to; i = over(p, i)) {
    if (is(p, i, "=")) return 0;
    if (is(p, i, "(") && i > from && p->t->v.at[i - 1].kind == TP_C_TOKEN_NAME && !name &&
        !is(p, i - 1, "__attribute__") && !is(p, i - 1, "__declspec") && !is(p, i - 1, "__asm__"))
      name = i - 1;
  }
  return name;
}

static void parse_file(parser *p) {
  uint32_t from = 1, name = 0;
  for (uint32_t i = 1; i < p->n;) {
    if (is(p, i, "{") && p->t->v.at[i].partner > i) {
      // parameters of the old style end with semicolons before the brace
      const uint32_t here = declared_name(p, from, i);
      const uint32_t close = p->t->v.at[i].partner;
      if (here || (i == from && name)) {
        p->function = (uint32_t)p->o->functions.n;
        tp_vec_push(&p->o->functions, (tp_outline_function){here ? here : name, i, close});
        parse_block(p, i, close);
        from = close + 1;
        name = 0;
      }
      i = close + 1;
      continue;
    }
    if (is(p, i, ";")) {
      const uint32_t declared = declared_name(p, from, i);
      if (declared) name = declared;
      from = i + 1;
    }
    i = over(p, i);
  }
}

// ---------------------------------------------------------------------- looking up

static uint64_t key_of(uint32_t file, uint32_t line, uint32_t column) {
  return (uint64_t)file << 48 ^ (uint64_t)line << 18 ^ column;
}

void tp_outline_read(tp_outline *o, const char *path, tp_str text) {
  TP_REQUIRE(o && path);
  memset(o, 0, sizeof *o);
  o->path = path;
  o->text = text;
  tp_c_tokens_read(&o->tokens, tp_str_text(&o->text), o->text.n);
  tp_vec_push(&o->functions, (tp_outline_function){0});
  parser p = {.o = o, .t = &o->tokens, .n = (uint32_t)o->tokens.v.n};
  parse_file(&p);
  for (uint32_t i = 1; i < p.n; i++) {
    const tp_c_token *t = &o->tokens.v.at[i];
    const uint64_t key = key_of(t->named_file, t->named_line, t->column);
    if (!tp_map_has(&o->by_name, key)) tp_map_set(&o->by_name, key, i);
  }
}

void tp_outline_clear(tp_outline *o) {
  tp_c_tokens_clear(&o->tokens);
  tp_vec_clear(&o->statements);
  tp_vec_clear(&o->functions);
  tp_map_clear(&o->by_name);
  tp_str_clear(&o->text);
}

/* Compilers put the directory in front of what a line marker says. */
static bool is_same_file(const char *a, const char *b) {
  const size_t n = strlen(a), m = strlen(b);
  const char *longer = n > m ? a : b, *shorter = n > m ? b : a;
  const size_t more = n > m ? n - m : m - n;
  if (strcmp(longer + more, shorter) != 0) return false;
  return more == 0 || shorter[0] == '/' || longer[more - 1] == '/';
}

uint32_t tp_outline_at(const tp_outline *o, const tp_diag *diag, tp_pos pos) {
  if (!tp_pos_known(pos) || !pos.column) return 0;
  const char *path = tp_diag_path_as_given(diag, pos.file);
  while (path[0] == '.' && path[1] == '/') path += 2;
  for (uint32_t f = 0; f < o->tokens.files.n; f++) {
    const char *name = f ? o->tokens.files.at[f] : o->path;
    while (name[0] == '.' && name[1] == '/') name += 2;
    uint64_t token = 0;
    if (is_same_file(path, name) &&
        tp_map_get(&o->by_name, key_of(f, pos.line, pos.column), &token)) {
      const tp_c_token *t = &o->tokens.v.at[token];
      if (t->named_file == f && t->named_line == pos.line && t->column == pos.column)
        return (uint32_t)token;
    }
  }
  return 0;
}

/* The first token at or behind a place; the number of tokens: none. */
static uint32_t first_from(const tp_outline *o, uint32_t line, uint32_t column) {
  uint32_t low = 1, high = (uint32_t)o->tokens.v.n;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    const tp_c_token *t = &o->tokens.v.at[middle];
    if (t->line < line || (t->line == line && t->column < column))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

uint32_t tp_outline_line(const tp_outline *o, uint32_t line) {
  const uint32_t i = first_from(o, line, 0);
  return i < o->tokens.v.n && o->tokens.v.at[i].line == line ? i : 0;
}

uint32_t tp_outline_place(const tp_outline *o, uint32_t line, uint32_t column) {
  const uint32_t i = first_from(o, line, column);
  if (i >= o->tokens.v.n) return 0;
  const tp_c_token *t = &o->tokens.v.at[i];
  return t->line == line && t->column == column ? i : 0;
}

const tp_outline_statement *tp_outline_around(const tp_outline *o, uint32_t token) {
  const tp_outline_statement *best = NULL;
  for (size_t i = 0; token && i < o->statements.n; i++) {
    const tp_outline_statement *s = &o->statements.at[i];
    if (s->label > token) break;  // in the order of the text
    if (s->last >= token) best = s;
  }
  return best;
}

const tp_outline_statement *tp_outline_before_end(const tp_outline *o, uint32_t brace) {
  if (!tp_c_token_is(&o->tokens, brace, "}")) return NULL;
  const uint32_t block = o->tokens.v.at[brace].partner;
  const tp_outline_statement *last = NULL;
  for (size_t i = 0; block && i < o->statements.n; i++)
    if (o->statements.at[i].block == block && o->statements.at[i].is_item)
      last = &o->statements.at[i];
  return last && last->kind == TP_OUTLINE_SIMPLE ? last : NULL;
}

/* The bracket around a token, { or (, that ends behind it; 0: none. */
static uint32_t scope_of(const tp_outline *o, uint32_t token) {
  for (uint32_t i = token; i-- > 1;) {
    const uint32_t partner = o->tokens.v.at[i].partner;
    if (partner > token) return i;
    if (partner && partner < i) i = partner;  // a pair that has ended
  }
  return 0;
}

/* The last token where a name that is declared at this token is visible. */
static uint32_t visible_until(const tp_outline *o, uint32_t declaration) {
  const uint32_t scope = scope_of(o, declaration);
  for (size_t f = 1; f < o->functions.n; f++) {
    const tp_outline_function *function = &o->functions.at[f];
    if (declaration > function->name && declaration < function->open) return function->close;
  }
  for (size_t i = 0; scope && i < o->statements.n; i++)
    if (o->statements.at[i].kind == TP_OUTLINE_FOR && o->statements.at[i].open == scope)
      return o->statements.at[i].last;
  return scope ? o->tokens.v.at[scope].partner : (uint32_t)o->tokens.v.n;
}

bool tp_outline_sees(const tp_outline *o, uint32_t declaration, uint32_t token) {
  if (!declaration || !token || token <= declaration) return false;
  return token <= visible_until(o, declaration);
}

const tp_outline_statement *tp_outline_next(const tp_outline *o, const tp_outline_statement *s) {
  TP_REQUIRE(s >= o->statements.at && s < o->statements.at + o->statements.n);
  const tp_outline_statement *end = o->statements.at + o->statements.n;
  for (const tp_outline_statement *next = s + 1; next < end; next++) {
    if (next->label <= s->last) continue;  // within s
    return next->is_item && next->block == s->block ? next : NULL;
  }
  return NULL;
}

bool tp_outline_header(const tp_outline *o, const tp_outline_statement *s, uint32_t semicolons[2]) {
  TP_REQUIRE(s->kind == TP_OUTLINE_FOR);
  size_t n = 0;
  for (uint32_t i = s->open + 1; s->open && i < s->close; i++) {
    const uint32_t partner = o->tokens.v.at[i].partner;
    if (partner > i)
      i = partner;
    else if (tp_c_token_is(&o->tokens, i, ";") && n++ < 2)
      semicolons[n - 1] = i;
  }
  return n == 2;
}

bool tp_outline_has_effect(const tp_c_tokens *t, uint32_t from, uint32_t to) {
  static const char *const effects[] = {
      "=", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "{"};
  for (uint32_t i = from; i <= to && i < t->v.n; i++) {
    for (size_t k = 0; k < sizeof effects / sizeof *effects; k++)
      if (tp_c_token_is(t, i, effects[k])) return true;
    // sizeof (...) is no call; whatever else has a name or a bracket in front may be one
    if (tp_c_token_is(t, i, "(") && i > from && !tp_c_token_is(t, i - 1, "sizeof") &&
        (t->v.at[i - 1].kind == TP_C_TOKEN_NAME || tp_c_token_is(t, i - 1, ")") ||
         tp_c_token_is(t, i - 1, "]")))
      return true;
  }
  return false;
}
