/* What a call of a function may change.
 *
 * What       for each function: does a call of it, with everything that it calls, write memory
 *            (store, allocate, free, end of scope, input of bytes, a function without body), and
 *            which global variables does it assign; which of its parameters does its own body
 *            never assign.
 * Represents over-approximations of what changes: what is not named here is the same when the call
 *            returns as it was before. A call through a pointer may call every function whose
 *            address could be meant; it counts as changing everything.
 * Use        contracts: at a function's exit a parameter that is never assigned still has the value
 *            of the argument, and what the function does not change need not be said by its post.
 * Ownership  tp_effects_clear. Variables added later are not in it. */
#ifndef TP_PROGRAM_EFFECTS_H
#define TP_PROGRAM_EFFECTS_H

#include "program/program.h"

typedef struct {
  const tp_program *p;
  bool *writes_memory;  // by function
  uint32_t *bit;        // by variable: of a global or a ghost, from 1; else 0, which is never set
  uint64_t *assigns;    // by function: a row of n_words words, a bit for each global and ghost
  size_t n_words;
  bool *is_param_fixed;  // by variable: a parameter that its function never assigns
} tp_effects;
void tp_effects_init(tp_effects *x, const tp_program *p);
void tp_effects_clear(tp_effects *x);

static inline bool tp_effects_writes_memory(const tp_effects *x, tp_func f) {
  return x->writes_memory[f.id];
}
/* v: a global or a ghost. Ghosts change with memory. */
static inline bool tp_effects_assigns(const tp_effects *x, tp_func f, tp_var v) {
  const uint32_t bit = x->bit[v.id];
  return x->assigns[f.id * x->n_words + bit / 64] >> bit % 64 & 1;
}
static inline bool tp_effects_is_param_fixed(const tp_effects *x, tp_var v) {
  return x->is_param_fixed[v.id];
}

#endif
