/* A predicate from one state that was seen, for when inputs cannot be eliminated: what of the
 * state's values is enough for the step to be impossible, whatever the inputs. Orders are tried in
 * the place of equations, so that less than one state's worth is cut off seldom. The negation
 * contains every state that can take the step; it excludes this state and those like it. */
#include "search/split_priv.h"
#include "formula/interpolants.h"
#include "program/cells.h"
#include "search/search_limits.h"

typedef struct {
  const tp_splitter *s;
  uint32_t node;
  tp_term_list *out;
} value_search;

static tp_visit add_value(void *ctx, tp_term t) {
  const value_search *v = ctx;
  const tp_splitter *s = v->s;
  tp_term_kind k = tp_kind(s->tt, t);
  tp_sort_kind sort = tp_sort_kind_of(s->tt, tp_sort_of(s->tt, t));
  bool is_value =
      (k == TP_OP_VAR || k == TP_OP_SELECT) && sort != TP_SORT_ARRAY && sort != TP_SORT_INT;
  if (is_value && tp_paths_is_expressible(s->x, t) &&
      tp_block_node_may_use(s->pt->blocks, v->node, t))
    tp_vec_push(v->out, t);
  return TP_VISIT_ARGS;
}

/* Values that the step's condition looks at: variables that exist at the node, and what it reads of
 * memory. */
static void find_terms(tp_splitter *s, tp_term condition, tp_term_list *out) {
  value_search v = {s, s->pt->blocks->list.at[s->step.block].from, out};
  tp_visitor visitor = {.ctx = &v, .visit = add_value, .order = TP_RIGHT_TO_LEFT};
  (void)tp_visit_terms(s->tt, condition, &visitor, NULL);
}

static void add_literals(tp_splitter *s, const tp_state *at, tp_term t, tp_term_list *out) {
  tp_value v = {0};
  if (tp_state_eval(at, t, &v) != TP_OK) return;
  tp_term value = tp_mk_value(s->tt, tp_sort_of(s->tt, t), v);
  if (tp_sort_kind_of(s->tt, tp_sort_of(s->tt, t)) != TP_SORT_BV) {
    tp_vec_push(out, tp_mk_eq(s->tt, t, value));
    return;
  }
  tp_vec_push(out, tp_mk2(s->tt, TP_OP_BV_SLE, t, value));
  tp_vec_push(out, tp_mk2(s->tt, TP_OP_BV_SLE, value, t));
}

/* Leaves out literals without which the step stays impossible. False: it is possible with all of
 * them. */
static bool shrink(tp_splitter *s, tp_term condition, tp_term_list *literals) {
  tp_smt *smt = tp_smt_new(s->tt, s->pt->smt);
  tp_smt_assert(smt, tp_paths_query(s->x, condition));
  bool ok = tp_smt_check(smt, literals->at, literals->n) == TP_SMT_UNSAT;
  if (ok) literals->n = tp_smt_core(smt, literals->at);
  for (size_t i = literals->n; ok && i-- > 0;) {
    tp_term last = tp_vec_last(literals), out = literals->at[i];
    literals->at[i] = last;
    literals->n--;
    if (tp_smt_check(smt, literals->at, literals->n) == TP_SMT_UNSAT) continue;
    literals->at[i] = out;
    tp_vec_push(literals, last);
  }
  tp_smt_free(smt);
  return ok;
}

bool tp_split_point(tp_splitter *s, tp_term *rho) {
  TP_REQUIRE(s->problem->n_states > 0);
  tp_term target = s->pt->cells.at[s->step.to].formula;
  tp_term condition = tp_flatten(&s->x->flattener, s->tt,
                                 tp_partition_step_into(s->pt, s->step.from, s->step.block, target),
                                 TP_SEARCH_SPLIT_FLAT_CONDITIONS);
  tp_term_list terms = {0}, literals = {0};
  find_terms(s, condition, &terms);
  for (size_t i = 0; i < terms.n && literals.n < TP_SEARCH_SPLIT_LITERALS; i++)
    add_literals(s, s->problem->states[0], terms.at[i], &literals);
  bool ok = shrink(s, condition, &literals);
  if (ok) *rho = tp_mk_not(s->tt, tp_mk_and_n(s->tt, literals.at, literals.n));
  tp_vec_clear(&terms);
  tp_vec_clear(&literals);
  return ok && tp_split_is_outside(s, *rho) &&
         tp_split_covers(s->pt, s->step.from, s->step.block, target, *rho);
}
