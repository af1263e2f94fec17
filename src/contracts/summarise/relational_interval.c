/* Joins and widening of relational intervals.
 *
 * Join. The upper bound is the union. The lower bound of two relations that were made from one
 * base r keeps what neither of them has touched, r - (owners -> univ), and tuples that both have.
 *
 * Widening. Upper bounds are sums of paths. Where a sum has x, x.r, x.r.r, ... with `unions`
 * members, they become x.*r; r may be a path itself, and steps that start at the same x become one.
 * A filter of the loop's condition is dropped where the path goes on behind it. The pairs that a
 * member has gained are widened column by column. What still grows is ended by the caller's cap on
 * rounds and by the limit on operators.
 *
 * Source: Taghdiri 2008, fig. 4-8. */
#include "contracts/contracts_limits.h"
#include "contracts/summarise/relational_bound_priv.h"
#include "contracts/summarise/relational_interval.h"

typedef const tp_rbound_node node;
typedef TP_VEC(tp_rbound) list;

static uint32_t arity_of(const tp_rbounds *t, tp_rbound b) { return tp_rbounds_node(t, b)->arity; }

tp_rinterval tp_rinterval_any(tp_rbounds *t, uint32_t arity) {
  return (tp_rinterval){tp_rbound_none(t, arity), tp_rbound_univ(t, arity)};
}

bool tp_rinterval_is_any(const tp_rbounds *t, tp_rinterval i) {
  return tp_rbounds_is(t, i.lower, TP_RBOUND_NONE) && tp_rbounds_is(t, i.upper, TP_RBOUND_UNIV);
}

// ------------------------------------------------------------------------ changes

static tp_rbound all_of(tp_rbounds *t, tp_rbound owners, uint32_t arity) {
  return tp_rbound_product(t, owners, tp_rbound_univ(t, arity - 1));
}

static bool override_change(tp_rbounds *t, node *n, tp_rbound_change *out) {
  const tp_rbound r = n->kids[0], s = n->kids[1];
  if (!tp_rbounds_is(t, s, TP_RBOUND_PRODUCT) || !tp_rbound_change_of(t, r, out)) return false;
  const tp_rbound a = tp_rbounds_kid(t, s, 0);
  out->owners = tp_rbound_union(t, out->owners, a);
  out->added =
      tp_rbound_union(t, tp_rbound_difference(t, out->added, all_of(t, a, arity_of(t, r))), s);
  return true;
}

static bool difference_change(tp_rbounds *t, node *n, tp_rbound_change *out) {
  const tp_rbound r = n->kids[0], s = n->kids[1];
  if (!tp_rbound_change_of(t, r, out)) return false;
  const uint32_t n_parts = tp_rbounds_is(t, s, TP_RBOUND_UNION) ? tp_rbounds_node(t, s)->n_kids : 1;
  for (uint32_t i = 0; i < n_parts; i++) {
    const tp_rbound part = tp_rbounds_is(t, s, TP_RBOUND_UNION) ? tp_rbounds_kid(t, s, i) : s;
    if (!tp_rbounds_is(t, part, TP_RBOUND_PRODUCT)) return false;
    out->owners = tp_rbound_union(t, out->owners, tp_rbounds_kid(t, part, 0));
  }
  out->added = tp_rbound_difference(t, out->added, s);
  return true;
}

static bool union_change(tp_rbounds *t, node *n, tp_rbound_change *out) {
  bool has_base = false;
  tp_rbound added = tp_rbound_none(t, n->arity);
  for (uint32_t i = 0; i < n->n_kids; i++)
    if (tp_rbounds_is(t, n->kids[i], TP_RBOUND_PRODUCT))
      added = tp_rbound_union(t, added, n->kids[i]);
    else if (has_base || !tp_rbound_change_of(t, n->kids[i], out))
      return false;
    else
      has_base = true;
  if (has_base) out->added = tp_rbound_union(t, out->added, added);
  return has_base;
}

static bool choice_change(tp_rbounds *t, node *n, tp_rbound_change *out) {
  tp_rbound_change other;
  if (!tp_rbound_change_of(t, n->kids[1], out) || !tp_rbound_change_of(t, n->kids[2], &other) ||
      out->base.id != other.base.id)
    return false;
  out->owners = tp_rbound_union(t, out->owners, other.owners);
  out->added = tp_rbound_if(t, n->kids[0], out->added, other.added);
  return true;
}

static bool change_of(tp_rbounds *t, tp_rbound r, tp_rbound_change *out) {
  node *n = tp_rbound_at(t, r);
  if (n->kind == TP_RBOUND_NAME) {
    *out = (tp_rbound_change){r, tp_rbound_none(t, 1), tp_rbound_none(t, n->arity)};
    return true;
  }
  if (n->arity < 2) return false;
  if (n->kind == TP_RBOUND_OVERRIDE) return override_change(t, n, out);
  if (n->kind == TP_RBOUND_DIFFERENCE) return difference_change(t, n, out);
  if (n->kind == TP_RBOUND_UNION) return union_change(t, n, out);
  return n->kind == TP_RBOUND_IF && choice_change(t, n, out);
}

bool tp_rbound_change_of(tp_rbounds *t, tp_rbound r, tp_rbound_change *out) {
  uint64_t at;
  if (!tp_map_get(&t->change_of, r.id, &at)) {
    tp_rbound_change c;
    at = 0;
    if (change_of(t, r, &c)) {
      at = t->changes.n + 1;
      tp_vec_push(&t->changes, c.base);
      tp_vec_push(&t->changes, c.owners);
      tp_vec_push(&t->changes, c.added);
    }
    tp_map_set(&t->change_of, r.id, at);
  }
  if (at)
    *out = (tp_rbound_change){t->changes.at[at - 1], t->changes.at[at], t->changes.at[at + 1]};
  return at > 0;
}

// -------------------------------------------------------------------------- limits

/* An upper bound without choices, overrides and walks. */
static tp_rbound flat(tp_rbounds *t, tp_rbound b) {
  tp_rinterval_evaluation e = {.t = t, .is_flat = true};
  const tp_rbound upper = tp_rinterval_upper_of(&e, b);
  tp_rinterval_evaluation_clear(&e);
  return upper;
}

static bool is_too_large(const tp_rbounds *t, tp_rbound b, const tp_rsum_limits *limits) {
  return tp_rbound_is_larger(t, b, limits->operators);
}

static tp_rbound flat_lower(tp_rbounds *t, tp_rbound b) {
  tp_rinterval_evaluation e = {.t = t, .is_flat = true};
  const tp_rbound lower = tp_rinterval_lower_of(&e, b);
  tp_rinterval_evaluation_clear(&e);
  return lower;
}

/* What the bound keeps of its base, with owners without choices; none if that is too large. */
static tp_rbound kept_of(tp_rbounds *t, tp_rbound lower, const tp_rsum_limits *limits) {
  const uint32_t arity = arity_of(t, lower);
  tp_rbound_change c;
  tp_rbound kept = tp_rbound_none(t, arity);
  if (arity == 1)
    kept = flat_lower(t, lower);
  else if (tp_rbound_change_of(t, lower, &c))
    kept = tp_rbound_difference(t, c.base, all_of(t, flat(t, c.owners), arity));
  return is_too_large(t, kept, limits) ? tp_rbound_none(t, arity) : kept;
}

tp_rinterval tp_rinterval_limit(tp_rbounds *t, tp_rinterval i, const tp_rsum_limits *limits) {
  const uint32_t arity = arity_of(t, i.upper);
  if (!is_too_large(t, i.upper, limits) && !is_too_large(t, i.lower, limits)) return i;
  if (is_too_large(t, i.upper, limits)) i.upper = flat(t, i.upper);
  if (is_too_large(t, i.upper, limits)) i.upper = tp_rbound_univ(t, arity);
  if (is_too_large(t, i.lower, limits)) i.lower = kept_of(t, i.lower, limits);
  return i;
}

// --------------------------------------------------------------------------- join

/* Tuples that are certainly in both. */
static tp_rbound common(tp_rbounds *t, tp_rbound a, tp_rbound b) {
  if (tp_rbound_leq(t, a, b)) return a;
  if (tp_rbound_leq(t, b, a)) return b;
  if (!tp_rbounds_is(t, a, TP_RBOUND_UNION)) return tp_rbound_none(t, arity_of(t, a));
  tp_rbound all = tp_rbound_none(t, arity_of(t, a));
  for (uint32_t i = 0; i < tp_rbounds_node(t, a)->n_kids; i++)
    if (tp_rbound_leq(t, tp_rbounds_kid(t, a, i), b))
      all = tp_rbound_union(t, all, tp_rbounds_kid(t, a, i));
  return all;
}

static tp_rbound lower_join(tp_rbounds *t, tp_rbound a, tp_rbound b) {
  const uint32_t arity = arity_of(t, a);
  tp_rbound_change x, y;
  if (tp_rbound_leq(t, a, b)) return a;
  if (tp_rbound_leq(t, b, a)) return b;
  if (arity == 1) return tp_rbound_intersection(t, a, b);
  if (!tp_rbound_change_of(t, a, &x) || !tp_rbound_change_of(t, b, &y) || x.base.id != y.base.id)
    return tp_rbound_none(t, arity);
  const tp_rbound owners = tp_rbound_union(t, x.owners, y.owners);
  return tp_rbound_union(t, tp_rbound_difference(t, x.base, all_of(t, owners, arity)),
                         common(t, x.added, y.added));
}

tp_rinterval tp_rinterval_join(tp_rbounds *t, tp_rinterval a, tp_rinterval b) {
  if (tp_rinterval_eq(a, b)) return a;
  return (tp_rinterval){lower_join(t, a.lower, b.lower), tp_rbound_union(t, a.upper, b.upper)};
}

// ------------------------------------------------------------------ widening of sets

static void parts_of(const tp_rbounds *t, tp_rbound b, list *out) {
  const bool is_union = tp_rbounds_is(t, b, TP_RBOUND_UNION);
  for (uint32_t i = 0; i < (is_union ? tp_rbounds_node(t, b)->n_kids : 1); i++)
    tp_vec_push(out, is_union ? tp_rbounds_kid(t, b, i) : b);
}

static bool has(const list *l, tp_rbound b) {
  for (size_t i = 0; i < l->n; i++)
    if (l->at[i].id == b.id) return true;
  return false;
}

/* The operand of an intersection that the old bound contains, else its first. */
static tp_rbound main_operand(const tp_rbounds *t, tp_rbound b, tp_rbound old) {
  for (uint32_t i = 0; i < tp_rbounds_node(t, b)->n_kids; i++)
    if (tp_rbound_leq(t, tp_rbounds_kid(t, b, i), old)) return tp_rbounds_kid(t, b, i);
  return tp_rbounds_kid(t, b, 0);
}

/* A path without filters in front of its steps. */
static tp_rbound unfiltered(tp_rbounds *t, tp_rbound path, tp_rbound old) {
  node *n = tp_rbounds_node(t, path);
  if (n->kind == TP_RBOUND_DIFFERENCE) return unfiltered(t, n->kids[0], old);
  if (n->kind == TP_RBOUND_INTERSECTION) return unfiltered(t, main_operand(t, path, old), old);
  if (n->kind == TP_RBOUND_JOIN && n->arity == 1 && arity_of(t, n->kids[0]) == 1) {
    const tp_rbound from = unfiltered(t, n->kids[0], old);
    return from.id == n->kids[0].id ? path : tp_rbound_join(t, from, n->kids[1]);
  }
  return path;
}

/* The steps from one path to a longer one, outermost first; 0: it does not start with the other. */
static uint32_t steps_between(const tp_rbounds *t, tp_rbound from, tp_rbound to,
                              tp_rbound steps[TP_CONTRACTS_BOUND_STEPS]) {
  uint32_t n = 0;
  while (to.id != from.id) {
    node *x = tp_rbounds_node(t, to);
    if (x->kind != TP_RBOUND_JOIN || arity_of(t, x->kids[0]) != 1 || n == TP_CONTRACTS_BOUND_STEPS)
      return 0;
    steps[n++] = x->kids[1];
    to = x->kids[0];
  }
  return n;
}

static tp_rbound follow(tp_rbounds *t, tp_rbound from, const tp_rbound *steps, uint32_t n) {
  for (uint32_t i = n; i-- > 0;) from = tp_rbound_join(t, from, steps[i]);
  return from;
}

static tp_rbound composed(tp_rbounds *t, const tp_rbound *steps, uint32_t n) {
  tp_rbound r = steps[n - 1];
  for (uint32_t i = n - 1; i-- > 0;) r = tp_rbound_join(t, r, steps[i]);
  return r;
}

/* All single steps that go on from x in the list, beside r. */
static tp_rbound steps_from(tp_rbounds *t, const list *parts, tp_rbound x, tp_rbound r) {
  for (size_t i = 0; i < parts->n; i++) {
    node *n = tp_rbounds_node(t, parts->at[i]);
    if (n->kind == TP_RBOUND_JOIN && n->kids[0].id == x.id && arity_of(t, n->kids[1]) == 2)
      r = tp_rbound_union(t, r, n->kids[1]);
  }
  return r;
}

/* A closure that stands for members of the list; id 0: none. */
static tp_rbound closure_in(tp_rbounds *t, const list *parts, uint32_t least) {
  for (size_t i = 0; i < parts->n; i++)
    for (size_t j = 0; j < parts->n; j++) {
      tp_rbound steps[TP_CONTRACTS_BOUND_STEPS], x = parts->at[i];
      const uint32_t n = i == j ? 0 : steps_between(t, x, parts->at[j], steps);
      if (n == 0) continue;
      uint32_t length = 2;
      tp_rbound at = follow(t, parts->at[j], steps, n);
      for (; length < least && has(parts, at); length++) at = follow(t, at, steps, n);
      const bool goes_on = tp_rbounds_is(t, x, TP_RBOUND_REACH);
      if (length < least && !goes_on) continue;
      tp_rbound r = composed(t, steps, n);
      if (n == 1) r = steps_from(t, parts, x, r);
      if (goes_on) {
        r = tp_rbound_union(t, tp_rbounds_kid(t, x, 1), r);
        x = tp_rbounds_kid(t, x, 0);
      }
      return tp_rbound_reach(t, x, r);
    }
  return (tp_rbound){0};
}

/* Of two upper bounds of a set. */
static tp_rbound widen_set(tp_rbounds *t, tp_rbound old, tp_rbound next,
                           const tp_rsum_limits *limits) {
  if (tp_rbound_leq(t, next, old)) return old;
  old = flat(t, old);
  tp_rbound all = old;
  list parts = {0};
  const tp_rbound reached = flat(t, next);
  parts_of(t, reached, &parts);
  for (size_t i = 0; i < parts.n; i++) {
    const bool is_old = tp_rbound_leq(t, parts.at[i], old);
    all = tp_rbound_union(t, all, is_old ? parts.at[i] : unfiltered(t, parts.at[i], old));
  }
  for (uint32_t round = 0; round < TP_CONTRACTS_BOUND_CLOSURES; round++) {
    parts.n = 0;
    parts_of(t, all, &parts);
    const tp_rbound closure = closure_in(t, &parts, limits->unions);
    if (!closure.id) break;
    all = tp_rbound_union(t, all, closure);
  }
  tp_vec_clear(&parts);
  return is_too_large(t, all, limits) ? tp_rbound_univ(t, 1) : all;
}

// --------------------------------------------------------------- widening of members

static tp_rbound widen_pairs(tp_rbounds *t, tp_rbound old, tp_rbound next,
                             const tp_rsum_limits *limits);

/* Column by column. */
static tp_rbound widen_columns(tp_rbounds *t, tp_rbound old, tp_rbound next,
                               const tp_rsum_limits *limits) {
  if (arity_of(t, old) == 1) return widen_set(t, old, next, limits);
  if (!tp_rbounds_is(t, old, TP_RBOUND_PRODUCT) || !tp_rbounds_is(t, next, TP_RBOUND_PRODUCT))
    return tp_rbound_univ(t, arity_of(t, old));
  const tp_rbound a = tp_rbounds_kid(t, old, 0), b = tp_rbounds_kid(t, next, 0),
                  c = tp_rbounds_kid(t, old, 1), d = tp_rbounds_kid(t, next, 1);
  return tp_rbound_product(t, widen_columns(t, a, b, limits), widen_columns(t, c, d, limits));
}

/* The product of the list that the new pairs belong to: with the same values, else the same
 * owners, else any. */
static size_t partner(const tp_rbounds *t, const list *products, tp_rbound next) {
  const tp_rbound from = tp_rbounds_kid(t, next, 0), to = tp_rbounds_kid(t, next, 1);
  size_t best = 0;
  for (size_t i = 0; i < products->n; i++) {
    const tp_rbound p = products->at[i];
    if (tp_rbounds_kid(t, p, 1).id == to.id) return i;
    if (tp_rbound_leq(t, from, tp_rbounds_kid(t, p, 0))) best = i;
  }
  return best;
}

static tp_rbound widen_pairs(tp_rbounds *t, tp_rbound old, tp_rbound next,
                             const tp_rsum_limits *limits) {
  if (tp_rbound_leq(t, next, old)) return old;
  list before = {0}, after = {0}, products = {0};
  const tp_rbound was = flat(t, old), is = flat(t, next);
  tp_rbound all = was;
  parts_of(t, was, &before);
  parts_of(t, is, &after);
  for (size_t i = 0; i < before.n; i++)
    if (tp_rbounds_is(t, before.at[i], TP_RBOUND_PRODUCT)) tp_vec_push(&products, before.at[i]);
  for (size_t i = 0; i < after.n; i++) {
    if (tp_rbound_leq(t, after.at[i], all)) continue;
    tp_rbound more = after.at[i];
    if (tp_rbounds_is(t, more, TP_RBOUND_PRODUCT) && products.n) {
      const size_t p = partner(t, &products, more);
      more = products.at[p] = widen_columns(t, products.at[p], more, limits);
    }
    all = tp_rbound_union(t, all, more);
  }
  tp_vec_clear(&before);
  tp_vec_clear(&after);
  tp_vec_clear(&products);
  return all;
}

/* What is kept, with the owners of the old bound widened. */
static tp_rbound widen_lower(tp_rbounds *t, tp_rbound old, tp_rbound next,
                             const tp_rsum_limits *limits) {
  const uint32_t arity = arity_of(t, old);
  tp_rbound_change x, y;
  if (tp_rbound_leq(t, old, next)) return old;
  if (arity == 1 || !tp_rbound_change_of(t, old, &x) || !tp_rbound_change_of(t, next, &y) ||
      x.base.id != y.base.id)
    return tp_rbound_none(t, arity);
  const tp_rbound owners = tp_rbounds_is(t, x.owners, TP_RBOUND_NONE)
                               ? flat(t, y.owners)
                               : widen_set(t, x.owners, y.owners, limits);
  return tp_rbound_union(t, tp_rbound_difference(t, x.base, all_of(t, owners, arity)),
                         common(t, x.added, y.added));
}

tp_rinterval tp_rinterval_widen(tp_rbounds *t, tp_rinterval old, tp_rinterval next,
                                const tp_rsum_limits *limits) {
  const uint32_t arity = arity_of(t, old.upper);
  if (tp_rinterval_eq(old, next)) return old;
  const tp_rinterval wide = {widen_lower(t, old.lower, next.lower, limits),
                             arity == 1 ? widen_set(t, old.upper, next.upper, limits)
                                        : widen_pairs(t, old.upper, next.upper, limits)};
  return tp_rinterval_limit(t, wide, limits);
}
