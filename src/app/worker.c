/* Forked workers under limits: start, progress frames, one result frame, and the reason when a
 * worker ends without one. */
#include "app/worker.h"

#include "app/app_limits.h"
#include "app/exit.h"
#include "base/fault.h"

#include <signal.h>
#include <sys/resource.h>

// ---------------------------------------------------------------------- budget

static double seconds(const struct rusage *u) {
  return (double)(u->ru_utime.tv_sec + u->ru_stime.tv_sec) +
         (double)(u->ru_utime.tv_usec + u->ru_stime.tv_usec) / 1e6;
}

double tp_budget_used_s(void) {
  struct rusage self, children;
  getrusage(RUSAGE_SELF, &self);
  getrusage(RUSAGE_CHILDREN, &children);
  return seconds(&self) + seconds(&children);
}

double tp_budget_left_s(const tp_run_budget *b) {
  if (b->limit_s <= 0) return 0;
  double left = b->limit_s - tp_budget_used_s() - b->pending_s;
  return left > 0.01 ? left : 0.01;
}

bool tp_budget_is_spent(const tp_run_budget *b) {
  return b->limit_s > 0 && tp_budget_used_s() + b->pending_s >= b->limit_s;
}

// --------------------------------------------------------------- in the worker

void tp_worker_progress(int channel, const tp_stats *stats, const char *phase) {
  TP_REQUIRE(channel >= 0);
  tp_str payload = {0};
  tp_wire_put_stats(&payload, stats);
  tp_wire_put_text(&payload, phase ? phase : "");
  tp_wire_send(channel, TP_FRAME_PROGRESS, &payload);
  tp_str_clear(&payload);
}

void tp_worker_publish(int channel, tp_board_kind kind, const char *by, const char *text) {
  TP_REQUIRE(channel >= 0 && text);
  tp_str payload = {0};
  tp_wire_put_u64(&payload, kind);
  tp_wire_put_text(&payload, by);
  tp_wire_put_text(&payload, text);
  tp_wire_send(channel, TP_FRAME_BOARD, &payload);
  tp_str_clear(&payload);
}

static volatile sig_atomic_t is_asked;
static void on_ask(int signal_number) {
  (void)signal_number;
  is_asked = 1;
}
bool tp_worker_is_asked(void) { return is_asked != 0; }

static bool on_should_stop(void *ctx) {
  (void)ctx;
  return tp_worker_is_asked();
}

static void on_progress(void *ctx, const tp_stats *stats, const char *phase) {
  tp_worker_progress(*(const int *)ctx, stats, phase);
}

tp_budget tp_worker_budget(double cpu_s, int *channel) {
  TP_REQUIRE(channel);
  return (tp_budget){
      .cpu_s = cpu_s, .should_stop = on_should_stop, .progress = on_progress, .ctx = channel};
}

void tp_worker_search(const tp_engine *engine, const tp_task *task, double cpu_s, int channel,
                      tp_str *answer) {
  TP_REQUIRE(engine && task && answer);
  const tp_budget budget = tp_worker_budget(cpu_s, &channel);
  tp_stats stats = {0};
  tp_result result;
  tp_result_init(&result);
  engine->run(task, &budget, &stats, &result);
  tp_wire_put_result(answer, &result);
  tp_result_clear(&result);
}

static int work_in_child(void *ctx, int channel) {
  tp_work *work = ctx;
  struct sigaction a = {.sa_handler = on_ask, .sa_flags = SA_RESTART};
  sigaction(SIGTERM, &a, NULL);
  tp_str answer = {0};
  tp_fault_enter_phase(work->phase);
  work->run(work->ctx, channel, &answer);
  (void)tp_fault_pass(TP_FAULT_EVENT_PHASE);
  bool sent = tp_wire_send(channel, TP_FRAME_RESULT, &answer);
  (void)tp_fault_pass(TP_FAULT_EVENT_PHASE);
  tp_str_clear(&answer);
  return sent ? 0 : TP_EXIT_INTERNAL;
}

// ----------------------------------------------------------- in the supervisor

static void read_fact(tp_worker *w, tp_wire_reader *payload) {
  tp_arena scratch;
  tp_arena_init(&scratch);
  const uint64_t kind = tp_wire_u64(payload);
  const char *by = tp_wire_text(payload, &scratch), *text = tp_wire_text(payload, &scratch);
  if (by && text && !payload->bad && kind < TP_N_BOARD_KINDS)
    (void)tp_board_add(&w->board, (tp_board_kind)kind, by, text);
  tp_arena_clear(&scratch);
}

static void read_progress(tp_worker *w, tp_wire_reader *payload) {
  tp_arena scratch;
  tp_arena_init(&scratch);
  tp_wire_stats(payload, &w->stats);
  const char *phase = tp_wire_text(payload, &scratch);
  w->has_progress = !payload->bad;
  tp_str_clear(&w->phase);
  tp_str_add(&w->phase, phase ? phase : "");
  tp_arena_clear(&scratch);
}

static void read_frames(tp_worker *w) {
  TP_REQUIRE(w->n_read <= w->process.channel.n);
  tp_frame_tag tag;
  tp_wire_reader payload;
  while (!w->has_answer && tp_wire_next(&w->process.channel, &w->n_read, &tag, &payload)) {
    switch (tag) {
      case TP_FRAME_RESULT:
        w->answer = payload;
        w->has_answer = true;
        break;
      case TP_FRAME_BOARD: read_fact(w, &payload); break;
      case TP_FRAME_PROGRESS: read_progress(w, &payload); break;
    }
  }
}

static void explain_death(tp_worker *w, const tp_run_budget *b, const char *phase) {
  const tp_process *p = &w->process;
  switch (p->end) {
    case TP_PROCESS_STOPPED: tp_str_add(&w->reason, "interrupted"); return;
    case TP_PROCESS_TIMED_OUT:
      w->is_limit = true;
      if (w->turn_s > 0)
        tp_str_printf(&w->reason, "time limit of %.1f s for this turn", w->turn_s);
      else
        tp_str_printf(&w->reason, "time limit of %g s", b->limit_s);
      return;
    case TP_PROCESS_OUT_OF_MEMORY: break;
    case TP_PROCESS_EXITED:
      if (p->code != TP_EXIT_MEMORY) goto other;
      break;
    case TP_PROCESS_RUNNING:
    case TP_PROCESS_SIGNALLED:
    case TP_PROCESS_TOO_MUCH_OUTPUT: goto other;
  }
  w->is_limit = true;
  tp_str_add(&w->reason, "out of memory");
  if (b->memory_bytes)
    tp_str_printf(&w->reason, ", limit %llu MB", (unsigned long long)(b->memory_bytes >> 20));
  return;
other:
  if (p->end == TP_PROCESS_SIGNALLED && p->code == SIGKILL) {
    tp_str_printf(&w->reason,
                  "%s was killed from outside, perhaps by the system for lack of memory", phase);
    return;
  }
  tp_str_printf(&w->reason, "%s failed: ", phase);
  tp_process_print_end(p, &w->reason);
}

void tp_worker_start(tp_worker *w, const tp_run_budget *b, tp_work work, double cpu_s) {
  TP_REQUIRE(work.run && work.phase);
  memset(w, 0, sizeof *w);
  tp_board_init(&w->board);
  w->work = work;
  double left_s = tp_budget_left_s(b);
  if (cpu_s <= 0 || (left_s > 0 && left_s < cpu_s))
    cpu_s = left_s;
  else
    w->turn_s = cpu_s;
  tp_process_spec spec = {.work = work_in_child,
                          .ctx = &w->work,
                          .out = TP_STDIO_DISCARD,
                          .err = TP_STDIO_INHERIT,
                          .limits = {.cpu_s = cpu_s, .resident_bytes = b->memory_bytes}};
#ifndef __SANITIZE_ADDRESS__
  spec.limits.address_bytes = b->memory_bytes;
#endif
  if (b->limit_s > 0) spec.limits.wall_s = 10 * spec.limits.cpu_s + 60;
  if (tp_process_start(&w->process, spec) != TP_OK) tp_str_add(&w->reason, "cannot start a worker");
}

bool tp_worker_is_running(const tp_worker *w) {
  return w->process.end == TP_PROCESS_RUNNING && w->reason.n == 0;
}

double tp_worker_cpu_s(const tp_worker *w) {
  return tp_worker_is_running(w) ? tp_process_cpu_s(&w->process) : 0;
}

void tp_worker_ask(tp_worker *w) { tp_process_ask(&w->process); }

static void finish(tp_worker *w, tp_run_budget *b) {
  TP_REQUIRE(!tp_worker_is_running(w));
  double mb = (double)w->process.peak_bytes / 1048576;
  if (mb > b->peak_mb) b->peak_mb = mb;
  if (w->process.end != TP_PROCESS_EXITED || w->process.code != 0) w->has_answer = false;
  if (!w->has_answer && w->reason.n == 0) explain_death(w, b, w->work.phase);
}

/* What all of them are doing, in one line. */
static void beat(tp_worker *const *all, size_t n, tp_run_budget *b) {
  tp_str phase = {0};
  tp_stats sum = {0};
  double cpu_s = tp_budget_used_s(), mb = 0;
  for (size_t i = 0; i < n; i++) {
    if (!tp_worker_is_running(all[i])) continue;
    cpu_s += tp_worker_cpu_s(all[i]);
    mb += (double)tp_process_resident_bytes(&all[i]->process) / 1048576;
    tp_str_printf(&phase, "%s%s", phase.n ? " | " : "",
                  all[i]->phase.n ? all[i]->phase.text : all[i]->work.phase);
    sum.solver_calls += all[i]->stats.solver_calls;
    sum.tests_run += all[i]->stats.tests_run;
  }
  tp_heartbeat_beat(&b->heartbeat, cpu_s, mb, tp_str_text(&phase), &sum);
  tp_str_clear(&phase);
}

size_t tp_worker_step(tp_worker *const *all, size_t n, tp_run_budget *b) {
  TP_REQUIRE(n <= 8);  // TP_APP_WORKERS: none is left out
  tp_process *processes[TP_APP_WORKERS] = {0};
  size_t k = 0, running = 0;
  for (size_t i = 0; i < n && k < TP_APP_WORKERS; i++)
    if (tp_worker_is_running(all[i])) processes[k++] = &all[i]->process;
  tp_process_step(processes, k, 200);
  for (size_t i = 0; i < n; i++) {
    bool was_running = false;
    for (size_t j = 0; j < k; j++) was_running |= processes[j] == &all[i]->process;
    if (!was_running) continue;
    read_frames(all[i]);
    if (tp_worker_is_running(all[i]))
      running++;
    else
      finish(all[i], b);
  }
  beat(all, n, b);
  return running;
}

void tp_worker_run(tp_worker *w, tp_run_budget *b, tp_work work) {
  tp_worker_start(w, b, work, 0);
  while (tp_worker_step(&w, 1, b) > 0) {
  }
}

void tp_worker_clear(tp_worker *w) {
  tp_process_clear(&w->process);
  tp_str_clear(&w->phase);
  tp_str_clear(&w->reason);
  tp_board_clear(&w->board);
}
