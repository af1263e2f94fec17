/* Terms as C expressions that mean the same when they are read again.
 *
 * What       the inverse of expression/expression.h: names of variables, members and elements for
 *            memory cells, casts where C's own conversions would give something else.
 * Law        if a text comes out, tp_expression_read at the same place gives a value with exactly
 *            this term. It is tried: what does not come back as the same term is not spelled at
 *            all.
 * Limits     terms over temporaries, hidden variables, or widths that C has no type for cannot be
 *            spelled. */
#ifndef TP_EXPRESSION_EXPRESSION_PRINT_H
#define TP_EXPRESSION_EXPRESSION_PRINT_H

#include "program/program.h"

/* False: t has no spelling at this place; nothing is written. */
bool tp_expression_print(const tp_program *p, tp_loc at, tp_term t, tp_str *out);

#endif
