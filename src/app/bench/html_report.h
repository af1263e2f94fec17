/* A run of bench, or two, as one HTML file.
 *
 * What       totals, a quantile plot (how many tasks are decided within which time), a scatter plot
 *            of CPU time against another run, a table by class and one of all tasks, with links to
 *            the definitions. Plots are SVG inside the file; nothing is loaded from elsewhere. */
#ifndef TP_APP_BENCH_HTML_REPORT_H
#define TP_APP_BENCH_HTML_REPORT_H

#include "app/bench/run_store.h"

/* b, label_b: the run to compare with, or NULL. Appends the file's text. */
void tp_bench_html(tp_bench_store *a, const char *label_a, tp_bench_store *b, const char *label_b,
                   tp_str *out);

#endif
