/* Tuning constants of this room: what bounds its searches, with units; listed by `twoproof dump
 * --limits`. */
#ifndef TP_BASE_BASE_LIMITS_H
#define TP_BASE_BASE_LIMITS_H

#include "base/limits.h"

#define TP_BASE_LIMITS(L)                                       \
  L(STREAM_BYTES, 64 << 20, "bytes read from a pipe or device") \
  L(STREAM_IDLE_S, 10, "seconds that a pipe may give nothing")  \
  L(STREAM_S, 60, "seconds in which a pipe must end")           \
  L(ARENA_FIRST_BYTES, 4096, "bytes of an arena's first block") \
  L(ARENA_LARGEST_BYTES, 1 << 20, "bytes of an arena's largest block")
enum {
#define TP_LIMIT(name, value, what) TP_BASE_##name = value,
  TP_BASE_LIMITS(TP_LIMIT)
#undef TP_LIMIT
};

#endif
