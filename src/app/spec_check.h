/* The check of functions against their contracts within bounds, for the command line. */
#ifndef TP_APP_SPEC_CHECK_H
#define TP_APP_SPEC_CHECK_H

#include "app/options.h"
#include "contracts/modular/relational_heap.h"
#include "contracts/spec/resolved_contracts.h"

/* --objects, --unroll, --width; bounds of types go to the object model. False: something is wrong
 * with --objects, which has been said. */
bool tp_spec_limits(const tp_options *o, tp_object_model *u, tp_rheap_limits *out) TP_MUST_USE;

/* Prints what was found, ends with the RESULT line, returns the exit status. */
int tp_spec_check(const tp_options *o, tp_contracts *m);

#endif
