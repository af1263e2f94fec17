/* Counterexamples as text: the heap before, what was executed with its values, the heap after. */
#ifndef TP_CONTRACTS_MODULAR_COUNTEREXAMPLE_TEXT_H
#define TP_CONTRACTS_MODULAR_COUNTEREXAMPLE_TEXT_H

#include "contracts/modular/concrete_heap.h"

/* The heap and what the function is called with, or gives, one line for each object. */
void tp_counterexample_print_heap(const tp_rheap *h, const tp_rexec *b, tp_func f,
                                  const tp_rel_instance *i, tp_contract_state when, tp_str *out);
/* The statements that are executed from this heap, one line each. */
void tp_counterexample_print_steps(const tp_rheap *h, const tp_rexec *b, const tp_rel_instance *i,
                                   tp_str *out);

#endif
