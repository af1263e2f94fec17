/* Pre-images under the aliases that a state shows (DASH): a store through a pointer makes of each
 * read behind it a choice, is it the same cell or not, and n reads have up to 2^n cases. One case
 * is the one that the state is in: alpha, a conjunction of comparisons of addresses. Under alpha
 * the pre-image has no choices left, and
 *
 *   rho = not alpha, or the pre-image under alpha
 *
 * contains the pre-image, (i), and excludes the state, (ii), since alpha is true there. States with
 * other aliases stay inside; they are split off when they matter. Nothing is asked of a solver.
 *
 * Source: Beckman, Nori, Rajamani, Simmons 2008, sec. 3.3. */
#include "search/split_priv.h"

static bool is_address(const tp_terms *tt, tp_term t) {
  const tp_term_kind k = tp_kind(tt, t);
  return tp_sort_kind_of(tt, tp_sort_of(tt, t)) == TP_SORT_PTR || k == TP_OP_PTR_OBJ ||
         k == TP_OP_PTR_OFF;
}

/* Does t compare addresses, or parts of them? */
static bool is_alias_atom(void *ctx, const tp_terms *tt, tp_term t) {
  (void)ctx;
  if (tp_sort_kind_of(tt, tp_sort_of(tt, t)) != TP_SORT_BOOL || tp_is_connective(tt, t)) {
    const bool is_eq = tp_kind(tt, t) == TP_OP_EQ;
    if (!is_eq || tp_sort_kind_of(tt, tp_sort_of(tt, tp_arg(tt, t, 0))) == TP_SORT_BOOL)
      return false;
  }
  for (uint32_t i = 0; i < tp_n_args(tt, t); i++)
    if (is_address(tt, tp_arg(tt, t, i))) return true;
  return false;
}

/* The fact under what the state says of its alias atoms, and those. */
static void restrict_fact(tp_splitter *s, tp_pre_conjunct *c, const tp_state *state) {
  tp_term_list atoms = {0};
  tp_map images = {0};
  c->aliases = tp_mk_true(s->tt);
  tp_collect_terms(s->tt, c->fact, is_alias_atom, NULL, &atoms);
  for (size_t i = 0; i < atoms.n; i++) {
    tp_value v = {0};
    if (tp_state_eval(state, atoms.at[i], &v) != TP_OK) continue;
    c->aliases = tp_mk_and(s->tt, c->aliases, v.bits ? atoms.at[i] : tp_mk_not(s->tt, atoms.at[i]));
    tp_map_set(&images, atoms.at[i].id, tp_mk_bool(s->tt, v.bits != 0).id);
  }
  if (images.n) c->fact = tp_replace_all(s->tt, c->fact, &images);
  tp_map_clear(&images);
  tp_vec_clear(&atoms);
}

void tp_split_restrict_to_aliases(tp_splitter *s) {
  TP_REQUIRE(s->problem->n_states > 0);
  tp_term alpha = tp_mk_true(s->tt);
  for (size_t i = 0; i < s->pre.n; i++) {
    restrict_fact(s, &s->pre.at[i], s->problem->states[0]);
    alpha = tp_mk_and(s->tt, alpha, s->pre.at[i].aliases);
  }
  // other states may have other aliases; of those rho may contain
  for (size_t i = 1; i < s->problem->n_states; i++)
    if (s->must_exclude[i])
      s->must_exclude[i] = tp_split_excludes(s->pt, s->problem->states[i], tp_mk_not(s->tt, alpha));
  s->uses_prefix = false;
  s->is_exact = false;
}

tp_term tp_split_under_aliases(tp_splitter *s) {
  tp_term alpha = tp_mk_true(s->tt);
  for (size_t i = 0; i < s->pre.n; i++)
    if (tp_term_is(s->pre.at[i].aliases)) alpha = tp_mk_and(s->tt, alpha, s->pre.at[i].aliases);
  return tp_mk_or(s->tt, tp_mk_not(s->tt, alpha), tp_split_conjunction(s->tt, &s->pre));
}
