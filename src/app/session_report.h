/* What a session has to tell: the report of its attempt at hand, of the verdict or of a failure.
 *
 * What       the report without the files that are written, which the end of a run adds.
 * Ownership  it borrows from the session and its attempt. */
#ifndef TP_APP_SESSION_REPORT_H
#define TP_APP_SESSION_REPORT_H

#include "app/session.h"
#include "report/report.h"

tp_report tp_session_report(tp_session *s);

#endif
