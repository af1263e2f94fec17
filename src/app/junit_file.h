/* The file of --junit. */
#ifndef TP_APP_JUNIT_FILE_H
#define TP_APP_JUNIT_FILE_H

#include "app/options.h"
#include "report/junit.h"

/* Nothing without the option. False: the file cannot be written, which has been said. */
bool tp_write_junit(const tp_options *o, const tp_junit_suite *suite) TP_MUST_USE;

#endif
