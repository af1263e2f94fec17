/* One place after the other: the statement elsewhere is asked for further places. */
#include "blocks/index_cases.h"

#include "blocks/blocks_limits.h"
#include "blocks/solve_index.h"

/* The first equation of an index and a place in which it does not occur. */
typedef struct {
  tp_terms *tt;
  const tp_term *indices;
  size_t n;
  tp_term equation, index, place;  // what was found
} place_search;

static tp_visit see_equation(void *ctx, tp_term t) {
  place_search *s = ctx;
  if (tp_kind(s->tt, t) != TP_OP_EQ) return TP_VISIT_ARGS;
  for (size_t i = 0; i < s->n; i++) {
    const tp_term index = s->indices[i];
    tp_term place;
    if (!tp_occurs(s->tt, index, t) || !tp_solve_index(s->tt, t, index, &place) ||
        tp_occurs(s->tt, index, place) || !tp_term_eq(tp_mk_eq(s->tt, index, place), t))
      continue;
    s->equation = t, s->index = index, s->place = place;
    return TP_VISIT_STOP;
  }
  return TP_VISIT_ARGS;
}

static tp_term by_cases(tp_terms *tt, tp_term t, const tp_term *indices, size_t n, uint32_t most) {
  place_search s = {.tt = tt, .indices = indices, .n = n};
  const tp_visitor v = {.ctx = &s, .visit = see_equation, .order = TP_LEFT_TO_RIGHT};
  if (most == 0 || tp_visit_terms(tt, t, &v, NULL)) return t;
  const tp_term there = tp_replace(tt, t, s.index, s.place),
                elsewhere = tp_replace(tt, t, s.equation, tp_mk_false(tt));
  return tp_mk_ite(tt, s.equation, by_cases(tt, there, indices, n, most - 1),
                   by_cases(tt, elsewhere, indices, n, most - 1));
}

tp_term tp_index_cases(tp_terms *tt, tp_term t, const tp_term *indices, size_t n) {
  return by_cases(tt, t, indices, n, TP_BLOCKS_UNIVERSAL_CASES);
}
