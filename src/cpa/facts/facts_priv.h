/* Inside the analysis of facts. */
#ifndef TP_CPA_FACTS_FACTS_PRIV_H
#define TP_CPA_FACTS_FACTS_PRIV_H

#include "cpa/facts/facts.h"

typedef struct {
  tp_term var;
  tp_range range;
} tp_known;
typedef TP_VEC(tp_known) tp_known_list;

/* Sharpens the list by what the formula says of single variables. False: that leaves no value. */
bool tp_facts_bounds(const tp_program *p, tp_term formula, tp_known_list *list);

#endif
