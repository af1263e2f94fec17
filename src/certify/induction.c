/* Certificates of invariants: from each formula of each label every way leads to a formula of the next label.
 *
 * The start of the program and the bodies of contracts are where runs begin; all else follows by induction over the
 * labels that a run passes, and, for calls by contract, over the length of runs. Where the certificate asks for k > 1 steps, errors
 * are excluded afterwards, over ways that pass k - 1 labels. */
#include "certify/induction.h"

#include "certify/shape.h"

// ------------------------------------------------------------------ assumptions

static void list_assumptions(const tp_csegment *g) {
  const tp_program *p = g->p;
  tp_certify_report *r = g->report;
  for (size_t i = 1; i < p->assumptions.n; i++) tp_certify_list(r, tp_arena_strdup(&r->arena, p->assumptions.at[i]));
  for (size_t i = 0; i < g->listed.n; i++) {
    uint64_t place = g->listed.entries[i].key;
    tp_certify_list(r, tp_certify_assumption(p, (tp_edge){(uint32_t)place}, (tp_edge){(uint32_t)(place >> 32)}, &r->arena));
  }
}

// ---------------------------------------------------------------------- starting

static tp_loc entry_of(const tp_csegment *g, uint32_t context) { return tp_func_of(g->p, g->entries->contexts.at[context].func)->entry; }

static void check_starts(tp_csegment *g) {
  const tp_entries *e = g->entries;
  if (e->main) {
    tp_csegment_begin(g, e->main, entry_of(g, e->main), true);
    if (g->shape) tp_cshape_start(g, NULL);
    tp_csegment_walk(g, true);
  }
  for (size_t k = 1; k < e->contracts.n && g->result == TP_CERTIFY_ACCEPTED; k++) {
    tp_csegment_begin(g, e->contracts.at[k].root, entry_of(g, e->contracts.at[k].root), false);
    tp_csegment_start_with(g, e->contracts.at[k].pre);
    if (g->shape) tp_cshape_start(g, NULL);
    tp_csegment_walk(g, true);
  }
}

enum { MOST_CHOICES = 4096 };

/* The next choice of one graph from each set; false: it was the last. */
static bool next_choice(const tp_cdescribed *d, const tp_entries *e, uint32_t *at) {
  for (uint32_t i = 0; i < d->n; i++) {
    if (++at[i] < e->graph_sets.at[d->first + i].n) return true;
    at[i] = 0;
  }
  return false;
}

/* From a formula of a label, and from each heap that its graphs describe. */
static void check_formula(tp_csegment *g, const tp_clabel *l, uint32_t formula) {
  const tp_entries *e = g->entries;
  const tp_cdescribed *d = &e->described.at[formula];
  uint32_t *at = TP_NEW_ARRAY(uint32_t, d->n + 1), *chosen = TP_NEW_ARRAY(uint32_t, e->graphs.classes.n), n = 0;
  do {
    for (uint32_t i = 0; i < d->n; i++) {
      uint32_t graph = e->graphs_of_sets.at[e->graph_sets.at[d->first + i].first + at[i]];
      chosen[e->graphs.graphs.at[graph].of] = graph;
    }
    if (++n > MOST_CHOICES) tp_csegment_fail(g, TP_CERTIFY_UNDECIDED, l->loc, "too many choices of graphs");
    if (g->limits->cpu_s > 0 && tp_cpu_s() - g->start_cpu_s > g->limits->cpu_s) tp_csegment_fail(g, TP_CERTIFY_UNDECIDED, TP_LOC_NONE, "out of time");
    tp_csegment_begin(g, l->context, l->loc, false);
    tp_csegment_start_with(g, e->formulas.at[formula]);
    if (g->shape) tp_cshape_start(g, chosen);
    tp_csegment_walk(g, false);
  } while (g->result == TP_CERTIFY_ACCEPTED && next_choice(d, e, at));
  tp_free(at);
  tp_free(chosen);
}

static void check_labels(tp_csegment *g) {
  const tp_entries *e = g->entries;
  for (size_t i = 1; i < e->labels.n; i++) {
    const tp_clabel *l = &e->labels.at[i];
    if (g->purpose == TP_WALK_STEP && !l->counts) continue;
    for (uint32_t k = 0; k < l->n && g->result == TP_CERTIFY_ACCEPTED; k++) check_formula(g, l, l->first + k);
  }
}

static void check_all(tp_csegment *g) {
  tp_csegment_set_purpose(g, TP_WALK_INVARIANTS);
  check_starts(g);
  check_labels(g);
  if (g->entries->k == 1 || g->prop == TP_P_NONE) return;
  tp_csegment_set_purpose(g, TP_WALK_BASE);
  check_starts(g);
  tp_csegment_set_purpose(g, TP_WALK_STEP);
  check_labels(g);
}

tp_certify_result tp_certify_invariants(const tp_program *p, tp_property prop, const char *certificate, const tp_certify_limits *limits, tp_stats *stats, tp_certify_report *report) {
  tp_entries e;
  tp_certify_result result = TP_CERTIFY_REJECTED;
  if (tp_entries_read(&e, p, prop, certificate, &report->why)) {
    tp_csegment g;
    tp_csegment_init(&g, p, prop, &e, limits, stats, report);
    check_all(&g);
    result = g.result;
    if (result == TP_CERTIFY_ACCEPTED) list_assumptions(&g);
    report->edges = g.edges;
    report->queries = g.questions;
    tp_csegment_clear(&g);
  }
  tp_entries_clear(&e);
  return result;
}
