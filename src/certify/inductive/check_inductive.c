/* Certificates of invariants: from each formula of each cutpoint every path leads to a formula of
 * the next cutpoint.
 *
 * The start of the program and the bodies of contracts are where runs begin; all else follows by
 * induction over the cutpoints that a run passes, and, for calls by contract, over the length of
 * runs. Where the certificate asks for k > 1 steps, errors are excluded afterwards, over paths that
 * pass k
 * - 1 cutpoints. */
#include "certify/inductive/check_inductive.h"

#include "certify/certify_limits.h"
#include "certify/shapes/batch.h"

// ------------------------------------------------------------------ assumptions

// ---------------------------------------------------------------------- starting

static tp_loc entry_of(const tp_chk_exec *g, uint32_t context) {
  TP_REQUIRE(context > 0 && context < g->cert->contexts.n);
  return tp_func_of(g->p, g->cert->contexts.at[context].func)->entry;
}

static void check_starts(tp_chk_exec *g) {
  const tp_chk_cert *e = g->cert;
  if (e->main) {
    tp_chk_exec_begin(g, e->main, entry_of(g, e->main), true);
    if (g->shape) tp_chk_shape_begin(g, NULL);
    tp_chk_exec_run(g, true);
  }
  for (size_t k = 1; k < e->contracts.n && g->result == TP_CERTIFY_ACCEPTED; k++) {
    tp_chk_exec_begin(g, e->contracts.at[k].root, entry_of(g, e->contracts.at[k].root), false);
    tp_chk_assume_cutpoint_formula(g, e->contracts.at[k].pre);
    if (g->shape) tp_chk_shape_begin(g, NULL);
    tp_chk_exec_run(g, true);
  }
}

/* The next choice of one graph from each set; false: it was the last. */
static bool next_choice(const tp_chk_graph_sets *d, const tp_chk_cert *e, uint32_t *at) {
  for (uint32_t i = 0; i < d->n; i++) {
    if (++at[i] < e->graph_sets.at[d->first + i].n) return true;
    at[i] = 0;
  }
  return false;
}

// --------------------------------------------------------------- graphs together

/* Graphs of a cutpoint that are shown to be closed together with others: formula << 32 | graph. */
typedef struct {
  tp_chk_exec *g;
  const tp_chk_cutpoint *l;
  tp_map closed, seen;
  TP_VEC(uint32_t) graphs, formulas;
} together;

static const tp_chk_graph_set *only_set(const tp_chk_cert *e, uint32_t formula) {
  const tp_chk_graph_sets *d = &e->described.at[formula];
  return d->n == 1 ? &e->graph_sets.at[d->first] : NULL;
}

static uint32_t class_of_set(const tp_chk_cert *e, const tp_chk_graph_set *set) {
  return e->graphs.graphs.at[e->graphs_of_sets.at[set->first]].of;
}

/* All graphs of one class that stand beside the same formula. */
static void close_with(together *x, uint32_t first) {
  const tp_chk_cert *e = x->g->cert;
  uint32_t class = class_of_set(e, only_set(e, first));
  x->graphs.n = x->formulas.n = 0;
  for (uint32_t k = first; k < x->l->first + x->l->n; k++) {
    const tp_chk_graph_set *set = only_set(e, k);
    if (!set || !tp_term_eq(e->formulas.at[k], e->formulas.at[first]) ||
        class_of_set(e, set) != class)
      continue;
    tp_map_set(&x->seen, k, 1);
    for (uint32_t i = 0; i < set->n; i++) {
      tp_vec_push(&x->graphs, e->graphs_of_sets.at[set->first + i]);
      tp_vec_push(&x->formulas, k);
    }
  }
  bool *closed = TP_NEW_ARRAY(bool, x->graphs.n + 1);
  tp_chk_batch_check(x->g, x->l, e->formulas.at[first], x->graphs.at, (uint32_t)x->graphs.n,
                     closed);
  for (size_t i = 0; i < x->graphs.n; i++)
    if (closed[i]) tp_map_set(&x->closed, (uint64_t)x->formulas.at[i] << 32 | x->graphs.at[i], 1);
  tp_free(closed);
}

static together find_closed(tp_chk_exec *g, const tp_chk_cutpoint *l) {
  together x = {.g = g, .l = l};
  const bool is_wanted = g->obligation == TP_CHK_CONSECUTION && !g->limits->one_by_one;
  for (uint32_t k = l->first; k < l->first + l->n && is_wanted; k++)
    if (g->result == TP_CERTIFY_ACCEPTED && only_set(g->cert, k) && !tp_map_has(&x.seen, k))
      close_with(&x, k);
  return x;
}

static void together_clear(together *x) {
  tp_map_clear(&x->closed);
  tp_map_clear(&x->seen);
  tp_vec_clear(&x->graphs);
  tp_vec_clear(&x->formulas);
}

// ------------------------------------------------------------------- graph by graph

static bool is_closed(const together *x, uint32_t formula, const uint32_t *at) {
  const tp_chk_cert *e = x->g->cert;
  const tp_chk_graph_set *set = only_set(e, formula);
  return set &&
         tp_map_has(&x->closed, (uint64_t)formula << 32 | e->graphs_of_sets.at[set->first + at[0]]);
}

/* From a formula of a cutpoint, and from each heap that its graphs describe. */
static void check_formula(tp_chk_exec *g, const tp_chk_cutpoint *l, uint32_t formula,
                          const together *done) {
  const tp_chk_cert *e = g->cert;
  const tp_chk_graph_sets *d = &e->described.at[formula];
  uint32_t *at = TP_NEW_ARRAY(uint32_t, d->n + 1),
           *chosen = TP_NEW_ARRAY(uint32_t, e->graphs.classes.n), n = 0;
  do {
    if (is_closed(done, formula, at)) continue;
    for (uint32_t i = 0; i < d->n; i++) {
      uint32_t graph = e->graphs_of_sets.at[e->graph_sets.at[d->first + i].first + at[i]];
      chosen[e->graphs.graphs.at[graph].of] = graph;
    }
    if (++n > TP_CERTIFY_GRAPH_CHOICES)
      tp_chk_exec_fail(g, TP_CERTIFY_UNDECIDED, l->loc, "too many choices of graphs");
    if (g->limits->cpu_s > 0 && tp_cpu_s() - g->start_cpu_s > g->limits->cpu_s)
      tp_chk_exec_fail(g, TP_CERTIFY_UNDECIDED, TP_LOC_NONE, "out of time");
    tp_chk_exec_begin(g, l->context, l->loc, false);
    tp_chk_assume_cutpoint_formula(g, e->formulas.at[formula]);
    if (g->shape) tp_chk_shape_begin(g, chosen);
    tp_chk_exec_run(g, false);
  } while (g->result == TP_CERTIFY_ACCEPTED && next_choice(d, e, at));
  tp_free(at);
  tp_free(chosen);
}

static void check_cutpoints(tp_chk_exec *g) {
  const tp_chk_cert *e = g->cert;
  for (size_t i = 1; i < e->cutpoints.n; i++) {
    const tp_chk_cutpoint *l = &e->cutpoints.at[i];
    if (g->obligation == TP_CHK_STEP_CASE && !l->counts) continue;
    together done = find_closed(g, l);
    for (uint32_t k = 0; k < l->n && g->result == TP_CERTIFY_ACCEPTED; k++)
      check_formula(g, l, l->first + k, &done);
    together_clear(&done);
  }
}

static void check_all(tp_chk_exec *g) {
  tp_chk_exec_set_obligation(g, TP_CHK_CONSECUTION);
  check_starts(g);
  check_cutpoints(g);
  if (g->cert->k == 1 || g->prop == TP_P_NONE) return;
  tp_chk_exec_set_obligation(g, TP_CHK_BASE_CASE);
  check_starts(g);
  tp_chk_exec_set_obligation(g, TP_CHK_STEP_CASE);
  check_cutpoints(g);
}

tp_certify_result tp_chk_check_inductive(const tp_program *p, tp_property prop,
                                         const char *certificate, const tp_certify_limits *limits,
                                         tp_stats *stats, tp_certify_report *report) {
  tp_chk_cert e;
  tp_certify_result result = TP_CERTIFY_REJECTED;
  if (tp_chk_cert_read(&e, p, prop, certificate, &report->why)) {
    tp_chk_exec g;
    tp_chk_exec_init(&g, p, prop, &e, limits, stats, report);
    check_all(&g);
    result = g.result;
    if (result == TP_CERTIFY_ACCEPTED) tp_chk_list_assumptions(p, &g.listed, report);
    report->edges = g.edges;
    report->queries = g.queries;
    tp_chk_exec_clear(&g);
  }
  tp_chk_cert_clear(&e);
  return result;
}
