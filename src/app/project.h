/* Files and flags of a build: --project.
 *
 * What       finds the files that were named (without any: the one with main, or with the function
 *            of --entry) in the compilation database, adds the units that define what they need,
 * and gives every file the flags of its unit. Represents flags that all chosen units have are
 * arguments of the compiler for all; where macros differ, each file is compiled with its own in
 * front of its text. Folders for headers are those of all units, in their order: two headers of one
 * name in folders of different units are not told apart. Ownership  texts live in the arena of the
 * options. */
#ifndef TP_APP_PROJECT_H
#define TP_APP_PROJECT_H

#include "app/options.h"

/* Does nothing without --project, and the second time. Returns 0, or the exit status after what is
 * wrong has been said. */
int tp_project_prepare(tp_options *o) TP_MUST_USE;
/* check --project --all-functions without files: check(o) with each unit in turn as the file named.
 * Returns the worst status. */
int tp_project_check_units(tp_options *o, int (*check)(tp_options *o));

#endif
