/* Location analysis: where a run is. The flat lattice over locations; its operators and laws:
 * README.md. */
#ifndef TP_CPA_LOCATION_LOCATION_CPA_H
#define TP_CPA_LOCATION_LOCATION_CPA_H

#include "cpa/cpa.h"

extern const tp_cpa_ops tp_cpa_location;

#endif
