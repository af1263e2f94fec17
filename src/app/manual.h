/* Manual pages, in the language of man(7), from the tables of commands and of options.
 *
 * What       twoproof(1) and a page for each command: what --help=all says, the exit statuses, and
 *            examples. */
#ifndef TP_APP_MANUAL_H
#define TP_APP_MANUAL_H

#include "app/commands.h"
#include "base/base.h"

/* twoproof(1) */
void tp_manual_overview(tp_commands commands, tp_str *out);
/* twoproof-NAME(1). False: there is no such command. */
bool tp_manual_command(tp_commands commands, const char *name, tp_str *out);

#endif
