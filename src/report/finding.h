/* What an engine found out that did not reach a verdict: what people need to go on.
 *
 * What       a record for each engine that was tried, and its texts.
 * Represents condition: the runs, or the assumption, for which the explored part is a proof
 *            already. cost: where the effort went.
 * Ownership  texts live in the arena they were made in. */
#ifndef TP_REPORT_FINDING_H
#define TP_REPORT_FINDING_H

#include "engine/engine.h"

typedef struct {
  const char *engine, *reason;
  const char *condition;  // "a proof if ...", "a proof for runs ...", or NULL
  const char *cost;       // "a.c:3:5: i = i + 1, followed 12 times", or NULL
  tp_pos unproved;        // the first error that could not be excluded, behind a fixpoint
  size_t n_unproved;      // how many; 0: no fixpoint, or none
  tp_pos costliest;       // of `cost`, or TP_POS_NONE
  bool ran_out;           // a limit of time came before its own end
  bool proves_only;       // as in the schedule: it does not go on to ever longer runs
} tp_finding;

/* stats: of that engine; of one that was stopped, as far as it told. */
tp_finding tp_finding_of(const tp_program *p, const char *engine, const char *reason,
                         const tp_result *r, const tp_stats *stats, tp_arena *arena);

#endif
