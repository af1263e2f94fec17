/* Reading clauses.
 *
 *   clauses  = { clause [ ";" ] }
 *   clause   = ( "requires" | "ensures" | "preserves" | "invariant" ) expression
 *            | "modifies" expression { "," expression }
 *            | "model" NAME ":" type "=" expression
 *            | "ghost" NAME ":" type | "ghost" expression "=" expression
 *            | "pred" NAME [ "[" decls "]" ] "{" { expression } "}"
 *            | "fun" NAME [ "[" decls "]" ] ":" type "{" expression "}"
 *   file     = { clause [ ";" ] | ( "function" NAME [ "(" NAME { "," NAME } ")" ] | TYPE ) "{"
 *            clauses "}" }
 *
 * After something wrong the reader goes on at the next line that starts with the first word of a
 * clause, so each wrong clause is named. */
#include "contracts/spec/clause.h"

#include "contracts/contracts_limits.h"
#include "contracts/spec/spec_parser.h"

#include <stdio.h>

static const char *const words[] = {
    [TP_CLAUSE_REQUIRES] = "requires",   [TP_CLAUSE_ENSURES] = "ensures",
    [TP_CLAUSE_PRESERVES] = "preserves", [TP_CLAUSE_MODIFIES] = "modifies",
    [TP_CLAUSE_INVARIANT] = "invariant", [TP_CLAUSE_MODEL] = "model",
    [TP_CLAUSE_GHOST] = "ghost",         [TP_CLAUSE_ASSIGN] = "ghost",
    [TP_CLAUSE_PRED] = "pred",           [TP_CLAUSE_FUN] = "fun"};
#define N_KINDS (sizeof words / sizeof *words)

const char *tp_clause_word(tp_clause_kind kind) {
  TP_REQUIRE(kind <= TP_CLAUSE_FUN);
  return words[kind];
}

bool tp_clause_is_word(const char *word) {
  for (size_t i = 0; i < N_KINDS; i++)
    if (strcmp(word, words[i]) == 0) return true;
  return false;
}

void tp_clauses_init(tp_clauses *c, tp_diag *diag) {
  *c = (tp_clauses){.diag = diag};
  tp_arena_init(&c->arena);
}

void tp_clauses_clear(tp_clauses *c) {
  tp_vec_clear(&c->all);
  tp_arena_clear(&c->arena);
}

bool tp_clauses_wrong(tp_clauses *c, tp_pos pos, const char *fmt, ...) {
  char text[500];
  va_list args;
  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  if (c->is_muted) return false;
  tp_diag_say(c->diag, TP_ERROR, pos, "contract", "%s", text);
  c->n_wrong++;
  return false;
}

// --------------------------------------------------------------- what may stand where

typedef struct {
  unsigned about;  // bits by tp_subject_kind
  const char *where;
} place;

static const place places[N_KINDS] = {
    [TP_CLAUSE_REQUIRES] =
        {1u << TP_SUBJECT_FUNCTION,
         "in front of a function, or in function NAME { ... } of a file of contracts"},
    [TP_CLAUSE_ENSURES] =
        {1u << TP_SUBJECT_FUNCTION,
         "in front of a function, or in function NAME { ... } of a file of contracts"},
    [TP_CLAUSE_PRESERVES] =
        {1u << TP_SUBJECT_FUNCTION,
         "in front of a function, or in function NAME { ... } of a file of contracts"},
    [TP_CLAUSE_MODIFIES] =
        {1u << TP_SUBJECT_FUNCTION,
         "in front of a function, or in function NAME { ... } of a file of contracts"},
    [TP_CLAUSE_INVARIANT] =
        {1u << TP_SUBJECT_FILE | 1u << TP_SUBJECT_STRUCT,
         "inside of a struct, or outside of everything for what holds of globals"},
    [TP_CLAUSE_MODEL] = {1u << TP_SUBJECT_STRUCT,
                         "inside of a struct; outside, fun gives names to relations"},
    [TP_CLAUSE_GHOST] = {1u << TP_SUBJECT_FILE | 1u << TP_SUBJECT_STRUCT,
                         "inside of a struct, or outside of everything"},
    [TP_CLAUSE_ASSIGN] = {1u << TP_SUBJECT_BODY, "inside of a function's body"},
    [TP_CLAUSE_PRED] = {1u << TP_SUBJECT_FILE, "outside of functions and structs"},
    [TP_CLAUSE_FUN] = {1u << TP_SUBJECT_FILE, "outside of functions and structs"}};

/* At file scope of C what is said about a function waits for its name. */
static bool may_stand(tp_spec_parser *r, tp_clause *clause) {
  const place *p = &places[clause->kind];
  const bool next_function = p->about == 1u << TP_SUBJECT_FUNCTION &&
                             clause->subject.about == TP_SUBJECT_FILE && !r->has_blocks;
  if (next_function) clause->subject.about = TP_SUBJECT_FUNCTION;
  if (p->about & 1u << clause->subject.about) return true;
  return tp_spec_parser_fail(r, clause->pos, "'%s%s' may not stand here: it belongs %s",
                             words[clause->kind],
                             clause->kind == TP_CLAUSE_ASSIGN ? " x = ..." : "", p->where);
}

// ---------------------------------------------------------------------- clauses

static bool starts_clause(const tp_token *t) {
  return t->kind == TP_TOKEN_WORD && tp_clause_is_word(t->text);
}

static bool starts_block(const tp_spec_parser *r) {
  const tp_token *t = tp_spec_parser_now(r);
  return t->kind == TP_TOKEN_WORD &&
         (strcmp(t->text, "function") == 0 || strcmp(t->text, "struct") == 0);
}

/* A closing brace behind which a line ends. */
static bool is_last_brace(const tp_spec_parser *r) {
  const tp_token *next = tp_spec_parser_ahead(r, 1);
  return tp_spec_parser_is(r, "}") && (next->kind == TP_TOKEN_END || next->starts_line);
}

/* To where the next clause could start; in a file of contracts also the next block, or the end of
 * this one. */
static void recover(tp_spec_parser *r) {
  r->failed = false;
  for (;; r->at++) {
    const tp_token *t = tp_spec_parser_now(r);
    if (t->kind == TP_TOKEN_END) return;
    if (t->starts_line && starts_clause(t)) return;
    if (r->has_blocks && ((t->starts_line && starts_block(r)) || is_last_brace(r))) return;
    if (r->at > 0 && strcmp(r->tokens.at[r->at - 1].text, ";") == 0 && starts_clause(t)) return;
  }
}

static const tp_spec_expr *const *read_targets(tp_spec_parser *r, uint32_t *n) {
  TP_VEC(const tp_spec_expr *) list = {0};
  do {
    const tp_spec_expr *x = tp_spec_parser_expr(r, tp_spec_expr_precedence(TP_SPEC_UNION));
    if (x) tp_vec_push(&list, x);
  } while (tp_spec_parser_accept(r, ","));
  *n = (uint32_t)list.n;
  const tp_spec_expr **targets =
      tp_arena_array(r->arena, const tp_spec_expr *, list.n ? list.n : 1);
  if (list.n) memcpy(targets, list.at, list.n * sizeof *targets);
  tp_vec_clear(&list);
  return targets;
}

static bool read_params(tp_spec_parser *r, tp_clause *clause) {
  if (!tp_spec_parser_accept(r, "[") || tp_spec_parser_accept(r, "]")) return !r->failed;
  tp_decl_list list = {0};
  bool ok = tp_spec_parser_decls(r, &list) && tp_spec_parser_take(r, "]");
  tp_spec_expr_decl *params = tp_arena_array(r->arena, tp_spec_expr_decl, list.n ? list.n : 1);
  if (list.n) memcpy(params, list.at, list.n * sizeof *params);
  clause->params = params;
  clause->n_params = (uint32_t)list.n;
  tp_vec_clear(&list);
  return ok;
}

/* The formulas of a body hold together. */
static bool read_body(tp_spec_parser *r, tp_clause *clause) {
  if (!tp_spec_parser_take(r, "{")) return false;
  const tp_spec_expr *x = tp_spec_parser_expr(r, 0);
  while (x && clause->kind == TP_CLAUSE_PRED && !tp_spec_parser_is(r, "}") &&
         tp_spec_parser_now(r)->kind != TP_TOKEN_END) {
    const tp_pos pos = tp_spec_parser_now(r)->pos;
    const tp_spec_expr *y = tp_spec_parser_expr(r, 0);
    x = y ? tp_spec_expr_binary(r->arena, TP_SPEC_AND, pos, x, y) : NULL;
    if (y && !x) tp_spec_parser_fail(r, pos, "more than %d formulas", TP_CONTRACTS_CONTRACT_LEVELS);
  }
  clause->expr = x;
  return x && tp_spec_parser_take(r, "}");
}

static bool read_named(tp_spec_parser *r, tp_clause *clause) {
  clause->name_pos = tp_spec_parser_now(r)->pos;
  clause->name = tp_spec_parser_name(r, "a name for it");
  if (!clause->name) return false;
  const bool has_params = clause->kind == TP_CLAUSE_PRED || clause->kind == TP_CLAUSE_FUN;
  if (has_params && !read_params(r, clause)) return false;
  if (clause->kind != TP_CLAUSE_PRED) {
    if (!tp_spec_parser_take(r, ":")) return false;
    clause->type = tp_spec_parser_type(r, &clause->many);
    if (!clause->type) return false;
  }
  if (has_params) return read_body(r, clause);
  if (clause->kind == TP_CLAUSE_GHOST) return true;
  if (!tp_spec_parser_take(r, "=")) return false;
  clause->expr = tp_spec_parser_expr(r, 0);
  return clause->expr != NULL;
}

static bool read_assignment(tp_spec_parser *r, tp_clause *clause) {
  const tp_spec_expr *target = tp_spec_parser_expr(r, tp_spec_expr_precedence(TP_SPEC_UNION));
  if (!target || !tp_spec_parser_take(r, "=")) return false;
  const tp_spec_expr **targets = tp_arena_array(r->arena, const tp_spec_expr *, 1);
  targets[0] = target;
  clause->targets = targets;
  clause->n_targets = 1;
  clause->expr = tp_spec_parser_expr(r, 0);
  return clause->expr != NULL;
}

static bool read_parts(tp_spec_parser *r, tp_clause *clause) {
  switch (clause->kind) {
    case TP_CLAUSE_REQUIRES:
    case TP_CLAUSE_ENSURES:
    case TP_CLAUSE_PRESERVES:
    case TP_CLAUSE_INVARIANT: clause->expr = tp_spec_parser_expr(r, 0); return clause->expr != NULL;
    case TP_CLAUSE_MODIFIES:
      clause->targets = read_targets(r, &clause->n_targets);
      return !r->failed;
    case TP_CLAUSE_MODEL:
    case TP_CLAUSE_GHOST:
    case TP_CLAUSE_PRED:
    case TP_CLAUSE_FUN: return read_named(r, clause);
    case TP_CLAUSE_ASSIGN: return read_assignment(r, clause);
  }
  return false;
}

/* "ghost" declares where a colon follows the name. */
static bool read_kind(tp_spec_parser *r, tp_clause_kind *kind) {
  for (tp_clause_kind k = 0; k < N_KINDS; k++) {
    if (!tp_spec_parser_accept(r, words[k])) continue;
    const bool declares = strcmp(tp_spec_parser_ahead(r, 1)->text, ":") == 0;
    *kind = k == TP_CLAUSE_GHOST && !declares ? TP_CLAUSE_ASSIGN : k;
    return true;
  }
  return tp_spec_parser_expected(
      r, "requires, ensures, preserves, modifies, invariant, model, ghost, pred or fun");
}

static void read_clause(tp_spec_parser *r, tp_subject subject) {
  tp_clause clause = {.pos = tp_spec_parser_now(r)->pos, .subject = subject};
  bool ok = read_kind(r, &clause.kind) && may_stand(r, &clause) && read_parts(r, &clause);
  if (ok && !tp_spec_parser_accept(r, ";")) {
    const tp_token *t = tp_spec_parser_now(r);
    const bool ends = t->kind == TP_TOKEN_END || starts_clause(t) || strcmp(t->text, "}") == 0 ||
                      (r->has_blocks && t->starts_line && starts_block(r));
    ok = ends || tp_spec_parser_expected(r, "an operator or the end of the clause");
  }
  if (ok)
    tp_vec_push(&r->clauses->all, clause);
  else
    recover(r);
}

void tp_clauses_read(tp_clauses *c, const char *path, uint32_t line, const char *text,
                     tp_subject subject) {
  TP_REQUIRE(path && text);
  tp_spec_parser r;
  tp_spec_parser_init(&r, c, path, line, text);
  while (tp_spec_parser_now(&r)->kind != TP_TOKEN_END) {
    read_clause(&r, subject);
    if (tp_spec_parser_is(&r, "}")) {
      tp_spec_parser_expected(&r, "the next clause");
      recover(&r);
    }
  }
  tp_spec_parser_clear(&r);
}

/* Names of parameters, where the definition is not at hand. */
static bool read_names(tp_spec_parser *r, tp_subject *subject) {
  if (!tp_spec_parser_accept(r, "(")) return true;
  TP_VEC(const char *) names = {0};
  bool ok = true;
  do {
    const char *name = tp_spec_parser_name(r, "the name of a parameter");
    ok = name != NULL;
    tp_vec_push(&names, name);
  } while (ok && tp_spec_parser_accept(r, ","));
  const char **params = tp_arena_array(r->arena, const char *, names.n);
  memcpy(params, names.at, names.n * sizeof *params);
  subject->params = params;
  subject->n_params = (uint32_t)names.n;
  tp_vec_clear(&names);
  return ok && tp_spec_parser_take(r, ")");
}

static void read_block(tp_spec_parser *r) {
  tp_subject subject = {.about = TP_SUBJECT_FUNCTION};
  if (tp_spec_parser_accept(r, "struct"))
    subject.about = TP_SUBJECT_STRUCT;
  else
    r->at++;
  subject.pos = tp_spec_parser_now(r)->pos;
  const tp_token *t = tp_spec_parser_now(r);
  const char *name =
      t->kind == TP_TOKEN_WORD ? t->text : NULL;  // any word: functions of C may be called "sum"
  if (name)
    r->at++;
  else
    tp_spec_parser_expected(
        r, subject.about == TP_SUBJECT_STRUCT ? "the name of a struct" : "the name of a function");
  if (!name || (subject.about == TP_SUBJECT_FUNCTION && !read_names(r, &subject)) ||
      !tp_spec_parser_take(r, "{")) {
    recover(r);
    return;
  }
  subject.name =
      subject.about == TP_SUBJECT_STRUCT ? tp_arena_printf(r->arena, "struct %s", name) : name;
  while (!tp_spec_parser_is(r, "}") && tp_spec_parser_now(r)->kind != TP_TOKEN_END &&
         !(tp_spec_parser_now(r)->starts_line && starts_block(r)))
    read_clause(r, subject);
  if (!tp_spec_parser_take(r, "}")) recover(r);
}

void tp_clauses_read_file(tp_clauses *c, const char *path, const char *text) {
  TP_REQUIRE(path && text);
  tp_spec_parser r;
  tp_spec_parser_init(&r, c, path, 1, text);
  r.has_blocks = true;
  while (tp_spec_parser_now(&r)->kind != TP_TOKEN_END) {
    if (tp_spec_parser_is(&r, "}")) {
      tp_spec_parser_expected(&r, "a clause, function NAME { or struct NAME {");
      r.failed = false;
      r.at++;
    } else if (starts_block(&r)) {
      read_block(&r);
    } else {
      read_clause(&r, (tp_subject){.about = TP_SUBJECT_FILE});
    }
  }
  tp_spec_parser_clear(&r);
}

void tp_clauses_read_library(tp_clauses *c, const char *path, const char *text) {
  TP_REQUIRE(path && text);
  const size_t first = c->all.n;
  tp_clauses_read_file(c, path, text);
  for (size_t i = first; i < c->all.n; i++)
    c->all.at[i].is_library = c->all.at[i].subject.may_be_absent = true;
}

// --------------------------------------------------------------------- printing

static void print_type(tp_multiplicity many, const tp_spec_expr *type, tp_str *out) {
  tp_str_printf(out, " : %s", tp_multiplicity_text(many));
  const bool in_parentheses =
      tp_spec_expr_precedence(type->kind) < tp_spec_expr_precedence(TP_SPEC_UNION);
  if (in_parentheses) tp_str_add_char(out, '(');
  tp_spec_expr_print(type, out);
  if (in_parentheses) tp_str_add_char(out, ')');
}

static void print_params(const tp_clause *clause, tp_str *out) {
  if (clause->n_params == 0) return;
  tp_str_add_char(out, '[');
  for (uint32_t i = 0; i < clause->n_params; i++) {
    const tp_spec_expr_decl *d = &clause->params[i];
    const bool is_last = i + 1 == clause->n_params || d->bound != d[1].bound,
               is_first = i == 0 || d->bound != d[-1].bound;
    tp_str_printf(out, "%s%s%s", i ? ", " : "", is_first && d->is_disjoint ? "disj " : "", d->name);
    if (is_last) print_type(d->many, d->bound, out);
  }
  tp_str_add_char(out, ']');
}

void tp_clause_print(const tp_clause *clause, tp_str *out) {
  TP_REQUIRE(clause && out);
  tp_str_add(out, words[clause->kind]);
  tp_str_add_char(out, ' ');
  for (uint32_t i = 0; i < clause->n_targets; i++) {
    if (i) tp_str_add(out, ", ");
    const bool in_parentheses =
        tp_spec_expr_precedence(clause->targets[i]->kind) < tp_spec_expr_precedence(TP_SPEC_UNION);
    if (in_parentheses) tp_str_add_char(out, '(');
    tp_spec_expr_print(clause->targets[i], out);
    if (in_parentheses) tp_str_add_char(out, ')');
  }
  if (clause->name) tp_str_add(out, clause->name);
  print_params(clause, out);
  if (clause->type) print_type(clause->many, clause->type, out);
  const bool in_braces = clause->kind == TP_CLAUSE_PRED || clause->kind == TP_CLAUSE_FUN;
  if (in_braces)
    tp_str_add(out, " { ");
  else if (clause->kind == TP_CLAUSE_MODEL || clause->kind == TP_CLAUSE_ASSIGN)
    tp_str_add(out, " = ");
  if (clause->expr) tp_spec_expr_print(clause->expr, out);
  if (in_braces) tp_str_add(out, " }");
}

const char *tp_clause_text(const tp_clause *clause, tp_arena *arena) {
  tp_str text = {0};
  tp_clause_print(clause, &text);
  while (text.n && text.text[text.n - 1] == '\n') text.text[--text.n] = 0;
  const char *own = tp_arena_strdup(arena, tp_str_text(&text));
  tp_str_clear(&text);
  return own;
}
