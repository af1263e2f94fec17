/* Certificates of invariants: from each formula of each label every way leads to a formula of the next label.
 *
 * The start of the program and the bodies of contracts are where runs begin; all else follows by induction over the
 * labels that a run passes, and, for calls by contract, over the length of runs. */
#include "certify/induction.h"

#include "certify/segment.h"

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

/* A conjunct that says what a variable is: from here on it is that, so that terms fold. */
static void use_equation(tp_csegment *g, tp_term t) {
  tp_var v;
  tp_term value;
  if (!tp_conjunct_pins(g->p, t, &v, &value)) return;
  if (v.id == g->p->ghost_heap.id) g->now.heap = value;
  else if (v.id == g->p->ghost_lost.id) g->now.lost = value;
  else if (!tp_term_is(g->values[v.id].term)) {
    tp_term lost = g->now.lost;
    tp_csegment_set(g, v, (tp_cvalue){value, TP_HIDES_ANYTHING});             // an address may have this value
    g->now.lost = lost;
  }
}

static void start_with(tp_csegment *g, tp_term formula) {
  TP_VEC(uint32_t) todo = {0};
  tp_vec_push(&todo, formula.id);
  while (todo.n) {
    tp_term t = {tp_vec_pop(&todo)};
    if (tp_kind(g->tt, t) == TP_OP_AND) {
      tp_vec_push(&todo, tp_arg(g->tt, t, 1).id);
      tp_vec_push(&todo, tp_arg(g->tt, t, 0).id);
    } else {
      use_equation(g, t);
    }
  }
  tp_vec_clear(&todo);
  tp_csegment_know(g, tp_cmeaning_of_formula(g, formula));
}

static tp_loc entry_of(const tp_csegment *g, uint32_t context) { return tp_func_of(g->p, g->entries->contexts.at[context].func)->entry; }

static void check_starts(tp_csegment *g) {
  const tp_entries *e = g->entries;
  if (e->main) {
    tp_csegment_begin(g, e->main, entry_of(g, e->main), true);
    tp_csegment_walk(g, true);
  }
  for (size_t k = 1; k < e->contracts.n && g->result == TP_CERTIFY_ACCEPTED; k++) {
    tp_csegment_begin(g, e->contracts.at[k].root, entry_of(g, e->contracts.at[k].root), false);
    start_with(g, e->contracts.at[k].pre);
    tp_csegment_walk(g, true);
  }
}

static void check_labels(tp_csegment *g) {
  const tp_entries *e = g->entries;
  for (size_t i = 1; i < e->labels.n; i++) {
    const tp_clabel *l = &e->labels.at[i];
    for (uint32_t k = 0; k < l->n && g->result == TP_CERTIFY_ACCEPTED; k++) {
      if (g->limits->cpu_s > 0 && tp_cpu_s() - g->start_cpu_s > g->limits->cpu_s) tp_csegment_fail(g, TP_CERTIFY_UNDECIDED, TP_LOC_NONE, "out of time");
      tp_csegment_begin(g, l->context, l->loc, false);
      start_with(g, e->formulas.at[l->first + k]);
      tp_csegment_walk(g, false);
    }
  }
}

tp_certify_result tp_certify_invariants(const tp_program *p, tp_property prop, const char *certificate, const tp_certify_limits *limits, tp_stats *stats, tp_certify_report *report) {
  tp_entries e;
  tp_certify_result result = TP_CERTIFY_REJECTED;
  if (tp_entries_read(&e, p, prop, certificate, &report->why)) {
    tp_csegment g;
    tp_csegment_init(&g, p, prop, &e, limits, stats, report);
    check_starts(&g);
    check_labels(&g);
    result = g.result;
    if (result == TP_CERTIFY_ACCEPTED) list_assumptions(&g);
    report->edges = g.edges;
    report->queries = g.questions;
    tp_csegment_clear(&g);
  }
  tp_entries_clear(&e);
  return result;
}
