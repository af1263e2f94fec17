/* Injection: states that no run was in, made by changing one that a run was in.
 *
 * What       values of variables of any active frame, cells of memory, new objects, the place where
 *            the run goes on.
 * Represents a state as the machine could be in: its own invariants (tp_state_check) hold before
 *            and after. Frames are never made or removed: a state of the same calls is where one
 *            starts.
 * Errors     false: there is no such variable or cell; the state is unchanged. */
#ifndef TP_EXEC_INJECT_H
#define TP_EXEC_INJECT_H

#include "exec/exec.h"

/* A global, or a variable of the innermost active frame of its function; the value is determined.
 * False for ghosts. */
bool tp_inject_value(tp_state *s, tp_var v, tp_value value);
/* The bytes that a LOAD of this sort at the address reads. False where a STORE has no meaning. */
bool tp_inject_cell(tp_state *s, tp_value address, tp_sort sort, tp_value value);
/* A new object, all zero; one that is not live has ended. Its number; 0: the address space is used
 * up. */
uint32_t tp_inject_object(tp_state *s, tp_object_kind kind, uint64_t size_bytes, bool is_live);
/* The object was never one of the heap: it becomes a local of a scope that has ended. Pointers to
 * it dangle. False: it is no object of the heap. */
bool tp_inject_drop(tp_state *s, uint32_t object);
/* The top frame goes on at this location of its function. */
void tp_inject_loc(tp_state *s, tp_loc at);

#endif
