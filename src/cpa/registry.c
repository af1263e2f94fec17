/* The table of analyses, in the order in which messages list it: one row per folder, or more. */
#include "cpa/bits/bits_cpa.h"
#include "cpa/callstack/callstack_cpa.h"
#include "cpa/constant/constant_cpa.h"
#include "cpa/cpa.h"
#include "cpa/facts/facts_cpa.h"
#include "cpa/heap/heap_cpa.h"
#include "cpa/interval/interval_cpa.h"
#include "cpa/location/location_cpa.h"
#include "cpa/octagon/octagon_cpa.h"
#include "cpa/path/path_cpa.h"
#include "cpa/pointer/pointer_cpa.h"
#include "cpa/polyhedra/polyhedra_cpa.h"
#include "cpa/predicate/predicate_cpa.h"
#include "cpa/shape/shape_cpa.h"
#include "cpa/sign/sign_cpa.h"
#include "cpa/value/value_cpa.h"

const tp_cpa_ops *const tp_analyses[] = {
    &tp_cpa_location,
    &tp_cpa_callstack,
    &tp_cpa_path,
    &tp_cpa_facts,
    &tp_cpa_constant,
    &tp_cpa_constant_location,
    &tp_cpa_sign,
    &tp_cpa_bits,
    &tp_cpa_interval,
    &tp_cpa_octagon,
    &tp_cpa_polyhedra,
    &tp_cpa_value,
    &tp_cpa_pointer,
    &tp_cpa_predicate,
    &tp_cpa_heap,
    &tp_cpa_shape,
    NULL,
};

const tp_cpa_ops *tp_analysis_find(const char *name) {
  for (size_t i = 0; tp_analyses[i]; i++)
    if (strcmp(tp_analyses[i]->name, name) == 0) return tp_analyses[i];
  return NULL;
}
