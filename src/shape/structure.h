/* Three-valued structures: what is known of a heap, as a graph.
 *
 * What       nodes, unary and binary predicates over them with three values, equality; cells of
 *            two-valued structures as well.
 * Represents the heaps whose cells can be mapped onto all nodes such that every value of a cell, or
 *            pair of cells, is the value of its node, or 1/2 there. A node of `summary` stands for
 *            one or more cells (its equality with itself is 1/2), any other for exactly one;
 *            different nodes stand for different cells.
 * Invariants n <= TP_SHAPE_MAX_NODES; all words within the first n bits; must within may. Row u of
 *            binary predicate p holds the values p(u, .). Predicates have numbers only; what they
 *            mean is told by a class (class.h).
 * Ownership  _init to _clear; room for TP_SHAPE_MAX_NODES rows (stride). Structures of a pool
 *            (pool.h) are immutable and have a stride of n: whoever reads uses tp_structure_row.
 * Source     Sagiv, Reps, Wilhelm 2002, sec. 3; Theoduloz 2010, sec. 2.3. */
#ifndef TP_SHAPE_STRUCTURE_H
#define TP_SHAPE_STRUCTURE_H

#include "base/base.h"
#include "shape/kleene.h"
#include "shape/shape_limits.h"

typedef struct {
  uint32_t n, n_unary, n_binary, stride;
  uint64_t summary;
  tp_k64 *unary;   // n_unary
  tp_k64 *binary;  // n_binary * stride rows
} tp_structure;

void tp_structure_init(tp_structure *s, uint32_t n_unary,
                       uint32_t n_binary);  // no nodes: the empty heap
void tp_structure_clear(tp_structure *s);
/* to: initialised, with the same predicates. */
void tp_structure_copy(tp_structure *to, const tp_structure *from);
void tp_structure_reset(tp_structure *s);  // no nodes again

static inline uint64_t tp_structure_nodes(const tp_structure *s) { return tp_k64_all(s->n); }
static inline tp_k64 *tp_structure_row(const tp_structure *s, uint32_t p, uint32_t u) {
  return &s->binary[(size_t)p * s->stride + u];
}
static inline bool tp_structure_is_summary(const tp_structure *s, uint32_t u) {
  return (s->summary >> u) & 1;
}
/* The values p(., v). */
tp_k64 tp_structure_column(const tp_structure *s, uint32_t p, uint32_t v);
/* Is u the same cell as v: 0, 1, or 1/2 within a summary node. */
static inline tp_kleene tp_structure_equal(const tp_structure *s, uint32_t u, uint32_t v) {
  return u != v ? TP_KLEENE_FALSE : tp_structure_is_summary(s, u) ? TP_KLEENE_HALF : TP_KLEENE_TRUE;
}

/* A new node, a single cell; all its values are 0. Needs n < TP_SHAPE_MAX_NODES. */
uint32_t tp_structure_add(tp_structure *s);
/* A second node (the result) with all values of u, pairs included; both may stand for several cells
 * if u did. Needs n < TP_SHAPE_MAX_NODES. */
uint32_t tp_structure_split(tp_structure *s, uint32_t u);
/* Without a node; those behind it move one place. */
void tp_structure_remove(tp_structure *s, uint32_t u);
/* Node k of the result is node order[k] of `from`, each of which occurs once. to != from. */
void tp_structure_permute(tp_structure *to, const tp_structure *from, const uint32_t *order);

/* The same nodes in the same order with the same values. */
bool tp_structure_same(const tp_structure *a, const tp_structure *b);
uint64_t tp_structure_hash(const tp_structure *s);
/* No value is 1/2, no node is a summary: one heap. */
bool tp_structure_is_definite(const tp_structure *s);
bool tp_structure_check(const tp_structure *s);  // the invariants

#endif
