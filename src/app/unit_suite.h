/* The suite of a module as unit tests: one C file that includes the module.
 *
 * What       a C file with a function for each test, which makes the arguments, makes the call and
 *            asserts what the call did on the concrete machine: its result, and every number and
 *            pointer that it changed in objects of the test and in file-scope variables.
 * Represents tests of the suite, which are runs of a module's environment (app/environment.h). The
 *            state in front of the call is written as declarations of the types of the module.
 * Limits     runs that end within the call, that ask the system for something, or whose state has
 * no form in C (literals of other functions, static variables of functions, types without names)
 * have no unit test: they stay programs of their own. Ownership  everything is borrowed.
 * Source     tests of what a function does today: Feathers 2004 (characterisation tests). */
#ifndef TP_APP_UNIT_SUITE_H
#define TP_APP_UNIT_SUITE_H

#include "search/suite.h"

typedef struct {
  const char *module;       // its file
  const char *environment;  // the path of the source that calls it
  const char *stubs;        // functions that arguments lead to; see tp_environment_write_module
  bool is_cmocka;           // else assert.h
} tp_unit_suite;

/* The text of that file. names: by test of the suite the name of its function, in `arena`, or NULL.
 * Returns how many have one. */
size_t tp_unit_suite_print(const tp_unit_suite *u, const tp_suite *s, tp_arena *arena,
                           const char **names, tp_str *out);

#endif
