/* The table of engines. */
#include "auto/engines.h"

#include "proof/proof_engines.h"
#include "search/search_engines.h"

const tp_engine *const tp_engines[] = {&tp_engine_bmc,         &tp_engine_cegar,
                                       &tp_engine_cpa,         &tp_engine_directed,
                                       &tp_engine_elements,    &tp_engine_heaps,
                                       &tp_engine_horn,        &tp_engine_interval,
                                       &tp_engine_kinduction,  &tp_engine_lee_yannakakis,
                                       &tp_engine_octagon,     &tp_engine_random,
                                       &tp_engine_slam,        &tp_engine_smash,
                                       &tp_engine_split_cegar, &tp_engine_synergy,
                                       &tp_engine_value,       NULL};

const tp_engine *tp_engine_find(const char *name) {
  for (size_t i = 0; tp_engines[i]; i++)
    if (!strcmp(tp_engines[i]->name, name)) return tp_engines[i];
  return NULL;
}
