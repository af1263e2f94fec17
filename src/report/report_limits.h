/* Tuning constants of this room: what bounds its searches, with units; listed by `twoproof dump
 * --limits`. */
#ifndef TP_REPORT_REPORT_LIMITS_H
#define TP_REPORT_REPORT_LIMITS_H

#include "base/limits.h"

#define TP_REPORT_LIMITS(L)                                                                        \
  L(WITNESS_VALUES, 12, "values of a fabricated state that are printed")                           \
  L(INPUT_LINES, 12, "lines of inputs without --verbose")                                          \
  L(ASSUMPTIONS, 20, "assumptions without --verbose")                                              \
  L(NOTES, 12, "notes of an error path without --verbose")                                         \
  L(LIFETIMES, 1 << 20, "objects of a run whose lifetime is recorded")                             \
  L(CAUSE_NODES, 400, "terms that are followed to explain a value")                                \
  L(NULL_PAGE_BYTES, 4096, "offsets below it from the null pointer are called a null dereference") \
  L(NOTED_VARIABLES, 3, "variables whose values stand beside a failure")                           \
  L(POSITIONS, 5, "positions that an UNKNOWN lists")                                               \
  L(EXACT_CHARACTERS, 100, "characters of an exact invariant; longer ones are explained by parts") \
  L(MEANING_RLIMIT, 2000000, "solver steps of one query that simplifies an invariant")             \
  L(CUBES, 512, "cubes of an invariant that are combined")                                         \
  L(TEXT_COLUMN, 46, "column of the source text in an error path")                                 \
  L(INDENT_LEVELS, 20, "calls that indent an error path")                                          \
  L(CHANGES, 6, "changes of variables beside one line")                                            \
  L(SOURCE_CHARACTERS, 72, "characters of a source line in an error path")                         \
  L(TAB_COLUMNS, 8, "columns of a tabulator")                                                      \
  L(LEADING_COLUMNS, 24, "columns of leading space that are kept")                                 \
  L(KEPT_EVENTS, 100000, "events at each end of a run that its record keeps")                      \
  L(FOLDED_ITERATIONS, 2, "iterations of a loop that are folded into one line, at least")          \
  L(LONG_RUN_STEPS, 20000000, "steps from which the middle of a run is not recorded")              \
  L(SEEN_STEPS, 1000000, "steps at each end of a long run that are recorded")
enum {
#define TP_LIMIT(name, value, what) TP_REPORT_##name = value,
  TP_REPORT_LIMITS(TP_LIMIT)
#undef TP_LIMIT
};

#endif
