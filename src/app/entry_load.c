/* The program of an entry stands in place of the file that it includes, then the session reads it.
 */
#include "app/entry_load.h"

#include "app/entry_made.h"

int tp_entry_load(tp_session *s, tp_options *o, tp_entry_arguments how) {
  TP_REQUIRE(s && o && o->entry[0]);
  tp_environment_assumptions assumptions = {0};
  s->bad_input = true;
  tp_session_give_up(s, "there is no call of %s", o->entry);
  const tp_status st = tp_entry_prepare(o, how, s->diag, &s->arena, &assumptions);
  const int status = st == TP_OK ? tp_session_load(s) : tp_session_cannot_load(s, st);
  if (status == 0 && how == TP_ENTRY_BY_CALLS) tp_entry_restrict(s);
  tp_entry_assume(s, &assumptions);
  tp_vec_clear(&assumptions);
  return status;
}

tp_entry_arguments tp_entry_first_arguments(const tp_options *o) {
  return strcmp(o->arguments, "calls") == 0 ? TP_ENTRY_BY_CALLS : TP_ENTRY_BY_TYPES;
}

void tp_entry_decide(tp_session *s, tp_hints *hints) {
  TP_REQUIRE(s && hints);
  tp_hints_offer(hints, s);
  tp_session_decide(s);
}
