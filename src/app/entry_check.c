/* Each step is a session of its own, whose files stand in place of those of the command line. */
#include "app/entry_check.h"

#include "app/app_limits.h"
#include "app/entry_load.h"
#include "app/entry_made.h"
#include "app/entry_object.h"
#include "app/entry_returns.h"
#include "app/failures.h"
#include "app/precondition.h"
#include "app/structure_search.h"

int tp_entry_conclude(tp_session *s, const tp_hints *hints, int status) {
  TP_REQUIRE(s && hints);
  if (status == 0) {
    tp_hints_answer(hints, s);
    tp_entry_say_object(s);
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

/* Structures that have the invariant of those that the module makes. True: a proof. made: the
 * session that is open, which does not count what the search keeps. */
static bool decide_by_invariant(tp_session *s, tp_session *made, tp_options *o, tp_hints *hints,
                                const char *const *files, tp_structure_search *search) {
  const double used_s = tp_budget_used_s(),
               left_s = o->timelimit > 0 ? o->timelimit - used_s : TP_APP_MADE_S,
               end_s = used_s + TP_APP_STRUCTURE_SHARE * left_s;
  const size_t before = tp_live_bytes();
  const tp_structure_finding *found = tp_structure_search_found(search);
  name_files(o, files);
  tp_structure_search_infer(search, end_s);
  made->live_before += tp_live_bytes() - before;
  if (found->obstacle) return false;
  name_files(o, files);
  tp_session_init(s, o);
  s->budget.limit_s = end_s;
  o->structures = &found->structures;
  const bool is_read = tp_entry_load(s, o, TP_ENTRY_BY_CALLS) == 0;
  o->structures = NULL;
  if (is_read) tp_entry_decide(s, hints);
  if (is_read && s->now.verdict == TP_VERDICT_TRUE) return true;
  tp_session_clear(s);
  tp_structure_search_give_up(search, "it is not enough for a proof");
  return false;
}

/* The session's program stands where the evidence is again, in place of one that was made later. */
static void write_again(tp_session *s, tp_options *o, const char *const *files) {
  tp_environment_assumptions known = {0};
  name_files(o, files);
  const tp_status st = tp_entry_prepare(o, TP_ENTRY_BY_CALLS, s->diag, &s->arena, &known);
  if (st != TP_OK && !tp_process_interrupted()) s->output_failed = true;
  tp_vec_clear(&known);
}

typedef struct {
  tp_session made, changed, kept;
  bool is_made, is_changed, is_kept;  // which of them are open
  tp_structure_search *search;
} turns;

static void clear_turns(turns *t) {
  if (t->is_changed) tp_session_clear(&t->changed);
  if (t->is_made) tp_session_clear(&t->made);
  tp_structure_search_free(t->search);
}

/* Structures that no call has changed first: that is cheap, and is the answer where the search with
 * operations has none. Then an invariant, which says most; then a few operations. Returns the
 * session with the answer; NULL: the module makes no structure. */
static tp_session *decide_made(turns *t, tp_options *o, tp_hints *hints, const char *const *files) {
  const uint64_t operations = o->operations;
  name_files(o, files);
  t->search = tp_structure_search_new(o);
  o->probed = &tp_structure_search_found(t->search)->structures;
  t->is_made =
      decide_by_calls(&t->made, o, 0, operations ? TP_APP_MADE_SHARE : TP_APP_CHANGED_SHARE, hints);
  if (!t->is_made) {
    tp_session_clear(&t->made);
    o->operations = operations;
    return NULL;
  }
  if (t->made.now.verdict == TP_VERDICT_FALSE) return &t->made;
  t->is_kept = decide_by_invariant(&t->kept, &t->made, o, hints, files, t->search);
  if (t->is_kept) return &t->kept;
  if (operations == 0) return &t->made;
  name_files(o, files);
  t->is_changed = true;
  const bool is_read = decide_by_calls(&t->changed, o, operations, TP_APP_CHANGED_SHARE, hints);
  if (is_read &&
      (t->changed.now.verdict != TP_VERDICT_UNKNOWN || t->made.now.verdict == TP_VERDICT_UNKNOWN))
    return &t->changed;
  tp_session_clear(&t->changed);
  t->is_changed = false;
  o->operations = 0;
  write_again(&t->made, o, files);
  return &t->made;
}

int tp_entry_check_again(tp_session *by_types, tp_options *o, tp_hints *hints,
                         const char *const *files, const char **of_types) {
  TP_REQUIRE(by_types && o && hints && files && of_types);
  for (size_t i = 0; i < o->files.n; i++) of_types[i] = o->files.at[i];
  turns t = {0};
  tp_session *answer = decide_made(&t, o, hints, files);
  if (t.is_kept)
    tp_entry_kept_answer(answer, by_types, tp_structure_search_found(t.search));
  else if (answer)
    tp_entry_made_answer(answer, by_types, tp_structure_search_found(t.search)->obstacle);
  tp_session *const shown = answer ? answer : by_types;
  const char **now = TP_NEW_ARRAY(const char *, o->files.n + 1);
  for (size_t i = 0; i < o->files.n; i++) now[i] = answer ? o->files.at[i] : of_types[i];
  if (shown->now.verdict != TP_VERDICT_TRUE) tp_precondition_find(by_types, shown, o, hints, files);
  name_files(o, now);
  tp_free(now);
  if (!answer) clear_turns(&t);  // they are within the session that ends next
  const int status = tp_entry_conclude(shown, hints, 0);
  t.is_made &= shown != &t.made;
  t.is_changed &= shown != &t.changed;
  if (answer) clear_turns(&t);
  o->probed = NULL;
  if (answer) tp_session_clear(by_types);
  return status;
}

int tp_entry_check_invariant(tp_options *o, tp_hints *hints) {
  TP_REQUIRE(o && hints);
  const double used_s = tp_budget_used_s(),
               left_s = o->timelimit > 0 ? o->timelimit - used_s : TP_APP_MADE_S;
  tp_structure_search *search = tp_structure_search_new(o);
  const tp_structure_finding *found = tp_structure_search_found(search);
  tp_structure_search_infer(search, used_s + TP_APP_STRUCTURE_SHARE * left_s);
  tp_session s;
  tp_session_init(&s, o);
  o->structures = found->obstacle ? NULL : &found->structures;
  int status = tp_entry_load(&s, o, found->obstacle ? TP_ENTRY_BY_TYPES : TP_ENTRY_BY_CALLS);
  o->structures = NULL;
  if (status == 0 && found->structures.list.n == 0) {
    tp_entry_decide(&s, hints);  // the module makes nothing that it takes
  } else if (status == 0 && found->obstacle) {
    tp_session_give_up(&s, "no invariant of the module's structures: %s", found->obstacle);
  } else if (status == 0) {
    tp_entry_decide(&s, hints);
    if (s.now.verdict == TP_VERDICT_FALSE)
      tp_session_give_up(&s,
                         "it fails for structures with the invariant, which need be none that "
                         "the module makes");
    tp_entry_kept_answer(&s, NULL, found);
  }
  status = tp_entry_conclude(&s, hints, status);
  tp_structure_search_free(search);
  return status;
}
