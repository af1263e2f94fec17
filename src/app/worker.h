/* Workers: one piece of work in a forked copy of the process, under limits, answering in frames.
 *
 * What       the budget of the whole run, starting a worker, following it, reading its answer.
 * Law        a worker that dies, hangs or talks nonsense costs its answer, never the run. */
#ifndef TP_APP_WORKER_H
#define TP_APP_WORKER_H

#include "app/heartbeat.h"
#include "app/wire.h"
#include "base/process.h"
#include "engine/board.h"
#include "engine/engine.h"

typedef struct {
  double limit_s;         // CPU of all workers together, 0: none
  double pending_s;       // used by workers that have not ended, as far as nobody else counts them
  uint64_t memory_bytes;  // of one worker, 0: none
  double peak_mb;         // largest resident size seen
  tp_heartbeat heartbeat;
} tp_run_budget;

/* CPU seconds used by this process and everything it has started. */
double tp_budget_used_s(void);
/* What is left, 0 if no limit; at least a small positive number otherwise. */
double tp_budget_left_s(const tp_run_budget *b);
bool tp_budget_is_spent(const tp_run_budget *b);

/* What a worker does: compute, report progress through tp_worker_progress, append the answer. */
typedef struct {
  void (*run)(void *ctx, int channel, tp_str *answer);
  void *ctx;
  const char *phase;  // for the heartbeat and in reasons: "bmc", "certificate check"
} tp_work;
void tp_worker_progress(int channel, const tp_stats *stats, const char *phase);
/* A fact for the supervisor, at once. */
void tp_worker_publish(int channel, tp_board_kind kind, const char *by, const char *text);
/* In the worker: the supervisor would like to see what there is (tp_worker_ask). */
bool tp_worker_is_asked(void);
/* Of an engine in this worker: it ends when it is asked, and its progress goes to the channel,
 * which is borrowed. cpu_s: as tp_budget. */
tp_budget tp_worker_budget(double cpu_s, int *channel);
/* Runs the engine in this worker; the answer is its result (tp_wire_put_result). */
void tp_worker_search(const tp_engine *engine, const tp_task *task, double cpu_s, int channel,
                      tp_str *answer);

typedef struct {
  tp_process process;
  tp_work work;
  tp_wire_reader answer;  // valid until tp_worker_clear
  size_t n_read;          // bytes of the channel
  double turn_s;          // its own limit if that is below the budget's, else 0
  bool has_answer;
  tp_stats stats;  // last progress
  bool has_progress;
  tp_board board;  // published so far
  tp_str phase;
  tp_str reason;  // ended without answer: why, for users
  bool is_limit;  // that is a limit of time or memory
} tp_worker;

/* Start and follow until the end. */
void tp_worker_run(tp_worker *w, tp_run_budget *b, tp_work work);
/* The same in steps, for several side by side. cpu_s: of this worker, at most what is left of the
 * budget; 0: that. */
void tp_worker_start(tp_worker *w, const tp_run_budget *b, tp_work work, double cpu_s);
/* Wait until something happens (200 ms at most). Returns how many still run; those that ended have
 * an answer or a reason. */
size_t tp_worker_step(tp_worker *const *all, size_t n, tp_run_budget *b);
bool tp_worker_is_running(const tp_worker *w);
/* Running workers' part of what the budget counts only at their end. */
double tp_worker_cpu_s(const tp_worker *w);
void tp_worker_ask(tp_worker *w);  // to come to an end with what it has
void tp_worker_clear(tp_worker *w);

#endif
