/* A child that is followed by a keeper that is followed by the process that was started: forwarded
 * signals, a grace period, and cleaning up.
 *
 * The first SIGINT or SIGTERM asks the child to finish (it then reports what it has); if it does
 * not within some seconds, or a second signal comes, everything is killed. */
#include "app/process_guard.h"

#include "app/exit.h"
#include "base/fault.h"
#include "base/process.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t signals, is_orphan;
static void count_signal(int s) {
  (void)s;
  signals = signals + 1;
}
static void lose_parent(int s) {
  (void)s;
  is_orphan = 1;
}

static void catch_signals(void) {
  struct sigaction a = {.sa_handler = count_signal};
  sigaction(SIGINT, &a, NULL);
  sigaction(SIGTERM, &a, NULL);
  sigaction(SIGHUP, &a, NULL);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of writing
}

static bool is_known_status(int status) {
  return status == TP_EXIT_TRUE || status == TP_EXIT_BOUNDED || status == TP_EXIT_UNKNOWN ||
         status == TP_EXIT_INPUT || status == TP_EXIT_FALSE || status == TP_EXIT_USAGE ||
         status == TP_EXIT_MISSING || status == TP_EXIT_INTERNAL || status == TP_EXIT_OUTPUT;
}

/* How long a child that is asked to end may go on, and how often it is asked: the keeper's child
 * once, the keeper until it has ended. */
typedef struct {
  double grace_s;
  int requests;
} patience;
static const patience with_work = {3, 1}, with_keeper = {5, 100};

/* Follow the child to its end: signals to us are passed on. Returns true if there was a signal. */
static bool follow(tp_process *p, patience with) {
  int seen = 0;
  double asked_s = 0;
  while (tp_process_step(&p, 1, 200) > 0) {
    const int now = signals;
    if (now > 0 && seen == 0) asked_s = tp_wall_s();
    if (now > seen || now > 1) kill(p->pid, SIGTERM);  // two requests at once count as one
    if (is_orphan || now > with.requests || (now > 0 && tp_wall_s() - asked_s > with.grace_s))
      tp_process_kill(p);
    seen = now;
  }
  return seen > 0;
}

/* Writes what is left; false: standard output did not take all of it, which is said. */
static bool flush_output(void) {
  errno = 0;
  if (fflush(stdout) == 0 && !ferror(stdout)) return true;
  fprintf(stderr, "twoproof: the result cannot be written to standard output%s%s\n",
          errno ? ": " : "", errno ? strerror(errno) : "");
  clearerr(stdout);
  return false;
}

// ------------------------------------------------------------------- last words

/* What the processes of one run share: whether the RESULT line was said, and with which status. */
typedef struct {
  volatile bool has_spoken;
  volatile int status;
} record;
static record *shared;
static bool promises_result;  // standard output ends with a RESULT line
static bool promises_json;    // or is one object

static void note(int status) {
  if (!shared) return;
  shared->status = status;
  shared->has_spoken = true;
}

static void say(const char *reason) {
  if (!promises_result || (shared && shared->has_spoken)) return;
  if (promises_json)
    printf(
        "{\n  \"verdict\": \"unknown\",\n  \"result\": \"unknown(%s)\",\n  \"reason\": \"%s\"\n}\n",
        reason, reason);
  else
    printf("RESULT: unknown(%s)\n", reason);
}

/* A process of the guard finds no memory: nothing here allocates. */
static void end_without_memory(size_t size_bytes) {
  (void)size_bytes;
  static const char text[] = "twoproof: out of memory\n",
                    plain[] = "RESULT: unknown(out of memory)\n",
                    json[] = "{\"verdict\": \"unknown\", \"result\": \"unknown(out of memory)\"}\n";
  const char *result = promises_json ? json : plain;
  const bool has_spoken = shared && shared->has_spoken;
  tp_process_kill_descendants();
  tp_temp_remove_all();
  (void)!write(2, text, sizeof text - 1);
  if (promises_result && !has_spoken) (void)!write(1, result, strlen(result));
  _exit(has_spoken ? shared->status : TP_EXIT_UNKNOWN);
}

void tp_guard_own_memory(bool has_result) {
  promises_result = has_result;
  tp_set_oom_handler(end_without_memory);
}

static bool was_killed(const tp_process *p) {
  return p->end == TP_PROCESS_SIGNALLED && p->code == SIGKILL;
}

/* The child ended without a result: say so in its place. */
static int last_word(const tp_process *p, bool interrupted) {
  const char *reason = "internal error";
  int status = TP_EXIT_UNKNOWN;
  if (interrupted)
    reason = "interrupted";
  else if (p->end == TP_PROCESS_TIMED_OUT)
    reason = "time limit";
  else if (p->end == TP_PROCESS_OUT_OF_MEMORY ||
           (p->end == TP_PROCESS_EXITED && p->code == TP_EXIT_MEMORY))
    reason = "out of memory";
  else if (was_killed(p))
    reason = "killed";
  else
    status = TP_EXIT_INTERNAL;
  if (was_killed(p))
    fprintf(stderr,
            "twoproof: the main process was killed from outside, perhaps by the system for lack of "
            "memory\n");
  if (status == TP_EXIT_INTERNAL) {
    tp_str how = {0};
    tp_process_print_end(p, &how);
    fprintf(stderr, "twoproof: internal error: the main process ended with %s\n", how.text);
    tp_str_clear(&how);
  }
  say(reason);
  if (!flush_output()) return TP_EXIT_OUTPUT;
  note(status);
  return status;
}

// ------------------------------------------------------------------- processes

typedef struct {
  int (*work)(void *ctx, int channel);
  void *ctx;
  tp_guard_limits limits;
  pid_t starter;
} job;

/* Libraries in C++ would end with abort() where `new` finds no memory. */
typedef void (*new_handler)(void);
extern new_handler set_new_handler(new_handler handler) __asm__(
    "_ZSt15set_new_handlerPFvvE");  // std::set_new_handler
static void no_memory(void) { tp_out_of_memory(0); }

static int work_and_flush(void *ctx, int channel) {
  const job *j = ctx;
  signal(SIGXFSZ, SIG_IGN);
  tp_set_oom_handler(NULL);
  (void)set_new_handler(no_memory);
  tp_fault_enter_phase("session");
  const int status = j->work(j->ctx, channel);
  if (!flush_output()) return TP_EXIT_OUTPUT;
  note(status);
  tp_fault_enter_phase("end");
  return status;
}

/* Start a function in a child, follow it to its end, leave nothing behind. */
static int run_and_follow(tp_process_spec spec, patience with) {
  tp_process p;
  int status = TP_EXIT_MISSING;
  if (tp_process_start(&p, spec) == TP_OK) {
    const bool interrupted = follow(&p, with);
    const bool done = p.end == TP_PROCESS_EXITED && is_known_status(p.code);
    const bool has_ended =
        done || shared->has_spoken;  // whoever dies after the last word was said has said it
    status = done        ? p.code
             : has_ended ? shared->status
             : is_orphan ? TP_EXIT_UNKNOWN
                         : last_word(&p, interrupted);
    tp_process_clear(&p);
  } else {
    perror("twoproof: cannot start a process");
    say("cannot start a process");
    (void)flush_output();
  }
  tp_process_kill_descendants();
  tp_temp_remove_all();
  return status;
}

/* Its parent's end is a signal that it catches: it has to clean up. */
static int keep(void *ctx, int channel) {
  job *j = ctx;
  (void)channel;
  struct sigaction a = {.sa_handler = lose_parent};
  sigaction(SIGUSR1, &a, NULL);
  prctl(PR_SET_PDEATHSIG, SIGUSR1);
  if (getppid() != j->starter) is_orphan = 1;
  catch_signals();
  tp_fault_enter_phase("keeper");
  tp_process_adopt_orphans();
  tp_temp_share();
  tp_process_spec spec = {.work = work_and_flush,
                          .ctx = j,
                          .out = TP_STDIO_INHERIT,
                          .err = TP_STDIO_INHERIT,
                          .limits = {.resident_bytes = j->limits.memory_bytes}};
  if (j->limits.cpu_s > 0)
    spec.limits.cpu_s = j->limits.cpu_s + 1, spec.limits.wall_s = 20 * j->limits.cpu_s + 120;
  return run_and_follow(spec, with_work);
}

/* What could make compilers do something else than they are told, write more files, or speak
 * another language than the one we read. */
static void tidy_environment(void) {
  static const char *const odd[] = {"CCC_OVERRIDE_OPTIONS", "QA_OVERRIDE_GCC3_OPTIONS",
                                    "CC_PRINT_OPTIONS",     "CC_PRINT_HEADERS",
                                    "CC_PRINT_PROC_STAT",   "CC_LOG_DIAGNOSTICS",
                                    "DEPENDENCIES_OUTPUT",  "SUNPRO_DEPENDENCIES",
                                    "GCC_COMPARE_DEBUG",    "LANGUAGE"};
  for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) unsetenv(odd[i]);
  setenv("LC_ALL", "C", 1);
}

int tp_guard_run(int (*work)(void *ctx, int channel), void *ctx, tp_guard_limits limits) {
  const char *root;
  tp_fault_enter_phase("guard");
  tp_guard_own_memory(limits.has_result);
  promises_json = limits.is_json;
  void *page =
      mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) tp_out_of_memory(sizeof *shared);
  shared = page;
  if (tp_temp_root(&root) != TP_OK) {
    const char *base = getenv("TMPDIR");
    fprintf(stderr, "twoproof: cannot create a temporary directory in %s: %s\n",
            base && base[0] == '/' ? base : "/tmp", strerror(errno));
    say("no temporary directory");
    (void)flush_output();
    return TP_EXIT_OUTPUT;
  }
  setenv("TMPDIR", root, 1);  // for compilers: what they leave when killed goes with it
  tidy_environment();
  catch_signals();
  tp_process_adopt_orphans();
  job j = {work, ctx, limits, getpid()};
  const tp_process_spec spec = {
      .work = keep, .ctx = &j, .out = TP_STDIO_INHERIT, .err = TP_STDIO_INHERIT};
  return run_and_follow(spec, with_keeper);
}

int tp_guard_wait(int pid) {
  int how = 0;
  while (pid > 0 && waitpid(pid, &how, 0) < 0 && errno == EINTR) continue;
  if (pid < 0) perror("twoproof: cannot start a process");
  return pid > 0 && WIFEXITED(how) ? WEXITSTATUS(how) : TP_EXIT_MISSING;
}
