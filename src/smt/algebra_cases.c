/* Cases of facts with products: a sum that depends on a condition is no polynomial, but it is one
 * in each of two cases; and where one of several statements holds, each has facts of its own.
 *
 * The conditions of choices between bit-vectors are decided one after the other, the one that
 * speaks of least first; then one disjunction with a product. Every case has to be impossible. The
 * first case that may be possible ends the search, so that questions with a model cost one way
 * down. */
#include "smt/algebra.h"

#include "smt/smt_limits.h"
#include "smt/value_bounds.h"

typedef struct {
  tp_terms *tt;
  uint32_t cases;  // that were looked at
  tp_algebra products;
} search;

static bool is_choice(void *ctx, const tp_terms *tt, tp_term t) {
  (void)ctx;
  return tp_kind(tt, t) == TP_OP_ITE && tp_sort_kind_of(tt, tp_sort_of(tt, t)) == TP_SORT_BV;
}

/* A condition inside may speak of a bound variable, which has no one value. */
static bool is_quantifier(void *ctx, const tp_terms *tt, tp_term t) {
  (void)ctx;
  return tp_kind(tt, t) == TP_OP_FORALL || tp_kind(tt, t) == TP_OP_EXISTS;
}

/* The condition of a choice: of that with the least number, so that it has no choice inside. */
static tp_term find_condition(const tp_terms *tt, const tp_term *facts, size_t n) {
  tp_term_list choices = {0};
  tp_term found = TP_TERM_NONE;
  for (size_t i = 0; i < n; i++) {
    choices.n = 0;
    if (tp_any_subterm(tt, facts[i], is_quantifier, NULL)) continue;
    tp_collect_terms(tt, facts[i], is_choice, NULL, &choices);
    if (choices.n && (!tp_term_is(found) || choices.at[0].id < found.id)) found = choices.at[0];
  }
  tp_vec_clear(&choices);
  return tp_term_is(found) ? tp_arg(tt, found, 0) : found;
}

static bool refutes(search *s, const tp_term *facts, size_t n, uint32_t depth);

/* The facts where the condition holds, or does not. */
static bool refutes_case(search *s, const tp_term *facts, size_t n, tp_term condition, bool holds,
                         uint32_t depth) {
  tp_term *with = TP_NEW_ARRAY(tp_term, n + 1);
  tp_map images = {0};
  const tp_mapper m = {0};
  tp_map_set(&images, condition.id, tp_mk_bool(s->tt, holds).id);
  for (size_t i = 0; i < n; i++) with[i] = tp_map_terms(s->tt, facts[i], &m, &images);
  with[n] = holds ? condition : tp_mk_not(s->tt, condition);
  const bool refuted = refutes(s, with, n + 1, depth);
  tp_map_clear(&images);
  tp_free(with);
  return refuted;
}

static bool refutes_both(search *s, const tp_term *facts, size_t n, tp_term condition,
                         uint32_t depth) {
  return refutes_case(s, facts, n, condition, true, depth) &&
         refutes_case(s, facts, n, condition, false, depth);
}

/* The last fact that is a shortest disjunction with a product (a goal's denial comes last), n:
 * none; its parts are negated. */
static size_t find_disjunction(search *s, const tp_term *facts, size_t n, tp_term_list *denied) {
  size_t found = n;
  tp_term_list parts = {0};
  denied->n = 0;
  for (size_t i = 0; i < n; i++) {
    parts.n = 0;
    if (!tp_algebra_has_product(&s->products, s->tt, facts[i])) continue;
    tp_conjuncts(s->tt, tp_mk_not(s->tt, facts[i]), &parts);
    if (parts.n < 2 || (found < n && parts.n > denied->n)) continue;
    found = i;
    denied->n = 0;
    for (size_t k = 0; k < parts.n; k++) tp_vec_push(denied, parts.at[k]);
  }
  tp_vec_clear(&parts);
  return found;
}

/* Is each part of one disjunction impossible, with the other facts? */
static bool refutes_disjunction(search *s, const tp_term *facts, size_t n, uint32_t depth) {
  tp_term_list all = {0}, denied = {0};
  for (size_t i = 0; i < n; i++) tp_conjuncts(s->tt, facts[i], &all);
  const size_t at = find_disjunction(s, all.at, all.n, &denied);
  bool refuted = at < all.n;
  for (size_t k = 0; k < denied.n && refuted; k++) {
    all.at[at] = tp_mk_not(s->tt, denied.at[k]);
    refuted = refutes(s, all.at, all.n, depth - 1);
  }
  tp_vec_clear(&all);
  tp_vec_clear(&denied);
  return refuted;
}

static bool refutes(search *s, const tp_term *facts, size_t n, uint32_t depth) {
  if (++s->cases > TP_SMT_ALGEBRA_CASES) return false;
  for (size_t i = 0; i < n; i++)
    if (tp_is_false(s->tt, facts[i])) return true;
  const tp_term condition = depth ? find_condition(s->tt, facts, n) : TP_TERM_NONE;
  if (tp_term_is(condition))
    return tp_bounds_refute(s->tt, facts, n) || refutes_both(s, facts, n, condition, depth - 1);
  return tp_algebra_refutes_conjunction(s->tt, facts, n) ||
         (depth && refutes_disjunction(s, facts, n, depth));
}

/* All facts first, where choices are unknowns: most refutations need no case. */
bool tp_algebra_refutes(tp_terms *tt, const tp_term *facts, size_t n) {
  search s = {.tt = tt, .cases = 1};
  bool refuted = tp_algebra_refutes_conjunction(tt, facts, n);
  if (!refuted) {
    const tp_term condition = find_condition(tt, facts, n);
    const uint32_t depth = TP_SMT_ALGEBRA_CONDITIONS;
    refuted = tp_term_is(condition) ? refutes_both(&s, facts, n, condition, depth - 1)
                                    : refutes_disjunction(&s, facts, n, depth);
  }
  tp_algebra_clear(&s.products);
  return refuted;
}
