/* Expressions over relations that are known as intervals.
 *
 * Each operator is monotone or antitone in each operand, but for ++, whose right operand both adds
 * and removes, and for choices, whose condition has to be exact. So the upper bound of a difference
 * takes the lower bound of what is removed, and so on down the expression. The first atom of a walk
 * has to be exact in all operands. */
#include "contracts/summarise/relational_bound_priv.h"
#include "contracts/summarise/relational_interval.h"

typedef const tp_rbound_node node;
typedef enum { LOWER, UPPER } side;

static tp_rbound evaluate(tp_rinterval_evaluation *e, tp_rbound b, side s);

static tp_rbound other(tp_rinterval_evaluation *e, tp_rbound b, side s) {
  return evaluate(e, b, s == LOWER ? UPPER : LOWER);
}

static bool is_exact(tp_rinterval_evaluation *e, tp_rbound b, tp_rbound *out) {
  *out = evaluate(e, b, UPPER);
  return evaluate(e, b, LOWER).id == out->id;
}

static tp_rbound formula_of(tp_rinterval_evaluation *e, node *n) {
  tp_rbound a, b;
  if (n->kind == TP_RBOUND_EQUAL || n->kind == TP_RBOUND_LESS) {
    if (!is_exact(e, n->kids[0], &a) || !is_exact(e, n->kids[1], &b)) return (tp_rbound){0};
    return n->kind == TP_RBOUND_EQUAL ? tp_rbound_equal(e->t, a, b) : tp_rbound_less(e->t, a, b);
  }
  a = tp_rinterval_formula_of(e, n->kids[0]);
  if (a.id && n->kind == TP_RBOUND_NOT) return tp_rbound_not(e->t, a);
  for (uint32_t i = 1; i < n->n_kids && a.id; i++) {
    b = tp_rinterval_formula_of(e, n->kids[i]);
    if (!b.id) return b;
    a = n->kind == TP_RBOUND_AND ? tp_rbound_and(e->t, a, b) : tp_rbound_or(e->t, a, b);
  }
  return a;
}

tp_rbound tp_rinterval_formula_of(tp_rinterval_evaluation *e, tp_rbound f) {
  node *n = tp_rbound_at(e->t, f);
  TP_REQUIRE(n->arity == 0);
  uint64_t found;
  if (n->n_kids == 0) return f;
  if (tp_map_get(&e->formulas, f.id, &found)) return (tp_rbound){(uint32_t)found};
  const tp_rbound result = formula_of(e, n);
  tp_map_set(&e->formulas, f.id, result.id);
  return result;
}

/* a -> univ: all tuples that begin in a. */
static tp_rbound all_of(tp_rbounds *t, tp_rbound a, uint32_t arity) {
  return tp_rbound_product(t, a, tp_rbound_univ(t, arity - 1));
}

static tp_rbound override_of(tp_rinterval_evaluation *e, node *n, side s) {
  tp_rbounds *t = e->t;
  const tp_rbound r = evaluate(e, n->kids[0], s), by = n->kids[1];
  tp_rbound exact, from;
  if (!e->is_flat && is_exact(e, by, &exact)) return tp_rbound_override(t, r, exact);
  const tp_rbound added = evaluate(e, by, s);
  if (!tp_rbounds_is(t, by, TP_RBOUND_PRODUCT))
    return s == UPPER ? tp_rbound_union(t, r, added) : tp_rbound_none(t, n->arity);
  if (s == LOWER) {
    const tp_rbound owners = evaluate(e, tp_rbounds_kid(t, by, 0), UPPER);
    return tp_rbound_union(t, tp_rbound_difference(t, r, all_of(t, owners, n->arity)), added);
  }
  const bool is_total = tp_rbounds_node(t, tp_rbounds_kid(t, by, 1))->is_value;
  if (!e->is_flat && is_total && is_exact(e, tp_rbounds_kid(t, by, 0), &from))
    return tp_rbound_union(t, tp_rbound_difference(t, r, all_of(t, from, n->arity)), added);
  return tp_rbound_union(t, r, added);
}

static tp_rbound choice_of(tp_rinterval_evaluation *e, node *n, side s) {
  const tp_rbound c = e->is_flat ? (tp_rbound){0} : tp_rinterval_formula_of(e, n->kids[0]),
                  a = evaluate(e, n->kids[1], s), b = evaluate(e, n->kids[2], s);
  if (c.id && tp_rbound_contradicts(e->t, e->facts, e->n_facts, c)) return b;
  if (c.id && tp_rbound_contradicts(e->t, e->facts, e->n_facts, tp_rbound_not(e->t, c))) return a;
  if (c.id) return tp_rbound_if(e->t, c, a, b);
  return s == UPPER ? tp_rbound_union(e->t, a, b) : tp_rbound_intersection(e->t, a, b);
}

/* Flat: what a product leads to, whatever comes before it. */
static tp_rbound join_of(tp_rinterval_evaluation *e, tp_rbound a, tp_rbound r, side s) {
  tp_rbounds *t = e->t;
  const tp_rbound_kind k = tp_rbounds_node(t, r)->kind;
  if (s == LOWER || tp_rbounds_is(t, a, TP_RBOUND_NONE)) return tp_rbound_join(t, a, r);
  if (k == TP_RBOUND_UNIV) return tp_rbound_univ(t, tp_rbounds_node(t, r)->arity - 1);
  if (e->is_flat && k == TP_RBOUND_PRODUCT && !tp_rbound_begins_none(t, a, r))
    return tp_rbounds_kid(t, r, 1);
  if (!e->is_flat || k != TP_RBOUND_UNION) return tp_rbound_join(t, a, r);
  tp_rbound all = tp_rbound_none(t, tp_rbounds_node(t, r)->arity - 1);
  for (uint32_t i = 0; i < tp_rbounds_node(t, r)->n_kids; i++) {
    const tp_rbound kid = tp_rbounds_kid(t, r, i);
    const bool is_product =
        tp_rbounds_is(t, kid, TP_RBOUND_PRODUCT) && !tp_rbound_begins_none(t, a, kid);
    all =
        tp_rbound_union(t, all, is_product ? tp_rbounds_kid(t, kid, 1) : tp_rbound_join(t, a, kid));
  }
  return all;
}

static tp_rbound many_of(tp_rinterval_evaluation *e, node *n, side s) {
  tp_rbound all = evaluate(e, n->kids[0], s);
  for (uint32_t i = 1; i < n->n_kids; i++) {
    const tp_rbound one = evaluate(e, n->kids[i], s);
    all = n->kind == TP_RBOUND_UNION ? tp_rbound_union(e->t, all, one)
                                     : tp_rbound_intersection(e->t, all, one);
  }
  return all;
}

/* x.*(r + (a -> b)) is in (x + b).*r: whatever comes behind the last step of a -> b is b.*r. */
static tp_rbound flat_reach(tp_rbounds *t, tp_rbound x, tp_rbound r) {
  node *n = tp_rbounds_node(t, r);
  if (n->kind != TP_RBOUND_UNION) return tp_rbound_reach(t, x, r);
  tp_rbound rest = tp_rbound_none(t, 2);
  for (uint32_t i = 0; i < n->n_kids; i++) {
    const tp_rbound kid = tp_rbounds_kid(t, r, i);
    if (tp_rbounds_is(t, kid, TP_RBOUND_PRODUCT))
      x = tp_rbound_union(t, x, tp_rbounds_kid(t, kid, 1));
    else
      rest = tp_rbound_union(t, rest, kid);
  }
  return tp_rbound_reach(t, x, rest);
}

/* The walk of exact operands; else all that it may come to. */
static tp_rbound first_of(tp_rinterval_evaluation *e, node *n, side s) {
  tp_rbounds *t = e->t;
  tp_rbound x, r, in;
  const bool is_known =
      is_exact(e, n->kids[0], &x) && is_exact(e, n->kids[1], &r) && is_exact(e, n->kids[2], &in);
  if (is_known && !e->is_flat) return tp_rbound_first(t, x, r, in);
  if (s == LOWER) return tp_rbound_none(t, 1);
  x = flat_reach(t, evaluate(e, n->kids[0], UPPER), evaluate(e, n->kids[1], UPPER));
  return tp_rbound_intersection(t, x, evaluate(e, n->kids[2], UPPER));
}

static tp_rbound operation_of(tp_rinterval_evaluation *e, node *n, side s) {
  tp_rbounds *t = e->t;
  if (n->kind == TP_RBOUND_UNION || n->kind == TP_RBOUND_INTERSECTION) return many_of(e, n, s);
  if (n->kind == TP_RBOUND_OVERRIDE) return override_of(e, n, s);
  if (n->kind == TP_RBOUND_IF) return choice_of(e, n, s);
  if (n->kind == TP_RBOUND_FIRST) return first_of(e, n, s);
  const tp_rbound a = evaluate(e, n->kids[0], s);
  if (n->kind == TP_RBOUND_DIFFERENCE) return tp_rbound_difference(t, a, other(e, n->kids[1], s));
  const tp_rbound b = evaluate(e, n->kids[1], s);
  if (n->kind == TP_RBOUND_JOIN)
    return tp_rbounds_node(t, a)->arity == 1 ? join_of(e, a, b, s) : tp_rbound_join(t, a, b);
  if (n->kind == TP_RBOUND_REACH) {
    tp_rbound x, r;
    const bool is_known = !e->is_flat && is_exact(e, n->kids[0], &x) && is_exact(e, n->kids[1], &r);
    return s == LOWER || is_known ? tp_rbound_reach(t, a, b) : flat_reach(t, a, b);
  }
  return tp_rbound_product(
      t, s == UPPER && tp_rbounds_node(t, a)->arity == 1 ? tp_rbound_objects(t, a) : a, b);
}

static tp_rbound leaf_of(tp_rinterval_evaluation *e, tp_rbound b, side s) {
  const tp_rbound_kind k = tp_rbounds_node(e->t, b)->kind;
  if (k != TP_RBOUND_NAME && k != TP_RBOUND_NEW && k != TP_RBOUND_NEW_SET) return b;
  const tp_rinterval i = e->leaf ? e->leaf(e->ctx, b) : tp_rinterval_exact(b);
  return s == LOWER ? i.lower : i.upper;
}

static tp_rbound evaluate(tp_rinterval_evaluation *e, tp_rbound b, side s) {
  tp_map *known = s == LOWER ? &e->lower : &e->upper;
  uint64_t found;
  if (tp_map_get(known, b.id, &found)) return (tp_rbound){(uint32_t)found};
  node *n = tp_rbound_at(e->t, b);
  TP_REQUIRE(n->arity > 0);
  const tp_rbound result = n->n_kids == 0 ? leaf_of(e, b, s) : operation_of(e, n, s);
  tp_map_set(known, b.id, result.id);
  return result;
}

tp_rbound tp_rinterval_lower_of(tp_rinterval_evaluation *e, tp_rbound b) {
  return evaluate(e, b, LOWER);
}
tp_rbound tp_rinterval_upper_of(tp_rinterval_evaluation *e, tp_rbound b) {
  return evaluate(e, b, UPPER);
}

void tp_rinterval_evaluation_clear(tp_rinterval_evaluation *e) {
  tp_map_clear(&e->lower);
  tp_map_clear(&e->upper);
  tp_map_clear(&e->formulas);
}
