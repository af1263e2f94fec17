/* The file report.html of --output: what the session knows, for report/page.h.
 *
 * What       options that were given, the failing run's limits, pictures of heaps as Graphviz draws
 *            them, where it is installed. */
#ifndef TP_APP_REPORT_PAGE_H
#define TP_APP_REPORT_PAGE_H

#include "app/session.h"
#include "report/page.h"

/* All options of the command with their values, in the arena. */
void tp_report_page_options(const tp_options *o, tp_arena *arena, tp_page_options *out);
void tp_report_page_write(const tp_session *s, const tp_report *r, tp_str *out);
/* The file proof.json: invariants, contracts and bounds of the page alone. */
void tp_report_proof_write(const tp_session *s, const tp_report *r, tp_str *out);

#endif
