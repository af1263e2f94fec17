/* Contracts that come with the tool: lib/spec.
 *
 * What       reads the contracts of the C library, for calls of functions that a program does not
 *            define (tp_clauses_read_library). Contracts of containers are headers in the same
 *            folder, which programs include. */
#ifndef TP_CONTRACTS_SPEC_CONTRACT_LIBRARY_H
#define TP_CONTRACTS_SPEC_CONTRACT_LIBRARY_H

#include "contracts/spec/clause.h"

/* Errors: TP_ERR_SYSTEM: they are not where they should be, or cannot be read. */
tp_status tp_contract_library_read(tp_clauses *c) TP_MUST_USE;

#endif
