/* Values with C types: the operators of C on terms.
 *
 * What       the conversions, arithmetic, comparisons and accesses of C 6.3 and 6.5 over terms, for
 *            expressions without side effects.
 * Represents a value, and the condition under which it is defined: accesses inside of live objects,
 *            divisors that are not 0, shifts by less than the width.
 * Errors     TP_ERR_INPUT with one line in `why`.
 * Source     C11 6.3, 6.5. */
#ifndef TP_EXPRESSION_C_VALUE_H
#define TP_EXPRESSION_C_VALUE_H

#include "program/program.h"

/* Integers and floats are identified by width and signedness; pointers and aggregates by the
 * program's types. */
typedef struct {
  tp_type_kind kind;  // BOOL, INT, FLOAT, POINTER, ARRAY, STRUCT, UNION, FUNCTION, VOID
  uint32_t width;     // bits; BOOL: 1
  bool is_signed;
  tp_type
      type;  // POINTER: what it points to, NONE: unknown or void; others: the type itself or NONE
} tp_c_type;

typedef struct {
  tp_c_type type;
  tp_term value;    // scalars; BOOL: sort Bool; NONE: not read yet, or an aggregate
  tp_term address;  // lvalues in memory, else NONE
  tp_term defined;  // Bool
} tp_c_value;

tp_c_type tp_c_type_int(uint32_t width, bool is_signed);
tp_c_type tp_c_type_of(const tp_program *p, tp_type type);
/* "int", "struct list *": for messages. */
void tp_c_type_print(const tp_program *p, tp_c_type t, tp_str *out);

tp_c_value tp_c_value_of(const tp_program *p, tp_c_type type, tp_term value);
tp_c_value tp_c_value_at(const tp_program *p, tp_c_type type, tp_term address, tp_term defined);
/* An lvalue becomes its value, an array or function the address of itself. */
tp_status tp_c_value_load(const tp_program *p, tp_c_value *v, tp_str *why) TP_MUST_USE;

typedef enum {
  TP_C_MUL,
  TP_C_DIV,
  TP_C_REM,
  TP_C_ADD,
  TP_C_SUB,
  TP_C_SHL,
  TP_C_SHR,
  TP_C_LT,
  TP_C_GT,
  TP_C_LE,
  TP_C_GE,
  TP_C_EQ,
  TP_C_NE,
  TP_C_AND,
  TP_C_XOR,
  TP_C_OR,
  TP_C_AND_AND,
  TP_C_OR_OR
} tp_c_binary;
tp_status tp_c_binary_of(const tp_program *p, tp_c_binary op, tp_c_value a, tp_c_value b,
                         tp_c_value *out, tp_str *why) TP_MUST_USE;
/* op: one of + - ~ ! * & */
tp_status tp_c_unary(const tp_program *p, char op, tp_c_value a, tp_c_value *out,
                     tp_str *why) TP_MUST_USE;
tp_status tp_c_conditional(const tp_program *p, tp_c_value c, tp_c_value a, tp_c_value b,
                           tp_c_value *out, tp_str *why) TP_MUST_USE;
tp_status tp_c_cast(const tp_program *p, tp_c_type to, tp_c_value a, tp_c_value *out,
                    tp_str *why) TP_MUST_USE;
tp_status tp_c_member(const tp_program *p, tp_c_value a, const char *name, tp_c_value *out,
                      tp_str *why) TP_MUST_USE;
/* a != 0, as a condition. */
tp_status tp_c_condition(const tp_program *p, tp_c_value a, tp_c_value *out,
                         tp_str *why) TP_MUST_USE;

/* Does an access of n bytes at `address` lie in a live object? */
tp_term tp_access_is_valid(const tp_program *p, tp_term address, uint64_t n);
/* Do all operations of t have a meaning (no division by zero, no shift past the width), provided
 * that its variables do? */
tp_term tp_operations_are_defined(const tp_program *p, tp_term t);

#endif
