/* Any analysis as a join-based one: over sets of its elements.
 *
 * What       an analysis whose elements are finite sets of elements of another analysis (the inner
 *            one), so that its reached set has one element.
 *              transfer   the union of what the inner analysis makes of each element
 *              m(S, S')   { merge(e, e') : e in S, e' in S' }
 *              merge      m(S, S') and those e of S that the inner stop does not find covered by
 *                         m(S, S')
 *              stop       sep, with S below S' if the inner stop finds every e of S covered by S'
 * Differs    [the printed merge of an empty S is empty and forgets S'; here it is S'.] Successors
 *            may be the empty set here, against the law that an element that means no state is not
 *            produced, so that this case is met.
 * Ownership  sets live as long as the analysis; the inner analysis is borrowed.
 * Source     Theoduloz 2010, sec. 3.3.2. */
#ifndef TP_LAWS_POWERSET_H
#define TP_LAWS_POWERSET_H

#include "cpa/cpa.h"

typedef struct {
  const tp_elem *const *at;
  size_t n;
} powerset;

tp_cpa *powerset_open(tp_cpa *inner);
const tp_elem *powerset_single(tp_cpa *self, const tp_elem *e);
powerset powerset_of(const tp_elem *e);
bool powerset_covers(tp_cpa *self, const tp_elem *set, const tp_elem *inner);

#endif
