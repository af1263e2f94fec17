/* Native replay: a vector of inputs on the really compiled program.
 *
 * What       generates a harness that answers the program's questions from the vector, builds it
 *            with the user's source by clang and by gcc, runs both in the sandbox.
 * Represents a failure is seen from outside: entering an error function (-finstrument-functions),
 *            a failed assert, a call inserted behind a label, a report of a sanitizer, or the
 *            harness's own accounting of heap blocks. Then the run ends with status 107.
 * Law        confirmed means: this failure, in this line, after these inputs (site.h). A crash
 *            elsewhere, another end, or a program that does not link confirms nothing.
 * Limits     indeterminate and volatile inputs exist only in the model; they are skipped, and the
 *            report says so.
 * Ownership  a report owns its texts. */
#ifndef TP_CERTIFY_RUNS_NATIVE_REPLAY_H
#define TP_CERTIFY_RUNS_NATIVE_REPLAY_H

#include "certify/certify.h"
#include "exec/exec.h"
#include "program/monitor.h"

/* The failure that the interpreter's run ended with, in the user's source. */
typedef struct {
  tp_pos pos;            // TP_POS_NONE: any failure of the kind counts (random runs)
  const char *function;  // whose text the line is, or NULL
} tp_chk_native_failure;

/* What the builds do with the storage of variables. */
typedef enum {
  TP_CHK_STORAGE_WATCHED,    // a variable ends with its block; memory of alloca and of
                             // variable-length arrays is ordinary memory of the stack afterwards
  TP_CHK_STORAGE_ENDED_TOO,  // that memory stays poisoned, too: for VALID_DEREF; large frames may
                             // then be taken for it
  TP_CHK_STORAGE_OF_FRAMES,  // a variable ends with its function's frame, as in models that look
                             // for no invalid access: for VALID_FREE
  TP_CHK_STORAGE_ALIGNED     // every object is aligned to 16 bytes at least, as on the concrete
                             // machine: by a sanitizer that nothing else is wanted of, for
                             // UNREACH_CALL
} tp_chk_storage;

typedef struct {
  const tp_program *program;
  const char *const *files;  // the user's sources
  size_t n_files;
  const char *const *options;  // -D, -I, -U and what else the user gave the compiler; no -m
  size_t n_options;
  const char *const *models;  // sources of library models (lib/libc but math.c); linked if the run
                              // asked the environment
  size_t n_models;
  const tp_inputs *inputs;
  tp_property violated;           // one property, no group
  tp_loc error;                   // where the interpreter's run ended
  tp_chk_native_failure failure;  // what must be seen
  double cpu_s;                   // per run; 0: default 10
  double wall_s;                  // per run, which may sleep or wait; 0: by cpu_s
  double left_s;                  // of the whole verification, for builds; 0: no limit
  uint64_t memory_bytes;          // of one build; 0: default
  bool zeroes_indeterminate;  // the run needs uninitialised variables and memory to be 0: build and
                              // run so
  bool fills_indeterminate;   // it needs other values there: a clang build that gets them from the
                              // vector (fill_locals.c)
  bool guesses_are_unused;  // no guess of a library model (tp_input_is_guess) can matter to the run
  bool real_library;        // set by the replay: the C library is not played, see tp_input_is_guess
  const tp_monitors
      *monitors;  // composed with the program: they run along (native_monitors.c); NULL: none
  tp_chk_storage storage;
  bool is_alone;          // people link the harness: all that the program may ask for is defined
  bool ends_with_inputs;  // where the program asks for one more, the run ends, with status 0
  bool ends_by_clock;     // SIGALRM ends the run, a second after its start
  bool is_random;         // the harness draws the answers; inputs only name who may ask
} tp_chk_native_request;

typedef enum {
  TP_CHK_NATIVE_NOT,  // it ran, and did not fail the way it should; or it was not tried
  TP_CHK_NATIVE_CONFIRMED,
  TP_CHK_NATIVE_NO_BUILD,  // the compiler does not take the source
  TP_CHK_NATIVE_STOPPED    // interrupted before it was known
} tp_chk_native_outcome;
const char *tp_chk_native_outcome_name(tp_chk_native_outcome o);

typedef struct {
  tp_chk_native_outcome outcome;
  tp_str detail;  // one line: exit status, signal, the compiler's first message
} tp_chk_native_result;

enum { TP_CHK_NATIVE_CLANG, TP_CHK_NATIVE_GCC, TP_CHK_N_NATIVE };
extern const char *const tp_chk_native_compilers[TP_CHK_N_NATIVE];  // "clang-19", "gcc"

typedef struct {
  tp_chk_native_result by[TP_CHK_N_NATIVE];
  tp_str harness;  // the generated C file
  tp_str script;   // for a shell, beside harness.c: builds the program that failed, and runs it;
                   // empty if it needs more than that file
  size_t n_fed;    // inputs that the compiled program must ask for
  size_t n_unfed;  // those that it cannot be given
  bool reached_limit;      // a run was stopped, for its time or for what it writes
  bool uses_ended_block;   // clang's run uses a variable behind its block, whatever came of it
  tp_chk_storage storage;  // of the builds
  tp_str returned;  // where the address of a local variable is returned that gcc makes null unless
                    // its source is changed, as it was (returned_address.c); empty: nowhere
} tp_chk_native_report;
void tp_chk_native_report_clear(tp_chk_native_report *r);

/* Errors: TP_ERR_SYSTEM (no temporary directory, no processes), TP_ERR_LIMIT (interrupted). */
tp_status tp_chk_native_replay(const tp_chk_native_request *request,
                               tp_chk_native_report *report) TP_MUST_USE;

/* --check=run on the compiled program: clang's build with a harness that draws its answers, in
 * `runs` runs from `seed` on. As a check of TRUE: REJECTED if a run of the compiled program fails
 * although it met the assumptions (that is, unless the concrete machine, told the same, meets an
 * operation without meaning). UNDECIDED if nothing could be run.
 * request         inputs, is_random and violated are set here.
 * cpu_s           of all runs together, 0: no limit
 * counterexample  what the failing run was told; initialised by the caller. */
tp_certify_result tp_certify_run_native(const tp_chk_native_request *request, tp_property prop,
                                        uint64_t seed, uint32_t runs, double cpu_s,
                                        tp_inputs *counterexample,
                                        tp_certify_report *report) TP_MUST_USE;

/* Does FALSE stand on this report? clang must confirm; gcc must agree, fail to build, or differ for
 * a reason: `order` names a place whose order of evaluation C leaves open (NULL: there is none).
 * Arithmetic without meaning may also be folded away by gcc, which then simply does not show it.
 * why  one line for users, in either case. */
bool tp_chk_native_stands(const tp_chk_native_report *report, tp_property violated,
                          const char *order, tp_str *why);

/* Parts, for tests and for --output. */
bool tp_chk_native_has_library(
    const char *name);  // does the C library, libm with it, have this function?
bool tp_chk_native_has_variable(const char *name);  // ... this variable?
/* Does the run rest on values that the C library computes? */
bool tp_chk_native_needs_library(const tp_chk_native_request *r);
/* The harness as a C file; the report gets the numbers of inputs. */
void tp_chk_harness_write(const tp_chk_native_request *request, tp_chk_native_report *report);
/* Name of the i-th library function whose calls the linker leads to a check in the harness; "": the
 * program has its own; NULL: there are no more. Calls of them must stay calls. */
const char *tp_chk_harness_wrapped(const tp_chk_native_request *request, size_t i);
/* Arguments of the run, from the inputs of kind ARGS; false if they cannot be given to a process.
 */
bool tp_chk_harness_arguments(const tp_chk_native_request *request, tp_arena *arena,
                              const char ***out, size_t *n);
/* clang's textual IR, before any pass, with a call behind each declaration that is executed. */
void tp_chk_fill_locals(const char *ir, tp_str *out);
/* Insert `call` behind each label of this name. Returns how many there were. */
size_t tp_chk_mark_label(const char *text, const char *label, const char *call, tp_str *out);
/* Insert `mark` behind the last keyword `return` in front of each place (at it, if it is one).
 * Places have positions in bytes, from 1. Returns how many marks there are. */
typedef struct {
  uint32_t line, column;
} tp_chk_text_place;
size_t tp_chk_mark_returns(const char *text, const tp_chk_text_place *places, size_t n,
                           const char *mark, tp_str *out);
/* Addresses of functions with one of these names in a linked program (ELF, not position
 * independent). */
tp_status tp_chk_elf_functions(const char *path, const char *const *names, size_t n_names,
                               tp_str *out) TP_MUST_USE;

#endif
