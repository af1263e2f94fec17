/* What is said at the end of a run, for people and for machines.
 *
 * What       the report record, its console form, its JSON form.
 * Ownership  a report borrows everything. */
#ifndef TP_REPORT_REPORT_H
#define TP_REPORT_REPORT_H

#include "auto/schedule.h"
#include "report/finding.h"

typedef struct {
  tp_verdict verdict;
  const char *headline;           // TRUE, FALSE: of the command's own; NULL: that of the property
  uint64_t bound;                 // TRUE: of runs within this bound only; 0: of all
  bool has_operations;            // TRUE: of calls with structures that at most so many
  uint64_t operations;            // operations of the module have changed
  const tp_bounded_reach *reach;  // TRUE with a bound: what these runs come to
  tp_property asked, violated;
  const tp_program *program;  // NULL: it could not be read
  tp_diag *diag;              // lines of the source are read through it
  const char *engine;
  const char *reason, *hint;  // UNKNOWN
  tp_verdict claim;           // UNKNOWN: what the best attempt claimed, without enough evidence
  tp_obstacle obstacle;       // UNKNOWN: what the best attempt met
  bool rests_on_open;         // UNKNOWN: it claims a failure that rests on what nobody stated
  bool is_final_reason;       // UNKNOWN: the input cannot be handled, or the run was interrupted
  const char *chosen_by;      // the option by which the user chose one engine, or NULL
  const char *chosen;         // the name that it was given
  size_t n_settings;          // of a composition, that the user gave
  uint64_t unroll;            // of --unroll, 0: without
  bool counts_machine;        // --confirm=machine
  bool has_waiting;           // UNKNOWN: some engines had no turn
  bool check_ran_out;         // UNKNOWN: see tp_attempt (app/session.h)
  bool check_rejected;
  double limit_s;        // CPU time, 0: none
  double wall_s;         // UNKNOWN because of the limit on the clock, which this is; else 0
  uint64_t memory_mb;    // of a worker, 0: no limit
  const char *features;  // of the program, one line; or NULL
  tp_advice advice;      // UNKNOWN: by what the program uses
  const char *evidence;  // TRUE, FALSE
  const char *help;      // the same: what of other engines led there, or NULL
  const char *path;      // FALSE: text
  tp_pos error_pos;
  const char *error_message;
  const char *error_notes;  // lines, or NULL
  bool used_indeterminate;
  bool is_zeroed;  // indeterminate values are 0, also in the compiled programs
  bool certificate_checked;
  uint64_t by_reasoning, by_proof, by_word;  // its obligations, by who showed that they are met
  const char *certificate_hash;              // TRUE: of its text, 16 digits; or NULL
  const tp_inputs *inputs;                   // FALSE
  size_t n_unfed;                            // inputs that a compiled program cannot be given
  const char *others;     // names of all properties that are verified in this run, or NULL
  const char *undefined;  // TRUE: an operation without meaning that some run performs, or NULL
  tp_pos undefined_pos;
  const char *const *assumptions;  // TRUE
  size_t n_assumptions;
  const char *precision;       // what refinement found, as text (proof/precision.h); or ""
  const char *given;           // facts of the user's and what became of them, lines; or NULL
  const tp_finding *findings;  // UNKNOWN: of each engine that was tried
  size_t n_findings;
  const tp_stats *stats;   // times and peak filled in
  const char *output;      // directory of the evidence, "" without
  bool has_script;         // run.sh is there: it shows the failing run
  const char *replay;      // the command that replays the inputs of `output`, "" without
  const char *more_sarif;  // results of further failures, elements of a JSON array; or NULL
  const char *extra_json;  // further members of the JSON object, without braces; or NULL
} tp_report;

/* Everything but the last line. verbosity 1: inputs in full, statistics. */
void tp_report_console(const tp_report *r, unsigned verbosity, tp_str *out);
/* "false(unreach-call)", one line without its end. */
void tp_report_result(const tp_report *r, tp_str *out);
/* "RESULT: false(unreach-call)" and newline. */
void tp_report_last_line(const tp_report *r, tp_str *out);
/* What is said of a FALSE, as an object without newline: position, kind, CWE number, path, inputs.
 */
void tp_report_json_failure(const tp_report *r, tp_str *out);
/* One JSON object and newline; keys in a fixed order, times in one object. */
void tp_report_json(const tp_report *r, tp_str *out);

#endif
