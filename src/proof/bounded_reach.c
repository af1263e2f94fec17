/* The program is unrolled again, and the conditions under which the branches of checks are reached
 * are collected. A model of one of these conditions mostly reaches other checks on its way, so that
 * few queries decide all. */
#include "proof/bounded_reach.h"

#include "proof/checks.h"
#include "proof/proof_limits.h"

#include <stdlib.h>

typedef struct {
  const tp_reach_question *q;
  tp_checks checks;
  tp_looked *reached;  // of each check
  bool *watched;       // by location
} search;

static bool is_over(void *ctx) {
  const search *s = ctx;
  return tp_cpu_s() > s->q->until_s || s->q->stop(s->q->ctx);
}

static bool feasible(void *ctx, tp_term condition) {
  const search *s = ctx;
  return s->q->feasible(s->q->ctx, condition);
}

/* False: time ran out, and nothing is known of what was left. */
static bool unroll(search *s, uint32_t bound) {
  TP_REQUIRE(bound > 0);
  const tp_unroll_options o = {.property = s->q->property,
                               .bound = bound,
                               .feasible = feasible,
                               .stop = is_over,
                               .ctx = s,
                               .watched = s->watched};
  tp_query_restart(s->q->query);
  tp_unroll_run(s->q->unroll, o);
  size_t n;
  const tp_cut *cuts = tp_unroll_cuts(s->q->unroll, &n);
  return n == 0 || cuts[n - 1].kind != TP_CUT_STEPS;
}

static tp_looked ask(search *s, tp_term condition) {
  const double left_s = s->q->until_s - tp_cpu_s();
  if (!tp_term_is(condition)) return TP_LOOKED_NO;
  if (left_s <= 0) return TP_LOOKED_OPEN;
  switch (tp_query_thorough(s->q->query, condition, TP_PROOF_REACH_RLIMIT, left_s)) {
    case TP_SMT_SAT: return TP_LOOKED_YES;
    case TP_SMT_UNSAT: return TP_LOOKED_NO;
    case TP_SMT_UNKNOWN: break;
  }
  return TP_LOOKED_OPEN;
}

/* Which checks that are not known to be reached does the model at hand come to? */
static void follow_model(search *s) {
  for (size_t i = 0; i < s->checks.n; i++) {
    if (s->reached[i] == TP_LOOKED_YES) continue;
    const tp_term condition = tp_unroll_visited(s->q->unroll, s->checks.at[i].at);
    tp_value v;
    if (tp_term_is(condition) && tp_query_value(s->q->query, condition, &v) && v.bits)
      s->reached[i] = TP_LOOKED_YES;
  }
}

/* The condition under which one of the checks is reached of which that is not known. */
static tp_term any_open(const search *s) {
  tp_terms *tt = s->q->program->terms;
  tp_term any = tp_mk_false(tt);
  for (size_t i = 0; i < s->checks.n; i++) {
    const tp_term condition = tp_unroll_visited(s->q->unroll, s->checks.at[i].at);
    if (s->reached[i] == TP_LOOKED_OPEN && tp_term_is(condition))
      any = tp_mk_or(tt, any, condition);
  }
  return any;
}

/* All at once, as long as a model reaches further ones; then, if that was too hard, one by one. */
static void decide_checks(search *s) {
  tp_looked last = TP_LOOKED_YES;
  for (size_t round = 0; round <= s->checks.n && last == TP_LOOKED_YES; round++) {
    last = ask(s, any_open(s));
    if (last == TP_LOOKED_YES) follow_model(s);
  }
  for (size_t i = 0; i < s->checks.n; i++) {
    if (s->reached[i] != TP_LOOKED_OPEN) continue;
    s->reached[i] =
        last == TP_LOOKED_NO ? last : ask(s, tp_unroll_visited(s->q->unroll, s->checks.at[i].at));
  }
}

static tp_pos place_of(const search *s, const tp_cut *c) {
  return c->kind == TP_CUT_RECURSION ? tp_func_of(s->q->program, c->func)->pos
                                     : tp_loc_of(s->q->program, c->head)->pos;
}

static bool is_noted(const tp_bounded_reach *out, tp_pos pos) {
  for (size_t i = 0; i < out->cuts.n; i++)
    if (memcmp(&out->cuts.at[i].pos, &pos, sizeof pos) == 0) return true;
  return false;
}

static void note_cuts(search *s, tp_bounded_reach *out) {
  size_t n;
  const tp_cut *cuts = tp_unroll_cuts(s->q->unroll, &n);
  for (size_t i = 0; i < n && out->cuts.n < TP_PROOF_REACH_CUTS; i++) {
    const tp_pos pos = place_of(s, &cuts[i]);
    if (is_noted(out, pos) || !feasible(s, cuts[i].condition)) continue;
    tp_vec_push(&out->cuts, ((tp_cut_place){pos, cuts[i].kind == TP_CUT_RECURSION}));
  }
}

static int by_position(const void *a, const void *b) {
  const tp_pos x = ((const tp_looked_check *)a)->pos, y = ((const tp_looked_check *)b)->pos;
  if (x.file != y.file) return x.file < y.file ? -1 : 1;
  if (x.line != y.line) return x.line < y.line ? -1 : 1;
  return (x.column > y.column) - (x.column < y.column);
}

/* Several checks of one operation stand at one position: it is reached if one of them is. */
static void note_checks(const search *s, tp_bounded_reach *out) {
  TP_REQUIRE(out->checks.n == 0);
  for (size_t i = 0; i < s->checks.n; i++)
    tp_vec_push(&out->checks, ((tp_looked_check){s->checks.at[i].pos, s->reached[i]}));
  if (out->checks.n) qsort(out->checks.at, out->checks.n, sizeof *out->checks.at, by_position);
  size_t n = 0;
  for (size_t i = 0; i < out->checks.n; i++) {
    const tp_looked_check next = out->checks.at[i];
    tp_looked_check *last = n ? &out->checks.at[n - 1] : NULL;
    if (!last || by_position(last, &next) != 0)
      out->checks.at[n++] = next;
    else if (next.reached == TP_LOOKED_YES || last->reached == TP_LOOKED_NO)
      last->reached = next.reached;
  }
  out->checks.n = n;
}

// ---------------------------------------------------------------- larger bounds

/* A check that no run within the smaller bound reaches, and one within this bound does. Not NO: at
 * least one of them is open. */
static tp_looked reaches_more(search *s, uint32_t bound, tp_pos *pos) {
  tp_looked any = TP_LOOKED_NO;
  if (!unroll(s, bound)) return TP_LOOKED_OPEN;
  for (size_t i = 0; i < s->checks.n; i++) {
    if (s->reached[i] != TP_LOOKED_NO) continue;
    const tp_looked here = ask(s, tp_unroll_visited(s->q->unroll, s->checks.at[i].at));
    if (here == TP_LOOKED_NO) continue;
    any = here;
    *pos = s->checks.at[i].pos;
    if (here == TP_LOOKED_YES) return here;
  }
  return any;
}

static void find_larger(search *s, tp_bounded_reach *out) {
  uint32_t no = s->q->within, yes = 0;
  tp_pos pos;
  for (uint32_t n = no; n <= TP_PROOF_REACH_BOUND / 2 && !yes;) {
    n *= 2;
    const tp_looked here = reaches_more(s, n, &pos);
    if (here == TP_LOOKED_OPEN) break;
    if (here == TP_LOOKED_YES)
      yes = n, out->larger_pos = pos;
    else
      no = n;
  }
  while (yes > no + 1) {
    const uint32_t middle = no + (yes - no) / 2;
    const tp_looked here = reaches_more(s, middle, &pos);
    if (here == TP_LOOKED_OPEN) break;
    if (here == TP_LOOKED_YES)
      yes = middle, out->larger_pos = pos;
    else
      no = middle;
  }
  out->larger = yes;
  out->tried = no + 1;
}

void tp_bounded_reach_find(const tp_reach_question *question, tp_bounded_reach *out) {
  TP_REQUIRE(question->within > 0 && out->checks.n == 0);
  const tp_program *p = question->program;
  search s = {.q = question};
  tp_checks_find(p, question->property, &s.checks);
  s.reached = TP_NEW_ARRAY(tp_looked, s.checks.n + 1);
  s.watched = TP_NEW_ARRAY(bool, p->locs.n);
  for (size_t i = 0; i < s.checks.n; i++) s.watched[s.checks.at[i].at.id] = true;
  if (unroll(&s, question->within)) {
    decide_checks(&s);
    note_cuts(&s, out);
    note_checks(&s, out);
    bool is_missed = false;
    for (size_t i = 0; i < s.checks.n; i++) is_missed |= s.reached[i] == TP_LOOKED_NO;
    if (is_missed && out->cuts.n) find_larger(&s, out);
  }
  tp_free(s.reached);
  tp_free(s.watched);
  tp_vec_clear(&s.checks);
}
