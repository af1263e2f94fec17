/* Does a function keep its contract, for all heaps within bounds?
 *
 * What       queries to the model finder: is a goal violated, which of the bounds were binding;
 *            heaps that show it.
 * Represents FAILS: `instance` is a heap within the bounds from which the function fails, by the
 *            semantics of relational logic; it is replayed on the compiled program before a
 *            violation is reported. HOLDS: no heap within the bounds fails; what lies outside of
 *            them is given by `binding`. UNKNOWN: an execution within the bounds can reach an
 *            unsupported operation, or a limit of the solver.
 *            A query without a model can be shown to a prover of the caller's, which asks for a
 *            clause proof and has it checked; the verdict counts for how many that was done.
 * Ownership  a verdict borrows its heap and its execution, and owns the finder, whose instance it
 *            is.
 * Source     Taghdiri 2008, sec. 5; vacuity and binding bounds are ours. */
#ifndef TP_CONTRACTS_MODULAR_CONTRACT_CHECK_H
#define TP_CONTRACTS_MODULAR_CONTRACT_CHECK_H

#include "contracts/modular/relational_exec.h"
#include "contracts/rel/finder.h"

typedef enum { TP_CONTRACT_HOLDS, TP_CONTRACT_FAILS, TP_CONTRACT_UNKNOWN } tp_contract_answer;

struct tp_heap_refinement;  // contracts/refine/heap_refinement.h

/* What is asked beside failing inside of the body. */
typedef struct {
  tp_rel_formula when;  // over the pre-state: this is broken when the function returns
  tp_pos pos;
  const char *what;  // the clause
} tp_contract_goal;

typedef enum {
  TP_CONTRACT_FAILURES_CHECKED,
  TP_CONTRACT_FAILURES_ASSUMED_AWAY
} tp_contract_failures_in_calls;

typedef struct {
  tp_rheap *heap;
  const tp_rexec *body;
  const tp_rel_formula *assumptions;  // what is assumed of the pre-state
  size_t n_assumptions;
  const tp_contract_goal *goals;
  size_t n_goals;
  double cpu_s;  // of each call of the solver; 0: no limit
  // NULL: nothing is proved; where proofs are required the answer without one is UNKNOWN
  const tp_rel_prover *prover;
  struct tp_heap_refinement *refinement;  // of calls that summaries stand for; NULL: there are none
  tp_contract_failures_in_calls failures_in_calls;
} tp_contract_query;

typedef struct {
  tp_contract_answer answer;
  const char *what;     // FAILS: what goes wrong; UNKNOWN: why
  bool is_used_up;      // UNKNOWN: as many refinements as allowed
  bool may_not_return;  // HOLDS: it is not known whether the function returns within the bounds
  tp_pos pos;
  bool is_binding[TP_REXEC_N_ENDS];  // UNROLL, OBJECTS: an execution within the other bounds needs
                                     // more
  const char *binding_what[TP_REXEC_N_ENDS];
  tp_pos binding_pos[TP_REXEC_N_ENDS];
  bool is_width_binding;
  bool is_vacuous;     // HOLDS: there is no heap that fits what is given
  bool never_returns;  // HOLDS: there is one, but the function returns from none
  const char
      *dead_call;  // HOLDS: a function whose contract lets no call at this place return, or NULL
  tp_pos dead_call_pos;
  // queries without a model, those of specifications included; by a proof that was checked
  uint32_t n_refuted, n_proved;
  tp_rel_stats stats;
  tp_rel_finder *finder;
  tp_rel_instance instance;  // FAILS: the heap in the pre-state; HOLDS, may_not_return: one from
                             // which the function returns, if its calls can be so
} tp_contract_verdict;

/* Binds the heap, if nobody has done so. */
void tp_contract_check(const tp_contract_query *q, tp_contract_verdict *out);
void tp_contract_verdict_clear(tp_contract_verdict *j);

#endif
