/* Unit tests in C as they are: programs with a main, compiled with the module that they test and
 * run on the concrete machine.
 *
 * What       which coverage goals of the module the tests come to. Tests for cmocka get its
 *            assertions and its runner from lib/testing.
 * Represents goals of two models of the module, with the tests and with its environment, are the
 *            same if file, position, text and function are.
 * Limits     a run ends at the first test that fails, and where the machine has no model of what is
 *            called; what was met until then counts, and the remarks say where it ended.
 * Ownership  everything is borrowed. */
#ifndef TP_APP_C_TESTS_H
#define TP_APP_C_TESTS_H

#include "app/session.h"
#include "search/suite.h"

/* Does the path name C files: one, or a folder that has some? */
bool tp_c_tests_are(const char *path);
/* Do the tests (as above) include a header with this in its name? */
bool tp_c_tests_include(const char *path, const char *word);

typedef struct {
  const char *path;  // of the tests
  tp_goal_cover cover;
  const char *callee;  // of TP_COVER_CALLS
  // the module and what is linked with it, as given
  const char *const *files;
  size_t n_files;
} tp_c_tests;

/* Counts what the tests cover into the suite, as covered elsewhere. n_programs: how many were run;
 * remarks: a line for each that did not end well. False: one of them cannot be read, which has been
 * said. */
bool tp_c_tests_run(const tp_session *s, const tp_c_tests *t, tp_suite *suite, size_t *n_programs,
                    tp_str *remarks) TP_MUST_USE;

#endif
