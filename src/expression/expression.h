/* C expressions over a program's variables, read as terms.
 *
 * What       the only parser of expressions that users write about a program: predicates,
 *            invariants. Expressions of C without side effects: names in scope
 *            (expression/scope.h), numbers, characters, NULL, casts, sizeof, members, indexing, all
 *            operators but assignments and the comma.
 * Also       queries that C does not have, about the object that a pointer leads to: object_size(p)
 *            and object_offset(p) in bytes, object_live(p), object_kind(p) (tp_object_kind),
 *            object_of(p), its number; and pure functions of the program
 *            (expression/pure_function.h), called with arguments.
 * Represents a value and the condition under which it is defined (expression/c_value.h).
 * Source     C11 6.5. */
#ifndef TP_EXPRESSION_EXPRESSION_H
#define TP_EXPRESSION_EXPRESSION_H

#include "expression/c_value.h"

typedef struct {
  uint32_t column;  // from 1
  tp_str why;       // what is wrong, what was expected
} tp_expression_error;

/* Errors: TP_ERR_INPUT; error (initialised by the caller) says what and where. */
tp_status tp_expression_read(const tp_program *p, tp_loc at, const char *text, tp_c_value *out,
                             tp_expression_error *error) TP_MUST_USE;

/* The expression as a predicate: true where it has a meaning and is not 0. */
tp_status tp_predicate_read(const tp_program *p, tp_loc at, const char *text, tp_term *out,
                            tp_expression_error *error) TP_MUST_USE;

#endif
