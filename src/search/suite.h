/* A suite of tests for coverage goals.
 *
 * What       runs inputs on the concrete machine and keeps those that cover a goal first; fuzzing
 *            for more; fewer and smaller tests with the same coverage.
 * Represents tests in the order in which they were kept, each with the goals that its own run
 *            covers. Nothing but a run covers a goal.
 * Law        a run counts only if its compiled twin does the same: it ends or is cut, used no
 *            indeterminate bit, no guess of a library model, and met nothing that has no model.
 *            The result depends on (program, goals, what is offered, seed, runs, steps) only.
 * Ownership  program and goals are borrowed; the program stays unchanged.
 * Source     fuzzing guided by coverage: exec/random_inputs.h; minimal suites by elimination:
 *            Harrold, Gupta, Soffa 1993. */
#ifndef TP_SEARCH_SUITE_H
#define TP_SEARCH_SUITE_H

#include "exec/exec.h"
#include "program/goals.h"

/* From the best kind of test to the worst. */
enum { TP_SUITE_ENDS, TP_SUITE_CUT, TP_SUITE_FAILS };

typedef struct {
  tp_inputs inputs;   // what the run asked for
  bool *covers;       // by goal
  tp_run_result run;  // its end: ERROR and INVALID are failures; NO_INPUT and LIMIT: it is cut
} tp_suite_test;

typedef struct {
  const tp_program *p;
  const tp_goals *goals;
  tp_state *start;
  TP_VEC(tp_suite_test) tests;
  bool *covered;    // by goal, by a test
  uint8_t *rank;    // by covered goal: of the best test
  bool *elsewhere;  // by goal, by a test that is not of the suite
  uint64_t n_runs;
  bool is_endless;  // some run came to its step limit
} tp_suite;
void tp_suite_init(tp_suite *s, const tp_program *p, const tp_goals *goals);
void tp_suite_clear(tp_suite *s);

/* Runs the inputs (copied; 0 behind their end). True: they cover a goal first, or in a better way
 * than the tests before, and are a test. */
bool tp_suite_offer(tp_suite *s, const tp_inputs *inputs);
/* Runs the inputs of a test that exists elsewhere: what they cover needs no test of the suite. The
 * number of goals that it covers first. */
size_t tp_suite_count_in(tp_suite *s, const tp_inputs *inputs);
/* Runs with random inputs, at most `runs` and cpu_s seconds (0: no limit), until all goals are
 * covered or the program asks for nothing. */
void tp_suite_fuzz(tp_suite *s, uint64_t seed, uint32_t runs, double cpu_s);
/* No test is left without which the suite covers the same, failing ones first; then fewer and
 * smaller inputs for each, while it covers what it covered and ends alike. cpu_s: for the inputs;
 * 0: no limit. */
void tp_suite_minimise(tp_suite *s, double cpu_s);
bool tp_suite_test_fails(const tp_suite_test *t);
/* Does the program go on when the test is over: where it asks for more than the inputs, or, if the
 * run ended in its step limit, without asking? */
bool tp_suite_test_is_cut(const tp_suite_test *t);

#endif
