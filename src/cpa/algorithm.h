/* The one reachability algorithm: interruptible CPA+.
 *
 * What       runs from a given (reached, waitlist) until the waitlist is empty, adjust interrupts,
 *            or a limit ends it.
 * Law        whatever ends the run, the element that was being expanded is back in the waitlist:
 *            every run can be resumed and ends with the same reached set as an uninterrupted one.
 *            In check builds the thesis's loop invariants I1 and I2 are asserted.
 * Source     Theoduloz 2010, algorithms CPA (3.2.3), CPA+ (4.3.2), PartialCPA+ (5.4.1); the merge
 *            test is against the old element, which the printed PartialCPA+ gets wrong. */
#ifndef TP_CPA_ALGORITHM_H
#define TP_CPA_ALGORITHM_H

#include "cpa/reached.h"

typedef enum { TP_CPA_DONE, TP_CPA_INTERRUPTED, TP_CPA_STOPPED } tp_cpa_end;

typedef struct {
  uint64_t steps;  // most elements popped from the waitlist in this call, 0: no limit
  bool (*should_stop)(void *ctx);  // may be NULL; polled before each step
  /* After a node was added or replaced; true interrupts. May be NULL. Used to stop at error
   * locations. */
  bool (*interrupt)(void *ctx, const tp_reached *r, uint32_t node);
  void *ctx;
} tp_cpa_limits;

typedef struct {
  tp_cpa_end end;
  uint32_t node;   // INTERRUPTED: the node at which
  uint64_t steps;  // elements expanded in this call
} tp_cpa_result;
tp_cpa_result tp_cpa_run(tp_reached *r, tp_cpa_limits limits);

/* I1 and I2 on the whole set, by the analysis's own operators: initial elements are covered;
 * successors of all nodes that are not waiting are covered. why names the node that violates an
 * invariant. */
bool tp_reached_check(tp_reached *r, tp_str *why);

#endif
