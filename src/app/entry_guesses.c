/* The first attempt stays open until another one is the answer. */
#include "app/entry_guesses.h"

#include "app/app_limits.h"
#include "app/entry_object.h"

static bool is_guess(tp_session *s) {
  tp_entry_object object;
  return tp_entry_find_object(s, &s->arena, &object) && object.is_guess;
}

/* The search without the failures that were set aside; of all attempts only the first and the last
 * stay. Returns how many rest on guesses. */
static uint32_t search_behind(tp_session *s) {
  uint32_t n = 0;
  while (n < TP_APP_GUESSED_FAILURES && is_guess(s) && !tp_budget_is_spent(&s->budget) &&
         !tp_process_interrupted()) {
    tp_session_set_aside(s);
    if (n++ > 0) tp_attempt_clear(&s->now);
    tp_session_start_round(s);
    tp_session_decide(s);
  }
  return n;
}

void tp_entry_pass_guesses(tp_session *s) {
  TP_REQUIRE(s && s->o);
  if (!is_guess(s)) return;
  const double limit_s = s->budget.limit_s, used_s = tp_budget_used_s();
  tp_attempt first = s->now;
  if (limit_s > 0) s->budget.limit_s = used_s + TP_APP_GUESSES_SHARE * (limit_s - used_s);
  const uint32_t n = search_behind(s);
  s->budget.limit_s = limit_s;
  if (n == 0) return;
  if (s->now.verdict == TP_VERDICT_FALSE && !is_guess(s)) {
    tp_attempt_clear(&first);
    s->more_text =
        tp_arena_printf(&s->arena,
                        "%sSet aside: %u failure%s elsewhere, which rest%s on how large an object "
                        "is of which nothing says it\n",
                        s->more_text ? s->more_text : "", n, n == 1 ? "" : "s", n == 1 ? "s" : "");
    return;
  }
  tp_attempt_clear(&s->now);
  s->now = first;
}
