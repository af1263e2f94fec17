/* Shape regions: sets of graphs, one for each class that is in use.
 *
 * What       bottom, top, join, cover, post; from regions of one abstraction to those of another.
 * Represents the heaps that some graph of the set stands for, in every class: a conjunction of
 *            disjunctions. A region in which one set is empty stands for no heap: all its sets are
 *            empty then.
 * Invariants sets are ascending; no graph of a set embeds into another one
 *            (tp_shape_region_reduce), which keeps the meaning.
 * Ownership  a region owns its sets, _init to _clear; graphs belong to the engines, which outlive
 *            it.
 * Laws       join is an upper bound, and exact: no heap is added. leq is sound; it may miss a cover
 *            by several graphs. Source Theoduloz 2010, sec. 2.3.5. */
#ifndef TP_SHAPE_REGION_H
#define TP_SHAPE_REGION_H

#include "shape/transform.h"

/* The classes in use. */
typedef struct {
  tp_shape_engine *const *engines;
  uint32_t n;
} tp_shape_abstraction;

typedef struct {
  tp_graph_ids *sets;  // by class
  uint32_t n;
} tp_shape_region;

void tp_shape_region_init(tp_shape_region *r, uint32_t n);  // bottom
void tp_shape_region_clear(tp_shape_region *r);
void tp_shape_region_top(tp_shape_region *r, tp_shape_abstraction a);
void tp_shape_region_empty_heap(tp_shape_region *r,
                                tp_shape_abstraction a);  // the heap without cells
bool tp_shape_region_is_bottom(const tp_shape_region *r);
/* The invariants: sets are ascending, all graphs are the engines'. */
bool tp_shape_region_check(const tp_shape_region *r, tp_shape_abstraction a);
bool tp_shape_region_same(const tp_shape_region *r, const tp_shape_region *s);
void tp_shape_region_copy(tp_shape_region *to, const tp_shape_region *from);
void tp_shape_region_join(tp_shape_region *r, const tp_shape_region *s,
                          tp_shape_abstraction a);  // into r
void tp_shape_region_reduce(tp_shape_region *r, tp_shape_abstraction a);
bool tp_shape_region_leq(const tp_shape_region *r, const tp_shape_region *s,
                         tp_shape_abstraction a);
/* steps: the operation in terms of each class; NULL: it does nothing there. r: the region behind
 * it, replaced. Errors: TP_ERR_LIMIT: a structure would have too many nodes; r then means nothing:
 * go on with top. */
tp_status tp_shape_region_post(tp_shape_region *r, tp_shape_abstraction a,
                               const tp_shape_step *const *steps, uint32_t *events) TP_MUST_USE;
/* The set of graphs of one class as graphs of another, both ways: to fewer predicates and to more.
 * Adds to out. */
void tp_shape_region_adjust(tp_shape_engine *to, tp_graph_ids *out, tp_shape_engine *from,
                            const tp_graph_ids *set);

#endif
