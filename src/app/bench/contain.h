/* One command with limits for everything that it starts.
 *
 * What       a process of its own for each command (the supervisor), which adopts orphans, adds up
 *            CPU time, memory and scratch files of all descendants, and kills all of them at a
 * limit and at the end: whatever forks, starts a session, sleeps or ignores signals. Law only
 * descendants of the supervisor are ever killed; when the process that asked dies, the supervisor
 * ends them, too. Limits     sampled some 20 times a second. Memory that processes share counts for
 * each. */
#ifndef TP_APP_BENCH_CONTAIN_H
#define TP_APP_BENCH_CONTAIN_H

#include "base/process.h"

typedef struct {
  double cpu_s, wall_s;    // 0: none
  uint64_t memory_bytes;   // resident, of all processes; 0: none
  uint64_t scratch_bytes;  // of the directory that is TMPDIR for the command, and of any one file;
                           // 0: none
} tp_contain_limits;

typedef enum {
  TP_CONTAINED_ENDED,  // by itself
  TP_CONTAINED_CPU,    // a limit ended it
  TP_CONTAINED_WALL,
  TP_CONTAINED_MEMORY,
  TP_CONTAINED_SCRATCH,
  TP_CONTAINED_OUTPUT,
  TP_CONTAINED_FAILED,  // the supervisor could not start it, or was killed
  TP_N_CONTAINED
} tp_contained_end;
const char *tp_contained_end_name(tp_contained_end end);  // "cpu"

typedef struct {
  tp_contained_end end;
  int status;         // ENDED: the exit status; -1: a signal
  unsigned leftover;  // processes that still ran when the command had ended
  double cpu_s, wall_s, peak_mb;
  tp_str out;  // its standard output
} tp_contained;
void tp_contained_clear(tp_contained *c);

/* A command under way; argv is borrowed until it has ended. */
typedef struct {
  const char *program;
  const char *const *argv;
  tp_contain_limits limits;
  tp_process supervisor;
} tp_containment;
/* Errors: TP_ERR_SYSTEM (no process). c must stay where it is until tp_contain_take. */
tp_status tp_contain_start(tp_containment *c, const char *program, const char *const *argv,
                           tp_contain_limits limits) TP_MUST_USE;
/* After the supervisor's process has ended (tp_process_step): what became of the command. Clears
 * the containment. */
void tp_contain_take(tp_containment *c, tp_contained *out);

#endif
