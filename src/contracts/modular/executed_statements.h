/* What a counterexample executes, statement by statement, as the user wrote it.
 *
 * What       one line for each statement: position, the statement, what the expressions in it were.
 *            Temporaries of the program model are replaced by the expressions that they stand for;
 *            of a branch, the condition and whether it holds.
 * Law        an expression stands for a temporary only while nothing was assigned, stored or called
 *            since it was evaluated; afterwards its value does. */
#ifndef TP_CONTRACTS_MODULAR_EXECUTED_STATEMENTS_H
#define TP_CONTRACTS_MODULAR_EXECUTED_STATEMENTS_H

#include "contracts/modular/concrete_heap.h"

/* The statements that are executed from this heap (opened in the pre-state). */
void tp_executed_statements_print(const tp_concrete_heap *m, tp_str *out);

#endif
