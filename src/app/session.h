/* One program, one property, one verdict in the making. */
#ifndef TP_APP_SESSION_H
#define TP_APP_SESSION_H

#include "app/options.h"
#include "app/undefined.h"
#include "app/worker.h"
#include "auto/schedule.h"
#include "certify/certify.h"
#include "certify/runs/native_replay.h"
#include "report/finding.h"
#include "program/absent.h"
#include "program/monitor.h"
#include "shape/library.h"

/* An attempt at a verdict: what an engine claims, and what the evidence says of it. Texts live in
 * the session's arena or belong to the attempt. */
typedef struct {
  // what the engine says
  tp_result result;
  const char *engine;  // who answered
  // what the evidence says; only this decides
  tp_verdict verdict;
  tp_property violated;  // FALSE
  tp_str reason, hint;   // UNKNOWN
  tp_str evidence;       // TRUE, FALSE: how it was confirmed, one line
  bool certificate_checked;
  tp_certify_obligations obligations;  // of that certificate
  bool check_ran_out;                  // UNKNOWN: time or memory ended the check of a proof
  bool check_rejected;  // UNKNOWN: the checker refuted a proof, which is an error of ours
  TP_VEC(const char *) assumptions;  // TRUE
  tp_undefined_run undefined;  // TRUE: a run with an operation that the proof takes to be valid
  tp_str path;                 // FALSE: the error path as text
  tp_pos error_pos;
  tp_loc error;  // FALSE: where the model fails
  const char *error_function, *error_message, *error_notes;
  bool used_indeterminate;
  bool is_zeroed;         // what is indeterminate is 0 in this run
  uint64_t replay_steps;  // of the failing run
  bool guesses_matter;    // see tp_error_path
  bool rests_on_open;     // UNKNOWN: there is a failing run, but it rests on what nobody stated
                          // (program/absent.h)
  bool tried_storage;     // builds with other storage were tried for this failure
  tp_chk_native_report native;
} tp_attempt;
void tp_attempt_init(tp_attempt *a, const char *engine);
void tp_attempt_clear(tp_attempt *a);

typedef struct {
  const tp_options *o;
  tp_diag *diag;
  tp_program *program;
  tp_monitors monitors;            // woven into the program
  tp_shape_library shape_classes;  // of --shape-class and lib/shape; empty without the option
  tp_property property;
  tp_run_budget budget;
  double started_s;    // wall clock
  size_t live_before;  // bytes allocated before the session

  const char **models;  // sources of library models for native builds
  size_t n_models;
  tp_stats stats;
  tp_attempt now;
  const char *headline;    // in place of what the report says of the property, or NULL; in `arena`
  const char *features;    // of the program, for people; in `arena`
  tp_advice advice;        // UNKNOWN: what to try, by the features of the program
  bool has_waiting;        // UNKNOWN: time ran out before all engines had their turn
  const char *extra_json;  // further members of the statistics, or NULL; in `arena`
  const char
      *page_section;  // of the command's own on its page (report/page.h), or NULL; in `arena`
  tp_candidate_list candidates;  // invariants that others claim: for engines to prove or drop
  TP_VEC(tp_claim) claims;       // what became of them; texts in `arena`
  const char *given;             // the same for people, lines; or NULL; in `arena`
  bool has_given_inputs;         // of a user's test: they are replayed as they are
  bool machine_is_enough;        // FALSE is no answer to a user: an exact run needs no build
  bool has_no_build;             // a program that no compiler links
  TP_VEC(tp_loc) unconfirmed;  // error locations of failures that the compiled program did not show
  TP_VEC(tp_loc) known;    // of failures that were found before (app/failures.h): no failures now
  bool has_operations;     // TRUE: only of structures that at most --operations calls have changed
  const char *more_text;   // of further failures, for people and for SARIF (elements of an array),
  const char *more_sarif;  // or NULL; in `arena`
  bool output_failed;      // evidence of a further failure could not be written
  bool native_hangs;   // a run of the compiled program was stopped: those to come get little time
  bool bad_input;      // UNKNOWN because of the input: status 6
  tp_board board;      // facts that engines have for others
  bool has_exchanged;  // some turn was given facts
  TP_VEC(tp_finding) findings;  // UNKNOWN: of each engine that was tried; in `arena`
  tp_arena arena;
} tp_session;

void tp_session_init(tp_session *s, const tp_options *o);
void tp_session_clear(tp_session *s);

/* Read the program; on failure says why and returns the exit status, else 0. */
int tp_session_load(tp_session *s);
/* How the front end reads the program for the property that is set. */
tp_front_options tp_session_front(const tp_session *s);
/* The front end ended so: the reason, in place of the one that stands, and the exit status. */
int tp_session_cannot_load(tp_session *s, tp_status st);
/* session_search.c. Search for a verdict and confirm it. One engine has all the time; auto asks the
 * features of the program. */
void tp_session_search(tp_session *s);
/* The same; a proof that only holds up to an operation without meaning, which a run is known to
 * perform, is none. */
void tp_session_decide(tp_session *s);
/* What a failing run of this kind may not rest on. */
tp_absent_scope tp_session_openness(const tp_session *s, tp_property violated);
/* What a native build of the program is made from. */
tp_chk_native_request tp_session_native(const tp_session *s);
/* Wall time of one native run, 0: the usual. A program may sleep or wait for what never comes: the
 * first run has at most half of what is left of the time limit, and after one that was stopped the
 * others have little. busy_s: what it computes, for sure. */
double tp_session_native_wall_s(const tp_session *s, double busy_s);
/* In a worker: the failures that are known already are none any more in its copy of the program. */
void tp_session_exempt_known(tp_session *s);
/* session_rounds.c. The failure at hand is known from now on, with what is at the same place. */
void tp_session_set_aside(tp_session *s);
/* The search for another one starts from nothing: what engines said is of the program with the
 * failure. The attempt at hand was cleared, or belongs to the caller. */
void tp_session_start_round(tp_session *s);
/* Lower the verdict to UNKNOWN, with a reason. */
void tp_session_give_up(tp_session *s, const char *fmt, ...) TP_PRINTF(2, 3);
/* Further members of the answer in JSON, behind those that are there: "name": value. */
void tp_session_add_json(tp_session *s, const char *members);

/* Turn the engine's claim into a verdict, or give up: evidence.c, confirm_failure.c.
 * most_s: seconds of CPU that the check of the certificate may take, 0: all that is left. Returns
 * whether it ended there: with more time the claim may still be confirmed. */
bool tp_confirm_true(tp_session *s, double most_s);
void tp_confirm_false(tp_session *s);

/* session_conclude.c: the end of a session. Report, files, statistics, the last line (none after
 * wrong usage), then the session is cleared. status: of what went wrong so far, 0: the verdict
 * decides. Returns the exit status. */
int tp_conclude_and_clear(tp_session *s, int status);
/* Can the files that --output and --stats name be written? Says why not. */
bool tp_outputs_are_writable(const tp_options *o);

#endif
