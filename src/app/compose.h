/* From options to the composition of a cpa engine. */
#ifndef TP_APP_COMPOSE_H
#define TP_APP_COMPOSE_H

#include "app/options.h"

/* Puts the settings of o together into o->composition: for an engine that has a configuration, that
 * with the settings in place of its lines; for cpa the settings alone. An analysis without a choice
 * of engine chooses cpa. Nothing is run: what is wrong is said with the option, or file and line,
 * where it stands. */
bool tp_options_compose(tp_options *o, tp_str *why);
/* Reads the file of --load-precision into o->precision. Only for the engine that refines. */
bool tp_options_read_precision(tp_options *o, tp_str *why);

#endif
