/* Flags behind "--": those of a build that have a say in what a C source means.
 *
 * What       one table: flags that are passed on, flags that change nothing here, flags that are
 *            refused with the reason.
 * Ownership  texts are borrowed from argv. */
#ifndef TP_APP_COMPILER_FLAGS_H
#define TP_APP_COMPILER_FLAGS_H

#include "app/options.h"

typedef enum {
  TP_COMPILER_FLAG_TAKEN,    // passed on, or without effect here
  TP_COMPILER_FLAG_UNKNOWN,  // not in the table
  TP_COMPILER_FLAG_REFUSED   // it would change what is verified, or lacks its value
} tp_compiler_flag_answer;

/* Takes the flag argv[0] (and its value, where that is an argument of its own): what compilers need
 * of it goes to `to`. *n: how many further arguments it took. What is wrong with it is appended to
 * `why`, without the flag. argc: at least 1. */
tp_compiler_flag_answer tp_compiler_flag_take(tp_option_paths *to, int argc, char *const *argv,
                                              int *n, tp_str *why);

#endif
