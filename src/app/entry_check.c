/* Each step is a session of its own, whose files stand in place of those of the command line. */
#include "app/entry_check.h"

#include "app/app_limits.h"
#include "app/entry_load.h"
#include "app/entry_made.h"
#include "app/entry_returns.h"
#include "app/failures.h"
#include "app/precondition.h"

int tp_entry_conclude(tp_session *s, const tp_hints *hints, int status) {
  TP_REQUIRE(s && hints);
  if (status == 0) {
    tp_hints_answer(hints, s);
    tp_failures_collect(s);
    tp_entry_find_returns(s);
  }
  tp_heartbeat_erase(&s->budget.heartbeat);
  return tp_conclude_and_clear(s, status);
}

static void name_files(tp_options *o, const char *const *files) {
  for (size_t i = 0; i < o->files.n; i++) o->files.at[i] = files[i];
}

/* Structures that at most so many calls have changed, in a session of its own. False: the module
 * makes none. */
static bool decide_by_calls(tp_session *s, tp_options *o, uint64_t operations, double share,
                            tp_hints *hints) {
  const double used_s = tp_budget_used_s(),
               left_s = o->timelimit > used_s ? o->timelimit - used_s : 0;
  tp_session_init(s, o);
  o->operations = operations;
  s->budget.limit_s = used_s + share * (o->timelimit > 0 ? left_s : TP_APP_MADE_S);
  if (tp_entry_load(s, o, TP_ENTRY_BY_CALLS) != 0) return false;
  tp_entry_decide(s, hints);
  return true;
}

/* The session's program stands where the evidence is again, in place of one that was made later. */
static void write_again(tp_session *s, tp_options *o, const char *const *files) {
  tp_environment_assumptions known = {0};
  name_files(o, files);
  const tp_status st = tp_entry_prepare(o, TP_ENTRY_BY_CALLS, s->diag, &s->arena, &known);
  if (st != TP_OK) s->output_failed = true;
  tp_vec_clear(&known);
}

/* Without operations first: that is cheap, and is the answer where the search with operations has
 * none. Returns the session with the answer, one of the two; NULL: the module makes no structure.
 */
static tp_session *decide_made(tp_session *made, tp_session *changed, tp_options *o,
                               tp_hints *hints, const char *const *files) {
  const uint64_t operations = o->operations;
  name_files(o, files);
  if (!decide_by_calls(made, o, 0, operations ? TP_APP_MADE_SHARE : TP_APP_CHANGED_SHARE, hints)) {
    tp_session_clear(made);
    o->operations = operations;
    return NULL;
  }
  if (operations == 0 || made->now.verdict == TP_VERDICT_FALSE) return made;
  name_files(o, files);
  const bool is_read = decide_by_calls(changed, o, operations, TP_APP_CHANGED_SHARE, hints);
  if (is_read &&
      (changed->now.verdict != TP_VERDICT_UNKNOWN || made->now.verdict == TP_VERDICT_UNKNOWN))
    return changed;
  tp_session_clear(changed);
  o->operations = 0;
  write_again(made, o, files);
  return made;
}

int tp_entry_check_again(tp_session *by_types, tp_options *o, tp_hints *hints,
                         const char *const *files, const char **of_types) {
  TP_REQUIRE(by_types && o && hints && files && of_types);
  for (size_t i = 0; i < o->files.n; i++) of_types[i] = o->files.at[i];
  tp_session made, changed, *answer = decide_made(&made, &changed, o, hints, files);
  if (answer) tp_entry_made_answer(answer, by_types);
  tp_session *const shown = answer ? answer : by_types;
  const char **now = TP_NEW_ARRAY(const char *, o->files.n + 1);
  for (size_t i = 0; i < o->files.n; i++) now[i] = answer ? o->files.at[i] : of_types[i];
  if (shown->now.verdict != TP_VERDICT_TRUE) tp_precondition_find(by_types, shown, o, hints, files);
  name_files(o, now);
  tp_free(now);
  const int status = tp_entry_conclude(shown, hints, 0);
  if (answer == &changed) tp_session_clear(&made);
  if (answer) tp_session_clear(by_types);
  return status;
}
