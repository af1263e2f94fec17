/* The table of engines: every engine that a user or the schedule can name.
 *
 * What       sorted by name; `tp_engine_find` (engine/engine.h) looks a name up in it. */
#ifndef TP_AUTO_ENGINES_H
#define TP_AUTO_ENGINES_H

#include "engine/engine.h"

extern const tp_engine *const tp_engines[];  // NULL-terminated

#endif
