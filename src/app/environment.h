/* The environment of a function: a C program that calls it once, with any arguments of its types.
 *
 * What       a text that includes the file of the function, and a main in which numbers are free,
 *            pointers lead to objects of their type, and structures are filled as deep as asked.
 * Represents the calls that the assumptions describe, and no others: what holds in every run of the
 *            program holds for every such call. Everything that is not free is one of the
 *            assumptions.
 * Names      a number beside a pointer is a count of elements if its name says so (n, len, size);
 *            a wrong guess makes an environment with other calls than the user's, which is said.
 * Ownership  texts are appended to the caller's string, assumptions live in the caller's arena. */
#ifndef TP_APP_ENVIRONMENT_H
#define TP_APP_ENVIRONMENT_H

#include "program/program.h"

typedef struct {
  uint32_t depth;        // structures of one type inside of each other: cells of a list
  uint32_t elements;     // of an array or a string, at most
  bool has_null;         // every pointer may be null, too
  bool has_aliases;      // arguments of one type may be the same object
  bool has_any_globals;  // numbers in file-scope variables are free, else as initialised
} tp_environment_options;

typedef TP_VEC(const char *) tp_environment_assumptions;

/* The function's environment as C; file: what to include. NULL, or an obstacle, in the arena: this
 * function cannot be called ("its argument p has a type without definition"). */
const char *tp_environment_write(const tp_program *p, tp_func f, const char *file,
                                 const tp_environment_options *options, tp_arena *arena,
                                 tp_str *text, tp_environment_assumptions *assumptions);

/* The function of the verifier's that draws a value of a scalar type; NULL: none. */
const char *tp_input_function_of(const tp_type_info *t);
/* Declarations of these, of __VERIFIER_nondet_memory and of __VERIFIER_assume. */
extern const char tp_input_declarations[];

#endif
