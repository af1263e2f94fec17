/* Counterexamples as text: the heap before, what was executed with its values, the heap after. */
#ifndef TP_CONTRACTS_MODULAR_SHOW_H
#define TP_CONTRACTS_MODULAR_SHOW_H

#include "contracts/modular/moment.h"

/* The heap and what the function is called with, or gives, one line for each object. */
void tp_rshow_heap(const tp_rheap *h, const tp_rbody *b, tp_func f, const tp_rel_instance *i,
                   tp_show_moment when, tp_str *out);
/* The statements that are executed from this heap, one line each. */
void tp_rshow_steps(const tp_rheap *h, const tp_rbody *b, const tp_rel_instance *i, tp_str *out);

#endif
