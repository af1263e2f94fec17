/* Small universes with random relations, and random formulas about them: for the tests of rel/. */
#ifndef TP_CONTRACTS_REL_TESTING_H
#define TP_CONTRACTS_REL_TESTING_H

#include "contracts/contracts_limits.h"
#include "contracts/rel/rel_bounds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

// ------------------------------------------------------------------ small worlds

/* Three or four atoms n0 n1 ..., perhaps integers, relations with bounds between which few tuples
 * are open. */
enum { MAX_OPEN = 7, MAX_RELATIONS = 4, WIDTH = 3 };

typedef struct {
  tp_rng rng;
  tp_rel *l;
  tp_rel_universe *u;
  tp_rel_bounds *b;
  tp_rel_expr relation[MAX_RELATIONS];
  uint32_t n_open;
  struct {
    uint32_t relation;
    uint64_t tuple;
  } open[MAX_OPEN];
  tp_rel_expr scope[16];  // variables in use
  uint32_t n_scope;
} world;

static uint64_t below(world *w, uint64_t n) { return tp_rng_below(&w->rng, n); }

typedef enum { OPEN, PRESENT, ABSENT } fate;

/* Which columns have equal atoms: renaming atoms does not change it. */
static uint32_t pattern_of(const uint32_t *atoms, uint32_t arity) {
  uint32_t pattern = 0;
  for (uint32_t i = 0; i < arity; i++)
    for (uint32_t j = 0; j < i; j++) pattern = pattern * 2 + (atoms[i] == atoms[j]);
  return pattern;
}

/* Every tuple is open, always there, or never. Where atoms are to stay interchangeable its pattern
 * decides, else chance. */
static void bind_at_random(world *w, uint32_t r, bool symmetric) {
  tp_rel_tuples lower = {0}, upper = {0};
  const uint32_t arity = tp_rel_at(w->l, w->relation[r].id)->arity;
  const uint64_t n = tp_rel_n_tuples(w->u, arity), share = 2 + below(w, 3);
  fate of_pattern[8];
  for (uint32_t k = 0; k < 8; k++)
    of_pattern[k] = (fate)below(w, arity == 3 ? 1 : 3) + (arity == 3 ? 2 : 0);
  if (symmetric && r < 2) of_pattern[arity == 2 && tp_rel_n_atoms(w->u) == 3] = OPEN;
  for (uint64_t t = 0; t < n; t++) {
    uint32_t atoms[TP_CONTRACTS_ARITY];
    tp_rel_tuple_atoms(w->u, t, arity, atoms);
    fate f = symmetric             ? of_pattern[pattern_of(atoms, arity)]
             : below(w, share) > 0 ? ABSENT
             : below(w, 4) > 0     ? OPEN
                                   : PRESENT;
    if (f == OPEN && w->n_open == MAX_OPEN) f = ABSENT;
    if (f == ABSENT) continue;
    if (f == OPEN) {
      w->open[w->n_open].relation = r;
      w->open[w->n_open++].tuple = t;
    } else
      tp_rel_tuples_add(&lower, t);
    tp_rel_tuples_add(&upper, t);
  }
  assert_int_equal(tp_rel_bound(w->b, w->relation[r], &lower, &upper), TP_OK);
  tp_rel_tuples_clear(&lower);
  tp_rel_tuples_clear(&upper);
}

/* ALL_INTEGERS: those of the width, behind two or three other atoms; else as it comes. */
typedef enum { ANY_ATOMS, ALL_INTEGERS } world_kind;
static void world_init(world *w, uint64_t seed, world_kind kind) {
  static const uint32_t arities[MAX_RELATIONS] = {1, 2, 1, 3};
  static const char *const names[MAX_RELATIONS] = {"A", "r", "B", "t"};
  *w = (world){.l = tp_rel_new(), .u = tp_rel_universe_new()};
  tp_rng_init(&w->rng, seed);
  const uint64_t shape = kind == ALL_INTEGERS ? 3 : below(w, 3);
  tp_rel_atom(w->u, "n0");
  tp_rel_atom(w->u, "n1");
  if (shape == 2 || (shape == 0 && below(w, 2))) tp_rel_atom(w->u, "n2");
  if (shape == 1) tp_rel_int_atom(w->u, (int64_t)below(w, 9) - 4);
  if (shape == 1 || shape == 2) tp_rel_int_atom(w->u, (int64_t)below(w, 5) - 2);
  if (shape == 3 && below(w, 2)) tp_rel_atom(w->u, "n2");
  if (shape == 3) tp_rel_int_atoms(w->u, WIDTH);
  w->b = tp_rel_bounds_new(w->l, w->u);
  for (uint32_t r = 0; r < MAX_RELATIONS; r++)
    w->relation[r] = tp_rel_relation(w->l, names[r], arities[r]);
  for (uint32_t r = 0; r < MAX_RELATIONS; r++) bind_at_random(w, r, shape == 0);
}

static void world_clear(world *w) {
  tp_rel_bounds_free(w->b);
  tp_rel_universe_free(w->u);
  tp_rel_free(w->l);
}

static void instance_of(const world *w, uint32_t mask, tp_rel_instance *i) {
  for (uint32_t r = 0; r < i->n; r++) tp_rel_tuples_copy(&i->of[r], tp_rel_lower(w->b, r));
  for (uint32_t k = 0; k < w->n_open; k++)
    if (mask >> k & 1) tp_rel_tuples_add(&i->of[w->open[k].relation], w->open[k].tuple);
}

// ---------------------------------------------------------------- random formulas

static tp_rel_formula any_formula(world *w, uint32_t depth);
static tp_rel_int any_int(world *w, uint32_t depth);

static tp_rel_expr any_leaf(world *w, uint32_t arity) {
  const uint64_t dice = below(w, 8);
  if (w->n_scope && dice < 4) {
    const tp_rel_expr v = w->scope[below(w, w->n_scope)];
    if (tp_rel_at(w->l, v.id)->arity == arity) return v;
  }
  if (arity == 2 && dice == 7) return tp_rel_iden(w->l);
  if (arity == 1 && dice == 7) return tp_rel_univ(w->l);
  if (arity == 1 && dice == 6) return tp_rel_ints(w->l);
  if (arity > 3 || (dice == 5 && below(w, 3) == 0)) return tp_rel_none(w->l, arity);
  return w->relation[arity == 1 ? 2 * below(w, 2) : arity == 2 ? 1 : 3];
}

static tp_rel_expr any_expr(world *w, uint32_t arity, uint32_t depth);

/* A new variable, or one that is in use outside: then the inner one counts. */
static tp_rel_var variable(world *w, uint32_t arity, uint32_t other_than) {
  const uint32_t known = tp_rel_n_variables(w->l), v = known ? 1 + (uint32_t)below(w, known) : 0;
  const tp_rel_expr use = tp_rel_use(w->l, (tp_rel_var){v});
  if (v && v != other_than && tp_rel_at(w->l, use.id)->arity == arity && below(w, 3) == 0)
    return (tp_rel_var){v};
  return tp_rel_variable(w->l, "x", arity);
}

/* Variables over sets; the later ones may use the earlier ones. Returns how many were declared. */
static uint32_t declare(world *w, tp_rel_decl *decls, uint32_t n, uint32_t depth) {
  for (uint32_t i = 0; i < n; i++) {
    decls[i].in = any_expr(w, 1, depth);
    decls[i].var = variable(w, 1, i ? decls[i - 1].var.id : 0);
    w->scope[w->n_scope++] = tp_rel_use(w->l, decls[i].var);
  }
  return n;
}

static tp_rel_expr any_let(world *w, uint32_t arity, uint32_t depth) {
  const uint32_t arity_v = 1 + (uint32_t)below(w, 2);
  const tp_rel_expr v = any_expr(w, arity_v, depth);
  const tp_rel_var x = variable(w, arity_v, 0);
  w->scope[w->n_scope++] = tp_rel_use(w->l, x);
  const tp_rel_expr body = any_expr(w, arity, depth);
  w->n_scope--;
  return tp_rel_let(w->l, x, v, body);
}

static tp_rel_expr any_expr(world *w, uint32_t arity, uint32_t depth) {
  if (depth == 0 || below(w, 6) == 0) return any_leaf(w, arity);
  const uint32_t d = depth - 1;
  switch (below(w, 13)) {
    case 0: return tp_rel_binary(w->l, TP_REL_UNION, any_expr(w, arity, d), any_expr(w, arity, d));
    case 1:
      return tp_rel_binary(w->l, TP_REL_INTERSECTION, any_expr(w, arity, d), any_expr(w, arity, d));
    case 2:
      return tp_rel_binary(w->l, TP_REL_DIFFERENCE, any_expr(w, arity, d), any_expr(w, arity, d));
    case 3:
      return tp_rel_binary(w->l, TP_REL_OVERRIDE, any_expr(w, arity, d), any_expr(w, arity, d));
    case 4: return tp_rel_binary(w->l, TP_REL_DOMAIN, any_expr(w, 1, d), any_expr(w, arity, d));
    case 5: return tp_rel_binary(w->l, TP_REL_RANGE, any_expr(w, arity, d), any_expr(w, 1, d));
    case 6: return tp_rel_if(w->l, any_formula(w, d), any_expr(w, arity, d), any_expr(w, arity, d));
    case 7: return any_let(w, arity, d);
    case 8:
    case 9: {
      const uint32_t left = 1 + (uint32_t)below(w, arity + 1);
      return tp_rel_binary(w->l, TP_REL_JOIN, any_expr(w, left, d),
                           any_expr(w, arity + 2 - left, d));
    }
    case 10:
      if (arity == 1) return tp_rel_atom_of(w->l, any_int(w, d));
      return tp_rel_binary(w->l, TP_REL_PRODUCT, any_expr(w, 1, d), any_expr(w, arity - 1, d));
    case 11:
      if (arity != 2) return any_leaf(w, arity);
      return tp_rel_unary(
          w->l, (tp_rel_kind[]){TP_REL_TRANSPOSE, TP_REL_CLOSURE, TP_REL_REFLEXIVE}[below(w, 3)],
          any_expr(w, 2, d));
    default: break;
  }
  tp_rel_decl decls[3];
  const uint32_t n = declare(w, decls, arity < 3 ? arity : 2, d > 0 ? d - 1 : 0);
  const tp_rel_formula body = any_formula(w, d);
  w->n_scope -= n;
  const tp_rel_expr set = tp_rel_comprehension(w->l, decls, n, body);
  return n == arity ? set : tp_rel_binary(w->l, TP_REL_PRODUCT, set, any_expr(w, arity - n, d));
}

static tp_rel_int any_int(world *w, uint32_t depth) {
  if (depth == 0 || below(w, 4) == 0) return tp_rel_constant(w->l, (int64_t)below(w, 9) - 4);
  const uint32_t d = depth - 1;
  switch (below(w, 6)) {
    case 0: return tp_rel_cardinality(w->l, any_expr(w, 1 + (uint32_t)below(w, 2), d));
    case 1:
      return below(w, 2) ? tp_rel_total(w->l, any_expr(w, 1, d))
                         : tp_rel_only_int(w->l, any_expr(w, 1, d));
    case 2: return tp_rel_negative(w->l, any_int(w, d));
    case 3: return tp_rel_int_if(w->l, any_formula(w, d), any_int(w, d), any_int(w, d));
    case 4: {
      tp_rel_decl decls[2];
      const uint32_t n = declare(w, decls, 1 + (uint32_t)below(w, 2), d > 0 ? d - 1 : 0);
      const tp_rel_int body = any_int(w, d);
      w->n_scope -= n;
      return tp_rel_sum(w->l, decls, n, body);
    }
    default: break;
  }
  return tp_rel_arithmetic(w->l, (tp_rel_kind)(TP_REL_PLUS + below(w, 5)), any_int(w, d),
                           any_int(w, d));
}

static tp_rel_formula any_quantified(world *w, uint32_t d) {
  tp_rel_decl decls[2];
  const uint32_t n = declare(w, decls, 1 + (uint32_t)below(w, 2), d > 0 ? d - 1 : 0);
  const tp_rel_formula body = any_formula(w, d);
  w->n_scope -= n;
  return tp_rel_quantify(w->l, (tp_rel_quantifier)below(w, 5), decls, n, body);
}

static tp_rel_formula any_formula(world *w, uint32_t depth) {
  if (depth == 0)
    return tp_rel_multiplicity(w->l, (tp_rel_kind)(TP_REL_SOME + below(w, 4)),
                               any_leaf(w, 1 + (uint32_t)below(w, 2)));
  const uint32_t d = depth - 1, arity = 1 + (uint32_t)below(w, 2);
  switch (below(w, 10)) {
    case 0: return tp_rel_not(w->l, any_formula(w, d));
    case 1: return tp_rel_and(w->l, any_formula(w, d), any_formula(w, d));
    case 2: return tp_rel_or(w->l, any_formula(w, d), any_formula(w, d));
    case 3:
      return below(w, 2)
                 ? tp_rel_iff(w->l, any_formula(w, d), any_formula(w, d))
                 : tp_rel_formula_if(w->l, any_formula(w, d), any_formula(w, d), any_formula(w, d));
    case 4:
      return tp_rel_multiplicity(w->l, (tp_rel_kind)(TP_REL_SOME + below(w, 4)),
                                 any_expr(w, arity, d));
    case 5:
      return tp_rel_compare(w->l, below(w, 2) ? TP_REL_IN : TP_REL_EQUAL, any_expr(w, arity, d),
                            any_expr(w, arity, d));
    case 6:
      return tp_rel_compare_ints(w->l, (tp_rel_kind)(TP_REL_INT_EQUAL + below(w, 3)), any_int(w, d),
                                 any_int(w, d));
    default: return any_quantified(w, d);
  }
}

#endif
