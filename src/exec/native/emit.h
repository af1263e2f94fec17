/* Code generation (private to exec/native).
 *
 * What       two LLVM functions for each function of the program, terms as LLVM values. The plain
 *            function is the target of calls; it can be re-entered at heads of outermost loops
 *            only, so that LLVM recognises the loops. The second function can be entered at every
 *            location and jumps to the plain one at the next such head.
 * Represents a function's variables in registers: a value, and a mark that says whether it is
 *            determined (TP_NATIVE_MARK_*). Marks are values like others: where a variable is
 *            assigned before it is read, marks are constants, which LLVM removes.
 * Ownership  LLVM's context owns all values; an emitter lives during one compilation. */
#ifndef TP_EXEC_NATIVE_EMIT_H
#define TP_EXEC_NATIVE_EMIT_H

#include "exec/native/native_priv.h"
#include "program/pointsto.h"

#include <llvm-c/Core.h>

/* A value: an integer of the sort's width (floats as their bits); pointers: offset and object. */
typedef struct {
  LLVMValueRef lo, object;
} tp_native_value;
typedef struct {
  LLVMValueRef lo, object, mark;
} tp_native_local;  // where variables live until registers are assigned

/* Parameters of both functions; those of the program follow (plain functions only). Results: steps
 * (TP_NATIVE_LEFT: the code was left), bits, value. */
enum { TP_PARAM_ENTRY, TP_PARAM_DEPTH, TP_PARAM_STEPS, TP_PARAM_BITS, TP_N_PARAMS };
enum { TP_RESULT_STEPS, TP_RESULT_BITS, TP_RESULT_VALUE, TP_RESULT_OBJECT };
#define TP_NATIVE_LEFT UINT64_MAX

typedef enum {
  TP_ALIAS_TABLE,
  TP_ALIAS_GLOBALS,
  TP_ALIAS_SHARED,
  TP_ALIAS_BYTES,
  TP_ALIAS_UND,
  TP_ALIAS_VISITS,
  TP_N_ALIASES
} tp_native_alias;

typedef struct {
  tp_native *n;
  const tp_program *p;
  LLVMContextRef c;
  LLVMModuleRef m;
  LLVMBuilderRef b;
  LLVMTypeRef i1, i8, i32, i64, ptr, off, two;  // off: offsets; two: tp_native_answer
  LLVMValueRef rt, globals, global_marks, objects, seen;
  LLVMMetadataRef tags[TP_N_ALIASES], scope, none_of_ours,
      own_or_table;  // scopes: table; globals and counters; both
  LLVMMetadataRef unlikely;
  unsigned kind_tbaa, kind_scope, kind_noalias, kind_prof;
  unsigned attr_nounwind, attr_willreturn, attr_memory;
  LLVMValueRef *funcs, *again_funcs;  // by function: plain; entered anywhere
  LLVMTypeRef *types, *again_types, *results;
  LLVMValueRef descriptor;  // of an object
  bool *is_head;            // by location: plain functions can be entered there
  uint8_t *room;            // by location: bits of decisions for which room is made at the location
  bool *is_inlined;         // by function: inlined into its callers
  tp_pointsto *pointsto;
  uint32_t *only;  // by class: the one object in it, a static; 0: none; UINT32_MAX: many
  // the function at hand
  tp_func func;
  bool is_again;    // the function can be entered at every location
  uint8_t *status;  // emit_marks.c; NULL: all marks are possible
  LLVMValueRef fn, steps, bits, left_loc, left_edge, args, depth;  // depth: of callees
  LLVMBasicBlockRef *blocks, *again;  // by location; again: the call there, made again (is_again)
  LLVMBasicBlockRef leave, leave_own,
      *exits;               // exits: by location and reason, made when needed
  tp_native_local *locals;  // by slot
  bool is_large;            // variables stay in memory
  LLVMValueRef visits;      // the frame's countdowns; NULL: visits are not counted
  tp_loc counted;           // the location whose visit was counted
  tp_loc here;              // the location at which an operation is left to the interpreter
} tp_emitter;

// emit_term.c
LLVMTypeRef tp_emit_type(const tp_emitter *e, tp_sort_kind kind, uint32_t width);
/* Leaves the code if the condition holds. */
void tp_emit_leave_if(tp_emitter *e, LLVMValueRef condition, tp_native_left reason);
void tp_emit_leave(tp_emitter *e,
                   tp_native_left reason);  // ends the block; a new one follows, unreachable
/* The value of a term. False: generated code cannot compute the term (the code has been left). */
bool tp_emit_term(tp_emitter *e, const tp_snippet *sn, tp_native_value *out);
typedef enum {
  TP_EFFECT_NONE,
  TP_EFFECT_READ,
  TP_EFFECT_CONTENT,
  TP_EFFECT_OUTSIDE,
  TP_EFFECT_ARGS,
  TP_EFFECT_ALL
} tp_emit_effect;
LLVMValueRef tp_emit_call(tp_emitter *e, const void *helper, LLVMTypeRef result,
                          tp_emit_effect effect, LLVMValueRef *args, unsigned n);
LLVMValueRef tp_emit_load(tp_emitter *e, LLVMTypeRef type, LLVMValueRef at, tp_native_alias alias);
void tp_emit_store(tp_emitter *e, LLVMValueRef v, LLVMValueRef at, tp_native_alias alias);
/* The record of an object in the table. Objects past the table have the record of object 0, which
 * allows nothing. */
LLVMValueRef tp_emit_descriptor(tp_emitter *e, LLVMValueRef object);
LLVMValueRef tp_emit_field(tp_emitter *e, LLVMValueRef descriptor, unsigned field);
LLVMValueRef tp_emit_shared(tp_emitter *e, unsigned field);
LLVMValueRef tp_emit_self(tp_emitter *e);  // the tp_native
static inline LLVMValueRef tp_emit_u64(const tp_emitter *e, uint64_t v) {
  return LLVMConstInt(e->i64, v, 0);
}
static inline LLVMValueRef tp_emit_u32(const tp_emitter *e, uint32_t v) {
  return LLVMConstInt(e->i32, v, 0);
}
LLVMValueRef tp_emit_word(tp_emitter *e, LLVMValueRef v);  // its lowest 64 bits
void tp_emit_set(tp_emitter *e, uint32_t slot, bool is_global, tp_sort_kind kind, uint32_t width,
                 tp_native_value v, uint32_t mark);
LLVMBasicBlockRef tp_emit_block(tp_emitter *e);

LLVMValueRef tp_emit_zero_slot(tp_emitter *e, LLVMTypeRef t);  // memory for a local, zero
static inline tp_layout tp_emit_layout(const tp_emitter *e, tp_var v) {
  return tp_layout_of(e->p, tp_sort_of(e->p->terms, tp_var_of(e->p, v)->term));
}
static inline bool tp_emit_has_value(tp_layout l) {
  return l.kind != TP_SORT_ARRAY && l.kind != TP_SORT_INT;
}
static inline LLVMValueRef tp_emit_param(const tp_emitter *e, unsigned i) {
  return LLVMGetParam(e->fn, i);
}
void tp_emit_unlikely(tp_emitter *e, LLVMValueRef branch);  // of its first successor
static inline void tp_emit_attribute(const tp_emitter *e, LLVMValueRef fn, unsigned kind,
                                     uint64_t value) {
  LLVMAddAttributeAtIndex(fn, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                          LLVMCreateEnumAttribute(e->c, kind, value));
}

// emit_count.c
void tp_emit_step(tp_emitter *e);
void tp_emit_check_steps(tp_emitter *e);
void tp_emit_store_counters(tp_emitter *e);
void tp_emit_reserve_bits(tp_emitter *e, uint32_t k);  // before a decision of k bits
void tp_emit_bits(tp_emitter *e, uint32_t value, uint32_t k);
void tp_emit_bit(tp_emitter *e, LLVMValueRef bit);
uint8_t *tp_emit_reserved_bits(const tp_program *p);  // by location; to be freed

// emit_memory.c: false: the code has been left
bool tp_emit_memory_load(tp_emitter *e, uint32_t edge, const tp_op *op, tp_native_value *out);
bool tp_emit_memory_store(tp_emitter *e, const tp_op *op, const tp_edge_info *info);
bool tp_emit_memory_block(tp_emitter *e, uint32_t edge, const tp_op *op, const tp_edge_info *info);
bool tp_emit_havoc(tp_emitter *e, uint32_t edge, const tp_op *op, const tp_edge_info *info,
                   tp_input_kind kind);
bool tp_emit_alloc(tp_emitter *e, uint32_t edge, const tp_op *op, const tp_edge_info *info);
bool tp_emit_end_object(tp_emitter *e, uint32_t edge, const tp_op *op);
void tp_emit_set_var(tp_emitter *e, const tp_op *op, tp_native_value v, uint32_t mark);

// emit_static.c
void tp_emit_find_statics(tp_emitter *e);
void tp_emit_free_statics(tp_emitter *e);
/* May the code assume that the object is a static, plain for this use? Records the assumption. */
bool tp_emit_assume_static(tp_emitter *e, LLVMValueRef object, tp_native_use use, uint64_t *size);
/* The object that an address leads to, as a constant if there is only one; at any other object the
 * code is left. */
LLVMValueRef tp_emit_single_object(tp_emitter *e, tp_term address, LLVMValueRef object);

// emit_call.c
void tp_emit_function_call(tp_emitter *e, uint32_t edge, const tp_op *op);  // ends the block
bool tp_emit_set_result(tp_emitter *e, const tp_op *op, const tp_edge_info *info);
void tp_emit_return(tp_emitter *e);  // ends the block
bool tp_emit_is_real_call(const tp_emitter *e, tp_loc l);

// emit_frame.c: locals between registers and the frames that machine and code share
void tp_emit_locals(tp_emitter *e, tp_slot_list list);
void tp_emit_write_locals(tp_emitter *e, tp_slot_list list);
void tp_emit_dispatch(tp_emitter *e, LLVMBasicBlockRef start, tp_slot_list list);
void tp_emit_switch_to_plain(tp_emitter *e, tp_loc head,
                             tp_slot_list list);  // into the plain function, where marks allow it
LLVMValueRef tp_emit_frame_in(tp_emitter *e, LLVMValueRef depth, unsigned field);

// emit_marks.c
/* By location and slot: marks that a plain run can have there, as a set. */
enum { TP_STATUS_NONE = 1, TP_STATUS_ALL = 2 };
uint8_t *tp_emit_mark_status(const tp_emitter *e, tp_func f, size_t slots);
uint8_t tp_emit_status_at(const tp_emitter *e, tp_loc l, size_t slots, size_t slot);

// emit_visit.c: nothing where visits are not counted
void tp_emit_visits_of_frame(tp_emitter *e);  // at a function's entry: its countdowns
void tp_emit_visit(tp_emitter *e, tp_loc l);  // leaves before a location whose countdown is 0
void tp_emit_visits_of_call(tp_emitter *e, tp_edge call,
                            tp_func callee);  // before a call: the countdowns of its frame
void tp_emit_visits_switch_to_plain(
    tp_emitter *e);  // before the plain function goes on with this frame

// emit.c
enum { TP_EXITS_OF_LOCATION = 8 };  // of a location
tp_status tp_emit_program(tp_emitter *e, tp_str *why) TP_MUST_USE;

#endif
