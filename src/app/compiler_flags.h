/* Flags behind "--": those of a build that have a say in what a C source means.
 *
 * What       one table: flags that are passed on, flags that change nothing here, flags that are
 *            refused with the reason.
 * Ownership  texts are borrowed from argv. */
#ifndef TP_APP_COMPILER_FLAGS_H
#define TP_APP_COMPILER_FLAGS_H

#include "app/options.h"

/* Takes the flag argv[0] (and its value, where that is an argument of its own). Returns how many
 * further arguments it took; what is wrong with the flag is appended to `why`. argc: at least 1. */
int tp_compiler_flag_take(tp_options *o, int argc, char *const *argv, tp_str *why);

#endif
