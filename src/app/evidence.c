/* From claims of TRUE to verdicts: the certificate goes through certify/ in a worker of its own, if
 * asked for also with a second solver and against random runs. A claim that fails its evidence
 * becomes UNKNOWN and is named, because it means that one of our parts is wrong or too weak. FALSE:
 * confirm_failure.c. */
#include "app/session.h"
#include "base/fault.h"
#include "certify/certify.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

static const char second_solver[] = "cvc5 --lang smt2 --incremental --produce-models --quiet";

typedef struct {
  tp_session *s;
  bool second, runs;  // which check: second solver, random runs; neither: the check proper
  double most_s;      // of CPU; 0: all that is left
} check_job;

static void check_certificate(void *ctx, int channel, tp_str *answer) {
  TP_REQUIRE(((check_job *)ctx)->s->now.result.certificate.n > 0);
  check_job *job = ctx;
  tp_session *s = job->s;
  (void)channel;
  tp_session_exempt_known(s);
  tp_certify_report report;
  tp_certify_report_init(&report);
  tp_certify_limits limits = {.cpu_s =
                                  job->most_s > 0 ? job->most_s : tp_budget_left_s(&s->budget)};
  if (strcmp(s->o->check, "proof") == 0) limits.proofs = TP_CERTIFY_PROOFS_REQUIRED;
  if (job->second)
    limits.backend = "pipe", limits.command = second_solver, limits.proofs = TP_CERTIFY_PROOFS_NONE;
  const char *certificate = tp_str_text(&s->now.result.certificate);
  tp_stats stats = s->stats;
  tp_certify_result result;
  if (job->runs) {
    tp_inputs counterexample;
    tp_inputs_init(&counterexample);
    result = tp_certify_run(s->program, s->property, certificate, s->o->seed, 1000, &limits,
                            &counterexample, &report);
    tp_inputs_clear(&counterexample);
  } else {
    const uint64_t bound = s->now.result.bound;
    result = bound
                 ? tp_certify_bounded(s->program, s->property, bound, certificate, &limits, &stats,
                                      &report)
                 : tp_certify_true(s->program, s->property, certificate, &limits, &stats, &report);
  }
  tp_wire_put_u64(answer, result);
  tp_wire_put_text(answer, tp_str_text(&report.why));
  tp_wire_put_u64(answer, report.where.id);
  tp_wire_put_stats(answer, &stats);
  tp_wire_put_u64(answer, report.obligations.by_intervals);
  tp_wire_put_u64(answer, report.obligations.by_proof);
  tp_wire_put_u64(answer, report.obligations.by_word);
  tp_wire_put_u64(answer, report.assumptions.n);
  for (size_t i = 0; i < report.assumptions.n; i++)
    tp_wire_put_text(answer, report.assumptions.at[i]);
  tp_certify_report_clear(&report);
}

static void read_assumptions(tp_session *s, tp_wire_reader *r) {
  uint64_t n = tp_wire_u64(r);
  s->now.assumptions.n = 0;
  for (uint64_t i = 0; i < n && !r->bad; i++) {
    const char *text = tp_wire_text(r, &s->arena);
    if (text) tp_vec_push(&s->now.assumptions, text);
  }
}

static bool has_setting(const tp_options *o, const char *name) {
  for (size_t i = 0; i < o->settings.n; i++)
    if (strcmp(o->settings.at[i].name, name) == 0) return true;
  return false;
}

/* Graphs that the checker cannot follow: more time does not help, other predicates may. */
static void advise_other_predicates(tp_session *s) {
  if (has_setting(s->o, "shape.families")) return;
  tp_str_printf(&s->now.hint,
                "use fewer predicates of the shape class (%s--set=shape.families=none, or "
                "=\"NAME...\"), or others (doc/shape.md, step 6)",
                strcmp(s->o->engine, "cpa") == 0 ? "" : "--config=shape ");
}

/* What a proof is about that its checker does not carry: where the check came to, else the loop
 * that is unrolled most often, else the first error location. */
static void locate_proof(tp_session *s, tp_loc where) {
  const tp_program *p = s->program;
  tp_obstacle *o = &s->now.result.obstacle;
  uint64_t most = 0;
  o->pos = where.id && where.id < p->locs.n ? p->locs.at[where.id].pos : TP_POS_NONE;
  if (tp_pos_known(o->pos)) return;
  for (const char *line = tp_str_text(&s->now.result.certificate); line && *line;) {
    uint32_t loc = 0;
    uint64_t n = 0;
    if (sscanf(line, "loop %*s %" SCNu32 " %" SCNu64, &loc, &n) == 2 && n > most && loc > 0 &&
        loc < p->locs.n) {
      most = n;
      o->pos = p->locs.at[loc].pos;
    }
    line = strchr(line, '\n');
    if (line) line++;
  }
  for (uint32_t l = 1; l < p->locs.n && !tp_pos_known(o->pos); l++)
    if (tp_property_covers(s->property, p->locs.at[l].error)) o->pos = p->locs.at[l].pos;
}

/* A certificate that its engine offered without having followed all runs was refused: why the
 * engine had no proof is the reason then. */
static void leave_to_engine(tp_session *s) {
  tp_result *r = &s->now.result;
  TP_REQUIRE(r->is_tentative && r->reason);
  tp_session_give_up(s, "%s", r->reason);
  s->now.check_rejected = false;
  r->verdict = TP_VERDICT_UNKNOWN;
}

/* One check of the certificate; on anything but success the verdict is lowered. */
static bool passes(tp_session *s, check_job job, const char *phase) {
  TP_REQUIRE(!(job.second && job.runs));
  tp_worker w;
  const double start_s = tp_budget_used_s();
  job.s = s;
  tp_worker_run(&w, &s->budget, (tp_work){check_certificate, &job, phase});
  bool ok = false;
  tp_loc where = TP_LOC_NONE;
  static const char out_of_time[] = "out of time";  // symbolic/executor.c
  tp_str_clear(&s->now.hint);  // of the engine: how to come to the proof that is there now
  s->now.check_ran_out = s->now.check_rejected = false;
  if (!w.has_answer) {
    tp_session_give_up(s, "%s: %s", phase, tp_str_text(&w.reason));
    s->now.check_ran_out = w.is_limit;
  } else {
    uint64_t result = tp_wire_u64(&w.answer);
    const char *why = tp_wire_text(&w.answer, &s->arena);
    where = (tp_loc){(uint32_t)tp_wire_u64(&w.answer)};
    tp_stats stats;
    tp_wire_stats(&w.answer, &stats);
    tp_certify_obligations met = {0};
    met.by_intervals = tp_wire_u64(&w.answer);
    met.by_proof = tp_wire_u64(&w.answer);
    met.by_word = tp_wire_u64(&w.answer);
    if (!job.second && !job.runs) {
      if (!w.answer.bad) s->stats = stats, s->now.obligations = met;
      read_assumptions(s, &w.answer);
    }
    // random runs decide only against a proof: none of them may have met its assumptions
    ok = !w.answer.bad &&
         (result == TP_CERTIFY_ACCEPTED || (job.runs && result == TP_CERTIFY_UNDECIDED));
    if (!ok)
      tp_session_give_up(s, "%s: the proof is %s (%s)", phase,
                         tp_certify_result_name((tp_certify_result)result), why ? why : "?");
    s->now.check_ran_out = !ok && why && strncmp(why, out_of_time, strlen(out_of_time)) == 0;
    s->now.check_rejected = !ok && result == TP_CERTIFY_REJECTED;
    if (!ok && result == TP_CERTIFY_UNDECIDED && !s->now.check_ran_out &&
        strstr(s->now.result.certificate.text, "\nkind shapes\n"))
      advise_other_predicates(s);
  }
  if (!ok && s->now.result.is_tentative)
    leave_to_engine(s);
  else if (!ok)
    locate_proof(s, where);
  tp_worker_clear(&w);
  s->stats.certificate_s += tp_budget_used_s() - start_s;
  return ok;
}

/* Random runs of the compiled program. */
static bool passes_natively(tp_session *s) {
  tp_chk_native_request request = tp_session_native(s);
  request.wall_s = tp_session_native_wall_s(s, 0);
  tp_certify_report report;
  tp_inputs counterexample;
  tp_certify_report_init(&report);
  tp_inputs_init(&counterexample);
  tp_certify_result result =
      tp_certify_run_native(&request, s->property, s->o->seed, 1000, tp_budget_left_s(&s->budget),
                            &counterexample, &report);
  if (result == TP_CERTIFY_REJECTED)
    tp_session_give_up(s, "native random runs: %s", tp_str_text(&report.why));
  else if (result == TP_CERTIFY_UNDECIDED)
    tp_str_printf(&s->now.evidence, " (%s)", tp_str_text(&report.why));
  else
    tp_str_printf(&s->now.evidence, " and in %llu runs of the compiled program",
                  (unsigned long long)report.queries);
  tp_inputs_clear(&counterexample);
  tp_certify_report_clear(&report);
  return result != TP_CERTIFY_REJECTED;
}

/* By whom the obligations of the certificate were shown to be met. */
static void describe_obligations(const tp_certify_obligations *met, tp_str *out) {
  const uint64_t n = met->by_intervals + met->by_proof + met->by_word;
  if (n == 0) return;
  tp_str_printf(out,
                " (%" PRIu64 " obligation%s: %" PRIu64 " by own reasoning, %" PRIu64
                " by checked clause proofs, %" PRIu64 " by the solver's word alone)",
                n, n == 1 ? "" : "s", met->by_intervals, met->by_proof, met->by_word);
}

/* Everything but the check proper of the certificate. */
static void conclude_true(tp_session *s) {
  tp_str_add(&s->now.evidence, "certificate checked");
  describe_obligations(&s->now.obligations, &s->now.evidence);
  if (s->o->second_opinion) {
    if (!passes(s, (check_job){.second = true}, "second opinion")) return;
    tp_str_add(&s->now.evidence, ", also with cvc5");
  }
  // runs beyond the bound contradict nothing
  if (strcmp(s->o->check, "run") == 0 && !s->now.result.bound) {
    if (!passes(s, (check_job){.runs = true}, "random runs")) return;
    tp_str_add(&s->now.evidence, ", watched in 1000 random runs");
    if (!passes_natively(s)) return;
  }
  if (s->now.assumptions.n) {
    const tp_undefined_question q = {s->program, s->now.assumptions.at, s->now.assumptions.n};
    s->now.undefined = tp_undefined_run_find(&q, s->o->seed);
  }
  TP_INVARIANT(s->now.result.certificate.n > 0);
  s->now.certificate_checked = true;
  s->now.verdict = TP_VERDICT_TRUE;
}

bool tp_confirm_true(tp_session *s, double most_s) {
  TP_REQUIRE(s->now.result.verdict == TP_VERDICT_TRUE && s->now.verdict == TP_VERDICT_UNKNOWN);
  if (s->now.result.certificate.n == 0) {
    tp_session_give_up(s, "the engine gave no certificate");
    return false;
  }
  const double start_s = tp_budget_used_s();
  if (!passes(s, (check_job){.most_s = most_s}, "certificate check"))
    return most_s > 0 && tp_budget_used_s() - start_s >= most_s;
  conclude_true(s);
  return false;
}
