/* What there is to verify in a file, and whether that changed: for who verifies a file again and
 * again.
 *
 * What       reads the program of a `check`, verifies nothing. A file with main has one target,
 *            main; a file without has one for each function that other files could call. Printed
 *            as one JSON object:
 *            {"has_main", "files": [PATH], "targets": [{"name", "place": [FILE, LINE, COLUMN],
 *            "arguments": [WORD], "identity", "places": [FILE, LINE, COLUMN, ...], "obstacle"}]}
 * Represents arguments: what the command line of `check` has for this target beside its own. FILE:
 *            a position in `files`. obstacle: why the target cannot be verified; else left out.
 * Law        two targets with equal identities have the same answer, but for positions: their n-th
 *            places belong to each other. The identity covers the part of the program that the
 *            target can reach, for each property that is asked (program/reach_text.h), the
 *            environment of a function, all options, files that options name, and the version. */
#ifndef TP_APP_SURVEY_H
#define TP_APP_SURVEY_H

#include "app/options.h"

/* argv: as of `twoproof check`. Returns the exit status: 0, or what `check` would end with because
 * the program cannot be read, which has been said. */
int tp_survey(int argc, char **argv);
/* The same for options that were parsed, of a check. */
int tp_survey_options(tp_options *o);

#endif
