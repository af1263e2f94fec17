/* The settings of the value analysis, and the interfaces between its files. */
#ifndef TP_CPA_VALUE_VALUE_PRIV_H
#define TP_CPA_VALUE_VALUE_PRIV_H

#include <stdlib.h>

#include "cpa/store.h"
#include "cpa/value/value_cpa.h"

#define TP_VALUE_NO_THRESHOLD UINT64_MAX
/* ALL: every lvalue. The others: lvalues that refinement added, at one location, in one function,
 * everywhere. */
typedef enum { TP_TRACK_ALL, TP_TRACK_LOCATION, TP_TRACK_FUNCTION, TP_TRACK_GLOBAL } tp_track_scope;
/* The treatment of an lvalue that a step left without a value. STAYS: it may have one later.
 * LEAVES: it is dropped. INFER: it stays, and is offered to neighbours as if it were dropped. */
typedef enum { TP_UNKNOWN_STAYS, TP_UNKNOWN_LEAVES, TP_UNKNOWN_INFER } tp_unknown_setting;
typedef struct {
  tp_loc at;
  tp_func func;
  tp_term lvalue;
} tp_tracked;
typedef struct {
  uint64_t threshold;  // UINT64_MAX: nothing is dropped
  tp_track_scope scope;
  tp_unknown_setting unknown;
  TP_VEC(tp_tracked) tracked;
  tp_map is_tracked;        // (kind of scope, its number, lvalue) -> 1
  TP_VEC(tp_term) dropped;  // lvalues that had too many values somewhere, or that were told to have
  TP_VEC(uint64_t) from_start;             // those: the precision of initial elements
  tp_map is_dropped;                       // lvalue -> 1
  bool lifts;                              // a refinement may ask for lvalues without threshold
  tp_map is_lifted;                        // those: lvalue -> 1
  TP_VEC(struct tp_value_count *) counts;  // by merge key
  tp_map count_of;                         // first element of a view -> index into counts
} tp_value_settings;

const tp_prec *tp_value_precision(tp_cpa *self);  // of initial elements
const tp_elem *tp_value_restrict(tp_cpa *self, const tp_elem *e, const tp_prec *p);
tp_adjusted tp_value_adjust(tp_cpa *self, const tp_elem *e, const tp_prec *p, tp_reached_view view,
                            tp_succ *out);
/* A step left the lvalue without a value. */
const tp_prec *tp_value_adjust_unknown(tp_cpa *self, const tp_prec *p, uint64_t lvalue);
void tp_value_each_untracked(tp_cpa *self, tp_succ before, tp_succ after,
                             void (*visit)(void *ctx, tp_term lvalue), void *ctx);
/* What is tracked where the step leads to. */
const tp_elem *tp_value_project(tp_cpa *self, const tp_elem *e, tp_loc at);

void tp_value_clear_counts(tp_value_settings *own);

#endif
