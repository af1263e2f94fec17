/* The engines of this room: tests, and partitions that tests and proofs refine together.
 *
 * What       their rows of the table of engines (auto/engines.c).
 * Law        that of engine/engine.h. */
#ifndef TP_SEARCH_SEARCH_ENGINES_H
#define TP_SEARCH_SEARCH_ENGINES_H

#include "engine/engine.h"

extern const tp_engine tp_engine_directed, tp_engine_lee_yannakakis, tp_engine_random,
    tp_engine_smash, tp_engine_split_cegar, tp_engine_synergy;

#endif
