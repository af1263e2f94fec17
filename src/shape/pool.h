/* Hash-consed structures.
 *
 * What       a pool that keeps one copy of each structure.
 * Represents the same nodes with the same values, the same id: with blurred structures, isomorphism
 *            is equality of ids.
 * Ownership  graphs belong to the pool, are immutable, and live until it is cleared. Ids count from
 *            1 in the order of interning.
 * Cost       16 bytes per vector: n nodes with u unary and b binary predicates take 16 (u + b n)
 *            bytes and a header. */
#ifndef TP_SHAPE_POOL_H
#define TP_SHAPE_POOL_H

#include "shape/structure.h"

typedef struct {
  uint32_t id;
  tp_structure s;
} tp_graph;

typedef struct {
  tp_arena arena;
  TP_VEC(const tp_graph *) list;  // by id - 1
  TP_VEC(uint32_t) next;          // id of the next one with the same hash; 0: none
  tp_map first;
} tp_graph_pool;  // a zeroed one is empty

void tp_graph_pool_clear(tp_graph_pool *pool);
const tp_graph *tp_graph_intern(tp_graph_pool *pool, const tp_structure *s);
static inline const tp_graph *tp_graph_at(const tp_graph_pool *pool, uint32_t id) {
  return pool->list.at[id - 1];
}

#endif
