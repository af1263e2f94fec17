/* What a native replay (native.c), its builds (native_build.c) and native random runs
 * (native_random.c) share: one directory with sources, harness and built programs, and how to judge
 * a run. */
#ifndef TP_CERTIFY_RUNS_NATIVE_REPLAY_PRIV_H
#define TP_CERTIFY_RUNS_NATIVE_REPLAY_PRIV_H

#include "base/process.h"
#include "certify/runs/native_replay.h"

typedef TP_VEC(const char *) tp_chk_native_args;

typedef struct {
  const tp_chk_native_request *r;
  tp_chk_native_report *report;
  tp_arena arena;
  const char *dir;   // sources and programs
  const char *cage;  // empty working directory of the runs
  const char *harness;
  const char *fence;     // linked first: variables whose red zones lie in front of the program's;
                         // NULL: not needed
  const char **sources;  // of r->files, or copies with marked labels
  const char *
      *assembly[TP_CHK_N_NATIVE];  // of the sources, with watched calls; NULL without monitors
  const char *program[TP_CHK_N_NATIVE];
  tp_chk_native_args renames;  // definitions for redeclared builtins
} tp_chk_native_job;

/* Makes the directories and the harness. options: what the command line needs further, owned by the
 * caller. */
tp_status tp_chk_native_prepare(tp_chk_native_job *j, tp_chk_native_request *r,
                                tp_chk_native_args *options) TP_MUST_USE;
/* Builds with both compilers; random runs only with clang. Outcomes go to the report: NOT means
 * built. */
void tp_chk_native_build(tp_chk_native_job *j);
/* The environment of a run, NULL-terminated with room for one more entry. */
const char **tp_chk_native_environment(tp_chk_native_job *j, int compiler);
/* Is the failure that a value is used which was never set? Then clang's build is one of its own
 * (MemorySanitizer), and gcc has none. */
bool tp_chk_native_is_unset(const tp_chk_native_request *r);
/* … that pointers into different objects are compared or subtracted? Both builds are
 * AddressSanitizer's then. */
bool tp_chk_native_is_pointer_pair(const tp_chk_native_request *r);
bool tp_chk_native_shows(const tp_chk_native_job *j, const tp_process *p);

#endif
