/* Conjuncts by an explicit stack: the left argument is on top, so the list is in order of reading.
 * A negated disjunction is a conjunction of negations. */
#include "term/term.h"

void tp_conjuncts(tp_terms *tt, tp_term t, tp_term_list *out) {
  TP_REQUIRE(tp_sort_kind_of(tt, tp_sort_of(tt, t)) == TP_SORT_BOOL);
  tp_term_list stack = {0};
  tp_vec_push(&stack, t);
  while (stack.n) {
    tp_term top = tp_vec_pop(&stack),
            inner = tp_kind(tt, top) == TP_OP_NOT ? tp_arg(tt, top, 0) : top;
    if (tp_kind(tt, top) == TP_OP_AND) {
      tp_vec_push(&stack, tp_arg(tt, top, 1));
      tp_vec_push(&stack, tp_arg(tt, top, 0));
    } else if (tp_kind(tt, top) == TP_OP_NOT && tp_kind(tt, inner) == TP_OP_OR) {
      tp_vec_push(&stack, tp_mk_not(tt, tp_arg(tt, inner, 1)));
      tp_vec_push(&stack, tp_mk_not(tt, tp_arg(tt, inner, 0)));
    } else if (!tp_is_true(tt, top)) {
      tp_vec_push(out, top);
    }
  }
  tp_vec_clear(&stack);
}
