/* Child processes: programs and forked workers under limits.
 *
 * What       start children, capture what they write, stop them in time, leave nothing behind.
 * Represents a child is its own process group; when it ends, the rest of the group is killed.
 * Limits     kernel limits where the kernel counts, for each process of the group (CPU, address
 *            space, stack, file size); wall time, resident memory of the whole group and amount of
 *            output are watched by tp_process_step.
 * Ownership  a tp_process owns its pipes and captured text until tp_process_clear, which also
 *            kills and reaps what still runs: no zombies, no orphans.
 * Law        a child dies with its parent (PR_SET_PDEATHSIG). */
#ifndef TP_BASE_PROCESS_H
#define TP_BASE_PROCESS_H

#include "base/base.h"

#include <sys/types.h>

typedef struct {
  double cpu_s;  // 0 in any field: no limit
  double wall_s;
  uint64_t address_bytes;   // RLIMIT_AS; unusable with the address sanitizer
  uint64_t resident_bytes;  // of the child and its descendants in its group; watched from outside,
                            // some 20 times a second
  uint64_t stack_bytes;
  uint64_t file_bytes;    // largest file it may write
  uint64_t output_bytes;  // captured text, standard output and error together
} tp_process_limits;

/* What a compiler with its assembler and linker may use: a source decides how much they take
 * (.incbin of a device, an #include of a pipe that nobody writes to). time_s, memory_bytes  what is
 * left to the run that asks; 0: no limit there, then a minute of CPU time and 4 GB. At least 512
 * MB. */
tp_process_limits tp_process_compiler_limits(double time_s, uint64_t memory_bytes);

typedef enum { TP_STDIO_CAPTURE, TP_STDIO_DISCARD, TP_STDIO_INHERIT, TP_STDIO_FILE } tp_stdio;
typedef enum { TP_SANDBOX_NONE, TP_SANDBOX_STRICT } tp_sandbox;

typedef struct {
  const char *program;      // what to execute: a path, or a name looked up in PATH; NULL: argv[0]
  const char *const *argv;  // its arguments from argv[0] on, NULL-terminated; or
  int (*work)(void *ctx,
              int channel);  // a function run in a forked copy of this process; result: status
  void *ctx;                 // for work; channel is where it writes messages for the parent
  bool takes_requests;       // work: its standard input is what tp_process_send sends
  const char *directory;     // working directory; NULL: ours
  const char *const
      *env;  // whole environment, NULL-terminated; NULL: ours. Programs are looked up in our PATH
  tp_stdio out, err;
  int out_file, err_file;  // descriptors, for TP_STDIO_FILE
  tp_sandbox sandbox;      // see base/sandbox.h; programs only, by path
  tp_process_limits limits;
} tp_process_spec;

typedef enum {
  TP_PROCESS_RUNNING,
  TP_PROCESS_EXITED,         // code: exit status
  TP_PROCESS_SIGNALLED,      // code: signal
  TP_PROCESS_TIMED_OUT,      // CPU or wall limit
  TP_PROCESS_OUT_OF_MEMORY,  // resident limit
  TP_PROCESS_TOO_MUCH_OUTPUT,
  TP_PROCESS_STOPPED  // by tp_process_kill or an interrupt
} tp_process_end;

typedef struct {
  tp_process_spec spec;
  tp_process_end end;
  int code;                  // exit status or signal
  tp_str out, err, channel;  // captured so far
  double cpu_s, wall_s;      // after the end
  uint64_t peak_bytes;       // largest resident size, after the end
  // private
  pid_t pid;
  int fds[3], pidfd, requests;
  double started_s, watched_s;
  tp_process_end pending;  // why we killed it
} tp_process;

/* Errors: TP_ERR_SYSTEM if the child cannot be made (errno set). A program that cannot be
 * executed ends with status 127, as in the shell. */
tp_status tp_process_start(tp_process *p, tp_process_spec spec) TP_MUST_USE;
/* Read what the children wrote, enforce limits, reap; waits at most timeout_ms for something
 * to happen. Returns how many of them still run. */
size_t tp_process_step(tp_process *const *all, size_t n, int timeout_ms);
/* The same for who waits for something else, too: also returns when `fd` can be read or has ended
 * (*is_readable), and waits for it alone where no child runs. */
size_t tp_process_step_beside(tp_process *const *all, size_t n, int fd, int timeout_ms,
                              bool *is_readable);
/* To a child that takes requests: all of it, while its limits are watched. Errors: TP_ERR_SYSTEM if
 * it does not take it, for example because it ended. */
tp_status tp_process_send(tp_process *p, const void *data, size_t n) TP_MUST_USE;
void tp_process_kill(tp_process *p);  // takes effect at the next step
void tp_process_ask(tp_process *p);   // SIGTERM to the child alone: it may finish what it is doing
/* Stop the child and its group for a while. A paused child uses no time; limits go on counting. */
void tp_process_pause(tp_process *p);
void tp_process_resume(tp_process *p);
void tp_process_clear(tp_process *p);
/* CPU seconds used so far by the child itself (after the end: with its children). */
double tp_process_cpu_s(const tp_process *p);

/* What a child spent on behalf of this process: added to tp_cpu_s() from now on. */
void tp_process_charge(double cpu_s);

/* Resident memory of the running child, 0 after its end; of this process. */
uint64_t tp_process_resident_bytes(const tp_process *p);
uint64_t tp_process_own_bytes(void);

/* Start one program and wait. After an interrupt: TP_ERR_LIMIT. The caller clears p in any case. */
tp_status tp_process_run(tp_process *p, tp_process_spec spec) TP_MUST_USE;

/* Did a limit end it? */
bool tp_process_hit_limit(const tp_process *p);
/* "status 3", "signal 11 (Segmentation fault)", "time limit", ... */
void tp_process_print_end(const tp_process *p, tp_str *out);

/* Set by signal handlers of the application: every wait in this module ends soon. */
void tp_process_interrupt(void);
bool tp_process_interrupted(void);

/* Adopt orphaned descendants, so that tp_process_kill_descendants finds them. */
void tp_process_adopt_orphans(void);
/* Kill and reap every descendant of this process. For the end of a supervisor. */
void tp_process_kill_descendants(void);

// ------------------------------------------------------------ temporary directories

/* Every temporary file lives below one root, which the process that made it removes.
 * tp_temp_root makes it at the first call (below $TMPDIR or /tmp). */
tp_status tp_temp_root(const char **out) TP_MUST_USE;
/* A fresh empty directory below the root. */
tp_status tp_temp_dir(tp_str *out) TP_MUST_USE;
/* Remove a tree, following no links. */
void tp_remove_tree(const char *path);
/* This process, forked from the one that made the root, may remove it as well. */
void tp_temp_share(void);
/* This process, forked from the one that made the root, makes one of its own when it needs it. */
void tp_temp_leave(void);
/* Remove the root; does nothing in other forked children of the process that made it. */
void tp_temp_remove_all(void);

#endif
