/* One state of an execution in an instance: every relation evaluated.
 *
 * What       allocated and freed objects, values of fields and globals, arguments and result.
 * Ownership  a concrete heap borrows heap, execution and instance; _open to _close. */
#ifndef TP_CONTRACTS_MODULAR_CONCRETE_HEAP_H
#define TP_CONTRACTS_MODULAR_CONCRETE_HEAP_H

#include "contracts/modular/relational_exec.h"
#include "contracts/rel/rel_eval.h"

typedef struct {
  const tp_rheap *h;
  const tp_rexec *b;
  tp_rel_eval *e;
  tp_rel_tuples *values;     // by field of the heap
  tp_rel_tuples *allocated;  // by basic type: objects, freed ones included
  tp_rel_tuples freed;
} tp_concrete_heap;
void tp_concrete_heap_open(tp_concrete_heap *m, const tp_rheap *h, const tp_rexec *b,
                           const tp_rel_instance *i, tp_contract_state when);
void tp_concrete_heap_close(tp_concrete_heap *m);

bool tp_concrete_heap_is_allocated(const tp_concrete_heap *m, uint32_t basic, uint32_t object);
bool tp_concrete_heap_is_freed(const tp_concrete_heap *m, uint32_t object);
/* What a set of one holds: true and an atom; or why it has none, as "(nothing)". */
bool tp_concrete_heap_value(const tp_concrete_heap *m, tp_rel_expr x, uint32_t *atom,
                            const char **why);
/* The value of a field without owner: "1"; a ghost is a set of tuples: "{node0, node2}". False: it
 * has an owner, or no value. */
bool tp_concrete_heap_print_global(const tp_concrete_heap *m, size_t field, tp_str *out);

#endif
