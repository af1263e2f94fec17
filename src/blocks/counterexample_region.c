/* A worklist of Boolean terms whose truth in the model is what makes the question true. */
#include "blocks/counterexample_region.h"

#include "blocks/blocks_limits.h"

typedef struct {
  tp_term t;
  bool is_true, is_condition;  // of a conditional value
} part;

typedef struct {
  tp_induction *x;
  tp_paths *paths;
  tp_terms *tt;
  TP_VEC(part) todo;
  tp_map seen;
  tp_term region;
  bool is_lost;  // the model did not say something
} search;

static void push(search *q, tp_term t, bool is_true, bool is_condition) {
  if (tp_map_has(&q->seen, (uint64_t)t.id << 1 | is_true)) return;
  tp_map_set(&q->seen, (uint64_t)t.id << 1 | is_true, 1);
  tp_vec_push(&q->todo, (part){t, is_true, is_condition});
}

static bool truth(search *q, tp_term t) {
  tp_value v = {0};
  if (tp_is_const(q->tt, t)) return tp_is_true(q->tt, t);
  if (!tp_induction_value(q->x, t, &v)) q->is_lost = true;
  return v.bits != 0;
}

// -------------------------------------------------------------------- literals

typedef struct {
  const search *q;
  bool found;
} input_search;

static void see_var(void *ctx, tp_term var) {
  input_search *s = ctx;
  s->found |= tp_paths_is_input(s->q->paths, var);
}

static bool has_input(const search *q, tp_term t) {
  input_search s = {q, false};
  tp_for_vars(q->tt, t, see_var, &s);
  return s.found;
}

static tp_term input_in_model(void *ctx, tp_term var) {
  search *q = ctx;
  tp_value v = {0};
  const tp_sort sort = tp_sort_of(q->tt, var);
  if (!tp_paths_is_input(q->paths, var) || tp_sort_kind_of(q->tt, sort) == TP_SORT_ARRAY)
    return TP_TERM_NONE;
  (void)tp_induction_value(q->x, var, &v);  // of what the question does not rest on: 0
  return tp_mk_value(q->tt, sort, v);
}

static bool is_conditional(void *ctx, const tp_terms *tt, tp_term t) {
  (void)ctx;
  return tp_kind(tt, t) == TP_OP_ITE;
}

/* The literal with the model's branch in place of each conditional value, whose condition becomes a
 * part. The one with the highest number is inside of no other. */
static tp_term choose_branches(search *q, tp_term t) {
  for (int n = 0; n < TP_BLOCKS_REGION_BRANCHES && !q->is_lost; n++) {
    tp_term_list all = {0};
    tp_collect_terms(q->tt, t, is_conditional, NULL, &all);
    const tp_term outer = all.n ? tp_vec_last(&all) : TP_TERM_NONE;
    tp_vec_clear(&all);
    if (!tp_term_is(outer)) return t;
    const tp_term condition = tp_arg(q->tt, outer, 0);
    const bool holds = truth(q, condition);
    push(q, condition, holds, true);
    t = tp_replace(q->tt, t, outer, tp_arg(q->tt, outer, holds ? 1 : 2));
  }
  q->is_lost = true;
  return t;
}

static void add_literal(search *q, part p) {
  tp_term t = choose_branches(q, p.is_true ? p.t : tp_mk_not(q->tt, p.t));
  if (q->is_lost || (p.is_condition && has_input(q, t))) return;
  tp_map memo = {0};
  t = tp_subst(q->tt, t, input_in_model, q, &memo);
  tp_map_clear(&memo);
  if (tp_paths_is_expressible(q->paths, t)) q->region = tp_mk_and(q->tt, q->region, t);
}

// ------------------------------------------------------------------- structure

static void take(search *q, part p) {
  const tp_term_kind k = tp_kind(q->tt, p.t);
  const tp_term a = tp_n_args(q->tt, p.t) > 0 ? tp_arg(q->tt, p.t, 0) : TP_TERM_NONE,
                b = tp_n_args(q->tt, p.t) > 1 ? tp_arg(q->tt, p.t, 1) : TP_TERM_NONE;
  const bool is_conjunction = (k == TP_OP_AND && p.is_true) || (k == TP_OP_OR && !p.is_true);
  const bool is_equation =
      k == TP_OP_XOR ||
      (k == TP_OP_EQ && tp_sort_kind_of(q->tt, tp_sort_of(q->tt, a)) == TP_SORT_BOOL);
  if (k == TP_OP_NOT) {
    push(q, a, !p.is_true, p.is_condition);
  } else if (is_conjunction) {
    push(q, a, p.is_true, p.is_condition);
    push(q, b, p.is_true, p.is_condition);
  } else if (k == TP_OP_AND || k == TP_OP_OR) {
    push(q, truth(q, a) == p.is_true ? a : b, p.is_true, p.is_condition);
  } else if (k == TP_OP_ITE) {
    const bool holds = truth(q, a);
    push(q, a, holds, p.is_condition);
    push(q, tp_arg(q->tt, p.t, holds ? 1 : 2), p.is_true, p.is_condition);
  } else if (is_equation) {
    push(q, a, truth(q, a), p.is_condition);
    push(q, b, truth(q, b), p.is_condition);
  } else {
    add_literal(q, p);
  }
}

tp_term tp_induction_region(tp_induction *x) {
  TP_REQUIRE(x->solver != NULL);
  if (tp_dag_size(x->b->paths->tt, x->question) > TP_BLOCKS_REGION_TERMS) return TP_TERM_NONE;
  search q = {.x = x, .paths = x->b->paths, .tt = x->b->paths->tt};
  q.region = tp_mk_true(q.tt);
  push(&q, tp_paths_flat(q.paths, x->question), true, false);
  while (q.todo.n && !q.is_lost) take(&q, tp_vec_pop(&q.todo));
  tp_vec_clear(&q.todo);
  tp_map_clear(&q.seen);
  return q.is_lost ? TP_TERM_NONE : q.region;
}
