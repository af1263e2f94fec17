/* What a contract lets a call do to the objects that exist.
 *
 * What       an upper bound of `\alloc'`, read off the postconditions: which objects the callee may
 *            make, and whether it may free any. A call that makes nothing of a type needs no new
 *            values for the members of that type.
 * Represents `makes`: nothing; at most its result; or any objects. What is not understood is ANY
 * and may free: the bound is sound for every contract. Source     ours. */
#ifndef TP_CONTRACTS_MODULAR_CALL_ALLOCATION_H
#define TP_CONTRACTS_MODULAR_CALL_ALLOCATION_H

#include "contracts/spec/resolved_contracts.h"

typedef enum { TP_CALL_MAKES_NONE, TP_CALL_MAKES_RESULT, TP_CALL_MAKES_ANY } tp_call_makes;

typedef struct {
  tp_call_makes makes;
  bool may_free;
} tp_call_allocation;

tp_call_allocation tp_call_allocation_of(const tp_contracts *m, const tp_function_contract *c);

#endif
