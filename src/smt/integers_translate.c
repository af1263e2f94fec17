/* The translation of a conjunction to integers, in rounds.
 *
 * A round translates all facts under the bounds found so far, which decide which wraps are needed;
 * then bounds are propagated from the integer facts. Every bound follows from the facts, and bounds
 * are asserted with the translation of the last round, so the models stay the same: a model of the
 * facts meets the bounds (by induction over the rounds), and where the bounds hold the last
 * translation is exact. At most TP_SMT_INTS_ROUNDS are made. */
#include "smt/integers_priv.h"

#include "smt/smt_limits.h"

tp_span tp_integers_span(tp_integers *n, tp_term var) {
  TP_REQUIRE(tp_sort_kind_of(n->tt, tp_sort_of(n->tt, var)) == TP_SORT_BV);
  return tp_integers_bound_of(n, tp_integers_var(n, var));
}

tp_term tp_integers_span_fact(tp_integers *n, tp_integers_bound b) {
  tp_terms *tt = n->tt;
  TP_REQUIRE(b.span.lo <= b.span.hi);
  uint32_t w = tp_width(tt, b.var);
  bool is_signed = tp_integers_is_signed(n, b.var);
  tp_span type = tp_span_of_type(w, is_signed);
  tp_term_kind le = is_signed ? TP_OP_BV_SLE : TP_OP_BV_ULE;
  tp_term lo = tp_mk_bv(tt, w, (tp_u128)b.span.lo), hi = tp_mk_bv(tt, w, (tp_u128)b.span.hi),
          fact = tp_mk_true(tt);
  if (b.span.lo > type.lo) fact = tp_mk_and(tt, fact, tp_mk2(tt, le, lo, b.var));
  if (b.span.hi < type.hi) fact = tp_mk_and(tt, fact, tp_mk2(tt, le, b.var, hi));
  return fact;
}

static bool one_round(tp_integers *n, const tp_integers_query *q, tp_integers_translation *out) {
  tp_map_clear(&n->translated);
  tp_map_clear(&n->wrapped);
  tp_map_clear(&n->span_given);
  tp_integers_invalidate_spans(n);
  n->n_wraps = 0;
  n->refused = NULL;
  out->facts.n = out->assumptions.n = 0;
  for (size_t i = 0; i < q->n_facts + q->n_assumptions; i++) {
    bool is_fact = i < q->n_facts;
    tp_term t = tp_integers_term(n, is_fact ? q->facts[i] : q->assumptions[i - q->n_facts]);
    if (!tp_term_is(t)) return false;
    if (is_fact)
      tp_vec_push(&out->facts, t);
    else
      tp_vec_push(&out->assumptions, t);
  }
  return true;
}

static void add_range(tp_integers *n, tp_term integer, tp_integers_range range,
                      tp_integers_translation *out) {
  const tp_integers_variable *v = tp_integers_find(n, integer);
  tp_span s = v && range == TP_RANGE_TYPE ? tp_span_of_type(v->width_bits, v->is_signed)
                                          : tp_integers_bound_of(n, integer);
  if (s.lo > -TP_SPAN_FAR)
    tp_vec_push(&out->side, tp_mk2(n->tt, TP_OP_INT_LE, tp_integers_constant(n, s.lo), integer));
  if (s.hi < TP_SPAN_FAR)
    tp_vec_push(&out->side, tp_mk2(n->tt, TP_OP_INT_LE, integer, tp_integers_constant(n, s.hi)));
}

/* Ranges and definitions of all variables that occur, also in definitions; bounds that were used
 * up, too: a fact may be true because of them. */
static void add_side_facts(tp_integers *n, tp_integers_range range, tp_integers_translation *out) {
  tp_map visited = {0};
  out->side.n = out->vars.n = 0;
  for (size_t i = 0; i < out->facts.n; i++) tp_vec_push(&n->todo, out->facts.at[i]);
  for (size_t i = 0; i < out->assumptions.n; i++) tp_vec_push(&n->todo, out->assumptions.at[i]);
  for (size_t i = 0; range == TP_RANGE_DERIVED && i < n->bound.n; i++)
    tp_vec_push(&n->todo, (tp_term){(uint32_t)n->bound.entries[i].key});
  while (n->todo.n) {
    tp_term top = tp_vec_pop(&n->todo);
    if (tp_map_has(&visited, top.id)) continue;
    tp_map_set(&visited, top.id, 1);
    for (uint32_t i = 0; i < tp_n_args(n->tt, top); i++)
      tp_vec_push(&n->todo, tp_arg(n->tt, top, i));
    if (tp_kind(n->tt, top) != TP_OP_VAR) continue;
    tp_vec_push(&out->vars, top);
    tp_term definition = tp_integers_definition(n, top);
    const tp_integers_variable *v = tp_integers_find(n, top);
    if (tp_term_is(definition)) {
      tp_vec_push(&out->side, definition);
      tp_vec_push(&n->todo, definition);
    } else if (v || tp_map_has(&n->bound, top.id)) {
      add_range(n, top, range, out);
    }
  }
  tp_map_clear(&visited);
  if (n->contradiction && range == TP_RANGE_DERIVED) tp_vec_push(&out->side, tp_mk_false(n->tt));
}

bool tp_integers_translate(tp_integers *n, const tp_integers_query *q,
                           tp_integers_translation *out) {
  for (size_t i = 0; i < q->n_facts; i++) tp_integers_vote(n, q->facts[i]);
  for (size_t i = 0; i < q->n_assumptions; i++) tp_integers_vote(n, q->assumptions[i]);
  tp_map_clear(&n->bound);
  n->spans.n = 0;
  n->contradiction = false;
  n->wrap = q->wrap;
  n->may_fold = q->range == TP_RANGE_DERIVED;
  for (size_t i = 0; i < q->n_bounds; i++)
    tp_integers_restrict(n, tp_integers_var(n, q->bounds[i].var), q->bounds[i].span);
  for (int round = 0; round < TP_SMT_INTS_ROUNDS; round++) {
    if (!one_round(n, q, out)) {
      out->refused = n->refused;
      return false;
    }
    if (n->n_wraps == 0 && q->range == TP_RANGE_DERIVED) break;
    if (!tp_integers_propagate(n, out->facts.at, out->facts.n)) break;
  }
  TP_INVARIANT(out->facts.n == q->n_facts && out->assumptions.n == q->n_assumptions);
  out->n_wraps = n->n_wraps;
  out->refused = NULL;
  add_side_facts(n, q->range, out);
  return true;
}

void tp_integers_translation_clear(tp_integers_translation *a) {
  tp_vec_clear(&a->facts);
  tp_vec_clear(&a->assumptions);
  tp_vec_clear(&a->side);
  tp_vec_clear(&a->vars);
}
