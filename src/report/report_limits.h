/* Tuning constants of this room: what bounds its searches, with units and what happens there;
 * listed by `twoproof dump --limits`. */
#ifndef TP_REPORT_REPORT_LIMITS_H
#define TP_REPORT_REPORT_LIMITS_H

#include "base/limits.h"

#define TP_REPORT_LIMITS(L)                                                                        \
  L(WITNESS_VALUES, 12, "values of a fabricated state that are printed", "the rest is counted")    \
  L(INPUT_LINES, 12, "lines of inputs without --verbose", "the rest is counted")                   \
  L(ASSUMPTIONS, 20, "assumptions without --verbose", "the rest is counted")                       \
  L(PREDICATES, 100, "predicates that --verbose prints", "the rest is counted")                    \
  L(NOTES, 12, "notes of an error path without --verbose", "those in the middle are left out")     \
  L(LIFETIMES, 1 << 20, "objects of a run whose lifetime is recorded",                             \
    "of later ones nothing is said")                                                               \
  L(CAUSE_NODES, 400, "terms that are followed to explain a value", "the explanation ends")        \
  L(NULL_PAGE_BYTES, 4096, "offsets below it from the null pointer are called a null dereference", \
    "larger ones are invalid addresses")                                                           \
  L(NOTED_VARIABLES, 3, "variables whose values stand beside a failure", "others are not shown")   \
  L(POSITIONS, 5, "positions that an UNKNOWN lists", "the rest is counted")                        \
  L(EXACT_CHARACTERS, 100, "characters of an exact invariant",                                     \
    "longer ones are explained by parts")                                                          \
  L(MEANING_RLIMIT, 2000000, "solver steps of one query that simplifies an invariant",             \
    "it is printed as it is")                                                                      \
  L(CUBES, 512, "cubes of an invariant that are combined", "more are printed as they are")         \
  L(TEXT_COLUMN, 46, "column of the source text in an error path",                                 \
    "longer text before it moves it")                                                              \
  L(INDENT_LEVELS, 20, "calls that indent an error path", "deeper ones do not")                    \
  L(CHANGES, 6, "changes of variables beside one line", "others are not shown")                    \
  L(SOURCE_CHARACTERS, 72, "characters of a source line in an error path", "the rest is cut")      \
  L(TAB_COLUMNS, 8, "columns of a tabulator", "as terminals have")                                 \
  L(LEADING_COLUMNS, 24, "columns of leading space that are kept", "more are cut")                 \
  L(KEPT_EVENTS, 100000, "events at each end of a run that its record keeps",                      \
    "those in the middle are counted")                                                             \
  L(FOLDED_ITERATIONS, 2, "iterations of a loop that are folded into one line, at least",          \
    "fewer are printed")                                                                           \
  L(LONG_RUN_STEPS, 20000000, "steps from which the middle of a run is not recorded",              \
    "shorter runs are recorded as a whole")                                                        \
  L(SEEN_STEPS, 1000000, "steps at each end of a long run that are recorded",                      \
    "those in the middle are not")                                                                 \
  L(CHECK_EDGES, 16, "checks between a failed one and its operation",                              \
    "the operation is not named")                                                                  \
  L(FREE_LOCATIONS, 32, "locations behind a failed check that are searched for a free",            \
    "the pointer that is compared is named")                                                       \
  L(MOST_TIME_S, 3600, "seconds up to which more time is advised", "it is not")                    \
  L(SHORT_RUNS, 5, "bound of --unroll that is advised", "a larger one is the user's choice")       \
  L(PAGE_SOURCE, 8 << 20, "characters of source on a page", "the rest is left out, and said")      \
  L(PAGE_EVENTS, 20000, "events of a run on a page", "those in the middle are counted")            \
  L(PAGE_COUNTED_STEPS, 2000000, "steps of a run that the page counts by edge",                    \
    "later ones are not")                                                                          \
  L(PAGE_EDGES, 100000, "locations of the automata on a page", "larger functions are left out")    \
  L(PAGE_LABEL, 160, "characters of an operation in a picture of an automaton", "it is cut")       \
  L(PAGE_FACTS, 60, "facts of an invariant at one place of a page", "the rest is counted")         \
  L(PAGE_FACT, 400, "characters of one fact on a page", "it is left out and counted")              \
  L(LINE_BEFORE, 24, "characters of a long line before the column that matters",                   \
    "the rest is cut")                                                                             \
  L(OUTLINE_DEPTH, 4000, "statements within each other in the outline of a file",                  \
    "what is deeper has no place in a witness")                                                    \
  L(WITNESS_WAYPOINTS, 20000, "waypoints of a violation witness",                                  \
    "later inputs are not restricted")                                                             \
  L(WITNESS_BRANCHES, 500, "branches in a violation witness", "later ones are not in it")          \
  L(WITNESS_INVARIANTS, 200, "facts of one cutpoint in a correctness witness",                     \
    "the others are counted")                                                                      \
  L(WITNESS_ITEMS, 1000000, "waypoints or invariants of a witness that is read", "it is refused")  \
  L(WITNESS_BYTES, 64 << 20, "bytes of a witness that is read", "a larger one is refused")         \
  L(WITNESS_FACT, 2000, "characters of one fact in a witness", "a longer one is counted")
enum {
#define TP_LIMIT(name, value, what, then) TP_REPORT_##name = value,
  TP_REPORT_LIMITS(TP_LIMIT)
#undef TP_LIMIT
};

#endif
