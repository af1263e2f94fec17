/* Simple relations in the place of long formulas.
 *
 * Of the candidates at a cut (interpolants_shapes.c) those that hold in all states behind the
 * generalised path are found as in Houdini's algorithm: each model of a failed check removes all
 * that it falsifies. If together they exclude bad, those that are not needed go, special ones
 * first. What later cuts took comes first, so that one formula serves all turns of a loop. */
#include "formula/interpolants_priv.h"

#include "formula/formula_limits.h"

static tp_smt *new_solver(tp_itp *s, tp_term t) {
  tp_smt *smt = tp_smt_new(s->tt, (tp_smt_options){.backend = s->o.backend,
                                                   .rlimit = TP_FORMULA_RELATED_RLIMIT,
                                                   .cpu_s = s->o.cpu_s,
                                                   .stats = s->o.stats});
  tp_smt_assert(smt, tp_paths_query(s->x, t));
  return smt;
}

static tp_term all_of(tp_itp *s, const tp_term_list *list) {
  return tp_mk_and_n(s->tt, list->at, list->n);
}

/* Keeps those that hold behind the path; empties the list if that cannot be found out. */
static void keep_true(tp_itp *s, size_t cut, tp_term prefix, tp_term_list *list) {
  tp_term whole[TP_FORMULA_RELATED_CANDIDATES];
  for (size_t i = 0; i < list->n; i++) whole[i] = tp_itp_at_cut(s, cut, list->at[i]);
  for (int round = 0; round < TP_FORMULA_RELATED_ROUNDS && list->n && !tp_itp_late(s); round++) {
    tp_smt *smt = new_solver(
        s, tp_mk_and(s->tt, prefix, tp_mk_not(s->tt, tp_mk_and_n(s->tt, whole, list->n))));
    tp_smt_answer answer = tp_smt_check(smt, NULL, 0);
    size_t kept = 0, n = list->n;
    for (size_t i = 0; answer == TP_SMT_SAT && i < n; i++) {
      tp_value v;
      if (!tp_smt_value(smt, whole[i], &v) || !v.bits) continue;
      whole[kept] = whole[i];
      list->at[kept++] = list->at[i];
    }
    tp_smt_free(smt);
    if (answer == TP_SMT_UNSAT) return;
    list->n = kept;
    if (kept == n) break;
  }
  list->n = 0;
}

static bool excludes(tp_itp *s, const tp_term_list *list, tp_term bad) {
  return tp_itp_query(s, tp_mk_and(s->tt, all_of(s, list), bad), TP_FORMULA_RELATED_RLIMIT) ==
         TP_SMT_UNSAT;
}

static void keep_needed(tp_itp *s, tp_term_list *list, tp_term bad) {
  for (size_t i = list->n; i-- > 0 && list->n > 1;) {
    tp_term out = list->at[i];
    list->at[i] = tp_mk_true(s->tt);
    if (excludes(s, list, bad)) {
      for (size_t j = i; j + 1 < list->n; j++) list->at[j] = list->at[j + 1];
      list->n--;
    } else {
      list->at[i] = out;
    }
  }
}

/* Would the negation itself be simple enough? */
static bool is_simple(tp_itp *s, tp_term shape) {
  tp_term good = tp_mk_not(s->tt, shape);
  tp_term_kind k = tp_kind(s->tt, good);
  return k != TP_OP_OR && k != TP_OP_AND && k != TP_OP_NOT;
}

static bool hold_at(tp_itp *s, size_t cut, tp_term prefix, const tp_term_list *list) {
  tp_term here = tp_itp_at_cut(s, cut, all_of(s, list));
  return tp_itp_query(s, tp_mk_and(s->tt, prefix, tp_mk_not(s->tt, here)),
                      TP_FORMULA_RELATED_RLIMIT) == TP_SMT_UNSAT;
}

/* Candidates that hold behind prefix and exclude bad, in chosen; false: there are none. */
static bool find(tp_itp *s, size_t cut, tp_term prefix, tp_term shape, bool wide, tp_term bad,
                 tp_term_list *chosen) {
  tp_term_list candidates = {0};
  tp_smt *state = new_solver(s, prefix);
  if (tp_smt_check(state, NULL, 0) == TP_SMT_SAT)
    tp_itp_candidates(s, cut, state, shape, wide, &candidates);
  tp_smt_free(state);
  if (candidates.n && !excludes(s, &candidates, bad)) candidates.n = 0;
  keep_true(s, cut, prefix, &candidates);
  bool found = candidates.n && excludes(s, &candidates, bad);
  if (found) {
    keep_needed(s, &candidates, bad);
    chosen->n = 0;
    for (size_t i = 0; i < candidates.n; i++) tp_vec_push(chosen, candidates.at[i]);
  }
  tp_vec_clear(&candidates);
  return found;
}

/* From now on nothing before the cut is left out of the path. */
static void need_all_before(tp_itp *s, size_t cut) {
  for (size_t j = 0; j < s->first[cut]; j++) s->literals.at[j].needed = true;
}

/* Nothing better than the negation itself: if it is simple, earlier cuts try to keep it. */
static tp_term first_of(tp_itp *s, tp_term shape, tp_term_list *chosen) {
  chosen->n = 0;
  if (is_simple(s, shape)) tp_vec_push(chosen, tp_mk_not(s->tt, shape));
  return TP_TERM_NONE;
}

tp_term tp_itp_relate(tp_itp *s, size_t cut, tp_term shape, tp_term bad, tp_term_list *chosen) {
  TP_REQUIRE(cut <= s->n && tp_sort_kind_of(s->tt, tp_sort_of(s->tt, bad)) == TP_SORT_BOOL);
  if (tp_is_const(s->tt, shape)) return TP_TERM_NONE;
  if (s->until > 0 && tp_cpu_s() > s->until) return first_of(s, shape, chosen);
  bool again = chosen->n > 0 && excludes(s, chosen, bad);
  tp_term prefix = tp_itp_prefix(s, cut, false), whole = tp_itp_prefix(s, cut, true);
  if (again && hold_at(s, cut, prefix, chosen)) return all_of(s, chosen);
  if (again && !tp_term_eq(prefix, whole) && hold_at(s, cut, whole, chosen)) {
    need_all_before(s, cut);
    return all_of(s, chosen);
  }
  s->drifts = s->drifts || chosen->n > 0;
  if (!s->is_wide && is_simple(s, shape)) return first_of(s, shape, chosen);
  if (!s->is_wide && find(s, cut, prefix, shape, false, bad, chosen)) return all_of(s, chosen);
  if (s->n_fruitless < TP_FORMULA_RELATED_FRUITLESS &&
      find(s, cut, whole, bad, true, bad, chosen)) {
    need_all_before(s, cut);
    return all_of(s, chosen);
  }
  s->n_fruitless++;
  return first_of(s, shape, chosen);
}
