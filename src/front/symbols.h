/* The names that a file gives to and needs of other files, as a linker sees them.
 *
 * What       compiles one file and lists functions and variables with external linkage.
 * Errors     those of tp_front_load; `messages` has what clang says.
 * Ownership  names live in the arena. */
#ifndef TP_FRONT_SYMBOLS_H
#define TP_FRONT_SYMBOLS_H

#include "front/front.h"

typedef struct {
  TP_VEC(const char *) defined, needed;
} tp_front_symbols;

tp_status tp_front_symbols_read(const tp_front_options *opt, const char *file, tp_arena *arena,
                                tp_front_symbols *out, tp_str *messages) TP_MUST_USE;
void tp_front_symbols_clear(tp_front_symbols *s);

#endif
