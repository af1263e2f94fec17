/* Several properties of one program, one after the other.
 *
 * What       each property is checked by a process of its own, with its own limits and its own
 *            finding; the exit status is that of the worst. What a proof takes to be valid, another
 *            property may show to fail: a TRUE that rests on operations is printed when the
 *            properties behind it are verified, and says so (report/open_operations.h). */
#ifndef TP_APP_SEVERAL_H
#define TP_APP_SEVERAL_H

#include "app/options.h"
#include "report/report.h"

/* Splits --property at its commas, or takes those of --all; names live in the options' arena. */
size_t tp_several_properties(tp_options *o, const char *const **out);
/* In the process of a property, before the answer is printed: writes what others need of it. */
void tp_several_leave_finding(struct tp_shared_finding *to, const tp_report *r);
/* Runs `check` for each of the n properties in a process of its own. Evidence and statistics of a
 * property go to DIR/PROPERTY and FILE.PROPERTY. Returns the exit status. */
int tp_several_check(tp_options *o, const char *const *properties, size_t n,
                     int (*check)(tp_options *o));
/* The worse of two exit statuses: what went wrong with the tool counts most, then a failure of the
 * program. */
int tp_several_worse(int a, int b);

#endif
