/* How many heaps a function may be called with, and from how many of them it breaks its contract.
 *
 * What       numbers of pre-states within bounds: all that fit what is assumed; those from which
 * the function returns, fails, returns and breaks a clause. Exact, by counting instances
 *            (circuit/model_count.h), so they can be held against an enumeration.
 * Represents a pre-state is a value of the parameters, of the globals and members that function or
 *            contracts use, and of which objects exist. Names of objects count: two heaps that
 * differ in them are two. What calls by contract and inputs leave open does not: a heap counts once
 * if some choice of them does so. Executions outside of the bounds count nowhere. Ownership borrows
 * the query; binds its heap, if nobody has done so. Source     the counts of start states by which
 * Taghdiri's example is checked; ours. */
#ifndef TP_CONTRACTS_MODULAR_HEAP_COUNT_H
#define TP_CONTRACTS_MODULAR_HEAP_COUNT_H

#include "contracts/modular/contract_check.h"

typedef enum {
  TP_HEAPS_ALL,
  TP_HEAPS_RETURNING,
  TP_HEAPS_FAILING,   // inside of the body
  TP_HEAPS_BREAKING,  // a goal, where it returns
  TP_HEAPS_N_KINDS
} tp_heaps_kind;

typedef struct {
  bool is_known[TP_HEAPS_N_KINDS];  // false: a limit
  tp_u128 n[TP_HEAPS_N_KINDS];
} tp_heap_counts;

/* A number that is known, or is not within the limit. */
typedef void (*tp_heaps_counted)(void *context, tp_heaps_kind kind, const tp_heap_counts *c);

/* q: without refinement. q->cpu_s is a limit of each count. The numbers are told one by one, as
 * soon as each is known, in the order of their kinds: a later one may take far longer. */
void tp_heap_count(const tp_contract_query *q, tp_heaps_counted told, void *context,
                   tp_heap_counts *out);
/* The part of a line that says one number; the last one ends the line. */
void tp_heap_counts_print(const tp_heap_counts *c, tp_heaps_kind kind, tp_str *out);

#endif
