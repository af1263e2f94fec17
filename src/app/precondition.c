/* Verify, add the failure, choose again: each round excludes one more call that fails, or a
 * condition with which there was no proof. */
#include "app/precondition.h"

#include "app/app_limits.h"
#include "app/entry_load.h"
#include "app/entry_made.h"
#include "app/entry_object.h"
#include "app/entry_returns.h"
#include "app/precondition_runs.h"
#include "app/requires.h"
#include "base/files.h"
#include "exec/random_inputs.h"
#include "report/json_text.h"

#include <stdlib.h>

typedef struct {
  tp_session *by_types;  // of the inference alone: its program and arena grow while others wait
  tp_options *o;
  tp_hints *hints;
  const char *const *files;
  tp_arena *arena;  // of by_types
  tp_precondition_runs runs;
  tp_condition_list conditions;
  bool *is_out;             // conditions that led to no proof
  tp_condition_choice now;  // under verification
  size_t n_returns, n_reached;
  double end_s;
} inference;

// ------------------------------------------------------------------------ set-up

static void list_constants(const inference *q, int64_t *constants, size_t *n) {
  tp_random_inputs draw;
  tp_random_inputs_init(&draw, q->by_types->program, 1);
  for (size_t i = 0; i < draw.constants.n && *n < TP_APP_PRECONDITION_CONSTANTS; i++) {
    const tp_u128 k = draw.constants.at[i];
    bool is_known = k < 2 || k > UINT32_MAX;
    for (size_t other = 0; other < *n && !is_known; other++)
      is_known = constants[other] == (int64_t)k;
    if (!is_known) constants[(*n)++] = (int64_t)k;
  }
  tp_random_inputs_clear(&draw);
}

/* Calls that come to a return are calls that come back. */
static void add_returns(inference *q) {
  tp_goals goals;
  tp_goals_init(&goals, q->by_types->program, TP_COVER_RETURNS, q->o->entry);
  tp_suite suite;
  tp_suite_init(&suite, q->by_types->program, &goals);
  if (goals.v.n > 0) tp_entry_cover_returns(q->by_types, &suite);
  q->n_returns = goals.v.n;
  for (size_t g = 0; g < goals.v.n; g++) q->n_reached += suite.covered[g];
  for (size_t i = 0; i < suite.tests.n; i++)
    (void)tp_precondition_runs_add(&q->runs, &suite.tests.at[i].inputs);
  tp_suite_clear(&suite);
  tp_goals_clear(&goals);
}

static tp_func find_entry(const tp_program *p, const char *name) {
  for (uint32_t i = 1; i < p->funcs.n; i++)
    if (p->funcs.at[i].has_body && strcmp(p->funcs.at[i].name, name) == 0) return (tp_func){i};
  return (tp_func){0};
}

static bool begin(inference *q, const tp_inputs *failure) {
  const tp_program *p = q->by_types->program;
  const tp_func f = find_entry(p, q->o->entry);
  if (!f.id) return false;
  tp_precondition_runs_init(&q->runs, p, q->by_types->property, f, q->o->nulls, q->arena);
  if (q->runs.numbers.n == 0) return false;
  int64_t constants[TP_APP_PRECONDITION_CONSTANTS];
  size_t n_constants = 0;
  list_constants(q, constants, &n_constants);
  tp_precondition_list_conditions(&q->runs.numbers, constants, n_constants, q->arena,
                                  &q->conditions);
  q->is_out = tp_arena_array(q->arena, bool, q->conditions.n + 1);
  (void)tp_precondition_runs_add(&q->runs, failure);
  tp_precondition_runs_sample(&q->runs, q->o->seed, TP_APP_PRECONDITION_SAMPLE_S);
  add_returns(q);
  // of calls none of which comes back, engines included, no condition keeps any
  return q->runs.failing.n > 0 && q->n_reached > 0;
}

// ----------------------------------------------------------------------- rounds

static const char *join(const inference *q, bool is_negation) {
  const char *text = NULL;
  for (size_t i = 0; i < q->now.n; i++) {
    const tp_condition *c = &q->conditions.at[q->now.at[i]];
    const char *one = is_negation ? c->failed : c->text;
    text = text ? tp_arena_printf(q->arena, "%s %s %s", text, is_negation ? "||" : "&&", one) : one;
  }
  return text ? text : "";
}

/* Are the returns reached that were reached without the precondition? */
static bool is_about_calls(const inference *q, tp_session *s, size_t *n_reached) {
  *n_reached = tp_entry_count_reached(s, TP_COVER_RETURNS, q->o->entry);
  return *n_reached > 0 && *n_reached >= q->n_reached;
}

typedef enum { PROVED, REFUTED, NEITHER } outcome;

/* The failure of a session is added to the runs, which outlive it: what they allocate is not the
 * session's. */
static bool add_failure(inference *q, tp_session *s) {
  const size_t before = tp_live_bytes();
  const bool counts = tp_precondition_runs_add(&q->runs, &s->now.result.inputs);
  s->live_before += tp_live_bytes() - before;
  return counts;
}

/* The entry with the conditions, in a session of its own. */
static outcome verify(inference *q, size_t *n_reached) {
  tp_options *o = q->o;
  const char *stated = o->precondition, *output = o->output;
  const double left_s = q->end_s - tp_budget_used_s();
  tp_session s;
  outcome found = NEITHER;
  o->precondition =
      tp_requires_both(tp_requires_of(o, o->entry, q->arena), join(q, false), q->arena);
  o->output = "";
  for (size_t i = 0; i < o->files.n; i++) o->files.at[i] = q->files[i];
  tp_session_init(&s, o);
  s.budget.limit_s = tp_budget_used_s() + TP_APP_PRECONDITION_SHARE * left_s;
  s.machine_is_enough = true;  // a failure is a point to learn from
  if (tp_entry_load(&s, o, TP_ENTRY_BY_TYPES) == 0) {
    tp_entry_decide(&s, q->hints);
    if (s.now.verdict == TP_VERDICT_TRUE && is_about_calls(q, &s, n_reached))
      found = PROVED;
    else if (s.now.verdict == TP_VERDICT_FALSE && q->runs.numbers.n > 0 && add_failure(q, &s))
      found = REFUTED;
  }
  tp_session_clear(&s);
  o->precondition = stated;
  o->output = output;
  return found;
}

/* More room than the environment gives the object that the failure leaves, before any numbers are
 * compared. */
static bool try_room(inference *q, const tp_entry_object *object, size_t *n_reached) {
  if (!object->more) return false;
  tp_goals goals;
  tp_goals_init(&goals, q->by_types->program, TP_COVER_RETURNS, q->o->entry);
  q->n_returns = goals.v.n;
  tp_goals_clear(&goals);
  tp_vec_push(&q->conditions, ((tp_condition){.text = object->more, .failed = object->said}));
  tp_vec_push(&q->now, 0);
  if (verify(q, n_reached) == PROVED) return true;
  q->conditions.n = q->now.n = 0;
  return false;
}

static bool next_choice(inference *q) {
  return tp_precondition_choose(&q->runs, &q->conditions, q->is_out, &q->now);
}

/* Of a choice without proof, or with a failure that is known already, the last condition does not
 * count any more: it was chosen for the fewest runs. */
static bool infer(inference *q, size_t *n_reached) {
  bool has_choice = next_choice(q);
  for (uint32_t round = 0; round < TP_APP_PRECONDITION_ROUNDS && has_choice; round++) {
    if (tp_budget_used_s() >= q->end_s || tp_process_interrupted()) return false;
    const size_t n_failing = q->runs.failing.n;
    const outcome found = verify(q, n_reached);
    if (found == PROVED) return true;
    if (found == NEITHER || q->runs.failing.n == n_failing)
      q->is_out[q->now.at[q->now.n - 1]] = true;
    has_choice = next_choice(q);
  }
  return false;
}

// ----------------------------------------------------------------------- report

typedef struct {
  tp_str condition, failed;
  size_t n_returns, n_reached;
} finding;

/* DIR/requires.txt, to be edited. */
static void write_file(tp_session *answer, const char *condition) {
  const tp_options *o = answer->o;
  if (!o->output[0]) return;
  tp_str text = {0}, path = {0};
  tp_str_printf(&text,
                "# Calls for which %s holds; an assumption, to be edited. twoproof check "
                "--entry=%s --requires=FILE\n%s: %s\n",
                tp_property_name(answer->property), o->entry, o->entry, condition);
  tp_str_printf(&path, "%s/requires.txt", o->output);
  if (tp_write_file(tp_str_text(&path), tp_str_text(&text), text.n) != TP_OK)
    answer->output_failed = true;
  tp_str_clear(&text);
  tp_str_clear(&path);
}

static void report(const finding *f, bool is_failure, tp_session *answer) {
  const char *condition = tp_str_text(&f->condition), *failed = tp_str_text(&f->failed),
             *property = tp_property_name(answer->property);
  answer->more_text = tp_arena_printf(
      &answer->arena,
      "%sPrecondition: %s %s `%s`; true for calls that satisfy `%s` (proved; they come to %zu of "
      "%zu returns). An assumption, to be edited: --requires='%s'\n",
      answer->more_text ? answer->more_text : "", property,
      is_failure ? "fails for some calls with" : "is open for calls with", failed, condition,
      f->n_reached, f->n_returns, condition);
  json_t *o =
      json_pack("{s:o, s:o, s:s, s:{s:I, s:I}}", "condition", tp_json_text(condition),
                is_failure ? "fails" : "open", tp_json_text(failed), "verdict", "true", "returns",
                "all", (json_int_t)f->n_returns, "reached", (json_int_t)f->n_reached);
  char *text = json_dumps(o, 0);
  if (text)
    tp_session_add_json(answer, tp_arena_printf(&answer->arena, "\"precondition\": %s", text));
  free(text);
  json_decref(o);
  write_file(answer, condition);
}

/* In a session of its own, with arguments by their types. */
static bool search(inference *q, const tp_inputs *failure, const tp_entry_object *left,
                   double limit_s, finding *out) {
  tp_session own;
  const char *output = q->o->output;
  q->o->output = "";
  for (size_t i = 0; i < q->o->files.n; i++) q->o->files.at[i] = q->files[i];
  tp_session_init(&own, q->o);
  own.budget.limit_s = limit_s;
  q->by_types = &own;
  q->arena = &own.arena;
  bool found =
      tp_entry_load(&own, q->o, TP_ENTRY_BY_TYPES) == 0 &&
      (try_room(q, left, &out->n_reached) || (begin(q, failure) && infer(q, &out->n_reached)));
  const char *condition = found ? tp_arena_printf(q->arena, "%s", join(q, false)) : "",
             *failed = found ? join(q, true) : "";
  out->n_returns = q->n_returns;
  tp_precondition_runs_clear(&q->runs);
  tp_vec_clear(&q->conditions);
  tp_vec_clear(&q->now);
  const size_t before = tp_live_bytes();
  tp_str_add(&out->condition, condition);
  tp_str_add(&out->failed, failed);
  own.live_before += tp_live_bytes() - before;
  tp_session_clear(&own);
  q->o->output = output;
  return found;
}

void tp_precondition_find(const tp_session *by_types, tp_session *answer, tp_options *o,
                          tp_hints *hints, const char *const *files) {
  TP_REQUIRE(by_types && by_types->program && answer && o && hints && files);
  const double end_s = o->timelimit > 0 ? o->timelimit : tp_budget_used_s() + TP_APP_PRECONDITION_S;
  inference q = {.o = o, .hints = hints, .files = files, .end_s = end_s};
  finding f = {0};
  tp_entry_object left;
  (void)tp_entry_find_object(by_types, &answer->arena, &left);
  if (tp_budget_used_s() < end_s && search(&q, &by_types->now.result.inputs, &left, end_s, &f))
    report(&f, by_types->now.verdict == TP_VERDICT_FALSE, answer);
  tp_str_clear(&f.condition);
  tp_str_clear(&f.failed);
}
