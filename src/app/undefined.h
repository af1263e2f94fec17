/* Does a program that is TRUE perform operations without meaning?
 *
 * What       a proof of one property takes some operations to be valid. A handful of random runs of
 *            the concrete machine show that they are not where most inputs do; undefined_search.h
 *            asks for inputs that do.
 * Law        sure where it answers; silence says nothing.
 * Ownership  texts of the answer are static. */
#ifndef TP_APP_UNDEFINED_H
#define TP_APP_UNDEFINED_H

#include "exec/exec.h"

typedef struct {
  bool found;
  tp_pos pos;       // in the user's code
  const char *why;  // "store to freed object"
} tp_undefined_run;
/* A program, and what its proof assumes (report/open_operations.h): texts of the caller's. */
typedef struct {
  const tp_program *program;
  const char *const *assumptions;
  size_t n_assumptions;
} tp_undefined_question;
tp_undefined_run tp_undefined_run_find(const tp_undefined_question *q, uint64_t seed) TP_MUST_USE;
/* Is the run with these inputs one, with zeros for what is indeterminate? The inputs may be of
 * another model of the program. */
tp_undefined_run tp_undefined_run_with(const tp_undefined_question *q,
                                       const tp_inputs *in) TP_MUST_USE;

#endif
