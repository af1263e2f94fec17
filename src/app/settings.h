/* From options to the settings of engines that split regions. */
#ifndef TP_APP_SETTINGS_H
#define TP_APP_SETTINGS_H

#include "app/options.h"

/* Reads --split, --generalize, --edges, --nodes, --regions, --state and --fair into o->search.
 * False: the engine has no use for one that was given, or its value is none. */
bool tp_options_set_search(tp_options *o, tp_str *why);

#endif
