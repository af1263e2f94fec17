/* What the headers of a project declare for a unit.
 *
 * What       from a unit as the preprocessor leaves it, with its line markers: the text that stands
 *            in headers that are neither the system's nor the compiler's.
 * Use        which functions of a unit are for its users (app/makers.h).
 * Ownership  the text is the caller's (tp_free).
 * Source     GNU cpp, "Preprocessor Output": # LINE "FILE" FLAGS, of which 3 is a system header. */
#ifndef TP_APP_UNIT_HEADERS_H
#define TP_APP_UNIT_HEADERS_H

#include "base/base.h"

char *tp_unit_headers(const char *seen);

#endif
