/* Splitting: which of the methods, what must be excluded, and the check of what is handed out. */
#include "search/split.h"

#include "search/partition_priv.h"
#include "search/search_limits.h"
#include "search/split_priv.h"

bool tp_split_covers(tp_partition *pt, uint32_t from, uint32_t block, tp_term target, tp_term rho) {
  TP_REQUIRE(block < pt->blocks->list.n);
  tp_terms *tt = pt->blocks->paths->tt;
  return tp_partition_query(pt, tp_mk_and(tt, tp_partition_step_into(pt, from, block, target),
                                          tp_mk_not(tt, rho))) == TP_SMT_UNSAT;
}

bool tp_split_excludes(const tp_partition *pt, const tp_state *s, tp_term rho) {
  tp_value v = {0};
  (void)pt;
  return tp_state_eval(s, rho, &v) == TP_OK && !v.bits;
}

// ---------------------------------------------------------------------------- (ii)

/* The states of the prefix, for the solver. */
static void assert_prefix(tp_splitter *s) {
  const tp_split_problem *q = s->problem;
  tp_path whole = q->whole ? tp_path_copy(q->whole) : tp_path_copy(&q->prefix[0]);
  for (size_t i = 1; i < q->n_prefix && !q->whole; i++) {
    tp_path longer = tp_path_then(s->x, &whole, &q->prefix[i]);
    tp_path_clear(&whole);
    whole = longer;
  }
  tp_term arrived = tp_mk_and(s->tt, tp_path_condition(s->x, &whole),
                              tp_path_after(s->x, &whole, s->pt->cells.at[s->step.from].formula));
  s->prefix_smt = tp_smt_new(s->tt, s->pt->smt);
  tp_smt_assert(s->prefix_smt, tp_paths_query(s->x, arrived));
  s->whole = whole;
}

static bool is_prefix_outside(tp_splitter *s, tp_term rho) {
  if (!s->prefix_smt) assert_prefix(s);
  tp_term at_end = tp_paths_query(s->x, tp_path_after(s->x, &s->whole, rho));
  return tp_smt_check(s->prefix_smt, &at_end, 1) == TP_SMT_UNSAT;
}

bool tp_split_is_outside(tp_splitter *s, tp_term rho) {
  if (tp_is_true(s->tt, rho)) return false;
  for (size_t i = 0; i < s->problem->n_states; i++)
    if (s->must_exclude[i] && !tp_split_excludes(s->pt, s->problem->states[i], rho)) return false;
  return !s->uses_prefix || is_prefix_outside(s, rho);
}

/* Which states, and whether all states of the prefix, are outside of the pre-image already. False:
 * not even the first. */
static bool find_outside(tp_splitter *s, tp_term pre) {
  const tp_split_problem *q = s->problem;
  for (size_t i = 0; i < q->n_states; i++)
    s->must_exclude[i] = tp_split_excludes(s->pt, q->states[i], pre);
  if (q->n_states && !s->must_exclude[0]) return false;
  bool has_prefix =
      q->whole || (q->n_prefix && (!q->n_states || q->n_prefix <= TP_SEARCH_SPLIT_PREFIX));
  s->uses_prefix = has_prefix && is_prefix_outside(s, pre);
  return q->n_states > 0 || !has_prefix || s->uses_prefix;
}

// -------------------------------------------------------------------------- methods

/* What the cell says itself need not be said again. */
static void drop_what_the_cell_says(tp_splitter *s) {
  tp_term_list known = {0};
  tp_map is_known = {0};
  size_t n = 0;
  tp_conjuncts(s->tt, s->pt->cells.at[s->step.from].formula, &known);
  for (size_t i = 0; i < known.n; i++) tp_map_set(&is_known, known.at[i].id, 1);
  for (size_t i = 0; i < s->pre.n; i++)
    if (!tp_map_has(&is_known, s->pre.at[i].fact.id)) s->pre.at[n++] = s->pre.at[i];
  s->pre.n = n;
  tp_vec_clear(&known);
  tp_map_clear(&is_known);
}

static bool by_pre(tp_splitter *s, tp_term *rho, tp_str *why) {
  tp_term target = s->pt->cells.at[s->step.to].formula;
  tp_split_pre_conjuncts(s->pt, s->step.block, target, &s->pre, &s->is_exact, &s->needs_check);
  drop_what_the_cell_says(s);
  tp_term pre = tp_split_conjunction(s->tt, &s->pre);
  if (!find_outside(s, pre)) {
    tp_str_add(why,
               s->is_exact
                   ? "as far as path formulas say, the step can be taken from where the path leads"
                   : "inputs could not be eliminated");
    return false;
  }
  bool has_reason = s->problem->n_states || s->uses_prefix;
  if (s->pt->settings.split == TP_SPLIT_ALIAS && s->problem->n_states)
    tp_split_restrict_to_aliases(s);
  if (s->pt->settings.split != TP_SPLIT_PRE && has_reason) tp_split_drop(s);
  *rho = tp_split_under_aliases(s);
  if (tp_is_true(s->tt, *rho)) {
    tp_str_add(why, "all states of the region can take the step, as far as path formulas say");
    return false;
  }
  if (!s->needs_check || tp_split_covers(s->pt, s->step.from, s->step.block, target, *rho))
    return true;
  tp_str_add(why, "the solver gave up on a pre-image");
  return false;
}

/* The other methods exclude the path by themselves; of the states, the one that matters. */
static void expect_first_only(tp_splitter *s) {
  for (size_t i = 0; i < s->problem->n_states; i++) s->must_exclude[i] = i == 0;
  s->uses_prefix = false;
}

static bool by_interpolant(tp_splitter *s, tp_term *rho, tp_str *why) {
  expect_first_only(s);
  return tp_split_interpolant(s, rho, why);
}

/* One after the other; why is what the pre-image says. */
static bool find_rho(tp_splitter *s, tp_term *rho, tp_str *why) {
  bool interpolant_first = s->pt->settings.split == TP_SPLIT_INTERPOLANT;
  tp_str more = {0};
  bool ok = (interpolant_first && by_interpolant(s, rho, &more)) || by_pre(s, rho, why);
  if (!ok && !interpolant_first && s->problem->n_prefix) ok = by_interpolant(s, rho, &more);
  if (!ok && s->problem->n_states) {
    expect_first_only(s);
    ok = tp_split_point(s, rho);
  }
  tp_str_clear(&more);
  return ok;
}

// ---------------------------------------------------------------------- other cells

/* What of another cell of the region may lead into the region of step.to: nothing is closed on the
 * strength of it. */
static tp_term may_lead(tp_splitter *s, uint32_t cell) {
  const tp_blocks *b = s->pt->blocks;
  uint32_t node = s->pt->cells.at[cell].node, region = s->pt->cells.at[s->step.to].region;
  tp_term any = tp_mk_false(s->tt);
  if (region == s->pt->cells.at[s->step.from].region) return any;
  for (uint32_t i = b->first.at[node]; i < b->first.at[node + 1]; i++) {
    const tp_cell_list *leaves = &s->pt->distances->leaves[b->list.at[i].to];
    for (size_t k = 0; k < leaves->n; k++) {
      const tp_cell_node *to = &s->pt->cells.at[leaves->at[k]];
      bool exact;
      if (to->region == region && tp_partition_status(s->pt, cell, leaves->at[k]) != TP_STEP_CLOSED)
        any = tp_mk_or(s->tt, any, tp_split_pre(s->pt, i, to->formula, &exact));
    }
  }
  return any;
}

bool tp_split_predicate(const tp_split_problem *problem, tp_abstract_step step, tp_term *out,
                        tp_str *why) {
  TP_REQUIRE(problem->n_states || problem->n_prefix || problem->whole);
  TP_REQUIRE(tp_partition_is_leaf(problem->pt, step.from) &&
             tp_partition_is_leaf(problem->pt, step.to));
  tp_partition *pt = problem->pt;
  tp_splitter s = {.problem = problem,
                   .pt = pt,
                   .x = pt->blocks->paths,
                   .tt = pt->blocks->paths->tt,
                   .step = step};
  tp_term rho = TP_TERM_NONE;
  s.must_exclude = TP_NEW_ARRAY(bool, problem->n_states + 1);
  bool ok = find_rho(&s, &rho, why);
  const tp_partition_region *region = &pt->regions.at[pt->cells.at[step.from].region];
  for (size_t i = 0; i < region->cells.n && ok; i++)
    out[i] = region->cells.at[i] == step.from ? rho : may_lead(&s, region->cells.at[i]);
  if (s.prefix_smt) {
    tp_smt_free(s.prefix_smt);
    tp_path_clear(&s.whole);
  }
  tp_vec_clear(&s.pre);
  tp_free(s.must_exclude);
  return ok;
}
