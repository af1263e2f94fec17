/* Heaps that a graph represents, by search: the model generator.
 *
 * What       for a graph of a shape class the heaps of a given number of cells that embed into it.
 * Represents a model maps each cell to a node: single nodes have one cell, summary nodes two or
 *            more (with one the model would be one of a smaller abstract state); links and pointers
 * lead where the graph allows. Whether instrumentation predicates agree is for the caller to check,
 * by the abstraction of the model. Order      chains through the cells of a node come first: of
 * lists the first model is mostly the right one. The same graph gives the same models in the same
 * order. Source     Yorsh, Ball, Sagiv 2006, sec. 5 (a model generator guided by the abstraction).
 */
#ifndef TP_ADEQUACY_HEAP_MODELS_H
#define TP_ADEQUACY_HEAP_MODELS_H

#include "adequacy/adequacy_limits.h"
#include "shape/partial_heap.h"

/* Targets are cells, or TP_PARTIAL_NIL, TP_PARTIAL_NUMBER (outside), TP_PARTIAL_NOTHING (a pointer
 * that is not known). */
typedef struct {
  uint32_t n_cells;
  uint8_t node[TP_ADEQUACY_HEAP_CELLS];
  bool is_freed[TP_ADEQUACY_HEAP_CELLS];
  const int16_t *pointer;  // by pointer of the class
  int16_t field[TP_SHAPE_MAX_FIELDS][TP_ADEQUACY_HEAP_CELLS];
} tp_heap_model;

/* The least number of cells of a model. */
uint32_t tp_heap_model_least(const tp_shape_class *c, const tp_structure *g);
/* Calls visit for each model with n_cells cells until it returns true; for each way
 * to deal the cells to nodes TP_ADEQUACY_HEAP_MODELS of them. is_known: by pointer of the class;
 * others are NOTHING. True: a visit returned true. */
bool tp_heap_models(const tp_shape_class *c, const tp_structure *g, const bool *is_known,
                    uint32_t n_cells, bool (*visit)(void *ctx, const tp_heap_model *m), void *ctx);
/* The model's canonical abstraction, as a graph of the engine; numbers are what the nodes of g say.
 * 0: there is none. */
uint32_t tp_heap_model_graph(tp_shape_engine *e, const tp_structure *g, const tp_heap_model *m);

#endif
