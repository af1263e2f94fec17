/* Joins and widening of abstract states.
 *
 * Outside of loops, where two paths part by a formula over the pre-state, exact values of both are
 * chosen between by that formula and stay exact. What the paths have in common as facts stays a
 * fact. In loops every join is one of intervals, since conditions differ from round to round. */
#include "contracts/summarise/summarise_priv.h"

// ------------------------------------------------------------------------- values

static bool same_origin(const tp_rsum_origin *a, const tp_rsum_origin *b) {
  return a->from.id == b->from.id && a->n == b->n &&
         memcmp(a->places, b->places, a->n * sizeof *a->places) == 0;
}

static tp_rsum_reading common_reading(tp_rsum_reading a, tp_rsum_reading b) {
  return a == TP_RSUM_EITHER ? b : a;
}

static bool is_null(const tp_summariser *r, const tp_rsum_value *v) {
  return tp_rbound_at(r->t, v->at.upper)->kind == TP_RBOUND_NULL;
}

/* What is not an interval; false: one is read as signed, the other one as unsigned. */
static bool join_rest(tp_summariser *r, tp_rsum_value *a, const tp_rsum_value *b) {
  uint32_t x = 0, y = 0;
  const bool agree =
      a->reading == b->reading || a->reading == TP_RSUM_EITHER || b->reading == TP_RSUM_EITHER;
  if (!same_origin(&a->origin, &b->origin)) a->origin = (tp_rsum_origin){0};
  if (!tp_term_eq(a->means, b->means)) a->means = TP_TERM_NONE;
  a->reading = common_reading(a->reading, b->reading);
  if (a->cell != b->cell || b->is_anywhere) a->is_anywhere = true;
  if (is_null(r, a) || !a->view.id) {
    a->view = is_null(r, a) ? b->view : a->view;
    return agree;
  }
  const bool both =
      b->view.id && tp_rsums_basic_of(r->s, a->view, &x) && tp_rsums_basic_of(r->s, b->view, &y);
  if (a->view.id != b->view.id && !is_null(r, b) && !(both && x == y)) {
    a->view = TP_TYPE_NONE;
    if (b->view.id) a->is_anywhere = true;
  }
  return agree;
}

tp_rsum_value tp_rsum_value_join(tp_summariser *r, tp_rsum_value a, tp_rsum_value b) {
  const tp_rinterval at = tp_rinterval_join(r->t, a.at, b.at);
  const bool agree = join_rest(r, &a, &b);
  a.at = agree ? at : (tp_rinterval){tp_rbound_none(r->t, 1), tp_rbound_ints(r->t)};
  if (a.is_anywhere) a.cell = NULL;
  return a;
}

// ------------------------------------------------------------------------ choices

/* A formula that holds on one path and not on the other; id 0: none is known. */
static tp_rbound parting(tp_summariser *r, const tp_rsum_state *a, const tp_rsum_state *b) {
  for (uint32_t i = 0; i < a->n_facts; i++)
    if (a->kinds[i] == TP_RSUM_DECIDED &&
        tp_rbound_contradicts(r->t, b->facts, b->n_facts, a->facts[i]))
      return a->facts[i];
  for (uint32_t i = 0; i < b->n_facts; i++)
    if (b->kinds[i] == TP_RSUM_DECIDED &&
        tp_rbound_contradicts(r->t, a->facts, a->n_facts, b->facts[i]))
      return tp_rbound_not(r->t, b->facts[i]);
  return (tp_rbound){0};
}

static tp_rinterval choose(tp_summariser *r, tp_rbound c, tp_rinterval a, tp_rinterval b) {
  if (tp_rinterval_eq(a, b)) return a;
  if (!c.id) return tp_rinterval_join(r->t, a, b);
  const tp_rinterval chosen = {tp_rbound_if(r->t, c, a.lower, b.lower),
                               tp_rbound_if(r->t, c, a.upper, b.upper)};
  if (tp_rbound_is_larger(r->t, chosen.upper, r->s->limits.operators))
    return tp_rinterval_limit(r->t, tp_rinterval_join(r->t, a, b), &r->s->limits);
  return chosen;
}

static tp_rbound conjunction(tp_summariser *r, const tp_rsum_state *s, const tp_rsum_state *but) {
  tp_rbound all = tp_rbound_true(r->t);
  for (uint32_t i = 0; i < s->n_facts; i++) {
    bool is_common = s->kinds[i] == TP_RSUM_GIVEN;
    for (uint32_t j = 0; j < but->n_facts; j++)
      is_common = is_common || but->facts[j].id == s->facts[i].id;
    if (!is_common) all = tp_rbound_and(r->t, all, s->facts[i]);
  }
  return all;
}

static void keep_common_facts(tp_rsum_state *into, const tp_rsum_state *s) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < into->n_facts; i++)
    for (uint32_t j = 0; j < s->n_facts; j++)
      if (into->facts[i].id == s->facts[j].id) {
        into->kinds[n] = into->kinds[i];
        into->facts[n++] = into->facts[i];
        break;
      }
  into->n_facts = n;
}

/* Facts of both, and that one of the two paths was taken. */
static void join_facts(tp_summariser *r, tp_rsum_state *into, const tp_rsum_state *s) {
  const tp_rbound either = tp_rbound_or(r->t, conjunction(r, into, s), conjunction(r, s, into));
  keep_common_facts(into, s);
  if (tp_rbound_at(r->t, either)->size < TP_CONTRACTS_BOUND_FACTS)
    tp_rsum_fact(r, into, either, TP_RSUM_DECIDED);
}

void tp_rsum_state_join(tp_summariser *r, tp_rsum_state *into, const tp_rsum_state *s) {
  TP_REQUIRE(!s->is_dead && !into->is_dead);
  const tp_rbound c = r->loop_depth ? (tp_rbound){0} : parting(r, into, s);
  for (uint32_t i = 0; i < r->s->n_slots[r->func.id]; i++) {
    tp_rsum_value *a = &into->vars[i];
    const tp_rsum_value *b = &s->vars[i];
    const tp_rinterval at = choose(r, c, a->at, b->at);
    *a = tp_rsum_value_join(r, *a, *b);
    if (!a->is_anywhere && tp_rbound_at(r->t, a->at.upper)->kind != TP_RBOUND_INTS) a->at = at;
  }
  for (uint32_t i = 0; i < r->s->places.n; i++)
    into->places[i] = choose(r, c, into->places[i], s->places[i]);
  into->alloc = choose(r, c, into->alloc, s->alloc);
  join_facts(r, into, s);
}

// ----------------------------------------------------------------------- widening

static bool same_value(const tp_rsum_value *a, const tp_rsum_value *b) {
  return tp_rinterval_eq(a->at, b->at) && a->cell == b->cell && a->view.id == b->view.id &&
         a->is_anywhere == b->is_anywhere && a->reading == b->reading &&
         same_origin(&a->origin, &b->origin) && tp_term_eq(a->means, b->means);
}

static bool widen_value(tp_summariser *r, tp_rsum_value *a, const tp_rsum_value *b, bool is_last) {
  if (same_value(a, b)) return false;
  tp_rsum_value v = tp_rsum_value_join(r, *a, *b);
  if (!tp_rinterval_eq(a->at, b->at) && tp_rbound_at(r->t, v.at.upper)->kind != TP_RBOUND_INTS)
    v.at = tp_rinterval_widen(r->t, a->at, b->at, &r->s->limits);
  if (!same_value(a, &v) && is_last) {
    v = tp_rsum_any_value(r);
    v.is_anywhere = a->is_anywhere || b->is_anywhere || a->cell || b->cell;
    v.reading = common_reading(a->reading, b->reading);
    if (a->view.id == b->view.id) v.view = a->view;
  }
  const bool is_new = !same_value(a, &v);
  *a = v;
  return is_new;
}

/* The pairs of a bound lead anywhere; their owners are kept. */
static tp_rbound any_values(tp_summariser *r, tp_rbound upper) {
  const tp_rbound_node *n = tp_rbound_at(r->t, upper);
  if (n->kind == TP_RBOUND_PRODUCT)
    return tp_rbound_product(r->t, n->kids[0], tp_rbound_univ(r->t, n->arity - 1));
  if (n->kind != TP_RBOUND_UNION) return upper;
  tp_rbound all = tp_rbound_none(r->t, n->arity);
  for (uint32_t i = 0; i < n->n_kids; i++)
    all = tp_rbound_union(r->t, all, any_values(r, n->kids[i]));
  return all;
}

/* is_last: what is new leads anywhere; if it does so already, nothing is known. */
static bool widen_interval(tp_summariser *r, tp_rinterval *a, tp_rinterval b, bool is_last) {
  tp_rinterval w = tp_rinterval_widen(r->t, *a, b, &r->s->limits);
  if (tp_rinterval_eq(w, *a)) return false;
  const bool is_open = any_values(r, a->upper).id == a->upper.id;
  if (is_last && !is_open && tp_rbound_at(r->t, w.upper)->arity > 1)
    w.upper = any_values(r, w.upper);
  else if (is_last)
    w = tp_rinterval_any(r->t, tp_rbound_at(r->t, w.upper)->arity);
  *a = w;
  return true;
}

bool tp_rsum_state_widen(tp_summariser *r, tp_rsum_state *into, const tp_rsum_state *s,
                         bool is_last) {
  bool is_new = false;
  TP_REQUIRE(!s->is_dead && !into->is_dead);
  for (uint32_t i = 0; i < r->s->n_slots[r->func.id]; i++)
    is_new |= widen_value(r, &into->vars[i], &s->vars[i], is_last);
  for (uint32_t i = 0; i < r->s->places.n; i++)
    is_new |= widen_interval(r, &into->places[i], s->places[i], is_last);
  is_new |= widen_interval(r, &into->alloc, s->alloc, is_last);
  const uint32_t n_facts = into->n_facts;
  keep_common_facts(into, s);
  return is_new || into->n_facts != n_facts;
}

bool tp_rsum_template_widen(tp_summariser *r, tp_rsum_template *into, const tp_rsum_state *after,
                            const tp_rsum_value *result, bool is_last) {
  bool is_new = false;
  if (after->is_dead) return false;
  if (into->after.is_dead) {
    into->after = *after;
    into->result = *result;
    return true;
  }
  for (uint32_t i = 0; i < r->s->globals.n; i++)
    is_new |= widen_value(r, &into->after.vars[i], &after->vars[i], is_last);
  for (uint32_t i = 0; i < r->s->places.n; i++)
    is_new |= widen_interval(r, &into->after.places[i], after->places[i], is_last);
  is_new |= widen_interval(r, &into->after.alloc, after->alloc, is_last);
  is_new |= widen_value(r, &into->result, result, is_last);
  return is_new;
}
