/* The engine against its evaluator and against counting all instances: random formulas over small
 * universes, with all options on and off; laws and values of operators; overflow; cores, closest
 * instances, enumeration; what is refused. */
#include "contracts/rel/rel_eval.h"
#include "contracts/contracts_limits.h"
#include "contracts/rel/finder.h"
#include "contracts/rel/symmetry.h"
#include "contracts/rel/testing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static uint32_t mask_of(const world *w, const tp_rel_instance *i) {
  uint32_t mask = 0;
  for (uint32_t k = 0; k < w->n_open; k++)
    mask |= (uint32_t)tp_rel_tuples_contain(&i->of[w->open[k].relation], w->open[k].tuple) << k;
  return mask;
}

// --------------------------------------------------------------- what should come out

enum { MAX_TOPS = 4, MAX_MASKS = 1 << MAX_OPEN };

/* For every instance the value of every formula. */
typedef struct {
  uint32_t n_tops, n_masks;
  tp_rel_formula top[MAX_TOPS];
  tp_rel_truth_value value[MAX_TOPS][MAX_MASKS];
} truth_table;

static void fill(const world *w, truth_table *t) {
  tp_rel_instance i;
  tp_rel_instance_init(&i, MAX_RELATIONS);
  tp_rel_eval *e = tp_rel_eval_new(w->b, &i, WIDTH);
  t->n_masks = 1u << w->n_open;
  for (uint32_t mask = 0; mask < t->n_masks; mask++) {
    instance_of(w, mask, &i);
    tp_rel_eval_reset(e);
    for (uint32_t k = 0; k < t->n_tops; k++) t->value[k][mask] = tp_rel_eval_formula(e, t->top[k]);
  }
  tp_rel_eval_free(e);
  tp_rel_instance_clear(&i);
}

static bool holds(const truth_table *t, uint32_t mask, uint32_t tops) {
  for (uint32_t k = 0; k < t->n_tops; k++)
    if (tops >> k & 1 && t->value[k][mask] != TP_REL_IS_TRUE) return false;
  return true;
}

static bool has_instance(const truth_table *t, uint32_t tops) {
  for (uint32_t mask = 0; mask < t->n_masks; mask++)
    if (holds(t, mask, tops)) return true;
  return false;
}

/* Is there an instance in which none is false and one is undefined? */
static bool can_overflow(const truth_table *t) {
  for (uint32_t mask = 0; mask < t->n_masks; mask++) {
    bool is_false = false, is_undefined = false;
    for (uint32_t k = 0; k < t->n_tops; k++) {
      is_false |= t->value[k][mask] == TP_REL_IS_FALSE;
      is_undefined |= t->value[k][mask] == TP_REL_IS_UNDEFINED;
    }
    if (is_undefined && !is_false) return true;
  }
  return false;
}

static tp_rel_options options(uint32_t symmetry_length, bool skolemize, bool memoize) {
  tp_rel_options o = tp_rel_default_options();
  o.width_bits = WIDTH;
  o.symmetry_length = symmetry_length;
  o.skolemize = skolemize;
  o.memoize = memoize;
  return o;
}

static tp_rel_finder *finder_of(const world *w, const truth_table *t, uint32_t n_added,
                                tp_rel_options o) {
  tp_rel_finder *f = tp_rel_finder_new(w->b, o);
  for (uint32_t k = 0; k < n_added; k++) assert_int_equal(tp_rel_finder_add(f, t->top[k]), TP_OK);
  return f;
}

static uint32_t bits(uint32_t x) { return (uint32_t)__builtin_popcount(x); }

static void check_core(const truth_table *t, tp_rel_finder *f, uint32_t all) {
  tp_rel_formula core[MAX_TOPS + 1];
  size_t n = 0;
  assert_int_equal(tp_rel_finder_core(f, core, &n),
                   has_instance(t, all) ? TP_REL_SAT : TP_REL_UNSAT);
  if (has_instance(t, all)) return;
  uint32_t in_core = 0;
  for (size_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < t->n_tops; k++)
      if (t->top[k].id == core[i].id) in_core |= 1u << k;
  assert_true(n > 0);
  assert_false(has_instance(t, in_core));
  for (size_t i = 0; i < n; i++) {  // equal formulas count once
    uint32_t rest = in_core;
    for (uint32_t k = 0; k < t->n_tops; k++)
      if (t->top[k].id == core[i].id) rest &= ~(1u << k);
    assert_true(has_instance(t, rest));
  }
}

static void check_closest(world *w, const truth_table *t, tp_rel_finder *f, uint32_t all) {
  tp_rel_instance target;
  const uint32_t aim = (uint32_t)below(w, t->n_masks);
  uint32_t least = UINT32_MAX;
  uint64_t distance = 0;
  for (uint32_t mask = 0; mask < t->n_masks; mask++)
    if (holds(t, mask, all) && bits(mask ^ aim) < least) least = bits(mask ^ aim);
  tp_rel_instance_init(&target, MAX_RELATIONS);
  instance_of(w, aim, &target);
  const tp_rel_answer a = tp_rel_finder_closest(f, &target, &distance);
  assert_int_equal(a, least == UINT32_MAX ? TP_REL_UNSAT : TP_REL_SAT);
  if (a == TP_REL_SAT) {
    assert_int_equal(distance, least);
    assert_int_equal(bits(mask_of(w, tp_rel_finder_instance(f)) ^ aim), least);
  }
  tp_rel_instance_clear(&target);
}

/* All of them, each once. */
static void check_enumeration(const world *w, const truth_table *t, tp_rel_finder *f, uint32_t all,
                              bool *seen) {
  uint32_t n = 0;
  tp_rel_answer a;
  memset(seen, 0, MAX_MASKS * sizeof *seen);
  while ((a = tp_rel_finder_next(f)) == TP_REL_SAT) {
    const uint32_t mask = mask_of(w, tp_rel_finder_instance(f));
    assert_false(seen[mask]);
    assert_true(holds(t, mask, all));
    seen[mask] = true;
    assert_true(++n <= t->n_masks);
  }
  assert_int_equal(a, TP_REL_UNSAT);
}

/* The instance after renaming atoms. UINT32_MAX: it is not within the bounds. */
static uint32_t renamed(const world *w, uint32_t mask, const uint32_t *to) {
  uint32_t r = 0;
  for (uint32_t k = 0; k < w->n_open; k++) {
    uint32_t atoms[TP_CONTRACTS_ARITY], j = 0;
    const uint32_t arity = tp_rel_relation_arity(w->l, w->open[k].relation);
    if (!(mask >> k & 1)) continue;
    tp_rel_tuple_atoms(w->u, w->open[k].tuple, arity, atoms);
    for (uint32_t c = 0; c < arity; c++) atoms[c] = to[atoms[c]];
    const uint64_t tuple = tp_rel_tuple(w->u, atoms, arity);
    while (j < w->n_open &&
           (w->open[j].relation != w->open[k].relation || w->open[j].tuple != tuple))
      j++;
    if (j == w->n_open) return UINT32_MAX;
    r |= 1u << j;
  }
  return r;
}

/* Is the instance, or one that differs in names of interchangeable atoms only, among those seen? */
static bool orbit_is_seen(const world *w, uint32_t mask, const bool *seen) {
  static const uint32_t orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                        {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  uint32_t class_of[8], to[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  tp_rel_symmetry_classes(w->b, class_of);
  const uint32_t n = tp_rel_n_atoms(w->u) < 3 ? tp_rel_n_atoms(w->u) : 3;
  for (uint32_t k = 0; k < 6; k++) {
    bool is_allowed = true;
    for (uint32_t i = 0; i < n; i++)
      is_allowed &= orders[k][i] < n && class_of[orders[k][i]] == class_of[i];
    if (!is_allowed) continue;
    for (uint32_t i = 0; i < n; i++) to[i] = orders[k][i];
    const uint32_t image = renamed(w, mask, to);
    if (image != UINT32_MAX && seen[image]) return true;
  }
  return false;
}

static uint32_t n_binding, n_cores, n_broken_symmetry;  // that the worlds are not too simple

static void check_world(uint64_t seed) {
  world w;
  truth_table t;
  bool seen[MAX_MASKS];
  world_init(&w, seed, ANY_ATOMS);
  t.n_tops = 1 + (uint32_t)below(&w, MAX_TOPS);
  for (uint32_t k = 0; k < t.n_tops; k++) t.top[k] = any_formula(&w, 1 + (uint32_t)below(&w, 4));
  assert_null(tp_rel_error(w.l));
  fill(&w, &t);
  const uint32_t all = (1u << t.n_tops) - 1;
  for (uint32_t o = 0; o < 8; o++) {
    const uint32_t n_added = (uint32_t)below(&w, t.n_tops + 1);
    tp_rel_finder *f = finder_of(&w, &t, n_added, options(o & 1 ? 20 : 0, o & 2, o & 4));
    assert_int_equal(tp_rel_finder_solve(f, t.top + n_added, t.n_tops - n_added),
                     has_instance(&t, all) ? TP_REL_SAT : TP_REL_UNSAT);
    if (o == 7 || o == 0) check_core(&t, f, all);
    tp_rel_finder_free(f);
  }
  for (uint32_t length = 0; length < 3; length++) {
    tp_rel_finder *f = finder_of(&w, &t, t.n_tops, options(length * length * 5, true, true));
    uint32_t n_left_out = 0;
    check_enumeration(&w, &t, f, all, seen);
    for (uint32_t mask = 0; mask < t.n_masks; mask++) {
      if (holds(&t, mask, all))
        assert_true(length == 0 ? seen[mask] : orbit_is_seen(&w, mask, seen));
      n_left_out += holds(&t, mask, all) && !seen[mask];
    }
    n_broken_symmetry += n_left_out > 0;
    check_closest(&w, &t, f, all);
    const bool overflows = can_overflow(&t);
    assert_int_equal(tp_rel_finder_width_binding(f), overflows ? TP_REL_SAT : TP_REL_UNSAT);
    assert_int_equal(tp_rel_finder_solve(f, NULL, 0),
                     has_instance(&t, all) ? TP_REL_SAT : TP_REL_UNSAT);
    n_binding += overflows;
    tp_rel_finder_free(f);
  }
  n_cores += !has_instance(&t, all) && t.n_tops > 1;
  world_clear(&w);
}

static void K02_random_formulas_evaluator_against_solver(void **state) {
  (void)state;
  const uint64_t n = getenv("TP_SOAK") ? 20000 : 400;
  n_binding = n_cores = n_broken_symmetry = 0;
  for (uint64_t seed = 1; seed <= n; seed++) check_world(seed);
  assert_true(n_binding > n / 100);
  assert_true(n_cores > n / 20);
  assert_true(n_broken_symmetry > n / 100);
}

// ------------------------------------------------------------ tables of operators

/* Formulas and expressions in prefix notation: every operator knows how many arguments it has.
 * Names are relations over the atoms n0 n1 n2 and the integers -2 .. 2; x and y are variables. */
typedef struct {
  tp_rel *l;
  tp_rel_var x, y;
  const char *at;
} reader;

static void token(reader *r, char *out) {
  while (*r->at == ' ') r->at++;
  size_t n = strcspn(r->at, " ");
  assert_true(n > 0 && n < 16);
  memcpy(out, r->at, n);
  out[n] = 0;
  r->at += n;
}

static int row_of(const char *const *names, const char *name) {
  for (int i = 0; names[i]; i++)
    if (strcmp(names[i], name) == 0) return i;
  return -1;
}

static tp_rel_formula read_formula(reader *r);
static tp_rel_int read_int(reader *r);

static tp_rel_expr read_expr(reader *r) {
  static const char *const two[] = {"+", "&", "-", ".", "->", "++", "<:", ":>", NULL};
  static const char *const one[] = {"~", "^", "*", NULL};
  char t[16];
  token(r, t);
  if (row_of(two, t) >= 0) {
    const tp_rel_expr a = read_expr(r), b = read_expr(r);
    return tp_rel_binary(r->l, (tp_rel_kind)(TP_REL_UNION + row_of(two, t)), a, b);
  }
  if (row_of(one, t) >= 0)
    return tp_rel_unary(r->l, (tp_rel_kind)(TP_REL_TRANSPOSE + row_of(one, t)), read_expr(r));
  if (strcmp(t, "univ") == 0) return tp_rel_univ(r->l);
  if (strcmp(t, "iden") == 0) return tp_rel_iden(r->l);
  if (strcmp(t, "none") == 0) return tp_rel_none(r->l, 1);
  if (strcmp(t, "Int") == 0) return tp_rel_ints(r->l);
  if (strcmp(t, "atom") == 0) return tp_rel_atom_of(r->l, read_int(r));
  if (strcmp(t, "x") == 0) return tp_rel_use(r->l, r->x);
  if (strcmp(t, "y") == 0) return tp_rel_use(r->l, r->y);
  if (strcmp(t, "if") == 0) {
    const tp_rel_formula c = read_formula(r);
    const tp_rel_expr a = read_expr(r), b = read_expr(r);
    return tp_rel_if(r->l, c, a, b);
  }
  if (strcmp(t, "letx") == 0) {
    const tp_rel_expr a = read_expr(r), b = read_expr(r);
    return tp_rel_let(r->l, r->x, a, b);
  }
  if (strcmp(t, "setx") == 0 || strcmp(t, "setxy") == 0) {
    const uint32_t n = t[4] ? 2 : 1;
    tp_rel_decl d[2] = {{.var = r->x}, {.var = r->y}};
    for (uint32_t i = 0; i < n; i++) d[i].in = read_expr(r);
    return tp_rel_comprehension(r->l, d, n, read_formula(r));
  }
  return tp_rel_relation(r->l, t, t[0] >= 'a' && t[0] <= 'z' ? 2 : 1);
}

static tp_rel_int read_int(reader *r) {
  static const char *const two[] = {"plus", "minus", "times", "div", "rem", NULL};
  char t[16];
  token(r, t);
  if (row_of(two, t) >= 0) {
    const tp_rel_int a = read_int(r), b = read_int(r);
    return tp_rel_arithmetic(r->l, (tp_rel_kind)(TP_REL_PLUS + row_of(two, t)), a, b);
  }
  if (strcmp(t, "#") == 0) return tp_rel_cardinality(r->l, read_expr(r));
  if (strcmp(t, "total") == 0) return tp_rel_total(r->l, read_expr(r));
  if (strcmp(t, "the") == 0) return tp_rel_only_int(r->l, read_expr(r));
  if (strcmp(t, "neg") == 0) return tp_rel_negative(r->l, read_int(r));
  if (strcmp(t, "sumx") == 0) {
    const tp_rel_decl d = {r->x, read_expr(r)};
    return tp_rel_sum(r->l, &d, 1, read_int(r));
  }
  return tp_rel_constant(r->l, atoi(t));
}

static tp_rel_formula read_formula(reader *r) {
  static const char *const multiplicities[] = {"some", "no", "one", "lone", NULL};
  static const char *const quantifiers[] = {"allx", "somex", "nox", "onex", "lonex", NULL};
  static const char *const orders[] = {"i=", "<", "<=", NULL};
  static const char *const connectives[] = {"and", "or", "implies", "iff", NULL};
  char t[16];
  token(r, t);
  if (row_of(multiplicities, t) >= 0)
    return tp_rel_multiplicity(r->l, (tp_rel_kind)(TP_REL_SOME + row_of(multiplicities, t)),
                               read_expr(r));
  if (row_of(quantifiers, t) >= 0) {
    const tp_rel_decl d = {r->x, read_expr(r)};
    return tp_rel_quantify(r->l, (tp_rel_quantifier)row_of(quantifiers, t), &d, 1, read_formula(r));
  }
  if (row_of(orders, t) >= 0) {
    const tp_rel_int a = read_int(r), b = read_int(r);
    return tp_rel_compare_ints(r->l, (tp_rel_kind)(TP_REL_INT_EQUAL + row_of(orders, t)), a, b);
  }
  if (row_of(connectives, t) >= 0) {
    const tp_rel_formula a = read_formula(r), b = read_formula(r);
    tp_rel_formula (*const make[])(tp_rel *, tp_rel_formula, tp_rel_formula) = {
        tp_rel_and, tp_rel_or, tp_rel_implies, tp_rel_iff};
    return make[row_of(connectives, t)](r->l, a, b);
  }
  if (strcmp(t, "not") == 0) return tp_rel_not(r->l, read_formula(r));
  if (strcmp(t, "total_order") == 0)
    return tp_rel_total_order(r->l, read_expr(r), tp_rel_relation(r->l, "N", 1));
  if (strcmp(t, "function") == 0)
    return tp_rel_functional(r->l, TP_REL_TOTAL_FUNCTION, read_expr(r),
                             tp_rel_relation(r->l, "N", 1), tp_rel_relation(r->l, "N", 1));
  const tp_rel_expr a = read_expr(r), b = read_expr(r);
  assert_true(strcmp(t, "=") == 0 || strcmp(t, "in") == 0);
  return tp_rel_compare(r->l, t[0] == '=' ? TP_REL_EQUAL : TP_REL_IN, a, b);
}

typedef struct {
  tp_rel *l;
  tp_rel_universe *u;
  tp_rel_bounds *b;
  reader r;
} table;

static tp_rel_expr relation_of(table *t, const char *name, uint32_t arity) {
  return tp_rel_relation(t->l, name, arity);
}

/* "01 12": r = {n0->n1, n1->n2} */
static void fix(table *t, const char *name, uint32_t arity, const char *tuples) {
  tp_rel_tuples s = {0};
  for (const char *p = tuples; *p; p += arity + (p[arity] == ' ')) {
    uint32_t atoms[TP_CONTRACTS_ARITY];
    for (uint32_t i = 0; i < arity; i++) atoms[i] = (uint32_t)(p[i] - '0');
    tp_rel_tuples_add(&s, tp_rel_tuple(t->u, atoms, arity));
  }
  assert_int_equal(tp_rel_bound_exactly(t->b, relation_of(t, name, arity), &s), TP_OK);
  tp_rel_tuples_clear(&s);
}

/* Any tuples of the atoms first .. last. */
static void leave_open(table *t, const char *name, uint32_t arity, uint32_t first, uint32_t last) {
  tp_rel_tuples s = {0};
  uint32_t from[TP_CONTRACTS_ARITY], to[TP_CONTRACTS_ARITY];
  for (uint32_t i = 0; i < arity; i++) from[i] = first, to[i] = last;
  tp_rel_tuples_add_product(t->u, &s, arity, from, to);
  assert_int_equal(tp_rel_bound(t->b, relation_of(t, name, arity), &(tp_rel_tuples){0}, &s), TP_OK);
  tp_rel_tuples_clear(&s);
}

static void table_init(table *t) {
  *t = (table){.l = tp_rel_new(), .u = tp_rel_universe_new()};
  for (int i = 0; i < 3; i++) tp_rel_atom(t->u, (const char *[]){"n0", "n1", "n2"}[i]);
  for (int64_t i = -2; i <= 2; i++) tp_rel_int_atom(t->u, i);
  t->b = tp_rel_bounds_new(t->l, t->u);
  t->r =
      (reader){.l = t->l, .x = tp_rel_variable(t->l, "x", 1), .y = tp_rel_variable(t->l, "y", 1)};
  fix(t, "N", 1, "012");
}

static void table_clear(table *t) {
  tp_rel_bounds_free(t->b);
  tp_rel_universe_free(t->u);
  tp_rel_free(t->l);
}

static tp_rel_formula formula_of(table *t, const char *text) {
  t->r.at = text;
  const tp_rel_formula f = read_formula(&t->r);
  if (tp_rel_error(t->l)) fail_msg("%s: %s", text, tp_rel_error(t->l));
  return f;
}

/* Values worked out by hand, from the evaluator and from a finder that compares with it. */
static void K02_operators_have_the_values_of_the_table(void **state) {
  (void)state;
  static const struct {
    const char *expr, *value;
  } rows[] = {
      {"+ r s", "n0->n1, n1->n0, n1->n2"},
      {"& r s", "n1->n2"},
      {"- r s", "n0->n1"},
      {". A r", "n1"},
      {". r A", ""},
      {". r r", "n0->n2"},
      {". r s", "n0->n0, n0->n2"},
      {"-> A B", "n0->n1, n0->n2"},
      {"++ r s", "n0->n1, n1->n0, n1->n2"},
      {"++ s r", "n0->n1, n1->n2"},
      {"<: A r", "n0->n1"},
      {":> r B", "n0->n1, n1->n2"},
      {":> s A", "n1->n0"},
      {"~ r", "n1->n0, n2->n1"},
      {"^ r", "n0->n1, n0->n2, n1->n2"},
      {":> <: N * r N", "n0->n0, n0->n1, n0->n2, n1->n1, n1->n2, n2->n2"},
      {"& iden -> N N", "n0->n0, n1->n1, n2->n2"},
      {"- univ Int", "n0, n1, n2"},
      {"Int", "-2, -1, 0, 1, 2"},
      {"none", ""},
      {"setx N some . x r", "n0, n1"},
      {"setxy N . x r in y B", "n0->n1, n1->n2"},
      {"setxy N . x r not in y . B s", "n0->n1"},
      {"setxy N N in y . x r", "n0->n1, n1->n2"},
      {"if some A B N", "n1, n2"},
      {"if no A B N", "n0, n1, n2"},
      {"letx . A r . x r", "n2"},
      {"letx B letx + x A x", "n0, n1, n2"},
      {"atom # r", "2"},
      {"atom neg 1", "-1"},
      {"atom times 2 2", ""},
      {"atom minus 1 3", "-2"},
      {"atom div neg 3 2", "-1"},
      {"atom rem neg 3 2", "-1"},
      {"atom rem 3 neg 2", "1"},
      {"atom total + atom 1 atom neg 2", "-1"},
      {"atom the + A atom neg 2", "-2"},
      {"atom plus 1 the A", "1"},
      {"atom sumx N # . x s", "2"},
      {"atom sumx A # . x r", "1"},
  };
  table t;
  table_init(&t);
  fix(&t, "A", 1, "0");
  fix(&t, "B", 1, "12");
  fix(&t, "r", 2, "01 12");
  fix(&t, "s", 2, "12 10");
  tp_rel_instance i;
  tp_rel_instance_init(&i, tp_rel_n_relations(t.l));
  for (uint32_t r = 0; r < i.n; r++) tp_rel_tuples_copy(&i.of[r], tp_rel_lower(t.b, r));
  tp_rel_eval *e = tp_rel_eval_new(t.b, &i, 4);
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    tp_rel_tuples value = {0};
    tp_str text = {0};
    t.r.at = rows[k].expr;
    const tp_rel_expr x = read_expr(&t.r);
    if (tp_rel_error(t.l)) fail_msg("%s: %s", rows[k].expr, tp_rel_error(t.l));
    assert_true(tp_rel_eval_expr(e, x, &value));
    const uint32_t arity = tp_rel_at(t.l, x.id)->arity;
    for (size_t n = 0; n < value.n; n++) {
      uint32_t atoms[TP_CONTRACTS_ARITY];
      tp_rel_tuple_atoms(t.u, value.at[n], arity, atoms);
      for (uint32_t c = 0; c < arity; c++)
        tp_str_printf(&text, "%s%s", c ? "->" : n ? ", " : "", tp_rel_atom_name(t.u, atoms[c]));
    }
    if (strcmp(tp_str_text(&text), rows[k].value) != 0)
      fail_msg("%s: {%s}", rows[k].expr, tp_str_text(&text));
    tp_rel_tuples_clear(&value);
    tp_str_clear(&text);
  }
  tp_rel_eval_free(e);
  tp_rel_instance_clear(&i);
  table_clear(&t);
}

/* Laws hold for all relations over three atoms: their negation has no instance. What is no law has
 * one, on which it is false. */
static void K02_operators_obey_laws(void **state) {
  (void)state;
  static const struct {
    bool is_law;
    const char *formula;
  } rows[] = {
      {true, "= + r s + s r"},
      {true, "= ~ . r s . ~ s ~ r"},
      {true, "= . r + s t + . r s . r t"},
      {false, "= . r & s t & . r s . r t"},
      {true, "in . r & s t & . r s . r t"},
      {true, "= ^ ^ r ^ r"},
      {true, "= ^ r + r . r ^ r"},
      {true, "= * r + iden ^ r"},
      {false, "= * r ^ r"},
      {true, "= ^ ~ r ~ ^ r"},
      {true, "= . * r * r * r"},
      {true, "= ++ r s + s - r -> . s univ univ"},
      {true, "= ++ ++ r s t ++ r ++ s t"},
      {false, "= ++ r s ++ s r"},
      {true, "= <: A r & r -> A univ"},
      {true, "= :> r A & r -> univ A"},
      {true, "= . A r . univ <: A r"},
      {true, "iff no & A B in A - univ B"},
      {true, "iff one A and some A lone A"},
      {true, "iff no A not some A"},
      {true, "iff allx A in x B in A B"},
      {true, "iff somex A in x B some & A B"},
      {true, "iff nox A in x B no & A B"},
      {true, "iff onex A in x B one & A B"},
      {true, "iff lonex A in x B lone & A B"},
      {true, "= setx A in x B & A B"},
      {true, "= setxy A B in -> x y r & r -> A B"},
      {true, "i= plus # A # B plus # + A B # & A B"},
      {true, "iff < # A # B < 0 minus # B # A"},
      {false, "<= # A # B"},
      {true, "i= # A sumx A 1"},
      {true, "i= # r sumx N # . x r"},
      {true, "implies total_order r no & ^ r iden"},
      {true, "implies total_order r and i= # r 2 one - N . N r"},
      {false, "implies no & ^ r iden implies i= # r 2 total_order r"},
      {true, "iff function r and in r -> N N allx N one . x r"},
      {true, "= if some A A B setx N or in x A and no A in x B"},
      {true, "= letx . A r + x B + . A r B"},
      {false, "no & ^ r iden"},
      {false, "implies no & r iden no & . r r iden"},
  };
  table t;
  table_init(&t);
  leave_open(&t, "A", 1, 0, 2);
  leave_open(&t, "B", 1, 0, 2);
  leave_open(&t, "r", 2, 0, 2);
  leave_open(&t, "s", 2, 0, 2);
  leave_open(&t, "t", 2, 0, 2);
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    const tp_rel_formula law = formula_of(&t, rows[k].formula);
    tp_rel_options o = tp_rel_default_options();
    o.width_bits = 5;
    tp_rel_finder *f = tp_rel_finder_new(t.b, o);
    assert_int_equal(tp_rel_finder_add(f, tp_rel_not(t.l, law)), TP_OK);
    if (tp_rel_finder_solve(f, NULL, 0) != (rows[k].is_law ? TP_REL_UNSAT : TP_REL_SAT))
      fail_msg("%s", rows[k].formula);
    assert_int_equal(tp_rel_finder_width_binding(f), TP_REL_UNSAT);
    tp_rel_finder_free(f);
  }
  table_clear(&t);
}

// --------------------------------------------------------------------- single facts

/* Where a sum leaves the width the formula is neither true nor false. */
static void K02_overflow_is_outside_of_the_bounds(void **state) {
  (void)state;
  static const struct {
    const char *formula;
    uint32_t width_bits;
    tp_rel_answer holds, fails, binding;
  } rows[] = {
      {"<= # A 3", 4, TP_REL_SAT, TP_REL_UNSAT, TP_REL_UNSAT},
      {"<= # A 1", 2, TP_REL_SAT, TP_REL_UNSAT, TP_REL_SAT},  // two atoms cannot be counted
      {"<= # A 1", 3, TP_REL_SAT, TP_REL_SAT, TP_REL_UNSAT},
      {"i= plus 3 1 -4", 3, TP_REL_UNSAT, TP_REL_UNSAT, TP_REL_SAT},  // no wrap-around
      {"i= plus 3 1 4", 4, TP_REL_SAT, TP_REL_UNSAT, TP_REL_UNSAT},
      {"i= div 1 # A 1", 4, TP_REL_SAT, TP_REL_SAT, TP_REL_SAT},  // by zero if A is empty
      {"or no A i= div 1 # A 1", 4, TP_REL_SAT, TP_REL_SAT,
       TP_REL_UNSAT},  // true or undefined is true
      {"and some A < 0 div 2 # A", 4, TP_REL_SAT, TP_REL_SAT,
       TP_REL_UNSAT},  // false and undefined is false
      {"i= the atom # A # A", 4, TP_REL_SAT, TP_REL_SAT,
       TP_REL_UNSAT},  // of none it is 0, and no atom is 3
      {"i= the + atom # A atom 1 1", 4, TP_REL_SAT, TP_REL_UNSAT,
       TP_REL_SAT},  // of two integers it is neither
      {"i= sumx A 3 3", 3, TP_REL_SAT, TP_REL_SAT, TP_REL_SAT},
      {"i= plus sumx A 3 neg 3 0", 4, TP_REL_SAT, TP_REL_SAT, TP_REL_SAT},  // 9 does not fit
      {"i= times -2 2 -4", 3, TP_REL_SAT, TP_REL_UNSAT, TP_REL_UNSAT},
      {"i= neg -4 4", 3, TP_REL_UNSAT, TP_REL_UNSAT, TP_REL_SAT},
      {"i= neg -4 4", 4, TP_REL_SAT, TP_REL_UNSAT, TP_REL_UNSAT},
      {"i= div -4 -1 0", 3, TP_REL_UNSAT, TP_REL_UNSAT, TP_REL_SAT},
      {"i= rem -4 -1 0", 3, TP_REL_SAT, TP_REL_UNSAT, TP_REL_UNSAT},
      {"some atom 5", 3, TP_REL_UNSAT, TP_REL_UNSAT, TP_REL_SAT},
      {"some atom 3", 3, TP_REL_UNSAT, TP_REL_SAT, TP_REL_UNSAT},
  };
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    table t;
    table_init(&t);
    leave_open(&t, "A", 1, 0, 2);
    const tp_rel_formula law = formula_of(&t, rows[k].formula);
    tp_rel_options o = tp_rel_default_options();
    o.width_bits = rows[k].width_bits;
    for (int negated = 0; negated < 2; negated++) {
      tp_rel_finder *f = tp_rel_finder_new(t.b, o);
      assert_int_equal(tp_rel_finder_add(f, negated ? tp_rel_not(t.l, law) : law), TP_OK);
      if (tp_rel_finder_solve(f, NULL, 0) != (negated ? rows[k].fails : rows[k].holds))
        fail_msg("%s, negated: %d", rows[k].formula, negated);
      if (tp_rel_finder_width_binding(f) != rows[k].binding)
        fail_msg("%s: binding", rows[k].formula);
      tp_rel_finder_free(f);
    }
    table_clear(&t);
  }
}

/* A partial instance keeps its tuples in every model, and nothing is outside of the upper bound. */
static void K11_fixed_tuples_stay_in_every_model(void **state) {
  (void)state;
  table t;
  table_init(&t);
  tp_rel_tuples lower = {0}, upper = {0};
  tp_rel_tuples_add(&lower, tp_rel_tuple(t.u, (uint32_t[]){0, 1}, 2));
  tp_rel_tuples_add_product(t.u, &upper, 2, (uint32_t[]){0, 0}, (uint32_t[]){1, 2});
  assert_int_equal(tp_rel_bound(t.b, relation_of(&t, "r", 2), &upper, &lower), TP_ERR_ARG);
  assert_int_equal(tp_rel_bound(t.b, relation_of(&t, "r", 2), &lower, &upper), TP_OK);
  tp_rel_finder *f = tp_rel_finder_new(t.b, tp_rel_default_options());
  assert_int_equal(tp_rel_finder_stats(f).n_primary, 5);
  uint32_t n = 0;
  for (; tp_rel_finder_next(f) == TP_REL_SAT; n++) {
    const tp_rel_tuples *r =
        &tp_rel_finder_instance(f)->of[tp_rel_relation_number(t.l, relation_of(&t, "r", 2))];
    assert_true(tp_rel_tuples_are_subset(&lower, r) && tp_rel_tuples_are_subset(r, &upper));
  }
  assert_int_equal(n, 32);
  assert_int_equal(tp_rel_finder_add(f, formula_of(&t, "no r")), TP_OK);
  assert_int_equal(tp_rel_finder_solve(f, NULL, 0), TP_REL_UNSAT);
  tp_rel_finder_free(f);
  tp_rel_tuples_clear(&lower);
  tp_rel_tuples_clear(&upper);
  table_clear(&t);
}

/* What bounds decide needs no solver; remembering nodes and breaking symmetry make the work
 * smaller. */
static void K12_options_change_work_and_not_verdicts(void **state) {
  (void)state;
  table t;
  table_init(&t);
  leave_open(&t, "r", 2, 0, 2);
  fix(&t, "s", 2, "01 12");
  tp_rel_finder *f = tp_rel_finder_new(t.b, tp_rel_default_options());
  const tp_rel_formula decided[] = {formula_of(&t, "in -> univ N s"),
                                    formula_of(&t, "in . s s -> N N")};
  assert_int_equal(tp_rel_finder_solve(f, &decided[1], 1), TP_REL_SAT);
  assert_int_equal(tp_rel_finder_solve(f, decided, 2), TP_REL_UNSAT);
  assert_int_equal(tp_rel_finder_stats(f).n_solver_calls, 0);
  tp_rel_finder_free(f);
  table_clear(&t);
  table_init(&t);
  leave_open(&t, "r", 2, 0, 2);
  uint64_t n_translated[2], n_instances[2];
  const tp_rel_formula order = formula_of(&t, "total_order r"),
                       twice = formula_of(&t, "iff total_order r allx N total_order r");
  for (int on = 0; on < 2; on++) {
    tp_rel_options o = tp_rel_default_options();
    o.memoize = on;
    o.symmetry_length = on ? 20 : 0;
    f = tp_rel_finder_new(t.b, o);
    assert_int_equal(tp_rel_finder_add(f, twice), TP_OK);
    assert_int_equal(tp_rel_finder_add(f, order), TP_OK);
    n_instances[on] = 0;
    while (tp_rel_finder_next(f) == TP_REL_SAT) n_instances[on]++;
    n_translated[on] = tp_rel_finder_stats(f).n_translated;
    tp_rel_finder_free(f);
  }
  assert_true(n_translated[1] * 3 < n_translated[0]);
  assert_int_equal(n_instances[0], 6);  // orders of n0 n1 n2
  assert_true(n_instances[1] < 6 && n_instances[1] > 0);
  table_clear(&t);
}

static void wrong_calls_say_what_was_wanted(void **state) {
  (void)state;
  for (int k = 0; k < 9; k++) {
    static const char *const wanted[] = {
        "equal arities",      "other than two sets", "arity 2",         "a set",
        "declared twice",     "was declared",        "arity 9 is more", "deeper",
        "an operator between"};
    tp_rel *l = tp_rel_new();
    const tp_rel_expr a = tp_rel_relation(l, "A", 1), r = tp_rel_relation(l, "r", 2),
                      q = tp_rel_relation(l, "q", 7);
    const tp_rel_var x = tp_rel_variable(l, "x", 1);
    const tp_rel_formula some = tp_rel_multiplicity(l, TP_REL_SOME, a);
    tp_rel_expr e = a;
    assert_null(tp_rel_error(l));
    switch (k) {
      case 0: e = tp_rel_binary(l, TP_REL_UNION, a, r); break;
      case 1: e = tp_rel_binary(l, TP_REL_JOIN, a, a); break;
      case 2: e = tp_rel_unary(l, TP_REL_CLOSURE, a); break;
      case 3: e = tp_rel_comprehension(l, &(tp_rel_decl){x, r}, 1, some); break;
      case 4: e = tp_rel_comprehension(l, (tp_rel_decl[]){{x, a}, {x, a}}, 2, some); break;
      case 5: e = tp_rel_relation(l, "r", 3); break;
      case 6: e = tp_rel_binary(l, TP_REL_PRODUCT, r, q); break;
      case 7:
        for (int i = 0; i < 2 * TP_CONTRACTS_FORMULA_LEVELS && e.id; i++)
          e = tp_rel_binary(l, TP_REL_UNION, e, i % 2 ? a : tp_rel_univ(l));
        break;
      default: e = tp_rel_binary(l, TP_REL_CLOSURE, r, r); break;
    }
    assert_int_equal(e.id, 0);
    assert_int_equal(tp_rel_multiplicity(l, TP_REL_SOME, tp_rel_binary(l, TP_REL_UNION, e, a)).id,
                     0);
    assert_non_null(tp_rel_error(l));
    if (!strstr(tp_rel_error(l), wanted[k])) fail_msg("%s", tp_rel_error(l));
    tp_rel_free(l);
  }
}

static void formulas_that_cannot_be_added_are_refused(void **state) {
  (void)state;
  table t;
  table_init(&t);
  leave_open(&t, "A", 1, 0, 2);
  tp_rel_options o = tp_rel_default_options();
  o.max_cells = 50;
  tp_rel_finder *f = tp_rel_finder_new(t.b, o);
  assert_int_equal(tp_rel_finder_add(f, formula_of(&t, "some x")), TP_ERR_ARG);
  assert_non_null(strstr(tp_rel_finder_error(f), "`x`"));
  assert_int_equal(tp_rel_finder_add(f, formula_of(&t, "some unknown")), TP_ERR_ARG);
  assert_non_null(strstr(tp_rel_finder_error(f), "`unknown` has no bounds"));
  assert_int_equal(tp_rel_finder_solve(f, (tp_rel_formula[]){formula_of(&t, "some some")}, 1),
                   TP_REL_UNKNOWN);
  assert_int_equal(tp_rel_finder_add(f, formula_of(&t, "some A")), TP_OK);
  assert_int_equal(tp_rel_finder_solve(f, NULL, 0), TP_REL_SAT);
  assert_int_equal(tp_rel_finder_add(f, formula_of(&t, "some -> -> univ univ univ")), TP_ERR_LIMIT);
  assert_int_equal(tp_rel_finder_solve(f, NULL, 0), TP_REL_UNKNOWN);
  tp_rel_finder_free(f);
  table_clear(&t);
}

static void text_is_as_alloy_writes_it(void **state) {
  (void)state;
  static const struct {
    const char *formula, *text;
  } rows[] = {
      {"no & ^ r iden", "no (^r & iden)"},
      {"allx A some . x r", "(all x: A | some (x . r))"},
      {"< # A plus 1 total Int", "(#A < (1 + int Int))"},
      {"= r setxy A B in -> x y r", "(r = {x: A, y: B | ((x -> y) in r)})"},
      {"in if some A A B letx A x", "((some A => A else B) in (let x = A | x))"},
  };
  table t;
  table_init(&t);
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    tp_str text = {0};
    tp_rel_print(t.l, formula_of(&t, rows[k].formula).id, &text);
    assert_string_equal(tp_str_text(&text), rows[k].text);
    tp_str_clear(&text);
  }
  table_clear(&t);
}

/* Atoms are told apart by what bounds say of them, and by nothing else. */
static void symmetry_is_what_bounds_cannot_tell_apart(void **state) {
  (void)state;
  static const struct {
    const char *r, *classes;
  } rows[] = {{"", "000"},      {"01", "012"},       {"00 11 22", "000"},
              {"01 10", "002"}, {"01 12 20", "012"}, {"02 12", "002"}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    table t;
    uint32_t class_of[8];
    table_init(&t);
    fix(&t, "r", 2, rows[k].r);
    leave_open(&t, "s", 2, 0, 2);
    tp_rel_symmetry_classes(t.b, class_of);
    for (uint32_t a = 0; a < 8; a++)
      assert_int_equal(class_of[a], a < 3 ? (uint32_t)(rows[k].classes[a] - '0') : a);
    table_clear(&t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(K02_operators_have_the_values_of_the_table),
      cmocka_unit_test(K02_operators_obey_laws),
      cmocka_unit_test(K02_overflow_is_outside_of_the_bounds),
      cmocka_unit_test(K11_fixed_tuples_stay_in_every_model),
      cmocka_unit_test(K12_options_change_work_and_not_verdicts),
      cmocka_unit_test(wrong_calls_say_what_was_wanted),
      cmocka_unit_test(formulas_that_cannot_be_added_are_refused),
      cmocka_unit_test(text_is_as_alloy_writes_it),
      cmocka_unit_test(symmetry_is_what_bounds_cannot_tell_apart),
      cmocka_unit_test(K02_random_formulas_evaluator_against_solver),
  };
  return cmocka_run_group_tests_name("rel", tests, NULL, NULL);
}
