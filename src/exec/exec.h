/* The concrete machine: runs a program model step by step. The reference for everything else.
 *
 * What       interpreter, states (save, restore, inject, compare), observers, input oracles.
 * Represents a run is a function of (program, start state, oracle, limits).
 * Source     house rules for the meaning of C: doc/semantics.md. */
#ifndef TP_EXEC_EXEC_H
#define TP_EXEC_EXEC_H

#include "exec/input.h"
#include "program/program.h"

// ---------------------------------------------------------------------- states

/* One memory object of a state: bytes, with indeterminate bits and the origin of addresses beside
 * them (exec/object_memory.h). */
typedef struct tp_object tp_object;

/* A state: objects, frames (function, location, values of its variables), globals, next object id.
 */
typedef struct tp_state tp_state;
tp_state *tp_state_initial(const tp_program *p);  // at main's entry
tp_state *tp_state_copy(const tp_state *s);
/* The same with its top frame only: for evaluating terms over that frame's variables, globals and
 * memory. Of deep recursion it is far smaller. No run can go on from it. */
tp_state *tp_state_copy_top(const tp_state *s);
void tp_state_free(tp_state *s);
bool tp_state_equal(const tp_state *a, const tp_state *b);  // same up to nothing: ids too
uint64_t tp_state_hash(
    const tp_state *s);  // equal states, equal hashes; of large objects only a part is looked at
/* Invariants of a state; on failure says what is wrong. A run never breaks them. */
bool tp_state_check(const tp_state *s, tp_str *why);
/* Text form, complete: what tp_state_read gives back is equal. Used to save, inject and exchange.
 */
void tp_state_write(const tp_state *s, tp_str *out);
tp_status tp_state_read(const tp_program *p, const char *text, tp_state **out,
                        tp_str *why) TP_MUST_USE;

tp_loc tp_state_loc(const tp_state *s);
size_t tp_state_depth(const tp_state *s);  // number of frames, main = 1
/* The function of frame i (0: main), and the call that made it (NONE for main). */
tp_func tp_state_frame(const tp_state *s, size_t i, tp_edge *call);
/* Value of a variable: global, scalar ghost, or of the top frame. Integers carry the object that
 * they are an address of in .object (0: plain number). */
tp_status tp_state_value(const tp_state *s, tp_var v, tp_value *out) TP_MUST_USE;
/* Inject a determined value. Variables that are not in scope are left alone. */
void tp_state_set(tp_state *s, tp_var v, tp_value value);
/* Evaluate a term in the state: globals, ghosts, variables of all active frames (of a function that
 * is active more than once: its innermost frame), and memory cells (program/cells.h). TP_ERR_ARG: a
 * variable of no active frame, a cell at an address where a LOAD would be invalid, quantifiers. */
tp_status tp_state_eval(const tp_state *s, tp_term t, tp_value *out) TP_MUST_USE;
tp_u128 tp_state_indeterminate(const tp_state *s,
                               tp_var v);  // mask of a variable's indeterminate bits
typedef struct {
  uint64_t base, size;
  tp_object_kind kind;
  bool live, is_const;
} tp_object_info;
size_t tp_state_n_objects(const tp_state *s);  // ids are 1 .. n; ended objects keep theirs
bool tp_state_object_info(const tp_state *s, uint32_t object, tp_object_info *out);
/* Bytes of memory: false if not live or out of bounds. */
bool tp_state_read_bytes(const tp_state *s, uint32_t object, uint64_t offset, uint64_t n,
                         uint8_t *out);
uint64_t tp_state_base(const tp_state *s, uint32_t object);  // concrete address used by PTR_TO_INT

// ------------------------------------------------------------------------ runs

typedef enum {
  TP_END_EXIT,     // main returned, or exit()
  TP_END_ERROR,    // an error location was reached
  TP_END_BLOCKED,  // an assume failed (or abort())
  TP_END_INVALID,  // an operation without meaning: bad access, division by zero, ... (see `why`)
  TP_END_UNSUPPORTED,  // reached something the model marks as unsupported
  TP_END_LIMIT,        // steps or memory
  TP_END_NO_INPUT,     // the oracle had no further input
  TP_END_STOPPED       // an observer asked to stop
} tp_run_end;

typedef struct {
  uint64_t steps;         // edges; 0: default 10^7
  uint64_t memory_bytes;  // 0: default 1 GiB
  uint32_t depth;         // frames; 0: default 10^5
} tp_run_limits;
tp_run_limits tp_run_limits_with_defaults(tp_run_limits l);

/* Called before each edge out of a location that `mask` selects. Read-only; false stops the run. */
typedef enum { TP_OBSERVE_CUTPOINTS = 1, TP_OBSERVE_ALL = 2, TP_OBSERVE_EDGES = 4 } tp_observe_mask;
typedef struct tp_observer {
  unsigned mask;
  void *ctx;
  bool (*at)(void *ctx, const tp_state *s);                    // CUTPOINTS, ALL
  bool (*edge)(void *ctx, const tp_state *before, tp_edge e);  // EDGES: about to be taken
} tp_observer;

typedef struct {
  tp_run_end end;
  tp_loc loc;    // where it ended; the error location for ERROR
  tp_edge edge;  // last edge tried
  tp_pos pos;
  uint64_t steps;
  bool used_indeterminate;  // an indeterminate bit decided a branch, an address, a divisor or an
                            // extern call
  bool passed_invalid;      // reserved for tiers that can go on; the interpreter never does
  const char *why;          // static text: "store to freed object"; NULL
  int exit_status;          // EXIT
} tp_run_result;

/* Run from `s` (changed in place) until an end. observer may be NULL. */
tp_run_result tp_exec_run(const tp_program *p, tp_state *s, tp_oracle *oracle, tp_run_limits limits,
                          const tp_observer *observer);
/* From main's entry; convenience over the above. It prepares the program each time: for many runs
 * make one tp_state_initial and run copies of it, which share what was prepared. */
tp_run_result tp_exec_main(const tp_program *p, tp_oracle *oracle, tp_run_limits limits,
                           const tp_observer *observer);

// ---------------------------------------------------------------------- tester

/* Random-input search for shallow failures: small values, limits, constants of the program,
 * repeats. The first, second, fourth, ... of the runs that come to steps_per_run and ask for
 * nothing in the second half of them goes on for steps_long more (0: none), as machine code where
 * it can (exec/runner.h): failures behind long loops. So do those that ask, as long as they come to
 * an end, and fewer and fewer of them behind one that does not: failures of programs that fill long
 * arrays. */
typedef struct {
  uint64_t seed;
  uint32_t runs;
  uint64_t steps_per_run, steps_total, steps_long;
  double cpu_s;
  void (*kept)(void *ctx, const tp_inputs *made);  // of a run that took a new edge; may be NULL
  void *ctx;
} tp_tester_options;
/* What a search did. */
typedef struct {
  uint64_t runs;
  bool asks;        // for some input: otherwise there is one run, whatever the seed
  tp_run_end last;  // how the last run ended
} tp_tester_report;
/* True: a violation of `asked` was found; inputs holds what to feed. report: may be NULL. */
bool tp_tester_search(const tp_program *p, tp_property asked, tp_tester_options options,
                      tp_inputs *inputs, tp_run_result *found, tp_tester_report *report);

#endif
