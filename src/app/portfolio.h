/* The search: engines side by side until one claim is confirmed.
 *
 * What       runs the turns of a schedule in workers, two at a time; hands the invariants that one
 *            proved to those that start later; has claims confirmed while the others are paused;
 *            ends the others when a verdict stands.
 * Law        only a confirmed claim becomes a verdict: TRUE by the certificate check, FALSE by
 *            replay. A claim that is not confirmed costs that worker's answer. All workers together
 *            stay within the budget; some of it is kept for checks. */
#ifndef TP_APP_PORTFOLIO_H
#define TP_APP_PORTFOLIO_H

#include "app/session.h"
#include "auto/schedule.h"

/* Leaves the verdict, or the best reason why there is none, in s->now, and what each engine found
 * in s->findings. */
void tp_portfolio_run(tp_session *s, const tp_schedule *schedule);

#endif
