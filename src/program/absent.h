/* Underspecified programs: functions, variables and inputs that the sources do not define.
 *
 * What       functions of the user's without body, variables that nothing defines, inputs that are
 *            declared otherwise than published: their positions, and rewritings of a program that
 *            keep the runs that do not depend on them.
 * Represents a proof considers every value that such a function or input may give. A failing run
 *            may depend on none of them: the user has perhaps forgotten a source file, and the
 *            value may be one that the missing code never gives.
 * Law        a test vector that leads the indeterminate program to an error without using an
 *            indeterminate bit leads the program to that error whatever the absent functions
 *            return. A failing run of the blocking program is a failing run of the program.
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

/* What a failing run may not depend on, beside values outside of input restrictions. */
typedef enum {
  TP_SCOPE_INPUTS,     // nothing else
  TP_SCOPE_FUNCTIONS,  // absent functions
  TP_SCOPE_RETENTION  // absent functions, which could keep or free the memory passed to them: where
                      // leaked memory is the failure
} tp_absent_scope;

/* Does the program have a part of this scope? */
bool tp_is_underspecified(const tp_program *p, tp_absent_scope scope);
/* The indeterminate program: results of absent functions are indeterminate; a call by which one of
 * them could write memory, and a call of one through a pointer, end the run; so do values outside
 * of an input restriction, with the input's name. */
void tp_absent_make_indeterminate(tp_program *p, tp_absent_scope scope);
/* The blocking program: a call of an absent function ends the run if its result is read or it could
 * write memory. */
void tp_absent_make_blocking(tp_program *p, tp_absent_scope scope);
/* A run that reaches this error location violates another property than `asked`, and ends there. */
void tp_exempt_error(tp_program *p, tp_loc error, tp_property asked);

#endif
