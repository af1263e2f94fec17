/* Equations are looked for in the goal as it is written; the case of all other values is asked
 * again. */
#include "certify/symbolic/goal_cases.h"

#include "certify/certify_limits.h"
#include "certify/inductive/universal.h"

typedef struct {
  const tp_chk_cert *e;
  tp_terms *tt;
  tp_term equation, index, place;  // what was found
} case_search;

static tp_visit see_equation(void *ctx, tp_term t) {
  case_search *s = ctx;
  if (tp_kind(s->tt, t) != TP_OP_EQ) return TP_VISIT_ARGS;
  for (size_t i = 0; i < s->e->indices.n; i++) {
    const tp_term index = s->e->indices.at[i];
    tp_term place;
    if (!tp_chk_universal_index_where(s->tt, t, index, &place) || tp_occurs(s->tt, index, place) ||
        !tp_term_eq(tp_mk_eq(s->tt, index, place), t))
      continue;
    s->equation = t, s->index = index, s->place = place;
    return TP_VISIT_STOP;
  }
  return TP_VISIT_ARGS;
}

static tp_term by_cases(const tp_chk_cert *e, tp_terms *tt, tp_term goal, uint32_t most) {
  case_search s = {.e = e, .tt = tt};
  const tp_visitor v = {.ctx = &s, .visit = see_equation, .order = TP_LEFT_TO_RIGHT};
  if (most == 0 || tp_visit_terms(tt, goal, &v, NULL)) return goal;
  const tp_term there = tp_replace(tt, goal, s.index, s.place),
                elsewhere = tp_replace(tt, goal, s.equation, tp_mk_false(tt));
  return tp_mk_ite(tt, s.equation, by_cases(e, tt, there, most - 1),
                   by_cases(e, tt, elsewhere, most - 1));
}

tp_term tp_chk_goal_by_cases(const tp_chk_cert *e, tp_terms *tt, tp_term goal) {
  return e->indices.n ? by_cases(e, tt, goal, TP_CERTIFY_GOAL_CASES) : goal;
}
