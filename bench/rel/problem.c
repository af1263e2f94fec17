/* From text to a tree of lists and words, from the tree to logic. What a list means depends on what
 * is wanted of it, a relation, an integer or a formula, so there is a table of operators for each.
 */
#include "problem.h"

#include "diag/scan.h"
#include "contracts/contracts_limits.h"
#include "contracts/rel/rel_eval.h"

#include <errno.h>
#include <stdlib.h>

enum { MAX_NESTING = 200, MAX_ATOMS = 1000, MAX_TUPLES = 1 << 25, ANY = INT32_MAX };

typedef struct node node;
struct node {
  tp_pos pos;
  const char *word;  // NULL: a list
  TP_VEC(node *) kids;
};

typedef struct {
  const char *name;
  tp_rel_expr expr;
  bool is_fixed;  // lower and upper bound are the same
} relation;

typedef struct {
  const char *name;
  tp_rel_var var;
} binding;

typedef struct {
  tp_rel_problem *p;
  tp_scan scan;
  tp_arena arena;
  TP_VEC(node *) nodes;  // to be cleared
  TP_VEC(relation) relations;
  TP_VEC(binding) scope;  // variables, inner ones last
  bool in_bounds;         // of a relation: what is read must have a value already
} reader;

static bool fail(reader *r, const node *n, const char *what) {
  return tp_scan_fail(&r->scan, n->pos, "%s", what);
}

// ------------------------------------------------------------------------ trees

static void next(reader *r) {
  tp_scan *s = &r->scan;
  if (!tp_scan_token(s)) return;
  s->n = *s->at == '(' || *s->at == ')' ? 1 : strcspn(s->at, " \t\r\n()#");
  tp_scan_past(s);
}

static node *read_node(reader *r, uint32_t depth) {
  tp_scan *s = &r->scan;
  node *n = tp_arena_new(&r->arena, node);
  n->pos = s->pos;
  tp_vec_push(&r->nodes, n);
  if (!*s->text || tp_scan_is(s, ")")) return tp_scan_expected(s, "a word or a list"), NULL;
  if (!tp_scan_is(s, "(")) {
    n->word = tp_arena_strndup(&r->arena, s->text, s->n);
    next(r);
    return n;
  }
  if (depth == MAX_NESTING)
    return tp_scan_fail(s, n->pos, "lists are nested deeper than %d levels", MAX_NESTING), NULL;
  next(r);
  while (!s->failed && *s->text && !tp_scan_is(s, ")"))
    tp_vec_push(&n->kids, read_node(r, depth + 1));
  if (s->failed) return NULL;
  if (!*s->text) return tp_scan_fail(s, n->pos, "this list has no end"), NULL;
  next(r);
  return n;
}

static bool is_word(const node *n, const char *word) {
  return n->word && strcmp(n->word, word) == 0;
}

/* The first word of a list, "" if there is none. */
static const char *head(const node *n) {
  return !n->word && n->kids.n && n->kids.at[0]->word ? n->kids.at[0]->word : "";
}

static bool has_arguments(reader *r, const node *n, size_t least, size_t most) {
  const size_t have = n->kids.n - 1;
  if (have >= least && have <= most) return true;
  return tp_scan_fail(&r->scan, n->pos, "'%s' wants %s%zu argument%s, not %zu", head(n),
                      most > least ? "at least " : "", least, least == 1 ? "" : "s", have);
}

static bool read_number(reader *r, const node *n, int64_t least, int64_t most, int64_t *out) {
  char *end = NULL;
  errno = 0;
  *out = n->word ? strtoll(n->word, &end, 10) : 0;
  if (n->word && !*end && errno == 0 && *out >= least && *out <= most) return true;
  return tp_scan_fail(&r->scan, n->pos, "expected a number from %lld to %lld", (long long)least,
                      (long long)most);
}

// ------------------------------------------------------------------------ names

static bool find_atom(const tp_rel_universe *u, const char *name, uint32_t *atom) {
  for (*atom = 0; *atom < tp_rel_n_atoms(u); ++*atom)
    if (strcmp(tp_rel_atom_name(u, *atom), name) == 0) return true;
  return false;
}

/* A relation with its bounds, which are right; the name stays in the arena. */
static const relation *declare(reader *r, const char *name, tp_rel_expr e,
                               const tp_rel_tuples *lower, const tp_rel_tuples *upper) {
  const tp_status bound = tp_rel_bound(r->p->bounds, e, lower, upper);
  TP_INVARIANT(bound == TP_OK);
  (void)bound;
  tp_vec_push(&r->relations, (relation){name, e, tp_rel_tuples_equal(lower, upper)});
  return &tp_vec_last(&r->relations);
}

/* A relation that was declared, or an atom, which becomes one when it is first named. */
static const relation *find_relation(reader *r, const char *name) {
  uint32_t atom;
  for (size_t i = 0; i < r->relations.n; i++)
    if (strcmp(r->relations.at[i].name, name) == 0) return &r->relations.at[i];
  if (!find_atom(r->p->universe, name, &atom)) return NULL;
  tp_rel_tuples value = {0};
  tp_rel_tuples_add(&value, tp_rel_tuple(r->p->universe, &atom, 1));
  const relation *made = declare(r, name, tp_rel_relation(r->p->logic, name, 1), &value, &value);
  tp_rel_tuples_clear(&value);
  return made;
}

static tp_rel_expr read_name(reader *r, const node *n) {
  tp_rel *l = r->p->logic;
  for (size_t i = r->scope.n; i-- > 0;)
    if (is_word(n, r->scope.at[i].name)) return tp_rel_use(l, r->scope.at[i].var);
  const relation *known = find_relation(r, n->word);
  if (known && r->in_bounds && !known->is_fixed)
    return fail(r, n, "bounds are made of what has a fixed value"), (tp_rel_expr){0};
  if (known) return known->expr;
  if (is_word(n, "univ")) return tp_rel_univ(l);
  if (is_word(n, "iden")) return tp_rel_iden(l);
  if (is_word(n, "ints")) return tp_rel_ints(l);
  if (is_word(n, "none")) return tp_rel_none(l, 1);
  return tp_scan_fail(&r->scan, n->pos, "nothing is called '%s' here", n->word), (tp_rel_expr){0};
}

// -------------------------------------------------------------------- operators

typedef struct {
  const char *name;
  tp_rel_kind kind;
  uint32_t least, most;  // arguments
} operator;

static const operator* find_operator(const operator* table, size_t n, const char *name) {
  for (size_t i = 0; i < n; i++)
    if (strcmp(table[i].name, name) == 0) return &table[i];
  return NULL;
}
#define FIND(table, name) find_operator(table, sizeof table / sizeof *table, name)

static tp_rel_expr read_expr(reader *r, const node *n);
static tp_rel_int read_int(reader *r, const node *n);
static tp_rel_formula read_formula(reader *r, const node *n);

/* ((x A) (y B) ...): each set may use the variables before it, which stay in scope; the caller
 * takes them out. */
static bool read_decls(reader *r, const node *list, tp_rel_decl *decls, uint32_t *n) {
  if (list->word || !list->kids.n || list->kids.n > TP_CONTRACTS_QUANTIFIED)
    return tp_scan_fail(&r->scan, list->pos,
                        "expected 1 to %d variables with their sets, as in ((x A) (y B))",
                        TP_CONTRACTS_QUANTIFIED);
  for (size_t i = 0; i < list->kids.n; i++) {
    const node *d = list->kids.at[i];
    if (d->word || d->kids.n != 2 || !d->kids.at[0]->word)
      return fail(r, d, "expected a variable and its set, as in (x A)");
    const tp_rel_expr in = read_expr(r, d->kids.at[1]);
    const char *name = d->kids.at[0]->word;
    decls[i] = (tp_rel_decl){tp_rel_variable(r->p->logic, name, 1), in};
    tp_vec_push(&r->scope, (binding){name, decls[i].var});
  }
  *n = (uint32_t)list->kids.n;
  return !r->scan.failed;
}

/* Bounds are computed tuple by tuple. */
static bool is_small(reader *r, const node *n, tp_rel_expr e) {
  const uint64_t possible =
      r->in_bounds ? tp_rel_n_tuples(r->p->universe, tp_rel_at(r->p->logic, e.id)->arity) : 1;
  return (possible != 0 && possible <= MAX_TUPLES) ||
         fail(r, n, "too many columns for so many atoms");
}

/* What does not fit together is said where it stands. */
static bool fits(reader *r, const node *n) {
  const char *wrong = tp_rel_error(r->p->logic);
  return !r->scan.failed && (!wrong || fail(r, n, wrong));
}

static tp_rel_expr expr_of(reader *r, const node *n, const operator* op) {
  tp_rel *l = r->p->logic;
  const node *const *kids = (const node *const *)n->kids.at;
  tp_rel_decl decls[TP_CONTRACTS_QUANTIFIED];
  uint32_t n_decls;
  switch ((int)op->kind) {
    case TP_REL_TRANSPOSE:
    case TP_REL_CLOSURE:
    case TP_REL_REFLEXIVE: return tp_rel_unary(l, op->kind, read_expr(r, kids[1]));
    case TP_REL_ATOM_OF: return tp_rel_atom_of(l, read_int(r, kids[1]));
    case TP_REL_IF: {
      const tp_rel_formula c = read_formula(r, kids[1]);
      const tp_rel_expr a = read_expr(r, kids[2]);
      return tp_rel_if(l, c, a, read_expr(r, kids[3]));
    }
    case TP_REL_COMPREHENSION: {
      if (!read_decls(r, kids[1], decls, &n_decls)) return (tp_rel_expr){0};
      return tp_rel_comprehension(l, decls, n_decls, read_formula(r, kids[2]));
    }
    default: break;
  }
  tp_rel_expr all = read_expr(r, kids[1]);
  for (size_t i = 2; i < n->kids.n; i++)
    all = tp_rel_binary(l, op->kind, all, read_expr(r, kids[i]));
  return all;
}

static tp_rel_expr read_expr(reader *r, const node *n) {
  static const operator table[] = {
    {"+", TP_REL_UNION, 1, ANY},
    {"&", TP_REL_INTERSECTION, 1, ANY},
    {"-", TP_REL_DIFFERENCE, 2, 2},
    {".", TP_REL_JOIN, 2, ANY},
    {"->", TP_REL_PRODUCT, 1, ANY},
    {"++", TP_REL_OVERRIDE, 2, ANY},
    {"<:", TP_REL_DOMAIN, 2, 2},
    {":>", TP_REL_RANGE, 2, 2},
    {"~", TP_REL_TRANSPOSE, 1, 1},
    {"^", TP_REL_CLOSURE, 1, 1},
    {"*", TP_REL_REFLEXIVE, 1, 1},
    {"if", TP_REL_IF, 3, 3},
    {"set", TP_REL_COMPREHENSION, 2, 2},
    {"atom", TP_REL_ATOM_OF, 1, 1}
  };
  if (r->scan.failed) return (tp_rel_expr){0};
  if (n->word) return read_name(r, n);
  const operator* op = FIND(table, head(n));
  if (!op)
    return tp_scan_fail(&r->scan, n->pos, "expected a relation; '%s' is none of its operators",
                        head(n)),
           (tp_rel_expr){0};
  if (!has_arguments(r, n, op->least, op->most)) return (tp_rel_expr){0};
  const size_t outside = r->scope.n;
  const tp_rel_expr e = expr_of(r, n, op);
  r->scope.n = outside;
  return fits(r, n) && is_small(r, n, e) ? e : (tp_rel_expr){0};
}

static tp_rel_int int_of(reader *r, const node *n, const operator* op) {
  tp_rel *l = r->p->logic;
  const node *const *kids = (const node *const *)n->kids.at;
  tp_rel_decl decls[TP_CONTRACTS_QUANTIFIED];
  uint32_t n_decls;
  switch ((int)op->kind) {
    case TP_REL_CARDINALITY: return tp_rel_cardinality(l, read_expr(r, kids[1]));
    case TP_REL_TOTAL: return tp_rel_total(l, read_expr(r, kids[1]));
    case TP_REL_NEGATIVE: return tp_rel_negative(l, read_int(r, kids[1]));
    case TP_REL_INT_IF: {
      const tp_rel_formula c = read_formula(r, kids[1]);
      const tp_rel_int a = read_int(r, kids[2]);
      return tp_rel_int_if(l, c, a, read_int(r, kids[3]));
    }
    case TP_REL_SUM:
      if (!read_decls(r, kids[1], decls, &n_decls)) return (tp_rel_int){0};
      return tp_rel_sum(l, decls, n_decls, read_int(r, kids[2]));
    default: break;
  }
  tp_rel_int all = read_int(r, kids[1]);
  for (size_t i = 2; i < n->kids.n; i++)
    all = tp_rel_arithmetic(l, op->kind, all, read_int(r, kids[i]));
  return all;
}

static tp_rel_int read_int(reader *r, const node *n) {
  static const operator table[] = {
    {"size", TP_REL_CARDINALITY, 1, 1},
    {"total", TP_REL_TOTAL, 1, 1},
    {"plus", TP_REL_PLUS, 2, ANY},
    {"minus", TP_REL_MINUS, 2, 2},
    {"times", TP_REL_TIMES, 2, ANY},
    {"quotient", TP_REL_QUOTIENT, 2, 2},
    {"remainder", TP_REL_REMAINDER, 2, 2},
    {"negative", TP_REL_NEGATIVE, 1, 1},
    {"sum", TP_REL_SUM, 2, 2},
    {"if", TP_REL_INT_IF, 3, 3}
  };
  int64_t value;
  if (r->scan.failed) return (tp_rel_int){0};
  if (n->word)
    return read_number(r, n, INT32_MIN, INT32_MAX, &value) ? tp_rel_constant(r->p->logic, value)
                                                           : (tp_rel_int){0};
  const operator* op = FIND(table, head(n));
  if (!op)
    return tp_scan_fail(&r->scan, n->pos, "expected an integer; '%s' is none of its operators",
                        head(n)),
           (tp_rel_int){0};
  if (!has_arguments(r, n, op->least, op->most)) return (tp_rel_int){0};
  const size_t outside = r->scope.n;
  const tp_rel_int i = int_of(r, n, op);
  r->scope.n = outside;
  return fits(r, n) ? i : (tp_rel_int){0};
}

typedef enum {
  KIND,
  IMPLIES,
  EQUIVALENT,
  FUNCTION,
  PARTIAL,
  ORDER
} form;  // of formulas: one of the kinds, or made of several

static tp_rel_formula quantified(reader *r, const node *n, tp_rel_quantifier q) {
  tp_rel_decl decls[TP_CONTRACTS_QUANTIFIED];
  uint32_t n_decls;
  if (!read_decls(r, n->kids.at[1], decls, &n_decls)) return (tp_rel_formula){0};
  return tp_rel_quantify(r->p->logic, q, decls, n_decls, read_formula(r, n->kids.at[2]));
}

static tp_rel_formula formula_of_kind(reader *r, const node *n, tp_rel_kind kind) {
  tp_rel *l = r->p->logic;
  const node *const *kids = (const node *const *)n->kids.at;
  switch ((int)kind) {
    case TP_REL_NOT: return tp_rel_not(l, read_formula(r, kids[1]));
    case TP_REL_ALL_OF: return quantified(r, n, TP_REL_FOR_ALL);
    case TP_REL_SOME_OF: return quantified(r, n, TP_REL_FOR_SOME);
    case TP_REL_SOME:
    case TP_REL_NO:
    case TP_REL_ONE:
    case TP_REL_LONE: return tp_rel_multiplicity(l, kind, read_expr(r, kids[1]));
    case TP_REL_IN:
    case TP_REL_EQUAL: {
      const tp_rel_expr a = read_expr(r, kids[1]);
      return tp_rel_compare(l, kind, a, read_expr(r, kids[2]));
    }
    case TP_REL_INT_EQUAL:
    case TP_REL_LESS:
    case TP_REL_AT_MOST: {
      const tp_rel_int a = read_int(r, kids[1]);
      return tp_rel_compare_ints(l, kind, a, read_int(r, kids[2]));
    }
    default: break;
  }
  tp_rel_formula all = tp_rel_bool(l, kind == TP_REL_AND);
  for (size_t i = 1; i < n->kids.n; i++)
    all = (kind == TP_REL_AND ? tp_rel_and : tp_rel_or)(l, all, read_formula(r, kids[i]));
  return all;
}

static tp_rel_formula formula_of_form(reader *r, const node *n, form f) {
  tp_rel *l = r->p->logic;
  const node *const *kids = (const node *const *)n->kids.at;
  if (f == IMPLIES || f == EQUIVALENT) {
    const tp_rel_formula a = read_formula(r, kids[1]);
    return (f == IMPLIES ? tp_rel_implies : tp_rel_iff)(l, a, read_formula(r, kids[2]));
  }
  const tp_rel_expr a = read_expr(r, kids[1]), b = read_expr(r, kids[2]);
  if (f == ORDER) return tp_rel_total_order(l, a, b);
  return tp_rel_functional(l, f == PARTIAL ? TP_REL_PARTIAL : TP_REL_TOTAL_FUNCTION, a, b,
                           read_expr(r, kids[3]));
}

static tp_rel_formula read_formula(reader *r, const node *n) {
  static const operator kinds[] = {
    {"not", TP_REL_NOT, 1, 1},
    {"and", TP_REL_AND, 0, ANY},
    {"or", TP_REL_OR, 0, ANY},
    {"in", TP_REL_IN, 2, 2},
    {"=", TP_REL_EQUAL, 2, 2},
    {"some", TP_REL_SOME, 1, 1},
    {"no", TP_REL_NO, 1, 1},
    {"one", TP_REL_ONE, 1, 1},
    {"lone", TP_REL_LONE, 1, 1},
    {"all", TP_REL_ALL_OF, 2, 2},
    {"exists", TP_REL_SOME_OF, 2, 2},
    {"equal", TP_REL_INT_EQUAL, 2, 2},
    {"<", TP_REL_LESS, 2, 2},
    {"<=", TP_REL_AT_MOST, 2, 2}
  };
  static const struct {
    operator op;
    form form;
  } forms[] = {{{"=>", TP_REL_OR, 2, 2}, IMPLIES},
               {{"<=>", TP_REL_IFF, 2, 2}, EQUIVALENT},
               {{"function", TP_REL_AND, 3, 3}, FUNCTION},
               {{"partial", TP_REL_AND, 3, 3}, PARTIAL},
               {{"order", TP_REL_AND, 2, 2}, ORDER}};
  const tp_rel_formula none = {0};
  if (r->scan.failed) return none;
  if (n->word && (is_word(n, "true") || is_word(n, "false")))
    return tp_rel_bool(r->p->logic, is_word(n, "true"));
  const operator* op = FIND(kinds, head(n));
  form f = KIND;
  for (size_t i = 0; !op && i < sizeof forms / sizeof *forms; i++)
    if (strcmp(forms[i].op.name, head(n)) == 0) op = &forms[i].op, f = forms[i].form;
  if (!op)
    return tp_scan_fail(&r->scan, n->pos, "expected a formula; '%s' is none of its operators",
                        n->word ? n->word : head(n)),
           none;
  if (!has_arguments(r, n, op->least, op->most)) return none;
  const size_t outside = r->scope.n;
  const tp_rel_formula all = f == KIND ? formula_of_kind(r, n, op->kind) : formula_of_form(r, n, f);
  r->scope.n = outside;
  return fits(r, n) ? all : none;
}

// ------------------------------------------------------------------------- items

static bool read_atoms(reader *r, const node *n) {
  int64_t count;
  if (r->p->bounds) return fail(r, n, "atoms come before everything else");
  if (!has_arguments(r, n, 2, 2) || !n->kids.at[1]->word)
    return fail(r, n, "expected a name and a number, as in (atoms Node 3)");
  if (!read_number(r, n->kids.at[2], 1, MAX_ATOMS - (int64_t)tp_rel_n_atoms(r->p->universe),
                   &count))
    return false;
  for (int64_t i = 0; i < count; i++) {
    const char *name = tp_arena_printf(&r->arena, "%s%lld", n->kids.at[1]->word, (long long)i);
    uint32_t atom;
    if (find_atom(r->p->universe, name, &atom)) return fail(r, n, "there are atoms of this name");
    tp_rel_atom(r->p->universe, name);
  }
  return true;
}

static bool read_integers(reader *r, const node *n) {
  int64_t width;
  if (r->p->bounds) return fail(r, n, "integers come before everything but atoms");
  if (!has_arguments(r, n, 1, 2) ||
      !read_number(r, n->kids.at[1], 1, n->kids.n == 3 ? 8 : TP_REL_MAX_WIDTH, &width))
    return false;
  if (n->kids.n == 3 && !is_word(n->kids.at[2], "atoms"))
    return fail(r, n->kids.at[2], "expected 'atoms'");
  r->p->width_bits = (uint32_t)width;
  if (n->kids.n == 3) tp_rel_int_atoms(r->p->universe, (uint32_t)width);
  return true;
}

/* The value of an expression over relations of fixed value. */
static bool value_of(reader *r, const node *n, tp_rel_expr e, tp_rel_tuples *out) {
  tp_rel_instance values;
  tp_rel_instance_init(&values, tp_rel_n_relations(r->p->logic));
  for (size_t i = 0; i < r->relations.n; i++) {
    const uint32_t number = tp_rel_relation_number(r->p->logic, r->relations.at[i].expr);
    tp_rel_tuples_copy(&values.of[number], tp_rel_lower(r->p->bounds, number));
  }
  tp_rel_eval *eval = tp_rel_eval_new(r->p->bounds, &values, r->p->width_bits);
  const bool has_value = tp_rel_eval_expr(eval, e, out);
  tp_rel_eval_free(eval);
  tp_rel_instance_clear(&values);
  return has_value || fail(r, n, "this has no value: an integer leaves its width");
}

static bool read_bound(reader *r, const node *n, uint32_t *arity, tp_rel_tuples *out) {
  r->in_bounds = true;
  const tp_rel_expr e = read_expr(r, n);
  r->in_bounds = false;
  if (r->scan.failed) return false;
  *arity = tp_rel_at(r->p->logic, e.id)->arity;
  return value_of(r, n, e, out);
}

/* (relation NAME [LOWER] UPPER), (exactly NAME VALUE) */
static bool read_relation(reader *r, const node *n, bool is_exact) {
  if (!has_arguments(r, n, 2, is_exact ? 2 : 3)) return false;
  const node *name = n->kids.at[1], *last = n->kids.at[n->kids.n - 1];
  if (!name->word) return fail(r, name, "expected a name");
  if (find_relation(r, name->word)) return fail(r, name, "this name is taken");
  tp_rel_tuples lower = {0}, upper = {0};
  uint32_t arity = 0, lower_arity = 0;
  bool ok = read_bound(r, last, &arity, &upper);
  if (ok && is_exact)
    tp_rel_tuples_copy(&lower, &upper);
  else if (ok && n->kids.n == 4)
    ok = read_bound(r, n->kids.at[2], &lower_arity, &lower);
  if (ok && lower_arity && lower_arity != arity)
    ok = fail(r, n, "both bounds must have as many columns");
  if (ok && !tp_rel_tuples_are_subset(&lower, &upper))
    ok = fail(r, n, "the lower bound is not within the upper one");
  if (ok) declare(r, name->word, tp_rel_relation(r->p->logic, name->word, arity), &lower, &upper);
  tp_rel_tuples_clear(&lower);
  tp_rel_tuples_clear(&upper);
  return ok && fits(r, n);
}

static bool read_expectation(reader *r, const node *n) {
  if (!has_arguments(r, n, 1, 1)) return false;
  if (!is_word(n->kids.at[1], "some") && !is_word(n->kids.at[1], "none"))
    return fail(r, n->kids.at[1], "expected 'some' or 'none'");
  r->p->expected = is_word(n->kids.at[1], "some") ? TP_REL_SAT : TP_REL_UNSAT;
  return true;
}

/* Atoms are complete: bounds can be made, and the sets of atoms are their first relations. */
static void close_universe(reader *r, const node *const *items, size_t n) {
  r->p->bounds = tp_rel_bounds_new(r->p->logic, r->p->universe);
  uint32_t first = 0;
  for (size_t i = 0; i < n; i++) {
    if (strcmp(head(items[i]), "atoms") != 0) continue;
    const char *name = items[i]->kids.at[1]->word;
    const uint32_t last = first + (uint32_t)strtoul(items[i]->kids.at[2]->word, NULL, 10) - 1;
    tp_rel_tuples value = {0};
    tp_rel_tuples_add_product(r->p->universe, &value, 1, &first, &last);
    declare(r, name, tp_rel_relation(r->p->logic, name, 1), &value, &value);
    tp_rel_tuples_clear(&value);
    first = last + 1;
  }
}

static bool read_item(reader *r, const node *n) {
  const char *kind = head(n);
  if (strcmp(kind, "relation") == 0 || strcmp(kind, "exactly") == 0)
    return read_relation(r, n, *kind == 'e');
  if (strcmp(kind, "expect") == 0) return read_expectation(r, n);
  if (strcmp(kind, "fact") != 0)
    return fail(r, n,
                "expected (atoms ...), (integers ...), (relation ...), (exactly ...), (fact ...) "
                "or (expect ...)");
  if (!has_arguments(r, n, 1, 1)) return false;
  const tp_rel_formula f = read_formula(r, n->kids.at[1]);
  if (!r->scan.failed) tp_vec_push(&r->p->facts, f);
  return !r->scan.failed;
}

static bool read_items(reader *r) {
  TP_VEC(const node *) items = {0};
  next(r);
  while (!r->scan.failed && *r->scan.text) {
    const node *n = read_node(r, 0);
    if (n) tp_vec_push(&items, n);
  }
  for (size_t i = 0; i < items.n && !r->scan.failed; i++) {
    const char *kind = head(items.at[i]);
    if (strcmp(kind, "atoms") == 0)
      read_atoms(r, items.at[i]);
    else if (strcmp(kind, "integers") == 0)
      read_integers(r, items.at[i]);
    else {
      if (!r->p->bounds) close_universe(r, items.at, i);
      read_item(r, items.at[i]);
    }
  }
  if (!r->scan.failed && !r->p->bounds)
    tp_scan_fail(&r->scan, r->scan.pos, "a problem has at least one relation or fact");
  tp_vec_clear(&items);
  return !r->scan.failed;
}

tp_status tp_rel_problem_read(tp_rel_problem *p, const char *path, const char *text,
                              tp_diag *diag) {
  *p = (tp_rel_problem){.logic = tp_rel_new(),
                        .universe = tp_rel_universe_new(),
                        .width_bits = 4,
                        .expected = TP_REL_UNKNOWN};
  reader r = {.p = p, .scan = tp_scan_start(diag, "problem", path, text)};
  tp_arena_init(&r.arena);
  const bool ok = read_items(&r);
  for (size_t i = 0; i < r.nodes.n; i++) tp_vec_clear(&r.nodes.at[i]->kids);
  tp_vec_clear(&r.nodes);
  tp_vec_clear(&r.relations);
  tp_vec_clear(&r.scope);
  tp_arena_clear(&r.arena);
  return ok ? TP_OK : TP_ERR_INPUT;
}

void tp_rel_problem_clear(tp_rel_problem *p) {
  tp_rel_bounds_free(p->bounds);
  tp_rel_universe_free(p->universe);
  tp_rel_free(p->logic);
  tp_vec_clear(&p->facts);
}
