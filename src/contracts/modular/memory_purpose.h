/* What memory is for: the type of what an allocation makes, from how its address is used.
 *
 * What       the declared type where there is one; else the type of the pointers that the address
 *            is assigned to, stored in or returned as; else that of the struct whose members are
 *            accessed in that memory; for structs by value those of the calls that pass them.
 * Errors     TP_TYPE_NONE where nothing says it, or two uses differ. A type that is wrong is no
 *            danger: an access of another type is refused where it happens. */
#ifndef TP_CONTRACTS_MODULAR_MEMORY_PURPOSE_H
#define TP_CONTRACTS_MODULAR_MEMORY_PURPOSE_H

#include "program/program.h"

/* alloc: an edge of the program that allocates. */
tp_type tp_memory_purpose(const tp_program *p, tp_edge alloc);

#endif
