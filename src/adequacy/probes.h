/* Probes: predicates at cutpoints of the program, which tests are abstracted by.
 *
 * What       one Boolean term over the variables that exist at a location, with the text that the
 *            user wrote.
 * Represents a question about the state of a run that stands at the location: globals, variables of
 *            the function's own frame, cells (program/cells.h), ghosts under SELECT.
 * Ownership  names live as long as the list. */
#ifndef TP_ADEQUACY_PROBES_H
#define TP_ADEQUACY_PROBES_H

#include "program/program.h"

typedef struct {
  tp_loc at;
  tp_term term;
  const char *name;
} tp_probe;
typedef TP_VEC(tp_probe) tp_probes;

#endif
