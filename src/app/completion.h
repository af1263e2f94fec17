/* Completion of command lines in shells, from the tables of commands and of options.
 *
 * What       a script for bash, zsh or fish: commands, options of the command, words that an option
 *            takes, files and folders. */
#ifndef TP_APP_COMPLETION_H
#define TP_APP_COMPLETION_H

#include "app/commands.h"
#include "base/base.h"

/* shell: bash, zsh or fish. False: another one. */
bool tp_completion(tp_commands commands, const char *shell, tp_str *out);

#endif
