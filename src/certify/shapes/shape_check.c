/* What the executor asks of graphs, at the end of a path: for one graph of each class by a search
 * (shape_search.c), for a batch of graphs by what is computed for each (batch.c). */
#include "certify/shapes/batch.h"
#include "certify/shapes/lemma_book.h"
#include "certify/shapes/shape_search.h"

tp_chk_shape_start *tp_chk_shape_start_new(const tp_chk_exec *g, const tp_chk_graphs *graphs) {
  TP_REQUIRE(tp_chk_graphs_check(graphs));
  tp_chk_shape_start *s = TP_NEW(tp_chk_shape_start);
  *s = (tp_chk_shape_start){.graphs = graphs,
                            .chosen = TP_NEW_ARRAY(uint32_t, graphs->classes.n),
                            .values = TP_NEW_ARRAY(tp_chk_value, g->p->vars.n + 1)};
  return s;
}

void tp_chk_shape_start_free(tp_chk_shape_start *s) {
  if (!s) return;
  tp_free(s->chosen);
  tp_free(s->values);
  tp_chk_lemma_book_free(s->book);
  tp_free(s);
}

static tp_chk_answer finish(tp_chk_search *s, tp_chk_target_graphs *all) {
  tp_chk_answer result = tp_chk_search_run(s, all);
  for (size_t i = 0; i < all->n; i++) tp_free(all->at[i].empty);
  tp_vec_clear(all);
  tp_chk_search_free(s);
  return result;
}

tp_chk_answer tp_chk_shape_try(tp_chk_exec *g, tp_term goal) {
  if (!g->shape->batch) return tp_chk_shape_prove(g, &goal, 1);
  return tp_chk_batch_try(g->shape->batch, &goal, 1) ? TP_CHK_PROVED : TP_CHK_UNKNOWN;
}

/* For a batch: when no graph is left the execution has ended. A goal that is false whatever the
 * graph, such as that null is valid, is shown of none alone either. */
static tp_chk_answer prove_for_many(tp_chk_exec *g, tp_chk_batch *c, const tp_term *goals,
                                    size_t n) {
  if (n == 0 || (n == 1 && tp_is_false(g->tt, goals[0])))
    return tp_chk_batch_shows(c, NULL, 0) ? TP_CHK_PROVED : TP_CHK_UNKNOWN;
  (void)tp_chk_batch_require(c, goals, n);
  return TP_CHK_PROVED;
}

tp_chk_answer tp_chk_shape_prove(tp_chk_exec *g, const tp_term *goals, size_t n) {
  if (g->shape->batch) return prove_for_many(g, g->shape->batch, goals, n);
  if (!g->shape->is_chosen) return TP_CHK_UNKNOWN;
  tp_chk_target_graphs none = {0};
  tp_chk_search *s = tp_chk_search_new(g, 0, TP_CHK_BY_BITS);
  tp_chk_add_goal_addresses(s, goals, n);
  for (size_t i = 0; i < n; i++) tp_chk_query_assert(s->q, tp_mk_not(s->tt, goals[i]));
  return finish(s, &none);
}

tp_chk_answer tp_chk_shape_arrives(tp_chk_exec *g, uint32_t cutpoint) {
  TP_REQUIRE(cutpoint && cutpoint < g->cert->cutpoints.n && !g->shape->batch);
  const tp_chk_cutpoint *l = &g->cert->cutpoints.at[cutpoint];
  tp_chk_target_graphs all = {0};
  tp_chk_search *s = tp_chk_search_new(g, cutpoint, TP_CHK_BY_BITS);
  for (uint32_t k = l->first; k < l->first + l->n; k++) {
    tp_term fails = tp_mk_not(s->tt, tp_chk_eval_formula(g, g->cert->formulas.at[k]));
    const tp_chk_graph_sets *d = &g->cert->described.at[k];
    for (uint32_t i = 0; i < d->n; i++) {
      tp_term every = tp_mk_true(s->tt);
      const tp_chk_graph_set *set = &g->cert->graph_sets.at[d->first + i];
      for (uint32_t m = 0; m < set->n; m++)
        every =
            tp_mk_and(s->tt, every,
                      tp_chk_target_of(s, &all, g->cert->graphs_of_sets.at[set->first + m])->fails);
      fails = tp_mk_or(s->tt, fails, every);
    }
    tp_chk_query_assert(s->q, fails);
  }
  return finish(s, &all);
}
