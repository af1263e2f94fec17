/* Backwards from the errors: for each block that leads to one, facts at its source are taken until
 * the block has no run, always one that the last model violates; then the premises that Houdini
 * noted of each fact that was taken, block by block (blocks/houdini.h). */
#include "blocks/needed.h"

typedef struct {
  uint32_t node, fact;
} place;

typedef struct {
  const tp_learner *l;
  const tp_blocks *b;
  tp_terms *tt;
  tp_smt_options o;
  bool **is_needed;    // by node and fact
  TP_VEC(place) open;  // needed facts whose premises were not looked at
} search;

static const tp_term_list *facts_at(const search *x, uint32_t node) {
  return &x->l->proved.at[node];
}

static void need(search *x, uint32_t node, uint32_t fact) {
  TP_REQUIRE(fact < facts_at(x, node)->n);
  if (x->is_needed[node][fact]) return;
  x->is_needed[node][fact] = true;
  tp_vec_push(&x->open, ((place){node, fact}));
}

// ---------------------------------------------------------------------- errors

/* A fact that the solver's last model violates: one that is needed already, else the smallest,
 * since facts that were made from the property rest on many. UINT32_MAX: the model violates none.
 */
static uint32_t violated_fact(search *x, tp_smt *solver, uint32_t node) {
  uint32_t best = UINT32_MAX;
  size_t best_size = 0;
  for (uint32_t i = 0; i < facts_at(x, node)->n; i++) {
    const tp_term fact = facts_at(x, node)->at[i], not_so = tp_mk_not(x->tt, fact);
    const size_t size = x->is_needed[node][i] ? 0 : tp_dag_size(x->tt, fact);
    tp_value v;
    if ((best != UINT32_MAX && size >= best_size) ||
        !tp_smt_value(solver, tp_paths_query(x->b->paths, not_so), &v) || !v.bits)
      continue;
    best = i;
    best_size = size;
  }
  return best;
}

/* Takes facts at the block's source until no run passes it. */
static bool exclude(search *x, const tp_block *k) {
  tp_smt *solver = tp_smt_new(x->tt, x->o);
  tp_term condition =
      tp_mk_and(x->tt, tp_path_condition(x->b->paths, &k->path), x->l->imported[k->from]);
  tp_smt_assert(solver, tp_paths_query(x->b->paths, condition));
  tp_smt_answer answer;
  uint32_t fact = 0;
  while ((answer = tp_smt_check(solver, NULL, 0)) == TP_SMT_SAT &&
         (fact = violated_fact(x, solver, k->from)) != UINT32_MAX) {
    need(x, k->from, fact);
    tp_smt_assert(solver, tp_paths_query(x->b->paths, facts_at(x, k->from)->at[fact]));
  }
  tp_smt_free(solver);
  return answer == TP_SMT_UNSAT;
}

static bool exclude_errors(search *x) {
  bool ok = true;
  for (size_t i = 0; i < x->b->list.n && ok; i++) {
    const tp_block *k = &x->b->list.at[i];
    if (tp_block_node_is_bad(x->b, k->to) && !tp_is_false(x->tt, x->l->known[k->to]) &&
        !tp_is_false(x->tt, x->l->known[k->from]))
      ok = exclude(x, k);
  }
  return ok;
}

// -------------------------------------------------------------------- premises

static void need_term(search *x, uint32_t node, tp_term t) {
  for (uint32_t i = 0; i < facts_at(x, node)->n; i++)
    if (tp_term_eq(facts_at(x, node)->at[i], t)) need(x, node, i);
}

/* All that keeps the facts that are needed, to the end. */
static void need_premises(search *x) {
  for (size_t i = 0; i < x->open.n; i++) {  // grows
    const place p = x->open.at[i];
    const tp_term fact = facts_at(x, p.node)->at[p.fact];
    for (size_t j = 0; j < x->l->why.n; j++) {
      const tp_premise *w = &x->l->why.at[j];
      if (w->node == p.node && tp_term_eq(w->fact, fact)) need_term(x, w->from, w->premise);
    }
  }
}

// ------------------------------------------------------------------------- all

static void write(const search *x, bool all, tp_term *needed) {
  for (uint32_t n = 0; n < x->b->nodes.n; n++) {
    needed[n] = x->l->imported[n];
    for (size_t i = 0; i < facts_at(x, n)->n; i++)
      if (all || x->is_needed[n][i]) needed[n] = tp_mk_and(x->tt, needed[n], facts_at(x, n)->at[i]);
  }
}

bool tp_needed_facts(const tp_learner *l, tp_smt_options o, tp_term *needed) {
  TP_REQUIRE(l->known && needed);
  const tp_blocks *b = l->blocks;
  search x = {.l = l, .b = b, .tt = l->tt, .o = o};
  x.is_needed = TP_NEW_ARRAY(bool *, b->nodes.n);
  for (uint32_t n = 0; n < b->nodes.n; n++)
    x.is_needed[n] = TP_NEW_ARRAY(bool, facts_at(&x, n)->n + 1);
  const bool ok = exclude_errors(&x);
  if (ok) need_premises(&x);
  write(&x, !ok, needed);
  for (uint32_t n = 0; n < b->nodes.n; n++) tp_free(x.is_needed[n]);
  tp_free(x.is_needed);
  tp_vec_clear(&x.open);
  return ok;
}
