/* Files of predicates, written by a user or by an earlier run.
 *
 * What       lines `SCOPE: C-EXPRESSION`; empty lines; comments behind a # that starts the line or
 *            follows a space. SCOPE is * (every location where the names of the expression have a
 *            meaning), FUNCTION (all its locations), or FUNCTION@LINE.
 * Errors     TP_ERR_SYSTEM: the file cannot be read (errno). TP_ERR_INPUT: reported with line and
 *            caret. */
#ifndef TP_EXPRESSION_PREDICATE_FILE_H
#define TP_EXPRESSION_PREDICATE_FILE_H

#include "program/program.h"

/* Places where predicates are asked. */
typedef struct {
  const tp_loc *at;
  size_t n;
} tp_predicate_locations;

typedef struct {
  void *ctx;
  void (*found)(void *ctx, tp_loc at, tp_term term,
                const char *text);  // text: the expression, without scope
} tp_predicate_sink;

tp_status tp_predicates_read(const tp_program *p, tp_predicate_locations places, const char *path,
                             tp_diag *diag, tp_predicate_sink sink) TP_MUST_USE;
/* One line that reads back as this predicate at this place (and at others of the same line of the
 * same function). */
void tp_predicate_write(const tp_program *p, tp_loc at, const char *text, tp_str *out);

#endif
