/* Code generation (private to exec/native).
 *
 * What       one LLVM function for each function of the program; terms as LLVM values.
 * Represents a function's variables in registers: a value, and a mark that says whether it is determined (TP_MARK_*). Marks are values like
 *            others: where a variable is assigned before it is read they are constants, and nothing is left of them.
 * Ownership  LLVM's context owns all values; an emitter lives during one compilation. */
#ifndef TP_EXEC_NATIVE_EMIT_H
#define TP_EXEC_NATIVE_EMIT_H

#include "exec/native/native_priv.h"

#include <llvm-c/Core.h>

/* A value: an integer of the sort's width (floats as their bits); pointers: offset and object. */
typedef struct { LLVMValueRef lo, object; } tp_native_value;
typedef struct { LLVMValueRef lo, object, mark; } tp_native_local;         // where variables live until registers are assigned

typedef enum { TP_ALIAS_TABLE, TP_ALIAS_GLOBALS, TP_ALIAS_SHARED, TP_ALIAS_BYTES, TP_ALIAS_UND, TP_N_ALIASES } tp_native_alias;

typedef struct {
  tp_native *n;
  const tp_program *p;
  LLVMContextRef c;
  LLVMModuleRef m;
  LLVMBuilderRef b;
  LLVMTypeRef i1, i8, i32, i64, ptr, off, two;                 // off: offsets; two: tp_native_answer
  LLVMValueRef rt, globals, global_marks, objects, seen;
  LLVMMetadataRef tags[TP_N_ALIASES], scope, none_of_ours, own_or_table;   // scopes: table; globals and counters; both
  LLVMMetadataRef unlikely;
  unsigned kind_tbaa, kind_scope, kind_noalias, kind_prof;
  unsigned attr_nounwind, attr_willreturn, attr_memory;
  LLVMValueRef *funcs;                                         // by function
  LLVMTypeRef *types, *results;
  // the function at hand
  tp_func func;
  LLVMValueRef fn, steps, bits, left_loc, left_edge, args, depth;         // depth: of callees
  LLVMBasicBlockRef *blocks, *again;                           // by location; again: the call there, made again
  LLVMBasicBlockRef leave, leave_own, *ways_out;               // ways_out: by location and reason, made when needed
  tp_native_local *locals;                                     // by slot
  bool is_large;                                               // variables stay in memory
  tp_loc here;                                                 // where a hard operation is left to the interpreter
} tp_emitter;

// emit_term.c
LLVMTypeRef tp_emit_type(const tp_emitter *e, tp_sort_kind kind, uint32_t width);
/* Leaves the code if the condition holds. */
void tp_emit_leave_if(tp_emitter *e, LLVMValueRef condition, tp_native_left reason);
void tp_emit_leave(tp_emitter *e, tp_native_left reason);                  // ends the block; a new one follows, unreachable
/* The value of a term. False: it cannot be computed here (then the code has been left). */
bool tp_emit_term(tp_emitter *e, const tp_snippet *sn, tp_native_value *out);
typedef enum { TP_EFFECT_NONE, TP_EFFECT_READ, TP_EFFECT_CONTENT, TP_EFFECT_OUTSIDE, TP_EFFECT_ARGS, TP_EFFECT_ALL } tp_emit_effect;
LLVMValueRef tp_emit_call(tp_emitter *e, const void *helper, LLVMTypeRef result, tp_emit_effect effect, LLVMValueRef *args, unsigned n);
LLVMValueRef tp_emit_load(tp_emitter *e, LLVMTypeRef type, LLVMValueRef at, tp_native_alias alias);
void tp_emit_store(tp_emitter *e, LLVMValueRef v, LLVMValueRef at, tp_native_alias alias);
LLVMValueRef tp_emit_field(tp_emitter *e, LLVMValueRef object, unsigned field);      // address in the table
LLVMValueRef tp_emit_shared(tp_emitter *e, unsigned field);
LLVMValueRef tp_emit_self(tp_emitter *e);                                  // the tp_native
static inline LLVMValueRef tp_emit_u64(const tp_emitter *e, uint64_t v) { return LLVMConstInt(e->i64, v, 0); }
static inline LLVMValueRef tp_emit_u32(const tp_emitter *e, uint32_t v) { return LLVMConstInt(e->i32, v, 0); }
LLVMValueRef tp_emit_word(tp_emitter *e, LLVMValueRef v);                  // its lowest 64 bits
void tp_emit_set(tp_emitter *e, uint32_t slot, bool is_global, tp_sort_kind kind, uint32_t width, tp_native_value v, uint32_t mark);
LLVMBasicBlockRef tp_emit_block(tp_emitter *e);

// emit.c
tp_status tp_emit_program(tp_emitter *e, tp_str *why) TP_MUST_USE;

#endif
