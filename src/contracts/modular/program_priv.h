/* Inside of the printer of programs that build heaps: what its parts share.
 *
 * program.c prints heap, call and what is left; program_contract.c the contract, as relations and
 * functions of the program; program_calls.c functions that have contracts and no bodies. */
#ifndef TP_CONTRACTS_MODULAR_PROGRAM_PRIV_H
#define TP_CONTRACTS_MODULAR_PROGRAM_PRIV_H

#include "contracts/modular/build.h"
#include "contracts/modular/chosen.h"
#include "contracts/rel/emit.h"

typedef struct {
  const tp_rlayout *l;
  const int64_t *at;  // values of slots; NULL: the program asks for them
  tp_arena arena;
  tp_names *identifiers;
  tp_map owners;       // of identifiers
  const char **atoms;  // by atom: how the program calls it
  bool has_contract, has_calls;
  const tp_rel_instance *instance;  // where ghosts and what contracts leave open have their values;
                                    // NULL: the program asks
  const char *there, *result;       // variables of the program
} tp_rprogram;

/* A C identifier made of the name, another one for each number. */
const char *tp_rprogram_identifier(tp_rprogram *p, const char *prefix, const char *name,
                                   uint32_t number);

/* Does the program find the value of every relation that the contract speaks of? */
bool tp_rprogram_can_say(const tp_rprogram *p, const tp_rcontract *c);
void tp_rprogram_print_contract(tp_rprogram *p, const tp_rcontract *c, tp_str *out);
/* In main: before the call, and at its end. */
void tp_rprogram_print_before(const tp_rprogram *p, tp_str *out);
void tp_rprogram_print_after(const tp_rprogram *p, tp_str *out);

/* The functions that it answers itself. False: there are none. */
bool tp_rprogram_print_calls(const tp_rprogram *p, const tp_rcontract *c, const tp_chosen *all,
                             tp_str *out);

// ------------------------------------------------------------------- program.c

void tp_rprogram_print_lvalue(const tp_rprogram *p, const tp_slot *s, tp_str *out);
/* New objects that nothing leads to, where their size tells their type. */
void tp_rprogram_print_adoptions(const tp_rprogram *p, tp_str *out);

#endif
