/* Pure functions of the program (no side effects, always return), read as terms.
 *
 * What       from the automaton of a function without loops, calls and side effects to the value
 *            that it returns, over its arguments, globals and memory cells.
 * Represents the value that the function returns when it is run: every path through the function is
 *            executed symbolically.
 * Errors     TP_ERR_INPUT: what makes the function impure, and where.
 * Source     King 1976 (symbolic execution). */
#ifndef TP_EXPRESSION_PURE_FUNCTION_H
#define TP_EXPRESSION_PURE_FUNCTION_H

#include "expression/c_value.h"

/* What makes f more than an expression: a loop, a call, a change of something. False: nothing does.
 */
bool tp_function_is_impure(const tp_program *p, tp_func f, tp_pos *where, const char **what);

/* The call f(arguments): loaded values that are converted as by assignment to the parameters. */
tp_status tp_pure_call(const tp_program *p, tp_func f, const tp_c_value *arguments, uint32_t n,
                       tp_c_value *out, tp_str *why) TP_MUST_USE;

#endif
