/* A verdict: what the search says, unless it is a proof about runs with undefined behaviour. */
#include "app/session.h"

#include "app/undefined_search.h"
#include "report/open_operations.h"

/* Behind an operation without meaning the compiled program may do anything, errors included. A
 * proof that holds up to there is no verdict once a run is known that comes there; how two versions
 * of a function compare is asked for calls that have a meaning. */
static void withdraw_undefined(tp_session *s) {
  tp_undefined_run *run = &s->now.undefined;
  if (s->now.verdict != TP_VERDICT_TRUE || s->o->equal[0]) return;
  if (!run->found) *run = tp_undefined_search(s);
  if (!run->found) return;
  tp_str at = {0}, reason = {0};
  tp_pos_print(s->diag, run->pos, &at);
  tp_open_operations_reason(run->why, tp_str_text(&at), &reason);
  tp_session_give_up(s, "%s", tp_str_text(&reason));
  tp_str_clear(&at);
  tp_str_clear(&reason);
  s->now.result.verdict = TP_VERDICT_UNKNOWN;
  s->now.result.obstacle = (tp_obstacle){.kind = TP_OBSTACLE_UNDEFINED, .pos = run->pos};
}

void tp_session_decide(tp_session *s) {
  tp_session_search(s);
  withdraw_undefined(s);
}
