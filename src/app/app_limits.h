/* Tuning constants of this room: what bounds its searches, with units; listed by `twoproof dump
 * --limits`. */
#ifndef TP_APP_APP_LIMITS_H
#define TP_APP_APP_LIMITS_H

#include "base/limits.h"

#define TP_APP_LIMITS(L)                                                                 \
  L(UNIT_TEST_BYTES, 256, "bytes of one object that a unit test builds")                 \
  L(UNIT_TEST_OBJECTS, 64, "objects of one unit test")                                   \
  L(UNIT_TESTS, 100, "unit tests that are written")                                      \
  L(TASK_FILE_BYTES, 1 << 20, "bytes of a task definition; larger files are refused")    \
  L(BUFFER_ELEMENTS, 8, "elements behind a pointer argument that is no handle")          \
  L(LANES, 2, "engines that run at the same time")                                       \
  L(BENCH_SAMPLE_MS, 50, "milliseconds between two looks at the processes of a task")    \
  L(BENCH_PROCESSES, 4096, "processes of a task that are looked at")                     \
  L(BENCH_OUTPUT_BYTES, 1 << 24, "bytes of output of a task that are kept")              \
  L(BENCH_SCRATCH_MB, 8192, "megabytes of temporary files of a task")                    \
  L(UNDEFINED_RUNS, 64, "random runs that look for an invalid operation behind a proof") \
  L(UNDEFINED_STEPS, 20000, "steps of each of them")                                     \
  L(UNDEFINED_MS, 50, "milliseconds of CPU for all of them")
enum {
#define TP_LIMIT(name, value, what) TP_APP_##name = value,
  TP_APP_LIMITS(TP_LIMIT)
#undef TP_LIMIT
};

/* Shares and times. */
#define TP_APP_FRACTIONS(L)                                                                        \
  L(SEARCH_SHARE, 0.8, "part of the time that engines have; the rest is for checks of the answer") \
  L(CHECK_SHARE, 0.5, "part of the time that is left for a check while others may still prove")    \
  L(GRACE_S, 1, "seconds between asking an engine to stop and ending it")                          \
  L(RANDOM_S, 0.5, "seconds of random runs before the first engine")                               \
  L(NATIVE_STEP_S, 1e-8,                                                                           \
    "seconds of CPU that one edge takes in a compiled program under sanitizers")                   \
  L(REDRAW_S, 0.2, "seconds between two progress lines on a terminal")                             \
  L(LINE_S, 5, "seconds between two progress lines elsewhere with -v")                             \
  L(BENCH_SPARE_S, 5, "seconds of CPU of a task beyond its limit before everything is ended")      \
  L(BENCH_SPARE_WALL_S, 10, "seconds on the clock of a task beyond twice its limit of CPU")        \
  L(BENCH_NOTABLE_S, 0.5, "seconds of CPU by which a task is notably faster or slower")            \
  L(BENCH_NOTABLE_RATIO, 1.5, "and by which factor")                                               \
  L(BENCH_CLASS_S, 1, "seconds of CPU from which the ratio of a class counts")                     \
  L(LOG_S, 30, "seconds between two progress lines elsewhere without")
#define TP_LIMIT(name, value, what) static const double TP_APP_##name = value;
TP_APP_FRACTIONS(TP_LIMIT)
#undef TP_LIMIT

#endif
