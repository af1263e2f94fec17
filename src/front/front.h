/* The front end: from C files to the program model.
 *
 * What       runs clang-19, reads its bitcode, lowers it to control-flow automata over terms,
 *            inserts the checks of the property in force.
 * Represents the meaning of C described in doc/semantics.md: nothing is optimised, user names,
 *            types and positions are kept, expression trees are folded back.
 * Errors     TP_ERR_INPUT: the files are not a program we can read; what is wrong has been said
 *            (clang's own messages pass through, ours go to `diag`). TP_ERR_LIMIT: clang needs more
 *            memory or time than it may use, or was interrupted. TP_ERR_SYSTEM: clang could not be
 *            started. Constructs that are read but not modelled are no error: they become entries
 *            of program->unsupported.
 * Ownership  the program returned is the caller's (tp_program_free). */
#ifndef TP_FRONT_FRONT_H
#define TP_FRONT_FRONT_H

#include "program/monitor.h"
#include "program/program.h"

typedef enum { TP_MACHINE_LP64, TP_MACHINE_ILP32 } tp_machine;
typedef enum {
  TP_MALLOC_NEVER_FAILS,  // as SV-COMP assumes
  TP_MALLOC_MAY_FAIL,     // each request is also answered with a null pointer
  TP_MALLOC_ZEROED        // never fails, memory is filled with zeros
} tp_malloc_policy;

/* Functions with such names are probes: predicates over the program's state, written in C. They are
 * lowered although nobody calls them. */
#define TP_PROBE_PREFIX "__twoproof_probe_"
/* The same for lemmas: functions that facts of the user's may call (app/hints.h). */
#define TP_LEMMA_PREFIX "__twoproof_lemma_"
/* Is the function one that nobody has to call? */
static inline bool tp_front_is_asked(const char *name) {
  return strncmp(name, TP_PROBE_PREFIX, sizeof TP_PROBE_PREFIX - 1) == 0 ||
         strncmp(name, TP_LEMMA_PREFIX, sizeof TP_LEMMA_PREFIX - 1) == 0;
}

/* Why no run goes on at a call through a pointer that leads to no function: the name of an ASSUME.
 */
#define TP_CALL_WITHOUT_TARGET "call through a bad pointer"

typedef struct {
  const char *const *files;
  size_t n_files;
  tp_machine machine;
  tp_property property;
  tp_malloc_policy malloc_policy;
  const char *const *clang_args;  // -D, -I, -U as given by the user
  size_t n_clang_args;
  const char *model_dir;  // bitcode of lib/libc with its index; NULL: beside the executable
  bool without_models;    // library functions stay functions without body
  bool calls_by_name;  // what has no body is asked with its arguments, by one HAVOC with a callee:
                       // for who knows contracts
  bool shows_choices;  // each condition of a value that is chosen (`c ? 1 : 2`, `a && b`) is a
                       // branch, in functions of the program: for who counts outcomes
  bool promotes_objects;  // objects that only named parameters lead to become variables
                          // (program/promote.h)
  tp_monitors *monitors;  // composed with the program; NULL: none
  const char *clang;      // program to run; NULL: clang-19
  uint32_t clang_cpu_s;   // limits for one clang, see tp_process_compiler_limits
  uint32_t clang_memory_mb;
} tp_front_options;

/* Read the program. *out is set on TP_OK only. */
tp_status tp_front_load(const tp_front_options *opt, tp_diag *diag, tp_program **out) TP_MUST_USE;

/* The same for files without main: everything that other files could call is read, and main is only
 * the first of these functions. n_exported: functions 1 .. n of the program are those that other
 * files can call. */
tp_status tp_front_load_module(const tp_front_options *opt, tp_diag *diag, tp_program **out,
                               uint32_t *n_exported) TP_MUST_USE;

/* The argument vector with which `file` is compiled to bitcode on standard output, NULL-terminated,
 * in the arena. A native build of the same program starts from it (what was rescued by a fallback
 * is not in it). */
const char *const *tp_front_clang_args(const tp_front_options *opt, const char *file,
                                       tp_arena *arena);

#endif
