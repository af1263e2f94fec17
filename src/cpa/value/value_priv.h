/* Inside the value analysis: its settings, and what its files offer each other. */
#ifndef TP_CPA_VALUE_VALUE_PRIV_H
#define TP_CPA_VALUE_VALUE_PRIV_H

#include <stdlib.h>

#include "cpa/store.h"
#include "cpa/value/value.h"

#define TP_VALUE_FOREVER UINT64_MAX
typedef struct {
  uint64_t threshold;          // FOREVER: nothing is dropped
  TP_VEC(struct tp_value_count *) counts;  // by merge key
  tp_map count_of;             // first element of a view -> index into counts
} tp_value_settings;

const tp_prec *tp_value_precision(tp_cpa *self);               // nothing is dropped
const tp_elem *tp_value_restrict(tp_cpa *self, const tp_elem *e, const tp_prec *p);
tp_adjusted tp_value_adjust(tp_cpa *self, const tp_elem *e, const tp_prec *p, tp_reached_view view, tp_succ *out);

void tp_value_forget_counts(tp_value_settings *own);

#endif
