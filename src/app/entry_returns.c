/* The suite of tests of a coverage goal for each return (search/suite.h), without the tests. */
#include "app/entry_returns.h"

#include "app/app_limits.h"
#include "report/json_text.h"

#include <jansson.h>
#include <stdlib.h>

typedef struct {
  tp_session *s;
  const tp_goals *goals;
  const bool *wanted;
  double cpu_s;
} return_job;

/* In a worker, which changes its copy of the program. */
static void search_in_worker(void *ctx, int channel, tp_str *answer) {
  const return_job *job = ctx;
  tp_goals_make_errors(job->goals, job->wanted, job->s->program);
  const tp_task task = {
      .program = job->s->program, .property = TP_P_UNREACH_CALL, .seed = job->s->o->seed};
  tp_worker_search(tp_engine_find("bmc"), &task, job->cpu_s, channel, answer);
}

/* Asks for a run to one of the wanted returns. True: there is a new one. */
static bool ask(tp_session *s, tp_suite *suite, const bool *wanted, double cpu_s) {
  return_job job = {.s = s, .goals = suite->goals, .wanted = wanted, .cpu_s = cpu_s};
  tp_worker w;
  tp_worker *all[] = {&w};
  bool is_new = false;
  tp_worker_start(&w, &s->budget, (tp_work){search_in_worker, &job, "returns"},
                  cpu_s + TP_APP_GRACE_S);
  while (tp_worker_step(all, 1, &s->budget) > 0) continue;
  if (w.has_answer) {
    tp_result result;
    tp_result_init(&result);
    tp_wire_result(&w.answer, &result);
    if (!w.answer.bad && result.verdict == TP_VERDICT_FALSE)
      is_new = tp_suite_offer(suite, &result.inputs);
    tp_result_clear(&result);
  }
  tp_worker_clear(&w);
  return is_new;
}

void tp_entry_cover_returns(tp_session *s, tp_suite *suite) {
  TP_REQUIRE(s && suite);
  const size_t n = suite->goals->v.n;
  bool *wanted = TP_NEW_ARRAY(bool, n);
  tp_suite_fuzz(suite, s->o->seed, TP_APP_RETURN_RUNS, TP_APP_RETURN_RUNS_S);
  const double end_s = tp_budget_used_s() + TP_APP_RETURN_S;
  for (bool goes_on = true; goes_on && !tp_process_interrupted();) {
    size_t n_wanted = 0;
    for (size_t g = 0; g < n; g++) n_wanted += wanted[g] = !suite->covered[g];
    const double left_s = end_s - tp_budget_used_s();
    goes_on = n_wanted > 0 && left_s > 0 && !tp_budget_is_spent(&s->budget) &&
              ask(s, suite, wanted, left_s);
  }
  tp_free(wanted);
}

size_t tp_entry_count_reached(tp_session *s, tp_goal_cover cover, const char *callee) {
  TP_REQUIRE(s && s->program && callee);
  tp_goals goals;
  tp_suite suite;
  size_t n_reached = 0;
  tp_goals_init(&goals, s->program, cover, callee);
  tp_suite_init(&suite, s->program, &goals);
  if (goals.v.n > 0) tp_entry_cover_returns(s, &suite);
  for (size_t g = 0; g < goals.v.n; g++) n_reached += suite.covered[g];
  tp_suite_clear(&suite);
  tp_goals_clear(&goals);
  return n_reached;
}

/* Returns how many were reached. */
static size_t report(tp_session *s, const tp_suite *suite) {
  tp_str missed = {0}, line = {0};
  json_t *list = json_array();
  size_t n_reached = 0;
  for (size_t g = 0; g < suite->goals->v.n; g++) {
    tp_str at = {0};
    n_reached += suite->covered[g];
    if (suite->covered[g]) continue;
    tp_pos_print(s->diag, suite->goals->v.at[g].pos, &at);
    tp_str_printf(&missed, "%s%s", missed.n ? ", " : "; none to ", tp_str_text(&at));
    json_array_append_new(list, tp_json_place(s->diag, suite->goals->v.at[g].pos));
    tp_str_clear(&at);
  }
  tp_str_printf(&line, "%sCalls were seen to come to %zu of %zu returns of %s%s\n",
                s->more_text ? s->more_text : "", n_reached, suite->goals->v.n, s->o->entry,
                tp_str_text(&missed));
  s->more_text = tp_arena_strdup(&s->arena, tp_str_text(&line));
  json_t *o = json_pack("{s:I, s:I, s:o}", "all", (json_int_t)suite->goals->v.n, "reached",
                        (json_int_t)n_reached, "missed", list);
  char *text = json_dumps(o, 0);
  tp_session_add_json(s, tp_arena_printf(&s->arena, "\"returns\": %s", text));
  free(text);
  json_decref(o);
  tp_str_clear(&missed);
  tp_str_clear(&line);
  return n_reached;
}

/* A proof about no call. */
static void refuse(tp_session *s) {
  tp_session_give_up(s,
                     "no call was found that comes back from %s: the assumptions may exclude all, "
                     "and then the proof says nothing",
                     s->o->entry);
  s->now.result.verdict = TP_VERDICT_UNKNOWN;
  s->now.result.obstacle = (tp_obstacle){.kind = TP_OBSTACLE_OTHER};
}

void tp_entry_find_returns(tp_session *s) {
  TP_REQUIRE(s && s->o);
  if (s->now.verdict != TP_VERDICT_TRUE || !s->o->entry[0] || s->o->equal[0]) return;
  tp_goals goals;
  tp_goals_init(&goals, s->program, TP_COVER_RETURNS, s->o->entry);
  if (goals.v.n == 0) {
    s->more_text = tp_arena_printf(&s->arena, "%s%s has no return that a run could come to\n",
                                   s->more_text ? s->more_text : "", s->o->entry);
  } else {
    tp_suite suite;
    tp_suite_init(&suite, s->program, &goals);
    tp_entry_cover_returns(s, &suite);
    if (report(s, &suite) == 0 && !tp_budget_is_spent(&s->budget)) refuse(s);
    tp_suite_clear(&suite);
  }
  tp_goals_clear(&goals);
}
