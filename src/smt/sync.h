/* What an incremental solver holds, and the way from there to the next query.
 *
 * Use        if (!tp_sync_plan(y, q)) start the solver afresh and tp_sync_reset(y);
 *            pop tp_sync_pop(y, q) frames; then do what tp_sync_next says until DONE. */
#ifndef TP_SMT_SYNC_H
#define TP_SMT_SYNC_H

#include "smt/backend.h"

typedef struct {
  TP_VEC(tp_term) asserted;
  TP_VEC(size_t) pushed;  // index of the first assertion of each frame
} tp_sync;
void tp_sync_reset(tp_sync *y);
void tp_sync_clear(tp_sync *y);

/* Can the query be reached by popping frames? */
bool tp_sync_plan(const tp_sync *y, const tp_smt_query *q);
/* Number of frames to pop. requires: tp_sync_plan or a fresh start. */
size_t tp_sync_pop(tp_sync *y, const tp_smt_query *q);
typedef enum { TP_SYNC_PUSH, TP_SYNC_ASSERT, TP_SYNC_DONE } tp_sync_step;
/* ASSERT: the last of y->asserted. */
tp_sync_step tp_sync_next(tp_sync *y, const tp_smt_query *q);

#endif
