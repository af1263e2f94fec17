/* Imported invariants as an analysis: see README.md. */
#ifndef TP_CPA_FACTS_FACTS_CPA_H
#define TP_CPA_FACTS_FACTS_CPA_H

#include "cpa/cpa.h"

extern const tp_cpa_ops tp_cpa_facts;

#endif
