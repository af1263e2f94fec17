/* twoproof check: load, search, confirm, conclude.
 *
 * Runs below the guard (guard.c). The search and every check of its answer are workers forked from
 * here after the program has been read, so that reading it is paid once. */
#include "app/commands.h"

#include "app/exit.h"
#include "app/guard.h"
#include "app/session.h"

#include <signal.h>
#include <stdio.h>

// ---------------------------------------------------------------------- search

typedef struct {
  tp_session *s;
  const tp_engine *engine;     // NULL: auto
  int channel;
} search_job;

static void on_progress(void *ctx, const tp_stats *stats, const char *phase) {
  search_job *job = ctx;
  tp_worker_progress(job->channel, stats, phase);
}

/* Time for one engine: the checks of the answer need some, too. */
static double share_of(const tp_session *s, double part) { return part * tp_budget_left_s(&s->budget); }

static void run_engine(search_job *job, const tp_engine *engine, double cpu_s, uint64_t steps, tp_stats *stats, tp_result *out) {
  tp_session *s = job->s;
  tp_task task = {.program = s->program, .property = s->property, .seed = s->o->seed, .bmc_max_unroll = (uint32_t)s->o->unroll,
                  .composition = s->o->composition};
  tp_budget budget = {.cpu_s = cpu_s, .steps = steps, .progress = on_progress, .ctx = job};
  engine->run(&task, &budget, stats, out);
  s->engine = engine->name;
}

/* auto: a short look with random inputs, then bounded model checking. */
static void run_auto(search_job *job, tp_stats *stats, tp_result *out) {
  double slice = share_of(job->s, 0.05);
  if (slice <= 0 || slice > 0.5) slice = 0.5;
  run_engine(job, &tp_engine_random, slice, 2, stats, out);
  if (out->verdict != TP_VERDICT_UNKNOWN) return;
  tp_result_clear(out);
  tp_result_init(out);
  run_engine(job, &tp_engine_bmc, share_of(job->s, 0.8), 0, stats, out);
}

static void search_in_worker(void *ctx, int channel, tp_str *answer) {
  search_job *job = ctx;
  job->channel = channel;
  tp_stats stats = {0};
  tp_result result;
  tp_result_init(&result);
  if (job->engine) run_engine(job, job->engine, share_of(job->s, 0.8), 0, &stats, &result);
  else run_auto(job, &stats, &result);
  tp_wire_put_stats(answer, &stats);
  tp_wire_put_text(answer, job->s->engine);
  tp_wire_put_result(answer, &result);
  tp_result_clear(&result);
}

static void search(tp_session *s, const tp_engine *engine) {
  tp_worker w;
  search_job job = {s, engine, -1};
  tp_worker_run(&w, &s->budget, (tp_work){search_in_worker, &job, engine ? engine->name : "auto"});
  if (w.has_answer) {
    tp_wire_stats(&w.answer, &s->stats);
    const char *who = tp_wire_text(&w.answer, &s->arena);
    tp_wire_result(&w.answer, &s->result);
    if (who) s->engine = who;
    if (w.answer.bad) tp_session_give_up(s, "internal error: the engine's answer cannot be read");
    else tp_session_give_up(s, "%s", s->result.reason ? s->result.reason : "the engine gave no reason");
    tp_str_clear(&s->hint);
    if (s->result.hint) tp_str_add(&s->hint, s->result.hint);
  } else {
    if (w.has_progress) s->stats = w.stats;
    tp_session_give_up(s, "%s", tp_str_text(&w.reason));
  }
  tp_worker_clear(&w);
}

/* The reason names something that the model cannot say: then the input is what cannot be handled. */
static void blame_unsupported(tp_session *s) {
  if (s->verdict != TP_VERDICT_UNKNOWN) return;
  const char *reason = tp_str_text(&s->reason);
  for (size_t i = 1; i < s->program->unsupported.n; i++) {
    const tp_unsupported *u = &s->program->unsupported.at[i];
    size_t n = strlen(u->what);
    if (strncmp(reason, u->what, n) != 0 || strncmp(reason + n, " at ", 4) != 0) continue;
    tp_diag_say(s->diag, TP_ERROR, u->pos, "unsupported", "%s", u->what);
    s->bad_input = true;
    return;
  }
}

static void confirm(tp_session *s) {
  if (s->result.verdict == TP_VERDICT_TRUE) tp_confirm_true(s);
  if (s->result.verdict == TP_VERDICT_FALSE) tp_confirm_false(s);
}

static void decide(tp_session *s) {
  const tp_engine *engine = tp_engine_find(s->o->engine);
  search(s, engine);
  confirm(s);
  // a chance find that does not hold up does not keep bmc from looking
  bool again = !engine && s->result.verdict == TP_VERDICT_FALSE && s->verdict == TP_VERDICT_UNKNOWN &&
               strcmp(s->engine, tp_engine_random.name) == 0 && !tp_process_interrupted() && !tp_budget_is_spent(&s->budget);
  if (again) {
    tp_result_clear(&s->result);
    tp_result_init(&s->result);
    tp_native_report_clear(&s->native);
    memset(&s->native, 0, sizeof s->native);
    tp_str_clear(&s->path);
    search(s, &tp_engine_bmc);
    confirm(s);
  }
  blame_unsupported(s);
}

// ---------------------------------------------------------------------- command

static void on_signal(int signal_number) {
  (void)signal_number;
  tp_process_interrupt();
}

static int check_below_guard(void *ctx, int channel) {
  (void)channel;
  struct sigaction a = {.sa_handler = on_signal};
  sigaction(SIGTERM, &a, NULL);
  signal(SIGPIPE, SIG_IGN);
  tp_session s;
  tp_session_init(&s, ctx);
  int status = tp_session_load(&s);
  if (status == 0) decide(&s);
  tp_heartbeat_erase(&s.budget.heartbeat);
  return tp_conclude_and_clear(&s, status);
}

int tp_command_check(int argc, char **argv) {
  tp_options o;
  tp_options_parse(&o, TP_FOR_CHECK, argc, argv);
  int status = TP_EXIT_USAGE;
  if (tp_outputs_are_writable(&o)) {
    tp_guard_limits limits = {.cpu_s = o.timelimit, .memory_bytes = (o.memlimit << 20) * 2, .has_result = true};
    status = tp_guard_run(check_below_guard, &o, limits);
  }
  tp_options_clear(&o);
  return status;
}
