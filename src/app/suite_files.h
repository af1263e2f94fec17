/* The files of a suite of tests in a folder.
 *
 * What       metadata.xml; for each test N test-N.txt (all inputs), test-N.xml (Test-Comp) and
 *            test-N.c (a harness that is compiled with the program); coverage.txt: each goal with
 *            what is known of it. Tests whose run fails are named fails-N.
 * Ownership  nothing is kept. */
#ifndef TP_APP_SUITE_FILES_H
#define TP_APP_SUITE_FILES_H

#include "app/session.h"
#include "search/suite.h"

/* What is known of a goal. */
typedef enum { TP_GOAL_OPEN, TP_GOAL_COVERED, TP_GOAL_DEAD } tp_goal_status;

typedef struct {
  tp_goal_status status;
  size_t certificate;  // DEAD: its number
} tp_goal_answer;

/* "fails-3" or "test-3", for test i. */
const char *tp_suite_test_name(const tp_suite *s, size_t i, tp_arena *arena);
/* A line: status, position, text, and with `tests` the tests that cover it. */
void tp_goal_print(const tp_suite *s, const tp_goal_answer *answers, size_t goal, bool tests,
                   tp_str *out);
/* Writes all files. False: one could not be written, which has been said. */
bool tp_suite_write(tp_session *session, const tp_suite *s, const tp_goal_answer *answers,
                    const char *const *certificates, size_t n_certificates) TP_MUST_USE;

/* Another file of the folder. False: as above. */
bool tp_suite_write_file(const tp_session *session, const char *name,
                         const tp_str *text) TP_MUST_USE;

#endif
