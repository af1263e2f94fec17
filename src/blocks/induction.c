/* Ways are extended block by block; at each node where they arrive, what is known there is assumed,
 * and those that arrive are joined. In a step case only nodes are followed from which a bad node is
 * as many blocks away as are left. */
#include "blocks/induction.h"

void tp_induction_init(tp_induction *x, const tp_blocks *b, const tp_term *known,
                       tp_smt_options options) {
  TP_REQUIRE(b->nodes.n > 0 && known);
  *x = (tp_induction){.b = b, .known = known, .options = options};
}

// ------------------------------------------------------------------------ paths

static tp_node_paths paths_new(const tp_blocks *b) {
  return (tp_node_paths){TP_NEW_ARRAY(tp_path, b->nodes.n), TP_NEW_ARRAY(bool, b->nodes.n)};
}

void tp_induction_clear_paths(const tp_blocks *b, tp_node_paths *w) {
  for (size_t n = 0; n < b->nodes.n && w->has; n++)
    if (w->has[n]) tp_path_clear(&w->at[n]);
  tp_free(w->at);
  tp_free(w->has);
  *w = (tp_node_paths){0};
}

static void add_path(tp_induction *x, tp_node_paths *w, uint32_t node, tp_path path) {
  TP_REQUIRE(node < x->b->nodes.n);
  tp_path_assume(x->b->paths, &path, x->known[node]);
  if (tp_path_is_false(&path)) {
    tp_path_clear(&path);
    return;
  }
  w->at[node] = w->has[node] ? tp_path_join(x->b->paths, w->at[node], path) : path;
  w->has[node] = true;
}

tp_node_paths tp_induction_paths_from(tp_induction *x, uint32_t node) {
  TP_REQUIRE(node < x->b->nodes.n);
  tp_node_paths w = paths_new(x->b);
  add_path(x, &w, node, tp_path_here(x->b->paths));
  return w;
}

tp_node_paths tp_induction_extended(tp_induction *x, const tp_node_paths *w, const bool *follows) {
  TP_REQUIRE(w->at && w->has);
  tp_node_paths out = paths_new(x->b);
  for (size_t i = 0; i < x->b->list.n; i++) {
    const tp_block *k = &x->b->list.at[i];
    if (!w->has[k->from] || tp_block_node_is_bad(x->b, k->to) || (follows && !follows[k->to]))
      continue;
    add_path(x, &out, k->to, tp_path_then(x->b->paths, &w->at[k->from], &k->path));
  }
  return out;
}

/* Takes w over. */
static tp_node_paths extend(tp_induction *x, tp_node_paths w, const bool *follows) {
  tp_node_paths out = tp_induction_extended(x, &w, follows);
  tp_induction_clear_paths(x->b, &w);
  return out;
}

static bool is_bad(const tp_blocks *b, uint32_t node) { return tp_block_node_is_bad(b, node); }
static bool is_unmodelled(const tp_blocks *b, uint32_t node) {
  return b->nodes.at[node].is_unmodelled;
}

/* Under which condition do these paths go on to such a node in the next block? */
static tp_term next(tp_induction *x, const tp_node_paths *w,
                    bool (*is_asked)(const tp_blocks *, uint32_t)) {
  tp_terms *tt = x->b->paths->tt;
  tp_term any = tp_mk_false(tt);
  for (size_t i = 0; i < x->b->list.n; i++) {
    const tp_block *k = &x->b->list.at[i];
    if (!w->has[k->from] || !is_asked(x->b, k->to) || tp_is_false(tt, x->known[k->to])) continue;
    tp_path whole = tp_path_then(x->b->paths, &w->at[k->from], &k->path);
    any = tp_mk_or(tt, any, tp_path_condition(x->b->paths, &whole));
    tp_path_clear(&whole);
  }
  return any;
}

// ------------------------------------------------------------------- questions

static void drop_solver(tp_induction *x) {
  if (x->solver) tp_smt_free(x->solver);
  x->solver = NULL;
}

void tp_induction_clear(tp_induction *x) {
  tp_induction_clear_paths(x->b, &x->base);
  drop_solver(x);
}

static tp_smt_answer ask(tp_induction *x, tp_term condition) {
  tp_terms *tt = x->b->paths->tt;
  drop_solver(x);
  x->question = condition;
  if (tp_is_false(tt, condition)) return TP_SMT_UNSAT;
  x->solver = tp_smt_new(tt, x->options);
  tp_smt_assert(x->solver, tp_paths_query(x->b->paths, condition));
  return tp_smt_check(x->solver, NULL, 0);
}

tp_smt_answer tp_induction_base(tp_induction *x, uint32_t k) {
  TP_REQUIRE(x->n_base <= k);
  if (!x->base.has) x->base = tp_induction_paths_from(x, 0);
  for (; x->n_base < k; x->n_base++) x->base = extend(x, x->base, NULL);
  return ask(x, next(x, &x->base, is_bad));
}

bool tp_induction_base_is_excused(tp_induction *x, uint32_t bounded) {
  TP_REQUIRE(x->base.has != NULL);
  // a run of n_base blocks has no more iterations of a loop
  return bounded > x->n_base && ask(x, next(x, &x->base, is_unmodelled)) == TP_SMT_UNSAT;
}

/* By node: is something bad, and not known to be unreachable, exactly `distance` blocks away? */
static bool *reaching(const tp_induction *x, uint32_t distance) {
  size_t n_nodes = x->b->nodes.n;
  bool *at = TP_NEW_ARRAY(bool, n_nodes);
  for (uint32_t n = 0; n < n_nodes; n++)
    at[n] = tp_block_node_is_bad(x->b, n) && !tp_is_false(x->b->paths->tt, x->known[n]);
  for (uint32_t d = 0; d < distance; d++) {
    bool *before = TP_NEW_ARRAY(bool, n_nodes);
    for (size_t i = 0; i < x->b->list.n; i++) {
      const tp_block *k = &x->b->list.at[i];
      before[k->from] |= at[k->to] && (d == 0 || !tp_block_node_is_bad(x->b, k->to));
    }
    tp_free(at);
    at = before;
  }
  return at;
}

tp_smt_answer tp_induction_step(tp_induction *x, uint32_t k) {
  tp_smt_answer all = TP_SMT_UNSAT;
  bool **follows = TP_NEW_ARRAY(bool *, k + 1);  // by blocks that are left before the last
  for (uint32_t d = 0; d <= k; d++) follows[d] = reaching(x, d + 1);
  for (uint32_t n = 1; n < x->b->nodes.n && all == TP_SMT_UNSAT; n++) {
    if (tp_block_node_is_bad(x->b, n) || !follows[k][n]) continue;
    tp_node_paths w = tp_induction_paths_from(x, n);
    for (uint32_t left = k; left-- > 0;) w = extend(x, w, follows[left]);
    all = ask(x, next(x, &w, is_bad));
    x->from = n;
    tp_induction_clear_paths(x->b, &w);
  }
  for (uint32_t d = 0; d <= k; d++) tp_free(follows[d]);
  tp_free(follows);
  return all;
}

bool tp_induction_value(tp_induction *x, tp_term t, tp_value *out) {
  return x->solver && tp_smt_value(x->solver, t, out);
}
