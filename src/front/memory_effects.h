/* Effects on memory: what evaluating an expression, or calling a function, reads and writes.
 *
 * What       a bit set of variables read and written, and whether the run may end.
 * Represents each variable with static storage has a bit by its hash; TP_MEMORY_POINTERS stands for
 *            all that pointers may lead to. Locals whose address stays in their function have none.
 * Ownership  effects of functions and of instructions are kept in the front end's arena.
 * Cost       each function's instructions are visited once per load. */
#ifndef TP_FRONT_MEMORY_EFFECTS_H
#define TP_FRONT_MEMORY_EFFECTS_H

#include "front/front_priv.h"

typedef struct {
  uint64_t reads, writes;
  bool ends, fails;  // the run may end silently, may violate the property
} tp_memory_effect;

#define TP_MEMORY_POINTERS (UINT64_C(1) << 63)
#define TP_MEMORY_ANYTHING ((tp_memory_effect){UINT64_MAX, UINT64_MAX, true, true})

static inline tp_memory_effect tp_memory_effect_both(tp_memory_effect a, tp_memory_effect b) {
  return (tp_memory_effect){a.reads | b.reads, a.writes | b.writes, a.ends || b.ends,
                            a.fails || b.fails};
}

LLVMValueRef tp_fe_root_object(LLVMValueRef p);  // without the offsets that are added to it

/* The bits of what p points to; 0 for a local whose address stays in its function, and for
 * constants. */
uint64_t tp_fe_place_of(tp_fe *fe, LLVMValueRef p);

/* What the instruction alone does, as callers of its function see it. */
tp_memory_effect tp_fe_own_effect(tp_fe *fe, LLVMValueRef inst);

/* What a call of f does, with all functions that it can reach; NULL: a call through a pointer. */
tp_memory_effect tp_fe_effect_of_function(tp_fe *fe, LLVMValueRef f);

/* The effect that is known of an instruction from now on. */
const tp_memory_effect *tp_fe_keep_effect(tp_fe *fe, LLVMValueRef v, tp_memory_effect e);

#endif
