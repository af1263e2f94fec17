/* The abstract transformer: what an operation makes of a structure.
 *
 * What       an engine for one class: operations as steps; focus, update, coerce, blur; graphs with
 *            ids, remembered results.
 * Represents post(g, step): a set of graphs that stands for every heap that the step makes of a
 *            heap of g. A step ends a heap's run where it follows a pointer that is nil, or to a
 *            freed cell; such runs have no heap behind the step, but are reported. Through a
 *            pointer to a cell outside the structure nothing is written that graphs tell of, and
 *            what is read is not known.
 * Order      focus (the cells that the operation names become definite), coerce, conditions,
 *            update, coerce, blur, interning. x->f = y clears the field first; free x clears the
 *            fields of the cell.
 * Ownership  an engine owns its graphs; ids are valid as long as it lives. The class must outlive
 *            it. Laws the operations' meaning is sound: verify.h checks updates, coerce.h states
 *            coerce's law; focus is a case split.
 * Source     Sagiv, Reps, Wilhelm 2002, sec. 6; Theoduloz 2010, sec. 2.3.4, which leaves blur
 *            implicit. */
#ifndef TP_SHAPE_TRANSFORM_H
#define TP_SHAPE_TRANSFORM_H

#include "shape/class.h"
#include "shape/coerce.h"
#include "shape/pool.h"

typedef enum {
  TP_SHAPE_STEP_HEAP,    // one of tp_heap_kind
  TP_SHAPE_STEP_IS_NIL,  // assume x == nil
  TP_SHAPE_STEP_NOT_NIL,
  TP_SHAPE_STEP_SAME,  // assume x == y
  TP_SHAPE_STEP_DIFFERENT,
  TP_SHAPE_STEP_AT_MOST,  // assume that order `field` holds, or not (value), between the cells of x
                          // and y
  TP_SHAPE_STEP_ASSIGN_DATA,  // a data predicate about x's cell gets a value
  TP_SHAPE_STEP_ASSUME_DATA,  // ... has a value
  TP_SHAPE_STEP_HAVOC_DATA    // a data predicate is unknown of all cells: a variable of it was
                              // assigned
} tp_shape_step_kind;

/* Pointers, fields, data_predicates by number in the class; TP_UNKNOWN_SLOT: one that is not
 * tracked. */
typedef struct {
  tp_shape_step_kind kind;
  tp_heap_kind heap;  // HEAP
  int16_t x, y;
  int16_t field;  // LOAD, CLEAR, STORE; AT_MOST: the order
  int16_t data_predicate;
  tp_kleene value;  // DATA; ASSUME_DATA, AT_MOST (definite)
} tp_shape_step;
static inline tp_shape_step tp_heap_step(tp_heap_kind kind, int x, int y, int field) {
  return (tp_shape_step){.kind = TP_SHAPE_STEP_HEAP,
                         .heap = kind,
                         .x = (int16_t)x,
                         .y = (int16_t)y,
                         .field = (int16_t)field};
}

/* What a step may run into: bits. */
enum {
  TP_EVENT_NIL = 1,
  TP_EVENT_NIL_SURE = 2,
  TP_EVENT_FREED = 4,
  TP_EVENT_FREED_SURE = 8,
  TP_EVENT_OUTSIDE = 16
};

typedef TP_VEC(uint32_t) tp_graph_ids;  // ascending
typedef struct tp_shape_engine tp_shape_engine;
tp_shape_engine *tp_shape_engine_new(tp_shape_class *c);
void tp_shape_engine_free(tp_shape_engine *e);
const tp_shape_class *tp_shape_engine_class(const tp_shape_engine *e);
const tp_graph_pool *tp_shape_engine_graphs(const tp_shape_engine *e);

/* Blur and intern; coerced first: 0 if s stands for no heap. */
uint32_t tp_shape_engine_add(tp_shape_engine *e, const tp_structure *s);
uint32_t tp_shape_engine_add_coerced(tp_shape_engine *e, const tp_structure *s);
uint32_t tp_shape_engine_empty(
    tp_shape_engine *e);  // no cells, nothing outside: all pointers are nil
/* No cells; pointers lead anywhere, or are nil. Adds graphs that stand for all such heaps. */
void tp_shape_engine_start(tp_shape_engine *e, tp_graph_ids *out);
void tp_shape_engine_top(tp_shape_engine *e, tp_graph_ids *out);  // all heaps

/* Adds to out (a set). events: bits are added. Errors: TP_ERR_LIMIT: a structure would have too
 * many nodes. */
tp_status tp_shape_post(tp_shape_engine *e, uint32_t graph, const tp_shape_step *step,
                        tp_graph_ids *out, uint32_t *events) TP_MUST_USE;

typedef struct {
  uint64_t posts, remembered, focused, contradictions;
} tp_shape_stats;
const tp_shape_stats *tp_shape_engine_stats(const tp_shape_engine *e);

/* What a heap operation makes of instrumentation predicates: primed ones are those behind it. The
 * others keep their values. In the order of the class's predicates. */
typedef struct {
  uint32_t predicate;  // index in the class's list
  tp_formula formula;
  const tp_update *update;  // the line of the entry that it is an instance of
} tp_update_instance;
typedef TP_VEC(tp_update_instance) tp_update_instances;
/* *out belongs to the engine. Errors: TP_ERR_LIMIT: a formula has too many variables. */
tp_status tp_shape_update_instances(tp_shape_engine *e, tp_heap_kind kind, int x, int y, int field,
                                    const tp_update_instances **out) TP_MUST_USE;

// ------------------------------------------------------ the stages, for tests and checks

/* The update of one heap operation: s becomes what formulas say. Conditions of the operation hold:
 * see tp_heap_kind. */
tp_status tp_shape_update(tp_shape_engine *e, tp_structure *s, tp_heap_kind kind, int x, int y,
                          int field) TP_MUST_USE;
/* Structures for scratch. */
typedef TP_VEC(tp_structure *) tp_structures;
tp_structure *tp_shape_take(tp_shape_engine *e);
void tp_shape_give(tp_shape_engine *e, tp_structure *s);
/* s split into cases in which at most one node has the unary predicate p, and it definitely; or row
 * u of binary p. Appends structures that were taken. Not coerced. */
typedef struct {
  uint8_t arity;
  uint16_t predicate;
  uint8_t u;
} tp_focus;
tp_status tp_shape_focus(tp_shape_engine *e, const tp_structure *s, tp_focus what,
                         tp_structures *out) TP_MUST_USE;
void tp_graph_ids_add(tp_graph_ids *set, uint32_t id);
/* Makes the values of all FAMILY predicates those of their definitions. */
void tp_shape_define_all(tp_shape_engine *e, tp_structure *s);
tp_evaluation *tp_shape_engine_evaluation(tp_shape_engine *e);

#endif
