/* One check of a program model: the files of tp_program_check share it.
 *
 * What       the context of a check, and the report of the first violation.
 * Ownership  `why` is the caller's; the scratch arena ends with the check. */
#ifndef TP_PROGRAM_CHECK_PRIV_H
#define TP_PROGRAM_CHECK_PRIV_H

#include "program/program.h"

typedef struct {
  const tp_program *p;
  tp_str *why;
  tp_arena scratch;
} tp_model_check;

/* Appends the text to `why`; returns false. */
bool tp_model_check_fail(tp_model_check *c, const char *fmt, ...) TP_PRINTF(2, 3);

#define TP_MODEL_REQUIRE(cond, ...)                          \
  do {                                                       \
    if (!(cond)) return tp_model_check_fail(c, __VA_ARGS__); \
  } while (0)

/* Do adjacency, orders, loops, cutpoints and recursion flags follow from the edges?
 * requires: the tables are valid (check.c). */
bool tp_model_check_derived(tp_model_check *c);

#endif
