/* Inside the analysis of facts. */
#ifndef TP_CPA_FACTS_FACTS_PRIV_H
#define TP_CPA_FACTS_FACTS_PRIV_H

#include "cpa/facts/facts_cpa.h"

typedef struct {
  tp_term var;
  tp_range range;
} tp_imported_bounds;
typedef TP_VEC(tp_imported_bounds) tp_imported_bounds_list;

/* Sharpens the list by what the formula says of single variables. False: that leaves no value. */
bool tp_facts_bounds(const tp_program *p, tp_term formula, tp_imported_bounds_list *list);

#endif
