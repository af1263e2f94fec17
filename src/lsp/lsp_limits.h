/* Tuning constants of this room: what bounds its searches, with units and what happens there;
 * listed by `twoproof dump --limits`. */
#ifndef TP_LSP_LSP_LIMITS_H
#define TP_LSP_LSP_LIMITS_H

#include "base/limits.h"

#define TP_LSP_LIMITS(L)                                                                          \
  L(MESSAGE_BYTES, 64 << 20, "bytes of one message of an editor", "it is an error, and skipped")  \
  L(SKIPPED_BYTES, 1 << 30, "bytes of a message that is skipped",                                 \
    "a larger number is taken for a mistake, and the next header is looked for")                  \
  L(HEADER_BYTES, 8192, "bytes of the header of a message", "the header is an error")             \
  L(RELATED, 40, "steps of a failing run beside a diagnostic", "those in the middle are missing") \
  L(DIFFERENT_LINES, 400, "lines that a changed place of a text has, before and after together",  \
    "all that follows counts as changed, until the answer is a new one")                          \
  L(INPUTS, 6, "inputs in the text of a diagnostic", "others are in the test")                    \
  L(TIMELIMIT_S, 60, "seconds of CPU for one property, where the editor's settings say nothing",  \
    "its answer is unknown")                                                                      \
  L(WALL_S, 3600, "seconds on the clock for one check, whatever its own limits are",              \
    "it is stopped, which the diagnostic says")                                                   \
  L(OUTPUT_BYTES, 256 << 20, "bytes that a check prints", "it is stopped")                        \
  L(GRACE_MS, 1500, "milliseconds that a check which is cancelled has to end",                    \
    "it is killed with all its processes")                                                        \
  L(REPORT_MS, 500, "milliseconds between two reports of progress", "the editor shows the last")  \
  L(SETTINGS_S, 3, "seconds on the clock for the editor to tell its settings",                    \
    "its documents are verified without them")                                                    \
  L(WATCH_MS, 10000, "milliseconds between two looks whether the editor still runs",              \
    "the server ends that much later")                                                            \
  L(LOG_LINES, 20, "lines of standard error that a diagnostic of a broken check has",             \
    "the rest is left out")                                                                       \
  L(EVIDENCE_BYTES, 16 << 20, "bytes of a file of the evidence", "a larger one is left out")
enum {
#define TP_LIMIT(name, value, what, then) TP_LSP_##name = value,
  TP_LSP_LIMITS(TP_LIMIT)
#undef TP_LIMIT
};

#endif
