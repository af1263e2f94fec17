/* twoproof spec --suggest=FUNCTION: a contract to start from, made from the code. */
#ifndef TP_APP_SPEC_SUGGEST_H
#define TP_APP_SPEC_SUGGEST_H

#include "app/options.h"
#include "contracts/modular/relational_heap.h"
#include "contracts/spec/clause.h"

/* Prints one block of a file of contracts: what the function needs so that it does not fail within
 * the limits (as few of the likely preconditions as are enough), and its summary as what it
 * ensures. The contracts that were read count, but for the function's own. The exit status. */
int tp_spec_suggest(const tp_options *o, tp_object_model *u, tp_clauses *read,
                    tp_rheap_limits limits);

#endif
