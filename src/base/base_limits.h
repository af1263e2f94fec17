/* Tuning constants of this room: what bounds its searches, with units and what happens there;
 * listed by `twoproof dump --limits`. */
#ifndef TP_BASE_BASE_LIMITS_H
#define TP_BASE_BASE_LIMITS_H

#include "base/limits.h"

#define TP_BASE_LIMITS(L)                                                                      \
  L(STREAM_BYTES, 64 << 20, "bytes read from a pipe or device", "the input cannot be handled") \
  L(STREAM_IDLE_S, 10, "seconds that a pipe may give nothing", "the input cannot be handled")  \
  L(STREAM_S, 60, "seconds in which a pipe must end", "the input cannot be handled")           \
  L(ARENA_FIRST_BYTES, 4096, "bytes of an arena's first block", "later blocks are larger")     \
  L(ARENA_LARGEST_BYTES, 1 << 20, "bytes of an arena's largest block",                         \
    "what does not fit gets a block of its own")                                               \
  L(WATCH_MS, 50, "milliseconds between two looks at a child's limits",                        \
    "they are noticed that much later")                                                        \
  L(CHILDREN, 64, "child processes that one step serves", "further ones wait for the next")    \
  L(REGULAR_MB, 2048, "megabytes of a regular file", "a larger one is not read")               \
  L(GROUP_PROCESSES, 64, "processes below a child whose memory and CPU time are added up",     \
    "further ones do not count")
enum {
#define TP_LIMIT(name, value, what, then) TP_BASE_##name = value,
  TP_BASE_LIMITS(TP_LIMIT)
#undef TP_LIMIT
};

#endif
