/* Running clang: one C file to bitcode in memory.
 *
 * What       the argument vector, a child with limits, and the ladder of second attempts for old
 *            dialects and preprocessed files of other compilers.
 * Errors     TP_ERR_INPUT when clang rejects the file: its messages of the first attempt are in
 *            `messages`. TP_ERR_LIMIT when it needs more memory or time than it may use.
 *            TP_ERR_SYSTEM when it cannot be started. */
#ifndef TP_FRONT_CLANG_H
#define TP_FRONT_CLANG_H

#include "front/front.h"

typedef struct {
  void *bytes;  // mapped; tp_clang_output_clear
  size_t n;
} tp_clang_output;

/* Compile. own: names of library functions that the program defines itself (n_own of them).
 * messages  TP_OK: what clang remarks about undefined behaviour, if that is the property; else why
 *           it refuses the file. */
tp_status tp_clang_compile(const tp_front_options *opt, const char *file, const char *const *own,
                           size_t n_own, tp_clang_output *out, tp_str *messages) TP_MUST_USE;
/* The file as the preprocessor leaves it, with comments and line marks (a file that is preprocessed
 * already: as it is). */
tp_status tp_clang_preprocess(const tp_front_options *opt, const char *file, tp_str *out,
                              tp_str *messages) TP_MUST_USE;
void tp_clang_output_clear(tp_clang_output *out);

#endif
