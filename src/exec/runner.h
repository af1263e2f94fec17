/* Runs for engines: the interpreter where they are short, machine code where they are long.
 *
 * What       a run starts in the interpreter. When it has been there for long enough that compiling
 *            pays, it goes on as machine code (exec/native/native_child.h) from the whole state
 *            where it is, and comes back wherever code cannot go on plainly, wherever an input is
 *            asked for, and wherever somebody wants to look. Ends, errors, limits and inputs are
 *            always the interpreter's.
 * Represents the same runs as tp_exec_run: same ends, steps, inputs, states, whatever went where
 * and whatever happened to a child.
 * Looking    who looks at a run says, each time before it is out of sight, how often it may pass
 *            which place (exec/visits.h) and for how many steps, and is told afterwards what it
 *            passed. In between nothing is seen; all else is seen as tp_exec_run shows it.
 * Limits     memory is counted as the interpreter counts it.
 * Ownership  the program is borrowed; a runner belongs to one process and serves one run at a time.
 */
#ifndef TP_EXEC_RUNNER_H
#define TP_EXEC_RUNNER_H

#include "exec/native/native_child.h"

typedef struct {
  uint64_t hot_steps;  // interpreted before the program is compiled; 0: by the size of the program
  uint64_t seed;       // for tests: not 0: tiers change at random
  bool in_process;     // for tests: code runs here and now, not in a child
} tp_runner_options;

typedef struct tp_runner tp_runner;
tp_runner *tp_runner_new(const tp_program *p, tp_runner_options options);
void tp_runner_free(tp_runner *r);
/* Countdowns of visits: blocks may be added between runs. */
tp_visits *tp_runner_visits(tp_runner *r);

typedef struct {
  tp_observer machine;  // what the interpreter shows
  void *ctx;
  /* The run, at this cutpoint, which the observer has not seen yet, could go out of sight. Sets
   * countdowns (those of common blocks are endless); the result is how many steps it may take at
   * most, 0: none. root: the block of the outermost frame. */
  uint64_t (*before_burst)(void *ctx, const tp_state *s, tp_visits *v, tp_visit_block *root);
  /* It is in sight again, here, not seen yet: steps were taken, visits counted down. */
  void (*after_burst)(void *ctx, const tp_state *s, tp_visits *v, uint64_t steps);
} tp_runner_observer;
/* As tp_exec_run. observer NULL: none. */
tp_run_result tp_runner_run(tp_runner *r, tp_state *s, tp_oracle *oracle, tp_run_limits limits,
                            const tp_runner_observer *observer);

/* What was done so far: for measurements and tests, not for results. */
typedef struct {
  uint64_t bursts, native_steps, interpreted_steps;
  uint32_t n_lost;
} tp_runner_counts;
tp_runner_counts tp_runner_counted(const tp_runner *r);
tp_child *tp_runner_child(tp_runner *r);  // NULL if in_process; for tests

#endif
