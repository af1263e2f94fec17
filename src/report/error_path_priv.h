/* Between recording a run (record.c) and telling it (path.c). */
#ifndef TP_REPORT_ERROR_PATH_PRIV_H
#define TP_REPORT_ERROR_PATH_PRIV_H

#include "report/failure.h"
#include "report/error_path.h"
#include "report/value_text.h"

typedef enum { TP_CHANGE_VAR, TP_CHANGE_STORE, TP_CHANGE_PARAM, TP_CHANGE_RETURN } tp_change_kind;

/* A value that changed: of a variable, in memory through an edge's store; or what a function
 * returns. */
typedef struct {
  tp_change_kind kind;
  tp_var var;
  tp_edge edge;
  tp_value value;
  tp_value address;  // STORE: of the cell; object 0: not known
  bool is_input;
} tp_change;

/* What one source line did in one go. */
typedef struct {
  uint64_t serial;  // position among all events of the run, also those not kept
  tp_pos pos;
  tp_func func;
  tp_loc loc;      // where it begins
  uint32_t depth;  // frames of the user's functions below it
  bool enters;     // a function is entered: changes are its parameters
  size_t first_change, n_changes;
  tp_loc error;  // NONE, or: the run ends here
} tp_path_event;

/* Turns of one loop that are told in one line instead. */
typedef struct {
  uint64_t from, to;  // serials, to exclusive
  uint64_t turns;
  tp_pos loop;
  uint32_t depth;
} tp_fold;

typedef struct {
  const tp_program *program;
  const tp_inputs *inputs;  // of the run
  TP_VEC(tp_path_event) events;
  TP_VEC(tp_change) changes;
  TP_VEC(tp_fold) folds;      // by `from`
  uint64_t n_events;          // of the run; more than events.n if the middle is missing
  uint64_t gap_from, gap_to;  // serials that were not kept
  uint64_t unseen_steps;      // in the middle of a very long run,
  uint64_t unseen_at;         // before the event with this serial
  tp_object_names names;
  tp_lifetimes lifetimes;
  tp_str message, notes;  // of the failure; empty if there is none
  tp_pos error_pos;       // in the user's code
  tp_func error_func;
  tp_str order;
  bool guesses_matter;
  tp_run_result run;
} tp_recording;

void tp_record_run(const tp_program *p, const tp_inputs *inputs, tp_run_limits limits,
                   uint64_t steps, tp_recording *out);
void tp_recording_clear(tp_recording *r);

/* "p->next", the variable's name, "" for what a function returns; and the value. */
void tp_change_print_name(const tp_recording *r, const tp_change *c, tp_str *out);
void tp_change_print_value(const tp_recording *r, const tp_change *c, tp_str *out);
/* Is this change of the event replaced by a later one of the same line? */
bool tp_change_is_replaced(const tp_recording *r, const tp_path_event *e, size_t i);
/* Going on in the line of the event before, with nothing new: the condition of a loop after its
 * step. */
bool tp_event_is_more(const tp_path_event *e, const tp_path_event *before);

#endif
