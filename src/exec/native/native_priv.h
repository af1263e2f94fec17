/* Data shared by the native tiers (private to exec/native).
 *
 * What       the memory that generated code and the machine around it share; the functions that
 *            generated code calls.
 * Represents a run in progress: globals, a table of objects, counters. Globals and frames of the
 *            tp_state are out of date until the code is left; memory contents are always the
 * state's own. Invariants descriptors of objects are up to date whenever code runs: every change of
 * an object's content or lifetime calls tp_native_describe. Ownership  all shared arrays lie in the
 * module that the code is in. */
#ifndef TP_EXEC_NATIVE_NATIVE_PRIV_H
#define TP_EXEC_NATIVE_NATIVE_PRIV_H

#include "exec/exec_limits.h"
#include "exec/native/native.h"

#include "exec/eval.h"
#include "exec/visits.h"

#include <llvm-c/LLJIT.h>

/* Accesses that code performs without a helper. plain_r, plain_w: bytes that integers may be read
 * from, written to, without any shadow: all or none. und: shadows of `size` bytes beside which
 * integers may be read and written as well; NULL: there are none, or a helper is needed. */
typedef struct {
  uint8_t *bytes, *und;
  uint64_t plain_r, plain_w, base, size, live, kind;
} tp_native_object;
enum {
  TP_OBJECT_BYTES,
  TP_OBJECT_UND,
  TP_OBJECT_PLAIN_R,
  TP_OBJECT_PLAIN_W,
  TP_OBJECT_BASE,
  TP_OBJECT_SIZE,
  TP_OBJECT_LIVE,
  TP_OBJECT_KIND
};

/* How code uses a static that it takes for plain. */
typedef enum { TP_USE_READ = 1, TP_USE_WRITE = 2 } tp_native_use;

/* A frame to be re-entered: its location, and the values of its variables. */
typedef struct {
  uint64_t entry, func;
  const tp_word *words;
  const uint8_t *marks;  // TP_NATIVE_MARK_*
} tp_native_frame;
enum {
  TP_NATIVE_MARK_NONE,
  TP_NATIVE_MARK_ALL,
  TP_NATIVE_MARK_KEPT
};  // determined; all bits indeterminate; as when the frame was entered

typedef enum {
  TP_LEFT_TO_INTERPRETER,
  TP_LEFT_MONITOR,
  TP_LEFT_NO_INPUT,
  TP_LEFT_CUT
} tp_native_left;

/* Shared scalars; generated code addresses them by their index in 64-bit words. */
typedef struct {
  uint64_t steps, step_limit, bits, n_heap, max_depth, reason, last_edge;
  const tp_native_frame *in;
  uint64_t counted;       // the visit of the location where the code was left was counted
  uint64_t *visits;       // countdowns of visits: the block of the frame that is entered next
  uint64_t *visit_words;  // all of them
} tp_native_shared;
enum {
  TP_RT_STEPS,
  TP_RT_STEP_LIMIT,
  TP_RT_BITS,
  TP_RT_N_HEAP,
  TP_RT_MAX_DEPTH,
  TP_RT_REASON,
  TP_RT_LAST_EDGE,
  TP_RT_IN,
  TP_RT_COUNTED,
  TP_RT_VISITS,
  TP_RT_VISIT_WORDS
};

/* A frame as it was left: innermost first. */
typedef struct {
  tp_func func;
  tp_loc loc;
  tp_edge call;  // of the frame inside of it
  tp_word *words;
  uint8_t *marks;
} tp_native_out;

typedef struct {
  tp_loc at;
  tp_term *predicates;
  size_t n;
  tp_map seen;
} tp_native_monitored;

struct tp_native {
  const tp_program *p;
  tp_native_variant variant;
  tp_code *code;  // for the translation of terms
  tp_arena arena;
  LLVMOrcLLJITRef jit;
  void (*start)(uint64_t steps, uint64_t bits);
  double compile_s;
  bool has_failed;      // not to be compiled
  uint32_t slack;       // largest number of edges between two tests of the step counter
  bool *is_endless;     // by location: on a cycle without decisions
  uint32_t max_frames;  // on the native stack
  size_t described;     // objects in the table: those before it may have a record
  bool *is_compiled;    // by function
  bool *is_entry;       // by location: code can be entered there
  uint8_t *uses;        // by static: tp_native_use, what the code relies on
  bool *is_irregular;   // by static: not assumed to be plain
  uint32_t n_compiled;
  bool *may_mark;  // globals, by slot: code looks at their marks
  TP_VEC(tp_native_monitored) watched;
  uint32_t *watch_of_loc;   // index + 1
  const tp_visits *counts;  // how countdowns lie in their blocks; NULL: visits are not counted
  // shared with the code
  tp_native_shared *rt;
  tp_word *globals;
  uint8_t *global_marks;
  tp_native_object *objects;
  uint64_t *seen;  // TP_EXEC_NATIVE_SEEN for each watched location: vector + 1, or 0
  // the run
  tp_state *s;
  tp_oracle *oracle;
  tp_run_limits limits;
  tp_path_code *path;
  uint64_t *visit_words, *visits;  // of a stay: all countdowns, those of the outermost frame
  tp_arena frames;                 // words and marks of frames that were left or wait to be entered
  TP_VEC(tp_native_frame) in;      // [0] unused
  TP_VEC(tp_shade) kept;           // odd shadows of locals, by slot of the state that was entered
  TP_VEC(tp_native_out) out;
  bool no_input;
};

/* Generates and compiles; n->start and the shared pointers are set. */
tp_status tp_native_compile(tp_native *n, tp_str *why) TP_MUST_USE;
void tp_native_describe(tp_native *n, uint32_t object);

// called by generated code; result 0, or the value in the comment: leave the code, no effect
typedef struct {
  uint64_t value, ok;
} tp_native_answer;
tp_word *tp_native_spill(tp_native *n, uint32_t func, uint32_t loc, uint32_t call);
uint32_t tp_native_flush(tp_native *n, uint64_t bits);  // 0: the code is cut
tp_native_answer tp_native_read_input(tp_native *n, uint32_t edge, uint32_t kind);
tp_native_answer tp_native_load(const tp_native *n, uint32_t edge, uint64_t object,
                                uint64_t offset);
tp_native_answer tp_native_load_ptr(const tp_native *n, uint64_t object,
                                    uint64_t offset);  // value: offset; ok: object + 1
uint32_t tp_native_store(tp_native *n, uint64_t object, uint64_t offset, uint32_t bytes,
                         uint64_t value);
uint32_t tp_native_store_ptr(tp_native *n, uint64_t object, uint64_t offset, uint64_t to,
                             uint64_t to_offset);
uint64_t tp_native_alloc(tp_native *n, uint32_t edge, uint64_t size,
                         uint64_t fill);  // UINT64_MAX: no input
uint32_t tp_native_end_object(tp_native *n, uint32_t edge, uint64_t object, uint64_t offset);
uint32_t tp_native_write_block(tp_native *n, uint32_t edge, uint64_t to, uint64_t to_offset,
                               uint64_t from, uint64_t from_offset, uint64_t size);
tp_native_answer tp_native_apply(const tp_instr *in,
                                 const tp_word *v);  // value: low half, ok: high half
uint32_t tp_native_touch(void *value, void *mark,
                         void *object);  // no effect: keeps its arguments in memory
uint32_t tp_native_callee(const tp_native *n, uint64_t object);

#endif
