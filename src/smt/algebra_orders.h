/* Inside the algebra: equations that follow from orders (private to algebra*.c). */
#ifndef TP_SMT_ALGEBRA_ORDERS_H
#define TP_SMT_ALGEBRA_ORDERS_H

#include "term/term.h"

/* Adds x = y for any two facts that say x <= y and y <= x, both of signed or both of unsigned
 * numbers, and false for two that say x < y and y <= x. */
void tp_algebra_add_meeting_orders(tp_terms *tt, tp_term_list *facts);

#endif
