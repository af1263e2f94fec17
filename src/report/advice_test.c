// Whoever follows advice, whichever alternative, comes to an end: no circle, no option twice.
#include "report/unknown.h"

#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

// --------------------------------------------------------------------- programs

static const struct {
  const char *name;
  tp_features features;
} programs[] = {
    {"straight", {.n_edges = 10, .n_checks = 1}},
    {"counting", {.n_edges = 10, .n_checks = 1, .n_loops = 1}},
    {"input", {.n_edges = 10, .n_checks = 1, .n_loops = 2, .n_input_loops = 1}},
    {"array", {.n_edges = 10, .n_loops = 1, .n_input_loops = 1, .has_memory = true}},
    {"floats", {.n_edges = 10, .n_loops = 1, .n_input_loops = 1, .has_floats = true}},
    {"heap", {.n_edges = 10, .n_loops = 1, .n_input_loops = 1, .has_heap = true}},
    {"list",
     {.n_edges = 10, .n_loops = 1, .n_input_loops = 1, .has_heap = true, .has_links = true}},
    {"short list", {.n_edges = 10, .n_loops = 1, .has_heap = true, .has_links = true}},
    {"tree", {.n_edges = 10, .has_recursion = true, .has_heap = true, .has_links = true}},
    {"recursion", {.n_edges = 10, .has_recursion = true}},
    {"large", {.n_edges = 100000, .n_loops = 1, .n_input_loops = 1}},
};

/* How all attempts of a run end, whatever the options are. */
static const struct {
  const char *name;
  tp_verdict claim;
  tp_obstacle_kind obstacle;
  const char *reason, *hint;
  bool ran_out, is_clock, check_ran_out, check_rejected;
} endings[] = {
    {"by themselves", TP_VERDICT_UNKNOWN, TP_OBSTACLE_ABSTRACTION, "an error", NULL, false, false,
     false, false},
    {"time", TP_VERDICT_UNKNOWN, TP_OBSTACLE_LIMIT, "time limit", NULL, true, false, false, false},
    {"the clock", TP_VERDICT_UNKNOWN, TP_OBSTACLE_LIMIT, "time limit", NULL, true, true, false,
     false},
    {"memory", TP_VERDICT_UNKNOWN, TP_OBSTACLE_LIMIT, "out of memory", NULL, false, false, false,
     false},
    {"solver", TP_VERDICT_UNKNOWN, TP_OBSTACLE_SOLVER, "gave up", NULL, false, false, false, false},
    {"a loop", TP_VERDICT_UNKNOWN, TP_OBSTACLE_LOOP, "loop", NULL, true, false, false, false},
    {"recursion", TP_VERDICT_UNKNOWN, TP_OBSTACLE_RECURSION, "depth", NULL, true, false, false,
     false},
    {"a construct", TP_VERDICT_UNKNOWN, TP_OBSTACLE_CONSTRUCT, "assembly", NULL, false, false,
     false, false},
    {"a proof that takes long", TP_VERDICT_TRUE, TP_OBSTACLE_LOOP, "certificate check", NULL, false,
     false, true, false},
    {"a proof that is undecided", TP_VERDICT_TRUE, TP_OBSTACLE_OTHER, "certificate check", NULL,
     false, false, false, false},
    {"a proof that is wrong", TP_VERDICT_TRUE, TP_OBSTACLE_OTHER, "certificate check", NULL, false,
     false, false, true},
    {"a candidate", TP_VERDICT_FALSE, TP_OBSTACLE_OTHER, "not confirmed", NULL, false, false, false,
     false},
};

// ---------------------------------------------------------------------- options

/* What was given on the command line; "" and 0: not. */
typedef struct {
  char engine[40], config[40], setting[60], confirm[20];
  double timelimit, walltime;
  unsigned long memlimit, unroll;
} command;

static bool is_same(const command *a, const command *b) {
  return !strcmp(a->engine, b->engine) && !strcmp(a->config, b->config) &&
         !strcmp(a->setting, b->setting) && !strcmp(a->confirm, b->confirm) &&
         fabs(a->timelimit - b->timelimit) < 0.5 && fabs(a->walltime - b->walltime) < 0.5 &&
         a->memlimit == b->memlimit && a->unroll == b->unroll;
}

static void set(command *c, const char *name, size_t n, const char *value, size_t length) {
  char text[80] = {0};
  assert_true(length < 39);
  memcpy(text, value, length);
#define IS(word) (n == strlen(word) && strncmp(name, word, n) == 0)
  if (IS("engine"))
    snprintf(c->engine, sizeof c->engine, "%.39s", text);
  else if (IS("config"))
    snprintf(c->config, sizeof c->config, "%.39s", text);
  else if (IS("set"))
    snprintf(c->setting, sizeof c->setting, "%.59s", text);
  else if (IS("confirm"))
    snprintf(c->confirm, sizeof c->confirm, "%.19s", text);
  else if (IS("timelimit"))
    c->timelimit = atof(text);
  else if (IS("walltime"))
    c->walltime = atof(text);
  else if (IS("memlimit"))
    c->memlimit = strtoul(text, NULL, 10);
  else if (IS("unroll"))
    c->unroll = strtoul(text, NULL, 10);
  else if (!IS("output"))
    fail_msg("advice names --%.*s", (int)n, name);
#undef IS
}

/* Does what one alternative says. False: it names no option. */
static bool obey(const char *text, size_t n, command *c) {
  static const char leave[] = "leave --";
  bool any = false;
  const char *end = text + n;
  for (const char *at = text; at < end; at++) {
    if (strncmp(at, leave, strlen(leave)) == 0) {
      any = true;
      c->engine[0] = c->config[0] = c->setting[0] = 0;
    }
    if (strncmp(at, "--", 2) != 0) continue;
    const size_t name = strspn(at + 2, "abcdefghijklmnopqrstuvwxyz-");
    const char *value = at + 2 + name;
    if (*value != '=') continue;
    const size_t length = strcspn(value + 1, " ):;,");
    set(c, at + 2, name, value + 1, length);
    any = strncmp(at + 2, "output", name) != 0 || any;
    at = value + length;
  }
  return any;
}

// ---------------------------------------------------------------------- reports

static void advise(size_t program, size_t ending, const command *c, tp_str *out) {
  const tp_features *f = &programs[program].features;
  const tp_schedule schedule = tp_schedule_of(f);
  tp_finding findings[TP_MAX_SCHEDULE_ENTRIES];
  const bool is_single = c->engine[0] || c->config[0] || c->unroll;
  const size_t n = is_single ? 1 : schedule.n;
  for (size_t i = 0; i < n; i++)
    findings[i] = (tp_finding){.engine = is_single ? "chosen" : schedule.at[i].name,
                               .reason = "",
                               .ran_out = endings[ending].ran_out,
                               .proves_only = !is_single && schedule.at[i].proves_only};
  const tp_report r = {.verdict = TP_VERDICT_UNKNOWN,
                       .reason = endings[ending].reason,
                       .hint = endings[ending].hint,
                       .claim = endings[ending].claim,
                       .obstacle = {.kind = endings[ending].obstacle},
                       .check_ran_out = endings[ending].check_ran_out,
                       .check_rejected = endings[ending].check_rejected,
                       .chosen_by = c->config[0]   ? "--config"
                                    : c->engine[0] ? "--engine"
                                                   : NULL,
                       .chosen = c->config[0] ? c->config : c->engine,
                       .n_settings = c->setting[0] != 0,
                       .counts_machine = c->confirm[0] != 0,
                       .unroll = c->unroll,
                       .limit_s = c->timelimit,
                       .wall_s = endings[ending].is_clock ? c->walltime : 0,
                       .memory_mb = c->memlimit,
                       .advice = tp_schedule_advice(f, &schedule),
                       .findings = findings,
                       .n_findings = n,
                       .output = ""};
  tp_unknown_next(&r, out);
}

enum { MOST_STEPS = 40 };
typedef struct {
  size_t program, ending;
  command path[MOST_STEPS];
  size_t n_ends;
} walk;

static bool is_known(const walk *w, size_t n, const command *c) {
  for (size_t i = 0; i < n; i++)
    if (is_same(&w->path[i], c)) return true;
  return false;
}

/* Follows every alternative of the advice at path[n - 1]; an end has no option left. */
static void follow(walk *w, size_t n) {
  tp_str next = {0};
  bool goes_on = false;
  advise(w->program, w->ending, &w->path[n - 1], &next);
  if (!next.n) fail_msg("%s, %s: no advice", programs[w->program].name, endings[w->ending].name);
  for (const char *at = next.text; at;) {
    const char *end = strstr(at, "; or ");
    command c = w->path[n - 1];
    if (obey(at, end ? (size_t)(end - at) : strlen(at), &c)) {
      if (is_known(w, n, &c))
        fail_msg("%s, %s: a circle of %zu steps: %s", programs[w->program].name,
                 endings[w->ending].name, n, next.text);
      if (n == MOST_STEPS) fail_msg("%s: no end", programs[w->program].name);
      w->path[n] = c;
      goes_on = true;
      follow(w, n + 1);
    }
    at = end ? end + 5 : NULL;
  }
  w->n_ends += !goes_on;
  tp_str_clear(&next);
}

static void advice_ends(void **unused) {
  (void)unused;
  static const command starts[] = {
      {.walltime = 900, .memlimit = 4096},
      {.timelimit = 20, .walltime = 900, .memlimit = 4096},
      {.engine = "bmc", .walltime = 900, .memlimit = 4096},
      {.engine = "octagon", .timelimit = 5, .walltime = 900, .memlimit = 4096},
      {.engine = "value", .walltime = 900, .memlimit = 4096},
      {.engine = "synergy", .walltime = 900, .memlimit = 4096},
      {.config = "shape", .walltime = 900, .memlimit = 4096},
      {.config = "shape", .setting = "shape.families=none", .walltime = 900, .memlimit = 4096},
      {.unroll = 8, .walltime = 900, .memlimit = 4096},
  };
  for (size_t p = 0; p < sizeof programs / sizeof *programs; p++)
    for (size_t e = 0; e < sizeof endings / sizeof *endings; e++)
      for (size_t k = 0; k < sizeof starts / sizeof *starts; k++) {
        walk w = {.program = p, .ending = e, .path = {starts[k]}};
        follow(&w, 1);
        assert_true(w.n_ends > 0);
      }
}

/* The last advice says that no option helps, or what to do with the program. */
static void last_words(void **unused) {
  (void)unused;
  tp_str next = {0};
  const command last = {.unroll = 1, .walltime = 900, .memlimit = 4096};
  advise(2, 0, &last, &next);
  assert_string_equal(next.text,
                      "no option of this tool is known to help: assert inside the loop what it "
                      "keeps true; or report the program");
  tp_str_clear(&next);
}

/* Time is advised where it ended an engine that could prove, and not else. */
static void time_where_it_helps(void **unused) {
  (void)unused;
  static const struct {
    size_t program, ending;
    bool helps;
  } rows[] = {{2, 0, false}, {2, 1, true}, {1, 1, true}, {6, 0, false}, {6, 1, true}};
  const command c = {.timelimit = 20, .walltime = 900, .memlimit = 4096};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    tp_str next = {0};
    advise(rows[i].program, rows[i].ending, &c, &next);
    if ((strstr(next.text, "--timelimit=80") != NULL) != rows[i].helps)
      fail_msg("row %zu: %s", i, next.text);
    tp_str_clear(&next);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(advice_ends), cmocka_unit_test(last_words),
                                     cmocka_unit_test(time_where_it_helps)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
