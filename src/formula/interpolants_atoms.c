/* Interpolants of what the program says itself: the atoms of the generalised path's conditions.
 *
 * Each atom and its negation is a candidate at each cut; what holds behind a block follows from
 * what was kept before it (the Cartesian postcondition over these predicates). If that ends in
 * false, what later cuts do not need is dropped, backward. */
#include "formula/interpolants_priv.h"

#include "formula/formula_limits.h"

static void find_candidates(tp_itp *s, tp_term_list *out) {
  tp_atoms atoms = {0};
  for (size_t j = 0; j < s->literals.n; j++)
    if (s->literals.at[j].needed) tp_atoms_of(s->tt, tp_itp_flat(s, s->literals.at[j].own), &atoms);
  for (size_t i = 0; i < atoms.n && out->n < 2 * TP_FORMULA_ATOM_CANDIDATES; i++) {
    if (!tp_paths_is_expressible(s->x, atoms.at[i])) continue;
    tp_vec_push(out, atoms.at[i]);
    tp_vec_push(out, tp_mk_not(s->tt, atoms.at[i]));
  }
  tp_vec_clear(&atoms);
}

/* Those candidates that hold behind the block: models of failed checks remove several at once. */
static tp_term held_behind(tp_itp *s, size_t block, tp_term before,
                           const tp_term_list *candidates) {
  tp_term_list left = {0}, images = {0};
  tp_term from = tp_mk_and(s->tt, before, tp_itp_condition(s, block, TP_ITP_BOTH));
  for (size_t i = 0; i < candidates->n; i++) {
    tp_vec_push(&left, candidates->at[i]);
    tp_vec_push(&images, tp_itp_before(s, block, candidates->at[i]));
  }
  while (left.n) {
    tp_term bad = tp_mk_and(s->tt, from, tp_mk_not(s->tt, tp_mk_and_n(s->tt, images.at, images.n)));
    tp_smt *smt = tp_smt_new(s->tt, (tp_smt_options){.backend = s->o.backend,
                                                     .rlimit = TP_FORMULA_ATOM_RLIMIT,
                                                     .cpu_s = s->o.cpu_s,
                                                     .stats = s->o.stats});
    tp_smt_assert(smt, tp_paths_query(s->x, bad));
    tp_smt_answer answer = tp_smt_check(smt, NULL, 0);
    size_t kept = 0, n = left.n;
    for (size_t i = 0; answer == TP_SMT_SAT && i < n; i++) {
      tp_value v;
      if (!tp_smt_value(smt, images.at[i], &v) || !v.bits) continue;
      images.at[kept] = images.at[i];
      left.at[kept++] = left.at[i];
    }
    tp_smt_free(smt);
    if (answer == TP_SMT_UNSAT) break;
    left.n = images.n = kept == n || tp_itp_late(s) ? 0 : kept;
  }
  tp_term all = tp_mk_and_n(s->tt, left.at, left.n);
  tp_vec_clear(&left);
  tp_vec_clear(&images);
  return all;
}

/* The conjuncts of `before` without which the block does not lead to `after`. */
static tp_term needed_before(tp_itp *s, size_t block, tp_term before, tp_term after) {
  tp_term_list facts = {0};
  tp_conjuncts(s->tt, before, &facts);
  if (facts.n <= TP_FORMULA_ATOM_DROPS)
    for (size_t i = facts.n; i-- > 0;) {
      tp_term kept = facts.at[i];
      facts.at[i] = tp_mk_true(s->tt);
      if (tp_itp_step(s, block, tp_mk_and_n(s->tt, facts.at, facts.n), after) != TP_SMT_UNSAT)
        facts.at[i] = kept;
    }
  before = tp_mk_and_n(s->tt, facts.at, facts.n);
  tp_vec_clear(&facts);
  return before;
}

bool tp_itp_atoms(tp_itp *s, tp_term *out, tp_str *why) {
  tp_term_list candidates = {0};
  find_candidates(s, &candidates);
  out[0] = tp_mk_true(s->tt);
  for (size_t i = 0; i + 1 < s->n; i++) out[i + 1] = held_behind(s, i, out[i], &candidates);
  out[s->n] = tp_mk_false(s->tt);
  bool ok = tp_itp_step(s, s->n - 1, out[s->n - 1], out[s->n]) == TP_SMT_UNSAT;
  if (!ok) tp_str_add(why, "the conditions on the way say too little");
  for (size_t i = s->n; ok && i-- > 1;) out[i] = needed_before(s, i, out[i], out[i + 1]);
  tp_vec_clear(&candidates);
  return ok;
}
