/* Potential errors: is there a run of the program that fails?
 *
 * What       searches by other engines, short ones first, within the time that is left.
 * Law        only a run of the program makes the verdict FALSE; what a fabricated state runs into
 *            does not. */
#ifndef TP_ADEQUACY_CONFIRM_POTENTIAL_H
#define TP_ADEQUACY_CONFIRM_POTENTIAL_H

#include "engine/engine.h"

/* A share of the time that is left since start_s; without a limit some seconds. */
tp_budget tp_potential_budget(const tp_budget *budget, double start_s, double share);
/* True: the result is FALSE with inputs; else it is unchanged. */
bool tp_potential_confirm(const tp_task *task, const tp_budget *budget, double start_s,
                          tp_stats *stats, tp_result *out);

#endif
