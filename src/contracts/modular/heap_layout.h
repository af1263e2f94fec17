/* Layouts of heaps: a heap as a list of numbers, and the C program that builds one.
 *
 * What       a heap as a list of numbers ("slots"), in both directions; a C program that includes
 *            the function's source, builds such a heap, calls the function, reads the heap
 *            afterwards, and evaluates by itself which clause of the contract fails.
 * Represents slots: the number of objects of each type; the lengths of arrays; the value of each
 *            member, element, global and parameter: an integer, or the number of an atom. Objects
 *            that the function allocates get the next free atoms of their type, in the order in
 *            which they are found; the last number is the result, UNKNOWN if there is an object
 *            whose type cannot be determined.
 * Limits     inputs that the function reads and uninitialised memory have no slots: a FIXED program
 *            gets the former as a list, and has zeros in the latter; new arrays have no slots for
 *            their elements; types without a name cannot be written down.
 * Ownership  a layout owns its lists and borrows the heap, which has bounds. */
#ifndef TP_CONTRACTS_MODULAR_HEAP_LAYOUT_H
#define TP_CONTRACTS_MODULAR_HEAP_LAYOUT_H

#include "contracts/modular/contract_vc.h"

typedef enum {
  TP_HEAP_SLOT_COUNT,
  TP_HEAP_SLOT_LENGTH,
  TP_HEAP_SLOT_FIELD,
  TP_HEAP_SLOT_PARAM
} tp_slot_kind;
typedef struct {
  tp_slot_kind kind;
  uint32_t basic;   // COUNT, LENGTH
  uint32_t field;   // FIELD: of the heap; PARAM: input of the heap
  uint32_t owner;   // LENGTH, FIELD with an owner: atom
  int64_t index;    // FIELD with an index; else -1
  uint32_t length;  // FIELD of an array that can be made: its LENGTH's slot; else UINT32_MAX
} tp_heap_slot;
typedef struct {
  const tp_rheap *h;
  tp_func func;
  uint32_t n_params;
  TP_VEC(tp_heap_slot) slots;
} tp_heap_layout;

void tp_heap_layout_init(tp_heap_layout *l, const tp_rheap *h, tp_func f);
void tp_heap_layout_clear(tp_heap_layout *l);
/* at: one for each slot. Values of what is not there are 0. */
void tp_heap_layout_read(const tp_heap_layout *l, const tp_rel_instance *i, int64_t *at);
/* i: initialised; relations without slots are left alone. */
void tp_heap_layout_write(const tp_heap_layout *l, const int64_t *at, tp_rel_instance *i);
bool tp_heap_layout_is_pointer(const tp_heap_layout *l, size_t slot);
/* Is the owner of the slot there, and long enough? */
bool tp_heap_layout_is_allocated(const tp_heap_layout *l, size_t slot, const int64_t *at);
/* The slot of the array's length; UINT32_MAX: it has none. */
uint32_t tp_heap_layout_length(const tp_heap_layout *l, uint32_t owner);

typedef enum {
  TP_HEAP_PROGRAM_FIXED,  // the heap is in the program; with an argument it prints what is left
  TP_HEAP_PROGRAM_NONDET  // each number is a __VERIFIER_nondet_long(); what is left is in the array
                          // tp_post
} tp_heap_program_mode;
/* TP_POST_*: numbers in the answer that are no value. */
enum { TP_POST_ABSENT = -1000001, TP_POST_UNKNOWN = -1000002 };
/* How the program ends that has a contract: it says "clause N fails", N from 1 in the order of the
 * goals. */
enum { TP_CONTRACT_EXIT_KEPT = 0, TP_CONTRACT_EXIT_UNKNOWN = 2, TP_CONTRACT_EXIT_VIOLATED = 10 };
struct tp_finder_choices;  // contracts/modular/finder_choices.h
/* at, chosen: TP_HEAP_PROGRAM_FIXED only. contract: with its goals over two states
 * (tp_contract_vc_two_states); it is left out if it is NULL, or if it speaks of something that the
 * program does not find. */
void tp_heap_layout_program(const tp_heap_layout *l, const char *path, tp_heap_program_mode mode,
                            const int64_t *at, const tp_contract_vc *contract,
                            const struct tp_finder_choices *chosen, tp_str *out);
/* Functions that the program declares only: inputs, from a list (when it ends, "stopped" is
 * printed), errors, assumptions. At the end of a FIXED program. */
void tp_heap_layout_stubs(const tp_heap_layout *l, const int64_t *inputs, size_t n, tp_str *out);

#endif
