/* One function against its contract, with its calls executed, by contract, or refined.
 *
 * What       a question and all that it consists of; and the check whose calls start from what is
 *            known of the callees and are refined as far as the property needs.
 * Represents HOLDS: no execution with possible calls fails; the specifications that this rests on
 *            are implied by the bodies that they are of. FAILS: the failure was found again with
 *            the bodies executed from the heap that refinement had found; `executed` is that
 *            question, for replay and for people. IN_VAIN: refinement used up what it may, met a
 *            limit, or found a failure that the bodies do not have.
 * Ownership  a question owns everything but the contracts.
 * Source     Taghdiri 2008; executing the bodies once more is ours. */
#ifndef TP_CONTRACTS_REFINE_REFINED_CHECK_H
#define TP_CONTRACTS_REFINE_REFINED_CHECK_H

#include "contracts/modular/call_templates.h"
#include "contracts/modular/contract_vc.h"
#include "contracts/modular/heap_count.h"
#include "contracts/refine/heap_refinement.h"

typedef enum { TP_CALLS_EXECUTED, TP_CALLS_BY_CONTRACT, TP_CALLS_REFINED } tp_calls;

typedef struct {
  tp_func func;
  tp_calls calls;
  tp_rheap heap;
  tp_rexec body;
  tp_call_templates templates;  // CALLS_REFINED
  tp_contract_vc contract;      // why: there is nothing to be asked
  tp_heap_refinement *refinement;
  tp_contract_failures_in_calls failures_in_calls;
  const tp_rel_prover *prover;  // the caller's; NULL: nothing is proved
  tp_contract_verdict verdict;
  double start_s, cpu_s;
} tp_contract_question;

/* cpu_s: of each call of the solver; 0: no limit. */
void tp_contract_question_init(tp_contract_question *q, tp_contracts *m, tp_func f,
                               tp_rheap_limits limits, tp_calls calls, double cpu_s);
void tp_contract_question_clear(tp_contract_question *q);
/* Sets the verdict. */
void tp_contract_question_ask(tp_contract_question *q);
/* Without refinement: how many pre-states there are, and how they end. */
void tp_contract_question_count(tp_contract_question *q, tp_heaps_counted told, void *context,
                                tp_heap_counts *out);

typedef enum { TP_REFINED_HOLDS, TP_REFINED_FAILS, TP_REFINED_IN_VAIN } tp_refined_answer;
typedef struct {
  uint64_t max_refinements;
  uint64_t body_after;  // tp_heap_refinement_body_after
} tp_refined_limits;
/* q: CALLS_REFINED. executed: initialised where the answer is FAILS, and then the caller's. */
tp_refined_answer tp_refined_check(tp_contract_question *q, tp_refined_limits limits,
                                   tp_contract_question *executed);

#endif
