/* Inside of the printer of programs that build heaps: what its parts share.
 *
 * heap_program.c prints heap, call and the heap afterwards; heap_program_contract.c the contract,
 * as relations and functions of the program; heap_program_calls.c functions that have contracts and
 * no bodies. */
#ifndef TP_CONTRACTS_MODULAR_HEAP_PROGRAM_PRIV_H
#define TP_CONTRACTS_MODULAR_HEAP_PROGRAM_PRIV_H

#include "contracts/modular/heap_layout.h"
#include "contracts/modular/finder_choices.h"
#include "contracts/rel/rel_emit.h"

typedef struct {
  const tp_heap_layout *l;
  const int64_t *at;  // values of slots; NULL: the program asks for them
  tp_arena arena;
  tp_names *identifiers;
  tp_map owners;       // of identifiers
  const char **atoms;  // by atom: how the program calls it
  bool has_contract, has_calls;
  const tp_rel_instance *instance;  // where ghosts and what contracts leave open have their values;
                                    // NULL: the program asks
  const char *allocated, *result;   // variables of the program
} tp_heap_program;

/* A C identifier made of the name, another one for each number. */
const char *tp_heap_program_identifier(tp_heap_program *p, const char *prefix, const char *name,
                                       uint32_t number);

/* Does the program find the value of every relation that the contract speaks of? */
bool tp_heap_program_can_say(const tp_heap_program *p, const tp_contract_vc *c);
void tp_heap_program_print_contract(tp_heap_program *p, const tp_contract_vc *c, tp_str *out);
/* In main: before the call, and at its end. */
void tp_heap_program_print_before(const tp_heap_program *p, tp_str *out);
void tp_heap_program_print_after(const tp_heap_program *p, tp_str *out);

/* The functions that the program defines itself. False: there are none. */
bool tp_heap_program_print_calls(const tp_heap_program *p, const tp_contract_vc *c,
                                 const tp_finder_choices *all, tp_str *out);

// ------------------------------------------------------------------- heap_program.c

void tp_heap_program_print_lvalue(const tp_heap_program *p, const tp_heap_slot *s, tp_str *out);
/* New objects that nothing leads to, where their size tells their type. */
void tp_heap_program_print_adoptions(const tp_heap_program *p, tp_str *out);

/* Of the function that is called, if contracts can speak of its result: NONE for structs. */
tp_type tp_heap_program_result_type(const tp_heap_layout *l);

#endif
