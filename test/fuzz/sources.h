/* Random small C programs over few inputs, for the verdict fuzzer.
 *
 * What       one file with a main that asks for inputs, each cut to SOURCE_INPUT_BITS bits where it is asked for, and
 *            that may call reach_error().
 * Law        every loop ends; a choice of 0 everywhere gives the smallest program. */
#ifndef TP_FUZZ_SOURCES_H
#define TP_FUZZ_SOURCES_H

#include "tape.h"

enum { SOURCE_INPUT_BITS = 2 };
void source_make(tape *t, tp_str *out);

#endif
