/* A bounded answer: which part of the program it speaks about.
 *
 * What       what the headline adds where the runs within the bound come to no check at all; lines
 *            about the checks that they come to, about where the bound cuts runs off, and about the
 *            larger bound to ask for.
 * Ownership  texts are appended to the caller's strings. */
#ifndef TP_REPORT_BOUNDED_H
#define TP_REPORT_BOUNDED_H

#include "report/report.h"

/* ", but none of these runs comes to a check", or nothing; requires: r->bound. */
void tp_bounded_headline(const tp_report *r, tp_str *out);
/* Lines "  reached: ...", "  cut: ...", "  next: ...", each with its end; none without checks. */
void tp_bounded_lines(const tp_report *r, tp_str *out);

#endif
