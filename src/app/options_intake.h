/* Reading what the options name, before processes are forked. */
#ifndef TP_APP_OPTIONS_INTAKE_H
#define TP_APP_OPTIONS_INTAKE_H

#include "app/options.h"

/* Files and flags of --project become those of the options; what is named and can be read once only
 * (pipes, devices) is read before processes are forked; see base/files.h. False: that failed, which
 * has been said with the last line of a result. */
bool tp_options_take_in(tp_options *o, bool has_result) TP_MUST_USE;
/* The last words where the input cannot be read. */
void tp_options_say_unreadable(const tp_options *o);
#endif
