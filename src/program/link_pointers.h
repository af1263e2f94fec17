/* Pointers to links become a flag and a pointer to a cell.
 *
 * What       `struct node **at = &head; while (*at) at = &(*at)->next;`: a pointer to a pointer
 *            that leads to one fixed place (an object of the function, a static, what a parameter
 *            leads to) or to one member of cells, as every value it gets is the address of one of
 *            the two. In its place are a flag, "leads to the fixed place", and a pointer to the
 *            cell. Each location at which the pointer is read branches on the flag; behind it the
 *            address is that of the place, or of the member. So no pointer leads into the middle of
 *            a cell, and the fixed place may become a variable (program/promote.h).
 * Represents the same runs. The pointer's value is at all times the place's address where the flag
 *            is set, otherwise the cell's address plus the member's offset; a value of another
 *            origin (null, or read from memory) stays in the variable itself, with a third value
 *            of the flag.
 * Applies to variables of a type pointer to pointer, if the program allocates memory.
 * Requires   tp_program_finish before; the program is finished afterwards, too.
 * Source     a case of pointer-value splitting as in jump threading (program/thread.h). */
#ifndef TP_PROGRAM_LINK_POINTERS_H
#define TP_PROGRAM_LINK_POINTERS_H

#include "program/program.h"

/* False: nothing was changed. */
bool tp_program_split_link_pointers(tp_program *p);

#endif
