/* The table of analyses, in the order of --list-analyses: one row per folder. */
#include "cpa/callstack/callstack.h"
#include "cpa/constant/constant.h"
#include "cpa/cpa.h"
#include "cpa/facts/facts.h"
#include "cpa/heap/heap.h"
#include "cpa/interval/interval.h"
#include "cpa/location/location.h"
#include "cpa/octagon/octagon.h"
#include "cpa/path/path.h"
#include "cpa/pointer/pointer.h"
#include "cpa/polyhedra/polyhedra.h"
#include "cpa/predicate/predicate.h"
#include "cpa/shape/shape.h"
#include "cpa/sign/sign.h"
#include "cpa/value/value.h"

const tp_cpa_ops *const tp_analyses[] = {
    &tp_cpa_location,  &tp_cpa_callstack,
    &tp_cpa_path,      &tp_cpa_facts,
    &tp_cpa_constant,  &tp_cpa_constant_location,
    &tp_cpa_sign,      &tp_cpa_interval,
    &tp_cpa_octagon,   &tp_cpa_polyhedra,
    &tp_cpa_value,     &tp_cpa_pointer,
    &tp_cpa_predicate, &tp_cpa_heap,
    &tp_cpa_shape,     NULL,
};

const tp_cpa_ops *tp_analysis_find(const char *name) {
  for (size_t i = 0; tp_analyses[i]; i++)
    if (strcmp(tp_analyses[i]->name, name) == 0) return tp_analyses[i];
  return NULL;
}
