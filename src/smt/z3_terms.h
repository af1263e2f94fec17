/* Lowered terms as Z3 expressions, and Z3 values as ours.
 *
 * Ownership  expressions live as long as the context, which is the caller's and not
 *            reference-counted (in a counted one only the last result is safe, so nested calls
 *            would be wrong).
 * Errors     a NULL result: Z3 refused; the context is to be thrown away. */
#ifndef TP_SMT_Z3_TERMS_H
#define TP_SMT_Z3_TERMS_H

#include "term/term.h"

#include <z3.h>

typedef struct {
  tp_terms *tt;
  Z3_context z;
  const bool *failed;  // set by the context's error handler
  TP_VEC(Z3_ast) of;   // by term id
  TP_VEC(tp_term) todo;
} tp_z3_terms;
void tp_z3_terms_init(tp_z3_terms *e, tp_terms *tt, Z3_context z, const bool *failed);
void tp_z3_terms_clear(tp_z3_terms *e);
Z3_ast tp_z3_term(tp_z3_terms *e, tp_term t);
Z3_sort tp_z3_sort(tp_z3_terms *e, tp_sort s);  // NULL: pointers, which are lowered away
/* A value from a model; false if it has a form that we do not read. */
bool tp_z3_value(tp_z3_terms *e, Z3_model m, tp_sort sort, Z3_ast value, tp_arena *arena,
                 tp_value *out);

#endif
