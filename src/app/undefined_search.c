/* Inputs that fail the other property are played to the program that was proved: another error may
 * stand in front of the operation, or be none for the property that was asked for. */
#include "app/undefined_search.h"

#include "app/app_limits.h"
#include "app/session_report.h"
#include "report/open_operations.h"

#include <fcntl.h>
#include <unistd.h>

typedef struct {
  const tp_session *proved;
  const char *property;  // that verifies the operations
  double cpu_s;
} search;

/* What a search says on the way is about a question that nobody asked. */
static void be_silent(void) {
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) return;
  (void)dup2(nowhere, STDOUT_FILENO);
  (void)dup2(nowhere, STDERR_FILENO);
  close(nowhere);
}

/* One failure after the other, each at another place. */
static tp_undefined_run search_inputs(const search *job, tp_session *s) {
  const tp_session *proved = job->proved;
  const tp_undefined_question q = {proved->program, proved->now.assumptions.at,
                                   proved->now.assumptions.n};
  tp_undefined_run out = {0};
  for (int round = 0; round < TP_APP_UNDEFINED_ROUNDS; round++) {
    tp_session_search(s);
    if (s->now.verdict != TP_VERDICT_FALSE || !s->now.error.id) break;
    out = tp_undefined_run_with(&q, &s->now.result.inputs);
    if (out.found || tp_budget_is_spent(&s->budget)) break;
    tp_session_set_aside(s);
    tp_attempt_clear(&s->now);
    tp_session_start_round(s);
  }
  return out;
}

static tp_options options_of(const search *job) {
  tp_options o = *job->proved->o;
  o.property = job->property;
  o.engine = "bmc";
  o.confirm = "machine";  // the run that counts is that of the program that was proved
  o.timelimit = job->cpu_s;
  o.unroll = o.all = o.verbose = 0;
  o.output = o.stats = o.pictures = o.save_precision = "";
  o.finding = NULL;
  return o;
}

/* Answers with nothing, or with place and operation. */
static void search_run(void *ctx, int channel, tp_str *answer) {
  const search *job = ctx;
  (void)channel;
  be_silent();
  const tp_options o = options_of(job);
  tp_session s;
  tp_session_init(&s, &o);
  tp_undefined_run run = {0};
  if (tp_session_load(&s) == 0) run = search_inputs(job, &s);
  tp_session_clear(&s);
  if (!run.found) return;
  tp_wire_put_u64(answer, run.pos.file);
  tp_wire_put_u64(answer, run.pos.line);
  tp_wire_put_u64(answer, run.pos.column);
  tp_wire_put_text(answer, run.why);
}

static tp_undefined_run read_run(tp_session *s, tp_wire_reader *answer) {
  if (answer->at == answer->end) return (tp_undefined_run){0};
  tp_pos pos = {0};
  pos.file = (uint32_t)tp_wire_u64(answer);
  pos.line = (uint32_t)tp_wire_u64(answer);
  pos.column = (uint32_t)tp_wire_u64(answer);
  const char *why = tp_wire_text(answer, &s->arena);
  return (tp_undefined_run){!answer->bad && why, pos, why};
}

static tp_undefined_run search_property(tp_session *s, const char *property) {
  const double most_s = (double)TP_APP_UNDEFINED_SEARCH_S,
               left_s = s->budget.limit_s > 0 ? tp_budget_left_s(&s->budget) : 2 * most_s;
  search job = {s, property, left_s < 2 * most_s ? left_s / 2 : most_s};
  tp_worker w, *only = &w;
  // it ends by its own limit: the other one is for a worker that hangs
  tp_worker_start(&w, &s->budget, (tp_work){search_run, &job, "undefined behaviour"},
                  2 * job.cpu_s);
  while (tp_worker_step(&only, 1, &s->budget)) {
  }
  const tp_undefined_run out =
      w.has_answer ? read_run(s, &w.answer) : (tp_undefined_run){.found = false};
  tp_worker_clear(&w);
  return out;
}

tp_undefined_run tp_undefined_search(tp_session *s) {
  TP_REQUIRE(s && s->now.verdict == TP_VERDICT_TRUE);
  const tp_options *o = s->o;
  tp_undefined_run out = {0};
  if (o->steps || o->entry[0] || o->equal[0] || o->witness[0]) return out;
  const tp_report r = tp_session_report(s);
  tp_str properties = {0};
  tp_open_operations_property(&r, &properties);
  for (char *name = properties.text, *rest = NULL; name && !out.found; name = rest) {
    rest = strchr(name, ',');
    if (rest) *rest++ = 0;
    out = search_property(s, name);
  }
  tp_str_clear(&properties);
  return out;
}
