/* Replay: a counterexample of a contract on the compiled program.
 *
 * What       writes the heap as a C program that calls the function and evaluates the contract
 *            (contracts/modular/heap_layout.h), compiles it with the sanitizers, runs it in the
 *            sandbox. A failure inside of the body must end the run at its position; a violated
 *            goal must be false in the heap that the run leaves, by the program's own evaluation
 *            and by the evaluator of contracts/rel: neither shares anything with the symbolic
 *            execution or with the other.
 * Errors     anything but CONFIRMED is no counterexample for users; `why` gives the reason.
 * Ownership  texts are the caller's, tp_contract_replay_clear. */
#ifndef TP_CONTRACTS_MODULAR_CONTRACT_REPLAY_H
#define TP_CONTRACTS_MODULAR_CONTRACT_REPLAY_H

#include "contracts/modular/heap_layout.h"
#include "contracts/modular/contract_vc.h"

typedef struct {
  const char *path;            // of the C file
  const char *const *options;  // for the compiler: -D, -I, -U
  size_t n_options;
  bool is_32_bit;
} tp_contract_replay_source;

typedef struct {
  bool confirmed;
  const char *what;  // the goal that is violated; NULL: the body fails
  tp_pos pos;
  tp_str program, why;
  tp_rel_instance after;  // of a run that returns: values of the relations of tp_contract_vc_after
} tp_contract_replay;

void tp_contract_replay_run(tp_contract_vc *c, tp_func f, const tp_contract_verdict *j,
                            const tp_contract_replay_source *source, tp_contract_replay *out);
void tp_contract_replay_clear(tp_contract_replay *r);

/* The output of a run (tp_heap_layout_program) as values of the relations of tp_contract_vc_after,
 * which must exist: a number for each slot, the result; for each atom 0 not allocated, 1 allocated,
 * 2 freed. NULL, or why there are none. */
const char *tp_contract_replay_read(const tp_heap_layout *l, tp_contract_vc *c, const int64_t *post,
                                    const int64_t *allocated, tp_rel_instance *i);

#endif
