/* Parameters that every call gives the same address are that address.
 *
 * What       a parameter of pointer type that is never assigned, where all calls of the function
 *            pass the same constant: the address of a function (a callback) or of a static. Its
 *            reads become the constant, and kind, size and life of the object are decided.
 * Represents the same runs: the parameter has this value in every activation.
 * Applies to functions with a body whose address is used nowhere, but main and those that other
 *            files may call.
 * Requires   tp_program_finish before and, where the answer is true, after.
 * Cost       a pass over the edges for each round in which a parameter was found, as it may be
 *            passed on.
 * Source     interprocedural constant propagation (Callahan, Cooper, Kennedy, Torczon 1986). */
#ifndef TP_PROGRAM_CONSTANT_PARAMS_H
#define TP_PROGRAM_CONSTANT_PARAMS_H

#include "program/program.h"

/* False: nothing was changed. */
bool tp_program_set_constant_params(tp_program *p);

/* The term with kind, size and life of objects that exist from the start. */
tp_term tp_program_fold_statics(const tp_program *p, tp_term t);

/* is_exposed[f] becomes true where the address of function f stands in an object or is a value, so
 * that calls of it may come from where they are not seen. By function, filled in by the caller. */
void tp_program_find_exposed(const tp_program *p, bool *is_exposed);

#endif
