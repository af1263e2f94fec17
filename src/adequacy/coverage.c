/* The table of covered abstract states: valuations of the predicates of a cutpoint, each once,
 * with the concrete state that reached it first. */
#include "adequacy/coverage.h"

void tp_coverage_init(tp_coverage *c, const tp_program *p) { *c = (tp_coverage){.program = p}; }

void tp_coverage_clear(tp_coverage *c) {
  for (size_t i = 0; i < c->cutpoints.n; i++) {
    tp_vec_clear(&c->cutpoints.at[i].probes);
    tp_vec_clear(&c->cutpoints.at[i].states);
  }
  for (size_t i = 0; i < c->states.n; i++) tp_state_free(c->states.at[i].state);
  tp_vec_clear(&c->cutpoints);
  tp_vec_clear(&c->states);
  tp_map_clear(&c->index);
}

// ------------------------------------------------------------------------ states

static uint64_t first_key(uint32_t cutpoint, uint64_t values) {
  return tp_hash_mix(values, cutpoint);
}

/* Where the abstract state is in the index, or would be; *state: its number, or UINT32_MAX. */
static uint64_t key_of(const tp_coverage *c, uint32_t cutpoint, uint64_t values, uint32_t *state) {
  TP_REQUIRE(cutpoint < c->cutpoints.n);
  uint64_t key = first_key(cutpoint, values), found;
  *state = UINT32_MAX;
  for (; tp_map_get(&c->index, key, &found); key = tp_hash_u64(key + 1)) {
    const tp_abstract_state *a = &c->states.at[found - 1];
    if (a->cutpoint != cutpoint || a->values != values) continue;
    *state = (uint32_t)found - 1;
    break;
  }
  return key;
}

uint32_t tp_coverage_find(const tp_coverage *c, uint32_t cutpoint, uint64_t values) {
  TP_REQUIRE(cutpoint < c->cutpoints.n);
  uint32_t state;
  (void)key_of(c, cutpoint, values, &state);
  return state;
}

uint32_t tp_coverage_add(tp_coverage *c, uint32_t cutpoint, uint64_t values, tp_origin origin,
                         const tp_state *state) {
  TP_REQUIRE(cutpoint < c->cutpoints.n);
  uint32_t known, at = (uint32_t)c->states.n;
  uint64_t key = key_of(c, cutpoint, values, &known);
  TP_INVARIANT(known == UINT32_MAX);
  const size_t n_here = c->cutpoints.at[cutpoint].probes.n;
  TP_REQUIRE(n_here >= 64 || values >> n_here == 0);  // one bit for each predicate
  tp_abstract_state a = {.cutpoint = cutpoint,
                         .values = values,
                         .is_missed = origin.kind != TP_FROM_TEST,
                         .origin = origin};
  if (state) a.state = tp_state_copy(state);
  tp_vec_push(&c->states, a);
  tp_vec_push(&c->cutpoints.at[cutpoint].states, at);
  tp_map_set(&c->index, key, at + 1);
  TP_INVARIANT(tp_coverage_find(c, cutpoint, values) == at);  // or it would be added again
  // after 1, 2, 4, ... states: linear in all
  TP_INVARIANT((c->states.n & (c->states.n - 1)) || tp_coverage_check(c));
  return at;
}

bool tp_coverage_check(const tp_coverage *c) {
  size_t n_listed = 0;
  for (uint32_t i = 0; i < c->cutpoints.n; i++) {
    const tp_cutpoint_coverage *at = &c->cutpoints.at[i];
    n_listed += at->states.n;
    for (size_t k = 0; k < at->states.n; k++) {
      const uint32_t s = at->states.at[k];
      if (s >= c->states.n || c->states.at[s].cutpoint != i) return false;
      if (k > 0 && at->states.at[k - 1] >= s) return false;
    }
  }
  for (uint32_t s = 0; s < c->states.n; s++)
    if (tp_coverage_find(c, c->states.at[s].cutpoint, c->states.at[s].values) != s) return false;
  return n_listed == c->states.n;
}

// -------------------------------------------------------------------- predicates

typedef enum { NO, YES, OPEN } truth;

/* The truth of a condition: where one side of a connective decides, the other need not have a
 * value. */
static truth truth_of(const tp_state *s, const tp_terms *tt, tp_term t) {
  TP_REQUIRE(tp_sort_kind_of(tt, tp_sort_of(tt, t)) == TP_SORT_BOOL);
  tp_value v;
  tp_term_kind k = tp_kind(tt, t);
  if (k == TP_OP_NOT) {
    truth a = truth_of(s, tt, tp_arg(tt, t, 0));
    return a == OPEN ? OPEN : a == YES ? NO : YES;
  }
  if (k == TP_OP_AND || k == TP_OP_OR) {
    const truth decides = k == TP_OP_AND ? NO : YES;
    truth a = truth_of(s, tt, tp_arg(tt, t, 0));
    if (a == decides) return a;
    truth b = truth_of(s, tt, tp_arg(tt, t, 1));
    return b == decides ? b : a == OPEN ? a : b;
  }
  if (tp_state_eval(s, t, &v) != TP_OK) return OPEN;
  return v.bits ? YES : NO;
}

bool tp_coverage_holds(const tp_coverage *c, const tp_state *s, tp_term condition) {
  return truth_of(s, c->program->terms, condition) == YES;
}

uint64_t tp_coverage_values(const tp_coverage *c, uint32_t cutpoint, const tp_state *s) {
  TP_REQUIRE(cutpoint < c->cutpoints.n);
  const tp_cutpoint_coverage *at = &c->cutpoints.at[cutpoint];
  uint64_t values = 0;
  for (size_t i = 0; i < at->probes.n; i++)
    if (tp_coverage_holds(c, s, at->probes.at[i].term)) values |= (uint64_t)1 << i;
  return values;
}

static tp_term cube(const tp_coverage *c, uint32_t cutpoint, uint64_t values) {
  TP_REQUIRE(cutpoint < c->cutpoints.n);
  tp_terms *tt = c->program->terms;
  const tp_cutpoint_coverage *at = &c->cutpoints.at[cutpoint];
  tp_term all = tp_mk_true(tt);
  for (size_t i = 0; i < at->probes.n; i++) {
    tp_term t = at->probes.at[i].term;
    all = tp_mk_and(tt, all, values >> i & 1 ? t : tp_mk_not(tt, t));
  }
  return all;
}

tp_term tp_coverage_cube(const tp_coverage *c, uint32_t state) {
  TP_REQUIRE(state < c->states.n);
  return cube(c, c->states.at[state].cutpoint, c->states.at[state].values);
}

tp_term tp_coverage_formula(const tp_coverage *c, uint32_t cutpoint) {
  TP_REQUIRE(cutpoint < c->cutpoints.n);
  TP_REQUIRE(tp_coverage_check(c));  // a state that is not listed would be missing in the formula
  tp_terms *tt = c->program->terms;
  const tp_cutpoint_coverage *at = &c->cutpoints.at[cutpoint];
  tp_term any = tp_mk_false(tt);
  for (size_t i = 0; i < at->states.n; i++)
    any = tp_mk_or(tt, any, cube(c, cutpoint, c->states.at[at->states.at[i]].values));
  return any;
}
