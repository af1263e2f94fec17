/* Functions of the program that change nothing and always return, read as terms.
 *
 * What       from the automaton of a function without loops, calls and side effects to the value
 *            that it returns, over its arguments, globals and memory cells.
 * Represents the same value that the function gives when it is run: the reader follows every way
 * through it.
 * Errors     TP_ERR_INPUT: what the function must not do, and where. */
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
