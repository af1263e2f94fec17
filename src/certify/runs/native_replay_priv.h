/* Inside of native replays (native_replay.c), their builds (native_build.c), and native random runs
 * (native_random.c).
 *
 * What       one job: a directory with sources, harness and built programs; which detectors watch
 *            for the failure, and whether a run showed it.
 * Ownership  a job owns its two directories and its arena, until tp_chk_native_job_clear. */
#ifndef TP_CERTIFY_RUNS_NATIVE_REPLAY_PRIV_H
#define TP_CERTIFY_RUNS_NATIVE_REPLAY_PRIV_H

#include "base/process.h"
#include "certify/runs/native_replay.h"

typedef TP_VEC(const char *) tp_chk_native_args;

/* Exit status of a run in which the harness or a sanitizer saw the failure. */
enum { TP_CHK_STATUS_VIOLATED = 107 };

/* Of which library functions the harness checks arguments. */
typedef enum {
  TP_CHK_WRAPS_NOTHING,
  TP_CHK_WRAPS_OVERFLOWING,
  TP_CHK_WRAPS_ALL,
  TP_CHK_WRAPS_ALLOCATING,  // none: of those that allocate for the program, it notes the blocks
  TP_CHK_WRAPS_FREE,
  TP_CHK_WRAPS_COPIES
} tp_chk_wraps;

/* How the builds show one kind of failure (native_detectors.c). */
typedef struct {
  tp_property property;
  tp_failure_manner manner;                 // TP_FAILS_AT_LOCATION: every manner
  const char *options[TP_CHK_N_NATIVE][6];  // of the compiler, ended by NULL
  tp_chk_wraps wraps;
  bool is_of_unset_values;  // MemorySanitizer alone: clang's, for lp64; what is filled is not unset
  const char *marks[2];     // messages with one of these show the failure,
  bool (*reports)(const char *messages);  // or those for which this is true; NULL: none
} tp_chk_detector;

typedef struct {
  tp_chk_native_request *r;
  tp_chk_native_report *report;
  tp_arena arena;
  const char *dir;   // sources and programs
  const char *cage;  // empty working directory of the runs
  const char *harness;
  const char *fence;      // linked before each source: variables whose red zones lie in front of
                          // those of the source; NULL: not needed
  const char *model_map;  // names of models that stay inside the program; NULL: no models
  const char **sources;   // of r->files, or copies with marked labels
  const char **assembly[TP_CHK_N_NATIVE];  // of the sources, calls monitored; NULL: no monitors
  const char *program[TP_CHK_N_NATIVE];
  int rung[TP_CHK_N_NATIVE];   // of the ladder of dialects: of the last build that was tried
  bool uses_returned;          // clang's run has confirmed the failure, an access to the frame of a
                               // function that has returned
  tp_chk_native_args options;  // the user's, and what copies of sources need
  tp_chk_native_args renames;  // definitions for redeclared builtins
} tp_chk_native_job;

/* Makes the directories and the harness, and completes the request. The job must be cleared in
 * either case.
 * Errors     TP_ERR_SYSTEM (directories, files); errno says why. */
tp_status tp_chk_native_prepare(tp_chk_native_job *j) TP_MUST_USE;
void tp_chk_native_job_clear(tp_chk_native_job *j);
/* Models of library functions beside the program (native_models.c): the file for the linker, the
 * options and sources of one build, and the text of the file. */
tp_status tp_chk_native_models_prepare(tp_chk_native_job *j) TP_MUST_USE;
void tp_chk_native_models_link(tp_chk_native_job *j, int compiler, tp_chk_native_args *args);
const char *tp_chk_native_model_map(void);
/* Builds with both compilers; random runs only with clang. Outcomes go to the report: NOT means
 * built. */
void tp_chk_native_build(tp_chk_native_job *j);
/* gcc's build again: the sources of the job, or what was asked of it, have changed. */
void tp_chk_native_build_again(tp_chk_native_job *j);
/* Adds what gcc says of source i with this option for a warning. Errors: TP_ERR_SYSTEM. */
tp_status tp_chk_native_warnings(tp_chk_native_job *j, const char *option, size_t i,
                                 tp_str *out) TP_MUST_USE;
/* A copy of source i, in the job's directory, with `head` in front of its lines, whose numbers stay
 * (native_build.c). */
tp_status tp_chk_native_copy_source(tp_chk_native_job *j, size_t i, const char *head,
                                    const char *text) TP_MUST_USE;
/* Sources that keep the addresses of locals that gcc makes null where they are returned; the report
 * says where. False: there is no such place. */
bool tp_chk_keep_returned_addresses(tp_chk_native_job *j);
/* The environment of a run, NULL-terminated with room for one more entry. */
const char **tp_chk_native_environment(tp_chk_native_job *j, int compiler);
/* A sandboxed run of a built program; default_cpu_s counts if the request names no limit. */
tp_process_spec tp_chk_native_run(const tp_chk_native_job *j, int compiler,
                                  const char *const *arguments, const char *const *environment,
                                  double default_cpu_s);

// native_detectors.c
const tp_chk_detector *tp_chk_detector_of(const tp_chk_native_request *r);
/* The manner of the error location: of random runs, which have none, TP_FAILS_AT_LOCATION. */
tp_failure_manner tp_chk_native_manner(const tp_chk_native_request *r);
/* Did the run fail in the way that is looked for? Where it failed: site.h. */
bool tp_chk_native_shows(const tp_chk_native_job *j, const tp_process *p);

// harness_text.c
/* Adds text of lib/harness. */
void tp_chk_harness_add(const char *const *lines, size_t n, tp_str *out);
/* Does the program define a function of this name? */
bool tp_chk_harness_is_own(const tp_program *p, const char *name);
/* The vector says of requests for memory whether they fail. */
bool tp_chk_harness_denies_memory(const tp_chk_native_request *r);
/* Red zones are wider than the sanitizer's own (lib/harness/red_zones.c). */
bool tp_chk_harness_widens(const tp_chk_native_request *r);
/* The linker leads calls of malloc, calloc and, where it has no model, realloc to the harness. */
bool tp_chk_harness_wraps_allocation(const tp_chk_native_request *r);

// harness_checks.c
/* What the harness checks beside the world that it plays back. */
void tp_chk_harness_write_checks(const tp_chk_native_request *r, tp_str *out);

// native_replay.c: a source of objects around the variables of the program; what sanitizers are
// told
extern const char tp_chk_native_fence[];
extern const char tp_chk_sanitizer_options[];

// script.c: report->script, the commands of clang's build and of its run; both end with NULL
void tp_chk_script_build(tp_chk_native_job *j, int compiler, const char *const *argv);
void tp_chk_script_run(tp_chk_native_job *j, const char *const *argv);

#endif
