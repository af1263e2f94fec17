/* The starts of a target: the front of those that no other one dominates (Pareto). */
#include "search/seek_priv.h"
#include "search/state_distance.h"

tp_seek_start tp_seek_start_copy(const tp_state *s, const tp_inputs *a, const tp_inputs *b) {
  tp_seek_start x = {.s = tp_state_copy(s)};
  tp_inputs_init(&x.inputs);
  tp_inputs_add_all(&x.inputs, a);
  if (b) tp_inputs_add_all(&x.inputs, b);
  return x;
}

void tp_seek_start_clear(tp_seek_start *x) {
  tp_state_free(x->s);
  tp_inputs_clear(&x->inputs);
}

void tp_seek_target_init(tp_seek_target *t, const tp_program *p, tp_board_goal goal) {
  *t = (tp_seek_target){.goal = goal, .best = 1e300};
  tp_conjuncts(p->terms, goal.formula, &t->conjuncts);
  while (t->conjuncts.n > TP_SEARCH_SEEK_CONJUNCTS) {
    const tp_term last = tp_vec_pop(&t->conjuncts);
    tp_vec_last(&t->conjuncts) = tp_mk_and(p->terms, tp_vec_last(&t->conjuncts), last);
  }
}

void tp_seek_target_clear(tp_seek_target *t) {
  for (size_t i = 0; i < t->starts.n; i++) tp_seek_start_clear(&t->starts.at[i]);
  tp_vec_clear(&t->starts);
  tp_vec_clear(&t->conjuncts);
}

void tp_seek_measure(const tp_program *p, const tp_seek_target *t, const tp_state *s,
                     tp_seek_start *out) {
  TP_REQUIRE(t->conjuncts.n <= TP_SEARCH_SEEK_CONJUNCTS);
  out->sum = 0;
  for (size_t i = 0; i < t->conjuncts.n; i++) {
    out->distances[i] = tp_state_distance(p, s, t->conjuncts.at[i]);
    out->sum += out->distances[i];
  }
}

/* Is a at least as close as b in every conjunct? */
static bool dominates(const tp_seek_target *t, const tp_seek_start *a, const tp_seek_start *b) {
  for (size_t i = 0; i < t->conjuncts.n; i++)
    if (a->distances[i] > b->distances[i]) return false;
  return true;
}

bool tp_seek_is_ahead(const tp_seek_target *t, const tp_seek_starts *of, const tp_seek_start *x) {
  for (size_t i = 0; i < of->n; i++)
    if (dominates(t, &of->at[i], x)) return false;
  return true;
}

size_t tp_seek_closest(const tp_seek_target *t) {
  TP_REQUIRE(t->starts.n > 0);
  size_t best = 0;
  for (size_t i = 1; i < t->starts.n; i++)
    if (t->starts.at[i].sum < t->starts.at[best].sum) best = i;
  return best;
}

static void drop(tp_seek_target *t, size_t i) {
  tp_seek_start_clear(&t->starts.at[i]);
  t->starts.at[i] = t->starts.at[--t->starts.n];
}

static void drop_most_tried(tp_seek_target *t) {
  const size_t closest = tp_seek_closest(t);
  size_t most = closest == 0 ? 1 : 0;
  for (size_t i = 0; i < t->starts.n; i++)
    if (i != closest && t->starts.at[i].n_tried > t->starts.at[most].n_tried) most = i;
  drop(t, most);
}

void tp_seek_keep(tp_seek_target *t, tp_seek_start x) {
  TP_INVARIANT(t->starts.n <= TP_SEARCH_SEEK_STARTS);
  for (size_t i = 0; i < t->starts.n;)
    if (dominates(t, &x, &t->starts.at[i]))
      drop(t, i);
    else
      i++;
  tp_vec_push(&t->starts, x);
  if (t->starts.n > TP_SEARCH_SEEK_STARTS) drop_most_tried(t);
}
