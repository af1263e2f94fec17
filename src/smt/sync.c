/* The longest common prefix of two stacks of assertions, in whole frames.
 *
 * A solver pops frames only, so the facts that stay must all be facts of the query, and the frames
 * that stay must begin where the query's begin. */
#include "smt/sync.h"

void tp_sync_reset(tp_sync *y) { y->asserted.n = y->pushed.n = 0; }

void tp_sync_clear(tp_sync *y) {
  tp_vec_clear(&y->asserted);
  tp_vec_clear(&y->pushed);
}

/* The largest number of frames to keep such that all facts left agree with the query; SIZE_MAX:
 * none. */
static size_t frames_to_keep(const tp_sync *y, const tp_smt_query *q) {
  size_t same = 0, keep = 0;
  while (same < y->asserted.n && same < q->n_facts &&
         tp_term_eq(y->asserted.at[same], q->facts[same]))
    same++;
  while (keep < y->pushed.n && keep < q->n_frames && y->pushed.at[keep] == q->frames[keep]) keep++;
  for (;; keep--) {
    size_t left = keep < y->pushed.n ? y->pushed.at[keep] : y->asserted.n;
    if (left <= same && (keep == q->n_frames || q->frames[keep] >= left)) return keep;
    if (keep == 0) return SIZE_MAX;
  }
}

bool tp_sync_plan(const tp_sync *y, const tp_smt_query *q) {
  return frames_to_keep(y, q) != SIZE_MAX;
}

size_t tp_sync_pop(tp_sync *y, const tp_smt_query *q) {
  TP_REQUIRE(tp_sync_plan(y, q));
  size_t keep = frames_to_keep(y, q), n = y->pushed.n - keep;
  if (!n) return 0;
  y->asserted.n = y->pushed.at[keep];
  y->pushed.n = keep;
  return n;
}

tp_sync_step tp_sync_next(tp_sync *y, const tp_smt_query *q) {
  if (y->pushed.n < q->n_frames && q->frames[y->pushed.n] == y->asserted.n) {
    tp_vec_push(&y->pushed, y->asserted.n);
    return TP_SYNC_PUSH;
  }
  TP_INVARIANT(y->asserted.n <= q->n_facts && y->pushed.n <= q->n_frames);  // a common prefix
  if (y->asserted.n == q->n_facts) return TP_SYNC_DONE;
  tp_term next = q->facts[y->asserted.n];
  tp_vec_push(&y->asserted, next);
  return TP_SYNC_ASSERT;
}
