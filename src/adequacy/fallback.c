/* When a solver gives up.
 *
 *   other back ends     each is asked the same question; the one that decides it keeps the segment
 *   cube by cube        one abstract state in front of the segment at a time
 *   Cartesian           for an abstract state that is still undecided: each predicate behind the
 *                       segment by itself, can it be true, can it be false? All truth vectors that
 *                       no answer excludes are covered from now on.
 *
 * The last adds more than is needed, never less: what a solver did not say is not taken for
 * "closed". An error that cannot be excluded is a potential error. */
#include "adequacy/adequacy_priv.h"

#include "adequacy/adequacy_limits.h"

static const char *const back_ends[] = {"mixed", "z3", "bits", "ints"};
enum { N_BACK_ENDS = sizeof back_ends / sizeof *back_ends };
static const char *const names[] = {"none", "other-solver", "step", "cartesian", "all"};

const char *tp_fallback_name(tp_fallback f) { return names[f]; }

void tp_adequacy_weakest(tp_adequacy *x, tp_fallback f) {
  if (f > x->report->fallback) x->report->fallback = f;
}

static tp_smt_answer ask_others(tp_adequacy *x, tp_segment *s, const uint64_t *sources, size_t n) {
  const char *first = s->options.backend;
  tp_smt_answer a = TP_SMT_UNKNOWN;
  for (size_t i = 0; i < N_BACK_ENDS && a == TP_SMT_UNKNOWN && !tp_adequacy_is_over(x); i++) {
    if (first && !strcmp(first, back_ends[i])) continue;
    tp_segment_use(s, back_ends[i]);
    a = tp_segment_ask(s, x->c, sources, n, NULL, 0);
  }
  if (a == TP_SMT_UNKNOWN) tp_segment_use(s, first);
  return a;
}

// ---------------------------------------------------------------------- Cartesian

/* Covers all vectors that agree with `values` outside of `open`. */
static void cover_all(tp_adequacy *x, uint32_t cutpoint, uint64_t values, const size_t *open,
                      size_t n_open) {
  TP_REQUIRE(cutpoint < x->c->cutpoints.n);
  for (uint64_t k = 0; k < (uint64_t)1 << n_open; k++) {
    uint64_t v = values;
    for (size_t i = 0; i < n_open; i++)
      if (k >> i & 1) v |= (uint64_t)1 << open[i];
    tp_adequacy_step(x, cutpoint, v);
  }
}

/* False: too many vectors are left. */
static bool step_cartesian(tp_adequacy *x, tp_segment *s, uint32_t cutpoint, uint64_t source) {
  TP_REQUIRE(cutpoint < x->c->cutpoints.n);
  size_t open[TP_ADEQUACY_OPEN_PREDICATES], n_open = 0, n = x->c->cutpoints.at[cutpoint].probes.n;
  uint64_t values = 0;
  for (size_t i = 0; i < n; i++) {
    bool may_hold = tp_segment_ask_literal(s, source, i, true) != TP_SMT_UNSAT,
         may_fail = tp_segment_ask_literal(s, source, i, false) != TP_SMT_UNSAT;
    if (!may_hold && !may_fail) return true;  // nothing gets through
    if (may_hold && !may_fail) values |= (uint64_t)1 << i;
    if (!may_hold || !may_fail) continue;
    if (n_open == TP_ADEQUACY_OPEN_PREDICATES) return false;
    open[n_open++] = i;
  }
  tp_adequacy_weakest(x, n_open == n ? TP_FALLBACK_ALL : TP_FALLBACK_CARTESIAN);
  cover_all(x, cutpoint, values, open, n_open);
  return true;
}

static bool step_otherwise(tp_adequacy *x, uint32_t block, uint64_t source) {
  TP_REQUIRE(block < x->run.blocks.list.n);
  tp_segment *s = &x->segments[block];
  const tp_block *b = &x->run.blocks.list.at[block];
  const tp_block_node *to = &x->run.blocks.nodes.at[b->to];
  if (x->cutpoint_of[b->to] != TP_NO_CUTPOINT)
    return step_cartesian(x, s, x->cutpoint_of[b->to], source);
  tp_potential_error e = {.kind = TP_POTENTIAL_SYMBOLIC,
                          .error = to->loc,
                          .is_open = !to->is_error,
                          .from = UINT32_MAX};
  if (x->cutpoint_of[b->from] != TP_NO_CUTPOINT)
    e.from = tp_coverage_find(x->c, x->cutpoint_of[b->from], source);
  tp_adequacy_weakest(x, TP_FALLBACK_ALL);
  tp_adequacy_add_potential(x, e);
  s->is_settled_for_good = true;
  return true;
}

tp_smt_answer tp_adequacy_ask_otherwise(tp_adequacy *x, uint32_t block, const uint64_t *sources,
                                        size_t n) {
  TP_REQUIRE(block < x->run.blocks.list.n);
  tp_segment *s = &x->segments[block];
  tp_smt_answer a = ask_others(x, s, sources, n);
  tp_adequacy_weakest(x, TP_FALLBACK_OTHER_SOLVER);
  if (a != TP_SMT_UNKNOWN) return a;
  for (size_t i = 0; i < n; i++) {
    a = tp_segment_ask(s, x->c, &sources[i], 1, NULL, 0);
    if (a == TP_SMT_SAT) return a;
    if (a == TP_SMT_UNKNOWN && (tp_adequacy_is_over(x) || !step_otherwise(x, block, sources[i])))
      return TP_SMT_UNKNOWN;
  }
  return TP_SMT_UNSAT;
}
