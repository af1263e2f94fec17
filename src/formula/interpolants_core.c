/* Which literals make a sequence infeasible: the solver's core, then our own deletion, from the
 * end.
 *
 * A core is only a proposal (minimised ones were wrong, measured): each step is a question of its
 * own in a fresh solver, and a literal leaves only if the rest is refuted without it. */
#include "formula/interpolants_priv.h"

#include "formula/formula_limits.h"

static tp_term needed(tp_itp *s, size_t without) {
  tp_term_list parts = {0};
  for (size_t j = 0; j < s->literals.n; j++)
    if (s->literals.at[j].needed && j != without) tp_vec_push(&parts, s->literals.at[j].whole);
  tp_term t = tp_mk_and_n(s->tt, parts.at, parts.n);
  tp_vec_clear(&parts);
  return t;
}

static size_t n_needed(const tp_itp *s) {
  size_t n = 0;
  for (size_t j = 0; j < s->literals.n; j++) n += s->literals.at[j].needed;
  return n;
}

/* What the solver says that it used, if it is right. */
static void solver_core(tp_itp *s) {
  size_t n = s->literals.n;
  tp_term *selectors = TP_NEW_ARRAY(tp_term, n + 1), *core = TP_NEW_ARRAY(tp_term, n + 1),
          all = tp_mk_true(s->tt);
  bool *before = TP_NEW_ARRAY(bool, n + 1);
  tp_smt *smt = tp_smt_new(s->tt, (tp_smt_options){.backend = s->o.backend,
                                                   .rlimit = s->o.rlimit,
                                                   .cpu_s = s->o.cpu_s,
                                                   .stats = s->o.stats});
  for (size_t j = 0; j < n; j++) {
    selectors[j] = tp_mk_var(s->tt, "needed", tp_sort_bool(s->tt));
    all = tp_mk_and(s->tt, all, tp_mk_implies(s->tt, selectors[j], s->literals.at[j].whole));
    before[j] = s->literals.at[j].needed;
  }
  tp_smt_assert(smt, tp_paths_query(s->x, all));
  if (tp_smt_check(smt, selectors, n) == TP_SMT_UNSAT) {
    size_t n_core = tp_smt_core(smt, core);
    tp_map used = {0};
    for (size_t j = 0; j < n_core; j++) tp_map_set(&used, core[j].id, 1);
    for (size_t j = 0; j < n; j++) s->literals.at[j].needed = tp_map_has(&used, selectors[j].id);
    tp_map_clear(&used);
    if (!tp_itp_refutes(s, needed(s, SIZE_MAX)))
      for (size_t j = 0; j < n; j++) s->literals.at[j].needed = before[j];
  }
  tp_smt_free(smt);
  tp_free(selectors);
  tp_free(core);
  tp_free(before);
}

bool tp_itp_find_core(tp_itp *s, tp_itp_answer *answer) {
  // Literals that the start already decides are not needed; a false one is all.
  for (size_t j = 0; j < s->literals.n; j++)
    s->literals.at[j].needed = !tp_is_true(s->tt, s->literals.at[j].whole);
  switch (tp_itp_query(s, needed(s, SIZE_MAX), 0)) {
    case TP_SMT_SAT: *answer = TP_ITP_FEASIBLE; return false;
    case TP_SMT_UNKNOWN: *answer = TP_ITP_UNKNOWN; return false;
    case TP_SMT_UNSAT: *answer = TP_ITP_INFEASIBLE; break;
  }
  if (n_needed(s) > TP_FORMULA_CORE_DELETIONS / 4) solver_core(s);
  size_t budget = TP_FORMULA_CORE_DELETIONS;
  for (size_t j = s->literals.n; j-- > 0 && budget && !tp_itp_late(s);) {
    if (!s->literals.at[j].needed) continue;
    budget--;
    if (tp_itp_query(s, needed(s, j), TP_FORMULA_CORE_RLIMIT) == TP_SMT_UNSAT)
      s->literals.at[j].needed = false;
  }
  return true;
}
