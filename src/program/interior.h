/* Which pointers may be interior pointers: lead into an object, not to its start.
 *
 * What       for each points-to class: may a pointer value into it be other than the start of an
 *            object?
 * Represents a may-relation over the whole program: in a class without interior
 *            pointers every pointer value is null, a number, or an address at offset 0.
 * Ownership  a snapshot of a finished program; borrows it and its points-to classes. */
#ifndef TP_PROGRAM_INTERIOR_H
#define TP_PROGRAM_INTERIOR_H

#include "program/pointsto.h"

typedef struct tp_interior tp_interior;
tp_interior *tp_interior_new(const tp_program *p, const tp_pointsto *pt);
void tp_interior_free(tp_interior *h);
/* May the value of the address, as far as it is a variable, be other than an object's start?
 * Addresses are those of pointsto.h. */
bool tp_may_be_interior(const tp_interior *h, tp_term address);

#endif
