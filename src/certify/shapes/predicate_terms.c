/* Predicates and definitions at addresses, as formulas without quantifiers.
 *
 * "There is a v that a pointer leads to", "... that a field of u leads to": v is that value,
 * exactly. Any other "there is" becomes a symbol that each instance implies; that the symbol may
 * hold without an instance costs answers only. A value 1/2 is bounded from below and from above. */
#include "certify/shapes/shape_search.h"

// ------------------------------------------------------------------------ data

static tp_term data_at(tp_chk_search *s, tp_term data, tp_term at, tp_chk_heap_version when) {
  tp_chk_exec *g = s->g;
  if (when == TP_CHK_PRE) tp_chk_paths_switch_to(g, &s->shape->start);
  g->cell_symbol = s->shape->graphs->cell;
  g->cell = at;
  tp_term t = tp_chk_eval_formula(g, data);
  g->cell_symbol = TP_TERM_NONE;
  if (when == TP_CHK_PRE) tp_chk_paths_switch_to(g, &s->here);
  return t;
}

// ----------------------------------------------------------------- definitions

typedef struct {
  tp_chk_search *s;
  tp_chk_class_heap *h;
  tp_chk_heap_version when;
  bool half;  // what 1/2 stands for; under a negation, the opposite
  int env[TP_CHK_VARIABLES];
} evaluation;

static tp_term formula_at(const evaluation *e, const tp_chk_formula *f, bool negated);

typedef struct {
  const tp_chk_formula *f;
  bool negated;
} literal;
typedef TP_VEC(literal) literals;

/* The conjuncts of f, or of "not f". */
static void conjuncts_of(const tp_chk_formula *f, bool negated, literals *out) {
  if (f->kind == TP_CHK_F_NOT) {
    conjuncts_of(f->kid[0], !negated, out);
  } else if (f->kind == (negated ? TP_CHK_F_OR : TP_CHK_F_AND)) {
    conjuncts_of(f->kid[0], negated, out);
    conjuncts_of(f->kid[1], negated, out);
  } else {
    tp_vec_push(out, ((literal){f, negated}));
  }
}

/* The conjuncts hold with this address for `variable`. */
static tp_term conjunction_at(const evaluation *e, const literals *all, uint8_t variable,
                              int address) {
  evaluation inner = *e;
  tp_term t = tp_mk_true(e->s->tt);
  inner.env[variable] = address;
  for (size_t i = 0; i < all->n && !tp_is_false(e->s->tt, t); i++)
    t = tp_mk_and(e->s->tt, t, formula_at(&inner, all->at[i].f, all->at[i].negated));
  return t;
}

/* Does this conjunct name the element that the variable is? Then its address, and the condition
 * that there is one. */
static bool names_element(const evaluation *e, literal l, uint8_t variable, int *address,
                          tp_term *exists) {
  if (l.negated || l.f->kind != TP_CHK_F_ATOM) return false;
  const tp_chk_predicate *p = &e->h->c->predicates.at[l.f->predicate];
  tp_terms *tt = e->s->tt;
  if (p->kind == TP_CHK_P_POINTER && l.f->a == variable) {
    *address = tp_chk_address_number(e->s, e->h, tp_chk_variable_term(e->s, p->var, e->when),
                                     TP_CHK_DERIVED);
    *exists = tp_mk_not(tt, tp_chk_is_null(e->s, e->h, *address));
    return true;
  }
  if (p->kind != TP_CHK_P_FIELD || l.f->b != variable || l.f->a == variable) return false;
  int from = e->env[l.f->a];
  *address = tp_chk_field_number(e->s, e->h, from, e->when, p->field, TP_CHK_DERIVED);
  *exists = tp_mk_and(tt, tp_chk_is_live_cell(e->s, e->h, from, e->when),
                      tp_mk_not(tt, tp_chk_is_null(e->s, e->h, *address)));
  return true;
}

/* Does one of the conjuncts? Also within "there is" another element, unless it names that one. */
static void find_named(const evaluation *e, const literals *all, uint8_t variable, uint32_t bound,
                       int *address, tp_term *exists) {
  for (size_t i = 0; i < all->n && !tp_term_is(*exists); i++) {
    const literal l = all->at[i];
    if (l.f->kind == TP_CHK_F_EXISTS && !l.negated && l.f->a != variable) {
      literals inner = {0};
      conjuncts_of(l.f->kid[0], false, &inner);
      find_named(e, &inner, variable, bound | (uint32_t)1 << l.f->a, address, exists);
      tp_vec_clear(&inner);
    } else if (l.f->kind == TP_CHK_F_ATOM && (l.f->a == variable || !(bound >> l.f->a & 1))) {
      (void)names_element(e, l, variable, address, exists);
    }
  }
}

static bool mentions(const tp_chk_formula *f, uint8_t variable) {
  if (!f) return false;
  const bool is_bound = f->kind == TP_CHK_F_EXISTS || f->kind == TP_CHK_F_FORALL;
  if (is_bound && f->a == variable) return false;
  const bool is_leaf =
      f->kind == TP_CHK_F_ATOM || f->kind == TP_CHK_F_EQUAL || f->kind == TP_CHK_F_PATH;
  if (is_leaf) return f->a == variable || f->b == variable;
  return mentions(f->kid[0], variable) || mentions(f->kid[1], variable) ||
         mentions(f->kid[2], variable);
}

/* If the symbol holds, so do the conjuncts without the variable. */
static void assert_without_variable(const evaluation *e, const tp_chk_existential *x) {
  literals all = {0};
  conjuncts_of(x->body, x->negated, &all);
  for (size_t i = 0; i < all.n; i++)
    if (!mentions(all.at[i].f, x->variable))
      tp_chk_query_assert(e->s->q, tp_mk_implies(e->s->tt, x->holds,
                                                 formula_at(e, all.at[i].f, all.at[i].negated)));
  tp_vec_clear(&all);
}

static tp_term existential_symbol(const evaluation *e, const tp_chk_formula *body, bool negated,
                                  uint8_t variable) {
  for (size_t i = 0; i < e->h->existentials.n; i++) {
    const tp_chk_existential *x = &e->h->existentials.at[i];
    if (x->body == body && x->negated == negated && x->half == e->half && x->when == e->when &&
        x->variable == variable && !memcmp(x->env, e->env, sizeof x->env))
      return x->holds;
  }
  tp_chk_existential x = {.body = body,
                          .negated = negated,
                          .half = e->half,
                          .variable = variable,
                          .when = e->when,
                          .holds = tp_chk_exec_nondet(e->s->g, tp_sort_bool(e->s->tt))};
  memcpy(x.env, e->env, sizeof x.env);
  tp_vec_push(&e->h->existentials, x);
  assert_without_variable(e, &x);
  return x.holds;
}

/* Is f "one of these fields of *from leads to the variable `to`", and nothing else? */
static bool is_step(const evaluation *e, const tp_chk_formula *f, uint8_t to, uint8_t *from,
                    uint64_t *fields) {
  if (f->kind == TP_CHK_F_OR)
    return is_step(e, f->kid[0], to, from, fields) && is_step(e, f->kid[1], to, from, fields);
  if (f->kind != TP_CHK_F_ATOM || e->h->c->predicates.at[f->predicate].kind != TP_CHK_P_FIELD ||
      f->b != to || f->a == to || (*fields && f->a != *from))
    return false;
  *from = f->a;
  *fields |= (uint64_t)1 << e->h->c->predicates.at[f->predicate].field;
  return true;
}

/* "A step leads from u to some w, and a path along the same fields from w to v": one step or more
 * from u to v. NONE: the conjuncts say something else. */
static tp_term steps_at(const evaluation *e, const literals *all, uint8_t variable) {
  for (size_t i = 0; i < 2 && all->n == 2; i++) {
    const literal path = all->at[i], step = all->at[1 - i];
    uint8_t from = 0;
    uint64_t fields = 0;
    if (path.negated || step.negated || path.f->kind != TP_CHK_F_PATH || !path.f->is_reflexive ||
        path.f->a != variable || path.f->b == variable)
      continue;
    if (is_step(e, step.f, variable, &from, &fields) && fields == path.f->fields)
      return tp_chk_steps_term(e->s, e->h, fields, e->when, e->env[from], e->env[path.f->b]);
  }
  return TP_TERM_NONE;
}

/* There is an element for which the body, or its negation, holds. */
static tp_term exists_at(const evaluation *e, const tp_chk_formula *body, bool negated,
                         uint8_t variable) {
  literals all = {0};
  tp_term exists = TP_TERM_NONE, t;
  int address = 0;
  conjuncts_of(body, negated, &all);
  t = steps_at(e, &all, variable);
  if (tp_term_is(t)) {
    tp_vec_clear(&all);
    return t;
  }
  find_named(e, &all, variable, 0, &address, &exists);
  if (!tp_term_is(exists))
    t = existential_symbol(e, body, negated, variable);
  else
    t = tp_is_false(e->s->tt, exists)
            ? exists
            : tp_mk_and(e->s->tt, exists, conjunction_at(e, &all, variable, address));
  tp_vec_clear(&all);
  return t;
}

static evaluation evaluation_of(tp_chk_search *s, tp_chk_class_heap *h,
                                const tp_chk_existential *x) {
  evaluation e = {.s = s, .h = h, .when = x->when, .half = x->half};
  memcpy(e.env, x->env, sizeof e.env);
  return e;
}

/* Address k is an element, by itself, and the body holds of it. */
static tp_term instance(tp_chk_search *s, tp_chk_class_heap *h, tp_chk_existential x, int k) {
  const evaluation e = evaluation_of(s, h, &x);
  literals all = {0};
  conjuncts_of(x.body, x.negated, &all);
  const tp_term is_element = tp_mk_or(s->tt, tp_chk_is_cell(s, h, k, x.when),
                                      tp_chk_is_pointed_to(s, h, k, x.when)),
                t = tp_mk_and(s->tt, is_element, conjunction_at(&e, &all, x.variable, k));
  tp_vec_clear(&all);
  return t;
}

void tp_chk_assert_existentials(tp_chk_search *s, tp_chk_class_heap *h) {
  for (size_t i = 0; i < h->existentials.n; i++)
    for (uint32_t k = h->existentials.at[i].n_asserted; k < h->n;
         k = ++h->existentials.at[i].n_asserted)
      if (h->addresses[k].is_base) {
        const tp_chk_existential x = h->existentials.at[i];
        tp_chk_query_assert(s->q, tp_mk_implies(s->tt, instance(s, h, x, (int)k), x.holds));
      }
}

static bool needs_witness(tp_chk_search *s, tp_chk_class_heap *h, size_t i) {
  const tp_chk_existential x = h->existentials.at[i];
  if (x.has_witness || !tp_chk_query_holds(s->q, x.holds)) return false;
  for (uint32_t k = 0, n = h->n; k < n; k++)
    if (h->addresses[k].is_base && tp_chk_query_holds(s->q, instance(s, h, x, (int)k)))
      return false;
  return true;
}

bool tp_chk_add_witness(tp_chk_search *s, tp_chk_class_heap *h) {
  for (size_t i = 0; i < h->existentials.n && h->n_witnesses < TP_CERTIFY_SEARCH_WITNESSES; i++) {
    if (!needs_witness(s, h, i)) continue;
    const tp_chk_existential x = h->existentials.at[i];
    h->existentials.at[i].has_witness = true;
    h->n_witnesses++;
    const evaluation e = evaluation_of(s, h, &x);
    literals all = {0};
    conjuncts_of(x.body, x.negated, &all);
    const int w = tp_chk_address_number(s, h, tp_chk_exec_nondet(s->g, tp_sort_ptr(s->tt)),
                                        TP_CHK_BASE),
              holder = tp_chk_address_number(s, h, tp_chk_exec_nondet(s->g, tp_sort_ptr(s->tt)),
                                             TP_CHK_BASE);
    assert_implies(s, x.holds,
                   tp_mk_and(s->tt, tp_chk_is_element(s, h, w, holder, x.when),
                             conjunction_at(&e, &all, x.variable, w)));
    tp_vec_clear(&all);
    return true;
  }
  return false;
}

/* c ? a : b. Where c may be 1/2, both sides count: a and b together are a lower bound, either one
 * an upper bound. */
static tp_term choice_at(const evaluation *e, const tp_chk_formula *f) {
  tp_terms *tt = e->s->tt;
  tp_term yes = formula_at(e, f->kid[0], false), no = formula_at(e, f->kid[0], true),
          a = formula_at(e, f->kid[1], false), b = formula_at(e, f->kid[2], false);
  if (tp_term_eq(no, tp_mk_not(tt, yes))) return tp_mk_ite(tt, yes, a, b);
  return tp_mk_or(tt, tp_mk_and(tt, a, b),
                  tp_mk_or(tt, tp_mk_and(tt, yes, a), tp_mk_and(tt, no, b)));
}

static tp_term path_at(const evaluation *e, const tp_chk_formula *f) {
  tp_chk_search *s = e->s;
  int i = e->env[f->a], j = e->env[f->b];
  if (f->is_reflexive) return tp_chk_path_term(s, e->h, f->fields, e->when, i, j);
  return tp_chk_steps_term(s, e->h, f->fields, e->when, i, j);
}

static tp_term positive_at(const evaluation *e, const tp_chk_formula *f) {
  tp_terms *tt = e->s->tt;
  switch (f->kind) {
    case TP_CHK_F_VALUE: return tp_mk_bool(tt, f->value == TP_CHK_HALF ? e->half : f->value == 1);
    case TP_CHK_F_ATOM:
      return tp_chk_predicate_term(e->s, e->h, f->predicate, e->when, e->env[f->a],
                                   f->has_b ? e->env[f->b] : 0);
    case TP_CHK_F_EQUAL: return tp_chk_same_address(e->s, e->h, e->env[f->a], e->env[f->b]);
    case TP_CHK_F_NOT: return formula_at(e, f->kid[0], true);
    case TP_CHK_F_AND:
      return tp_mk_and(tt, formula_at(e, f->kid[0], false), formula_at(e, f->kid[1], false));
    case TP_CHK_F_OR:
      return tp_mk_or(tt, formula_at(e, f->kid[0], false), formula_at(e, f->kid[1], false));
    case TP_CHK_F_IF: return choice_at(e, f);
    case TP_CHK_F_EXISTS: return exists_at(e, f->kid[0], false, f->a);
    case TP_CHK_F_FORALL: {  // not: there is one with "not the body"
      evaluation opposite = *e;
      opposite.half = !e->half;
      return tp_mk_not(tt, exists_at(&opposite, f->kid[0], true, f->a));
    }
    case TP_CHK_F_PATH: return path_at(e, f);
  }
  return tp_mk_false(tt);
}

static tp_term formula_at(const evaluation *e, const tp_chk_formula *f, bool negated) {
  if (!negated) return positive_at(e, f);
  evaluation opposite = *e;
  opposite.half = !e->half;
  return tp_mk_not(e->s->tt, positive_at(&opposite, f));
}

tp_term tp_chk_formula_term(tp_chk_search *s, tp_chk_class_heap *h, const tp_chk_formula *f,
                            tp_chk_heap_version when, const int *env, bool half) {
  TP_REQUIRE(f && when != TP_CHK_COMMON);
  evaluation e = {.s = s, .h = h, .when = when, .half = half};
  memcpy(e.env, env, sizeof e.env);
  return formula_at(&e, f, false);
}

// --------------------------------------------------------------------- predicates

tp_term tp_chk_predicate_term(tp_chk_search *s, tp_chk_class_heap *h, uint32_t predicate,
                              tp_chk_heap_version when, int i, int j) {
  TP_REQUIRE(predicate && predicate < h->c->predicates.n && when != TP_CHK_COMMON);
  tp_terms *tt = s->tt;
  const tp_chk_predicate *p = &h->c->predicates.at[predicate];
  tp_term t = TP_TERM_NONE;
  switch (p->kind) {
    case TP_CHK_P_POINTER:
      return tp_mk_eq(tt, tp_chk_address_term(h, i), tp_chk_variable_term(s, p->var, when));
    case TP_CHK_P_FREED:
      return tp_mk_and(tt, tp_chk_is_cell(s, h, i, when),
                       tp_mk_not(tt, tp_chk_is_live_cell(s, h, i, when)));
    case TP_CHK_P_OUTSIDE: return tp_mk_not(tt, tp_chk_is_cell(s, h, i, when));
    case TP_CHK_P_FIELD:
      t = tp_mk_and(
          tt, tp_chk_is_live_cell(s, h, i, when),
          tp_mk_eq(tt, tp_chk_field_term(s, h, i, when, p->field), tp_chk_address_term(h, j)));
      return tp_mk_and(tt, t, tp_mk_not(tt, tp_chk_is_null(s, h, j)));
    case TP_CHK_P_DATA: return data_at(s, p->data, tp_chk_address_term(h, i), when);
    case TP_CHK_P_DEFINED: {
      evaluation e = {.s = s, .h = h, .when = when};
      e.env[0] = i;
      e.env[1] = p->arity == 2 ? j : 0;
      return formula_at(&e, p->definition, false);
    }
    case TP_CHK_P_OPAQUE: break;
  }
  s->failed = true;  // of an opaque predicate, in a rule: nothing is shown
  return tp_mk_false(tt);
}
