/* The outermost processes: they start the real work in a child and outlive whatever happens to it.
 *
 * What       signals, memory and wall-clock nets, removal of temporary files, the last word.
 * Law        however the child ends, standard output ends with one RESULT line, no process and no
 *            temporary file is left, and a crash never becomes a verdict. The status is that of a
 *            verdict only if standard output took all that was written.
 * Processes  the process that was started, a keeper, the child that works. The keeper follows the
 *            child; when the process that was started is killed (SIGKILL), the keeper kills all
 *            descendants and removes the temporary directory. When the keeper is killed, the
 *            process that was started does that. Each adopts what lost its parent. */
#ifndef TP_APP_PROCESS_GUARD_H
#define TP_APP_PROCESS_GUARD_H

#include "base/base.h"

typedef struct {
  double cpu_s;           // 0: none
  uint64_t memory_bytes;  // of the child itself, 0: none
  bool has_result;        // the child's output ends with a RESULT line,
  bool is_json;           // or is one JSON object
} tp_guard_limits;

/* From now on memory that is exhausted in this process ends it with a last word of its own. */
void tp_guard_own_memory(bool has_result);
/* Run work in a child and return the exit status of the tool. */
int tp_guard_run(int (*work)(void *ctx, int channel), void *ctx, tp_guard_limits limits);
/* The exit status of a process that was forked to run such work by itself, once it has ended. pid:
 * what fork returned to us. */
int tp_guard_wait(int pid);

#endif
