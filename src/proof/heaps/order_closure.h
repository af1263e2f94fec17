/* What follows from orders and equations of numbers by transitivity alone, without a solver.
 *
 * What       assumptions a <= b, a < b, a = b, a != b, signed or unsigned, over any terms, and
 *            which statements of these forms follow; of one of several: which is known to be it.
 * Represents numbers as nodes, a relation of each two; constants are in their order. What is not
 *            understood is left out, and `is_partial`: only what follows is an answer then.
 * Cost       cubic in the number of terms that are compared, which are few. */
#ifndef TP_PROOF_HEAPS_ORDER_CLOSURE_H
#define TP_PROOF_HEAPS_ORDER_CLOSURE_H

#include "term/term.h"

typedef struct {
  tp_terms *tt;
  tp_term_list nodes, known;
  unsigned char *below[2];  // of two nodes, unsigned and signed: 0 nothing, 1 at most, 2 less
  unsigned char *differ;
  size_t n_closed;  // nodes that `below` has
  bool is_partial;
} tp_order_closure;

void tp_order_closure_init(tp_order_closure *c, tp_terms *tt);
void tp_order_closure_clear(tp_order_closure *c);
/* Before the first question. */
void tp_order_closure_assume(tp_order_closure *c, tp_term fact);
typedef enum { TP_ORDER_HOLDS, TP_ORDER_OPEN, TP_ORDER_FOLLOWS_NOT } tp_order_answer;
/* OPEN: it is no order, or what was assumed is more than orders. */
tp_order_answer tp_order_closure_ask(tp_order_closure *c, tp_term statement);
/* Can the assumptions not be, all together? */
tp_order_answer tp_order_closure_is_contradiction(tp_order_closure *c);

#endif
