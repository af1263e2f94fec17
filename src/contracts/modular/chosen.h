/* What the model finder chose along one execution, for objects that are made and for calls by
 * contract.
 *
 * What       each object that the body makes; each call in order: arguments, the heap before and
 *            after it, its result; the heap where the function returns. Read out of an instance by
 *            the evaluator of rel/.
 * Represents heaps as numbers for the slots of a layout (contracts/modular/build.h): an integer, an
 * atom, ABSENT where the owner does not exist or the
 *            value has no atom.
 * Ownership  everything lives in its arena; the contract and the instance are borrowed. */
#ifndef TP_CONTRACTS_MODULAR_CHOSEN_H
#define TP_CONTRACTS_MODULAR_CHOSEN_H

#include "contracts/modular/build.h"
#include "contracts/modular/contract.h"

typedef struct {
  int64_t *slots;
  bool *exists;  // by atom
} tp_chosen_heap;

typedef struct {
  const tp_rbody_call *call;
  bool fails;              // what is required does not hold
  uint32_t *args, result;  // atoms
  tp_chosen_heap before, after;
} tp_chosen_call;

/* size_bytes: 0 if it is not known. */
typedef struct {
  uint32_t atom;
  uint64_t size_bytes;
} tp_chosen_object;

typedef struct tp_chosen {
  tp_arena arena;
  const tp_rel_instance *instance;
  TP_VEC(tp_chosen_object) made;  // by the body, in this order
  TP_VEC(tp_chosen_call) calls;
  tp_chosen_heap end;
} tp_chosen;

void tp_chosen_init(tp_chosen *c, const tp_rlayout *l, const tp_rcontract *contract,
                    const tp_rel_instance *i);
void tp_chosen_clear(tp_chosen *c);
/* Is the function one whose calls the program that builds the heap answers itself? It has a
 * contract of the user's and no body. */
bool tp_chosen_is_played(const tp_rcontract *c, const tp_contract *function);
/* The heap is the one that was chosen. post, there: as the program says them (tp_rreplay_read). */
bool tp_chosen_agrees(const tp_rlayout *l, const tp_chosen_heap *heap, const int64_t *post,
                      const int64_t *there);

#endif
