/* The files in the directory of --output: one table, a row a file.
 *
 * What       which answers have which file, and who writes its text.
 * Errors     a file that cannot be written is named on standard error. */
#ifndef TP_APP_OUTPUT_FILES_H
#define TP_APP_OUTPUT_FILES_H

#include "app/session.h"
#include "report/report.h"

/* All files that this answer has; those of earlier runs with other answers stay. Without --output
 * nothing is done. Returns whether everything was written. */
bool tp_output_files_write(const tp_session *s, const tp_report *r);

#endif
