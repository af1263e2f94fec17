/* Findings for editors and code review: SARIF 2.1.0.
 *
 * What       one run of the tool with one result: the failure with its rule, its notes, and the
 *            failing run as a code flow; without a failure a run without results. An UNKNOWN is a
 *            notification of the run, never a result.
 * Law        texts of programs and names of files stand as JSON strings and as URIs, so that none
 *            of them can end its place.
 * Source     OASIS Static Analysis Results Interchange Format 2.1.0; CWE numbers: cwe.mitre.org. */
#ifndef TP_REPORT_SARIF_H
#define TP_REPORT_SARIF_H

#include "report/report.h"

/* version: of the tool. limits, steps: of the failing run (report/error_path.h). */
void tp_report_sarif(const tp_report *r, const char *version, tp_run_limits limits, uint64_t steps,
                     tp_str *out);
/* The result of one failure alone, a JSON object without newline. */
void tp_report_sarif_result(const tp_report *r, tp_run_limits limits, uint64_t steps, tp_str *out);

#endif
