/* Does a program that is TRUE perform operations without meaning?
 *
 * What       a handful of random runs of the concrete machine: a proof of one property takes
 * accesses to be valid, and the user should hear in the first line that they are not. Law sure
 * where it answers; silence says nothing. Ownership  texts of the answer are static. */
#ifndef TP_APP_UNDEFINED_H
#define TP_APP_UNDEFINED_H

#include "exec/exec.h"

typedef struct {
  bool found;
  tp_pos pos;       // in the user's code
  const char *why;  // "store to freed object"
} tp_undefined_run;
tp_undefined_run tp_undefined_run_find(const tp_program *p, uint64_t seed) TP_MUST_USE;

#endif
