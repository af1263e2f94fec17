/* Sources that the tool writes for a run: the environment of a function, a module's client, the
 * units of a comparison.
 *
 * What       the file stands beside the other evidence (--output), where a replay finds it, or in a
 *            folder that is removed at the end.
 * Errors     a file that cannot be written is named on standard error. */
#ifndef TP_APP_MADE_SOURCE_H
#define TP_APP_MADE_SOURCE_H

#include "app/options.h"

/* Its path, in `arena`; NULL: it could not be written. */
const char *tp_made_source(const tp_options *o, const char *name, const tp_str *text,
                           tp_arena *arena);

#endif
