/* Reading expressions.
 *
 *   expression   = expression OPERATOR expression | PREFIX expression | binder | "if" expression
 * "then" expression "else" expression | expression "=>" expression "else" expression | expression
 * "." expression | expression "[" expressions "]" | expression "'" | atom | "(" expression ")"
 *   binder   = ( "all" | "some" | "no" | "one" | "lone" | "sum" ) decls "|" expression | "let" NAME
 * "=" expression { "," NAME "=" expression } "|" expression decls    = [ "disj" ] NAME { "," NAME }
 * ":" type { "," ... } type     = [ "one" | "lone" | "some" | "set" ] expression atom     = NAME |
 * NUMBER | "::" NAME | TYPE "::" NAME | TYPE | "{" decls "|" expression "}" | "{" [ expressions ]
 * "}" | WORD "[" expressions "]" | a word
 *
 * Precedence climbing over the table of kinds. A prefix operator ends where something binds less
 * closely than it does, a binder where the parentheses around it end. "some x" with a colon behind
 * its names is a quantifier, else a test. After a dot every word that starts nothing is a name, so
 * that fields may be called "set" or "sum"; elsewhere such names need "::". */
#include "contracts/spec/spec_parser.h"

#include "contracts/contracts_limits.h"
#include "diag/scan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

// ----------------------------------------------------------------------- tokens

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Its kind; sets its length. */
static tp_token_kind measure(tp_scan *s) {
  // some are no signs of the language, but habits of others (see hint)
  static const char *const signs[] = {
      "<==>", "==>", "..", "<=>", "=>", "->", "<:", ":>", "<=", "=<", ">=", "==", "!=", "&&",
      "||",   "++",  "::", "'",   "[",  "]",  "(",  ")",  "{",  "}",  ",",  ":",  ";",  "|",
      ".",    "+",   "-",  "*",   "/",  "%",  "#",  "&",  "~",  "^",  "=",  "<",  ">",  "!"};
  s->n = tp_scan_sign(s, signs, sizeof signs / sizeof *signs);
  if (s->n) return TP_TOKEN_SIGN;
  const char *at = s->at;
  const bool is_number = is_digit(*at);
  size_t n = *at == '\\' ? 1 : 0;
  if (!is_number && !is_letter(at[n])) {
    s->n = 1;
    while (((unsigned char)at[s->n] & 0xc0) == 0x80) s->n++;  // all bytes of one character
    return TP_TOKEN_INVALID;
  }
  while (is_letter(at[n]) || is_digit(at[n])) n++;
  s->n = n;
  return is_number ? TP_TOKEN_NUMBER : TP_TOKEN_WORD;
}

void tp_spec_parser_init(tp_spec_parser *r, tp_clauses *c, const char *path, uint32_t line,
                         const char *text) {
  TP_REQUIRE(r && c && text);
  *r = (tp_spec_parser){.clauses = c, .arena = &c->arena};
  tp_scan s = tp_scan_start(c->diag, NULL, path, text);
  s.comment = "//";
  s.line = line;
  uint32_t last_line = 0;
  bool more;
  do {
    tp_token t = {.kind = TP_TOKEN_END, .text = ""};
    more = tp_scan_token(&s);
    if (more) {
      t.kind = measure(&s);
      t.text = tp_arena_strndup(r->arena, s.text, s.n);
      tp_scan_past(&s);
    }
    t.pos = s.pos;
    t.starts_line = s.pos.line != last_line;
    last_line = s.pos.line;
    tp_vec_push(&r->tokens, t);
  } while (more);
}

void tp_spec_parser_clear(tp_spec_parser *r) { tp_vec_clear(&r->tokens); }

const tp_token *tp_spec_parser_ahead(const tp_spec_parser *r, size_t n) {
  return &r->tokens.at[r->at + n < r->tokens.n ? r->at + n : r->tokens.n - 1];
}

const tp_token *tp_spec_parser_now(const tp_spec_parser *r) {
  TP_REQUIRE(r->at < r->tokens.n);
  return tp_spec_parser_ahead(r, 0);
}

static bool token_is(const tp_token *t, const char *text) {
  return (t->kind == TP_TOKEN_WORD || t->kind == TP_TOKEN_SIGN) && strcmp(t->text, text) == 0;
}

bool tp_spec_parser_is(const tp_spec_parser *r, const char *text) {
  TP_REQUIRE(text != NULL);
  return token_is(tp_spec_parser_now(r), text);
}

static void step(tp_spec_parser *r) { r->at += r->at + 1 < r->tokens.n; }

bool tp_spec_parser_accept(tp_spec_parser *r, const char *text) {
  if (r->failed || !tp_spec_parser_is(r, text)) return false;
  step(r);
  return true;
}

// ----------------------------------------------------------------------- errors

bool tp_spec_parser_fail(tp_spec_parser *r, tp_pos pos, const char *fmt, ...) {
  if (r->failed) return false;
  char text[400];
  va_list args;
  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  r->failed = true;
  return tp_clauses_wrong(r->clauses, pos, "%s", text);
}

/* What people mean who write this; NULL: no idea. */
static const char *hint(const tp_token *t) {
  static const char *const hints[][2] = {
      {"?", "a choice is written if F then a else b"},
      {"\\old", "x is the value before and x' that after, so there is no need for \\old"},
      {"\\forall", "write all x : SET | F, as in all k : int | 0 <= k and k < n => a[k] = 0"},
      {"forall", "write all x : SET | F"},
      {"\\exists", "write some x : SET | F"},
      {"exists", "write some x : SET | F"},
      {"\\null", "write null"},
      {"assigns", "write modifies"},
      {"behavior", "write an ensures of the form F => G for each case"},
      {"decreases", "termination is not verified"},
      {"terminates", "termination is not verified"},
      {"loop", "loops need no invariants here: they are unrolled within bounds"},
      {"==>", "write F => G"},
      {"<==>", "write F <=> G"},
      {"\\valid_read", "there are no addresses here; p != null says that p leads to an object"},
      {"\\at", "x is the value before and x' that after"},
      {"\\valid", "there are no addresses here; p != null says that p leads to an object"},
      {"\\separated", "write separate[p, q]"},
      {"\\true", "write true"},
      {"\\false", "write false"},
      {"\\fresh", "a new object is x !in \\alloc and x in \\alloc'"},
      {"\\allocable", "an object exists if x in \\alloc"},
      {"\\freeable", "an object exists if x in \\alloc"},
      {"\\initialized", "every member has a value here"},
      {"\\dangling", "an object exists if x in \\alloc"},
      {"\\length", "#a is the number of elements of an array"},
      {"\\block_length", "#(p.\\elements) is the number of elements that p leads to"},
      {"\\offset", "there are no addresses here; a[i] is an element"},
      {"\\base_addr", "there are no addresses here; p = q says that both lead to one object"},
      {"\\let", "write let x = E | F"},
      {"\\sum", "write sum x : SET | E"},
      {"\\numof", "write #{x : SET | F}"},
      {"\\subset", "write a in b"},
      {"\\union", "write a + b"},
      {"\\inter", "write a & b"},
      {"\\empty", "write none, or no a"},
      {"\\in", "write a in b"},
      {"\\exit_status", "runs that end in exit are not looked at"},
      {"..", "there are no ranges; write all k : int | 0 <= k and k < n => ..."},
      {"predicate", "write pred p[x, y : T] { F }"},
      {"logic", "write fun f[x : T] : U { E }"},
      {"lemma", "nothing has to be lent to the proof: the bounds decide"},
      {"axiomatic", "define relations with fun f[x : T] : U { E }; there are no axioms"},
      {"allocates", "write modifies \\alloc"},
      {"frees", "write modifies \\alloc"},
      {"assumes", "write ensures F => G"},
      {"complete", "behaviours are written as ensures F => G"},
      {"disjoint", "behaviours are written as ensures F => G"},
      {"assert", "write assert() in C: no assertion may fail in a body"},
      {"type", "write invariant F inside of the struct"},
      {"global", "write invariant F outside of everything"},
      {"strong", "invariants hold between calls: write invariant F"},
      {"\xe2\x89\xa5", "write >="},
      {"\xe2\x89\xa4", "write <="},
      {"\xe2\x89\xa0", "write !="},
      {"\xe2\x87\x92", "write =>"},
      {"\xe2\x88\x80", "write all x : SET | F"},
      {"\xe2\x88\x83", "write some x : SET | F"},
      {"\xe2\x88\xa7", "write and"},
      {"\xe2\x88\xa8", "write or"},
      {"\xc2\xac", "write not"},
      {"\xe2\x88\x88", "write in"},
      {"\\nothing", "write modifies none"},
      {"nothing", "write modifies none"},
      {"&", "there are no addresses here: a global struct is its object, a member is x.f"},
      {"then", "if F then a else b needs its if"},
      {"else", "if F then a else b needs its if"},
      {"!", "not and ! bind less closely than this place; put them in parentheses"},
      {"not", "not and ! bind less closely than this place; put them in parentheses"},
      {"some", "put it in parentheses"},
      {"no", "put it in parentheses"},
      {"one", "put it in parentheses"},
      {"lone", "put it in parentheses"},
      {"\"", "there are no strings here"},
      {"set", "in front of a declared type only"}};
  for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
    if (t->kind != TP_TOKEN_END && strcmp(t->text, hints[i][0]) == 0) return hints[i][1];
  return NULL;
}

bool tp_spec_parser_expected(tp_spec_parser *r, const char *what) {
  const tp_token *t = tp_spec_parser_now(r);
  if (t->kind == TP_TOKEN_END)
    return tp_spec_parser_fail(r, t->pos, "expected %s, but the text ends", what);
  const char *try = hint(t);
  if (!try && tp_spec_expr_is_reserved(t->text) && !(t->starts_line && tp_clause_is_word(t->text)))
    return tp_spec_parser_fail(
        r, t->pos,
        "expected %s, not '%s', a word of this language; as a name of the program it is ::%s", what,
        t->text, t->text);
  return tp_spec_parser_fail(r, t->pos, "expected %s, not '%.40s'%s%s", what, t->text,
                             try ? ": " : "", try ? try : "");
}

bool tp_spec_parser_take(tp_spec_parser *r, const char *text) {
  TP_REQUIRE(text != NULL);
  if (r->failed) return false;
  char what[24];
  snprintf(what, sizeof what, "'%s'", text);
  return tp_spec_parser_accept(r, text) || tp_spec_parser_expected(r, what);
}

static bool is_free_word(const tp_token *t) {
  return t->kind == TP_TOKEN_WORD && t->text[0] != '\\' && !tp_spec_expr_is_reserved(t->text);
}

const char *tp_spec_parser_name(tp_spec_parser *r, const char *what) {
  TP_REQUIRE(what != NULL);
  const tp_token *t = tp_spec_parser_now(r);
  if (r->failed) return NULL;
  if (!is_free_word(t)) {
    tp_spec_parser_expected(r, what);
    return NULL;
  }
  step(r);
  return t->text;
}

/* A node, or NULL with a message that it lies too deep. */
static const tp_spec_expr *made(tp_spec_parser *r, tp_pos pos, const tp_spec_expr *x) {
  if (!x)
    tp_spec_parser_fail(r, pos,
                        "this is nested more than %d deep; name a part of it with let, pred or fun",
                        TP_CONTRACTS_CONTRACT_LEVELS);
  return r->failed ? NULL : x;
}

// ------------------------------------------------------------------------ lists

typedef TP_VEC(const tp_spec_expr *) expr_list;

/* expression { "," expression } up to the sign, which is taken; none at all is fine. */
static bool read_list(tp_spec_parser *r, const char *end, expr_list *out) {
  if (tp_spec_parser_accept(r, end)) return true;
  do {
    const tp_spec_expr *x = tp_spec_parser_expr(r, 0);
    if (!x) return false;
    tp_vec_push(out, x);
  } while (tp_spec_parser_accept(r, ","));
  return tp_spec_parser_take(r, end);
}

/* Do names and a colon stand from the n-th token on? */
static bool are_decls(const tp_spec_parser *r, size_t n) {
  if (token_is(tp_spec_parser_ahead(r, n), "disj")) return true;
  for (;; n += 2) {
    if (tp_spec_parser_ahead(r, n)->kind != TP_TOKEN_WORD) return false;
    if (token_is(tp_spec_parser_ahead(r, n + 1), ":")) return true;
    if (!token_is(tp_spec_parser_ahead(r, n + 1), ",")) return false;
  }
}

static tp_multiplicity read_many(tp_spec_parser *r) {
  if (tp_spec_parser_accept(r, "one")) return TP_MULTIPLICITY_ONE;
  if (tp_spec_parser_accept(r, "lone")) return TP_MULTIPLICITY_LONE;
  if (tp_spec_parser_accept(r, "some")) return TP_MULTIPLICITY_SOME;
  return tp_spec_parser_accept(r, "set") ? TP_MULTIPLICITY_SET : TP_MULTIPLICITY_UNSAID;
}

const tp_spec_expr *tp_spec_parser_type(tp_spec_parser *r, tp_multiplicity *many) {
  TP_REQUIRE(many != NULL);
  *many = read_many(r);
  return tp_spec_parser_expr(r, tp_spec_expr_precedence(TP_SPEC_UNION));
}

static bool read_group(tp_spec_parser *r, tp_decl_list *out) {
  const bool is_disjoint = tp_spec_parser_accept(r, "disj");
  const size_t first = out->n;
  do {
    tp_spec_expr_decl d = {.pos = tp_spec_parser_now(r)->pos, .is_disjoint = is_disjoint};
    d.name = tp_spec_parser_name(r, "a name for the variable");
    if (!d.name) return false;
    tp_vec_push(out, d);
  } while (tp_spec_parser_accept(r, ","));
  tp_multiplicity many;
  if (!tp_spec_parser_take(r, ":")) return false;
  const tp_spec_expr *bound = tp_spec_parser_type(r, &many);
  for (size_t i = first; i < out->n; i++) {
    out->at[i].bound = bound;
    out->at[i].many = many;
  }
  return bound != NULL;
}

bool tp_spec_parser_decls(tp_spec_parser *r, tp_decl_list *out) {
  TP_REQUIRE(out != NULL);
  do {
    if (!read_group(r, out)) return false;
  } while (tp_spec_parser_accept(r, ","));
  return true;
}

static bool read_lets(tp_spec_parser *r, tp_decl_list *out) {
  do {
    tp_spec_expr_decl d = {.pos = tp_spec_parser_now(r)->pos};
    d.name = tp_spec_parser_name(r, "a name for the value");
    if (!d.name || !tp_spec_parser_take(r, "=")) return false;
    d.bound = tp_spec_parser_expr(r, tp_spec_expr_precedence(TP_SPEC_OR));
    if (!d.bound) return false;
    tp_vec_push(out, d);
  } while (tp_spec_parser_accept(r, ","));
  return true;
}

// ------------------------------------------------------------------------ atoms

static const tp_spec_expr *read_binder(tp_spec_parser *r, tp_spec_expr_kind kind) {
  const tp_pos pos = tp_spec_parser_now(r)->pos;
  step(r);
  tp_decl_list decls = {0};
  const tp_spec_expr *x = NULL;
  if ((kind == TP_SPEC_LET ? read_lets(r, &decls) : tp_spec_parser_decls(r, &decls)) &&
      tp_spec_parser_take(r, "|")) {
    const tp_spec_expr *body = tp_spec_parser_expr(r, 0);
    if (body)
      x = made(r, pos,
               tp_spec_expr_make(r->arena, (tp_spec_expr){.kind = kind, .pos = pos}, &body, 1,
                                 decls.at, (uint32_t)decls.n));
  }
  tp_vec_clear(&decls);
  return x;
}

static const tp_spec_expr *read_if(tp_spec_parser *r) {
  const tp_pos pos = tp_spec_parser_now(r)->pos;
  step(r);
  const tp_spec_expr *kids[3] = {tp_spec_parser_expr(r, tp_spec_expr_precedence(TP_SPEC_OR))};
  if (!kids[0] || !tp_spec_parser_take(r, "then")) return NULL;
  kids[1] = tp_spec_parser_expr(r, tp_spec_expr_precedence(TP_SPEC_AND));
  if (!kids[1] || !tp_spec_parser_take(r, "else")) return NULL;
  kids[2] = tp_spec_parser_expr(r, 0);
  return made(r, pos,
              tp_spec_expr_make(r->arena, (tp_spec_expr){.kind = TP_SPEC_IF, .pos = pos}, kids, 3,
                                NULL, 0));
}

static const tp_spec_expr *read_braces(tp_spec_parser *r) {
  const tp_pos pos = tp_spec_parser_now(r)->pos;
  const tp_spec_expr *x = NULL;
  if (are_decls(r, 1)) {
    x = read_binder(r, TP_SPEC_COMPREHENSION);
    return x && tp_spec_parser_take(r, "}") ? x : NULL;
  }
  step(r);
  expr_list kids = {0};
  if (read_list(r, "}", &kids))
    x = made(r, pos,
             tp_spec_expr_make(r->arena, (tp_spec_expr){.kind = TP_SPEC_SET_OF, .pos = pos},
                               kids.at, (uint32_t)kids.n, NULL, 0));
  tp_vec_clear(&kids);
  return x;
}

/* int[a], plus[a, b] */
static const tp_spec_expr *read_word(tp_spec_parser *r, tp_spec_expr_kind kind, uint32_t n) {
  const tp_pos pos = tp_spec_parser_now(r)->pos;
  step(r);
  step(r);
  expr_list kids = {0};
  const tp_spec_expr *x = NULL;
  if (read_list(r, "]", &kids)) {
    if (kids.n != n)
      tp_spec_parser_fail(r, pos, "%s[...] takes %u, not %zu", tp_spec_expr_text(kind), n, kids.n);
    else
      x = made(r, pos,
               tp_spec_expr_make(r->arena, (tp_spec_expr){.kind = kind, .pos = pos}, kids.at, n,
                                 NULL, 0));
  }
  tp_vec_clear(&kids);
  return x;
}

static const tp_spec_expr *read_number(tp_spec_parser *r) {
  const tp_token *t = tp_spec_parser_now(r);
  char *end;
  errno = 0;
  long long value = strtoll(t->text, &end, 0);
  if (*end)
    tp_spec_parser_fail(
        r, t->pos,
        "'%.40s' is not a number; numbers are decimal, hexadecimal or octal, without suffix",
        t->text);
  else if (errno)
    tp_spec_parser_fail(r, t->pos, "%.40s is too large: numbers have 64 bits", t->text);
  step(r);
  if (r->failed) return NULL;
  return made(r, t->pos,
              tp_spec_expr_make(
                  r->arena, (tp_spec_expr){.kind = TP_SPEC_NUMBER, .pos = t->pos, .number = value},
                  NULL, 0, NULL, 0));
}

/* The word behind "::", whatever it means otherwise. */
static const tp_spec_expr *read_member(tp_spec_parser *r, const char *owner) {
  if (!tp_spec_parser_take(r, "::")) return NULL;
  const tp_token *t = tp_spec_parser_now(r);
  if (t->kind != TP_TOKEN_WORD || t->text[0] == '\\') {
    tp_spec_parser_expected(r, *owner ? "a field" : "a name of the program");
    return NULL;
  }
  step(r);
  return made(
      r, t->pos,
      tp_spec_expr_make(
          r->arena,
          (tp_spec_expr){.kind = TP_SPEC_NAME, .pos = t->pos, .name = t->text, .owner = owner},
          NULL, 0, NULL, 0));
}

/* "struct" NAME [ "::" NAME ] */
static const tp_spec_expr *read_tagged(tp_spec_parser *r) {
  const tp_token *word = tp_spec_parser_now(r);
  step(r);
  const tp_token *tag = tp_spec_parser_now(r);
  if (tag->kind != TP_TOKEN_WORD || tag->text[0] == '\\') {
    tp_spec_parser_expected(r, "the name of a struct");
    return NULL;
  }
  step(r);
  const char *name = tp_arena_printf(r->arena, "%s %s", word->text, tag->text);
  if (tp_spec_parser_is(r, "::")) return read_member(r, name);
  return made(r, word->pos,
              tp_spec_expr_make(
                  r->arena, (tp_spec_expr){.kind = TP_SPEC_TYPE, .pos = word->pos, .name = name},
                  NULL, 0, NULL, 0));
}

static const tp_spec_expr *read_name(tp_spec_parser *r) {
  const tp_token *t = tp_spec_parser_now(r);
  if (token_is(tp_spec_parser_ahead(r, 1), "::")) {
    step(r);
    return read_member(r, t->text);
  }
  if (!is_free_word(t)) {
    tp_spec_parser_expected(r, "a name, a number or '('");
    return NULL;
  }
  step(r);
  return made(r, t->pos,
              tp_spec_expr_make(
                  r->arena, (tp_spec_expr){.kind = TP_SPEC_NAME, .pos = t->pos, .name = t->text},
                  NULL, 0, NULL, 0));
}

static const tp_spec_expr *read_atom_word(tp_spec_parser *r) {
  static const tp_spec_expr_kind kinds[] = {
      TP_SPEC_NULL, TP_SPEC_NONE,   TP_SPEC_UNIV,  TP_SPEC_IDEN, TP_SPEC_INTS, TP_SPEC_OBJECTS,
      TP_SPEC_THIS, TP_SPEC_RESULT, TP_SPEC_ALLOC, TP_SPEC_TRUE, TP_SPEC_FALSE};
  const tp_token *t = tp_spec_parser_now(r);
  if (token_is(tp_spec_parser_ahead(r, 1), "::")) return read_name(r);
  if (token_is(tp_spec_parser_ahead(r, 1), "[")) {
    if (strcmp(t->text, "int") == 0) return read_word(r, TP_SPEC_TO_INT, 1);
    if (strcmp(t->text, "Int") == 0) return read_word(r, TP_SPEC_TO_SET, 1);
    if (strcmp(t->text, "plus") == 0) return read_word(r, TP_SPEC_PLUS, 2);
    if (strcmp(t->text, "minus") == 0) return read_word(r, TP_SPEC_MINUS, 2);
  }
  if (strcmp(t->text, "struct") == 0 || strcmp(t->text, "union") == 0) return read_tagged(r);
  if (strcmp(t->text, "\\elements") == 0 || strcmp(t->text, "\\content") == 0) {
    step(r);
    return made(r, t->pos,
                tp_spec_expr_make(
                    r->arena, (tp_spec_expr){.kind = TP_SPEC_NAME, .pos = t->pos, .name = t->text},
                    NULL, 0, NULL, 0));
  }
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(t->text, tp_spec_expr_text(kinds[i])) == 0 ||
        (kinds[i] == TP_SPEC_INTS && strcmp(t->text, "Int") == 0)) {
      step(r);
      return made(r, t->pos, tp_spec_expr_atom(r->arena, kinds[i], t->pos));
    }
  return read_name(r);
}

static const tp_spec_expr *read_primes(tp_spec_parser *r, const tp_spec_expr *x) {
  while (x && tp_spec_parser_is(r, "'")) {
    const tp_pos pos = tp_spec_parser_now(r)->pos;
    step(r);
    x = made(r, pos, tp_spec_expr_unary(r->arena, TP_SPEC_PRIME, pos, x));
  }
  return x;
}

static const tp_spec_expr *read_primary(tp_spec_parser *r) {
  const tp_token *t = tp_spec_parser_now(r);
  const tp_spec_expr *x = NULL;
  if (t->kind == TP_TOKEN_NUMBER)
    x = read_number(r);
  else if (t->kind == TP_TOKEN_WORD)
    x = read_atom_word(r);
  else if (tp_spec_parser_is(r, "{"))
    x = read_braces(r);
  else if (tp_spec_parser_is(r, "::"))
    x = read_member(r, "");
  else if (tp_spec_parser_accept(r, "(")) {
    x = tp_spec_parser_expr(r, 0);
    if (x && !tp_spec_parser_take(r, ")")) x = NULL;
  } else
    tp_spec_parser_expected(r, "a name, a number or '('");
  return read_primes(r, x);
}

// -------------------------------------------------------------------- operators

/* The quantifier at the current token; TP_SPEC_N_KINDS: none. */
static tp_spec_expr_kind binder_here(const tp_spec_parser *r) {
  if (tp_spec_parser_is(r, "let")) return TP_SPEC_LET;
  if (tp_spec_parser_is(r, "all")) return TP_SPEC_ALL;
  if (!are_decls(r, 1)) return TP_SPEC_N_KINDS;
  for (tp_spec_expr_kind k = TP_SPEC_EXISTS; k <= TP_SPEC_SUM_OVER; k++)
    if (tp_spec_parser_is(r, tp_spec_expr_text(k))) return k;
  return TP_SPEC_N_KINDS;
}

static tp_spec_expr_kind prefix_here(const tp_spec_parser *r) {
  if (tp_spec_parser_is(r, "!")) return TP_SPEC_NOT;
  for (tp_spec_expr_kind k = 0; k < TP_SPEC_N_KINDS; k++)
    if (tp_spec_expr_form_of(k) == TP_FORM_PREFIX && tp_spec_parser_is(r, tp_spec_expr_text(k)))
      return k;
  return TP_SPEC_N_KINDS;
}

static const tp_spec_expr *read_operand(tp_spec_parser *r, uint32_t least) {
  const tp_spec_expr_kind binder = binder_here(r);
  if (binder != TP_SPEC_N_KINDS) return read_binder(r, binder);
  if (tp_spec_parser_is(r, "if")) return read_if(r);
  const tp_spec_expr_kind prefix = prefix_here(r);
  if (prefix == TP_SPEC_N_KINDS) return read_primary(r);
  if (tp_spec_expr_precedence(prefix) < least) {
    tp_spec_parser_expected(r, "a name, a number or '('");
    return NULL;
  }
  const tp_pos pos = tp_spec_parser_now(r)->pos;
  step(r);
  const tp_spec_expr *x = tp_spec_parser_expr(r, tp_spec_expr_precedence(prefix));
  return x ? made(r, pos, tp_spec_expr_unary(r->arena, prefix, pos, x)) : NULL;
}

/* The binary operator at the current token, and its number of tokens. */
static tp_spec_expr_kind infix_here(const tp_spec_parser *r, uint32_t *n) {
  static const struct {
    const char *text;
    tp_spec_expr_kind kind;
  } others[] = {{"==", TP_SPEC_EQUAL}, {"=<", TP_SPEC_AT_MOST},      {"&&", TP_SPEC_AND},
                {"||", TP_SPEC_OR},    {"implies", TP_SPEC_IMPLIES}, {"iff", TP_SPEC_IFF},
                {"[", TP_SPEC_BOX}};
  *n = 2;
  if ((tp_spec_parser_is(r, "!") || tp_spec_parser_is(r, "not")) &&
      token_is(tp_spec_parser_ahead(r, 1), "in"))
    return TP_SPEC_NOT_IN;
  *n = 1;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (tp_spec_parser_is(r, others[i].text)) return others[i].kind;
  for (tp_spec_expr_kind k = 0; k < TP_SPEC_N_KINDS; k++) {
    const tp_spec_expr_form form = tp_spec_expr_form_of(k);
    if ((form == TP_FORM_LEFT || form == TP_FORM_RIGHT) &&
        tp_spec_parser_is(r, tp_spec_expr_text(k)))
      return k;
  }
  return TP_SPEC_N_KINDS;
}

/* What follows a dot: most words are names there. */
static const tp_spec_expr *read_after_dot(tp_spec_parser *r) {
  static const char *const starts[] = {"this", "none", "univ",   "iden", "null",
                                       "int",  "Int",  "struct", "union"};
  const tp_token *t = tp_spec_parser_now(r);
  bool is_name =
      t->kind == TP_TOKEN_WORD && t->text[0] != '\\' && !token_is(tp_spec_parser_ahead(r, 1), "::");
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
    is_name = is_name && strcmp(t->text, starts[i]) != 0;
  if (!is_name) return tp_spec_parser_expr(r, tp_spec_expr_precedence(TP_SPEC_JOIN) + 1);
  step(r);
  return read_primes(
      r, made(r, t->pos,
              tp_spec_expr_make(
                  r->arena, (tp_spec_expr){.kind = TP_SPEC_NAME, .pos = t->pos, .name = t->text},
                  NULL, 0, NULL, 0)));
}

static const tp_spec_expr *read_box(tp_spec_parser *r, tp_pos pos, const tp_spec_expr *x) {
  expr_list kids = {0};
  tp_vec_push(&kids, x);
  const tp_spec_expr *box = NULL;
  if (read_list(r, "]", &kids))
    box = made(r, pos,
               tp_spec_expr_make(r->arena, (tp_spec_expr){.kind = TP_SPEC_BOX, .pos = pos}, kids.at,
                                 (uint32_t)kids.n, NULL, 0));
  tp_vec_clear(&kids);
  return read_primes(r, box);
}

/* "=>" has been read: a => b, or a => b else c, which is if a then b else c. */
static const tp_spec_expr *read_implied(tp_spec_parser *r, tp_pos pos, const tp_spec_expr *x) {
  const uint32_t precedence = tp_spec_expr_precedence(TP_SPEC_IMPLIES);
  const tp_spec_expr *kids[3] = {x, tp_spec_parser_expr(r, precedence)};
  if (!kids[1]) return NULL;
  if (!tp_spec_parser_accept(r, "else"))
    return made(r, pos, tp_spec_expr_binary(r->arena, TP_SPEC_IMPLIES, pos, x, kids[1]));
  kids[2] = tp_spec_parser_expr(r, precedence);
  return kids[2] ? made(r, pos,
                        tp_spec_expr_make(r->arena, (tp_spec_expr){.kind = TP_SPEC_IF, .pos = pos},
                                          kids, 3, NULL, 0))
                 : NULL;
}

static const tp_spec_expr *read_infix(tp_spec_parser *r, tp_spec_expr_kind kind, tp_pos pos,
                                      const tp_spec_expr *x) {
  if (kind == TP_SPEC_BOX) return read_box(r, pos, x);
  if (kind == TP_SPEC_IMPLIES) return read_implied(r, pos, x);
  const tp_multiplicity many = kind == TP_SPEC_PRODUCT ? read_many(r) : TP_MULTIPLICITY_UNSAID;
  const tp_spec_expr *y = kind == TP_SPEC_JOIN
                              ? read_after_dot(r)
                              : tp_spec_parser_expr(r, tp_spec_expr_precedence(kind) + 1);
  if (!y) return NULL;
  const tp_spec_expr *kids[] = {x, y};
  return made(r, pos,
              tp_spec_expr_make(r->arena, (tp_spec_expr){.kind = kind, .pos = pos, .many = many},
                                kids, 2, NULL, 0));
}

const tp_spec_expr *tp_spec_parser_expr(tp_spec_parser *r, uint32_t least) {
  if (r->failed) return NULL;
  if (++r->depth > TP_CONTRACTS_CONTRACT_LEVELS) made(r, tp_spec_parser_now(r)->pos, NULL);
  const tp_spec_expr *x = r->failed ? NULL : read_operand(r, least);
  while (x) {
    uint32_t n;
    const tp_spec_expr_kind kind = infix_here(r, &n);
    if (kind == TP_SPEC_N_KINDS || tp_spec_expr_precedence(kind) < least) break;
    const tp_pos pos = tp_spec_parser_now(r)->pos;
    for (uint32_t i = 0; i < n; i++) step(r);
    x = read_infix(r, kind, pos, x);
  }
  r->depth--;
  return r->failed ? NULL : x;
}

const tp_spec_expr *tp_spec_expr_read(tp_clauses *c, const char *path, const char *text) {
  tp_spec_parser r;
  tp_spec_parser_init(&r, c, path, 1, text);
  const tp_spec_expr *x = tp_spec_parser_expr(&r, 0);
  if (x && tp_spec_parser_now(&r)->kind != TP_TOKEN_END) {
    tp_spec_parser_expected(&r, "an operator or the end");
    x = NULL;
  }
  tp_spec_parser_clear(&r);
  return x;
}
