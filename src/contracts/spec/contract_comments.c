/* Contracts in the comments of a C file.
 *
 * The text is what the preprocessor leaves, with comments kept and line marks: what a condition
 * excludes is absent, what headers and macros bring is present, and every line says where it comes
 * from. Its columns are not the user's (blanks are squeezed), so a comment is looked up in the
 * user's line. Comments that start with @ and follow each other with no C between them are one
 * text, in which everything that is not contract is blank: positions of its tokens are positions in
 * the user's file.
 *
 * What a text is about follows from where it stands, and for that the declarations of C are read as
 * far as needed: names in front of a parameter list, braces of structs and of bodies. Strings,
 * characters and other comments are passed over. */
#include "contracts/spec/clause.h"

#include "contracts/contracts_limits.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

typedef enum { IN_STRUCT, IN_BODY, IN_BRACES } level_kind;
typedef struct {
  level_kind kind;
  const char *name;  // of the struct, of the function
} level;

typedef struct {
  tp_clauses *c;
  const char *start, *at, *line_start;
  // where the line comes from
  uint32_t file, line;
  const char *path;
  bool is_system;  // a header of the system: no contracts there
  // where a comment of this line was found last
  tp_pos found;
  // the text of contracts that is being collected
  tp_str text;
  const char *text_path;
  size_t text_offset;         // where its first comment starts
  tp_pos text_from, text_to;  // first and current line
  bool is_behind;             // it starts on the line where the declaration before it ends
  // declarations
  TP_VEC(level) levels;
  TP_VEC(uint32_t) waiting;  // clauses of the next function
  TP_VEC(uint32_t) unnamed;  // clauses of a struct whose typedef name comes behind it
  TP_VEC(const char *) params;
  char word[128];  // the last token if it is a word that is no keyword, else ""
  char last;       // first character of the last token, 0 where a declaration starts
  tp_pos last_pos;
  uint32_t parens, brackets;
  uint32_t param_parens;  // parentheses around a parameter; 0: not in a parameter list
  const char *function;   // of the declaration; NULL: it declares none so far
  tp_pos function_pos;
  const char *tag;  // "struct list" whose brace may follow; "struct": no name so far; NULL: no
                    // struct was named
  bool is_typedef, has_value, after_tag, is_named;
} finder;

// -------------------------------------------------------------------- positions

/* Where the text stands in the user's line; where we are in the preprocessed line if it cannot be
 * found. */
static tp_pos locate(const finder *f, const char *text, size_t n) {
  const bool same_line = f->found.file == f->file && f->found.line == f->line;
  tp_pos pos = {f->file, f->line, (uint32_t)(f->at - f->line_start) + 1};
  const char *line = tp_diag_source_line(f->c->diag, f->file, f->line);
  const size_t skip = same_line && line && f->found.column < strlen(line) ? f->found.column : 0;
  for (const char *at = line ? line + skip : ""; *at; at++)
    if (strncmp(at, text, n) == 0) {
      pos.column = (uint32_t)(at - line) + 1;
      break;
    }
  return pos;
}

/* # 12 "file.c" 1 3 */
static void read_line_mark(finder *f) {
  char *end;
  const char *at = f->at + 1;
  if (strncmp(at, "line", 4) == 0) at += 4;
  while (*at == ' ') at++;
  if (isdigit((unsigned char)*at)) {
    const unsigned long line = strtoul(at, &end, 10);
    tp_str path = {0};
    for (at = end; *at == ' '; at++) continue;
    if (*at == '"')
      for (at++; *at && *at != '"' && *at != '\n'; at++) {
        if (*at == '\\' && at[1]) at++;
        tp_str_add_char(&path, *at);
      }
    if (path.n) {
      f->path = tp_arena_strdup(&f->c->arena, path.text);
      f->file = tp_diag_file(f->c->diag, f->path);
      f->is_system = false;
      for (; *at && *at != '\n'; at++) f->is_system = f->is_system || *at == '3';
    }
    f->line = (uint32_t)line - 1;  // the end of this line counts
    tp_str_clear(&path);
  }
  f->at += strcspn(f->at, "\n");
}

// ------------------------------------------------------------- texts of contracts

static tp_subject subject_here(const finder *f) {
  if (f->levels.n == 0) return (tp_subject){.about = TP_SUBJECT_FILE};
  const level *l = &tp_vec_last(&f->levels);
  if (l->kind == IN_STRUCT)
    return (tp_subject){.about = TP_SUBJECT_STRUCT, .name = l->name, .may_be_absent = true};
  for (size_t i = f->levels.n; i-- > 0;)
    if (f->levels.at[i].kind == IN_BODY)
      return (tp_subject){
          .about = TP_SUBJECT_BODY, .name = f->levels.at[i].name, .may_be_absent = true};
  return (tp_subject){.about = TP_SUBJECT_BODY};
}

/* An assignment to a ghost is a statement: where one can stand it is executed, and elsewhere it is
 * not clear when. */
static void place_assignment(finder *f, tp_clause *clause) {
  const bool between_statements = f->parens == 0 && (f->last == 0 || strchr("{}:", f->last)),
             before_else = strncmp(f->at, "else", 4) == 0 && !isalnum((unsigned char)f->at[4]) &&
                           f->at[4] != '_';
  clause->text_offset = f->text_offset;
  if (!between_statements || before_else)
    tp_clauses_wrong(f->c, clause->pos,
                     "an assignment to a ghost stands where a statement of its own can stand: "
                     "behind ; or { or } or a label, and not in front of else");
}

/* C follows: what was collected is complete. */
static void end_text(finder *f) {
  if (!f->text.n) return;
  tp_clauses *c = f->c;
  const size_t first = c->all.n;
  tp_clauses_read(c, f->text_path, f->text_from.line, f->text.text, subject_here(f));
  size_t kept = first;
  for (size_t i = first; i < c->all.n; i++) {
    if (c->all.at[i].kind == TP_CLAUSE_ASSIGN) place_assignment(f, &c->all.at[i]);
    const tp_clause *clause = &c->all.at[i];
    const bool waits = clause->subject.about == TP_SUBJECT_FUNCTION && !clause->subject.name;
    const bool misplaced = waits && f->is_behind;
    if (misplaced)
      tp_clauses_wrong(c, clause->pos,
                       "contracts stand in front of their function, and this one stands behind a "
                       "declaration; on a line of its own it would be about the next function");
    else
      c->all.at[kept++] = *clause;
    if (clause->subject.about == TP_SUBJECT_BODY && !clause->subject.name)
      tp_clauses_wrong(c, clause->pos, "contracts may not stand between these braces");
    if (waits && !misplaced)
      tp_vec_push(&f->waiting, (uint32_t)(kept - 1));
    else if (clause->subject.about == TP_SUBJECT_STRUCT && !clause->subject.name)
      tp_vec_push(&f->unnamed, (uint32_t)(kept - 1));
  }
  c->all.n = kept;
  tp_str_clear(&f->text);
}

/* One comment of a contract, without its signs. */
static void add_text(finder *f, tp_pos pos, const char *text, size_t n, uint32_t skip) {
  const bool goes_on = f->text.n && f->text_to.file == pos.file && pos.line >= f->text_to.line &&
                       pos.line - f->text_to.line < TP_CONTRACTS_COMMENT_GAP_LINES &&
                       (pos.line > f->text_to.line || pos.column > f->text_to.column);
  if (!goes_on) {
    end_text(f);
    f->text_from = (tp_pos){pos.file, pos.line, 1};
    f->text_to = f->text_from;
    f->text_path = f->path;
    f->text_offset = (size_t)(f->at - f->start);
    f->is_behind = f->last == 0 && f->last_pos.file == pos.file && f->last_pos.line == pos.line;
  }
  for (; f->text_to.line < pos.line; f->text_to.line++, f->text_to.column = 1)
    tp_str_add_char(&f->text, '\n');
  for (; f->text_to.column < pos.column + skip; f->text_to.column++) tp_str_add_char(&f->text, ' ');
  bool line_starts = false;
  for (size_t i = skip; i < n; i++) {
    // an @ may stand in front of every line
    tp_str_add_char(&f->text, line_starts && text[i] == '@' ? ' ' : text[i]);
    line_starts = text[i] == '\n' || (line_starts && isspace((unsigned char)text[i]));
    if (text[i] == '\n')
      f->text_to = (tp_pos){pos.file, f->text_to.line + 1, 1};
    else
      f->text_to.column++;
  }
}

static void pass_comment(finder *f) {
  const char *start = f->at;
  const bool is_block = start[1] == '*';
  const char *end = is_block ? strstr(start + 2, "*/") : start + strcspn(start, "\n");
  if (!end) end = start + strlen(start);
  size_t n = (size_t)(end - start);
  if (start[2] == '@' && n > 2 && !f->is_system) {
    const size_t first_line = strcspn(start, "\n");
    f->found = locate(f, start, first_line < n ? first_line : n);
    while (is_block && n > 3 && end[-1] == '@') end--, n--;
    add_text(f, f->found, start, n, 3);
  }
  for (; is_block && f->at < start + n; f->at++)
    if (*f->at == '\n') {
      f->line++;
      f->line_start = f->at + 1;
    }
  f->at = start + n;
  if (is_block) f->at += strspn(f->at, "@");
  if (is_block && strncmp(f->at, "*/", 2) == 0) f->at += 2;
}

// ----------------------------------------------------------------- declarations

static bool is_keyword(const char *word) {
  static const char *const words[] = {
      "_Alignas",      "_Alignof",      "_Atomic",    "_Bool",
      "_Complex",      "_Generic",      "_Noreturn",  "_Static_assert",
      "_Thread_local", "__alignof__",   "__asm",      "__asm__",
      "__attribute",   "__attribute__", "__const",    "__declspec",
      "__extension__", "__inline",      "__inline__", "__restrict",
      "__restrict__",  "__signed__",    "__thread",   "__typeof",
      "__typeof__",    "__volatile__",  "asm",        "auto",
      "char",          "const",         "double",     "enum",
      "extern",        "float",         "if",         "for",
      "inline",        "int",           "long",       "register",
      "restrict",      "return",        "short",      "signed",
      "sizeof",        "static",        "struct",     "switch",
      "typedef",       "typeof",        "union",      "unsigned",
      "void",          "volatile",      "while"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(words[i], word) == 0) return true;
  return false;
}

/* The declaration is known: a function, or something else. */
static void attach(finder *f) {
  const bool is_function = f->function && !f->is_typedef && !f->has_value;
  const char **params = tp_arena_array(&f->c->arena, const char *, f->params.n ? f->params.n : 1);
  if (f->params.n) memcpy(params, f->params.at, f->params.n * sizeof *params);
  for (size_t i = 0; i < f->waiting.n; i++) {
    tp_clause *clause = &f->c->all.at[f->waiting.at[i]];
    if (is_function)
      clause->subject = (tp_subject){TP_SUBJECT_FUNCTION,   f->function, f->function_pos, params,
                                     (uint32_t)f->params.n, true};
    else
      tp_clauses_wrong(
          f->c, clause->pos,
          "'%s' speaks of the function that follows, but what follows here is no function",
          tp_clause_word(clause->kind));
  }
  f->waiting.n = 0;
}

static void end_declaration(finder *f) {
  if (f->levels.n == 0) {
    if (f->waiting.n) attach(f);
    for (size_t i = 0; i < f->unnamed.n; i++)
      tp_clauses_wrong(f->c, f->c->all.at[f->unnamed.at[i]].pos,
                       "this struct has no name that a contract could be about; give it a tag");
    f->unnamed.n = 0;
    f->function = NULL;
    f->params.n = 0;
    f->is_typedef = f->has_value = f->is_named = false;
    f->parens = f->brackets = f->param_parens = 0;
  }
  f->tag = NULL;
  f->last = 0;
}

/* `word (` at file scope: the parameters of a function, unless a star follows (a pointer to a
 * function). */
static void open_parenthesis(finder *f) {
  if (f->parens++ == 0 && f->levels.n == 0 && !f->function && f->word[0] && !f->has_value) {
    const char *next = f->at + 1;
    while (isspace((unsigned char)*next)) next++;
    if (*next == '*' || *next == '^') return;
    f->function = tp_arena_strdup(&f->c->arena, f->word);
    f->function_pos = locate(f, f->word, strlen(f->word));
    f->param_parens = f->parens;
    f->params.n = 0;
    tp_vec_push(&f->params, NULL);
  }
}

static void close_parenthesis(finder *f) {
  if (f->param_parens && f->parens == f->param_parens) {
    f->param_parens = 0;
    if (f->params.n == 1 && !f->params.at[0]) f->params.n = 0;  // (void)
  }
  if (f->parens) f->parens--;
}

static void open_brace(finder *f) {
  if (f->tag) {
    tp_vec_push(&f->levels, (level){strncmp(f->tag, "enum", 4) == 0 ? IN_BRACES : IN_STRUCT,
                                    strchr(f->tag, ' ') ? f->tag : NULL});
  } else if (f->levels.n == 0 && f->function && !f->has_value && !f->is_typedef) {
    if (f->waiting.n) attach(f);
    tp_vec_push(&f->levels, (level){IN_BODY, f->function});
  } else {
    tp_vec_push(&f->levels, (level){IN_BRACES, NULL});
  }
  f->tag = NULL;
}

static void close_brace(finder *f) {
  if (f->levels.n == 0) return;
  const level l = tp_vec_pop(&f->levels);
  f->tag = NULL;
  if (f->levels.n == 0 && l.kind == IN_BODY) end_declaration(f);
}

/* A typedef names the struct before it. */
static void name_struct(finder *f, const char *word) {
  for (size_t i = 0; i < f->unnamed.n; i++) f->c->all.at[f->unnamed.at[i]].subject.name = word;
  f->unnamed.n = 0;
}

static void see_word(finder *f, const char *text, size_t n) {
  char word[sizeof f->word];
  snprintf(word, sizeof word, "%.*s", (int)n, text);
  const bool names_tag = f->after_tag && !is_keyword(word);
  f->after_tag =
      strcmp(word, "struct") == 0 || strcmp(word, "union") == 0 || strcmp(word, "enum") == 0;
  if (strcmp(word, "typedef") == 0) f->is_typedef = true;
  if (f->after_tag)
    f->tag = tp_arena_strdup(&f->c->arena, word);
  else if (names_tag)
    f->tag = tp_arena_printf(&f->c->arena, "%s %s", f->tag, word);
  const bool is_plain = !is_keyword(word) && !names_tag;
  if (is_plain && f->levels.n == 0 && f->is_typedef && f->unnamed.n && f->parens == 0)
    name_struct(f, tp_arena_strdup(&f->c->arena, word));
  const bool is_param =
      f->param_parens && is_plain && f->brackets == 0 &&
      (f->parens == f->param_parens || (f->last == '*' && !tp_vec_last(&f->params)));
  if (is_param) tp_vec_last(&f->params) = tp_arena_strdup(&f->c->arena, word);
  snprintf(f->word, sizeof f->word, "%s", is_plain ? word : "");
  f->last = word[0];
  f->last_pos = (tp_pos){f->file, f->line, 0};
}

static void see_sign(finder *f) {
  const char sign = *f->at;
  if (sign == '(')
    open_parenthesis(f);
  else if (sign == ')')
    close_parenthesis(f);
  else if (sign == ',' && f->param_parens && f->parens == f->param_parens)
    tp_vec_push(&f->params, NULL);
  else if (sign == '=' && f->parens == 0 && f->levels.n == 0)
    f->has_value = true;
  else if (sign == '[')
    f->brackets++;
  else if (sign == ']' && f->brackets)
    f->brackets--;
  // "struct list *", "struct list f(void)": no brace belongs to that name; attributes may stand in
  // front of it
  const bool is_attribute = (sign == '(' || sign == ')') && f->tag && !strchr(f->tag, ' ');
  if (!is_attribute && sign != '{') f->tag = NULL;
  f->after_tag = f->after_tag && (sign == '(' || sign == ')');
  f->word[0] = 0;
  f->last = sign;
  f->last_pos = (tp_pos){f->file, f->line, 0};
  if (sign == '{')
    open_brace(f);
  else if (sign == '}')
    close_brace(f);
  else if (sign == ';' && (f->levels.n > 0 || f->parens == 0))
    end_declaration(f);
  f->at++;
}

// ------------------------------------------------------------------------ tokens

static void pass_quoted(finder *f) {
  const char quote = *f->at++;
  while (*f->at && *f->at != quote && *f->at != '\n') f->at += 1 + (*f->at == '\\' && f->at[1]);
  f->at += *f->at == quote;
  f->last = quote;
  f->word[0] = 0;
}

static void step(finder *f) {
  const char c = *f->at;
  if (c == '\n') {
    f->at++;
    f->line++;
    f->line_start = f->at;
  } else if (isspace((unsigned char)c)) {
    f->at++;
  } else if (c == '#' && strspn(f->line_start, " \t") == (size_t)(f->at - f->line_start)) {
    read_line_mark(f);
  } else if (c == '/' && (f->at[1] == '/' || f->at[1] == '*')) {
    pass_comment(f);
  } else {
    end_text(f);
    const char *start = f->at;
    while (isalnum((unsigned char)*f->at) || *f->at == '_') f->at++;
    if (f->at > start) {
      see_word(f, start, (size_t)(f->at - start));
    } else if (c == '"' || c == '\'') {
      pass_quoted(f);
    } else {
      see_sign(f);
    }
  }
}

/* Clauses whose subject has no name were said to be wrong. */
static void drop_nameless(tp_clauses *c) {
  size_t kept = 0;
  for (size_t i = 0; i < c->all.n; i++) {
    const tp_subject *s = &c->all.at[i].subject;
    if (s->name || s->about == TP_SUBJECT_FILE) c->all.at[kept++] = c->all.at[i];
  }
  c->all.n = kept;
}

void tp_clauses_read_c(tp_clauses *c, const char *path, const char *text) {
  TP_REQUIRE(path && text);
  finder f = {.c = c,
              .start = text,
              .at = text,
              .line_start = text,
              .line = 1,
              .path = path,
              .file = tp_diag_file(c->diag, path)};
  while (*f.at) step(&f);
  end_text(&f);
  f.levels.n = 0;
  f.function = NULL;
  end_declaration(&f);
  drop_nameless(c);
  tp_str_clear(&f.text);
  tp_vec_clear(&f.levels);
  tp_vec_clear(&f.waiting);
  tp_vec_clear(&f.unnamed);
  tp_vec_clear(&f.params);
}
