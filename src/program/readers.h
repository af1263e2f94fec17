/* Readers: which edges read a variable.
 *
 * What       for each variable the edges that have it in an operand or an argument; of the variable
 *            that a function's result is in, the calls of that function.
 * Use        what follows values against the order of edges (a fixpoint over a chain of n calls)
 *            visits each edge when something that it reads has changed, not n times.
 * Cost       linear in the operands.
 * Ownership  freed by clear. */
#ifndef TP_PROGRAM_READERS_H
#define TP_PROGRAM_READERS_H

#include "program/program.h"

typedef struct {
  uint32_t edge, next;  // of a list; 0: the end
} tp_reader;

typedef struct {
  uint32_t *first;  // by variable
  TP_VEC(tp_reader) list;
  TP_VEC(uint32_t) through_pointer;  // calls that may read the result of any function
} tp_readers;
void tp_readers_init(tp_readers *r, const tp_program *p);
void tp_readers_clear(tp_readers *r);

/* Adds the edges that read v to a worklist of edge ids. */
typedef TP_VEC(uint32_t) tp_edge_worklist;
void tp_readers_push(const tp_readers *r, tp_var v, tp_edge_worklist *todo);

#endif
