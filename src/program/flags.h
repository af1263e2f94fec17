/* Variables whose values can be kept apart, as there are few of them.
 *
 * What       flags: integers that only ever get constants, or values of other flags; indices:
 *            integers that get constants, or themselves and a constant, are compared with a
 *            constant, and are part of an address.
 * Law        a flag has finitely many values. Those of an index are as many as its comparisons let
 *            it have; nothing is promised. */
#ifndef TP_PROGRAM_FLAGS_H
#define TP_PROGRAM_FLAGS_H

#include "program/program.h"

/* By variable: is it a flag? p->vars.n entries. */
void tp_flags_find(const tp_program *p, bool *is_flag);
/* ... an index that is compared with a constant of at most `most`? */
void tp_indices_find(const tp_program *p, uint64_t most, bool *is_index);

#endif
