/* Candidates are proved in waves, cheap ones first; what was proved stays a possible premise of
 * what comes later, and what was not proved is tried again with it. */
#include "blocks/learn.h"

void tp_learner_init(tp_learner *l, const tp_blocks *b, const tp_term *imported, tp_stats *stats) {
  TP_REQUIRE(imported != NULL);
  *l = (tp_learner){.blocks = b, .tt = b->paths->tt, .stats = stats, .imported = imported};
  l->known = TP_NEW_ARRAY(tp_term, b->nodes.n);
  memcpy(l->known, imported, b->nodes.n * sizeof *l->known);
  tp_node_formulas_init(&l->proved, b);
}

void tp_learner_clear(tp_learner *l) {
  tp_node_formulas_clear(&l->proved);
  tp_mined_candidates_clear(&l->mined);
  tp_vec_clear(&l->why);
  tp_free(l->known);
}

void tp_learner_mine(tp_learner *l, tp_mine_options o) {
  TP_REQUIRE(l->mined.list.n == 0);
  tp_mine(l->blocks->paths->p, o, &l->mined);
  l->stats->tests_run += l->mined.n_runs;
}

// ------------------------------------------------------------------------ waves

/* A division, or (if *products) a product of variables. */
static bool is_hard_operation(void *products, const tp_terms *tt, tp_term t) {
  return tp_is_division(tt, t) || (*(bool *)products && tp_is_product(tt, t));
}

/* Is there something in it that solvers are slow at? Equations with products are algebra
 * (smt/algebra.h). */
static bool is_hard(const tp_terms *tt, tp_term t) {
  bool products = tp_kind(tt, t) != TP_OP_EQ;
  return tp_any_subterm(tt, t, is_hard_operation, &products);
}

void tp_learner_add_waves(tp_learner *l, uint32_t from, uint32_t end, tp_node_formulas *to) {
  TP_REQUIRE(from < end);
  tp_mined_candidates some = {0};
  for (size_t i = 0; i < l->mined.list.n; i++) {
    tp_mined_candidate c = l->mined.list.at[i];
    if (c.wave >= from && c.wave < end && (end == TP_ALL_WAVES || !is_hard(l->tt, c.formula)))
      tp_vec_push(&some.list, c);
  }
  tp_node_formulas_add_all(to, l->blocks, &some);
  tp_vec_clear(&some.list);
}

// ------------------------------------------------------------------------ proofs

static bool is_proved(const tp_learner *l, uint32_t node, tp_term t) {
  for (size_t i = 0; i < l->proved.at[node].n; i++)
    if (tp_term_eq(l->proved.at[node].at[i], t)) return true;
  return false;
}

size_t tp_learner_prove(tp_learner *l, tp_node_formulas *candidates, tp_houdini_options o) {
  TP_REQUIRE(candidates->n_nodes == l->blocks->nodes.n);
  tp_node_formulas found;
  size_t n_found = 0;
  tp_node_formulas_init(&found, l->blocks);
  o.why = &l->why;
  (void)tp_houdini(l->blocks, l->imported, &l->proved, candidates, o, &found);
  for (uint32_t n = 0; n < l->blocks->nodes.n; n++) {
    tp_term_list *list = &candidates->at[n];
    size_t kept = 0;
    for (size_t i = 0; i < found.at[n].n; i++) {
      l->known[n] = tp_mk_and(l->tt, l->known[n], found.at[n].at[i]);
      tp_node_formulas_add(&l->proved, l->blocks, n, found.at[n].at[i]);
    }
    for (size_t i = 0; i < list->n; i++)
      if (!is_proved(l, n, list->at[i])) list->at[kept++] = list->at[i];
    list->n = kept;
    n_found += found.at[n].n;
  }
  l->stats->predicates += n_found;
  tp_node_formulas_clear(&found);
  return n_found;
}
