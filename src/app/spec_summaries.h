/* twoproof spec --summaries: what each function does, as contracts. */
#ifndef TP_APP_SPEC_SUMMARIES_H
#define TP_APP_SPEC_SUMMARIES_H

#include "app/options.h"
#include "contracts/spec/object_model.h"

/* Prints a file of contracts; the exit status. */
int tp_spec_summaries(const tp_options *o, tp_object_model *u, tp_diag *diag);

#endif
