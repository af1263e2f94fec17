/* What the stages of the transformer share. */
#ifndef TP_SHAPE_ENGINE_PRIV_H
#define TP_SHAPE_ENGINE_PRIV_H

#include "shape/transform.h"

/* A heap operation with its arguments, compiled. */
typedef struct {
  tp_heap_kind kind;
  int16_t x, y, field;
  tp_update_instances changes;
} tp_action;

/* A result that is remembered. */
typedef struct {
  uint32_t first, n;  // in `results`
  uint32_t events;
} tp_remembered;

struct tp_shape_engine {
  tp_shape_class *c;
  tp_evaluation *e;
  tp_graph_pool graphs, sharp;  // sharp: graphs as coerce leaves them
  TP_VEC(uint32_t) sharp_of;    // by graph - 1: id in `sharp`; 0: not asked yet
  tp_structures idle;           // structures that nobody uses
  TP_VEC(tp_action *) actions;
  TP_VEC(tp_shape_step) steps;  // that were taken, for their numbers
  tp_map memory;                // (graph, step) to index in `remembered`
  TP_VEC(tp_remembered) remembered;
  TP_VEC(uint32_t) results;
  tp_shape_stats stats;
};

/* tp_shape_update; adds what differs to touched. */
tp_status tp_shape_update_touched(tp_shape_engine *e, tp_structure *s, tp_heap_kind kind, int x,
                                  int y, int field, tp_touched *touched) TP_MUST_USE;

/* Errors: TP_ERR_LIMIT: a formula has too many variables. */
tp_status tp_shape_action(tp_shape_engine *e, tp_heap_kind kind, int x, int y, int field,
                          const tp_action **out) TP_MUST_USE;

#endif
