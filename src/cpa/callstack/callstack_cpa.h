/* Callstack analysis: which calls are active. The flat lattice over call strings; its operators and
 * laws: README.md. */
#ifndef TP_CPA_CALLSTACK_CALLSTACK_CPA_H
#define TP_CPA_CALLSTACK_CALLSTACK_CPA_H

#include "cpa/cpa.h"

extern const tp_cpa_ops tp_cpa_callstack;

#endif
