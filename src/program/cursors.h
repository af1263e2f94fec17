/* Cursors: variables and cells of memory that step through objects.
 *
 * What       a variable is a cursor if some edge makes its new value of its old one alone (i = i +
 * 1, s = s + 1), or it gets a value made of such a one, and if an address is made of it. The same
 * for numbers and pointers in memory, where the two halves are edges: stores that step a cell,
 * loads of what addresses are made of. Which cells those are a symbolic execution knows. Represents
 * a suggestion, by the text of the program: parsers and scanners decide by their cursors which byte
 * comes next, so that states that differ in them are better kept apart than joined. Nothing may
 * rest on it. Cost       a few rounds over the edges. Ownership  tp_cursors_clear. */
#ifndef TP_PROGRAM_CURSORS_H
#define TP_PROGRAM_CURSORS_H

#include "program/program.h"

typedef struct {
  bool *is_cursor;  // by variable
  bool *steps;      // by edge: a STORE of what was loaded from the same address, changed
  bool *indexes;    // by edge: a LOAD of what an address is made of
} tp_cursors;
void tp_cursors_init(tp_cursors *c, const tp_program *p);
void tp_cursors_clear(tp_cursors *c);

#endif
