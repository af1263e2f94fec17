/* Campaigns of faults: many runs, one fault in each, judged by what must hold for all of them.
 *
 * What       one run under faults and its outcome; which n of an event are tried; the table; what
 *            was done before, for long campaigns.
 * Represents a run is a child of the campaign with a temporary folder and an output folder of its
 * own.
 * Law        RIGHT and UNKNOWN are all that a fault may lead to, and DIED where memory of libraries
 *            fails. */
#ifndef TP_TEST_FAULTS_CAMPAIGN_H
#define TP_TEST_FAULTS_CAMPAIGN_H

#include "base/fault.h"
#include "base/process.h"

#include <stdio.h>

typedef enum {
  TP_OUTCOME_RIGHT,    // the verdict that the program deserves
  TP_OUTCOME_UNKNOWN,  // UNKNOWN with a reason
  TP_OUTCOME_DIED,  // UNKNOWN, since a library ended a worker with a signal when it found no memory
  TP_OUTCOME_WRONG,
  TP_OUTCOME_CRASH,  // an internal error, a signal that nobody sent, no RESULT line, or two
  TP_OUTCOME_HANG,
  TP_OUTCOME_LEFT_OVER,  // a file or a process stayed
  TP_OUTCOME_LOST,       // a verdict whose evidence is not where it is said to be
  TP_N_OUTCOMES
} tp_outcome;
extern const char *const tp_outcome_names[TP_N_OUTCOMES];

typedef struct {
  uint64_t runs, struck, by[TP_N_OUTCOMES];
} tp_tally;
typedef struct {
  const char *kind;
  tp_tally tally;
} tp_campaign_row;

typedef struct {
  tp_str folder;  // of the campaign; in it: tmp, output
  tp_str tmp, output;
  tp_str path;          // $PATH before it
  tp_faults *page;      // shared with the runs, not in force in the campaign itself
  FILE *progress;       // what was done before, and now; NULL: nothing is kept
  TP_VEC(char *) done;  // keys with their tallies
  TP_VEC(tp_campaign_row) rows;
  uint64_t failures;
  double until_s;  // wall clock; 0: no end
} tp_campaign;

/* progress: path of the file that keeps what was done, or NULL. */
void tp_campaign_init(tp_campaign *c, const char *progress, double until_s);
/* From here on compilers in PATH are test/faults/compiler.c. */
void tp_campaign_remember_builds(const tp_campaign *c);
void tp_campaign_print(const tp_campaign *c);  // the table
void tp_campaign_clear(tp_campaign *c);

/* One run: spec is a program or a function, with streams and limits; the rest is set here. Its
 * faults are counted in c->page, whose `at` are as given. is_safe: the verdict that the program
 * deserves. has_statistics: a verdict comes with a file stats.json. has_no_evidence: it comes with
 * no files. reference: a folder with the evidence of a run without faults, which a verdict must
 * come with, byte by byte, where writing fails; NULL: any evidence. `said`: its last words, for
 * messages; may be NULL. */
typedef struct {
  tp_process_spec spec;
  bool is_safe, has_statistics, has_no_evidence;
  const char *reference;
} tp_trial;
tp_outcome tp_campaign_run(tp_campaign *c, const tp_trial *t, const tp_fault *faults,
                           size_t n_faults, tp_str *said);

/* How many events of this kind a run has that goes well. */
uint64_t tp_campaign_count(tp_campaign *c, const tp_trial *t, tp_fault fault);
/* A fault at `most` of the events of its kind, evenly spread (0: at each): adds to the row `kind`.
 * name: of program and engine, for messages and for the key under which this is not done again.
 * before: a fault that happens as well, or NULL. Returns the tally. */
tp_tally tp_campaign_sweep(tp_campaign *c, const char *kind, const char *name, const tp_trial *t,
                           tp_fault fault, const tp_fault *before, uint64_t most);

#endif
