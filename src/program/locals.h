/* Variables by function.
 *
 * What       for each function its parameters, locals and temporaries; for function 0 the globals
 *            and ghosts.
 * Invariants those of function f are at[first[f]] .. at[first[f + 1] - 1], in order of their
 *            numbers.
 * Ownership  tp_locals_clear. Variables added later are not in it. */
#ifndef TP_PROGRAM_LOCALS_H
#define TP_PROGRAM_LOCALS_H

#include "program/program.h"

typedef struct {
  uint32_t *first;  // by function, one more at the end
  tp_var *at;
} tp_locals;
void tp_locals_init(tp_locals *l, const tp_program *p);
void tp_locals_clear(tp_locals *l);

#endif
