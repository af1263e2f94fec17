/* Local precision: one analysis, a precision for each location.
 *
 * What       wraps an analysis; its elements stay as they are, its precision becomes a table from
 *            locations to precisions of the wrapped analysis, with one for all other locations. The
 *            transfer along a step uses the precision of the step's target location.
 * Represents what the wrapped analysis means; precisions mean nothing.
 * Ownership  the wrapper owns the analysis; tables are immutable and live as long as it.
 * Source     Theoduloz 2010, sec. 4.4.2 (a precision per location). */
#ifndef TP_CPA_LOCAL_H
#define TP_CPA_LOCAL_H

#include "cpa/cpa.h"

/* NULL: why has the message; the component is still the caller's. */
tp_cpa *tp_local_new(tp_cpa_env *env, tp_cpa *component, tp_str *why);
bool tp_is_local(const tp_cpa *cpa);

/* p, a precision of the wrapper, with another one of the wrapped analysis at one location; at all
 * locations that have none of their own. */
const tp_prec *tp_local_set(tp_cpa *self, const tp_prec *p, tp_loc at, const tp_prec *here);
const tp_prec *tp_local_set_otherwise(tp_cpa *self, const tp_prec *p, const tp_prec *otherwise);
const tp_prec *tp_local_at(const tp_prec *p, tp_loc at);

#endif
