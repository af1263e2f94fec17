/* The check of functions against their contracts within bounds, for the command line. */
#ifndef TP_APP_SPEC_CHECK_H
#define TP_APP_SPEC_CHECK_H

#include "app/options.h"
#include "contracts/spec/resolved_contracts.h"

/* Prints what was found, ends with the RESULT line, returns the exit status. */
int tp_spec_check(const tp_options *o, tp_contracts *m);

#endif
