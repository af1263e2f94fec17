/* The evaluator: one function for each sort, one case for each kind. Recursion is bounded by
 * TP_CONTRACTS_FORMULA_LEVELS; quantifiers loop over finite sets, so evaluation terminates. Values
 * are cached with the time of their computation, and stale as soon as a free variable was bound
 * later. They lie in pages that are made when a node of theirs is evaluated first: a logic has many
 * nodes, and most evaluations look at few of them. */
#include "contracts/rel/rel_eval.h"

#include "contracts/contracts_limits.h"

typedef struct {
  uint64_t time;  // when it was computed; 0: never
  bool defined;
  tp_rel_truth_value truth;
  int64_t number;
  tp_rel_tuples set;
} value;

typedef struct {
  uint64_t time;  // when it was bound
  bool defined;
  tp_rel_tuples set;
} binding;

enum { PAGE = 64 };  // values
typedef struct {
  value at[PAGE];
} page;

struct tp_rel_eval {
  const tp_rel *l;
  const tp_rel_universe *u;
  const tp_rel_instance *instance;
  uint32_t width_bits;
  uint64_t n_atoms, now;
  TP_VEC(page *) pages;  // of values, by node; NULL: none of them was computed
  TP_VEC(binding) env;   // by variable
};

tp_rel_eval *tp_rel_eval_new(const tp_rel_bounds *b, const tp_rel_instance *i,
                             uint32_t width_bits) {
  TP_REQUIRE(width_bits > 0 && width_bits <= TP_REL_MAX_WIDTH);
  tp_rel_eval *e = TP_NEW(tp_rel_eval);
  e->l = tp_rel_bounds_logic(b);
  e->u = tp_rel_bounds_universe(b);
  e->instance = i;
  e->width_bits = width_bits;
  e->n_atoms = tp_rel_n_atoms(e->u);
  e->now = 1;
  return e;
}

static void free_page(page *p) {
  if (!p) return;
  for (size_t i = 0; i < PAGE; i++) tp_vec_clear(&p->at[i].set);
  tp_free(p);
}

void tp_rel_eval_reset(tp_rel_eval *e) {
  for (size_t i = 0; i < e->pages.n; i++) free_page(e->pages.at[i]);
  for (size_t i = 0; i < e->env.n; i++) tp_vec_clear(&e->env.at[i].set);
  tp_vec_clear(&e->pages);
  tp_vec_clear(&e->env);
}

void tp_rel_eval_free(tp_rel_eval *e) {
  if (!e) return;
  tp_rel_eval_reset(e);
  tp_free(e);
}

static tp_rel_truth_value formula(tp_rel_eval *e, uint32_t id);
static bool integer(tp_rel_eval *e, uint32_t id, int64_t *out);
static bool expr(tp_rel_eval *e, uint32_t id, tp_rel_tuples *out);

// ------------------------------------------------------------------ variables

static void bind(tp_rel_eval *e, uint32_t var, const tp_rel_tuples *set, bool defined) {
  TP_REQUIRE(var > 0 && var <= tp_rel_n_variables(e->l));
  if (var >= e->env.n) tp_vec_resize(&e->env, var + 1);
  binding *b = &e->env.at[var];
  tp_rel_tuples_copy(&b->set, set);
  b->defined = defined;
  b->time = ++e->now;
}

static void bind_atom(tp_rel_eval *e, uint32_t var, uint64_t atom) {
  bind(e, var, &(tp_rel_tuples){.at = &atom, .n = 1, .cap = 1}, true);
}

static binding save(tp_rel_eval *e, uint32_t var) {
  binding old = {0};
  if (var < e->env.n) {
    old = e->env.at[var];
    e->env.at[var] = (binding){0};
  }
  return old;
}

static void restore(tp_rel_eval *e, uint32_t var, binding old) {
  bind(e, var, &old.set, old.defined);
  tp_vec_clear(&old.set);
}

static value *value_of(tp_rel_eval *e, uint32_t id) {
  const size_t at = id / PAGE;
  if (at >= e->pages.n) tp_vec_resize(&e->pages, tp_rel_n_nodes(e->l) / PAGE + 1);
  if (!e->pages.at[at]) e->pages.at[at] = TP_NEW(page);
  return &e->pages.at[at]->at[id % PAGE];
}

/* Was the node evaluated since its variables were bound? */
static bool is_current(tp_rel_eval *e, uint32_t id) {
  TP_REQUIRE(id > 0 && id < tp_rel_n_nodes(e->l));
  const tp_rel_node *n = tp_rel_at(e->l, id);
  const uint64_t time = value_of(e, id)->time;
  if (time == 0) return false;
  for (uint32_t i = 0; i < n->n_free; i++)
    if (e->env.at[n->free[i]].time > time) return false;
  return true;
}

// --------------------------------------------------------------------- tuples

static uint64_t power(const tp_rel_eval *e, uint32_t n) {
  TP_REQUIRE(n <= TP_CONTRACTS_ARITY);
  uint64_t p = 1;
  while (n-- > 0) p *= e->n_atoms;
  return p;
}

/* a . b: for all pairs of tuples whose inner atoms are equal the tuple without these. */
static void join(const tp_rel_eval *e, const tp_rel_tuples *a, const tp_rel_tuples *b,
                 uint32_t arity_b, tp_rel_tuples *out) {
  const uint64_t rest = power(e, arity_b - 1);
  for (size_t i = 0; i < a->n; i++)
    for (size_t j = 0; j < b->n; j++)
      if (a->at[i] % e->n_atoms == b->at[j] / rest)
        tp_rel_tuples_add(out, a->at[i] / e->n_atoms * rest + b->at[j] % rest);
}

static void product(const tp_rel_eval *e, const tp_rel_tuples *a, const tp_rel_tuples *b,
                    uint32_t arity_b, tp_rel_tuples *out) {
  const uint64_t rest = power(e, arity_b);
  for (size_t i = 0; i < a->n; i++)
    for (size_t j = 0; j < b->n; j++) tp_rel_tuples_add(out, a->at[i] * rest + b->at[j]);
}

static void unite(tp_rel_tuples *out, const tp_rel_tuples *a) {
  for (size_t i = 0; i < a->n; i++) tp_rel_tuples_add(out, a->at[i]);
}

static void keep(const tp_rel_tuples *a, const tp_rel_tuples *b, bool wanted, tp_rel_tuples *out) {
  for (size_t i = 0; i < a->n; i++)
    if (tp_rel_tuples_contain(b, a->at[i]) == wanted) tp_rel_tuples_add(out, a->at[i]);
}

/* The smallest transitive relation above a: steps are added until none is new. */
static void closure(const tp_rel_eval *e, const tp_rel_tuples *a, tp_rel_tuples *out) {
  unite(out, a);
  for (size_t before = 0; before != out->n;) {
    tp_rel_tuples longer = {0};
    before = out->n;
    join(e, out, a, 2, &longer);
    unite(out, &longer);
    tp_vec_clear(&longer);
  }
}

/* b, and what of a begins with an atom that begins nothing in b. */
static void override(const tp_rel_eval *e, const tp_rel_tuples *a, const tp_rel_tuples *b,
                     uint32_t arity, tp_rel_tuples *out) {
  const uint64_t rest = power(e, arity - 1);
  unite(out, b);
  for (size_t i = 0; i < a->n; i++) {
    bool is_replaced = false;
    for (size_t j = 0; j < b->n && !is_replaced; j++)
      is_replaced = a->at[i] / rest == b->at[j] / rest;
    if (!is_replaced) tp_rel_tuples_add(out, a->at[i]);
  }
}

static void combine(const tp_rel_eval *e, const tp_rel_node *n, const tp_rel_tuples *a,
                    const tp_rel_tuples *b, tp_rel_tuples *out) {
  const uint32_t arity_b = tp_rel_at(e->l, n->kids[1])->arity;
  const uint64_t rest = power(e, n->arity - 1);
  switch ((int)n->kind) {
    case TP_REL_UNION: unite(out, a), unite(out, b); return;
    case TP_REL_INTERSECTION: keep(a, b, true, out); return;
    case TP_REL_DIFFERENCE: keep(a, b, false, out); return;
    case TP_REL_JOIN: join(e, a, b, arity_b, out); return;
    case TP_REL_PRODUCT: product(e, a, b, arity_b, out); return;
    case TP_REL_OVERRIDE: override(e, a, b, n->arity, out); return;
    case TP_REL_DOMAIN:
      for (size_t i = 0; i < b->n; i++)
        if (tp_rel_tuples_contain(a, b->at[i] / rest)) tp_rel_tuples_add(out, b->at[i]);
      return;
    case TP_REL_RANGE:
      for (size_t i = 0; i < a->n; i++)
        if (tp_rel_tuples_contain(b, a->at[i] % e->n_atoms)) tp_rel_tuples_add(out, a->at[i]);
      return;
    default: return;
  }
}

// ---------------------------------------------------------------- expressions

/* All choices of the variables from the i-th on; prefix: the tuple chosen so far. */
static bool comprehend(tp_rel_eval *e, const tp_rel_node *n, uint32_t i, uint64_t prefix,
                       tp_rel_tuples *out) {
  TP_REQUIRE(i <= n->n_vars);
  if (i == n->n_vars) {
    const tp_rel_truth_value t = formula(e, n->kids[i]);
    if (t == TP_REL_IS_TRUE) tp_rel_tuples_add(out, prefix);
    return t != TP_REL_IS_UNDEFINED;
  }
  tp_rel_tuples domain = {0};
  bool defined = expr(e, n->kids[i], &domain);
  const binding old = save(e, n->vars[i]);
  for (size_t k = 0; k < domain.n && defined; k++) {
    bind_atom(e, n->vars[i], domain.at[k]);
    defined = comprehend(e, n, i + 1, prefix * e->n_atoms + domain.at[k], out);
  }
  restore(e, n->vars[i], old);
  tp_vec_clear(&domain);
  return defined;
}

/* The value is evaluated before its variable is bound: it may be about another one of the same
 * name. */
static binding bind_let(tp_rel_eval *e, const tp_rel_node *n) {
  tp_rel_tuples set = {0};
  const bool defined = expr(e, n->kids[0], &set);
  const binding old = save(e, n->vars[0]);
  bind(e, n->vars[0], &set, defined);
  tp_vec_clear(&set);
  return old;
}

/* The atom of the integer, if there is one. */
static bool atom_of(tp_rel_eval *e, const tp_rel_node *n, tp_rel_tuples *out) {
  int64_t i;
  uint32_t atom;
  if (!integer(e, n->kids[0], &i)) return false;
  if (tp_rel_find_int_atom(e->u, i, &atom)) tp_rel_tuples_add(out, atom);
  return true;
}

static void leaf(tp_rel_eval *e, const tp_rel_node *n, tp_rel_tuples *out) {
  TP_REQUIRE(n->kind != TP_REL_RELATION || n->number < e->instance->n);
  int64_t v;
  if (n->kind == TP_REL_RELATION) unite(out, &e->instance->of[n->number]);
  for (uint32_t a = 0; a < e->n_atoms; a++) {
    if (n->kind == TP_REL_UNIV || (n->kind == TP_REL_INTS && tp_rel_atom_is_int(e->u, a, &v)))
      tp_rel_tuples_add(out, a);
    if (n->kind == TP_REL_IDEN) tp_rel_tuples_add(out, a * e->n_atoms + a);
  }
}

static bool compute_unary(tp_rel_eval *e, const tp_rel_node *n, tp_rel_tuples *out) {
  tp_rel_tuples a = {0};
  const bool defined = expr(e, n->kids[0], &a);
  if (n->kind == TP_REL_TRANSPOSE)
    for (size_t i = 0; i < a.n; i++)
      tp_rel_tuples_add(out, a.at[i] % e->n_atoms * e->n_atoms + a.at[i] / e->n_atoms);
  else
    closure(e, &a, out);
  if (n->kind == TP_REL_REFLEXIVE)
    for (uint64_t i = 0; i < e->n_atoms; i++) tp_rel_tuples_add(out, i * e->n_atoms + i);
  tp_vec_clear(&a);
  return defined;
}

static bool compute_expr(tp_rel_eval *e, const tp_rel_node *n, tp_rel_tuples *out) {
  switch ((int)n->kind) {
    case TP_REL_VARIABLE:
      unite(out, &e->env.at[n->number].set);
      return e->env.at[n->number].defined;
    case TP_REL_TRANSPOSE:
    case TP_REL_CLOSURE:
    case TP_REL_REFLEXIVE: return compute_unary(e, n, out);
    case TP_REL_COMPREHENSION: return comprehend(e, n, 0, 0, out);
    case TP_REL_ATOM_OF: return atom_of(e, n, out);
    case TP_REL_IF: {
      const tp_rel_truth_value c = formula(e, n->kids[0]);
      return c != TP_REL_IS_UNDEFINED && expr(e, n->kids[c == TP_REL_IS_TRUE ? 1 : 2], out);
    }
    case TP_REL_LET: {
      const binding old = bind_let(e, n);
      const bool defined = expr(e, n->kids[1], out);
      restore(e, n->vars[0], old);
      return defined;
    }
    default: break;
  }
  if (n->n_kids != 2) {
    leaf(e, n, out);
    return true;
  }
  tp_rel_tuples a = {0}, b = {0};
  const bool left = expr(e, n->kids[0], &a), defined = expr(e, n->kids[1], &b) && left;
  combine(e, n, &a, &b, out);
  tp_vec_clear(&a);
  tp_vec_clear(&b);
  return defined;
}

static bool expr(tp_rel_eval *e, uint32_t id, tp_rel_tuples *out) {
  if (!is_current(e, id)) {
    tp_rel_tuples set = {0};
    const bool defined = compute_expr(e, tp_rel_at(e->l, id), &set);
    value *v = value_of(e, id);
    tp_vec_clear(&v->set);
    *v = (value){.time = ++e->now, .defined = defined, .set = set};
  }
  tp_rel_tuples_copy(out, &value_of(e, id)->set);
  return value_of(e, id)->defined;
}

// ------------------------------------------------------------------- integers

static bool fits(const tp_rel_eval *e, tp_i128 i) {
  const tp_i128 half = (tp_i128)1 << (e->width_bits - 1);
  return i >= -half && i < half;
}

static bool sum(tp_rel_eval *e, const tp_rel_node *n, uint32_t i, tp_i128 *total) {
  int64_t term;
  if (i == n->n_vars) {
    if (!integer(e, n->kids[i], &term)) return false;
    *total += term;
    return true;
  }
  tp_rel_tuples domain = {0};
  bool defined = expr(e, n->kids[i], &domain);
  const binding old = save(e, n->vars[i]);
  for (size_t k = 0; k < domain.n && defined; k++) {
    bind_atom(e, n->vars[i], domain.at[k]);
    defined = sum(e, n, i + 1, total);
  }
  restore(e, n->vars[i], old);
  tp_vec_clear(&domain);
  return defined;
}

static bool of_set(tp_rel_eval *e, const tp_rel_node *n, tp_i128 *out) {
  tp_rel_tuples a = {0};
  const bool defined = expr(e, n->kids[0], &a);
  *out = n->kind == TP_REL_CARDINALITY ? (tp_i128)a.n : 0;
  uint32_t n_ints = 0;
  for (size_t k = 0; k < a.n && n->kind != TP_REL_CARDINALITY; k++) {
    int64_t v;
    if (!tp_rel_atom_is_int(e->u, (uint32_t)a.at[k], &v)) continue;
    *out += v;
    n_ints++;
  }
  tp_vec_clear(&a);
  return defined && (n->kind != TP_REL_ONLY_INT || n_ints <= 1);
}

static bool arithmetic(tp_rel_kind k, tp_i128 a, tp_i128 b, tp_i128 *out) {
  switch ((int)k) {
    case TP_REL_PLUS: *out = a + b; return true;
    case TP_REL_MINUS: *out = a - b; return true;
    case TP_REL_TIMES: *out = a * b; return true;
    case TP_REL_QUOTIENT: *out = b ? a / b : 0; return b != 0;
    case TP_REL_REMAINDER: *out = b ? a % b : 0; return b != 0;
    default: return false;
  }
}

/* MIN % -1 is 0, but MIN / -1 leaves the width: only the result counts. */
static bool compute_int(tp_rel_eval *e, const tp_rel_node *n, tp_i128 *out) {
  int64_t a, b;
  switch ((int)n->kind) {
    case TP_REL_CONSTANT: *out = n->number; return true;
    case TP_REL_CARDINALITY:
    case TP_REL_TOTAL:
    case TP_REL_ONLY_INT: return of_set(e, n, out);
    case TP_REL_SUM: *out = 0; return sum(e, n, 0, out);
    case TP_REL_NEGATIVE:
      if (!integer(e, n->kids[0], &a)) return false;
      *out = -(tp_i128)a;
      return true;
    case TP_REL_INT_IF: {
      const tp_rel_truth_value c = formula(e, n->kids[0]);
      if (c == TP_REL_IS_UNDEFINED || !integer(e, n->kids[c == TP_REL_IS_TRUE ? 1 : 2], &a))
        return false;
      *out = a;
      return true;
    }
    case TP_REL_INT_LET: {
      const binding old = bind_let(e, n);
      const bool defined = integer(e, n->kids[1], &a);
      restore(e, n->vars[0], old);
      *out = defined ? a : 0;
      return defined;
    }
    default:
      return integer(e, n->kids[0], &a) && integer(e, n->kids[1], &b) &&
             arithmetic(n->kind, a, b, out);
  }
}

static bool integer(tp_rel_eval *e, uint32_t id, int64_t *out) {
  if (!is_current(e, id)) {
    tp_i128 i = 0;
    const bool defined = compute_int(e, tp_rel_at(e->l, id), &i) && fits(e, i);
    *value_of(e, id) =
        (value){.time = ++e->now, .defined = defined, .number = defined ? (int64_t)i : 0};
  }
  *out = value_of(e, id)->number;
  return value_of(e, id)->defined;
}

// ------------------------------------------------------------------- formulas

static tp_rel_truth_value truth_of(bool defined, bool holds) {
  return !defined ? TP_REL_IS_UNDEFINED : holds ? TP_REL_IS_TRUE : TP_REL_IS_FALSE;
}

static tp_rel_truth_value negation(tp_rel_truth_value t) {
  return t == TP_REL_IS_UNDEFINED ? t : t == TP_REL_IS_TRUE ? TP_REL_IS_FALSE : TP_REL_IS_TRUE;
}

/* One part after another; `decides` is the value that settles the whole: false for "and", true for
 * "or". */
static bool settles(tp_rel_truth_value *whole, tp_rel_truth_value part,
                    tp_rel_truth_value decides) {
  if (part == decides)
    *whole = decides;
  else if (part == TP_REL_IS_UNDEFINED)
    *whole = part;
  return part == decides;
}

static tp_rel_truth_value quantified(tp_rel_eval *e, const tp_rel_node *n, uint32_t i) {
  TP_REQUIRE(i <= n->n_vars);
  if (i == n->n_vars) return formula(e, n->kids[i]);
  const tp_rel_truth_value decides = n->kind == TP_REL_ALL_OF ? TP_REL_IS_FALSE : TP_REL_IS_TRUE;
  tp_rel_truth_value whole = negation(decides);
  tp_rel_tuples domain = {0};
  if (!expr(e, n->kids[i], &domain)) whole = TP_REL_IS_UNDEFINED, domain.n = 0;
  const binding old = save(e, n->vars[i]);
  for (size_t k = 0; k < domain.n; k++) {
    bind_atom(e, n->vars[i], domain.at[k]);
    if (settles(&whole, quantified(e, n, i + 1), decides)) break;
  }
  restore(e, n->vars[i], old);
  tp_vec_clear(&domain);
  return whole;
}

static tp_rel_truth_value over_sets(tp_rel_eval *e, const tp_rel_node *n) {
  tp_rel_tuples a = {0}, b = {0};
  bool defined = expr(e, n->kids[0], &a), r = false;
  if (n->n_kids > 1) defined &= expr(e, n->kids[1], &b);
  switch ((int)n->kind) {
    case TP_REL_IN: r = tp_rel_tuples_are_subset(&a, &b); break;
    case TP_REL_EQUAL: r = tp_rel_tuples_equal(&a, &b); break;
    case TP_REL_SOME: r = a.n > 0; break;
    case TP_REL_NO: r = a.n == 0; break;
    case TP_REL_ONE: r = a.n == 1; break;
    default: r = a.n <= 1; break;  // LONE
  }
  tp_vec_clear(&a);
  tp_vec_clear(&b);
  return truth_of(defined, r);
}

static tp_rel_truth_value over_ints(tp_rel_eval *e, const tp_rel_node *n) {
  int64_t a, b;
  const bool left = integer(e, n->kids[0], &a), defined = integer(e, n->kids[1], &b) && left;
  return truth_of(defined, n->kind == TP_REL_INT_EQUAL ? a == b
                           : n->kind == TP_REL_LESS    ? a < b
                                                       : a <= b);
}

static tp_rel_truth_value compute_formula(tp_rel_eval *e, const tp_rel_node *n) {
  switch ((int)n->kind) {
    case TP_REL_TRUE: return TP_REL_IS_TRUE;
    case TP_REL_FALSE: return TP_REL_IS_FALSE;
    case TP_REL_NOT: return negation(formula(e, n->kids[0]));
    case TP_REL_AND:
    case TP_REL_OR: {
      const tp_rel_truth_value decides = n->kind == TP_REL_AND ? TP_REL_IS_FALSE : TP_REL_IS_TRUE;
      tp_rel_truth_value whole = negation(decides);
      for (uint32_t i = 0; i < n->n_kids; i++)
        if (settles(&whole, formula(e, n->kids[i]), decides)) break;
      return whole;
    }
    case TP_REL_IFF: {
      const tp_rel_truth_value a = formula(e, n->kids[0]), b = formula(e, n->kids[1]);
      return truth_of(a != TP_REL_IS_UNDEFINED && b != TP_REL_IS_UNDEFINED, a == b);
    }
    case TP_REL_FORMULA_IF: {
      const tp_rel_truth_value c = formula(e, n->kids[0]);
      return c == TP_REL_IS_UNDEFINED ? c : formula(e, n->kids[c == TP_REL_IS_TRUE ? 1 : 2]);
    }
    case TP_REL_FORMULA_LET: {
      const binding old = bind_let(e, n);
      const tp_rel_truth_value t = formula(e, n->kids[1]);
      restore(e, n->vars[0], old);
      return t;
    }
    case TP_REL_ALL_OF:
    case TP_REL_SOME_OF: return quantified(e, n, 0);
    case TP_REL_INT_EQUAL:
    case TP_REL_LESS:
    case TP_REL_AT_MOST: return over_ints(e, n);
    default: return over_sets(e, n);
  }
}

static tp_rel_truth_value formula(tp_rel_eval *e, uint32_t id) {
  if (!is_current(e, id)) {
    const tp_rel_truth_value t = compute_formula(e, tp_rel_at(e->l, id));
    *value_of(e, id) = (value){.time = ++e->now, .truth = t};
  }
  return value_of(e, id)->truth;
}

// ---------------------------------------------------------------------- entry

tp_rel_truth_value tp_rel_eval_formula(tp_rel_eval *e, tp_rel_formula f) {
  TP_REQUIRE(f.id && tp_rel_sort_of(tp_rel_at(e->l, f.id)->kind) == TP_REL_SORT_FORMULA);
  return formula(e, f.id);
}

bool tp_rel_eval_expr(tp_rel_eval *e, tp_rel_expr x, tp_rel_tuples *out) {
  TP_REQUIRE(x.id && tp_rel_sort_of(tp_rel_at(e->l, x.id)->kind) == TP_REL_SORT_EXPR);
  tp_vec_clear(out);
  return expr(e, x.id, out);
}

bool tp_rel_eval_int(tp_rel_eval *e, tp_rel_int i, int64_t *out) {
  TP_REQUIRE(i.id && tp_rel_sort_of(tp_rel_at(e->l, i.id)->kind) == TP_REL_SORT_INT);
  return integer(e, i.id, out);
}
