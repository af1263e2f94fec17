/* Interpolants forward: what is known behind each block of the generalised path, about what later
 * blocks look at.
 *
 * The state before a block is given new names, what the block's needed literals and the earlier
 * formula say of it is said, each column of the cut behind it gets its equation, and the old names
 * are eliminated. What is lost then may be lost only if the rest of the path stays infeasible; what
 * the rest does not need is dropped. */
#include "formula/interpolants_priv.h"

#include "formula/formula_limits.h"

/* A new name for each column in t. */
static void name_anew(tp_itp *s, tp_term t, tp_map *old) {
  tp_term_list reads = {0};
  tp_itp_reads(s, t, &reads);
  for (size_t i = 0; i < reads.n; i++)
    if (!tp_map_has(old, reads.at[i].id))
      tp_map_set(old, reads.at[i].id, tp_mk_var(s->tt, "old", tp_sort_of(s->tt, reads.at[i])).id);
  tp_vec_clear(&reads);
}

static tp_term renamed(tp_itp *s, tp_term t, const tp_map *old) {
  tp_map map = {0};
  for (size_t i = 0; i < old->n; i++) tp_map_set(&map, old->entries[i].key, old->entries[i].value);
  t = tp_replace_all(s->tt, t, &map);
  tp_map_clear(&map);
  return t;
}

/* before and the block's needed literals, over new names, and what they make of the columns behind.
 */
static tp_term behind(tp_itp *s, size_t block, tp_term before, const tp_term_list *columns) {
  tp_term_list facts = {0};
  tp_map old = {0};
  tp_term known = tp_mk_and(s->tt, before, tp_itp_condition(s, block, TP_ITP_BOTH));
  name_anew(s, known, &old);
  for (size_t i = 0; i < columns->n; i++)
    name_anew(s, tp_itp_before(s, block, columns->at[i]), &old);
  tp_vec_push(&facts, renamed(s, known, &old));
  for (size_t i = 0; i < columns->n; i++)
    tp_vec_push(&facts, tp_mk_eq(s->tt, columns->at[i],
                                 renamed(s, tp_itp_before(s, block, columns->at[i]), &old)));
  tp_term all = tp_mk_and_n(s->tt, facts.at, facts.n);
  tp_vec_clear(&facts);
  tp_map_clear(&old);
  return all;
}

static bool ends(tp_itp *s, tp_term known, tp_term suffix) {
  return tp_itp_refutes(s, tp_mk_and(s->tt, known, suffix));
}

/* Drops conjuncts that the rest of the path does not need, oldest last. */
static tp_term smaller(tp_itp *s, tp_term known, tp_term suffix) {
  tp_term_list facts = {0};
  tp_conjuncts(s->tt, known, &facts);
  if (facts.n <= TP_FORMULA_SP_DROPS)
    for (size_t i = facts.n; i-- > 0;) {
      tp_term kept = facts.at[i];
      facts.at[i] = tp_mk_true(s->tt);
      if (!ends(s, tp_mk_and_n(s->tt, facts.at, facts.n), suffix)) facts.at[i] = kept;
    }
  known = tp_mk_and_n(s->tt, facts.at, facts.n);
  tp_vec_clear(&facts);
  return known;
}

bool tp_itp_sp(tp_itp *s, tp_term *out, tp_str *why) {
  tp_term *suffix = TP_NEW_ARRAY(tp_term, s->n + 1);
  tp_term_list *columns = TP_NEW_ARRAY(tp_term_list, s->n + 1);
  tp_eliminator e = tp_itp_eliminator(s, TP_FORMULA_SP_CUBES);
  bool ok = true;
  tp_itp_suffixes(s, suffix);
  tp_itp_columns(s, columns);
  out[0] = tp_mk_true(s->tt);
  for (size_t i = 0; ok && i + 1 < s->n; i++) {
    bool exact;
    tp_term known = tp_itp_abstract_reads(s, behind(s, i, out[i], &columns[i + 1]));
    known = tp_eliminate(&e, known, &exact);
    ok = ends(s, known, suffix[i + 1]);
    if (ok)
      out[i + 1] = smaller(s, known, suffix[i + 1]);
    else
      tp_str_printf(
          why, "%s",
          tp_itp_late(s) ? "out of time" : "what was lost behind a block is needed later");
  }
  out[s->n] = tp_mk_false(s->tt);
  for (size_t i = 0; i <= s->n; i++) tp_vec_clear(&columns[i]);
  tp_free(columns);
  tp_free(suffix);
  return ok;
}
