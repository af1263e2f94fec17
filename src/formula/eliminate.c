/* Elimination of variables: conjunctions by rewriting, Bools case by case, other formulas cube by
 * cube. */
#include "formula/eliminate.h"

#include "formula/formula_limits.h"

// ------------------------------------------------------------------------ terms

typedef struct {
  const tp_eliminator *e;
  tp_term found;
} search;

static void visit_var(void *ctx, tp_term var) {
  search *s = ctx;
  if (!tp_term_is(s->found) && s->e->is_eliminated(s->e->ctx, var)) s->found = var;
}

static tp_term first_eliminated(const tp_eliminator *e, tp_term t) {
  search s = {.e = e};
  tp_for_vars(e->tt, t, visit_var, &s);
  return s.found;
}

bool tp_has_eliminated(const tp_eliminator *e, tp_term t) {
  return tp_term_is(first_eliminated(e, t));
}

// -------------------------------------------------------------------- equations

/* The inverse of an odd number modulo 2^128 (Newton: each step doubles the right bits). */
static tp_u128 inverse_of(tp_u128 odd) {
  tp_u128 x = odd;
  for (int i = 0; i < 7; i++) x *= 2 - odd * x;
  return x;
}

/* Adds up the coefficient of var in the sum t; false if var occurs in another way. */
static bool coefficient_of(const tp_terms *tt, tp_term t, tp_term var, tp_u128 factor,
                           tp_u128 *sum) {
  if (tp_term_eq(t, var)) {
    *sum += factor;
    return true;
  }
  switch ((int)tp_kind(tt, t)) {
    case TP_OP_BV_ADD:
      return coefficient_of(tt, tp_arg(tt, t, 0), var, factor, sum) &&
             coefficient_of(tt, tp_arg(tt, t, 1), var, factor, sum);
    case TP_OP_BV_NEG: return coefficient_of(tt, tp_arg(tt, t, 0), var, -factor, sum);
    case TP_OP_BV_NOT: return coefficient_of(tt, tp_arg(tt, t, 0), var, -factor, sum);
    case TP_OP_BV_MUL:
      for (uint32_t i = 0; i < 2; i++)
        if (tp_kind(tt, tp_arg(tt, t, i)) == TP_OP_BV_CONST)
          return coefficient_of(tt, tp_arg(tt, t, 1 - i), var,
                                factor * tp_bv_value(tt, tp_arg(tt, t, i)), sum);
      break;
    default: break;
  }
  return !tp_occurs(tt, var, t);
}

tp_term tp_solve_for(tp_terms *tt, tp_term a, tp_term b, tp_term var) {
  TP_REQUIRE(tp_sort_eq(tp_sort_of(tt, a), tp_sort_of(tt, b)));
  tp_u128 c = 0;
  tp_sort sort = tp_sort_of(tt, a);
  if (tp_term_eq(a, var)) return tp_occurs(tt, var, b) ? TP_TERM_NONE : b;
  if (tp_term_eq(b, var)) return tp_occurs(tt, var, a) ? TP_TERM_NONE : a;
  if (tp_sort_kind_of(tt, sort) != TP_SORT_BV || !tp_sort_eq(sort, tp_sort_of(tt, var)))
    return TP_TERM_NONE;
  tp_term difference = tp_mk_sub(tt, a, b);
  if (!coefficient_of(tt, difference, var, 1, &c) || !(c & 1)) return TP_TERM_NONE;
  uint32_t w = tp_sort_width(tt, sort);
  tp_term rest = tp_mk_sub(tt, difference, tp_mk2(tt, TP_OP_BV_MUL, tp_mk_bv(tt, w, c), var));
  tp_term value = tp_mk2(tt, TP_OP_BV_MUL, tp_mk_bv(tt, w, -inverse_of(c)), rest);
  return tp_occurs(tt, var, value) ? TP_TERM_NONE : value;
}

/* What a conjunct says that var is; NONE: nothing. */
static tp_term value_in(tp_terms *tt, tp_term fact, tp_term var) {
  if (tp_term_eq(fact, var)) return tp_mk_true(tt);
  if (tp_kind(tt, fact) == TP_OP_NOT) {
    tp_term a = tp_arg(tt, fact, 0);
    if (tp_term_eq(a, var)) return tp_mk_false(tt);
    if (tp_kind(tt, a) == TP_OP_EQ &&
        tp_sort_kind_of(tt, tp_sort_of(tt, tp_arg(tt, a, 0))) == TP_SORT_BOOL) {
      for (uint32_t i = 0; i < 2; i++)
        if (tp_term_eq(tp_arg(tt, a, i), var) && !tp_occurs(tt, var, tp_arg(tt, a, 1 - i)))
          return tp_mk_not(tt, tp_arg(tt, a, 1 - i));
    }
    return TP_TERM_NONE;
  }
  return tp_kind(tt, fact) == TP_OP_EQ
             ? tp_solve_for(tt, tp_arg(tt, fact, 0), tp_arg(tt, fact, 1), var)
             : TP_TERM_NONE;
}

// ----------------------------------------------------------------------- bounds

/* A conjunct that compares var with a term without it. */
typedef struct {
  tp_term bound;
  bool is_upper, is_strict, is_signed, is_disequality;
} compared;

static bool comparison(const tp_terms *tt, tp_term fact, tp_term var, compared *out) {
  tp_term_kind k = tp_kind(tt, fact);
  if (k == TP_OP_NOT && tp_kind(tt, tp_arg(tt, fact, 0)) == TP_OP_EQ) {
    tp_term eq = tp_arg(tt, fact, 0);
    *out = (compared){.is_disequality = true};
    if (!tp_term_eq(tp_arg(tt, eq, 0), var) && !tp_term_eq(tp_arg(tt, eq, 1), var)) return false;
    out->bound = tp_arg(tt, eq, tp_term_eq(tp_arg(tt, eq, 0), var) ? 1 : 0);
    return !tp_occurs(tt, var, out->bound);
  }
  const tp_order order = tp_kind_order(k);
  if (!order.is_order) return false;
  tp_term a = tp_arg(tt, fact, 0), b = tp_arg(tt, fact, 1);
  if (tp_term_eq(a, var) == tp_term_eq(b, var)) return false;
  *out = (compared){.bound = tp_term_eq(a, var) ? b : a,
                    .is_upper = tp_term_eq(a, var),
                    .is_strict = order.is_strict,
                    .is_signed = order.is_signed};
  return !tp_occurs(tt, var, out->bound);
}

/* Is there a value between them? l <= v <= u and so on, exactly. */
static tp_term between(tp_terms *tt, compared l, compared u) {
  tp_term_kind lt = l.is_signed ? TP_OP_BV_SLT : TP_OP_BV_ULT,
               le = l.is_signed ? TP_OP_BV_SLE : TP_OP_BV_ULE;
  tp_term some = tp_mk2(tt, l.is_strict || u.is_strict ? lt : le, l.bound, u.bound);
  if (!l.is_strict || !u.is_strict) return some;
  tp_term next = tp_mk2(tt, TP_OP_BV_ADD, l.bound, tp_mk_bv(tt, tp_width(tt, l.bound), 1));
  return tp_mk_and(tt, some, tp_mk_not(tt, tp_mk_eq(tt, next, u.bound)));
}

static compared end_of_range(tp_terms *tt, uint32_t width, bool is_signed, bool is_upper) {
  tp_u128 top = (tp_u128)1 << (width - 1), value = is_signed  ? (is_upper ? top - 1 : top)
                                                   : is_upper ? top | (top - 1)
                                                              : 0;
  return (compared){
      .bound = tp_mk_bv(tt, width, value), .is_upper = is_upper, .is_signed = is_signed};
}

/* Removes var, which facts only compare; false if it occurs in another way. */
static bool resolve(const tp_eliminator *e, tp_term_list *facts, tp_term var, bool *exact) {
  tp_terms *tt = e->tt;
  TP_VEC(compared) lower = {0}, upper = {0};
  tp_term_list out = {0};
  bool ok = tp_sort_kind_of(tt, tp_sort_of(tt, var)) == TP_SORT_BV, first = true, is_signed = false,
       unequal = false;
  uint32_t w = tp_width(tt, var), n_unequal = 0;
  for (size_t i = 0; ok && i < facts->n; i++) {
    compared c;
    if (!tp_occurs(tt, var, facts->at[i])) {
      tp_vec_push(&out, facts->at[i]);
    } else if (!comparison(tt, facts->at[i], var, &c) ||
               (!c.is_disequality && !first && c.is_signed != is_signed)) {
      ok = false;
    } else if (c.is_disequality) {
      unequal = true;
      n_unequal++;
    } else {
      first = false;
      is_signed = c.is_signed;
      if (c.is_upper)
        tp_vec_push(&upper, c);
      else
        tp_vec_push(&lower, c);
    }
  }
  ok = ok && lower.n * upper.n <= TP_FORMULA_RESOLVENTS;
  if (ok && !first) {
    compared least = end_of_range(tt, w, is_signed, false),
             most = end_of_range(tt, w, is_signed, true);
    for (size_t i = 0; i < upper.n; i++) tp_vec_push(&out, between(tt, least, upper.at[i]));
    for (size_t i = 0; i < lower.n; i++) tp_vec_push(&out, between(tt, lower.at[i], most));
    for (size_t i = 0; i < lower.n; i++)
      for (size_t j = 0; j < upper.n; j++) tp_vec_push(&out, between(tt, lower.at[i], upper.at[j]));
  }
  if (ok) {
    // Disequalities alone leave some value, if they are fewer than values; beside bounds they may
    // not.
    if (unequal && (!first || w < 8 || n_unequal > 200)) *exact = false;
    facts->n = 0;
    for (size_t i = 0; i < out.n; i++) tp_conjuncts(tt, out.at[i], facts);
  }
  tp_vec_clear(&lower);
  tp_vec_clear(&upper);
  tp_vec_clear(&out);
  return ok;
}

// ---------------------------------------------------------------- conjunctions

static void substitute_in_all(tp_terms *tt, tp_term_list *facts, tp_term var, tp_term value) {
  tp_term_list old = *facts;
  *facts = (tp_term_list){0};
  for (size_t i = 0; i < old.n; i++) tp_conjuncts(tt, tp_replace(tt, old.at[i], var, value), facts);
  tp_vec_clear(&old);
}

/* A disequality that alone mentions var, by an odd coefficient, can always be met. */
static bool drop_unconstrained(const tp_eliminator *e, tp_term_list *facts, tp_term var) {
  tp_terms *tt = e->tt;
  size_t at = SIZE_MAX;
  for (size_t i = 0; i < facts->n; i++) {
    if (!tp_occurs(tt, var, facts->at[i])) continue;
    if (at != SIZE_MAX) return false;
    at = i;
  }
  if (at == SIZE_MAX || tp_kind(tt, facts->at[at]) != TP_OP_NOT) return false;
  tp_term eq = tp_arg(tt, facts->at[at], 0);
  if (tp_kind(tt, eq) != TP_OP_EQ ||
      !tp_term_is(tp_solve_for(tt, tp_arg(tt, eq, 0), tp_arg(tt, eq, 1), var)))
    return false;
  facts->at[at] = tp_mk_true(tt);
  return true;
}

/* Eliminating v + s is equivalent to eliminating v, for every term s without v: if a comparison has
 * such a sum, the sum becomes the variable. */
static bool resolve_sum(const tp_eliminator *e, tp_term_list *facts, tp_term var, bool *exact) {
  tp_terms *tt = e->tt;
  if (tp_sort_kind_of(tt, tp_sort_of(tt, var)) != TP_SORT_BV) return false;
  for (size_t i = 0, tries = 0; i < facts->n && tries < TP_FORMULA_ELIMINATED_SUMS; i++) {
    tp_term_kind k = tp_kind(tt, facts->at[i]);
    if (!tp_kind_order(k).is_order) continue;
    for (uint32_t j = 0; j < 2; j++) {
      tp_term side = tp_arg(tt, facts->at[i], j);
      if (tp_term_eq(side, var) || !tp_occurs(tt, var, side)) continue;
      tp_term whole = tp_mk_var(tt, "sum", tp_sort_of(tt, side)),
              value = tp_solve_for(tt, side, whole, var);
      if (!tp_term_is(value)) continue;
      tp_term_list copy = {0};
      for (size_t f = 0; f < facts->n; f++)
        tp_conjuncts(tt, tp_replace(tt, facts->at[f], var, value), &copy);
      bool ok = resolve(e, &copy, whole, exact);
      if (ok) {
        tp_term_list old = *facts;
        *facts = copy;
        copy = old;
      }
      tp_vec_clear(&copy);
      if (ok) return true;
      tries++;
    }
  }
  return false;
}

typedef struct {
  const tp_terms *tt;
  tp_term var, found;
} term_search;

static tp_visit find_extension(void *ctx, tp_term t) {
  term_search *s = ctx;
  tp_term_kind k = tp_kind(s->tt, t);
  if ((k == TP_OP_BV_ZEXT || k == TP_OP_BV_SEXT) && tp_term_eq(tp_arg(s->tt, t, 0), s->var))
    s->found = t;
  return tp_term_is(s->found) ? TP_VISIT_STOP : TP_VISIT_ARGS;
}

/* The extension of var in t; NONE: there is none. */
static tp_term extension_of(const tp_terms *tt, tp_term t, tp_term var) {
  term_search s = {tt, var, TP_TERM_NONE};
  tp_visitor v = {.ctx = &s, .visit = find_extension, .order = TP_RIGHT_TO_LEFT};
  (void)tp_visit_terms(tt, t, &v, NULL);
  return s.found;
}

/* A variable that occurs in one of its extensions only becomes a wide variable between bounds. */
static bool widen(const tp_eliminator *e, tp_term_list *facts, tp_term var) {
  tp_terms *tt = e->tt;
  tp_term wide = TP_TERM_NONE, all = tp_mk_and_n(tt, facts->at, facts->n);
  for (size_t i = 0; i < facts->n && !tp_term_is(wide); i++)
    wide = extension_of(tt, facts->at[i], var);
  if (!tp_term_is(wide)) return false;
  tp_term u = tp_mk_var(tt, tp_var_name(tt, var), tp_sort_of(tt, wide));
  all = tp_replace(tt, all, wide, u);
  if (tp_occurs(tt, var, all)) return false;
  bool is_signed = tp_kind(tt, wide) == TP_OP_BV_SEXT;
  compared low = end_of_range(tt, tp_width(tt, var), is_signed, false),
           high = end_of_range(tt, tp_width(tt, var), is_signed, true);
  tp_term_kind le = is_signed ? TP_OP_BV_SLE : TP_OP_BV_ULE;
  facts->n = 0;
  tp_conjuncts(tt, all, facts);
  tp_conjuncts(tt, tp_mk2(tt, le, tp_mk_resize(tt, tp_width(tt, wide), is_signed, low.bound), u),
               facts);
  tp_conjuncts(tt, tp_mk2(tt, le, u, tp_mk_resize(tt, tp_width(tt, wide), is_signed, high.bound)),
               facts);
  return true;
}

/* One step with this variable. */
static bool remove_var(const tp_eliminator *e, tp_term_list *facts, tp_term var, bool *exact) {
  for (size_t i = 0; i < facts->n; i++) {
    tp_term value = value_in(e->tt, facts->at[i], var);
    if (!tp_term_is(value)) continue;
    substitute_in_all(e->tt, facts, var, value);
    return true;
  }
  return drop_unconstrained(e, facts, var) || resolve(e, facts, var, exact) ||
         resolve_sum(e, facts, var, exact) || widen(e, facts, var);
}

/* Victims in the order in which they occur. */
static void list_eliminated(const tp_eliminator *e, const tp_term_list *facts, tp_term_list *out);

typedef struct {
  const tp_eliminator *e;
  tp_map seen;
  tp_term_list *out;
} lister;

static void list_var(void *ctx, tp_term var) {
  lister *l = ctx;
  if (tp_map_has(&l->seen, var.id) || !l->e->is_eliminated(l->e->ctx, var)) return;
  tp_map_set(&l->seen, var.id, 1);
  tp_vec_push(l->out, var);
}

static void list_eliminated(const tp_eliminator *e, const tp_term_list *facts, tp_term_list *out) {
  lister l = {.e = e, .out = out};
  for (size_t i = 0; i < facts->n; i++) tp_for_vars(e->tt, facts->at[i], list_var, &l);
  tp_map_clear(&l.seen);
}

/* Eliminates variables by rewriting, as far as possible. True: none is left to eliminate. */
static bool by_rewriting(const tp_eliminator *e, tp_term_list *facts, bool *exact) {
  tp_term_list eliminated = {0};
  bool progress = true;
  for (int pass = 0; progress && pass < TP_FORMULA_ELIMINATION_PASSES; pass++) {
    progress = false;
    eliminated.n = 0;
    list_eliminated(e, facts, &eliminated);
    for (size_t i = 0; !progress && i < eliminated.n; i++)
      progress = remove_var(e, facts, eliminated.at[i], exact);
  }
  bool clean = eliminated.n == 0;
  tp_vec_clear(&eliminated);
  return clean;
}

// ------------------------------------------------------------------------ cases

static tp_term eliminated_bool(const tp_eliminator *e, const tp_term_list *facts) {
  tp_term_list eliminated = {0};
  tp_term found = TP_TERM_NONE;
  list_eliminated(e, facts, &eliminated);
  for (size_t i = 0; i < eliminated.n && !tp_term_is(found); i++)
    if (tp_sort_kind_of(e->tt, tp_sort_of(e->tt, eliminated.at[i])) == TP_SORT_BOOL)
      found = eliminated.at[i];
  tp_vec_clear(&eliminated);
  return found;
}

/* Both values of each Bool to eliminate, if rewriting does the rest; exact, without a solver.
 * False: too many, or something resists. */
static bool by_cases(const tp_eliminator *e, tp_term t, uint32_t depth, tp_term *out) {
  tp_term_list facts = {0};
  bool exact = true, ok = true;
  tp_conjuncts(e->tt, t, &facts);
  if (by_rewriting(e, &facts, &exact)) {
    *out = tp_mk_and_n(e->tt, facts.at, facts.n);
    ok = exact;
  } else {
    tp_term variable = eliminated_bool(e, &facts), rest = tp_mk_and_n(e->tt, facts.at, facts.n),
            yes, no;
    ok = exact && depth > 0 && tp_term_is(variable) &&
         by_cases(e, tp_replace(e->tt, rest, variable, tp_mk_true(e->tt)), depth - 1, &yes) &&
         by_cases(e, tp_replace(e->tt, rest, variable, tp_mk_false(e->tt)), depth - 1, &no);
    if (ok) *out = tp_mk_or(e->tt, yes, no);
  }
  tp_vec_clear(&facts);
  return ok;
}

// ------------------------------------------------------------------------ cubes

/* Literals that hold in a model and imply the formula: of a disjunction one that holds is taken. */
typedef struct {
  const tp_eliminator *e;
  tp_smt *smt;
  tp_term_list todo;  // Bool terms that hold
  tp_term_list literals;
  size_t steps;
  bool ok;
} cube;

static bool value_is_true(cube *c, tp_term t) {
  tp_value v;
  if (!tp_smt_value(c->smt, t, &v)) {
    c->ok = false;
    return false;
  }
  return v.bits != 0;
}

static tp_visit find_condition(void *ctx, tp_term t) {
  term_search *s = ctx;
  if (tp_kind(s->tt, t) == TP_OP_ITE) s->found = tp_arg(s->tt, t, 0);
  return tp_term_is(s->found) ? TP_VISIT_STOP : TP_VISIT_ARGS;
}

/* A conditional below an atom; NONE: there is none. */
static tp_term inner_condition(const tp_terms *tt, tp_term t) {
  term_search s = {tt, TP_TERM_NONE, TP_TERM_NONE};
  tp_visitor v = {.ctx = &s, .visit = find_condition, .order = TP_RIGHT_TO_LEFT};
  (void)tp_visit_terms(tt, t, &v, NULL);
  return s.found;
}

static void add_atom(cube *c, tp_term atom) {
  tp_terms *tt = c->e->tt;
  tp_term condition = inner_condition(tt, atom);
  if (!tp_term_is(condition)) {
    tp_vec_push(&c->literals, atom);
    return;
  }
  bool holds = value_is_true(c, condition);
  tp_vec_push(&c->todo, holds ? condition : tp_mk_not(tt, condition));
  tp_vec_push(&c->todo, tp_replace(tt, atom, condition, tp_mk_bool(tt, holds)));
}

/* Of two disjuncts one that holds, without variables to eliminate if possible. */
static void add_either(cube *c, tp_term a, tp_term b) {
  bool a_holds = value_is_true(c, a), b_holds = value_is_true(c, b);
  if (a_holds && b_holds && tp_has_eliminated(c->e, a) && !tp_has_eliminated(c->e, b))
    a_holds = false;
  tp_vec_push(&c->todo, a_holds ? a : b);
}

static void add_equivalence(cube *c, tp_term a, tp_term b, bool same) {
  tp_terms *tt = c->e->tt;
  bool value = value_is_true(c, a);
  tp_vec_push(&c->todo, value ? a : tp_mk_not(tt, a));
  tp_vec_push(&c->todo, value == same ? b : tp_mk_not(tt, b));
}

static bool is_bool(const tp_terms *tt, tp_term t) {
  return tp_sort_kind_of(tt, tp_sort_of(tt, t)) == TP_SORT_BOOL;
}

static void add_formula(cube *c, tp_term t) {
  tp_terms *tt = c->e->tt;
  bool negated = tp_kind(tt, t) == TP_OP_NOT;
  tp_term a = negated ? tp_arg(tt, t, 0) : t;
  switch ((int)tp_kind(tt, a)) {
    case TP_OP_TRUE:
    case TP_OP_FALSE: break;
    case TP_OP_AND:
    case TP_OP_OR: {
      bool both = (tp_kind(tt, a) == TP_OP_AND) != negated;
      tp_term l = tp_arg(tt, a, 0), r = tp_arg(tt, a, 1);
      if (negated) l = tp_mk_not(tt, l), r = tp_mk_not(tt, r);
      if (!both) {
        add_either(c, l, r);
        break;
      }
      tp_vec_push(&c->todo, l);
      tp_vec_push(&c->todo, r);
      break;
    }
    case TP_OP_XOR: add_equivalence(c, tp_arg(tt, a, 0), tp_arg(tt, a, 1), negated); break;
    case TP_OP_ITE: {
      bool holds = value_is_true(c, tp_arg(tt, a, 0));
      tp_term branch = tp_arg(tt, a, holds ? 1 : 2);
      tp_vec_push(&c->todo, holds ? tp_arg(tt, a, 0) : tp_mk_not(tt, tp_arg(tt, a, 0)));
      tp_vec_push(&c->todo, negated ? tp_mk_not(tt, branch) : branch);
      break;
    }
    case TP_OP_EQ:
      if (is_bool(tt, tp_arg(tt, a, 0)))
        add_equivalence(c, tp_arg(tt, a, 0), tp_arg(tt, a, 1), !negated);
      else
        add_atom(c, t);
      break;
    default: add_atom(c, t); break;
  }
}

/* x != y of bit-vectors around a model: x < y or y < x would be two cubes; equations are what
 * helps, so disequalities stay. */
static bool grow_cube(cube *c, tp_term t) {
  c->ok = true;
  tp_vec_push(&c->todo, t);
  while (c->ok && c->todo.n && c->steps++ < TP_FORMULA_CUBE_STEPS)
    add_formula(c, tp_vec_pop(&c->todo));
  return c->ok && c->todo.n == 0;
}

/* The cube without the eliminated variables; a variable that no rule eliminates is replaced by its
 * value in the model. */
static bool project_cube(cube *c, tp_term *out) {
  const tp_eliminator *e = c->e;
  bool exact = true;
  tp_term_list kept = {0}, eliminated = {0};
  for (size_t i = 0; i < c->literals.n; i++) tp_vec_push(&kept, c->literals.at[i]);
  bool clean = by_rewriting(e, &kept, &exact);
  if (!exact) {  // disequalities were lost: the cube would say too much
    kept.n = 0;
    for (size_t i = 0; i < c->literals.n; i++) tp_vec_push(&kept, c->literals.at[i]);
    clean = false;
  }
  if (!clean) list_eliminated(e, &kept, &eliminated);
  for (size_t i = 0; i < eliminated.n; i++) {
    tp_value v;
    tp_sort sort = tp_sort_of(e->tt, eliminated.at[i]);
    if (tp_sort_kind_of(e->tt, sort) == TP_SORT_ARRAY ||
        !tp_smt_value(c->smt, eliminated.at[i], &v))
      c->ok = false;
    else
      substitute_in_all(e->tt, &kept, eliminated.at[i], tp_mk_value(e->tt, sort, v));
  }
  *out = tp_mk_and_n(e->tt, kept.at, kept.n);
  tp_vec_clear(&kept);
  tp_vec_clear(&eliminated);
  return c->ok;
}

/* Cubes until they cover t; false if max_cubes do not. */
static bool by_cubes(const tp_eliminator *e, tp_term t, tp_term *out) {
  tp_terms *tt = e->tt;
  tp_term all = tp_mk_false(tt);
  bool done = false, ok = true;
  for (uint32_t i = 0; ok && !done && i <= e->max_cubes; i++) {
    cube c = {.e = e, .smt = tp_smt_new(tt, e->smt)};
    tp_term rest = tp_mk_and(tt, t, tp_mk_not(tt, all)), one;
    tp_smt_assert(c.smt, e->query ? e->query(e->ctx, rest) : rest);
    tp_smt_answer answer = tp_smt_check(c.smt, NULL, 0);
    done = answer == TP_SMT_UNSAT;
    ok = done || (answer == TP_SMT_SAT && i < e->max_cubes);
    if (ok && !done && (ok = grow_cube(&c, t) && project_cube(&c, &one)))
      all = tp_mk_or(tt, all, one);
    tp_smt_free(c.smt);
    tp_vec_clear(&c.todo);
    tp_vec_clear(&c.literals);
  }
  *out = all;
  return done;
}

// ------------------------------------------------------------------------ whole

/* Pointers to eliminate become pairs (object, offset) of variables to eliminate, so that equations
 * can determine each half. */
static void split_pointers(const tp_eliminator *e, tp_term_list *facts) {
  tp_terms *tt = e->tt;
  tp_term_list eliminated = {0};
  list_eliminated(e, facts, &eliminated);
  for (size_t i = 0; i < eliminated.n; i++) {
    if (tp_sort_kind_of(tt, tp_sort_of(tt, eliminated.at[i])) != TP_SORT_PTR) continue;
    tp_term object = tp_mk_var(tt, "object", tp_sort_bv(tt, TP_OBJ_BITS)),
            offset = tp_mk_var(tt, "offset", tp_sort_bv(tt, tp_terms_ptr_bits(tt)));
    substitute_in_all(tt, facts, eliminated.at[i], tp_mk_ptr(tt, object, offset));
  }
  tp_vec_clear(&eliminated);
}

tp_term tp_eliminate(const tp_eliminator *e, tp_term t, bool *exact) {
  TP_REQUIRE(e->is_eliminated && exact &&
             tp_sort_kind_of(e->tt, tp_sort_of(e->tt, t)) == TP_SORT_BOOL);
  tp_terms *tt = e->tt;
  tp_term_list facts = {0};
  tp_term out;
  *exact = true;
  tp_conjuncts(tt, t, &facts);
  split_pointers(e, &facts);
  if (!by_rewriting(e, &facts, exact)) {
    tp_term_list clean = {0}, dirty = {0};
    for (size_t i = 0; i < facts.n; i++) {
      if (tp_has_eliminated(e, facts.at[i]))
        tp_vec_push(&dirty, facts.at[i]);
      else
        tp_vec_push(&clean, facts.at[i]);
    }
    tp_term rest = tp_mk_and_n(tt, dirty.at, dirty.n), cubes;
    if (by_cases(e, rest, TP_FORMULA_ELIMINATION_CASES, &cubes) ||
        (e->max_cubes && by_cubes(e, rest, &cubes)))
      tp_vec_push(&clean, cubes);
    else
      *exact = false;  // facts with a variable to eliminate are dropped
    facts.n = 0;
    for (size_t i = 0; i < clean.n; i++) tp_vec_push(&facts, clean.at[i]);
    tp_vec_clear(&clean);
    tp_vec_clear(&dirty);
  }
  out = tp_mk_and_n(tt, facts.at, facts.n);
  tp_vec_clear(&facts);
  return out;
}
