/* Substitution: simultaneous, for variables by a function, for any subterms by a map. All three
 * forms are rewritings of traverse.c; arguments are rebuilt from right to left, which fixes the
 * order in which new terms enter the table. */
#include "term/term.h"

#include "term/term_priv.h"

typedef struct {
  const tp_terms *tt;
  tp_subst_fn with;
  void *ctx;
} substitution;

static tp_term image_of_var(void *ctx, tp_term t) {
  const substitution *s = ctx;
  if (tp_k(s->tt, t) != TP_OP_VAR) return TP_TERM_NONE;
  tp_term image = s->with(s->ctx, t);
  TP_REQUIRE(!tp_term_is(image) || tp_sort_eq(tp_s(s->tt, image), tp_s(s->tt, t)));
  return tp_term_is(image) ? image : t;
}

tp_term tp_subst(tp_terms *tt, tp_term t, tp_subst_fn with, void *ctx, tp_map *memo) {
  TP_REQUIRE(tp_is_in_table(tt, t) && with);
  substitution s = {tt, with, ctx};
  if (tp_is_scalar_const(tt, t)) return t;
  if (tp_k(tt, t) == TP_OP_VAR) return image_of_var(&s, t);
  tp_mapper m = {.ctx = &s, .before = image_of_var, .order = TP_RIGHT_TO_LEFT};
  return tp_map_terms(tt, t, &m, memo);
}

tp_term tp_replace_all(tp_terms *tt, tp_term t, tp_map *images) {
  return tp_map_terms(tt, t, &(tp_mapper){.order = TP_RIGHT_TO_LEFT}, images);
}

typedef struct {
  tp_term old, with;
} replacement;

static tp_term image_of_old(void *ctx, tp_term t) {
  const replacement *r = ctx;
  if (tp_term_eq(t, r->old)) return r->with;
  return t.id < r->old.id ? t : TP_TERM_NONE;  // arguments have smaller ids
}

tp_term tp_replace(tp_terms *tt, tp_term t, tp_term old, tp_term with) {
  TP_REQUIRE(tp_term_is(old) && tp_term_is(with));
  TP_REQUIRE(tp_sort_eq(tp_s(tt, old), tp_s(tt, with)));
  replacement r = {old, with};
  tp_mapper m = {.ctx = &r, .before = image_of_old, .order = TP_RIGHT_TO_LEFT};
  return tp_map_terms(tt, t, &m, NULL);
}
