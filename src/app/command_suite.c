/* twoproof test: a suite of tests for coverage, and proofs for what it cannot cover.
 *
 * Random runs cover what is easy. For what is left the program is changed so that reaching a goal
 * is an error (program/goals.h), and engines are asked about that: inputs are run on the program
 * itself, where only the run decides what they cover; a proof is a certificate for the changed
 * program, which certify/ checks in a process of its own that makes the change anew. First all
 * goals together, then each by itself. What is left at the end of the time is open. */
#include "app/commands.h"

#include "app/app_limits.h"
#include "app/c_tests.h"
#include "app/entry.h"
#include "app/exit.h"
#include "app/goal_text.h"
#include "app/junit_file.h"
#include "app/module.h"
#include "app/options_intake.h"
#include "app/process_guard.h"
#include "app/suite_files.h"
#include "app/test_folder.h"
#include "app/unit_suite.h"
#include "app/wall_clock.h"
#include "auto/schedule.h"
#include "certify/certify.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A file without main: its functions are called by a source that is made (app/entry.h). */
typedef struct {
  bool is_one;
  const char *file;  // as it was given
  tp_entry_calls calls;
  tp_str stubs;
} test_module;

typedef struct {
  tp_session *s;
  const test_module *module;
  tp_goal_cover cover;
  const char *callee;
  tp_goals goals;
  tp_suite suite;
  tp_goal_answer *answers;            // by goal
  TP_VEC(const char *) certificates;  // accepted; in `arena`
  TP_VEC(const char *) assumptions;   // of these
  const tp_test_list *given;          // of --add-to; may be empty
  size_t n_given_tests;               // how many they are
  size_t n_given;                     // goals that they cover
  bool is_adequacy;                   // the answer is about the tests that exist
  const char **unit_names;            // by test of the suite: of its unit test, or NULL
  tp_str remarks;                     // about runs of unit tests in C
  double end_s;                       // of what the budget counts
  tp_arena arena;
} test_command;

static double left_s(const test_command *c) {
  const double s = c->end_s - tp_budget_used_s();
  return s > 0 ? s : 0;
}

static bool is_over(const test_command *c) {
  return left_s(c) <= 0 || tp_process_interrupted() || tp_wall_clock_is_over();
}

// ------------------------------------------------------------------ in a worker

typedef struct {
  test_command *c;
  const bool *wanted;
  const tp_engine *engine;  // of a search
  const char *composition;  // its own: NULL
  const char *certificate;  // of a check
  double cpu_s;
} goal_job;

static void search_in_worker(void *ctx, int channel, tp_str *answer) {
  const goal_job *job = ctx;
  const tp_session *s = job->c->s;
  tp_goals_make_errors(&job->c->goals, job->wanted, s->program);
  const tp_task task = {.program = s->program,
                        .property = TP_P_UNREACH_CALL,
                        .composition = job->composition,
                        .seed = s->o->seed};
  tp_worker_search(job->engine, &task, job->cpu_s, channel, answer);
}

static void check_in_worker(void *ctx, int channel, tp_str *answer) {
  const goal_job *job = ctx;
  (void)channel;
  tp_goals_make_errors(&job->c->goals, job->wanted, job->c->s->program);
  tp_certify_report report;
  tp_certify_report_init(&report);
  const tp_certify_limits limits = {.cpu_s = job->cpu_s};
  tp_stats stats = {0};
  const tp_certify_result result = tp_certify_true(job->c->s->program, TP_P_UNREACH_CALL,
                                                   job->certificate, &limits, &stats, &report);
  tp_wire_put_u64(answer, result);
  tp_wire_put_text(answer, tp_str_text(&report.why));
  tp_wire_put_u64(answer, report.assumptions.n);
  for (size_t i = 0; i < report.assumptions.n; i++)
    tp_wire_put_text(answer, report.assumptions.at[i]);
  tp_certify_report_clear(&report);
}

// ------------------------------------------------------------------------ proofs

static void add_assumption(test_command *c, const char *text) {
  for (size_t i = 0; i < c->assumptions.n; i++)
    if (strcmp(c->assumptions.at[i], text) == 0) return;
  tp_vec_push(&c->assumptions, text);
}

/* Only an accepted certificate makes goals dead. Another engine may have one whose check is
 * shorter: a check has a part of the time only. */
static void confirm_dead(test_command *c, const bool *wanted, const char *certificate) {
  goal_job job = {.c = c,
                  .wanted = wanted,
                  .certificate = certificate,
                  .cpu_s = left_s(c) * TP_APP_SUITE_CHECK_SHARE};
  if (!certificate[0] || job.cpu_s <= 0) return;
  tp_worker w;
  tp_worker_run(&w, &c->s->budget, (tp_work){check_in_worker, &job, "certificate check"});
  if (w.has_answer) {
    const uint64_t result = tp_wire_u64(&w.answer);
    const char *why = tp_wire_text(&w.answer, &c->arena);
    const uint64_t n = tp_wire_u64(&w.answer);
    for (uint64_t i = 0; i < n && !w.answer.bad && result == TP_CERTIFY_ACCEPTED; i++)
      add_assumption(c, tp_wire_text(&w.answer, &c->arena));
    if (!w.answer.bad && result == TP_CERTIFY_ACCEPTED) {
      tp_vec_push(&c->certificates, tp_arena_strdup(&c->arena, certificate));
      for (size_t g = 0; g < c->goals.v.n; g++)
        if (wanted[g]) c->answers[g] = (tp_goal_answer){TP_GOAL_DEAD, c->certificates.n};
    } else if (result == TP_CERTIFY_REJECTED) {
      fprintf(stderr, "twoproof: certificate check: the proof is rejected (%s)\n", why ? why : "?");
    }
  }
  tp_worker_clear(&w);
}

static size_t want_open(const test_command *c, bool *wanted) {
  size_t n = 0;
  for (size_t g = 0; g < c->goals.v.n; g++) {
    wanted[g] = !c->suite.covered[g] && c->answers[g].status == TP_GOAL_OPEN;
    n += wanted[g];
  }
  return n;
}

/* An engine, or a configuration of cpa. */
typedef struct {
  const char *name;
  const tp_engine *engine;
  const char *composition;
} prover;

static prover prover_of(const char *name) { return (prover){name, tp_engine_find(name), NULL}; }

/* Asks one engine about the wanted goals. True: something became known. */
static bool ask(test_command *c, prover who, const bool *wanted, double cpu_s) {
  goal_job job = {.c = c,
                  .wanted = wanted,
                  .engine = who.engine,
                  .composition = who.composition,
                  .cpu_s = cpu_s};
  TP_INVARIANT(job.engine);
  if (is_over(c)) return false;
  tp_worker w;
  tp_worker *all[] = {&w};
  const size_t n_dead = c->certificates.n;
  bool is_news = false;
  tp_worker_start(&w, &c->s->budget, (tp_work){search_in_worker, &job, who.name},
                  cpu_s + TP_APP_GRACE_S);
  while (tp_worker_step(all, 1, &c->s->budget) > 0) continue;
  if (w.has_answer) {
    tp_result result;
    tp_result_init(&result);
    tp_wire_result(&w.answer, &result);
    if (!w.answer.bad && result.verdict == TP_VERDICT_FALSE)
      is_news = tp_suite_offer(&c->suite, &result.inputs);
    else if (!w.answer.bad && result.verdict == TP_VERDICT_TRUE && result.bound == 0)
      confirm_dead(c, wanted, tp_str_text(&result.certificate));
    tp_result_clear(&result);
  }
  tp_worker_clear(&w);
  return is_news || c->certificates.n > n_dead;
}

static void ask_about_all(test_command *c, bool *wanted) {
  static const char *const engines[] = {"bmc", "directed", "kinduction"};
  for (size_t e = 0; e < sizeof engines / sizeof *engines; e++) {
    const double end_s = tp_budget_used_s() + left_s(c) * TP_APP_SUITE_TURN_SHARE;
    bool is_news = true;
    while (is_news && want_open(c, wanted) && !is_over(c)) {
      const double turn_s = end_s - tp_budget_used_s();
      is_news = turn_s > 0 && ask(c, prover_of(engines[e]), wanted, turn_s);
    }
  }
}

enum { N_PROVERS = 9 };

/* Who is asked about single goals. Some are for programs with arrays, recursion or lists only,
 * whose schedule in `auto` has them. */
static size_t provers_for(const test_command *c, prover *out) {
  static const struct {
    const char *name;
    bool where_scheduled;
  } all[N_PROVERS] = {{"kinduction", false}, {"elements", true}, {"interval", true},
                      {"smash", true},       {"shape", true},    {"bmc", false},
                      {"synergy", false},    {"horn", false},    {"cegar", false}};
  const tp_features f = tp_features_of(c->s->program, TP_P_UNREACH_CALL);
  const tp_schedule schedule = tp_schedule_of(&f);
  size_t n = 0;
  for (size_t i = 0; i < N_PROVERS; i++) {
    prover p = prover_of(all[i].name);
    bool fits = !all[i].where_scheduled;
    for (size_t k = 0; k < schedule.n && !fits; k++) {
      fits = strcmp(schedule.at[k].name, p.name) == 0;
      if (fits) p = (prover){p.name, schedule.at[k].engine, schedule.at[k].composition};
    }
    if (fits) out[n++] = p;
  }
  return n;
}

static void ask_about_each(test_command *c, bool *wanted) {
  prover provers[N_PROVERS];
  const size_t n_provers = provers_for(c, provers);
  for (size_t e = 0; e < n_provers; e++) {
    const double end_s = tp_budget_used_s() + left_s(c) / (double)(n_provers - e);
    for (size_t g = 0; g < c->goals.v.n && !is_over(c); g++) {
      const size_t n = want_open(c, wanted);
      if (!wanted[g]) continue;
      memset(wanted, 0, c->goals.v.n * sizeof *wanted);
      wanted[g] = true;
      const double turn_s = (end_s - tp_budget_used_s()) / (double)n;
      if (turn_s > 0) (void)ask(c, provers[e], wanted, turn_s);
    }
  }
}

// ------------------------------------------------------------------------ report

/* Goals, then the tests whose run fails. */
static bool write_junit(test_command *c) {
  static const tp_junit_outcome outcomes[] = {[TP_GOAL_OPEN] = TP_JUNIT_SKIPPED,
                                              [TP_GOAL_COVERED] = TP_JUNIT_PASSED,
                                              [TP_GOAL_DEAD] = TP_JUNIT_PASSED};
  tp_junit_suite suite = {.name = "coverage"};
  const char *file = c->s->o->files.at[0];
  for (size_t g = 0; g < c->goals.v.n; g++) {
    tp_str name = {0};
    tp_goal_print(&c->suite, c->answers, g, false, &name);
    name.text[strcspn(name.text, "\n")] = 0;
    const char *text = strchr(name.text, ':');
    tp_vec_push(&suite.cases,
                (tp_junit_case){.name = tp_arena_strdup(&c->arena, text ? text + 2 : ""),
                                .file = file,
                                .message = "neither covered nor proved dead",
                                .outcome = outcomes[c->answers[g].status]});
    tp_str_clear(&name);
  }
  for (size_t i = 0; i < c->suite.tests.n; i++) {
    const tp_suite_test *t = &c->suite.tests.at[i];
    const char *message =
        t->run.end == TP_END_ERROR ? tp_loc_of(c->s->program, t->run.loc)->message : t->run.why;
    if (tp_suite_test_fails(t))
      tp_vec_push(&suite.cases,
                  (tp_junit_case){.name = tp_suite_test_name(&c->suite, i, &c->arena),
                                  .file = file,
                                  .message = message ? message : "an operation without meaning",
                                  .outcome = TP_JUNIT_FAILED});
  }
  const bool ok = tp_write_junit(c->s->o, &suite);
  tp_vec_clear(&suite.cases);
  return ok;
}

// ----------------------------------------------------------------------- modules

static void print_not_called(const test_command *c, tp_str *out) {
  for (size_t i = 0; i < c->module->calls.n; i++) {
    const tp_environment_call *call = &c->module->calls.at[i];
    if (call->missing) tp_str_printf(out, "not called: %s: %s\n", call->name, call->missing);
  }
}

/* What tests and proofs take calls to be: a line for each. */
static bool write_assumptions(const test_command *c) {
  tp_str text = {0};
  for (size_t i = 0; i < c->module->calls.n; i++) {
    const tp_environment_call *call = &c->module->calls.at[i];
    for (size_t k = 0; k < call->assumptions.n; k++)
      tp_str_printf(&text, "%s is called with: %s\n", call->name, call->assumptions.at[k]);
  }
  const bool ok = tp_suite_write_file(c->s, "assumptions.txt", &text);
  tp_str_clear(&text);
  return ok;
}

/* As asked for; else in the style of the tests that exist. */
static bool is_for_cmocka(const tp_options *o) {
  if (strcmp(o->style, "cmocka") == 0) return true;
  return tp_option_is_default(o, "style") && o->add_to[0] && tp_c_tests_are(o->add_to) &&
         tp_c_tests_include(o->add_to, "cmocka.h");
}

static bool write_units(test_command *c, size_t *n_units) {
  if (!c->module->is_one) return true;
  char *file = realpath(c->module->file, NULL);
  const tp_unit_suite how = {.module = file ? file : c->module->file,
                             .environment = c->s->o->files.at[0],
                             .stubs = tp_str_text(&c->module->stubs),
                             .is_cmocka = is_for_cmocka(c->s->o)};
  c->unit_names = tp_arena_array(&c->arena, const char *, c->suite.tests.n + 1);
  tp_str text = {0};
  *n_units = tp_unit_suite_print(&how, &c->suite, &c->arena, c->unit_names, &text);
  const bool ok =
      !c->s->o->output[0] ||
      ((*n_units == 0 || tp_suite_write_file(c->s, "tests.c", &text)) && write_assumptions(c));
  tp_str_clear(&text);
  free(file);
  return ok;
}

static void print_failing(test_command *c, tp_str *out) {
  for (size_t i = 0; i < c->suite.tests.n; i++) {
    const tp_suite_test *t = &c->suite.tests.at[i];
    if (!tp_suite_test_fails(t)) continue;
    const char *message =
        t->run.end == TP_END_ERROR ? tp_loc_of(c->s->program, t->run.loc)->message : t->run.why;
    tp_str_printf(out, "fails: %s: ", tp_suite_test_name(&c->suite, i, &c->arena));
    tp_pos_print(c->s->diag, t->run.pos, out);
    tp_str_printf(out, ": %s\n", message ? message : "an operation without meaning");
  }
}

/* What "dead" rests on. */
static void print_assumptions(const test_command *c, tp_str *out) {
  for (size_t i = 0; i < c->assumptions.n; i++)
    tp_str_printf(out, "%s%s\n", i ? "  " : "Assumptions of \"dead\":\n  ", c->assumptions.at[i]);
  if (c->module->is_one && c->s->o->output[0])
    tp_str_printf(out, "  calls are as %s/assumptions.txt says\n", c->s->o->output);
}

static int conclude_suite(test_command *c) {
  size_t n[3] = {0};
  for (size_t g = 0; g < c->goals.v.n; g++) {
    if (c->suite.covered[g]) c->answers[g].status = TP_GOAL_COVERED;
    n[c->answers[g].status]++;
  }
  tp_str text = {0};
  for (size_t g = 0; g < c->goals.v.n; g++)
    if (c->answers[g].status != TP_GOAL_COVERED || c->s->o->verbose)
      tp_goal_print(&c->suite, c->answers, g, true, &text);
  print_failing(c, &text);
  if (n[TP_GOAL_DEAD]) print_assumptions(c, &text);
  print_not_called(c, &text);
  tp_str_add(&text, tp_str_text(&c->remarks));
  if (c->n_given_tests)
    tp_str_printf(&text, "%s: %zu test%s cover%s %zu of %zu\n", c->s->o->add_to, c->n_given_tests,
                  c->n_given_tests == 1 ? "" : "s", c->n_given_tests == 1 ? "s" : "", c->n_given,
                  c->goals.v.n);
  size_t n_units = 0;
  const bool has_units = write_units(c, &n_units);
  tp_str_printf(&text, "tests: %zu in %s", c->suite.tests.n, c->s->o->output);
  if (c->module->is_one) tp_str_printf(&text, ", %zu as unit tests in tests.c", n_units);
  tp_str_add_char(&text, '\n');
  tp_str_printf(&text, "RESULT: %zu covered, %zu proved dead, %zu open\n", n[TP_GOAL_COVERED],
                n[TP_GOAL_DEAD], n[TP_GOAL_OPEN]);
  const bool ok =
      has_units &&
      tp_suite_write(c->s, &c->suite, c->answers, c->certificates.at, c->certificates.n) &&
      write_junit(c);
  if (ok)
    fwrite(tp_str_text(&text), 1, text.n, stdout);
  else
    puts("RESULT: unknown (the suite could not be written)");
  tp_str_clear(&text);
  return !ok ? TP_EXIT_OUTPUT : n[TP_GOAL_OPEN] ? TP_EXIT_UNKNOWN : TP_EXIT_TRUE;
}

// ---------------------------------------------------------------------- adequacy

static int compare_places(const tp_goal *a, const tp_goal *b) {
  const uint32_t x[] = {a->pos.file, a->pos.line, a->pos.column},
                 y[] = {b->pos.file, b->pos.line, b->pos.column};
  for (size_t i = 0; i < sizeof x / sizeof *x; i++)
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  return 0;
}

/* Insertion keeps the order of goals at one place. */
static size_t *goals_by_place(test_command *c) {
  size_t *order = tp_arena_array(&c->arena, size_t, c->goals.v.n + 1);
  for (size_t i = 0; i < c->goals.v.n; i++) {
    size_t k = i;
    for (; k > 0 && compare_places(&c->goals.v.at[order[k - 1]], &c->goals.v.at[i]) > 0; k--)
      order[k] = order[k - 1];
    order[k] = i;
  }
  return order;
}

/* The best test of the suite for a goal. */
static size_t test_for(const test_command *c, size_t goal) {
  size_t best = c->suite.tests.n;
  for (size_t i = 0; i < c->suite.tests.n; i++) {
    if (!c->suite.tests.at[i].covers[goal]) continue;
    const bool is_better =
        best == c->suite.tests.n || (c->unit_names && c->unit_names[i] && !c->unit_names[best]);
    if (is_better) best = i;
  }
  return best;
}

static void print_reachable(test_command *c, size_t goal, tp_str *out) {
  const size_t i = test_for(c, goal);
  if (i == c->suite.tests.n) return;
  const tp_suite_test *t = &c->suite.tests.at[i];
  const char *unit = c->unit_names ? c->unit_names[i] : NULL;
  tp_str_add(out, tp_suite_test_fails(t) ? "  reachable, and the call fails then" : "  reachable");
  if (c->s->o->output[0] && unit)
    tp_str_printf(out, ": %s in %s/tests.c", unit, c->s->o->output);
  else if (c->s->o->output[0])
    tp_str_printf(out, ": %s.c in %s", tp_suite_test_name(&c->suite, i, &c->arena),
                  c->s->o->output);
  tp_str_add_char(out, '\n');
}

/* "missed: a.c:3:7: no test with n == capacity, in push" */
static void print_missed_goal(test_command *c, size_t goal, tp_str *out) {
  const tp_goal *g = &c->goals.v.at[goal];
  const tp_goal_answer *a = &c->answers[goal];
  tp_str_add(out, "missed: ");
  tp_pos_print(c->s->diag, g->pos, out);
  tp_str_printf(out, ": no test with %s, in %s\n", g->text,
                tp_func_of(c->s->program, g->func)->name);
  switch (a->status) {
    case TP_GOAL_COVERED: print_reachable(c, goal, out); return;
    case TP_GOAL_OPEN: tp_str_add(out, "  open: neither a call was found nor a proof\n"); return;
    case TP_GOAL_DEAD:
      tp_str_printf(out, "  dead: no call comes there (certificate-%zu.txt)\n", a->certificate);
      return;
  }
}

/* In the order of the source; what no call comes to is counted only. */
static int conclude_adequacy(test_command *c) {
  enum { MET, REACHABLE, DEAD, OPEN, N_KINDS };
  size_t n[N_KINDS] = {0}, n_units = 0;
  for (size_t g = 0; g < c->goals.v.n; g++) {
    if (c->suite.covered[g]) c->answers[g].status = TP_GOAL_COVERED;
    const tp_goal_status status = c->answers[g].status;
    n[c->suite.elsewhere[g]       ? MET
      : status == TP_GOAL_COVERED ? REACHABLE
      : status == TP_GOAL_DEAD    ? DEAD
                                  : OPEN]++;
  }
  bool ok = write_units(c, &n_units);
  if (ok && c->s->o->output[0])
    ok = tp_suite_write(c->s, &c->suite, c->answers, c->certificates.at, c->certificates.n);
  tp_str text = {0};
  tp_str_add(&text, tp_str_text(&c->remarks));
  const size_t *order = goals_by_place(c);
  for (size_t i = 0; i < c->goals.v.n; i++)
    if (!c->suite.elsewhere[order[i]] &&
        (c->answers[order[i]].status != TP_GOAL_DEAD || c->s->o->verbose))
      print_missed_goal(c, order[i], &text);
  print_failing(c, &text);
  print_not_called(c, &text);
  if (n[DEAD]) print_assumptions(c, &text);
  if (n[REACHABLE] && !c->s->o->output[0])
    tp_str_add(&text, "next:  --output=DIR writes a test for each that is reachable\n");
  tp_str_printf(&text, "TESTS: %s\n",
                n[REACHABLE] ? "not adequate"
                : n[OPEN]    ? "unknown"
                             : "adequate");
  tp_str_printf(&text, "RESULT: %zu of %zu states met; %zu reachable%s; %zu open", n[MET],
                c->goals.v.n - n[DEAD], n[REACHABLE],
                n[REACHABLE] && c->s->o->output[0] ? ", tests written" : "", n[OPEN]);
  if (n[DEAD]) tp_str_printf(&text, "; %zu more proved dead", n[DEAD]);
  tp_str_add_char(&text, '\n');
  if (ok) fwrite(tp_str_text(&text), 1, text.n, stdout);
  if (!ok) puts("RESULT: unknown (the tests could not be written)");
  tp_str_clear(&text);
  return !ok            ? TP_EXIT_OUTPUT
         : n[REACHABLE] ? TP_EXIT_FALSE
         : n[OPEN]      ? TP_EXIT_UNKNOWN
                        : TP_EXIT_TRUE;
}

/* What the tests of --add-to cover needs no other test. */
static bool count_given(test_command *c) {
  for (size_t i = 0; i < c->given->n && !is_over(c); i++)
    c->n_given += tp_suite_count_in(&c->suite, &c->given->at[i]);
  const tp_options *o = c->s->o;
  if (!o->add_to[0] || !tp_c_tests_are(o->add_to)) return true;
  tp_c_tests tests = {.path = o->add_to, .cover = c->cover, .callee = c->callee};
  const char **files = tp_arena_array(&c->arena, const char *, o->files.n);
  for (size_t i = 0; i < o->files.n; i++) files[i] = i ? o->files.at[i] : c->module->file;
  tests.files = files;
  tests.n_files = o->files.n;
  if (!tp_c_tests_run(c->s, &tests, &c->suite, &c->n_given_tests, &c->remarks)) return false;
  for (size_t g = 0; g < c->goals.v.n; g++) c->n_given += c->suite.elsewhere[g];
  return true;
}

/* Random runs, then engines, then fewer and smaller tests. */
static void search(test_command *c, double limit_s) {
  bool *wanted = TP_NEW_ARRAY(bool, c->goals.v.n + 1);
  tp_inputs none;
  tp_inputs_init(&none);
  (void)tp_suite_offer(&c->suite, &none);
  tp_inputs_clear(&none);
  const double small_s = limit_s * TP_APP_SUITE_SMALL_SHARE;
  c->end_s -= small_s;
  tp_suite_fuzz(&c->suite, c->s->o->seed, TP_APP_SUITE_RUNS, limit_s * TP_APP_SUITE_FUZZ_SHARE);
  ask_about_all(c, wanted);
  ask_about_each(c, wanted);
  tp_suite_minimise(&c->suite, small_s);
  tp_heartbeat_erase(&c->s->budget.heartbeat);
  tp_free(wanted);
}

static int make_suite(tp_session *s, test_command *c) {
  const double limit_s = s->o->timelimit > 0 ? s->o->timelimit : TP_APP_SUITE_S;
  c->s = s;
  c->end_s = limit_s;
  c->n_given_tests = c->given->n;
  if (c->cover == TP_COVER_BOUNDARIES) tp_goals_split_orders(s->program);
  tp_goals_init(&c->goals, s->program, c->cover, c->callee);
  if (c->module->is_one) tp_goals_leave_out(&c->goals, s->program, s->o->files.at[0]);
  const bool has_c_tests = s->o->add_to[0] && tp_c_tests_are(s->o->add_to);
  for (size_t i = 1; i < s->o->files.n && has_c_tests; i++)  // the module is the first
    tp_goals_leave_out(&c->goals, s->program, s->o->files.at[i]);
  tp_goals_show(&c->goals, s->program);
  tp_suite_init(&c->suite, s->program, &c->goals);
  c->answers = TP_NEW_ARRAY(tp_goal_answer, c->goals.v.n + 1);
  int status = TP_EXIT_INPUT;
  if (count_given(c)) {
    search(c, limit_s);
    status = c->is_adequacy ? conclude_adequacy(c) : conclude_suite(c);
  } else {
    puts("RESULT: unknown (the tests cannot be read)");
  }
  tp_free(c->answers);
  tp_suite_clear(&c->suite);
  tp_goals_clear(&c->goals);
  tp_vec_clear(&c->certificates);
  tp_vec_clear(&c->assumptions);
  tp_str_clear(&c->remarks);
  tp_arena_clear(&c->arena);
  return status;
}

static bool read_cover(const char *text, tp_goal_cover *cover, const char **callee) {
  static const char calls[] = "calls:";
  const bool is_calls = strncmp(text, calls, sizeof calls - 1) == 0 && text[sizeof calls - 1];
  *callee = is_calls ? text + sizeof calls - 1 : NULL;
  *cover = is_calls                          ? TP_COVER_CALLS
           : strcmp(text, "statements") == 0 ? TP_COVER_STATEMENTS
           : strcmp(text, "boundaries") == 0 ? TP_COVER_BOUNDARIES
                                             : TP_COVER_BRANCHES;
  return is_calls || *cover == TP_COVER_STATEMENTS || *cover == TP_COVER_BOUNDARIES ||
         strcmp(text, "branches") == 0;
}

static void clear_module(test_module *m) {
  for (size_t i = 0; i < m->calls.n; i++) tp_vec_clear(&m->calls.at[i].assumptions);
  tp_vec_clear(&m->calls);
  tp_str_clear(&m->stubs);
}

/* The program, or the environment of the module. */
static int load(tp_session *s, tp_options *o, test_module *module) {
  *module = (test_module){.file = o->files.at[0]};
  tp_options first = *o;  // what is linked with unit tests in C may have a main
  if (o->add_to[0] && tp_c_tests_are(o->add_to)) first.files.n = 1;
  module->is_one = o->module[0] || tp_module_is_one(&first);
  if (!module->is_one) return tp_session_load(s);
  tp_session_give_up(s, "the module cannot be read");
  const tp_status st =
      tp_entry_prepare_module(o, s->diag, &s->arena, &module->calls, &module->stubs);
  s->bad_input = st != TP_OK;
  return st != TP_OK ? tp_session_cannot_load(s, st) : tp_session_load(s);
}

/* Tests that exist, unless they are in C. False: they cannot be read. */
static bool read_given(tp_session *s, const test_module *module, tp_test_list *given) {
  const tp_options *o = s->o;
  if (!o->add_to[0]) return true;
  if (!tp_c_tests_are(o->add_to)) return tp_test_list_read(s, o->add_to, TP_TESTS_ALL, given);
  if (!module->is_one)
    tp_session_give_up(s, "%s is a program with main: tests in C are for modules", module->file);
  return module->is_one;
}

static void on_interrupt(int signal_number) {
  (void)signal_number;
  tp_process_interrupt();
}

/* What was found when somebody interrupts is written. */
static int run_below_guard(tp_options *o, bool is_adequacy) {
  signal(SIGPIPE, SIG_IGN);
  struct sigaction a = {.sa_handler = on_interrupt};
  sigaction(SIGTERM, &a, NULL);
  tp_wall_clock_start(o->walltime);
  tp_session s;
  tp_session_init(&s, o);
  s.now.engine = is_adequacy ? "adequacy" : "test";
  tp_test_list given = {0};
  test_module module = {0};
  test_command c = {.module = &module, .given = &given, .is_adequacy = is_adequacy};
  (void)read_cover(o->cover, &c.cover, &c.callee);  // checked before
  if (is_adequacy) c.cover = TP_COVER_BOUNDARIES;
  int status = o->files.n ? load(&s, o, &module) : tp_session_load(&s);
  if (status == 0 && !read_given(&s, &module, &given)) {
    s.bad_input = true;
    status = TP_EXIT_INPUT;
  }
  const bool is_ready = status == 0;
  if (is_ready) status = make_suite(&s, &c);
  tp_test_list_clear(&given);
  clear_module(&module);
  if (!is_ready) return tp_conclude_and_clear(&s, status);
  tp_session_clear(&s);
  return status;
}

static int test_below_guard(void *ctx, int channel) {
  (void)channel;
  return run_below_guard(ctx, false);
}

int tp_command_adequacy_of_c_tests(void *options, int channel) {
  (void)channel;
  tp_options *o = options;
  o->add_to = o->tests;
  return run_below_guard(o, true);
}

/* Files of the suite would take the place of tests with the same names. */
static bool is_same_folder(const char *a, const char *b) {
  struct stat x, y;
  return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

int tp_command_test(int argc, char **argv) {
  tp_options o;
  tp_options_parse(&o, TP_FOR_TEST, argc, argv);
  int status = TP_EXIT_USAGE;
  tp_goal_cover cover;
  const char *callee;
  if (!o.output[0]) {
    fputs("twoproof test: --output=DIR is needed: the folder of the suite\n", stderr);
  } else if (o.add_to[0] && is_same_folder(o.add_to, o.output)) {
    fputs("twoproof test: --add-to and --output are the same folder: tests would be overwritten\n",
          stderr);
  } else if (!read_cover(o.cover, &cover, &callee)) {
    fprintf(stderr, "twoproof test: --cover=%s: branches, boundaries, statements or calls:NAME\n",
            o.cover);
  } else if (tp_outputs_are_writable(&o) &&
             (status = TP_EXIT_INPUT, tp_options_take_in(&o, true))) {
    const tp_guard_limits limits = {
        .cpu_s = o.timelimit, .memory_bytes = (o.memlimit << 20) * 2, .has_result = true};
    status = tp_guard_run(test_below_guard, &o, limits);
  }
  tp_options_clear(&o);
  return status;
}
