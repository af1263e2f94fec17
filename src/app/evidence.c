/* From claims to verdicts.
 *
 * TRUE: the certificate goes through certify/ in a worker of its own, if asked for also with a
 * second solver and against random runs. FALSE: the inputs are replayed on the concrete machine,
 * then on the compiled program. A claim that fails its evidence becomes UNKNOWN and is named,
 * because it means that one of our parts is wrong or too weak. */
#include "app/session.h"
#include "base/fault.h"
#include "certify/certify.h"
#include "report/error_path.h"
#include "app/app_limits.h"

#include <errno.h>

static const char second_solver[] = "cvc5 --lang smt2 --incremental --produce-models --quiet";

// ------------------------------------------------------------------------ TRUE

typedef struct {
  tp_session *s;
  bool second, runs;  // which check: second solver, random runs; neither: the check proper
  double most_s;      // of CPU; 0: all that is left
} check_job;

static void check_certificate(void *ctx, int channel, tp_str *answer) {
  check_job *job = ctx;
  tp_session *s = job->s;
  (void)channel;
  tp_certify_report report;
  tp_certify_report_init(&report);
  tp_certify_limits limits = {.cpu_s =
                                  job->most_s > 0 ? job->most_s : tp_budget_left_s(&s->budget)};
  if (job->second) limits.backend = "pipe", limits.command = second_solver;
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
  tp_wire_put_stats(answer, &stats);
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

/* One check of the certificate; on anything but success the verdict is lowered. */
static bool passes(tp_session *s, check_job job, const char *phase) {
  tp_worker w;
  const double start_s = tp_budget_used_s();
  job.s = s;
  tp_worker_run(&w, &s->budget, (tp_work){check_certificate, &job, phase});
  bool ok = false;
  if (!w.has_answer) {
    tp_session_give_up(s, "%s: %s", phase, tp_str_text(&w.reason));
  } else {
    uint64_t result = tp_wire_u64(&w.answer);
    const char *why = tp_wire_text(&w.answer, &s->arena);
    tp_stats stats;
    tp_wire_stats(&w.answer, &stats);
    if (!job.second && !job.runs) {
      if (!w.answer.bad) s->stats = stats;
      read_assumptions(s, &w.answer);
    }
    // random runs decide only against a proof: none of them may have met its assumptions
    ok = !w.answer.bad &&
         (result == TP_CERTIFY_ACCEPTED || (job.runs && result == TP_CERTIFY_UNDECIDED));
    if (!ok)
      tp_session_give_up(s, "%s: the proof is %s (%s)", phase,
                         tp_certify_result_name((tp_certify_result)result), why ? why : "?");
  }
  tp_worker_clear(&w);
  s->stats.certificate_s += tp_budget_used_s() - start_s;
  return ok;
}

/* Wall time of one native run, 0: the usual. A program may sleep or wait for what never comes: the
 * first run has at most half of what is left of the time limit, and after one that was stopped the
 * others have little. busy_s: what it computes, for sure. */
static double native_wall_s(const tp_session *s, double busy_s) {
  const double least_s = s->native_hangs ? 1 : 2,
               left_s = s->o->timelimit - (tp_wall_s() - s->started_s),
               half_s = left_s > 0 ? left_s / 2 : 0;
  if (s->o->timelimit <= 0 && !s->native_hangs) return 0;
  const double most_s = s->native_hangs || half_s < least_s ? least_s : half_s;
  return most_s + 4 * busy_s;
}

/* Random runs of the compiled program. */
static bool passes_natively(tp_session *s) {
  tp_chk_native_request request = tp_session_native(s);
  request.wall_s = native_wall_s(s, 0);
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

/* Everything but the check proper of the certificate. */
static void conclude_true(tp_session *s) {
  tp_str_add(&s->now.evidence, "certificate checked");
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
  if (s->now.assumptions.n) s->now.undefined = tp_undefined_run_find(s->program, s->o->seed);
  s->now.certificate_checked = true;
  s->now.verdict = TP_VERDICT_TRUE;
}

bool tp_confirm_true(tp_session *s, double most_s) {
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

// ----------------------------------------------------------------------- FALSE

/* Half a minute of the interpreter where nothing is special. */
static const uint64_t replay_steps = 10000000000u;

/* Zeros for what is indeterminate, the vector for the rest; zeros when it ends. */
static bool answer_zeroed(void *ctx, tp_input *io) {
  tp_vector_oracle *v = ctx;
  io->bits = 0;
  io->bytes = (const uint8_t *)"";
  if (io->width_bits == 0) io->n_bytes = 0;
  if (io->kind == TP_I_INDETERMINATE) return true;
  while (v->next < v->in->v.n && v->in->v.at[v->next].kind == TP_I_INDETERMINATE) v->next++;
  if (v->next == v->in->v.n) return true;
  const tp_input *from = &v->in->v.at[v->next++];
  io->bits = from->bits;
  if (io->width_bits == 0 && from->width_bits == 0) {
    io->bytes = from->bytes;
    io->n_bytes = from->n_bytes;
  }
  return true;
}

/* Does the failure also happen if everything indeterminate is 0? That can be given to a compiled
 * program. Then `asked` becomes the vector of that run, which may take another way: a longer one,
 * but it need not end. edges: of the run that failed. */
static bool fails_zeroed(const tp_session *s, uint64_t edges, tp_inputs *asked) {
  const tp_run_limits limits = {.steps = 100000 + 4 * edges};
  tp_vector_oracle vector = {.in = asked};
  tp_inputs zeroed;
  tp_inputs_init(&zeroed);
  tp_record_oracle record = {.inner = {&vector, answer_zeroed}, .to = &zeroed};
  tp_oracle oracle = tp_oracle_recording(&record);
  tp_run_result run = tp_exec_main(s->program, &oracle, limits, NULL);
  bool fails = run.end == TP_END_ERROR &&
               tp_property_covers(s->property, tp_loc_of(s->program, run.loc)->error);
  tp_inputs old = fails ? *asked : zeroed;
  if (fails) *asked = zeroed;
  tp_inputs_clear(&old);
  return fails;
}

// --------------------------------------------------- what the failure rests on

/* Names of absent functions that this run asked, each once. */
static void asked_absent(const tp_program *p, const tp_inputs *asked, tp_str *out) {
  enum { MOST = 3 };
  TP_VEC(const char *) seen = {0};
  for (size_t i = 0; i < asked->v.n; i++) {
    const tp_input *in = &asked->v.at[i];
    bool known = in->kind != TP_I_EXTERN || !tp_is_absent(p, in->name);
    for (size_t k = 0; k < seen.n && !known; k++) known = strcmp(seen.at[k], in->name) == 0;
    if (!known) tp_vec_push(&seen, in->name);
  }
  for (size_t i = 0; i < seen.n && i < MOST; i++)
    tp_str_printf(out, "%s%s", i ? " or " : "", seen.at[i]);
  if (seen.n > MOST) tp_str_printf(out, " or %zu others", seen.n - MOST);
  tp_vec_clear(&seen);
}

/* A failing run that uses indeterminate bits may use those of variables that nothing defines: whose
 * bits they are is not known. */
static bool rests_on_variables(const tp_program *p, tp_str *why) {
  enum { MOST = 3 };
  const char *names[MOST];
  const size_t n = tp_absent_variables(p, names, MOST);
  if (n == 0) return false;
  tp_str_add(why, "depends on ");
  for (size_t i = 0; i < n && i < MOST; i++) tp_str_printf(why, "%s%s", i ? " or " : "", names[i]);
  tp_str_add(why, n > MOST ? " or others, variables that nothing defines"
                  : n > 1  ? ", variables that nothing defines"
                           : ", a variable that nothing defines");
  return true;
}

/* Why the run that fails with these inputs rests on what nobody stated: a clause behind "the
 * failure"; empty: it does not. Rewrites the program. has_indeterminate: the run uses indeterminate
 * bits anyway, so that they say nothing about functions. */
static void rests_on(const tp_session *s, tp_property violated, const tp_inputs *asked,
                     tp_run_limits limits, bool has_indeterminate, tp_str *why) {
  tp_program *p = s->program;
  const tp_absent_scope open = tp_session_openness(s, violated);
  if (has_indeterminate && open != TP_SCOPE_INPUTS && rests_on_variables(p, why)) return;
  if (!tp_is_underspecified(p, open)) return;
  tp_absent_make_indeterminate(p, open);
  tp_vector_oracle vector = {.in = asked};
  tp_oracle oracle = tp_oracle_of_vector(&vector);
  const tp_run_result run = tp_exec_main(p, &oracle, limits, NULL);
  tp_str names = {0};
  asked_absent(p, asked, &names);
  bool fails =
      run.end == TP_END_ERROR && tp_property_covers(s->property, tp_loc_of(p, run.loc)->error);
  if (fails && names.n && open != TP_SCOPE_INPUTS && (run.used_indeterminate || has_indeterminate))
    tp_str_printf(why, "depends on what %s returns, without a body", names.text);
  else if (!fails && run.end == TP_END_BLOCKED && run.why && tp_is_absent(p, run.why))
    tp_str_printf(
        why, "comes behind a call of %s, which has no body and could write memory%s", run.why,
        open == TP_SCOPE_RETENTION ? ", or keep or free what it is given" : " or call back");
  else if (!fails && run.end == TP_END_BLOCKED && run.why)
    tp_str_printf(why,
                  "needs a value of %s that not both its declaration and its published type have",
                  run.why);
  else if (!fails)
    tp_str_add(why, "comes behind a call of a function without body, through a pointer");
  tp_str_clear(&names);
}

static void replay(void *ctx, int channel, tp_str *answer) {
  tp_session *s = ctx;
  (void)channel;
  bool zeroed = false;
  tp_certify_report report;
  tp_certify_report_init(&report);
  tp_property violated = TP_P_NONE;
  tp_run_limits limits = {.steps = replay_steps};
  tp_inputs asked;
  tp_inputs_init(&asked);
  report.asked = &asked;  // in the words of the program: a vector read from a file has values only
  tp_certify_result result =
      tp_certify_false(s->program, s->property, &s->now.result.inputs, limits, &violated, &report);
  tp_error_path path;
  memset(&path, 0, sizeof path);
  size_t max_lines = s->o->verbose ? 0 : 180;
  if (result == TP_CERTIFY_ACCEPTED) {
    tp_error_path_of(s->program, &asked, (tp_error_path_options){max_lines, limits, report.edges},
                     &path);
    zeroed = report.used_indeterminate && fails_zeroed(s, report.edges, &asked);
  }
  if (zeroed) {
    tp_error_path_clear(&path);
    report.asked = NULL;
    result = tp_certify_false(s->program, s->property, &asked, limits, &violated, &report);
    tp_error_path_of(s->program, &asked, (tp_error_path_options){max_lines, limits, report.edges},
                     &path);
  }
  tp_wire_put_u64(answer, result);
  tp_wire_put_text(answer, tp_str_text(&report.why));
  tp_wire_put_u64(answer, violated);
  tp_wire_put_u64(answer, path.run.loc.id);
  tp_wire_put_u64(answer, report.used_indeterminate);
  tp_wire_put_u64(answer, zeroed);
  tp_wire_put_u64(answer, report.edges);
  tp_wire_put_u64(answer, path.guesses_matter);
  tp_wire_put_bytes(answer, &path.error_pos, sizeof path.error_pos);
  tp_wire_put_text(answer, path.error_function ? path.error_function : "");
  tp_wire_put_text(answer, tp_str_text(&path.message));
  tp_wire_put_text(answer, tp_str_text(&path.notes));
  tp_wire_put_text(answer, tp_str_text(&path.text));
  tp_wire_put_text(answer, tp_str_text(&path.order));
  tp_wire_put_inputs(answer, &asked);
  tp_str open = {0};
  if (result == TP_CERTIFY_ACCEPTED)
    rests_on(s, violated, &asked, limits, report.used_indeterminate, &open);
  tp_wire_put_text(answer, tp_str_text(&open));
  tp_str_clear(&open);
  tp_inputs_clear(&asked);
  tp_error_path_clear(&path);
  tp_certify_report_clear(&report);
}

static void read_replay(tp_session *s, tp_wire_reader *r, tp_loc *error, tp_str *order,
                        tp_str *open) {
  uint64_t violated = tp_wire_u64(r), loc = tp_wire_u64(r);
  s->now.used_indeterminate = tp_wire_u64(r) != 0;
  s->now.is_zeroed = tp_wire_u64(r) != 0;
  s->now.replay_steps = tp_wire_u64(r);
  s->now.guesses_matter = tp_wire_u64(r) != 0;
  size_t n;
  const char *pos = tp_wire_bytes(r, &n);
  if (n == sizeof s->now.error_pos) memcpy(&s->now.error_pos, pos, n);
  s->now.error_function = tp_wire_text(r, &s->arena);
  s->now.error_message = tp_wire_text(r, &s->arena);
  s->now.error_notes = tp_wire_text(r, &s->arena);
  const char *path = tp_wire_text(r, &s->arena), *where = tp_wire_text(r, &s->arena);
  tp_inputs_clear(&s->now.result.inputs);
  tp_inputs_init(&s->now.result.inputs);
  tp_wire_inputs(r, &s->now.result.inputs);
  const char *rests = tp_wire_text(r, &s->arena);
  if (r->bad || violated >= TP_N_PROPERTIES || loc >= s->program->locs.n) {
    r->bad = true;
    return;
  }
  s->now.violated = (tp_property)violated;
  error->id = (uint32_t)loc;
  // what is used unset has no value that could matter
  if (tp_loc_of(s->program, *error)->manner == TP_FAILS_UNINITIALISED)
    s->now.used_indeterminate = s->now.is_zeroed = false;
  tp_str_add(&s->now.path, path ? path : "");
  tp_str_add(order, where ? where : "");
  tp_str_add(open, rests ? rests : "");
}

/* Replay on the concrete machine, error path. False: the vector shows nothing. */
static bool confirm_on_machine(tp_session *s, tp_loc *error, tp_str *order, tp_str *open,
                               tp_str *why) {
  tp_worker w;
  tp_worker_run(&w, &s->budget, (tp_work){replay, s, "replay"});
  bool ok = false;
  if (!w.has_answer) {
    tp_str_printf(why, "%s", tp_str_text(&w.reason));
  } else {
    uint64_t result = tp_wire_u64(&w.answer);
    const char *text = tp_wire_text(&w.answer, &s->arena);
    ok = !w.answer.bad && result == TP_CERTIFY_ACCEPTED;
    if (ok)
      read_replay(s, &w.answer, error, order, open);
    else
      tp_str_add(why, text ? text : "?");
    ok = ok && !w.answer.bad;
  }
  tp_worker_clear(&w);
  return ok;
}

static void confirm_natively(tp_session *s, tp_loc error, const char *order) {
  tp_fault_enter_phase("native");
  tp_chk_native_request request = tp_session_native(s);
  // the harness itself sees what monitors see
  request.violated =
      tp_monitors_is_error(&s->monitors, error) ? TP_P_UNREACH_CALL : s->now.violated;
  request.error = error;
  request.failure = (tp_chk_native_failure){s->now.error_pos, s->now.error_function};
  request.zeroes_indeterminate = s->now.is_zeroed;
  request.fills_indeterminate = s->now.used_indeterminate && !s->now.is_zeroed;
  request.guesses_are_unused = !s->now.guesses_matter;
  request.cpu_s = 10 + (double)s->now.replay_steps * TP_APP_NATIVE_STEP_S;
  request.wall_s = native_wall_s(s, (double)s->now.replay_steps * TP_APP_NATIVE_STEP_S);
  tp_status st = tp_chk_native_replay(&request, &s->now.native);
  s->native_hangs |= s->now.native.reached_limit;
  if (st != TP_OK) {
    if (st == TP_ERR_LIMIT)
      tp_session_give_up(s, "interrupted");
    else
      tp_session_give_up(s, "the failure could not be replayed natively (%s)",
                         st == TP_ERR_SYSTEM ? strerror(errno) : tp_status_name(st));
    return;
  }
  tp_str why = {0};
  tp_fault_enter_phase("search");
  bool stands = tp_chk_native_stands(&s->now.native, request.violated, order, &why);
  if (stands) {
    s->now.verdict = TP_VERDICT_FALSE;
    tp_str_add(&s->now.evidence, why.text);
  } else {
    tp_session_give_up(s, "%s", why.text);
  }
  tp_str_clear(&why);
}

/* Does a call of this function without body give a pointer? */
static bool gives_pointer(const tp_program *p, const char *name) {
  for (size_t i = 1; i < p->edges.n; i++) {
    const tp_edge_info *e = &p->edges.at[i];
    if (e->kind != TP_E_HAVOC || e->input != TP_I_EXTERN || !e->var.id || !e->name ||
        strcmp(e->name, name) != 0)
      continue;
    if (tp_sort_kind_of(p->terms, tp_sort_of(p->terms, tp_var_of(p, e->var)->term)) == TP_SORT_PTR)
      return true;
  }
  return false;
}

/* A function without body that returned a pointer on this run, or NULL. */
static const char *pointer_from_outside(const tp_session *s) {
  for (size_t i = 0; i < s->now.result.inputs.v.n; i++) {
    const tp_input *in = &s->now.result.inputs.v.at[i];
    if (in->kind == TP_I_EXTERN && in->name && gives_pointer(s->program, in->name)) return in->name;
  }
  return NULL;
}

/* There is a failing run, but nobody stated that it is one of the user's program. */
static void leave_open(tp_session *s, const char *why) {
  tp_str at = {0};
  if (tp_pos_known(s->now.error_pos)) {
    tp_str_add(&at, " at ");
    tp_pos_print(s->diag, s->now.error_pos, &at);
  }
  tp_session_give_up(s, "the failure%s %s", tp_str_text(&at), why);
  tp_str_clear(&at);
  s->now.rests_on_open = true;
  tp_str_clear(&s->now.hint);
  if (strcmp(s->o->missing, "any") != 0 && !strstr(why, "published"))
    tp_str_add(&s->now.hint,
               "give the files that define these functions, or --missing=any if they may return "
               "anything and write nothing");
}

void tp_confirm_false(tp_session *s) {
  tp_loc error = TP_LOC_NONE;
  tp_str order = {0}, open = {0}, why = {0};
  const char *outside = NULL;
  if (!confirm_on_machine(s, &error, &order, &open, &why))
    tp_session_give_up(s, "failure not confirmed on the concrete machine (%s)", tp_str_text(&why));
  else if (open.n)
    leave_open(s, open.text);
  else if ((s->now.violated == TP_P_VALID_DEREF || s->now.violated == TP_P_VALID_FREE) &&
           (outside = pointer_from_outside(s)) != NULL)
    // it may well be an allocator: where its result points is its contract, which nobody stated
    tp_session_give_up(s,
                       "an access could be invalid, depending on the pointer that %s returns, a "
                       "function without body",
                       outside);
  else
    confirm_natively(s, error, order.n ? order.text : NULL);
  tp_str_clear(&order);
  tp_str_clear(&open);
  tp_str_clear(&why);
}
