/* Counterexamples as pictures: the heap before and after, differences marked, the executed
 * statements below (diag/picture.h).
 *
 * Represents the two heaps are laid out alike: an object of one of them alone keeps its room in the
 *            other one, unseen. In the panel after the call: "≠" another value, "+" allocated, "×"
 *            freed; arguments keep their values. */
#ifndef TP_CONTRACTS_MODULAR_COUNTEREXAMPLE_PICTURE_H
#define TP_CONTRACTS_MODULAR_COUNTEREXAMPLE_PICTURE_H

#include "contracts/modular/concrete_heap.h"

/* title: what fails. */
typedef enum {
  TP_DRAW_BEFORE_ONLY,
  TP_DRAW_BEFORE_AND_AFTER
} tp_counterexample_extent;  // it need not return
void tp_counterexample_draw(const tp_rheap *h, const tp_rexec *b, tp_func f,
                            const tp_rel_instance *i, tp_counterexample_extent extent,
                            const char *title, tp_str *out);

#endif
