/* What a program leaves to functions, variables and inputs that nobody has stated.
 *
 * What       functions of the user's without body, variables that nothing defines, inputs that are
 *            declared otherwise than published: where they are, and rewritings of a program for the
 *            part of its runs that do not rest on them.
 * Represents a proof considers every value that such a function or input may give. A failing run
 * may rest on none of them: the user
 *            has perhaps forgotten a source file, and the value may be one that the missing code
 *            never gives.
 * Law        a vector of inputs that leads the doubting program to an error without using an
 *            indeterminate bit leads the program to it whatever the absent functions return. A
 *            failing run of the stopping program is a failing run of the program.
 * Rewriting  is in place, for a process that needs the program for nothing else. */
#ifndef TP_PROGRAM_ABSENT_H
#define TP_PROGRAM_ABSENT_H

#include "program/program.h"

/* Is this the name of a function that is TP_ABSENT? */
bool tp_is_absent(const tp_program *p, const char *name);
/* The first call by name, or the declaration. */
tp_pos tp_absent_pos(const tp_program *p, tp_func f);
/* Names of variables that are TP_ABSENT, in order: up to `most`, which `out` has room for; the
 * number of all. */
size_t tp_absent_variables(const tp_program *p, const char **out, size_t most);

/* What counts as open beside input_restrictions. */
typedef enum {
  TP_SCOPE_INPUTS,     // nothing
  TP_SCOPE_FUNCTIONS,  // absent functions
  TP_SCOPE_RETENTION   // these, and that they could keep or free what they are given: where lost
                       // memory is the failure
} tp_absent_scope;

bool tp_is_underspecified(const tp_program *p, tp_absent_scope what);
/* The doubting program: results of absent functions are indeterminate; a call by which one of them
 * could write memory, and a call of one through a pointer, end the run; so do values outside of a
 * narrowing, with its name. */
void tp_absent_make_indeterminate(tp_program *p, tp_absent_scope what);
/* The stopping program: a call of an absent function ends the run if its result is read or it could
 * write memory. */
void tp_absent_make_blocking(tp_program *p, tp_absent_scope what);

#endif
