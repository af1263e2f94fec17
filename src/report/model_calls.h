/* Places within models of the C library, as their users see them.
 *
 * What       the calls of the program through which a place within a model is reached.
 * Represents calls as they stand in the program: which of them a run took is not known.
 * Ownership  values and names of the program. */
#ifndef TP_REPORT_MODEL_CALLS_H
#define TP_REPORT_MODEL_CALLS_H

#include "program/program.h"

typedef struct {
  tp_pos pos;            // of the first call, TP_POS_NONE: the place is in no model that is called
  const char *function;  // that is called there
  size_t n_more;         // other places with such calls
} tp_model_calls;
tp_model_calls tp_model_calls_of(const tp_program *p, tp_pos place) TP_MUST_USE;

#endif
