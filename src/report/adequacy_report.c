/* The report of an adequacy check: missed abstract states by cutpoint, how each is reached, and
 * potential errors. */
#include "report/adequacy_report.h"

#include "exec/input_text.h"
#include "report/invariant_text.h"
#include "report/report_limits.h"

// ------------------------------------------------------------------ one state

static void print_cutpoint(const tp_coverage *c, uint32_t cutpoint, tp_str *out) {
  TP_REQUIRE(cutpoint < c->cutpoints.n);
  const tp_loc_info *l = tp_loc_of(c->program, c->cutpoints.at[cutpoint].loc);
  tp_str_printf(out, "%s", tp_func_of(c->program, l->func)->name);
  if (l->label) tp_str_printf(out, ", label %s", l->label);
  if (tp_pos_known(l->pos)) tp_str_printf(out, ", line %u", l->pos.line);
}

static void print_state(const tp_coverage *c, uint32_t state, tp_str *out) {
  if (state >= c->states.n) {
    tp_str_add(out, "the start");
    return;
  }
  const tp_abstract_state *a = &c->states.at[state];
  const tp_cutpoint_coverage *at = &c->cutpoints.at[a->cutpoint];
  print_cutpoint(c, a->cutpoint, out);
  if (at->probes.n) tp_str_add(out, ": ");
  if (at->probes.n) tp_cube_print(at, a->values, tp_cube_mask(at), out);
}

// ---------------------------------------------------------------------- report

void tp_adequacy_first_line(const tp_adequacy_report *r, tp_str *out) {
  const tp_adequacy_counters *n = &r->counters;
  if (r->is_adequate)
    tp_str_add(out, "TESTS: adequate\n");
  else
    tp_str_printf(out, "TESTS: not adequate (%llu of %llu abstract states missed)\n",
                  (unsigned long long)n->abstract_states_missed,
                  (unsigned long long)n->abstract_states);
}

/* The covered state that a missed one was found from; UINT32_MAX: it is an initial one, or was met
 * on a run. */
static uint32_t found_from(const tp_adequacy_report *r, uint32_t state) {
  for (size_t i = 0; i < r->fabricated.n; i++)
    if (r->fabricated.at[i].after == state) return r->fabricated.at[i].before;
  return UINT32_MAX;
}

/* "  reachable with inputs 3 0" */
static void print_class(const tp_adequacy_report *r, const tp_abstract_state *a, tp_str *out) {
  if (!r->is_closed) return;
  switch (a->reach) {
    case TP_REACH_UNKNOWN:
      tp_str_add(
          out, "  unknown: neither a run that comes there was found nor a proof that none does\n");
      return;
    case TP_REACH_NEVER:
      tp_str_add(out, "  unreachable: no run comes there, only the proof needs it\n");
      return;
    case TP_REACH_REAL: break;
  }
  const tp_inputs *in = &r->witnesses.at[a->witness];
  size_t shown = 0;
  tp_str_add(out, a->n_witness ? "  reachable with inputs" : "  reachable without inputs");
  for (size_t i = 0; i < a->n_witness && shown < TP_REPORT_WITNESS_VALUES; i++) {
    if (in->v.at[i].width_bits == 0) continue;
    shown++;
    tp_str_add_char(out, ' ');
    tp_literal_print(&in->v.at[i], out);
  }
  tp_str_add(out, shown == TP_REPORT_WITNESS_VALUES ? " ...\n" : "\n");
}

static void print_missed(const tp_adequacy_report *r, tp_str *out) {
  const tp_coverage *c = &r->coverage;
  for (uint32_t i = 0; i < c->states.n; i++) {
    const tp_abstract_state *a = &c->states.at[i];
    if (!a->is_missed) continue;
    tp_str_add(out, "missed: ");
    print_state(c, i, out);
    tp_str_add_char(out, '\n');
    uint32_t from = found_from(r, i);
    if (from != UINT32_MAX) {
      tp_str_add(out, "  after ");
      print_state(c, from, out);
      tp_str_add_char(out, '\n');
    }
    print_class(r, a, out);
  }
}

static void print_potential(const tp_adequacy_report *r, const tp_diag *diag, tp_str *out) {
  const tp_coverage *c = &r->coverage;
  for (size_t i = 0; i < r->potential.n; i++) {
    const tp_potential_error *e = &r->potential.at[i];
    const tp_loc_info *l = tp_loc_of(c->program, e->error);
    tp_str_add(out, e->is_open ? "not modelled: " : "potential error: ");
    tp_pos_print(diag, l->pos, out);
    tp_str_printf(out, "%s%s\n  after ", l->message ? ": " : "", l->message ? l->message : "");
    print_state(c, e->from, out);
    tp_str_add_char(out, '\n');
  }
}

static void print_invariants(const tp_adequacy_report *r, tp_str *out) {
  const tp_coverage *c = &r->coverage;
  for (uint32_t i = 0; i < c->cutpoints.n; i++) {
    tp_str text = {0};
    if (tp_invariant_print(r, i, &text)) {
      tp_str_add(out, "invariant: ");
      print_cutpoint(c, i, out);
      tp_str_printf(out, ": %s\n", tp_str_text(&text));
    }
    tp_str_clear(&text);
  }
}

void tp_adequacy_print(const tp_adequacy_report *r, const tp_diag *diag, tp_str *out) {
  print_missed(r, out);
  print_potential(r, diag, out);
  if (r->is_closed) print_invariants(r, out);
}

void tp_adequacy_json(const tp_adequacy_report *r, tp_str *out) {
  tp_str_printf(out,
                "\"tests_adequate\": %s, \"closed\": %s, \"fallback_used\": \"%s\", "
                "\"potential_errors\": %zu",
                r->is_adequate ? "true" : "false", r->is_closed ? "true" : "false",
                tp_fallback_name(r->fallback), r->potential.n);
#define TP_C(name) \
  tp_str_printf(out, ", \"%s\": %llu", #name, (unsigned long long)r->counters.name);
  TP_ADEQUACY_COUNTERS(TP_C)
#undef TP_C
}
