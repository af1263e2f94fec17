/* Questions without arrays.
 *
 * What       reads of array symbols (ghosts, memory) become variables; of two reads of one array,
 *            equal places give equal values.
 * Represents the same question: arrays are only read, never written, so these equations are all
 *            there is to say of them. Bit-vectors alone are what solvers are quick with.
 * Law        leaving out an equation makes a question weaker: it can lose an answer, not make a
 *            wrong one. */
#ifndef TP_CERTIFY_SYMBOLIC_ACKERMANN_H
#define TP_CERTIFY_SYMBOLIC_ACKERMANN_H

#include "term/term.h"

typedef struct {
  tp_terms *tt;
  tp_map flat;     // term -> flat term
  tp_map cell_of;  // flat read -> its variable
  TP_VEC(uint32_t) todo;
} tp_chk_ackermann;
void tp_chk_ackermann_init(tp_chk_ackermann *f, tp_terms *tt);
void tp_chk_ackermann_clear(tp_chk_ackermann *f);
/* t with a variable for each read. Arrays occur under SELECT only. */
tp_term tp_chk_ackermann_reduce(tp_chk_ackermann *f, tp_term t);

#endif
