/* Interpolants backward: from what must not happen to what must not have been.
 *
 * At each cut `bad` is what leads to the end along the generalised path: the block's needed
 * literals and, as the block sees it, the bad of the next cut as far as that cut's invariant allows
 * it, without inputs. So its negation is a precondition, and the sequence is inductive by
 * construction. On the way bad may grow (the interpolant shrink) as long as the generalised path up
 * to the cut still excludes it: conjuncts are dropped, and a conjunction of simple relations takes
 * the place of what unrolling made long, which is what lets one predicate serve every turn of a
 * loop. */
#include "formula/interpolants_priv.h"

#include "formula/formula_limits.h"

/* Is bad, which is over cut i, excluded by the generalised path that leads there? */
static bool is_excluded(tp_itp *s, size_t cut, tp_term bad) {
  return tp_itp_refutes(s,
                        tp_mk_and(s->tt, tp_itp_prefix(s, cut, false), tp_itp_at_cut(s, cut, bad)));
}

/* Conjuncts about what cannot be said, where what is true of every state decides them: "the next
 * object's number is 0". */
static tp_term project_inexpressible(tp_itp *s, tp_term bad) {
  tp_eliminator e = tp_itp_eliminator(s, 0);
  tp_term_list facts = {0}, kept = {0};
  tp_conjuncts(s->tt, bad, &facts);
  for (size_t i = 0; i < facts.n; i++) {
    bool decided = false;
    if (tp_has_eliminated(&e, facts.at[i])) {
      if (tp_itp_refutes(s, facts.at[i])) tp_vec_push(&kept, tp_mk_false(s->tt));
      decided = tp_itp_refutes(s, tp_mk_not(s->tt, facts.at[i]));
    }
    if (!decided) tp_vec_push(&kept, facts.at[i]);
  }
  bad = tp_mk_and_n(s->tt, kept.at, kept.n);
  tp_vec_clear(&facts);
  tp_vec_clear(&kept);
  return bad;
}

/* Without inputs and counters; NONE: the path does not exclude what is left. */
static tp_term eliminate_inexpressible(tp_itp *s, size_t cut, tp_term bad) {
  tp_eliminator e = tp_itp_eliminator(s, TP_FORMULA_WP_CUBES);
  bool exact = true, severed;
  if (!tp_has_eliminated(&e, bad)) return bad;
  tp_term plain = project_inexpressible(s, bad), cut_off = tp_itp_abstract_reads(s, plain);
  severed = !tp_term_eq(plain, cut_off);
  tp_term out = tp_eliminate(&e, cut_off, &exact);
  if (exact && !severed) return out;
  return is_excluded(s, cut, out) ? out : TP_TERM_NONE;
}

/* Drops conjuncts of bad that the path does not need to exclude it: those that came in first
 * (nearest to the end) stay longest. */
static tp_term smaller(tp_itp *s, size_t cut, tp_term bad) {
  tp_term_list facts = {0};
  if (tp_itp_refutes(s, tp_mk_and(s->tt, bad, tp_itp_condition(s, cut, TP_ITP_KNOWN))))
    return tp_mk_false(s->tt);
  tp_conjuncts(s->tt, bad, &facts);
  if (facts.n > 1 && facts.n <= TP_FORMULA_WP_DROPS)
    for (size_t i = 0; i < facts.n; i++) {
      tp_term kept = facts.at[i];
      facts.at[i] = tp_mk_true(s->tt);
      if (!is_excluded(s, cut, tp_mk_and_n(s->tt, facts.at, facts.n))) facts.at[i] = kept;
    }
  bad = tp_mk_and_n(s->tt, facts.at, facts.n);
  tp_vec_clear(&facts);
  return bad;
}

/* From the end to the first block. stop: as soon as formulas drift. */
static bool backward(tp_itp *s, bool stop, tp_term *out, tp_str *why) {
  tp_term_list chosen = {0};
  bool ok = true;
  s->drifts = false;
  out[0] = tp_mk_true(s->tt);
  out[s->n] = tp_mk_false(s->tt);
  for (size_t i = s->n; ok && i-- > 1;) {
    tp_term behind =
        tp_mk_and(s->tt, tp_mk_not(s->tt, out[i + 1]), tp_itp_condition(s, i + 1, TP_ITP_KNOWN));
    tp_term bad =
        tp_mk_and(s->tt, tp_itp_condition(s, i, TP_ITP_GUARD), tp_itp_before(s, i, behind));
    bad = eliminate_inexpressible(s, i, bad);
    if (!tp_term_is(bad)) {
      tp_str_printf(why, "an input at cut %zu could not be eliminated", i);
      ok = false;
    } else {
      bad = smaller(s, i, bad);
      tp_term all =
          tp_mk_and(s->tt, tp_itp_condition(s, i, TP_ITP_EVERY), tp_itp_before(s, i, behind));
      tp_term relation = tp_itp_relate(s, i, bad, all, &chosen);
      out[i] = tp_term_is(relation) ? relation : tp_mk_not(s->tt, bad);
    }
    if (ok && tp_itp_late(s)) {
      tp_str_add(why, "out of time");
      ok = false;
    }
    ok = ok && !(stop && s->drifts);
  }
  tp_vec_clear(&chosen);
  return ok;
}

static double half_way(double end) { return end > 0 ? (tp_cpu_s() + end) / 2 : 0; }

/* What is shortest to say is tried first. If that drifts from cut to cut (i < 64 behind the fourth
 * turn, i < 63 behind the third) the path was excluded by the number of its turns: then relations
 * come first, and are taken if they do not drift. */
bool tp_itp_wp(tp_itp *s, tp_term *out, tp_str *why) {
  const double end = s->deadline;
  s->until = half_way(end);
  if (!backward(s, false, out, why)) return false;
  if (!s->drifts || (end > 0 && tp_cpu_s() > s->until)) return true;
  tp_term *other = TP_NEW_ARRAY(tp_term, s->n + 1);
  tp_str ignored = {0};
  s->is_wide = true;
  s->n_fruitless = 0;
  s->deadline = s->until = half_way(end);  // the rest is for the check
  if (backward(s, true, other, &ignored) && tp_itp_is_inductive(s, other))
    memcpy(out, other, (s->n + 1) * sizeof *out);
  s->deadline = end;
  tp_free(other);
  tp_str_clear(&ignored);
  return true;
}
