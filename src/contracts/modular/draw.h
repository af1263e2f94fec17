/* Counterexamples as pictures: the heap before and after, what differs marked, what was executed
 * below (diag/picture.h).
 *
 * Represents the two heaps are laid out alike: what is in one of them alone takes its room in the
 * other one, unseen. Only behind the call: "≠"
 *            holds something else, "+" new, "×" gone; arguments keep their values. */
#ifndef TP_CONTRACTS_MODULAR_DRAW_H
#define TP_CONTRACTS_MODULAR_DRAW_H

#include "contracts/modular/moment.h"

/* title: what fails. */
typedef enum {
  TP_DRAW_BEFORE_ONLY,
  TP_DRAW_BEFORE_AND_AFTER
} tp_rdraw_extent;  // it need not return
void tp_rdraw(const tp_rheap *h, const tp_rbody *b, tp_func f, const tp_rel_instance *i,
              tp_rdraw_extent extent, const char *title, tp_str *out);

#endif
