/* The schedule of `auto`: which engines run, in which order, for how long.
 *
 * What       a list of entries, chosen from a table of rows with reasons (schedule.c). Two run at
 *            the same time: the first, which looks for failures and unrolls, goes on to the end;
 *            the others follow each other beside it.
 * Law        depends on the features only; the shares of the others sum up to at most 1.
 * Ownership  texts are static. */
#ifndef TP_AUTO_SCHEDULE_H
#define TP_AUTO_SCHEDULE_H

#include "engine/engine.h"
#include "auto/features.h"

enum { TP_MAX_SCHEDULE_ENTRIES = 14 };
typedef struct {
  const char *name;  // what people read: an engine, or a configuration of cpa
  const tp_engine *engine;
  const char *composition;  // text, or NULL: the engine's own
  bool random_first;        // a few random runs before the engine
  bool has_one_run;         // the program asks for nothing: its only run is followed for longer
  bool fills_arrays;        // random runs, which have to get through loops that fill arrays, have
                            // more time
  bool takes_no_imports;    // what other engines proved stays out of its certificate, where proving
                            // it again costs more than it gives: graphs, facts about elements, and
                            // the first of two turns
  bool proves_only;         // it cannot find failures: given up first when time is short
  double share;             // of the CPU time of the search; 1: whatever is left
  double limit_s;           // the same where there is no time limit; 0: none
  double after_s;      // not before so much CPU time was used: easy programs are left to one engine
  const char *reason;  // why it has this place; NULL: the user chose it
} tp_schedule_entry;
typedef struct {
  tp_schedule_entry at[TP_MAX_SCHEDULE_ENTRIES];
  size_t n;
  const char *class_name;   // of the program: "recursion"
  const char *wait_reason;  // of after_s
} tp_schedule;
tp_schedule tp_schedule_of(const tp_features *f);
/* The engine that proves claims of the user's (tp_task.candidates) is the first of the others, and
 * starts at once. */
void tp_schedule_prefer_claims(tp_schedule *s);
/* A turn that no schedule lists: when a proof is stuck and says where (engine/board.h). Its share
 * is that of all such turns together. */
tp_schedule_entry tp_schedule_goals_turn(void);
/* A table for people: one line for each entry, with its reason. */
void tp_schedule_print(const tp_schedule *s, tp_str *out);

/* What a person could try where all entries ended without an answer. */
typedef struct {
  const char *name;    // an engine or configuration that the schedule does not have, or NULL
  const char *option;  // that chooses it: "--config=shape"
  const char *why;
  bool has_setting;         // the option says more than the name
  const char *restructure;  // what to change of the program or its inputs; never NULL
  const char *prover;       // the only entry that proves such programs, or NULL
  bool repeats;             // there are loops or recursion
  bool is_finite;           // no input decides how long they run: unrolling may be complete
} tp_advice;
tp_advice tp_schedule_advice(const tp_features *f, const tp_schedule *s);

#endif
