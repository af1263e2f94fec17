/* Terms as C expressions that mean the same when they are read again.
 *
 * What       the inverse of expression/expression.h: names of variables, members and elements for
 *            memory cells, casts where C's own conversions would give another value.
 * Law        a text that is printed is read by tp_expression_read at the same location as exactly
 *            this term. This is tested on every call: a text that is not read back as the same term
 *            is not printed.
 * Limits     terms over temporaries, hidden variables, or widths that C has no type for have no C
 *            expression. */
#ifndef TP_EXPRESSION_EXPRESSION_PRINT_H
#define TP_EXPRESSION_EXPRESSION_PRINT_H

#include "program/program.h"

/* False: t has no spelling at this place; nothing is written. */
bool tp_expression_print(const tp_program *p, tp_loc at, tp_term t, tp_str *out);
/* The same with sums and products of unsigned numbers only: where the term wraps around, the text
 * does so, too, and is no overflow of C. What may have no meaning in a state, by a division or an
 * access that is invalid there, has no spelling: the text has a value wherever its variables do. */
bool tp_expression_print_total(const tp_program *p, tp_loc at, tp_term t, tp_str *out);

#endif
