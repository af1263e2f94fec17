/* An UNKNOWN in three lines: why, where, what to do next.
 *
 * What       the headline, the place and the advice, from the kind of obstacle that the best
 * attempt met; for people who know C, not engines. All else that engines say is behind -v.
 * Ownership  texts are appended to the caller's strings. */
#ifndef TP_REPORT_UNKNOWN_H
#define TP_REPORT_UNKNOWN_H

#include "report/report.h"

/* Why a verdict is missing, as users see it: a claim that its evidence does not carry comes before
 * what an engine met. */
typedef enum {
  TP_UNKNOWN_INPUT,  // the input cannot be handled, or the run was interrupted: the reason says it
  TP_UNKNOWN_OPEN,   // a failing run that rests on what the program leaves open
  TP_UNKNOWN_CANDIDATE,  // a failing run that was not confirmed
  TP_UNKNOWN_PROOF,      // a proof that was not confirmed
  TP_UNKNOWN_OBSTACLE,   // no claim
} tp_unknown_subject;
tp_unknown_subject tp_unknown_subject_of(const tp_report *r);

/* "no failure in runs with up to 8 iterations of each loop, and no proof for longer runs", without
 * the position; one line. */
void tp_unknown_headline(const tp_report *r, tp_str *out);
/* "list.c:27:9: while (more()) {": the position that the headline is about, an error that could not
 * be excluded, or where most of the effort went, with the line of the source; empty: none. */
void tp_unknown_where(const tp_report *r, tp_str *out);
/* Of a run that was interrupted: what it had shown by then; empty: nothing. */
void tp_unknown_known(const tp_report *r, tp_str *out);
/* What the user can do (report/advice.c); empty: the reason says it. Whoever follows the options in
 * it, one answer after the other, comes to a verdict or to "no option of this tool is known to
 * help": no advice names an option that was given or that this run has tried. */
void tp_unknown_next(const tp_report *r, tp_str *out);

#endif
