/* What the model finder chose along one execution: for objects that are allocated and for calls
 * replaced by contracts.
 *
 * What       each object that the body allocates; each call in order: arguments, the heap before
 *            and after it, its result; the heap where the function returns. Read out of an instance
 *            by the evaluator of contracts/rel.
 * Represents heaps as numbers for the slots of a layout (contracts/modular/heap_layout.h): an
 *            integer, an atom, ABSENT where the owner does not exist or the value has no atom.
 * Ownership  everything lives in its arena; the contract and the instance are borrowed. */
#ifndef TP_CONTRACTS_MODULAR_FINDER_CHOICES_H
#define TP_CONTRACTS_MODULAR_FINDER_CHOICES_H

#include "contracts/modular/heap_layout.h"
#include "contracts/modular/contract_vc.h"

typedef struct {
  int64_t *slots;
  bool *exists;  // by atom
} tp_chosen_heap;

typedef struct {
  const tp_rexec_call *call;
  bool fails;              // what is required does not hold
  uint32_t *args, result;  // atoms
  tp_chosen_heap before, after;
} tp_chosen_call;

/* size_bytes: 0 if it is not known. */
typedef struct {
  uint32_t atom;
  uint64_t size_bytes;
} tp_chosen_object;

typedef struct tp_finder_choices {
  tp_arena arena;
  const tp_rel_instance *instance;
  TP_VEC(tp_chosen_object) made;  // by the body, in this order
  TP_VEC(tp_chosen_call) calls;
  tp_chosen_heap end;
} tp_finder_choices;

void tp_finder_choices_init(tp_finder_choices *c, const tp_heap_layout *l,
                            const tp_contract_vc *contract, const tp_rel_instance *i);
void tp_finder_choices_clear(tp_finder_choices *c);
/* Is the function one whose calls the program that builds the heap answers itself? It has a
 * contract of the user's and no body. */
bool tp_finder_choices_replace_call(const tp_contract_vc *c, const tp_function_contract *function);
/* The heap is the one that was chosen. post, there: as the program prints them
 * (tp_contract_replay_read). */
bool tp_finder_choices_agree(const tp_heap_layout *l, const tp_chosen_heap *heap,
                             const int64_t *post, const int64_t *allocated);

#endif
