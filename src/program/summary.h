/* Summaries of functions: one table, read and written by every engine.
 *
 * What       (function, condition at entry, condition at exit, engine that found it, direction).
 * Represents may: every run of the function that starts in a state with `pre` and returns does so
 *            in a state with `post` (over globals, parameters at entry for pre; globals and the
 *            result for post; memory cells in both). must: some run does.
 * Ownership  the table owns its entries; terms live in the program's table. */
#ifndef TP_PROGRAM_SUMMARY_H
#define TP_PROGRAM_SUMMARY_H

#include "program/program.h"

typedef enum { TP_SUMMARY_MAY = 1, TP_SUMMARY_MUST = 2 } tp_summary_sound;
typedef struct {
  tp_func func;
  tp_term pre, post;  // Bool
  const char *engine;
  unsigned sound;  // tp_summary_sound
  bool returns;    // false: no run from pre returns (post is false)
} tp_summary;

typedef struct {
  TP_VEC(tp_summary)
  list;  // [0] unused; numbers are those of contexts' contracts and of certificates
} tp_summaries;
void tp_summaries_clear(tp_summaries *s);
uint32_t tp_summaries_add(tp_summaries *s, tp_summary x);
/* Numbers of the summaries of f, in order; from: 0 at first; 0 at the end. */
uint32_t tp_summaries_next(const tp_summaries *s, tp_func f, uint32_t from);

#endif
