/* Memory cells in terms: what an address holds, as a term.
 *
 * What       cell(sort, p) is SELECT(memory_sort, p), where memory_sort is a symbol of sort
 *            ARRAY(PTR -> sort), one per sort, made with the program.
 * Represents the value that a LOAD of that sort at p would give. Memory is total: an address
 *            outside of every object, or in an ended object, has some value too; a LOAD from such
 *            an address has no meaning anyway.
 * Use        invariants, certificates, exchanged facts. Edges never contain cells: they use LOAD
 *            and STORE. */
#ifndef TP_PROGRAM_CELLS_H
#define TP_PROGRAM_CELLS_H

#include "program/program.h"

/* sort: BOOL, BV of 8, 16, 32, 64 or 128 bits, FP, PTR; NONE for others. */
tp_term tp_cell(const tp_program *p, tp_sort sort, tp_term ptr);
/* Is t a cell? Then its address; the sort is t's own. */
bool tp_is_cell(const tp_program *p, tp_term t, tp_term *ptr);
/* Is t one of the memory symbols themselves? Then the sort of its cells. */
bool tp_is_memory(const tp_program *p, tp_term t, tp_sort *sort);
/* tp_state_eval (exec/) evaluates a term that may contain cells in a concrete state. */

#endif
