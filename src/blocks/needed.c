/* With the imported invariants, or without them where products are spoken of: what bounds say of
 * them is cheap to find and expensive to check, and equations most often stand by themselves.
 *
 * Backwards from the errors: for each block that leads to one, facts at its source are taken until
 * the block has no run, always one that the last model violates, or, where algebra shows that with
 * all of them it has none, those that algebra needs: models of products are slow to find. Then the
 * premises that Houdini noted of each fact that was taken, block by block (blocks/houdini.h). */
#include "blocks/needed.h"

#include "blocks/blocks_limits.h"
#include "smt/algebra.h"

typedef struct {
  uint32_t node, fact;
} place;

typedef struct {
  const tp_learner *l;
  const tp_blocks *b;
  tp_terms *tt;
  tp_smt_options o;
  bool is_alone;       // without the imported invariants
  bool **is_needed;    // by node and fact
  TP_VEC(place) open;  // needed facts whose premises were not looked at
} search;

/* What stands in the proof without being proved here. */
static tp_term imported_at(const search *x, uint32_t node) {
  return x->is_alone ? tp_mk_true(x->tt) : x->l->imported[node];
}

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
      tp_mk_and(x->tt, tp_path_condition(x->b->paths, &k->path), imported_at(x, k->from));
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

/* Facts from the last to the first are left out while algebra needs no more than those that stay.
 * False: algebra says nothing. */
static bool exclude_by_algebra(search *x, const tp_block *k) {
  const tp_term_list *facts = facts_at(x, k->from);
  tp_term_list taken = {0};
  tp_algebra a = {0};
  bool has_product = false;
  for (size_t i = 0; i < facts->n; i++) {
    tp_vec_push(&taken, tp_paths_query(x->b->paths, facts->at[i]));
    has_product = has_product || tp_algebra_has_product(&a, x->tt, facts->at[i]);
  }
  tp_algebra_clear(&a);
  tp_vec_push(&taken,
              tp_paths_query(x->b->paths, tp_mk_and(x->tt, tp_path_condition(x->b->paths, &k->path),
                                                    imported_at(x, k->from))));
  const bool is_excluded = has_product && tp_algebra_refutes(x->tt, taken.at, taken.n);
  for (size_t i = facts->n; i-- > 0 && is_excluded;) {
    const tp_term fact = taken.at[i];
    taken.at[i] = tp_mk_true(x->tt);
    if (!x->is_needed[k->from][i] && tp_algebra_refutes(x->tt, taken.at, taken.n)) continue;
    taken.at[i] = fact;
    need(x, k->from, (uint32_t)i);
  }
  tp_vec_clear(&taken);
  return is_excluded;
}

static bool exclude_errors(search *x) {
  bool ok = true;
  for (size_t i = 0; i < x->b->list.n && ok; i++) {
    const tp_block *k = &x->b->list.at[i];
    if (tp_block_node_is_bad(x->b, k->to) && !tp_is_false(x->tt, x->l->known[k->to]) &&
        !tp_is_false(x->tt, x->l->known[k->from]))
      ok = exclude_by_algebra(x, k) || exclude(x, k);
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

// ------------------------------------------------------------------- by themselves

static tp_term needed_at(const search *x, uint32_t node) {
  tp_term all = imported_at(x, node);
  for (size_t i = 0; i < facts_at(x, node)->n; i++)
    if (x->is_needed[node][i]) all = tp_mk_and(x->tt, all, facts_at(x, node)->at[i]);
  return all;
}

/* The facts behind a block follow from those before it. */
static bool is_kept(search *x, const tp_block *k) {
  const tp_term facts = needed_at(x, k->to);
  if (tp_is_true(x->tt, facts)) return true;
  tp_smt *solver = tp_smt_new(x->tt, x->o);
  const tp_term not_after = tp_path_after(x->b->paths, &k->path, tp_mk_not(x->tt, facts)),
                before = tp_mk_and(x->tt, tp_path_condition(x->b->paths, &k->path),
                                   needed_at(x, k->from));
  tp_smt_assert(solver, tp_paths_query(x->b->paths, tp_mk_and(x->tt, before, not_after)));
  const bool yes = tp_smt_check(solver, NULL, 0) == TP_SMT_UNSAT;
  tp_smt_free(solver);
  return yes;
}

static bool has_something_to_leave_out(const search *x) {
  tp_algebra a = {0};
  bool is_imported = false, has_product = false;
  for (uint32_t n = 0; n < x->b->nodes.n; n++) {
    is_imported |= !tp_is_true(x->tt, x->l->imported[n]);
    for (size_t i = 0; i < facts_at(x, n)->n && !has_product; i++)
      has_product = tp_algebra_has_product(&a, x->tt, facts_at(x, n)->at[i]);
  }
  tp_algebra_clear(&a);
  return is_imported && has_product;
}

static bool find_needed(search *x) {
  const bool ok = exclude_errors(x);
  if (ok) need_premises(x);
  return ok;
}

static void forget_needed(search *x) {
  for (uint32_t n = 0; n < x->b->nodes.n; n++)
    for (size_t i = 0; i < facts_at(x, n)->n; i++) x->is_needed[n][i] = false;
  x->open.n = 0;
}

/* Nodes that nothing is known to reach are known by what was imported. */
static bool stand_alone(search *x) {
  const tp_smt_options o = x->o;
  bool ok = has_something_to_leave_out(x);
  for (uint32_t n = 0; n < x->b->nodes.n && ok; n++) ok = !tp_is_false(x->tt, x->l->known[n]);
  x->is_alone = true;
  x->o.rlimit = TP_BLOCKS_NEEDED_ALONE_RLIMIT;
  ok = ok && find_needed(x);
  for (size_t i = 0; i < x->b->list.n && ok; i++)
    ok = tp_block_node_is_bad(x->b, x->b->list.at[i].to) || is_kept(x, &x->b->list.at[i]);
  x->o = o;
  if (ok) return true;
  x->is_alone = false;
  forget_needed(x);
  return false;
}

// ------------------------------------------------------------------------- all

static void write(const search *x, bool all, tp_term *needed) {
  for (uint32_t n = 0; n < x->b->nodes.n; n++) {
    needed[n] = needed_at(x, n);
    for (size_t i = 0; i < facts_at(x, n)->n && all; i++)
      needed[n] = tp_mk_and(x->tt, needed[n], facts_at(x, n)->at[i]);
  }
}

bool tp_needed_facts(const tp_learner *l, tp_smt_options o, tp_term *needed) {
  TP_REQUIRE(l->known && needed);
  const tp_blocks *b = l->blocks;
  search x = {.l = l, .b = b, .tt = l->tt, .o = o};
  x.is_needed = TP_NEW_ARRAY(bool *, b->nodes.n);
  for (uint32_t n = 0; n < b->nodes.n; n++)
    x.is_needed[n] = TP_NEW_ARRAY(bool, facts_at(&x, n)->n + 1);
  const bool ok = stand_alone(&x) || find_needed(&x);
  write(&x, !ok, needed);
  for (uint32_t n = 0; n < b->nodes.n; n++) tp_free(x.is_needed[n]);
  tp_free(x.is_needed);
  tp_vec_clear(&x.open);
  return ok;
}
