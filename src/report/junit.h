/* Results as JUnit XML, which build servers read.
 *
 * What       one suite of cases, each with an outcome and a message.
 * Law        texts of programs cannot end their place: markup is escaped, characters that XML does
 *            not know stand as '?'.
 * Ownership  a suite borrows the texts of its cases until it is printed.
 * Source     the schema of the Apache Ant JUnit task, as Jenkins and GitLab read it. */
#ifndef TP_REPORT_JUNIT_H
#define TP_REPORT_JUNIT_H

#include "base/base.h"

typedef enum {
  TP_JUNIT_PASSED,
  TP_JUNIT_FAILED,   // a defect of the program was found
  TP_JUNIT_ERROR,    // it could not be found out
  TP_JUNIT_SKIPPED,  // nothing was found, and nothing is wrong
  TP_N_JUNIT_OUTCOMES
} tp_junit_outcome;

typedef struct {
  const char *name, *file, *message;  // message: NULL or "" without
  tp_junit_outcome outcome;
} tp_junit_case;

typedef struct {
  const char *name;
  TP_VEC(tp_junit_case) cases;
} tp_junit_suite;

void tp_junit_print(const tp_junit_suite *s, tp_str *out);

#endif
