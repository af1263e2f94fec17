/* One child, forwarded signals, a grace period, and cleaning up.
 *
 * The first SIGINT or SIGTERM asks the child to finish (it then reports what it has); if it does
 * not within TP_GRACE_S, or a second signal comes, everything is killed. */
#include "app/guard.h"

#include "app/exit.h"
#include "base/process.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const double TP_GRACE_S = 3;
static volatile sig_atomic_t signals;
static void count_signal(int s) {
  (void)s;
  signals = signals + 1;
}

static void catch_signals(void) {
  struct sigaction a = {.sa_handler = count_signal};
  sigaction(SIGINT, &a, NULL);
  sigaction(SIGTERM, &a, NULL);
  sigaction(SIGHUP, &a, NULL);
  signal(SIGPIPE, SIG_IGN);
}

static bool is_known_status(int status) {
  return status == TP_EXIT_TRUE || status == TP_EXIT_BOUNDED || status == TP_EXIT_UNKNOWN || status == TP_EXIT_INPUT ||
         status == TP_EXIT_FALSE || status == TP_EXIT_USAGE || status == TP_EXIT_INTERNAL;
}

/* Follow the child to its end. Returns true if it was stopped by a signal to us. */
static bool follow(tp_process *p) {
  int seen = 0;
  double asked_s = 0;
  while (tp_process_step(&p, 1, 200) > 0) {
    int now = signals;
    if (now > seen && seen == 0) {
      kill(p->pid, SIGTERM);
      asked_s = tp_wall_s();
    }
    if (now > 1 || (now > 0 && tp_wall_s() - asked_s > TP_GRACE_S)) tp_process_kill(p);
    seen = now;
  }
  return seen > 0;
}

/* The child ended without a result: say so in its place. */
static int last_word(const tp_process *p, bool interrupted, bool has_result) {
  const char *reason = "internal error";
  int status = TP_EXIT_UNKNOWN;
  tp_str how = {0};
  tp_process_print_end(p, &how);
  if (interrupted) reason = "interrupted";
  else if (p->end == TP_PROCESS_TIMED_OUT) reason = "time limit";
  else if (p->end == TP_PROCESS_OUT_OF_MEMORY || (p->end == TP_PROCESS_EXITED && p->code == TP_EXIT_MEMORY)) reason = "out of memory";
  else status = TP_EXIT_INTERNAL;
  if (status == TP_EXIT_INTERNAL) fprintf(stderr, "twoproof: internal error: the main process ended with %s\n", how.text);
  if (has_result) printf("RESULT: unknown(%s)\n", reason);
  tp_str_clear(&how);
  return status;
}

int tp_guard_run(int (*work)(void *ctx, int channel), void *ctx, tp_guard_limits limits) {
  const char *root;
  if (tp_temp_root(&root) != TP_OK) {
    perror("twoproof: cannot create a temporary directory");
    return TP_EXIT_INTERNAL;
  }
  setenv("TMPDIR", root, 1);                             // for compilers: what they leave when killed goes with it
  catch_signals();
  tp_process_adopt_orphans();
  tp_process_spec spec = {.work = work, .ctx = ctx, .out = TP_STDIO_INHERIT, .err = TP_STDIO_INHERIT,
                          .limits = {.resident_bytes = limits.memory_bytes}};
  if (limits.cpu_s > 0) spec.limits.cpu_s = limits.cpu_s + 1, spec.limits.wall_s = 20 * limits.cpu_s + 120;
  tp_process p;
  int status = TP_EXIT_INTERNAL;
  if (tp_process_start(&p, spec) == TP_OK) {
    bool interrupted = follow(&p);
    bool done = p.end == TP_PROCESS_EXITED && is_known_status(p.code);
    status = done ? p.code : last_word(&p, interrupted, limits.has_result);
    tp_process_clear(&p);
  } else {
    perror("twoproof: cannot start a process");
  }
  tp_process_kill_descendants();
  tp_temp_remove_all();
  fflush(stdout);
  return status;
}
