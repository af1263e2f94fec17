/* Tuning constants of this room: what bounds its searches, with units and what happens there;
 * listed by `twoproof dump --limits`. */
#ifndef TP_DIAG_DIAG_LIMITS_H
#define TP_DIAG_DIAG_LIMITS_H

#include "base/limits.h"

#define TP_DIAG_LIMITS(L)                                                      \
  L(SOURCE_BYTES, 256 << 20, "bytes of a source file that messages quote",     \
    "messages do not quote a larger one")                                      \
  L(WINDOW_COLUMNS, 100, "columns of a quoted source line", "the rest is cut") \
  L(UNDERLINE_COLUMNS, 60, "columns that are underlined", "the rest is not")
enum {
#define TP_LIMIT(name, value, what, then) TP_DIAG_##name = value,
  TP_DIAG_LIMITS(TP_LIMIT)
#undef TP_LIMIT
};

#endif
