/* Explicit heaps as pictures: a box with fields for each cell, a box with variables for each
 * function.
 *
 * Represents null is the sign for ground; "?" an unknown value; numbers are written as in the
 *            program. Fields have the names of the type that a variable or a field leading
 *            there is declared with, if it has the cell's size; else their offsets. Variables that
 *            the user did not write are drawn only where they lead to a cell. Same bytes for the
 *            same heap. */
#ifndef TP_CPA_EXPLICIT_DRAW_H
#define TP_CPA_EXPLICIT_DRAW_H

#include "cpa/explicit.h"

void tp_explicit_draw(const tp_program *p, const tp_explicit_heap *heap, tp_str *out);

#endif
