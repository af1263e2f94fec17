/* Native tiers of the concrete machine: a program model as machine code.
 *
 * What       code generated through LLVM's ORC from the program model, for runs that are too long
 *            for the interpreter. Variant TRACE: branch decisions are written down, nothing else is
 *            observed. Variant RESUME: locals live in explicit frames, each function has a switch
 *            at its entry to every cutpoint, so that any stack of frames can be loaded and
 *            continued; vectors of predicates are computed at cutpoints.
 * Represents the same runs as the interpreter: same ends, steps, inputs in the same order, same
 *            states (tp_state), as input and output. Operations that the code cannot perform
 *            (shadows of indeterminate bits, odd memory) are left to the interpreter's own
 *            functions, or the run stops at a whole state (TP_END_STOPPED), from which the
 *            interpreter can continue.
 * Law        generated code runs in a sandboxed child (base/sandbox.h), several runs per child; a
 *            child that crashes costs the run. Limits are counted in steps, as everywhere. Both
 *            variants leave code at a whole state before an operation that it cannot perform, and
 *            are re-entered at cutpoints and entries; RESUME alone computes predicates. A path
 *            code that is cut stops the run: TP_END_STOPPED after code->steps steps.
 * Ownership  code belongs to the tp_native; states are the caller's. */
#ifndef TP_EXEC_NATIVE_NATIVE_H
#define TP_EXEC_NATIVE_NATIVE_H

#include "exec/exec.h"
#include "exec/path_code.h"
#include "exec/visits.h"

typedef enum { TP_NATIVE_TRACE, TP_NATIVE_RESUME } tp_native_variant;
typedef struct tp_native tp_native;

/* NULL: the program cannot be compiled; why names the construct. LLVM is started once per process.
 */
tp_native *tp_native_new(const tp_program *p, tp_native_variant variant, tp_str *why);
void tp_native_free(tp_native *n);
double tp_native_compile_s(const tp_native *n);

/* RESUME: a vector of predicates to compute at a location (a cutpoint); at most 64 for each. Before
 * the first run. */
tp_status tp_native_monitor(tp_native *n, tp_loc at, const tp_term *predicates, size_t count,
                            tp_str *why) TP_MUST_USE;
/* Called for a vector that is new at this location. The state is whole, read-only. */
typedef void tp_native_new_vector(void *ctx, tp_loc at, uint64_t vector, const tp_state *s);

/* RESUME: visits of locations are counted, in blocks like those of `like` (borrowed). Before the
 * first run; then only tp_native_burst runs. */
void tp_native_count_visits(tp_native *n, const tp_visits *like);
/* Generates code and compiles, which otherwise the first run does. */
tp_status tp_native_prepare(tp_native *n, tp_str *why) TP_MUST_USE;
/* Runs code without the interpreter, from a cutpoint or an entry until the code is left; then the
 * state is whole. Code is left before inputs, before a location whose countdown is 0, and soon
 * before the limit of steps. steps: taken. last: the last edge, if the location has no edges out;
 * else NONE. False: code cannot be entered at the state. */
bool tp_native_burst(tp_native *n, tp_state *s, tp_run_limits limits, tp_visits *v,
                     tp_visit_block root, tp_path_code *code, uint64_t *steps, tp_edge *last);

/* Runs from `s`, as tp_exec_run does, in this process: only inside of a sandboxed child, or in
 * tests. TRACE: from main's entry; code may be NULL. */
tp_run_result tp_native_run(tp_native *n, tp_state *s, tp_oracle *oracle, tp_run_limits limits,
                            tp_path_code *code, tp_native_new_vector *seen, void *ctx);

#endif
