/* Prepared form of a program for the interpreter (private to exec/).
 *
 * What       variables numbered into slots, edges with their terms translated to straight-line
 *            register code.
 * Represents the program, nothing more: code is made edge by edge at first use and never changes
 *            afterwards.
 * Ownership  one tp_code per program and initial state, counted, shared by all copies of that
 *            state.
 * Cost       translation is linear in the size of the terms as graphs; code of one term uses one
 *            register per node. */
#ifndef TP_EXEC_CODE_H
#define TP_EXEC_CODE_H

#include "exec/object_memory.h"

/* Beside the term kinds: leaves. */
enum {
  TP_X_CONST = (TP_N_OPS),  // imm, hi
  TP_X_GLOBAL,              // imm: slot
  TP_X_LOCAL,               // imm: slot in the frame
  TP_X_SIZE,
  TP_X_LIVE,
  TP_X_KIND,  // select(ghost, a)
  TP_X_HEAP,
  TP_X_LEAKED  // the scalar ghosts
};

/* Register i is what instruction i gives. */
typedef struct {
  uint8_t op;                   // term kind or TP_X_*
  uint8_t sort;                 // tp_sort_kind of the result
  uint8_t width;                // of the result
  uint8_t arg_sort, arg_width;  // of the first argument
  uint8_t lo;                   // BV_EXTRACT: lowest bit; FP_ROUND: mode
  uint8_t n_args;
  bool keeps_origin;  // PTR_TO_INT: the integer may flow on as an address
  uint32_t a, b, c;   // registers
  uint64_t imm, hi;
} tp_instr;

typedef enum {
  TP_BY_WORDS,   // all nodes fit 64-bit words: exec/eval_words.c, unless a shadow is met
  TP_BY_SHADED,  // some node is wider: exec/eval_shaded.c
  TP_BY_TERMS    // arrays, integers, quantifiers: tp_eval
} tp_snippet_evaluator;

typedef struct {
  const tp_instr *at;
  uint32_t n;
  tp_snippet_evaluator evaluator;
  tp_term term;
} tp_snippet;

/* One edge. */
typedef struct {
  bool is_ready;
  bool var_is_global;
  tp_edge_kind kind;
  tp_layout layout;  // of var, or of the value stored
  uint32_t slot;     // of var
  tp_snippet a, b, c;
  tp_snippet *args;
} tp_op;

/* Sorts of the slots of one function (or of the globals), in order. */
typedef struct {
  const tp_sort_kind *sort;
  const tp_var *var;
  size_t n;
} tp_slot_list;

typedef struct tp_code tp_code;
struct tp_code {
  uint32_t refs;
  const tp_program *program;
  tp_arena arena;
  tp_op *ops;             // by edge
  uint32_t *slot_of_var;  // in its frame or among the globals; UINT32_MAX: ghost
  bool *var_is_global;
  tp_slot_list *lists;   // by function; [0] the globals
  bool *second_is_else;  // by location: two branches, the second is the negation of the first
  uint32_t max_registers;
  struct tp_threaded_code *threaded;  // exec/threaded_code.c; NULL until needed
  tp_map symbols;  // of inputs, for concolic runs (exec/concolic.c): the same for all runs of this
                   // code
};

tp_code *tp_code_new(const tp_program *p);
tp_code *tp_code_share(tp_code *code);
void tp_code_drop(tp_code *code);
const tp_op *tp_code_prepare(tp_code *code, tp_edge e);
/* Code of any term over the variables in scope in its function; from the arena. */
tp_snippet tp_code_of_term(tp_code *code, tp_term t);
tp_slot_list tp_code_slots(const tp_code *code, tp_func f);
tp_layout tp_layout_of(const tp_program *p, tp_sort sort);
/* Has a function the sorts of a call: arguments, and result if the call uses one? */
bool tp_call_fits(const tp_program *p, const tp_edge_info *call, const tp_func_info *f);

static inline const tp_op *tp_code_op(tp_code *code, uint32_t edge) {
  TP_REQUIRE(edge && edge < code->program->edges.n);
  const tp_op *op = &code->ops[edge];
  return op->is_ready ? op : tp_code_prepare(code, (tp_edge){edge});
}

#endif
