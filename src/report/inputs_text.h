/* The inputs of a failing run, for people.
 *
 * What       one line for each input that the user can give or that matters: arguments of main as
 *            strings, calls with what they return; indeterminate values only where the failure
 *            depends on them, never those inside the models of the C library.
 * Ownership  text is appended to the caller's string. */
#ifndef TP_REPORT_INPUTS_TEXT_H
#define TP_REPORT_INPUTS_TEXT_H

#include "exec/exec.h"

typedef struct {
  bool indeterminate_matter;  // the failure depends on indeterminate values
  size_t most_lines;          // 0: all
} tp_inputs_text_options;

/* Lines behind two spaces. Returns how many inputs they tell of. */
size_t tp_inputs_text(const tp_program *p, const tp_inputs *in, tp_inputs_text_options options,
                      tp_str *out);
/* "argv[1] = \"100\", argv[2] = \"x\"": the arguments but the program's name; "" where there are
 * none. */
void tp_arguments_text(const tp_inputs *in, tp_str *out);

#endif
