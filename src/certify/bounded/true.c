/* Checking TRUE: read the claim, walk the program within it, and show with a fresh solver that none
 * of the duties can arise. What the proof then rests on is computed here again, not copied: the
 * doubts that could not be excluded. */
#include "certify/inductive/inductive_cert.h"
#include "certify/inductive/check_inductive.h"
#include "certify/bounded/walk.h"

const char *tp_certify_result_name(tp_certify_result r) {
  switch (r) {
    case TP_CERTIFY_ACCEPTED: return "accepted";
    case TP_CERTIFY_REJECTED: return "rejected";
    case TP_CERTIFY_UNDECIDED: return "undecided";
  }
  return "?";
}

void tp_certify_report_init(tp_certify_report *r) {
  memset(r, 0, sizeof *r);
  tp_arena_init(&r->arena);
}

void tp_certify_report_clear(tp_certify_report *r) {
  tp_str_clear(&r->why);
  tp_vec_clear(&r->assumptions);
  tp_arena_clear(&r->arena);
}

// --------------------------------------------------------------------- duties

static void describe(const tp_cwalk *w, const tp_duty *d, tp_str *out) {
  const char *func = d->func.id ? tp_func_of(w->p, d->func)->name : NULL;
  switch (d->kind) {
    case TP_DUTY_ERROR: tp_str_add(out, d->what ? d->what : "an error location"); break;
    case TP_DUTY_UNSUPPORTED:
      tp_str_add(out, d->what ? d->what : "an unsupported operation");
      break;
    case TP_DUTY_TURN: tp_str_add(out, "one more turn of a loop than claimed"); break;
    case TP_DUTY_DEPTH:
      tp_str_printf(out, "a deeper recursion of %s than claimed", func ? func : "a function");
      break;
    case TP_DUTY_EXTERN:
      tp_str_printf(out, "a call of the external function %s, which may write memory,",
                    d->what ? d->what : "?");
      break;
    case TP_DUTY_FOREIGN:
      tp_str_printf(out, "the use of a pointer from outside the program (%s)",
                    d->what ? d->what : "?");
      break;
  }
  if (w->p->diag && tp_pos_known(tp_loc_of(w->p, d->loc)->pos)) {
    tp_str_add(out, " at ");
    tp_pos_print(w->p->diag, tp_loc_of(w->p, d->loc)->pos, out);
  }
}

static const tp_duty *duty_in_model(const tp_cwalk *w, tp_smt *solver) {
  tp_value v;
  for (size_t i = 0; i < w->duties.n; i++)
    if (tp_smt_value(solver, w->duties.at[i].when, &v) && v.bits) return &w->duties.at[i];
  return w->duties.n ? &w->duties.at[0] : NULL;
}

/* One check of `when` together with all facts, by a solver of its own. */
static tp_smt_answer check(tp_cwalk *w, tp_term when, tp_smt **solver) {
  *solver = tp_cwalk_solver(w);
  tp_smt_assert(*solver, tp_cwalk_base_facts(w));
  tp_smt_assert(*solver, when);
  w->queries++;
  return tp_smt_check(*solver, NULL, 0);
}

static tp_certify_result reachable(const tp_cwalk *w, const tp_duty *d, tp_certify_report *report) {
  describe(w, d, &report->why);
  bool exact = w->is_exact && w->heap.is_exact && w->heap.ps.is_exact;
  tp_str_add(&report->why, exact ? " can be reached" : " could not be excluded");
  return exact ? TP_CERTIFY_REJECTED : TP_CERTIFY_UNDECIDED;
}

/* All duties at once; if the solver cannot say, one by one. */
static tp_certify_result check_duties(tp_cwalk *w, tp_certify_report *report) {
  tp_term any = tp_mk_false(w->tt);
  for (size_t i = 0; i < w->duties.n; i++) any = tp_mk_or(w->tt, any, w->duties.at[i].when);
  if (tp_is_false(w->tt, any)) return TP_CERTIFY_ACCEPTED;
  tp_smt *solver;
  tp_smt_answer answer = check(w, any, &solver);
  tp_certify_result result = TP_CERTIFY_ACCEPTED;
  if (answer == TP_SMT_SAT) result = reachable(w, duty_in_model(w, solver), report);
  tp_smt_free(solver);
  for (size_t i = 0; answer == TP_SMT_UNKNOWN && result == TP_CERTIFY_ACCEPTED && i < w->duties.n;
       i++) {
    const tp_duty *d = &w->duties.at[i];
    if (tp_is_false(w->tt, d->when)) continue;
    tp_smt_answer one = check(w, d->when, &solver);
    if (one == TP_SMT_SAT)
      result = reachable(w, d, report);
    else if (one == TP_SMT_UNKNOWN) {
      tp_str_printf(&report->why, "the solver could not tell (%s) whether this is reached: ",
                    tp_smt_reason(solver));
      describe(w, d, &report->why);
      result = TP_CERTIFY_UNDECIDED;
    }
    tp_smt_free(solver);
  }
  return result;
}

// ---------------------------------------------------------------- assumptions

enum { MAX_DOUBT_QUERIES = 50, DOUBT_RLIMIT = 1000000 };

static bool is_excluded(tp_cwalk *w, tp_smt *solver, tp_term when) {
  w->queries++;
  return tp_smt_check(solver, &when, 1) == TP_SMT_UNSAT;
}

/* Doubts of one edge, in one call if it is in a library model, are one question; the first question
 * is whether any of them can arise at all. */
static void list_assumptions(tp_cwalk *w, tp_certify_report *report) {
  tp_map of_edge = {0};
  tp_term any = tp_mk_false(w->tt);
  for (size_t i = 0; i < w->doubts.n; i++) {
    uint64_t so_far;
    tp_term when = w->doubts.at[i].when;
    any = tp_mk_or(w->tt, any, when);
    uint64_t place = (uint64_t)w->doubts.at[i].call.id << 32 | w->doubts.at[i].edge.id;
    if (tp_map_get(&of_edge, place, &so_far))
      when = tp_mk_or(w->tt, when, (tp_term){(uint32_t)so_far});
    tp_map_set(&of_edge, place, when.id);
  }
  for (size_t i = 1; i < w->p->assumptions.n; i++)
    tp_vec_push(&report->assumptions, tp_arena_strdup(&report->arena, w->p->assumptions.at[i]));
  if (!tp_is_false(w->tt, any)) {
    tp_smt *solver = tp_smt_new(w->tt, (tp_smt_options){.backend = w->limits->backend,
                                                        .command = w->limits->command,
                                                        .rlimit = DOUBT_RLIMIT,
                                                        .stats = w->stats});
    tp_smt_assert(solver, tp_cwalk_base_facts(w));
    bool none = is_excluded(w, solver, any);
    for (size_t i = 0; !none && i < of_edge.n; i++) {
      tp_term when = {(uint32_t)of_edge.entries[i].value};
      if (i < MAX_DOUBT_QUERIES && is_excluded(w, solver, when)) continue;
      uint64_t place = of_edge.entries[i].key;
      tp_chk_list_assumption(
          report, tp_chk_assumption_text(w->p, (tp_edge){(uint32_t)place},
                                         (tp_edge){(uint32_t)(place >> 32)}, &report->arena));
    }
    tp_smt_free(solver);
  }
  tp_map_clear(&of_edge);
}

// ---------------------------------------------------------------------- check

static tp_certify_result check_claim(const tp_program *p, tp_property prop, const tp_claim *claim,
                                     const tp_certify_limits *limits, tp_stats *stats,
                                     tp_certify_report *report) {
  tp_cwalk w;
  tp_cwalk_init(&w, p, prop, claim, limits, stats);
  tp_cwalk_run(&w);
  tp_certify_result result = TP_CERTIFY_UNDECIDED;
  if (w.stuck)
    tp_str_add(&report->why, w.stuck);
  else
    result = check_duties(&w, report);
  if (result == TP_CERTIFY_ACCEPTED) list_assumptions(&w, report);
  report->edges = w.edges;
  report->queries = w.queries;
  tp_cwalk_clear(&w);
  return result;
}

tp_certify_result tp_certify_true(const tp_program *p, tp_property prop, const char *certificate,
                                  const tp_certify_limits *limits, tp_stats *stats,
                                  tp_certify_report *report) {
  for (size_t i = 1; i < p->unsupported.n; i++) {
    if (p->unsupported.at[i].loc.id) continue;
    tp_str_printf(&report->why, "the program uses what the model cannot say: %s",
                  p->unsupported.at[i].what);
    return TP_CERTIFY_UNDECIDED;
  }
  if (tp_chk_cert_is_inductive(certificate))
    return tp_chk_check_inductive(p, prop, certificate, limits, stats, report);
  tp_claim claim;
  tp_certify_result result = TP_CERTIFY_REJECTED;
  if (tp_claim_read(&claim, p, prop, certificate, &report->why))
    result = check_claim(p, prop, &claim, limits, stats, report);
  tp_claim_clear(&claim);
  return result;
}
