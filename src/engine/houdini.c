/* Houdini over the block graph.
 *
 * A block is clean when its condition, the invariants and the candidates left at its source imply every candidate left at its target. One
 * question asks for all of them at once: can some candidate be violated behind the block? Its model is a state that violates often many, and
 * all of them go. Losing a candidate makes the blocks from its node dirty again, which have one premise less; when no block is dirty, what
 * is left is inductive. The order of the questions does not change the result, as long as the solver answers: a union of inductive
 * subsets is inductive, so there is one largest.
 *
 * Where the solver gives up, the question is cut in halves, down to one candidate, which is dropped. */
#include "engine/houdini.h"

#include "smt/smt.h"

enum { DEFAULT_RLIMIT = 2000000, MOST_SOLVERS = 150 };
static const double question_cpu_s = 4.0;                  // a net

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
  tp_term_list *list = &f->at[node];
  if (node == 0 || tp_block_node_is_bad(b, node) || tp_is_true(b->paths->tt, formula) || tp_is_false(b->paths->tt, formula)) return;
  for (size_t i = 0; i < list->n; i++)
    if (tp_term_eq(list->at[i], formula)) return;
  if (tp_block_node_may_use(b, node, formula)) tp_vec_push(list, formula);
}

void tp_node_formulas_add_all(tp_node_formulas *f, const tp_blocks *b, const tp_candidates *c) {
  tp_map nodes_of = {0};                                   // location -> last of its nodes + 1, then `before`
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
    for (uint32_t n = (uint32_t)last; n; n = before[n - 1]) tp_node_formulas_add(f, b, n - 1, c->list.at[i].formula);
  }
  tp_free(before);
  tp_map_clear(&nodes_of);
}

// --------------------------------------------------------------------- setting

/* One block, with what is known of it. */
typedef struct {
  tp_smt *solver;              // holds the block's condition and the invariants at its ends; NULL: not made yet
  tp_term *after;              // by candidate of the target: the candidate behind the block; NULL: not made yet
  bool is_dirty;
} block;

typedef struct {
  const tp_blocks *b;
  tp_paths *x;
  tp_terms *tt;
  const tp_term *given;
  const tp_node_formulas *candidates;
  tp_houdini_options o;
  bool **is_left;              // by node and candidate
  block *blocks;
  tp_term_list assumptions;    // of the question at hand
  size_t n_solvers;
  bool is_stopped;
} houdini;

static const tp_block *info_of(const houdini *h, size_t i) { return &h->b->list.at[i]; }
static const tp_term_list *candidates_of(const houdini *h, uint32_t node) { return &h->candidates->at[node]; }
static tp_term given_at(const houdini *h, uint32_t node) { return h->given ? h->given[node] : tp_mk_true(h->tt); }

static bool out_of_time(houdini *h) {
  if (h->o.until_s > 0 && tp_cpu_s() >= h->o.until_s) h->is_stopped = true;
  if (h->o.should_stop && h->o.should_stop(h->o.ctx)) h->is_stopped = true;
  return h->is_stopped;
}

static tp_smt *solver_of(houdini *h, size_t i) {
  block *k = &h->blocks[i];
  const tp_block *info = info_of(h, i);
  if (k->solver) return k->solver;
  tp_smt_options o = {
      .backend = h->o.backend, .rlimit = h->o.rlimit ? h->o.rlimit : DEFAULT_RLIMIT, .cpu_s = question_cpu_s, .stats = h->o.stats};
  tp_term all = tp_mk_and(h->tt, tp_path_condition(h->x, &info->path), given_at(h, info->from));
  // what is known to hold behind the block does not depend on the candidates
  all = tp_mk_and(h->tt, all, tp_path_after(h->x, &info->path, given_at(h, info->to)));
  k->solver = tp_smt_new(h->tt, o);
  tp_smt_assert(k->solver, tp_paths_question(h->x, all));
  h->n_solvers++;
  return k->solver;
}

static void drop_solver(houdini *h, size_t i) {
  if (h->blocks[i].solver) tp_smt_free(h->blocks[i].solver), h->n_solvers--;
  h->blocks[i].solver = NULL;
}

static const tp_term *afters_of(houdini *h, size_t i) {
  block *k = &h->blocks[i];
  const tp_term_list *c = candidates_of(h, info_of(h, i)->to);
  if (k->after) return k->after;
  k->after = TP_NEW_ARRAY(tp_term, c->n + 1);
  for (size_t j = 0; j < c->n; j++) k->after[j] = tp_path_after(h->x, &info_of(h, i)->path, c->at[j]);
  return k->after;
}

// ------------------------------------------------------------------- questions

static void drop(houdini *h, uint32_t node, uint32_t candidate) {
  h->is_left[node][candidate] = false;
  for (uint32_t i = h->b->first.at[node]; i < h->b->first.at[node + 1]; i++) h->blocks[i].is_dirty = true;
}

/* Is some of these candidates violated behind the block? */
static tp_smt_answer ask(houdini *h, size_t i, const uint32_t *which, size_t n) {
  const tp_block *info = info_of(h, i);
  const tp_term *after = afters_of(h, i);
  const tp_term_list *before = candidates_of(h, info->from);
  tp_term some = tp_mk_false(h->tt);
  for (size_t j = 0; j < n; j++) some = tp_mk_or(h->tt, some, tp_mk_not(h->tt, after[which[j]]));
  if (tp_is_false(h->tt, some)) return TP_SMT_UNSAT;
  h->assumptions.n = 0;
  for (uint32_t j = 0; j < before->n; j++)
    if (h->is_left[info->from][j]) tp_vec_push(&h->assumptions, tp_paths_question(h->x, before->at[j]));
  tp_vec_push(&h->assumptions, tp_paths_question(h->x, some));
  return tp_smt_check(solver_of(h, i), h->assumptions.at, h->assumptions.n);
}

/* Drops what the model violates. False: nothing. */
static bool drop_violated(houdini *h, size_t i) {
  const tp_block *info = info_of(h, i);
  const tp_term *after = afters_of(h, i);
  bool some = false;
  for (uint32_t j = 0; j < candidates_of(h, info->to)->n; j++) {
    tp_value v;
    if (!h->is_left[info->to][j]) continue;
    // with what is true of every state: a model that lacks it says nothing about this candidate
    tp_term violated = tp_paths_question(h->x, tp_mk_not(h->tt, after[j]));
    if (!tp_smt_value(h->blocks[i].solver, violated, &v) || !v.bits) continue;
    drop(h, info->to, j);
    some = true;
  }
  return some;
}

/* Which of these are left, and not implied for a trivial reason? Returns how many, in place. */
static size_t keep_open(houdini *h, size_t i, uint32_t *which, size_t n) {
  const tp_block *info = info_of(h, i);
  const tp_term *after = afters_of(h, i);
  const tp_term_list *before = candidates_of(h, info->from);
  size_t kept = 0;
  for (size_t k = 0; k < n; k++) {
    bool is_open = h->is_left[info->to][which[k]];
    for (uint32_t j = 0; j < before->n && is_open; j++)
      is_open = !(h->is_left[info->from][j] && tp_term_eq(before->at[j], after[which[k]]));
    if (is_open) which[kept++] = which[k];
  }
  return kept;
}

/* Until the block keeps those of these candidates that are left. */
static void settle(houdini *h, size_t i, uint32_t *which, size_t n) {
  while ((n = keep_open(h, i, which, n)) > 0 && !out_of_time(h)) {
    tp_smt_answer a = ask(h, i, which, n);
    if (a == TP_SMT_UNSAT) return;
    if (a == TP_SMT_SAT && drop_violated(h, i)) continue;
    if (n == 1) {
      drop(h, info_of(h, i)->to, which[0]);
      return;
    }
    settle(h, i, which, n / 2);
    settle(h, i, which + n / 2, n - n / 2);
    return;
  }
}

static void clean(houdini *h, size_t i) {
  size_t n = candidates_of(h, info_of(h, i)->to)->n;
  uint32_t *which = TP_NEW_ARRAY(uint32_t, n + 1);
  for (uint32_t j = 0; j < n; j++) which[j] = j;
  h->blocks[i].is_dirty = false;                           // a loop to itself may make it dirty again
  settle(h, i, which, n);
  tp_free(which);
  if (h->n_solvers > MOST_SOLVERS) drop_solver(h, i);
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
    h->blocks[i].is_dirty = candidates_of(h, info_of(h, i)->to)->n > 0 && !tp_is_false(h->tt, given_at(h, info_of(h, i)->to));
}

static void finish(houdini *h, tp_node_formulas *found) {
  for (uint32_t n = 0; n < h->b->nodes.n; n++) {
    for (size_t j = 0; j < h->candidates->at[n].n && found; j++)
      if (h->is_left[n][j]) tp_node_formulas_add(found, h->b, n, h->candidates->at[n].at[j]);
    tp_free(h->is_left[n]);
  }
  for (size_t i = 0; i < h->b->list.n; i++) {
    drop_solver(h, i);
    tp_free(h->blocks[i].after);
  }
  tp_free(h->is_left);
  tp_free(h->blocks);
  tp_vec_clear(&h->assumptions);
}

bool tp_houdini(const tp_blocks *b, const tp_term *given, const tp_node_formulas *candidates, tp_houdini_options o, tp_node_formulas *found) {
  houdini h = {.b = b, .x = b->paths, .tt = b->paths->tt, .given = given, .candidates = candidates, .o = o};
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
