/* Reading descriptions of data structures.
 *
 *   file       = "structure" NAME { section }
 *   section    = "fields" NAME { "," NAME } | "default" [ "for" NAME { "," NAME } ] | "order" NAME
 * | "refines" NAME [ "with" NAME "=" NAME { "," NAME "=" NAME } ] | [ "abstraction" ] "predicate"
 * NAME [ "[" parameter { "," parameter } "]" ] "(" VAR [ "," VAR ] ")" "=" formula | "on" operation
 * { NAME [ "[" NAME { "," NAME } "]" ] "(" VAR [ "," VAR ] ")" ":=" formula } | "constraint" [ "["
 *              parameter { "," parameter } "]" ] "(" VAR [ "," VAR ] ")" formula "=>" formula |
 *              "invariant" formula
 *   parameter  = ( "pointer" | "field" ) NAME
 *   operation  = "x" "=" ( "nil" | "new" | "y" ) | ( "free" | "set" ) "x" | ( "x" "=" "y" "->" NAME
 *              | "x" "->" NAME "=" ( "nil" | "y" ) ) [ "for" NAME { "," NAME } ] (a NAME that is no
 *              field is the operation's field, any, or one of those behind "for")
 *   formula    = iff [ "?" formula ":" formula ]
 *   iff        = implies { "<->" implies }        implies = or [ "->" implies ]
 *   or         = and { "|" and }                  and     = unary { "&" unary }
 *   unary      = "!" unary | ( "exists" | "forall" ) VAR { "," VAR } ":" formula | "(" formula ")"
 *              | "0" | "1" | "1/2" | VAR ( "=" | "!=" ) VAR | atom | "recompute"     (the
 *              definition, of the heap after the operation)
 *   atom       = NAME [ "'" ] [ "[" NAME { "," NAME } "]" ] [ "*" | "+" ] "(" VAR [ "," VAR ] ")"
 *              | "path" ( "*" | "+" ) "(" VAR "," VAR ":" formula ")" "(" VAR "," VAR ")"
 *
 * White space and comments (# to the end of the line) separate tokens. The first error ends the
 * reading. Names of variables are in scope where they are bound; every binder gets a number of its
 * own within its formula. Nesting and the size of a formula are bounded, as the parser and all that
 * follows recurse. */
#include "shape/description.h"

#include "base/nearest.h"
#include "diag/scan.h"
#include "shape/shape_limits.h"

#include <stdio.h>

typedef enum { T_END, T_WORD, T_SIGN } token_kind;

typedef struct {
  const char *name;
  uint8_t number;
} binding;

typedef struct {
  tp_description *entry;
  tp_scan scan;
  token_kind kind;  // of the current token
  // names in scope
  binding pointers[TP_SHAPE_MAX_SLOTS], fields[TP_SHAPE_MAX_SLOTS], vars[TP_SHAPE_MAX_SLOTS * 2];
  uint32_t n_pointers, n_fields, n_vars;
  uint8_t next_pointer, next_field, next_var;  // next free slot or number
  uint32_t n_nodes, depth;                     // of the formula that is being read
  // where we are
  bool primes_allowed, new_allowed,
      takes_names;          // takes_names: unknown names in brackets become slots
  uint32_t n_families;      // that may be named with a prime
  const tp_update *update;  // whose formula is read; NULL: none is
} reader;

// ----------------------------------------------------------------------- tokens

static bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static void next(reader *r) {
  static const char *const signs[] = {"<->", "->", "=>", ":=", "!=", "1/2", "[", "]", "(", ")",
                                      ",",   "=",  ":",  "?",  "!",  "&",   "|", "*", "+", "'"};
  tp_scan *s = &r->scan;
  r->kind = tp_scan_token(s) ? T_SIGN : T_END;
  s->n = tp_scan_sign(s, signs, sizeof signs / sizeof *signs);
  if (s->n == 0 && is_word_char(*s->at)) {
    r->kind = T_WORD;
    while (is_word_char(s->at[s->n])) s->n++;
  }
  tp_scan_past(s);
}

static bool accept(reader *r, const char *text) {
  if (r->scan.failed || !tp_scan_is(&r->scan, text)) return false;
  next(r);
  return true;
}

static bool take(reader *r, const char *sign) {
  if (r->scan.failed) return false;
  char what[16];
  snprintf(what, sizeof what, "'%s'", sign);
  return accept(r, sign) || tp_scan_expected(&r->scan, what);
}

static bool starts_section(const reader *r) {
  static const char *const words[] = {"structure",  "fields",      "default",   "order",
                                      "refines",    "abstraction", "predicate", "on",
                                      "constraint", "invariant"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (tp_scan_is(&r->scan, words[i])) return true;
  return false;
}

static bool is_reserved(const reader *r) {
  static const char *const words[] = {"pointer",   "field", "nil",   "exists",  "forall", "path",
                                      "recompute", "with",  "for",   "0",       "1",      "free",
                                      "set",       "pt",    "freed", "outside", "new"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (tp_scan_is(&r->scan, words[i])) return true;
  return starts_section(r);
}

/* A word with no meaning of its own; NULL: there is none, which has been said. */
static const char *name(reader *r, const char *what) {
  if (r->scan.failed) return NULL;
  if (r->kind != T_WORD || is_reserved(r)) {
    tp_scan_expected(&r->scan, what);
    return NULL;
  }
  const char *text = tp_arena_strndup(&r->entry->arena, r->scan.text, r->scan.n);
  next(r);
  return text;
}

// ----------------------------------------------------------------------- scopes

/* The number of a name, innermost first; -1: unknown. */
static int find(const binding *list, uint32_t n, const char *text) {
  for (uint32_t i = n; i-- > 0;)
    if (strcmp(list[i].name, text) == 0) return list[i].number;
  return -1;
}

static bool bind(reader *r, binding *list, uint32_t *n, uint32_t max, const char *text,
                 uint8_t number) {
  if (!text) return false;
  if (*n == max)
    return tp_scan_fail(&r->scan, r->scan.pos, "too many names here: %u are possible", max);
  list[(*n)++] = (binding){text, number};
  return true;
}

static bool bind_variable(reader *r, uint8_t *number) {
  const char *text = name(r, "the name of a variable");
  if (r->next_var > 200) return tp_scan_fail(&r->scan, r->scan.pos, "this formula is too long");
  *number = r->next_var++;
  return bind(r, r->vars, &r->n_vars, TP_SHAPE_MAX_SLOTS * 2, text, *number);
}

static bool use_variable(reader *r, uint8_t *number) {
  const tp_pos pos = r->scan.pos;
  const char *text = name(r, "a variable");
  if (!text) return false;
  const int k = find(r->vars, r->n_vars, text);
  if (k < 0)
    return tp_scan_fail(&r->scan, pos,
                        "'%s' is not a variable here; 'exists %s: ...' would make it one", text,
                        text);
  *number = (uint8_t)k;
  return true;
}

/* Start of a definition, an update or a constraint: only x, y and the field of the operation have
 * slots. */
static void open_scope(reader *r) {
  r->n_pointers = r->n_fields = r->n_vars = 0;
  r->next_pointer = TP_SLOT_Y + 1;
  r->next_field = TP_SLOT_FIELD + 1;
  r->next_var = 0;
  r->n_nodes = r->depth = 0;
  r->primes_allowed = r->new_allowed = r->takes_names = false;
  r->n_families = (uint32_t)r->entry->families.n;
}

static bool bind_pointer(reader *r, const char *text) {
  if (r->next_pointer == TP_SHAPE_MAX_SLOTS)
    return tp_scan_fail(&r->scan, r->scan.pos, "too many pointers here");
  return bind(r, r->pointers, &r->n_pointers, TP_SHAPE_MAX_SLOTS, text, r->next_pointer++);
}

static bool bind_field(reader *r, const char *text) {
  if (r->next_field == TP_SHAPE_MAX_SLOTS)
    return tp_scan_fail(&r->scan, r->scan.pos, "too many fields here");
  return bind(r, r->fields, &r->n_fields, TP_SHAPE_MAX_SLOTS, text, r->next_field++);
}

/* "[" parameter { "," parameter } "]", if there is one; kinds: of the parameters. */
static bool read_parameters(reader *r, tp_argument_kind *kinds, uint8_t *slots, uint8_t *n) {
  *n = 0;
  if (!accept(r, "[")) return !r->scan.failed;
  do {
    if (*n == TP_SHAPE_MAX_ARGUMENTS)
      return tp_scan_fail(&r->scan, r->scan.pos, "a predicate has at most %d parameters",
                          TP_SHAPE_MAX_ARGUMENTS);
    const bool is_pointer = tp_scan_is(&r->scan, "pointer");
    if (!accept(r, "pointer") && !accept(r, "field"))
      return tp_scan_expected(&r->scan, "'pointer' or 'field'");
    kinds[*n] = is_pointer ? TP_ARGUMENT_POINTER : TP_ARGUMENT_FIELD;
    slots[*n] = is_pointer ? r->next_pointer : r->next_field;
    (*n)++;
    const char *text = name(r, "the name of the parameter");
    if (!(is_pointer ? bind_pointer(r, text) : bind_field(r, text))) return false;
  } while (accept(r, ","));
  return take(r, "]");
}

/* "(" VAR [ "," VAR ] ")": the variables 0 and 1. */
static bool read_head(reader *r, uint8_t *arity) {
  uint8_t v;
  if (!take(r, "(") || !bind_variable(r, &v)) return false;
  *arity = 1;
  if (accept(r, ",")) {
    if (!bind_variable(r, &v)) return false;
    *arity = 2;
  }
  return take(r, ")");
}

/* An argument in brackets. */
static bool read_argument(reader *r, tp_argument_kind kind, tp_argument *out) {
  const tp_pos pos = r->scan.pos;
  const bool is_pointer = kind == TP_ARGUMENT_POINTER;
  const char *text = name(r, is_pointer ? "a pointer" : "a field");
  if (!text) return false;
  int slot =
      is_pointer ? find(r->pointers, r->n_pointers, text) : find(r->fields, r->n_fields, text);
  const uint32_t number = is_pointer ? UINT32_MAX : tp_description_field(r->entry, text);
  if (slot < 0 && number != UINT32_MAX) {
    *out = (tp_argument){TP_ARGUMENT_FIELD_NUMBER, (uint8_t)number};
    return true;
  }
  if (slot < 0 && r->takes_names) {
    slot = is_pointer ? r->next_pointer : r->next_field;
    if (!(is_pointer ? bind_pointer(r, text) : bind_field(r, text))) return false;
  }
  if (slot < 0)
    return tp_scan_fail(&r->scan, pos, "'%s' is not a %s here", text,
                        is_pointer ? "pointer" : "field");
  *out = (tp_argument){kind, (uint8_t)slot};
  return true;
}

static bool read_arguments(reader *r, const tp_family *f, tp_argument *out) {
  if (f->n_arguments == 0) return true;
  if (!take(r, "[")) return false;
  for (uint8_t i = 0; i < f->n_arguments; i++)
    if ((i > 0 && !take(r, ",")) || !read_argument(r, f->argument[i], &out[i])) return false;
  return take(r, "]");
}

// --------------------------------------------------------------------- formulas

static const tp_template *read_formula(reader *r);
static const tp_template *read_unary(reader *r);

/* Counts nodes; too many end the reading, after which no token is accepted. */
static const tp_template *make(reader *r, tp_template t) {
  if (++r->n_nodes > TP_SHAPE_FORMULA_NODES)
    tp_scan_fail(&r->scan, r->scan.pos, "this formula is too long");
  tp_template *out = tp_arena_new(&r->entry->arena, tp_template);
  *out = t;
  return out;
}

static const tp_template *make2(reader *r, tp_template_kind kind, const tp_template *a,
                                const tp_template *b) {
  return a && b ? make(r, (tp_template){.kind = kind, .kid = {a, b}}) : NULL;
}

static const tp_template *negate(reader *r, const tp_template *a) {
  return a ? make(r, (tp_template){.kind = TP_TEMPLATE_NOT, .kid = {a}}) : NULL;
}

static const tp_template *read_quantifier(reader *r, tp_template_kind kind) {
  uint8_t bound[TP_SHAPE_MAX_SLOTS];
  uint32_t n = 0;
  const uint32_t outer = r->n_vars;
  do {
    if (n == TP_SHAPE_MAX_SLOTS) return tp_scan_expected(&r->scan, "':'"), NULL;
    if (!bind_variable(r, &bound[n++])) return NULL;
  } while (accept(r, ","));
  const tp_template *f = take(r, ":") ? read_formula(r) : NULL;
  r->n_vars = outer;
  while (f && n > 0) f = make(r, (tp_template){.kind = kind, .a = bound[--n], .kid = {f}});
  return f;
}

/* "path" is behind us. */
static const tp_template *read_path(reader *r) {
  tp_template t = {.kind = TP_TEMPLATE_PATH, .is_reflexive = tp_scan_is(&r->scan, "*")};
  if (!accept(r, "*") && !accept(r, "+")) return tp_scan_expected(&r->scan, "'*' or '+'"), NULL;
  const uint32_t outer = r->n_vars;
  if (!take(r, "(") || !bind_variable(r, &t.from) || !take(r, ",") || !bind_variable(r, &t.to) ||
      !take(r, ":"))
    return NULL;
  t.kid[0] = read_formula(r);
  r->n_vars = outer;
  if (!t.kid[0] || !take(r, ")") || !take(r, "(") || !use_variable(r, &t.a) || !take(r, ",") ||
      !use_variable(r, &t.b) || !take(r, ")"))
    return NULL;
  return make(r, t);
}

/* The mark of the heap after the operation, if it is there. */
static bool read_prime(reader *r, tp_template *t) {
  const tp_pos pos = r->scan.pos;
  if (!accept(r, "'")) return !r->scan.failed;
  t->is_primed = true;
  if (!r->primes_allowed)
    return tp_scan_fail(&r->scan, pos, "only updates speak of the heap after the operation");
  if (t->kind != TP_TEMPLATE_FAMILY || t->family < r->n_families) return true;
  return tp_scan_fail(&r->scan, pos,
                      "the value of '%s' after the operation is not known yet: only predicates "
                      "described before this one are",
                      r->entry->families.at[t->family].name);
}

/* The name is of nothing that a formula can be about: what is meant? */
static bool fail_unknown(reader *r, tp_pos pos, const char *text) {
  const char *known[TP_SHAPE_MAX_FAMILIES + TP_SHAPE_MAX_FIELDS + 4];
  size_t n = 0;
  if (find(r->pointers, r->n_pointers, text) >= 0)
    return tp_scan_fail(&r->scan, pos, "'%s' is a pointer: that it leads to v is pt[%s](v)", text,
                        text);
  for (uint32_t i = 0; i < r->entry->fields.n; i++) known[n++] = r->entry->fields.at[i];
  for (uint32_t i = 0; i < r->entry->families.n; i++) known[n++] = r->entry->families.at[i].name;
  known[n++] = "exists";
  known[n++] = "forall";
  known[n] = NULL;
  const char *near = tp_nearest_name(text, known);
  return tp_scan_fail(&r->scan, pos,
                      "'%s' is neither a field nor a predicate that was described before%s%s%s",
                      text, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* A predicate's name and what is in its brackets. */
static bool read_predicate(reader *r, tp_template *t, uint8_t *arity) {
  const tp_pos pos = r->scan.pos;
  *arity = 1;
  if (accept(r, "pt")) {
    t->kind = TP_TEMPLATE_POINTS;
    return read_prime(r, t) && take(r, "[") &&
           read_argument(r, TP_ARGUMENT_POINTER, &t->argument[0]) && take(r, "]");
  }
  if (accept(r, "freed")) {
    t->kind = TP_TEMPLATE_FREED;
    return read_prime(r, t);
  }
  if (accept(r, "outside")) {  // no operation changes that
    t->kind = TP_TEMPLATE_OUTSIDE;
    return true;
  }
  if (accept(r, "new")) {
    t->kind = TP_TEMPLATE_NEW;
    return r->new_allowed ||
           tp_scan_fail(&r->scan, pos, "'new' has a meaning under 'on x = new' only");
  }
  const char *text = name(r, "a formula");
  if (!text) return false;
  const uint32_t family = tp_description_family(r->entry, text),
                 field = tp_description_field(r->entry, text);
  const int slot = find(r->fields, r->n_fields, text);
  if (family != UINT32_MAX) {
    const tp_family *f = &r->entry->families.at[family];
    t->kind = TP_TEMPLATE_FAMILY;
    t->family = (uint8_t)family;
    *arity = f->arity;
    return read_prime(r, t) && read_arguments(r, f, t->argument);
  }
  for (uint32_t i = 0; i < r->entry->orders.n; i++)
    if (strcmp(r->entry->orders.at[i], text) == 0) {
      t->kind = TP_TEMPLATE_ORDER;
      t->argument[0] = (tp_argument){TP_ARGUMENT_FIELD_NUMBER, (uint8_t)i};
      *arity = 2;
      return read_prime(r, t);
    }
  if (slot < 0 && field == UINT32_MAX) return fail_unknown(r, pos, text);
  t->kind = TP_TEMPLATE_FIELD;
  t->argument[0] = slot >= 0 ? (tp_argument){TP_ARGUMENT_FIELD, (uint8_t)slot}
                             : (tp_argument){TP_ARGUMENT_FIELD_NUMBER, (uint8_t)field};
  *arity = 2;
  return read_prime(r, t);
}

static const tp_template *read_atom(reader *r) {
  tp_template t = {0};
  const tp_pos pos = r->scan.pos;
  uint8_t arity;
  if (!read_predicate(r, &t, &arity)) return NULL;
  const bool closes = tp_scan_is(&r->scan, "*") || tp_scan_is(&r->scan, "+"),
             is_reflexive = tp_scan_is(&r->scan, "*");
  if (closes) {
    if (arity != 2)
      return tp_scan_fail(&r->scan, r->scan.pos, "only predicates of two cells have paths"), NULL;
    next(r);
  }
  uint8_t a, b = 0;
  if (!take(r, "(") || !use_variable(r, &a)) return NULL;
  if (arity == 2 && (!take(r, ",") || !use_variable(r, &b))) return NULL;
  if (!take(r, ")")) return NULL;
  if (!closes) {
    t.a = a;
    t.b = b;
    return make(r, t);
  }
  t.a = r->next_var++;
  t.b = r->next_var++;
  if (r->next_var > 200) return tp_scan_fail(&r->scan, pos, "this formula is too long"), NULL;
  return make(r, (tp_template){.kind = TP_TEMPLATE_PATH,
                               .is_reflexive = is_reflexive,
                               .a = a,
                               .b = b,
                               .from = t.a,
                               .to = t.b,
                               .kid = {make(r, t)}});
}

static const tp_template *read_equality(reader *r) {
  tp_template t = {.kind = TP_TEMPLATE_EQUAL};
  if (!use_variable(r, &t.a)) return NULL;
  const bool is_negated = tp_scan_is(&r->scan, "!=");
  if (!accept(r, "=") && !accept(r, "!=")) return tp_scan_expected(&r->scan, "'=' or '!='"), NULL;
  if (!use_variable(r, &t.b)) return NULL;
  return is_negated ? negate(r, make(r, t)) : make(r, t);
}

static bool is_variable(const reader *r) {
  for (uint32_t i = 0; i < r->n_vars; i++)
    if (tp_scan_is(&r->scan, r->vars[i].name)) return true;
  return false;
}

/* The largest number of a variable. */
static uint8_t last_variable(const tp_template *t) {
  uint8_t out = t->a > t->b ? t->a : t->b;
  if (t->from > out) out = t->from;
  if (t->to > out) out = t->to;
  for (uint32_t k = 0; k < 3; k++) {
    const uint8_t last = t->kid[k] ? last_variable(t->kid[k]) : 0;
    if (last > out) out = last;
  }
  return out;
}

/* f's definition of the heap after the operation, with the arguments that the update's head gives;
 * its bound variables get numbers from `shift`. */
static const tp_template *after(reader *r, const tp_template *t, const tp_family *f,
                                const tp_argument *given, uint8_t shift) {
  tp_template out = *t;
  out.is_primed = t->kind == TP_TEMPLATE_POINTS || t->kind == TP_TEMPLATE_FREED ||
                  t->kind == TP_TEMPLATE_FIELD || t->kind == TP_TEMPLATE_ORDER ||
                  t->kind == TP_TEMPLATE_FAMILY;
  for (uint32_t i = 0; i < TP_SHAPE_MAX_ARGUMENTS; i++)
    for (uint32_t k = 0; k < f->n_arguments; k++)
      if (t->argument[i].kind == f->argument[k] && t->argument[i].index == f->slot[k]) {
        out.argument[i] = given[k];
        break;
      }
  uint8_t *const variables[] = {&out.a, &out.b, &out.from, &out.to};
  for (uint32_t i = 0; i < 4; i++)
    if (*variables[i] >= f->arity) *variables[i] = (uint8_t)(*variables[i] + shift);
  for (uint32_t k = 0; k < 3; k++)
    if (t->kid[k]) out.kid[k] = after(r, t->kid[k], f, given, shift);
  return make(r, out);
}

/* "recompute" is behind us. */
static const tp_template *read_recompute(reader *r) {
  if (!r->update)
    return tp_scan_fail(&r->scan, r->scan.pos, "'recompute' stands in updates only"), NULL;
  const tp_family *f = &r->entry->families.at[r->update->family];
  const uint32_t shift = r->next_var, last = shift + last_variable(f->definition);
  if (last > 200) return tp_scan_fail(&r->scan, r->scan.pos, "this formula is too long"), NULL;
  r->next_var = (uint8_t)(last + 1);
  return after(r, f->definition, f, r->update->argument, (uint8_t)shift);
}

static const tp_template *read_operand(reader *r) {
  if (accept(r, "!")) return negate(r, read_unary(r));
  if (accept(r, "exists")) return read_quantifier(r, TP_TEMPLATE_EXISTS);
  if (accept(r, "forall")) return read_quantifier(r, TP_TEMPLATE_FORALL);
  if (accept(r, "path")) return read_path(r);
  if (accept(r, "recompute")) return read_recompute(r);
  if (accept(r, "0"))
    return make(r, (tp_template){.kind = TP_TEMPLATE_VALUE, .value = TP_KLEENE_FALSE});
  if (accept(r, "1"))
    return make(r, (tp_template){.kind = TP_TEMPLATE_VALUE, .value = TP_KLEENE_TRUE});
  if (accept(r, "1/2"))
    return make(r, (tp_template){.kind = TP_TEMPLATE_VALUE, .value = TP_KLEENE_HALF});
  if (accept(r, "(")) {
    const tp_template *f = read_formula(r);
    return f && take(r, ")") ? f : NULL;
  }
  return is_variable(r) ? read_equality(r) : read_atom(r);
}

/* All recursion of the parser passes through this function. */
static const tp_template *read_unary(reader *r) {
  if (r->scan.failed) return NULL;
  if (r->depth == TP_SHAPE_FORMULA_LEVELS)
    return tp_scan_fail(&r->scan, r->scan.pos, "this formula is nested too deeply"), NULL;
  r->depth++;
  const tp_template *f = read_operand(r);
  r->depth--;
  return f;
}

static const tp_template *read_and(reader *r) {
  const tp_template *f = read_unary(r);
  while (f && accept(r, "&")) f = make2(r, TP_TEMPLATE_AND, f, read_unary(r));
  return f;
}

static const tp_template *read_or(reader *r) {
  const tp_template *f = read_and(r);
  while (f && accept(r, "|")) f = make2(r, TP_TEMPLATE_OR, f, read_and(r));
  return f;
}

static const tp_template *read_implies(reader *r) {
  const tp_template *f = read_or(r);
  if (!f || !accept(r, "->")) return f;
  r->depth++;  // to the right
  const tp_template *g =
      r->depth < TP_SHAPE_FORMULA_LEVELS
          ? read_implies(r)
          : (tp_scan_fail(&r->scan, r->scan.pos, "this formula is nested too deeply"), NULL);
  r->depth--;
  return make2(r, TP_TEMPLATE_OR, negate(r, f), g);
}

static const tp_template *choose(reader *r, const tp_template *c, const tp_template *a,
                                 const tp_template *b) {
  return c && a && b ? make(r, (tp_template){.kind = TP_TEMPLATE_CHOOSE, .kid = {c, a, b}}) : NULL;
}

/* A branch of a choice: the parser recurses without an operand between. */
static const tp_template *read_branch(reader *r) {
  if (r->depth == TP_SHAPE_FORMULA_LEVELS)
    return tp_scan_fail(&r->scan, r->scan.pos, "this formula is nested too deeply"), NULL;
  r->depth++;
  const tp_template *f = read_formula(r);
  r->depth--;
  return f;
}

static const tp_template *read_formula(reader *r) {
  const tp_template *f = read_implies(r);
  while (f && accept(r, "<->")) {
    const tp_template *g = read_implies(r);
    f = choose(r, f, g, negate(r, g));
  }
  if (!f || !accept(r, "?")) return f;
  const tp_template *a = read_branch(r), *b = a && take(r, ":") ? read_branch(r) : NULL;
  return choose(r, f, a, b);
}

// --------------------------------------------------------------------- sections

static void read_fields(reader *r) {
  do {
    const tp_pos pos = r->scan.pos;
    const char *text = name(r, "the name of a field");
    if (!text) return;
    if (tp_description_field(r->entry, text) != UINT32_MAX)
      tp_scan_fail(&r->scan, pos, "there is a field '%s' already", text);
    if (r->entry->fields.n == TP_SHAPE_MAX_FIELDS)
      tp_scan_fail(&r->scan, pos, "at most %d fields", TP_SHAPE_MAX_FIELDS);
    tp_vec_push(&r->entry->fields, text);
  } while (accept(r, ","));
}

/* "default" is accepted: parts of field names, in lower case. */
static void read_default(reader *r) {
  r->entry->is_default = true;
  if (!accept(r, "for")) return;
  do {
    const char *text = name(r, "a part of a field's name");
    if (text) tp_vec_push(&r->entry->default_for, text);
  } while (accept(r, ","));
}

/* Has the name a meaning in this structure? */
static bool is_known(const tp_description *entry, const char *text) {
  for (uint32_t i = 0; i < entry->orders.n; i++)
    if (strcmp(entry->orders.at[i], text) == 0) return true;
  return tp_description_family(entry, text) != UINT32_MAX ||
         tp_description_field(entry, text) != UINT32_MAX;
}

static void read_order(reader *r) {
  const tp_pos pos = r->scan.pos;
  const char *text = name(r, "the name of the order");
  if (!text) return;
  if (is_known(r->entry, text)) tp_scan_fail(&r->scan, pos, "'%s' has a meaning already", text);
  if (r->entry->orders.n == TP_SHAPE_MAX_ORDERS)
    tp_scan_fail(&r->scan, pos, "at most %d orders", TP_SHAPE_MAX_ORDERS);
  tp_vec_push(&r->entry->orders, text);
}

static void read_refines(reader *r) {
  r->entry->refines_pos = r->scan.pos;
  r->entry->refines = name(r, "the name of a structure");
  if (!accept(r, "with")) return;
  do {
    name(r, "a field of the other structure");
    if (!take(r, "=")) return;
    const tp_pos pos = r->scan.pos;
    const char *text = name(r, "a field");
    const uint32_t field = text ? tp_description_field(r->entry, text) : UINT32_MAX;
    if (text && field == UINT32_MAX)
      tp_scan_fail(&r->scan, pos, "'%s' is not a field of this structure", text);
    tp_vec_push(&r->entry->refines_fields, (uint8_t)field);
  } while (accept(r, ","));
}

static void read_family(reader *r, bool is_abstraction) {
  tp_family f = {.pos = r->scan.pos, .is_abstraction = is_abstraction};
  open_scope(r);
  f.name = name(r, "the name of the predicate");
  if (!f.name) return;
  if (is_known(r->entry, f.name))
    tp_scan_fail(&r->scan, f.pos, "'%s' has a meaning already", f.name);
  if (r->entry->families.n == TP_SHAPE_MAX_FAMILIES)
    tp_scan_fail(&r->scan, f.pos, "at most %d predicates", TP_SHAPE_MAX_FAMILIES);
  if (!read_parameters(r, f.argument, f.slot, &f.n_arguments) || !read_head(r, &f.arity) ||
      !take(r, "="))
    return;
  if (is_abstraction && f.arity != 1)
    tp_scan_fail(&r->scan, f.pos, "abstraction predicates are about one cell");
  f.definition = read_formula(r);
  if (f.definition) tp_vec_push(&r->entry->families, f);
}

typedef struct {
  tp_heap_kind kind;
  uint8_t fields;          // bits
  const char *field_name;  // slot 0: how the updates below call it
} operation;

static bool read_operation_field(reader *r, operation *op) {
  const char *text = name(r, "a field");
  if (!text) return false;
  const uint32_t number = tp_description_field(r->entry, text);
  op->field_name = text;
  op->fields = (uint8_t)(number != UINT32_MAX ? 1u << number : UINT8_MAX);
  return true;
}

/* "for" and fields, if they are there. */
static bool read_which_fields(reader *r, operation *op) {
  if (!accept(r, "for")) return !r->scan.failed;
  op->fields = 0;
  do {
    const tp_pos pos = r->scan.pos;
    const char *text = name(r, "a field");
    const uint32_t number = text ? tp_description_field(r->entry, text) : UINT32_MAX;
    if (text && number == UINT32_MAX)
      tp_scan_fail(&r->scan, pos, "'%s' is not a field of this structure", text);
    if (r->scan.failed) return false;
    op->fields = (uint8_t)(op->fields | 1u << number);
  } while (accept(r, ","));
  return true;
}

static bool read_operation(reader *r, operation *op) {
  *op = (operation){0};
  if (tp_scan_is(&r->scan, "free") || tp_scan_is(&r->scan, "set")) {
    op->kind = tp_scan_is(&r->scan, "free") ? TP_HEAP_FREE : TP_HEAP_SET;
    next(r);
    return take(r, "x");
  }
  if (!take(r, "x")) return false;
  if (accept(r, "->")) {
    if (!read_operation_field(r, op) || !take(r, "=")) return false;
    op->kind = tp_scan_is(&r->scan, "nil") ? TP_HEAP_CLEAR : TP_HEAP_STORE;
    if (!accept(r, "nil") && !accept(r, "y")) return tp_scan_expected(&r->scan, "'nil' or 'y'");
    return read_which_fields(r, op);
  }
  if (!take(r, "=")) return false;
  op->kind = tp_scan_is(&r->scan, "nil")   ? TP_HEAP_NIL
             : tp_scan_is(&r->scan, "new") ? TP_HEAP_NEW
                                           : TP_HEAP_COPY;
  if (accept(r, "nil") || accept(r, "new")) return true;
  if (!accept(r, "y")) return tp_scan_expected(&r->scan, "'nil', 'new' or 'y'");
  if (!accept(r, "->")) return true;
  op->kind = TP_HEAP_LOAD;
  return read_operation_field(r, op) && read_which_fields(r, op);
}

static bool has_y(tp_heap_kind kind) {
  return kind == TP_HEAP_COPY || kind == TP_HEAP_LOAD || kind == TP_HEAP_STORE;
}

static void read_update(reader *r, const operation *op) {
  tp_update u = {.pos = r->scan.pos, .kind = op->kind, .fields = op->fields};
  open_scope(r);
  bind(r, r->pointers, &r->n_pointers, TP_SHAPE_MAX_SLOTS, "x", TP_SLOT_X);
  if (has_y(op->kind)) bind(r, r->pointers, &r->n_pointers, TP_SHAPE_MAX_SLOTS, "y", TP_SLOT_Y);
  if (op->field_name)
    bind(r, r->fields, &r->n_fields, TP_SHAPE_MAX_SLOTS, op->field_name, TP_SLOT_FIELD);
  const char *text = name(r, "a predicate, or the next section");
  if (!text) return;
  const uint32_t family = tp_description_family(r->entry, text);
  if (family == UINT32_MAX) {
    tp_scan_fail(&r->scan, u.pos, "'%s' is not a predicate of this structure", text);
    return;
  }
  const tp_family *f = &r->entry->families.at[family];
  u.family = (uint8_t)family;
  r->takes_names = true;
  uint8_t arity;
  if (!read_arguments(r, f, u.argument)) return;
  r->takes_names = false;
  if (!read_head(r, &arity)) return;
  if (arity != f->arity) {
    tp_scan_fail(&r->scan, u.pos, "'%s' is about %s", f->name,
                 f->arity == 1 ? "one cell" : "two cells");
    return;
  }
  if (!take(r, ":=")) return;
  r->primes_allowed = true;
  r->new_allowed = op->kind == TP_HEAP_NEW;
  r->n_families = family;
  r->update = &u;
  u.formula = read_formula(r);
  r->update = NULL;
  if (u.formula) tp_vec_push(&r->entry->updates, u);
}

static void read_on(reader *r) {
  operation op;
  if (!read_operation(r, &op)) return;
  do read_update(r, &op);
  while (!r->scan.failed && r->kind != T_END && !starts_section(r));
}

static void read_constraint(reader *r) {
  tp_constraint c = {.pos = r->scan.pos};
  open_scope(r);
  tp_argument_kind kinds[TP_SHAPE_MAX_ARGUMENTS];
  uint8_t slots[TP_SHAPE_MAX_ARGUMENTS], n;
  if (!read_parameters(r, kinds, slots, &n)) return;
  for (uint8_t i = 0; i < n; i++)
    *(kinds[i] == TP_ARGUMENT_POINTER ? &c.n_pointers : &c.n_fields) += 1;
  if (!read_head(r, &c.n_variables)) return;
  c.body = read_formula(r);
  if (!c.body || !take(r, "=>")) return;
  c.head = read_formula(r);
  if (c.head) tp_vec_push(&r->entry->constraints, c);
}

static void read_invariant(reader *r) {
  open_scope(r);
  const tp_template *f = read_formula(r);
  if (f) tp_vec_push(&r->entry->invariants, f);
}

static void read_section(reader *r) {
  if (accept(r, "fields"))
    read_fields(r);
  else if (accept(r, "default"))
    read_default(r);
  else if (accept(r, "order"))
    read_order(r);
  else if (accept(r, "refines"))
    read_refines(r);
  else if (accept(r, "predicate"))
    read_family(r, false);
  else if (accept(r, "abstraction")) {
    if (take(r, "predicate")) read_family(r, true);
  } else if (accept(r, "on"))
    read_on(r);
  else if (accept(r, "constraint"))
    read_constraint(r);
  else if (accept(r, "invariant"))
    read_invariant(r);
  else
    tp_scan_expected(&r->scan,
                     "'fields', 'default', 'order', 'refines', 'predicate', 'abstraction', 'on', "
                     "'constraint' or 'invariant'");
}

tp_status tp_description_read(tp_description *entry, const char *path, tp_diag *diag) {
  tp_str text = {0};
  TP_TRY(tp_read_file(path, &text));
  reader r = {.entry = entry, .scan = tp_scan_start(diag, "structure", path, tp_str_text(&text))};
  next(&r);
  if (take(&r, "structure")) {
    entry->pos = r.scan.pos;
    entry->name = name(&r, "the name of the structure");
  }
  while (!r.scan.failed && r.kind != T_END) read_section(&r);
  if (!r.scan.failed && strlen(tp_str_text(&text)) != text.n)
    tp_scan_fail(&r.scan, r.scan.pos, "this file is no text: it has a byte 0");
  if (!r.scan.failed && entry->fields.n == 0)
    tp_scan_fail(&r.scan, entry->pos, "a structure has fields: 'fields next'");
  TP_INVARIANT(r.scan.failed || (entry->name && entry->fields.n > 0));
  tp_str_clear(&text);
  return r.scan.failed ? TP_ERR_INPUT : TP_OK;
}
