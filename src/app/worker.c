#include "app/worker.h"

#include "app/exit.h"

#include <signal.h>
#include <sys/resource.h>

// ---------------------------------------------------------------------- budget

static double seconds(const struct rusage *u) {
  return (double)(u->ru_utime.tv_sec + u->ru_stime.tv_sec) + (double)(u->ru_utime.tv_usec + u->ru_stime.tv_usec) / 1e6;
}

double tp_budget_used_s(void) {
  struct rusage self, children;
  getrusage(RUSAGE_SELF, &self);
  getrusage(RUSAGE_CHILDREN, &children);
  return seconds(&self) + seconds(&children);
}

double tp_budget_left_s(const tp_run_budget *b) {
  if (b->limit_s <= 0) return 0;
  double left = b->limit_s - tp_budget_used_s();
  return left > 0.01 ? left : 0.01;
}

bool tp_budget_is_spent(const tp_run_budget *b) { return b->limit_s > 0 && tp_budget_used_s() >= b->limit_s; }

// --------------------------------------------------------------- in the worker

void tp_worker_progress(int channel, const tp_stats *stats, const char *phase) {
  tp_str payload = {0};
  tp_wire_put_stats(&payload, stats);
  tp_wire_put_text(&payload, phase ? phase : "");
  tp_wire_send(channel, TP_FRAME_PROGRESS, &payload);
  tp_str_clear(&payload);
}

static int work_in_child(void *ctx, int channel) {
  tp_work *work = ctx;
  tp_str answer = {0};
  work->run(work->ctx, channel, &answer);
  bool sent = tp_wire_send(channel, TP_FRAME_RESULT, &answer);
  tp_str_clear(&answer);
  return sent ? 0 : TP_EXIT_INTERNAL;
}

// ----------------------------------------------------------- in the supervisor

static void read_frames(tp_worker *w, size_t *done) {
  tp_frame_tag tag;
  tp_wire_reader payload;
  while (!w->has_answer && tp_wire_next(&w->process.channel, done, &tag, &payload)) {
    if (tag == TP_FRAME_RESULT) {
      w->answer = payload;
      w->has_answer = true;
      return;
    }
    tp_arena scratch;
    tp_arena_init(&scratch);
    tp_wire_stats(&payload, &w->stats);
    const char *phase = tp_wire_text(&payload, &scratch);
    w->has_progress = !payload.bad;
    tp_str_clear(&w->phase);
    tp_str_add(&w->phase, phase ? phase : "");
    tp_arena_clear(&scratch);
  }
}

static void explain_death(tp_worker *w, const tp_run_budget *b, const char *phase) {
  const tp_process *p = &w->process;
  switch (p->end) {
    case TP_PROCESS_STOPPED: tp_str_add(&w->reason, "interrupted"); return;
    case TP_PROCESS_TIMED_OUT: tp_str_printf(&w->reason, "time limit of %g s", b->limit_s); return;
    case TP_PROCESS_OUT_OF_MEMORY: break;
    case TP_PROCESS_EXITED:
      if (p->code != TP_EXIT_MEMORY) goto other;
      break;
    case TP_PROCESS_RUNNING:
    case TP_PROCESS_SIGNALLED:
    case TP_PROCESS_TOO_MUCH_OUTPUT: goto other;
  }
  tp_str_add(&w->reason, "out of memory");
  if (b->memory_bytes) tp_str_printf(&w->reason, ", limit %llu MB", (unsigned long long)(b->memory_bytes >> 20));
  return;
other:
  tp_str_printf(&w->reason, "%s failed: ", phase);
  tp_process_print_end(p, &w->reason);
}

void tp_worker_run(tp_worker *w, tp_run_budget *b, tp_work work) {
  memset(w, 0, sizeof *w);
  tp_process_spec spec = {.work = work_in_child, .ctx = &work, .out = TP_STDIO_DISCARD, .err = TP_STDIO_INHERIT,
                          .limits = {.cpu_s = tp_budget_left_s(b), .resident_bytes = b->memory_bytes}};
#ifndef __SANITIZE_ADDRESS__
  spec.limits.address_bytes = b->memory_bytes;
#endif
  if (b->limit_s > 0) spec.limits.wall_s = 10 * spec.limits.cpu_s + 60;
  if (tp_process_start(&w->process, spec) != TP_OK) {
    tp_str_add(&w->reason, "cannot start a worker");
    return;
  }
  size_t done = 0, running;
  tp_process *all = &w->process;
  do {
    running = tp_process_step(&all, 1, 200);
    read_frames(w, &done);
    tp_heartbeat_beat(&b->heartbeat, tp_budget_used_s() + (running ? tp_process_cpu_s(all) : 0), (double)tp_process_resident_bytes(all) / 1048576,
                      w->phase.n ? w->phase.text : work.phase, &w->stats);
  } while (running > 0);
  double mb = (double)w->process.peak_bytes / 1048576;
  if (mb > b->peak_mb) b->peak_mb = mb;
  if (w->process.end != TP_PROCESS_EXITED || w->process.code != 0) w->has_answer = false;
  if (!w->has_answer) explain_death(w, b, work.phase);
}

void tp_worker_clear(tp_worker *w) {
  tp_process_clear(&w->process);
  tp_str_clear(&w->phase);
  tp_str_clear(&w->reason);
}
