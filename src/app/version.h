/* --version: the tool, its commit, and the programs and solvers that answers rest on. */
#ifndef TP_APP_VERSION_H
#define TP_APP_VERSION_H

#include "base/base.h"

/* "twoproof 0.1 (commit 1a2b3c)" and a line for each solver and compiler. Asks those that are
 * programs for their own version. */
void tp_version_print(tp_str *out);
/* "0.1" */
extern const char tp_version_number[];
/* "0.1 (commit 1a2b3c)"; static. */
const char *tp_version_text(void);

#endif
