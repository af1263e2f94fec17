/* Houdini over the block graph.
 *
 * A block keeps a candidate of its target if its condition, the invariants and candidates left at
 * its source imply the candidate behind it. What is not kept is dropped; then what rested on it is
 * asked again. When all blocks keep what is left, it is inductive. The order of questions does not
 * change the result, as long as the solver answers: a union of inductive sets is inductive, so
 * there is a largest one.
 *
 *   group      the first questions ask for all candidates of a block at once, without premises. A
 *              model that meets all candidates at the source is a reason to drop all that it
 *              violates behind the block, and most are dropped so.
 *   goal       what is left is asked one by one. A candidate becomes a premise when a model that
 *              violates the goal violates it, too: what a block keeps it keeps for few reasons, and
 *              a premise that is hard for the solver costs nothing until it is needed. The premises
 *              are remembered: the goal stays kept until one of them is dropped.
 *
 * A goal about which the solver gives up is dropped. */
#include "blocks/houdini.h"

#include "blocks/blocks_limits.h"
#include "smt/algebra.h"
#include "smt/smt.h"

// ------------------------------------------------------------ formulas by node

void tp_node_formulas_init(tp_node_formulas *f, const tp_blocks *b) {
  f->n_nodes = b->nodes.n;
  f->at = TP_NEW_ARRAY(tp_term_list, b->nodes.n);
}

void tp_node_formulas_clear(tp_node_formulas *f) {
  for (size_t i = 0; i < f->n_nodes; i++) tp_vec_clear(&f->at[i]);
  tp_free(f->at);
  *f = (tp_node_formulas){0};
}

void tp_node_formulas_add(tp_node_formulas *f, const tp_blocks *b, uint32_t node, tp_term formula) {
  TP_REQUIRE(f->n_nodes == b->nodes.n && node < f->n_nodes);
  tp_term_list *list = &f->at[node];
  if (node == 0 || tp_block_node_is_bad(b, node) || tp_is_true(b->paths->tt, formula) ||
      tp_is_false(b->paths->tt, formula))
    return;
  for (size_t i = 0; i < list->n; i++)
    if (tp_term_eq(list->at[i], formula)) return;
  if (tp_block_node_may_use(b, node, formula)) tp_vec_push(list, formula);
}

void tp_node_formulas_add_all(tp_node_formulas *f, const tp_blocks *b,
                              const tp_mined_candidates *c) {
  TP_REQUIRE(f->n_nodes == b->nodes.n);
  tp_map nodes_of = {0};  // location -> last of its nodes + 1, then `before`
  uint32_t *before = TP_NEW_ARRAY(uint32_t, b->nodes.n);
  for (uint32_t n = 1; n < b->nodes.n; n++) {
    uint64_t last = 0;
    tp_map_get(&nodes_of, b->nodes.at[n].loc.id, &last);
    before[n] = (uint32_t)last;
    tp_map_set(&nodes_of, b->nodes.at[n].loc.id, n + 1);
  }
  for (size_t i = 0; i < c->list.n; i++) {
    uint64_t last = 0;
    tp_map_get(&nodes_of, c->list.at[i].loc.id, &last);
    for (uint32_t n = (uint32_t)last; n; n = before[n - 1])
      tp_node_formulas_add(f, b, n - 1, c->list.at[i].formula);
  }
  tp_free(before);
  tp_map_clear(&nodes_of);
}

// --------------------------------------------------------------------- setting

/* A candidate of a block's target. */
typedef struct {
  tp_term after;              // the candidate behind the block, over the state before it
  TP_VEC(uint32_t) premises;  // of the source
  bool is_kept;               // as long as the premises are left
  bool has_product;           // algebra decides it at once, or nobody does in time
} goal;

typedef struct {
  tp_smt *solver;  // holds the block's condition and the invariants at its ends; NULL: not made yet
  uint32_t n_asked;  // that solver
  bool is_short;     // that solver is for goals with products
  goal *goals;       // by candidate of the target; NULL: not made yet
  uint32_t *uses;    // by possible premise: how often it was one
  bool is_dirty;     // some goal may not be kept
} block;

typedef struct {
  const tp_blocks *b;
  tp_paths *x;
  tp_terms *tt;
  const tp_term *imported;
  const tp_node_formulas *proved, *candidates;
  tp_houdini_options o;
  bool **is_left;  // by node and candidate
  block *blocks;
  tp_term_list assumptions;  // of the question at hand
  size_t n_solvers;
  tp_algebra algebra;
  bool is_stopped;
} houdini;

static const tp_block *info_of(const houdini *h, size_t i) { return &h->b->list.at[i]; }
static const tp_term_list *candidates_of(const houdini *h, uint32_t node) {
  return &h->candidates->at[node];
}

/* Possible premises of a block from this node: its candidates, then what was proved before. */
static uint32_t n_premises(const houdini *h, uint32_t node) {
  return (uint32_t)(h->candidates->at[node].n + (h->proved ? h->proved->at[node].n : 0));
}
static tp_term premise_at(const houdini *h, uint32_t node, uint32_t k) {
  TP_REQUIRE(k < n_premises(h, node));
  size_t n = h->candidates->at[node].n;
  return k < n ? h->candidates->at[node].at[k] : h->proved->at[node].at[k - n];
}
static bool is_premise_left(const houdini *h, uint32_t node, uint32_t k) {
  return k >= h->candidates->at[node].n || h->is_left[node][k];
}

static tp_term imported_at(const houdini *h, uint32_t node) {
  return h->imported ? h->imported[node] : tp_mk_true(h->tt);
}

static bool out_of_time(houdini *h) {
  if (h->o.until_s > 0 && tp_cpu_s() >= h->o.until_s) h->is_stopped = true;
  if (h->o.should_stop && h->o.should_stop(h->o.ctx)) h->is_stopped = true;
  return h->is_stopped;
}

static void drop_solver(houdini *h, size_t i) {
  TP_REQUIRE(i < h->b->list.n);
  if (h->blocks[i].solver) tp_smt_free(h->blocks[i].solver), h->n_solvers--;
  h->blocks[i].solver = NULL;
  h->blocks[i].n_asked = 0;
}

static void make_solver(houdini *h, size_t i, bool is_short) {
  TP_REQUIRE(i < h->b->list.n);
  const tp_block *info = info_of(h, i);
  uint64_t rlimit = h->o.rlimit ? h->o.rlimit : TP_BLOCKS_HOUDINI_RLIMIT;
  if (is_short && !h->o.takes_time && rlimit > TP_BLOCKS_HOUDINI_PRODUCT_RLIMIT)
    rlimit = TP_BLOCKS_HOUDINI_PRODUCT_RLIMIT;
  tp_smt_options o = {.backend = h->o.backend ? h->o.backend : "mixed",
                      .rlimit = rlimit,
                      .cpu_s = TP_BLOCKS_HOUDINI_S,
                      .stats = h->o.stats};
  if (h->blocks[i].is_short != is_short) drop_solver(h, i);
  if (h->blocks[i].solver) return;
  h->blocks[i].is_short = is_short;
  tp_term all = tp_mk_and(h->tt, tp_path_condition(h->x, &info->path), imported_at(h, info->from));
  // what is known to hold behind the block does not depend on the candidates
  all = tp_mk_and(h->tt, all, tp_path_after(h->x, &info->path, imported_at(h, info->to)));
  h->blocks[i].solver = tp_smt_new(h->tt, o);
  tp_smt_assert(h->blocks[i].solver, tp_paths_query(h->x, all));
  h->n_solvers++;
}

static void make_goals(houdini *h, size_t i) {
  const tp_block *info = info_of(h, i);
  const tp_term_list *c = candidates_of(h, info->to);
  if (h->blocks[i].goals) return;
  h->blocks[i].goals = TP_NEW_ARRAY(goal, c->n + 1);
  h->blocks[i].uses = TP_NEW_ARRAY(uint32_t, n_premises(h, info->from) + 1);
  for (size_t j = 0; j < c->n; j++) {
    goal *g = &h->blocks[i].goals[j];
    g->after = tp_path_after(h->x, &info->path, c->at[j]);
    g->has_product = tp_algebra_has_product(&h->algebra, h->tt, g->after);
  }
}

// -------------------------------------------------------------------- dropping

static bool rests_on(const goal *g, uint32_t premise) {
  for (size_t k = 0; k < g->premises.n; k++)
    if (g->premises.at[k] == premise) return true;
  return false;
}

static void drop(houdini *h, uint32_t node, uint32_t candidate) {
  TP_REQUIRE(h->is_left[node][candidate]);
  h->is_left[node][candidate] = false;
  for (uint32_t i = h->b->first.at[node]; i < h->b->first.at[node + 1]; i++) {
    block *k = &h->blocks[i];
    for (size_t j = 0; k->goals && j < candidates_of(h, info_of(h, i)->to)->n; j++) {
      if (!k->goals[j].is_kept || !rests_on(&k->goals[j], candidate)) continue;
      k->goals[j].is_kept = false;
      k->is_dirty = true;
    }
  }
}

/* In the model of the block's last question. What is true of every state is asked with it: a model
 * that lacks it says nothing. */
static bool is_violated(houdini *h, size_t i, tp_term t) {
  TP_REQUIRE(h->blocks[i].solver != NULL);
  tp_value v;
  return tp_smt_value(h->blocks[i].solver, tp_paths_query(h->x, tp_mk_not(h->tt, t)), &v) && v.bits;
}

/* Does the model meet all that may be a premise? */
static bool is_genuine(houdini *h, size_t i) {
  uint32_t from = info_of(h, i)->from;
  for (uint32_t j = 0; j < n_premises(h, from); j++)
    if (is_premise_left(h, from, j) && is_violated(h, i, premise_at(h, from, j))) return false;
  return true;
}

/* Drops what the model violates. False: nothing. */
static bool drop_violated(houdini *h, size_t i) {
  uint32_t to = info_of(h, i)->to;
  bool some = false;
  for (uint32_t j = 0; j < candidates_of(h, to)->n; j++) {
    if (!h->is_left[to][j] || h->blocks[i].goals[j].is_kept ||
        !is_violated(h, i, h->blocks[i].goals[j].after))
      continue;
    drop(h, to, j);
    some = true;
  }
  return some;
}

// ----------------------------------------------------------------------- group

/* Is the goal left, open, and not kept for a trivial reason? */
static bool is_open(houdini *h, size_t i, uint32_t j) {
  const tp_block *info = info_of(h, i);
  goal *g = &h->blocks[i].goals[j];
  if (!h->is_left[info->to][j] || g->is_kept) return false;
  g->premises.n = 0;
  g->is_kept = tp_is_true(h->tt, g->after);
  for (uint32_t k = 0; k < n_premises(h, info->from) && !g->is_kept; k++) {
    if (!is_premise_left(h, info->from, k) || !tp_term_eq(premise_at(h, info->from, k), g->after))
      continue;
    tp_vec_push(&g->premises, k);
    g->is_kept = true;
  }
  return !g->is_kept;
}

static void clean_group(houdini *h, size_t i) {
  size_t n = candidates_of(h, info_of(h, i)->to)->n;
  for (;;) {
    tp_term some = tp_mk_false(h->tt);
    for (uint32_t j = 0; j < n; j++)
      if (!h->blocks[i].goals[j].has_product && is_open(h, i, j))
        some = tp_mk_or(h->tt, some, tp_mk_not(h->tt, h->blocks[i].goals[j].after));
    if (tp_is_false(h->tt, some) || out_of_time(h)) return;
    some = tp_paths_query(h->x, some);
    tp_smt_answer a = tp_smt_check(h->blocks[i].solver, &some, 1);
    if (a == TP_SMT_SAT && is_genuine(h, i) && drop_violated(h, i)) continue;
    for (uint32_t j = 0; j < n && a == TP_SMT_UNSAT; j++)
      if (!h->blocks[i].goals[j].has_product)
        h->blocks[i].goals[j].is_kept |= h->is_left[info_of(h, i)->to][j];
    return;
  }
}

// ------------------------------------------------------------------------ goals

/* The next premise for the goal among those that the model violates: the goal's own formula, else
 * what was a premise most often, else the first. UINT32_MAX: none is violated. */
static uint32_t next_premise(houdini *h, size_t i, uint32_t j) {
  const tp_block *info = info_of(h, i);
  tp_term own = candidates_of(h, info->to)->at[j];
  uint32_t best = UINT32_MAX;
  for (uint32_t k = 0; k < n_premises(h, info->from); k++) {
    tp_term t = premise_at(h, info->from, k);
    bool is_better =
        best == UINT32_MAX || tp_term_eq(t, own) || h->blocks[i].uses[k] > h->blocks[i].uses[best];
    if (!is_better || !is_premise_left(h, info->from, k) || !is_violated(h, i, t)) continue;
    best = k;
    if (tp_term_eq(t, own)) break;
  }
  return best;
}

static tp_smt_answer ask(houdini *h, size_t i, const goal *g, tp_term violated) {
  uint32_t from = info_of(h, i)->from;
  if (h->blocks[i].n_asked++ > TP_BLOCKS_HOUDINI_QUERIES)
    drop_solver(h, i);  // goals of the past slow it down
  make_solver(h, i, g->has_product);
  h->assumptions.n = 0;
  for (size_t k = 0; k < g->premises.n; k++)
    tp_vec_push(&h->assumptions, tp_paths_query(h->x, premise_at(h, from, g->premises.at[k])));
  tp_vec_push(&h->assumptions, violated);
  return tp_smt_check(h->blocks[i].solver, h->assumptions.at, h->assumptions.n);
}

/* Does the premise bear on equations, alone or with another one (smt/algebra_orders.h)? */
static bool is_equation_or_order(const tp_terms *tt, tp_term t) {
  if (tp_kind(tt, t) == TP_OP_NOT) t = tp_arg(tt, t, 0);
  const tp_term_kind k = tp_kind(tt, t);
  return k == TP_OP_EQ || tp_kind_order(k).is_order;
}

/* With all equations and orders at the source as premises: what algebra can decide. */
static bool is_kept_by_equations(houdini *h, size_t i, goal *g, tp_term violated) {
  uint32_t from = info_of(h, i)->from;
  g->premises.n = 0;
  for (uint32_t k = 0; k < n_premises(h, from); k++)
    if (is_premise_left(h, from, k) && is_equation_or_order(h->tt, premise_at(h, from, k)))
      tp_vec_push(&g->premises, k);
  bool is_kept = ask(h, i, g, violated) == TP_SMT_UNSAT;
  if (!is_kept) g->premises.n = 0;
  return is_kept;
}

/* Keeps the goal, or drops it and what else the reason violates. */
static void clean_goal(houdini *h, size_t i, uint32_t j) {
  TP_REQUIRE(h->is_left[info_of(h, i)->to][j] && h->blocks[i].goals);
  goal *g = &h->blocks[i].goals[j];
  tp_term violated = tp_paths_query(h->x, tp_mk_not(h->tt, g->after));
  g->is_kept = g->has_product && is_kept_by_equations(h, i, g, violated);
  if (g->is_kept) return;
  while (!out_of_time(h)) {
    tp_smt_answer a = ask(h, i, g, violated);
    uint32_t premise = a == TP_SMT_SAT ? next_premise(h, i, j) : UINT32_MAX;
    if (premise != UINT32_MAX) {
      tp_vec_push(&g->premises, premise);
      h->blocks[i].uses[premise]++;
      continue;
    }
    g->is_kept = a == TP_SMT_UNSAT;
    if (a == TP_SMT_SAT) (void)drop_violated(h, i);
    if (!g->is_kept && h->is_left[info_of(h, i)->to][j]) drop(h, info_of(h, i)->to, j);
    return;
  }
}

static void clean(houdini *h, size_t i) {
  size_t n = candidates_of(h, info_of(h, i)->to)->n;
  make_solver(h, i, false);
  make_goals(h, i);
  h->blocks[i].is_dirty = false;  // a loop to itself may make it dirty again
  clean_group(h, i);
  for (int products = 0; products < 2; products++)
    for (uint32_t j = 0; j < n && !h->is_stopped; j++)
      if (h->blocks[i].goals[j].has_product == products && is_open(h, i, j)) clean_goal(h, i, j);
  if (h->n_solvers > TP_BLOCKS_HOUDINI_SOLVERS) drop_solver(h, i);
}

// ------------------------------------------------------------------------- all

static void start(houdini *h) {
  size_t n_nodes = h->b->nodes.n;
  h->is_left = TP_NEW_ARRAY(bool *, n_nodes);
  h->blocks = TP_NEW_ARRAY(block, h->b->list.n + 1);
  for (size_t n = 0; n < n_nodes; n++) {
    h->is_left[n] = TP_NEW_ARRAY(bool, h->candidates->at[n].n + 1);
    memset(h->is_left[n], true, h->candidates->at[n].n);
  }
  for (size_t i = 0; i < h->b->list.n; i++)
    h->blocks[i].is_dirty = candidates_of(h, info_of(h, i)->to)->n > 0 &&
                            !tp_is_false(h->tt, imported_at(h, info_of(h, i)->to));
}

static void clear_block(houdini *h, size_t i) {
  block *k = &h->blocks[i];
  drop_solver(h, i);
  for (size_t j = 0; k->goals && j < candidates_of(h, info_of(h, i)->to)->n; j++)
    tp_vec_clear(&k->goals[j].premises);
  tp_free(k->goals);
  tp_free(k->uses);
}

/* Of a block: what keeps the candidates that are left. */
static void note_premises(const houdini *h, size_t i) {
  const tp_block *info = info_of(h, i);
  for (uint32_t j = 0; h->blocks[i].goals && j < candidates_of(h, info->to)->n; j++) {
    const goal *g = &h->blocks[i].goals[j];
    for (size_t k = 0; h->is_left[info->to][j] && k < g->premises.n; k++)
      tp_vec_push(h->o.why,
                  ((tp_premise){info->from, info->to, premise_at(h, info->from, g->premises.at[k]),
                                candidates_of(h, info->to)->at[j]}));
  }
}

static void finish(houdini *h, tp_node_formulas *found) {
  TP_INVARIANT(h->n_solvers <= h->b->list.n);
  for (size_t i = 0; i < h->b->list.n && found && h->o.why; i++) note_premises(h, i);
  for (size_t i = 0; i < h->b->list.n; i++) clear_block(h, i);
  for (uint32_t n = 0; n < h->b->nodes.n; n++) {
    for (size_t j = 0; j < h->candidates->at[n].n && found; j++)
      if (h->is_left[n][j]) tp_node_formulas_add(found, h->b, n, h->candidates->at[n].at[j]);
    tp_free(h->is_left[n]);
  }
  tp_free(h->is_left);
  tp_free(h->blocks);
  tp_vec_clear(&h->assumptions);
  tp_algebra_clear(&h->algebra);
}

bool tp_houdini(const tp_blocks *b, const tp_term *imported, const tp_node_formulas *proved,
                const tp_node_formulas *candidates, tp_houdini_options o, tp_node_formulas *found) {
  TP_REQUIRE(candidates->n_nodes == b->nodes.n && (!proved || proved->n_nodes == b->nodes.n));
  TP_REQUIRE(!found || found->n_nodes == b->nodes.n);
  TP_INVARIANT(tp_blocks_check(b));
  houdini h = {.b = b,
               .x = b->paths,
               .tt = b->paths->tt,
               .imported = imported,
               .proved = proved,
               .candidates = candidates,
               .o = o};
  bool some = true;
  start(&h);
  while (some && !h.is_stopped) {
    some = false;
    for (size_t i = 0; i < b->list.n && !h.is_stopped; i++) {
      if (!h.blocks[i].is_dirty) continue;
      some = true;
      clean(&h, i);
    }
  }
  finish(&h, h.is_stopped ? NULL : found);
  return !h.is_stopped;
}
