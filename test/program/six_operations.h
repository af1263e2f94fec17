/* The six operations of the thesis, as a typed view of edges.
 *
 * What       s = e, s1 = s2, s1 = s2->f, s1->f = s2, s = malloc(), assume(p): an edge that has one
 *            of these forms is seen as that operation, and the thesis's typing rules can be asked.
 *            Everything else is OTHER; analyses built on the six operations treat it as havoc.
 * Represents T(s): int, or pointer to one structure; a structure stands for the set of its fields,
 *            as fields of different structures are different. A member of a nested structure is a
 *            field of the outer one, named by its offset.
 * Source     Theoduloz 2010, sec. 2.1.1. We differ: there is a null constant nil, copied, stored
 *            and compared like a variable of any pointer type; a store may take an integer
 *            expression on the right (the thesis's own example does); integers are machine integers
 *            of several widths, and comparisons come signed and unsigned; skip is assume(true). */
#ifndef TP_TEST_SIX_OPERATIONS_H
#define TP_TEST_SIX_OPERATIONS_H

#include "program/pointsto.h"

typedef enum {
  TP_SIX_OTHER,
  TP_SIX_ASSIGN,  // s1 = e
  TP_SIX_COPY,    // s1 = s2
  TP_SIX_LOAD,    // s1 = s2->f
  TP_SIX_STORE,   // s1->f = s2, or s1->f = e
  TP_SIX_MALLOC,  // s1 = malloc()
  TP_SIX_ASSUME   // assume(e)
} tp_six_kind;

typedef struct {
  tp_six_kind kind;
  tp_var s1, s2;      // s2 NONE in COPY and STORE: nil, or e
  tp_term e;          // ASSIGN, ASSUME, STORE of an expression
  tp_type structure;  // LOAD, STORE: what the pointer is declared to point to
  uint64_t offset;    // of the field, bytes
  tp_type field;      // its type
} tp_six_op;

/* classes: may be NULL. With it, a load or store counts as a field access only if the class of its
 * address holds this one structure and nothing else. */
tp_six_op tp_six_of(const tp_program *p, const tp_pointsto *classes, tp_edge e);
/* NULL, or the typing rule that the operation breaks. OTHER has no rule. */
const char *tp_six_type_fault(const tp_program *p, const tp_six_op *op);
/* "p->next = t" */
void tp_six_print(const tp_program *p, const tp_six_op *op, tp_str *out);

#endif
