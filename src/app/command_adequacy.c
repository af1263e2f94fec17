/* twoproof adequacy: are these tests enough, and does the property hold?
 *
 * Loads the program (a module gets its most general client first), reads tests and predicates, has
 * the engine answer in a worker, prints what it says about the tests, and has its claim about the
 * property confirmed as every claim. */
#include "app/commands.h"

#include "app/c_tests.h"
#include "app/exit.h"
#include "app/process_guard.h"
#include "app/wall_clock.h"
#include "app/module.h"
#include "app/options_intake.h"
#include "app/session.h"
#include "app/test_folder.h"
#include "adequacy/cutpoints.h"
#include "adequacy/probe_sources.h"
#include "report/adequacy_report.h"
#include "report/heap_adequacy_report.h"
#include "report/page_adequacy.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct {
  tp_session *s;
  tp_adequacy_settings settings;
  TP_VEC(tp_loc) cutpoints;
  tp_probes probes;
  tp_test_list tests;
  tp_arena arena;
  // what the worker says
  const char *report;
  const char *json;
  const char *invariant;  // header of the module's invariant, or ""
  tp_module *module;      // NULL: none
} adequacy;

// ------------------------------------------------------------------ predicates

static void find_cutpoints(adequacy *a) {
  const tp_program *p = a->s->program;
  bool *cut = tp_cutpoints_find(p, a->s->property, a->settings.cutpoints);
  for (uint32_t i = 1; i < p->locs.n; i++)
    if (cut[i]) tp_vec_push(&a->cutpoints, (tp_loc){i});
  tp_free(cut);
}

/* From the file, from the source, and, if these say nothing or it is asked for, from the program
 * itself. */
static bool read_probes(adequacy *a) {
  const tp_options *o = a->s->o;
  const tp_program *p = a->s->program;
  tp_predicate_locations cutpoints = {a->cutpoints.at, a->cutpoints.n};
  if (o->predicates[0]) {
    tp_status st =
        tp_probes_from_file(p, cutpoints, o->predicates, a->s->diag, &a->arena, &a->probes);
    if (st == TP_ERR_SYSTEM)
      fprintf(stderr, "twoproof: predicates %s: %s\n", o->predicates, strerror(errno));
    if (st != TP_OK) {
      tp_session_give_up(a->s, "the predicates cannot be read");
      return false;
    }
  }
  if (tp_probes_from_source(p, cutpoints, (const char *const *)o->files.at, o->files.n, a->s->diag,
                            &a->arena, &a->probes) != TP_OK) {
    tp_session_give_up(a->s, "a probe is no predicate");
    return false;
  }
  bool wants_own =
      o->default_predicates[0] ? strcmp(o->default_predicates, "none") != 0 : a->probes.n == 0;
  tp_default_probes how = {.property = a->s->property,
                           .without_sizes = strcmp(o->default_predicates, "no-sizes") == 0};
  if (wants_own) tp_probes_by_default(p, cutpoints, how, &a->arena, &a->probes);
  return true;
}

static bool save_probes(adequacy *a) {
  const char *path = a->s->o->save_predicates;
  if (!path[0]) return true;
  tp_str text = {0};
  tp_probes_write(a->s->program, &a->probes, &text);
  bool ok = tp_write_file(path, tp_str_text(&text), text.n) == TP_OK;
  if (!ok) {
    fprintf(stderr, "twoproof: cannot write predicates to %s: %s\n", path, strerror(errno));
    tp_session_give_up(a->s, "the predicates could not be written");
  }
  tp_str_clear(&text);
  return ok;
}

static tp_adequacy_settings settings_of(const tp_options *o) {
  tp_adequacy_settings s = {
      .classifies = true, .only_models = o->no_runs, .stops_at_seen = o->stop_at_seen};
  if (strcmp(o->cutpoints, "calls") == 0) s.cutpoints = TP_CUTPOINTS_CALLS;
  if (strcmp(o->cutpoints, "all") == 0) s.cutpoints = TP_CUTPOINTS_ALL;
  if (strcmp(o->domain, "intervals") == 0) s.domain = TP_ABSTRACT_INTERVALS;
  if (strcmp(o->domain, "octagons") == 0) s.domain = TP_ABSTRACT_OCTAGONS;
  if (strcmp(o->domain, "polyhedra") == 0) s.domain = TP_ABSTRACT_POLYHEDRA;
  return s;
}

// --------------------------------------------------------------- in the worker

static void put_unit_tests(const adequacy *a, const tp_adequacy_report *report, tp_str *answer) {
  tp_unit_tests tests = {0};
  if (a->s->o->output[0]) tp_unit_tests_of_missed(a->module, report, a->s->diag, &tests);
  tp_wire_put_u64(answer, tests.n);
  for (size_t i = 0; i < tests.n; i++) {
    tp_wire_put_u64(answer, tests.at[i].number);
    tp_wire_put_text(answer, tp_str_text(&tests.at[i].text));
    tp_str_clear(&tests.at[i].text);
  }
  tp_vec_clear(&tests);
}

static bool is_about_heaps(const adequacy *a) { return strcmp(a->s->o->domain, "shapes") == 0; }

/* The same texts as of predicates, without those of modules and pages. */
static void answer_about_heaps(const adequacy *a, const tp_adequacy_question *q,
                               const tp_budget *budget, tp_str *answer) {
  tp_stats stats = {0};
  tp_result result;
  tp_heap_adequacy_report report;
  tp_str text = {0}, json = {0};
  tp_result_init(&result);
  tp_heap_adequacy_report_init(&report);
  tp_heap_adequacy_run(q, budget, &stats, &result, &report);
  tp_heap_adequacy_print(&report, a->s->program, a->s->diag, &text);
  tp_heap_adequacy_json(&report, a->s->program, &json);
  tp_wire_put_stats(answer, &stats);
  tp_wire_put_text(answer, tp_str_text(&text));
  tp_wire_put_text(answer, tp_str_text(&json));
  tp_wire_put_text(answer, "");
  tp_wire_put_text(answer, "");
  tp_wire_put_u64(answer, 0);
  tp_wire_put_result(answer, &result);
  tp_str_clear(&text);
  tp_str_clear(&json);
  tp_heap_adequacy_report_clear(&report);
  tp_result_clear(&result);
}

static void answer_about_predicates(const adequacy *a, const tp_adequacy_question *question,
                                    const tp_budget *budget, tp_str *answer) {
  const tp_session *s = a->s;
  tp_stats stats = {0};
  tp_result result;
  tp_adequacy_report report;
  tp_str text = {0}, json = {0}, header = {0}, section = {0};
  tp_result_init(&result);
  tp_adequacy_report_init(&report, s->program);
  tp_adequacy_run(question, budget, &stats, &result, &report);
  tp_adequacy_print(&report, s->diag, &text);
  if (a->module && report.is_closed && !report.potential.n)
    (void)tp_module_print_invariant(a->module, &report, &text, &header);
  tp_adequacy_first_line(&report, &text);
  tp_adequacy_json(&report, &json);
  if (s->o->output[0]) tp_page_adequacy(&report, a->tests.names, a->tests.n, &section);
  tp_wire_put_stats(answer, &stats);
  tp_wire_put_text(answer, tp_str_text(&text));
  tp_wire_put_text(answer, tp_str_text(&json));
  tp_wire_put_text(answer, tp_str_text(&header));
  tp_wire_put_text(answer, tp_str_text(&section));
  put_unit_tests(a, &report, answer);
  tp_wire_put_result(answer, &result);
  tp_str_clear(&text);
  tp_str_clear(&json);
  tp_str_clear(&header);
  tp_str_clear(&section);
  tp_adequacy_report_clear(&report);
  tp_result_clear(&result);
}

static void answer_in_worker(void *ctx, int channel, tp_str *answer) {
  adequacy *a = ctx;
  const tp_session *s = a->s;
  tp_task task = {.program = s->program,
                  .property = s->property,
                  .seed = s->o->seed,
                  .shape_classes = s->o->shape_class.n ? &s->shape_classes : NULL};
  tp_adequacy_question q = {.task = &task, .probes = a->probes, .settings = a->settings};
  for (size_t i = 0; i < a->tests.n; i++)
    tp_vec_push(&q.tests, (tp_adequacy_test){&a->tests.at[i], NULL});
  tp_budget budget =
      tp_worker_budget(s->budget.limit_s > 0 ? tp_budget_left_s(&s->budget) * 0.8 : 0, &channel);
  budget.steps = s->o->steps;
  if (is_about_heaps(a))
    answer_about_heaps(a, &q, &budget, answer);
  else
    answer_about_predicates(a, &q, &budget, answer);
  tp_vec_clear(&q.tests);
}

// -------------------------------------------------------------------- verdict

static void confirm(tp_session *s) {
  const tp_result *r = &s->now.result;
  s->now.violated = r->violated;
  switch (r->verdict) {
    case TP_VERDICT_TRUE: (void)tp_confirm_true(s, 0); return;
    case TP_VERDICT_FALSE: tp_confirm_false(s); return;
    case TP_VERDICT_UNKNOWN:
      tp_session_give_up(s, "%s", r->reason ? r->reason : "no proof and no failure found");
      if (r->hint) tp_str_add(&s->now.hint, r->hint);
      return;
  }
}

static void write_output(const tp_session *s, const char *name, const char *text) {
  if (!s->o->output[0]) return;
  tp_str path = {0};
  tp_str_printf(&path, "%s/%s", s->o->output, name);
  if (tp_write_file(tp_str_text(&path), text, strlen(text)) != TP_OK)
    fprintf(stderr, "twoproof: cannot write %s: %s\n", tp_str_text(&path), strerror(errno));
  tp_str_clear(&path);
}

/* missed-1.c, ...: numbers are those of `missed:` lines. */
static void write_unit_tests(const adequacy *a, tp_wire_reader *from) {
  for (uint64_t n = tp_wire_u64(from); n > 0 && !from->bad; n--) {
    char name[40];
    snprintf(name, sizeof name, "missed-%llu.%s", (unsigned long long)tp_wire_u64(from),
             a->module ? "c" : "txt");
    const char *text = tp_wire_text(from, &a->s->arena);
    if (text) write_output(a->s, name, text);
  }
}

static void decide(adequacy *a) {
  tp_session *s = a->s;
  tp_worker w;
  tp_worker_run(&w, &s->budget, (tp_work){answer_in_worker, a, "adequacy"});
  if (!w.has_answer) {
    tp_session_give_up(s, "adequacy: %s", tp_str_text(&w.reason));
  } else {
    tp_wire_stats(&w.answer, &s->stats);
    a->report = tp_wire_text(&w.answer, &s->arena);
    a->json = tp_wire_text(&w.answer, &s->arena);
    a->invariant = tp_wire_text(&w.answer, &s->arena);
    const char *section = tp_wire_text(&w.answer, &s->arena);
    s->page_section = section && section[0] ? section : NULL;
    write_unit_tests(a, &w.answer);
    tp_wire_result(&w.answer, &s->now.result);
    if (w.answer.bad)
      tp_session_give_up(s, "adequacy: the worker's answer is damaged");
    else
      confirm(s);
  }
  tp_worker_clear(&w);
  s->extra_json = a->json;
  tp_heartbeat_erase(&s->budget.heartbeat);
  if (a->report) fputs(a->report, stdout);
}

static void clear(adequacy *a) {
  tp_test_list_clear(&a->tests);
  tp_vec_clear(&a->cutpoints);
  tp_vec_clear(&a->probes);
  tp_arena_clear(&a->arena);
}

/* The failing calls of a module, under the failing run; or what holds between calls. With --output
 * as files. */
static void conclude_module(const adequacy *a) {
  const tp_session *s = a->s;
  tp_str text = {0};
  if (s->now.verdict == TP_VERDICT_FALSE && tp_module_failing_calls(s, a->module, &text)) {
    fputs(tp_str_text(&text), stdout);
    write_output(s, "unit_test.c", tp_str_text(&text));
  }
  if (s->now.verdict == TP_VERDICT_TRUE && a->invariant && a->invariant[0])
    write_output(s, "invariant.h", a->invariant);
  tp_str_clear(&text);
}

static int adequacy_below_guard(void *ctx, int channel) {
  (void)channel;
  signal(SIGPIPE, SIG_IGN);
  tp_wall_clock_start(((const tp_options *)ctx)->walltime);
  tp_session s;
  tp_options *o = ctx;
  tp_session_init(&s, o);
  s.now.engine = "adequacy";
  tp_module module;
  tp_module_init(&module);
  adequacy a = {.s = &s, .settings = settings_of(s.o)};
  bool is_implied = !o->module[0] && tp_module_is_one(o);
  if (is_implied)
    fprintf(stderr, "twoproof: no function main in %s: taken as a module (--module=*)\n",
            o->files.at[0]);
  if (is_implied || (o->module[0] && o->files.n)) a.module = &module;
  const tp_status ready = a.module ? tp_module_prepare(o, s.diag, &s.arena, &module) : TP_OK;
  if (ready != TP_OK) tp_session_give_up(&s, "the module cannot be read");
  int status = ready == TP_OK ? tp_session_load(&s) : tp_session_cannot_load(&s, ready);
  if (status == 0) {
    find_cutpoints(&a);
    s.bad_input =
        !(!s.o->tests[0] || tp_test_list_read(&s, s.o->tests, TP_TESTS_PASSING, &a.tests)) ||
        !read_probes(&a) || !save_probes(&a);
    if (!s.bad_input) decide(&a);
    if (a.module) conclude_module(&a);
  }
  tp_module_clear(&module);
  clear(&a);
  return tp_conclude_and_clear(&s, status);
}

int tp_command_adequacy(int argc, char **argv) {
  tp_options o;
  tp_options_parse(&o, TP_FOR_ADEQUACY, argc, argv);
  int status = TP_EXIT_USAGE;
  if (tp_outputs_are_writable(&o) && (status = TP_EXIT_INPUT, tp_options_take_in(&o, true))) {
    tp_guard_limits limits = {
        .cpu_s = o.timelimit, .memory_bytes = (o.memlimit << 20) * 2, .has_result = true};
    const bool is_in_c = o.tests[0] && tp_c_tests_are(o.tests);
    status =
        tp_guard_run(is_in_c ? tp_command_adequacy_of_c_tests : adequacy_below_guard, &o, limits);
  }
  tp_options_clear(&o);
  return status;
}
