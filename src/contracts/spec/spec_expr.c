/* Expressions as data and as text.
 *
 * One table says how each kind is written; the reader (spec_parser.c) and the printer work from it.
 * The printer puts parentheses wherever a kid binds less closely than its place demands, and around
 * binders, conditionals and lets that are operands: those reach as far to the right as they can. */
#include "contracts/spec/spec_expr.h"

#include "contracts/contracts_limits.h"

typedef struct {
  const char *text;
  tp_spec_expr_form form;
  uint8_t precedence, kids;
} row;

static const row rows[TP_SPEC_N_KINDS] = {
#define TP_P(kind, text, form, precedence, kids) \
  [TP_SPEC_##kind] = {text, TP_FORM_##form, precedence, kids},
    TP_SPEC_KINDS(TP_P)
#undef TP_P
};

tp_spec_expr_form tp_spec_expr_form_of(tp_spec_expr_kind kind) {
  TP_REQUIRE(kind < TP_SPEC_N_KINDS);
  return rows[kind].form;
}
const char *tp_spec_expr_text(tp_spec_expr_kind kind) {
  TP_REQUIRE(kind < TP_SPEC_N_KINDS);
  return rows[kind].text;
}
uint32_t tp_spec_expr_precedence(tp_spec_expr_kind kind) {
  TP_REQUIRE(kind < TP_SPEC_N_KINDS);
  return rows[kind].precedence;
}

bool tp_spec_expr_is_reserved(const char *word) {
  static const char *const words[] = {
      "all",  "and",   "disj",  "else",     "ensures",   "false",    "fun", "function",  "ghost",
      "iden", "if",    "iff",   "implies",  "in",        "int",      "Int", "invariant", "let",
      "lone", "minus", "model", "modifies", "no",        "none",     "not", "null",      "object",
      "one",  "or",    "plus",  "pred",     "preserves", "requires", "set", "some",      "struct",
      "sum",  "then",  "this",  "true",     "union",     "univ"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(words[i], word) == 0) return true;
  return false;
}

const char *tp_multiplicity_text(tp_multiplicity many) {
  switch (many) {
    case TP_MULTIPLICITY_UNSAID: return "";
    case TP_MULTIPLICITY_ONE: return "one ";
    case TP_MULTIPLICITY_LONE: return "lone ";
    case TP_MULTIPLICITY_SOME: return "some ";
    case TP_MULTIPLICITY_SET: return "set ";
  }
  return "";
}

// ----------------------------------------------------------------- construction

static uint32_t depth_of(const tp_spec_expr *const *kids, uint32_t n_kids,
                         const tp_spec_expr_decl *decls, uint32_t n_decls) {
  uint32_t depth = 0;
  for (uint32_t i = 0; i < n_kids; i++)
    if (kids[i]->depth > depth) depth = kids[i]->depth;
  for (uint32_t i = 0; i < n_decls; i++)
    if (decls[i].bound->depth > depth) depth = decls[i].bound->depth;
  return depth + 1;
}

const tp_spec_expr *tp_spec_expr_make(tp_arena *a, tp_spec_expr node,
                                      const tp_spec_expr *const *kids, uint32_t n_kids,
                                      const tp_spec_expr_decl *decls, uint32_t n_decls) {
  TP_REQUIRE(node.kind < TP_SPEC_N_KINDS && (n_kids == 0 || kids) && (n_decls == 0 || decls));
  for (uint32_t i = 0; i < n_kids; i++)
    if (!kids[i]) return NULL;
  for (uint32_t i = 0; i < n_decls; i++)
    if (!decls[i].bound) return NULL;
  TP_INVARIANT(rows[node.kind].kids == n_kids || rows[node.kind].form == TP_FORM_OTHER);
  node.depth = depth_of(kids, n_kids, decls, n_decls);
  if (node.depth > TP_CONTRACTS_CONTRACT_LEVELS) return NULL;
  tp_spec_expr *x = tp_arena_new(a, tp_spec_expr);
  const tp_spec_expr **own_kids = tp_arena_array(a, const tp_spec_expr *, n_kids ? n_kids : 1);
  tp_spec_expr_decl *own_decls = tp_arena_array(a, tp_spec_expr_decl, n_decls ? n_decls : 1);
  if (n_kids) memcpy(own_kids, kids, n_kids * sizeof *kids);
  if (n_decls) memcpy(own_decls, decls, n_decls * sizeof *decls);
  *x = node;
  x->kids = own_kids;
  x->n_kids = n_kids;
  x->decls = own_decls;
  x->n_decls = n_decls;
  return x;
}

const tp_spec_expr *tp_spec_expr_atom(tp_arena *a, tp_spec_expr_kind kind, tp_pos pos) {
  return tp_spec_expr_make(a, (tp_spec_expr){.kind = kind, .pos = pos}, NULL, 0, NULL, 0);
}

const tp_spec_expr *tp_spec_expr_unary(tp_arena *a, tp_spec_expr_kind kind, tp_pos pos,
                                       const tp_spec_expr *x) {
  return tp_spec_expr_make(a, (tp_spec_expr){.kind = kind, .pos = pos}, &x, 1, NULL, 0);
}

const tp_spec_expr *tp_spec_expr_binary(tp_arena *a, tp_spec_expr_kind kind, tp_pos pos,
                                        const tp_spec_expr *x, const tp_spec_expr *y) {
  const tp_spec_expr *kids[] = {x, y};
  return tp_spec_expr_make(a, (tp_spec_expr){.kind = kind, .pos = pos}, kids, 2, NULL, 0);
}

// --------------------------------------------------------------------- equality

static bool same_text(const char *a, const char *b) {
  return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_decls(const tp_spec_expr *x, const tp_spec_expr *y) {
  if (x->n_decls != y->n_decls) return false;
  for (uint32_t i = 0; i < x->n_decls; i++) {
    const tp_spec_expr_decl *a = &x->decls[i], *b = &y->decls[i];
    bool joined_a = i > 0 && a->bound == a[-1].bound, joined_b = i > 0 && b->bound == b[-1].bound;
    if (!same_text(a->name, b->name) || a->many != b->many || a->is_disjoint != b->is_disjoint ||
        joined_a != joined_b)
      return false;
    if (!joined_a && !tp_spec_expr_equal(a->bound, b->bound)) return false;
  }
  return true;
}

bool tp_spec_expr_equal(const tp_spec_expr *x, const tp_spec_expr *y) {
  TP_REQUIRE(x && y);
  if (x == y) return true;
  if (x->kind != y->kind || x->n_kids != y->n_kids || x->number != y->number ||
      x->many != y->many || x->is_primed != y->is_primed)
    return false;
  if (!same_text(x->name, y->name) || !same_text(x->owner, y->owner) || !same_decls(x, y))
    return false;
  for (uint32_t i = 0; i < x->n_kids; i++)
    if (!tp_spec_expr_equal(x->kids[i], y->kids[i])) return false;
  return true;
}

// --------------------------------------------------------------------- printing

static bool is_word(const char *text) {
  return (*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z');
}

static void print_atom(const tp_spec_expr *x, tp_str *out) {
  if (x->kind == TP_SPEC_NUMBER)
    tp_str_printf(out, "%lld", (long long)x->number);
  else if (x->kind == TP_SPEC_TYPE)
    tp_str_add(out, x->name);
  else if (x->kind != TP_SPEC_NAME)
    tp_str_add(out, rows[x->kind].text);
  else if (x->owner)
    tp_str_printf(out, "%s::%s", x->owner, x->name);
  else
    tp_str_add(out, x->name);
  if (x->is_primed) tp_str_add_char(out, '\'');
}

/* "a.b[c]'" is the post-state of all of it, "a.b'" that of b. */
static uint32_t precedence_of(const tp_spec_expr *x) {
  const tp_spec_expr *y = x;
  while (y->kind == TP_SPEC_PRIME) y = y->kids[0];
  return x->kind == TP_SPEC_PRIME && y->kind == TP_SPEC_BOX ? rows[TP_SPEC_BOX].precedence
                                                            : rows[x->kind].precedence;
}

static void print(const tp_spec_expr *x, uint32_t least, tp_str *out);

static void print_list(const tp_spec_expr *const *kids, uint32_t n, tp_str *out) {
  for (uint32_t i = 0; i < n; i++) {
    if (i) tp_str_add(out, ", ");
    print(kids[i], 0, out);
  }
}

static void print_decls(const tp_spec_expr *x, tp_str *out) {
  for (uint32_t i = 0; i < x->n_decls; i++) {
    const tp_spec_expr_decl *d = &x->decls[i];
    bool is_first = i == 0 || d->bound != d[-1].bound,
         is_last = i + 1 == x->n_decls || d->bound != d[1].bound;
    if (i) tp_str_add(out, ", ");
    if (is_first && d->is_disjoint) tp_str_add(out, "disj ");
    tp_str_add(out, d->name);
    if (!is_last) continue;
    tp_str_add(out, x->kind == TP_SPEC_LET ? " = " : " : ");
    tp_str_add(out, tp_multiplicity_text(d->many));
    print(d->bound, x->kind == TP_SPEC_LET ? 2 : rows[TP_SPEC_UNION].precedence, out);
  }
}

static void print_other(const tp_spec_expr *x, tp_str *out) {
  if (x->kind == TP_SPEC_SET_OF) {
    tp_str_add_char(out, '{');
    print_list(x->kids, x->n_kids, out);
    tp_str_add_char(out, '}');
  } else if (x->kind == TP_SPEC_COMPREHENSION) {
    tp_str_add_char(out, '{');
    print_decls(x, out);
    tp_str_add(out, " | ");
    print(x->kids[0], 0, out);
    tp_str_add_char(out, '}');
  } else if (x->kind == TP_SPEC_PRIME) {
    print(x->kids[0], precedence_of(x), out);
    tp_str_add_char(out, '\'');
  } else if (x->kind == TP_SPEC_BOX) {
    print(x->kids[0], rows[x->kind].precedence, out);
    tp_str_add_char(out, '[');
    print_list(x->kids + 1, x->n_kids - 1, out);
    tp_str_add(out, x->is_primed ? "]'" : "]");
  } else if (x->kind == TP_SPEC_IF) {
    tp_str_add(out, "if ");
    print(x->kids[0], 2, out);
    tp_str_add(out, " then ");
    print(x->kids[1], rows[TP_SPEC_IMPLIES].precedence + 1u, out);
    tp_str_add(out, " else ");
    print(x->kids[2], 0, out);
  } else {
    tp_str_add(out, "let ");
    print_decls(x, out);
    tp_str_add(out, " | ");
    print(x->kids[0], 0, out);
  }
}

/* least: what binds less closely is put in parentheses. */
static void print(const tp_spec_expr *x, uint32_t least, tp_str *out) {
  const row *r = &rows[x->kind];
  const bool in_parentheses = precedence_of(x) < least;
  if (in_parentheses) tp_str_add_char(out, '(');
  switch (r->form) {
    case TP_FORM_ATOM: print_atom(x, out); break;
    case TP_FORM_PREFIX:
      tp_str_add(out, r->text);
      if (is_word(r->text)) tp_str_add_char(out, ' ');
      print(x->kids[0], r->precedence, out);
      break;
    case TP_FORM_LEFT:
    case TP_FORM_RIGHT:
      print(x->kids[0], r->precedence + (r->form == TP_FORM_RIGHT ? 1u : 0u), out);
      if (x->kind != TP_SPEC_JOIN) tp_str_add_char(out, ' ');
      tp_str_add(out, r->text);
      if (x->kind != TP_SPEC_JOIN) tp_str_add_char(out, ' ');
      tp_str_add(out, tp_multiplicity_text(x->many));
      print(x->kids[1], r->precedence + (r->form == TP_FORM_LEFT ? 1u : 0u), out);
      break;
    case TP_FORM_WORD:
      tp_str_printf(out, "%s[", r->text);
      print_list(x->kids, x->n_kids, out);
      tp_str_add_char(out, ']');
      break;
    case TP_FORM_BINDER:
      tp_str_printf(out, "%s ", r->text);
      print_decls(x, out);
      tp_str_add(out, " | ");
      print(x->kids[0], 0, out);
      break;
    case TP_FORM_OTHER: print_other(x, out); break;
  }
  if (in_parentheses) tp_str_add_char(out, ')');
}

void tp_spec_expr_print(const tp_spec_expr *x, tp_str *out) {
  TP_REQUIRE(x && out);
  print(x, 0, out);
}
