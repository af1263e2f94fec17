/* The error path in the user's terms.
 *
 * What       replays a vector of inputs on the concrete machine and tells the run as source lines:
 *            one line per source line that ran, values that changed, calls indented, repeated turns
 *            of a loop folded.
 * Also       a place on the path where C leaves the order of evaluation open, for explaining why
 *            compilers may disagree.
 * Cost       the run is made twice; of very long runs only the two ends are kept. If it is known
 *            beforehand that the run is very long nobody looks at its middle, so that it takes no
 *            longer than the run itself: then a failure's notes know nothing of what happened
 *            there, and guesses matter.
 * Ownership  a path owns its texts. */
#ifndef TP_REPORT_ERROR_PATH_H
#define TP_REPORT_ERROR_PATH_H

#include "exec/exec.h"

typedef struct {
  size_t max_lines;  // of text; 0: all, and nothing is folded
  tp_run_limits limits;
  uint64_t steps;  // of the run, if that is known; else 0
} tp_error_path_options;

typedef struct {
  tp_str text;
  tp_str message;              // what went wrong, empty if no error was reached
  tp_str notes;                // lines about where it began: "f.c:38:3: note: freed here"
  tp_pos error_pos;            // in the user's code, also if a library model failed
  const char *error_function;  // whose text that is, or NULL; the program's
  tp_str order;                // "f.c:12 (a(), b())", or empty
  bool guesses_matter;  // a guess of a library model could have: its call's result is used, or
                        // memory
  tp_run_result run;
} tp_error_path;

void tp_error_path_of(const tp_program *p, const tp_inputs *inputs, tp_error_path_options options,
                      tp_error_path *out);
void tp_error_path_clear(tp_error_path *path);

#endif
