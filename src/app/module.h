/* Modules: C files without main, and the most general program that uses one.
 *
 * What       writes a client in C: makes the module's objects, then calls its functions in any
 *            order, with any arguments, without end.
 * Represents a module has handles (structs that functions of it return or initialise), functions
 * that take them, and file-scope state. What
 *            holds in every run of the client holds for every user who keeps to what is said in
 *            `assumptions`.
 * Ends       every way out of the client calls the destructor, once; without one the object stays
 *            reachable. What is lost, the module lost.
 * Failures   that are not the module's own end the run (they are no error): memory that cannot be
 *            had, requests beyond PTRDIFF_MAX (a negative capacity), constructors that return null.
 * Source     Yorsh, Ball, Sagiv 2006, sec. 5 (unit testing mode: all methods on all exit states);
 *            an exception that is not tracked has no normal successor, so it leads nowhere. */
#ifndef TP_APP_MODULE_H
#define TP_APP_MODULE_H

#include "app/session.h"
#include "adequacy/adequacy.h"

typedef enum { TP_MODULE_MAKES, TP_MODULE_USES, TP_MODULE_ENDS } tp_module_role;
typedef struct {
  const char *name;
  tp_module_role role;
} tp_module_function;
typedef struct {
  char *file;          // its path, resolved
  const char *handle;  // "struct stack"; NULL: the state is in file-scope variables
  TP_VEC(tp_module_function) functions;  // that the client calls
  tp_arena arena;
} tp_module;
void tp_module_init(tp_module *m);
void tp_module_clear(tp_module *m);

/* What names say of functions that take an object: is one called init or setup; is one called free,
 * destroy, close, ... at its start or its end? */
bool tp_module_is_named_init(const char *name);
bool tp_module_is_named_end(const char *name);
/* Does C text have the word in front of a parenthesis, outside of comments and literals? */
bool tp_module_names_function(const char *text, const char *word);

/* Is the only file given one without a function main, as far as its text says? */
bool tp_module_is_one(const tp_options *o);
/* Write the client of the functions that o->module names to a temporary file that includes the
 * module, and have sessions read that. Errors: there is no client, which has been said; those of
 * the front end. */
tp_status tp_module_prepare(tp_options *o, tp_diag *diag, tp_arena *arena, tp_module *m);

/* The calls of the failing run as a C program of its own that includes the module. False: no call
 * was made. */
bool tp_module_failing_calls(const tp_session *s, const tp_module *m, tp_str *out);

/* A unit test for the missed abstract state that is the number-th in the report. */
typedef struct {
  uint32_t number;
  tp_str text;
} tp_unit_test;
typedef TP_VEC(tp_unit_test) tp_unit_tests;
/* Of a module: C programs that include it. Of a program (m NULL): inputs, where a run is known.
 * Texts are the caller's. */
void tp_unit_tests_of_missed(const tp_module *m, const tp_adequacy_report *r, const tp_diag *diag,
                             tp_unit_tests *out);

/* What holds between calls, of a closed answer about the client: as lines for people, and as a
 * header with an assertion and a contract for each function. False: nothing is known. */
bool tp_module_print_invariant(const tp_module *m, const tp_adequacy_report *r, tp_str *lines,
                               tp_str *header);

#endif
