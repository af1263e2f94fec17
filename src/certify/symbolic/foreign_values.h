/* Foreign values: what may be a pointer that the program did not make.
 *
 * What       a fixpoint over the edges of the program, without order and context: which variables,
 *            and whether memory, may hold a value that came from outside.
 * Sources    variables and objects that are declared and not defined, results of functions without
 *            body, volatile inputs: if they can be pointers; numbers count if the program makes
 *            pointers of numbers.
 * Flow       assignments, arguments, results, stores and loads; memory is one place. A variable
 *            that only decides a branch gives nothing.
 * Ownership  of_var is freed by clear.
 * Cost       an edge is visited again when something that it reads has become foreign.
 * Source     Denning 1976, explicit flows; the checker's own, no engine uses it. */
#ifndef TP_CERTIFY_SYMBOLIC_FOREIGN_VALUES_H
#define TP_CERTIFY_SYMBOLIC_FOREIGN_VALUES_H

#include "program/program.h"

typedef struct {
  const tp_program *p;
  uint8_t *of_var;  // by variable; NULL: none is
  bool in_memory;
} tp_chk_foreign;

void tp_chk_foreign_init(tp_chk_foreign *f, const tp_program *p);
void tp_chk_foreign_clear(tp_chk_foreign *f);

/* May the value of this term of an edge be foreign, or rest on one? NONE: no. */
bool tp_chk_is_foreign(const tp_chk_foreign *f, tp_term t);

#endif
