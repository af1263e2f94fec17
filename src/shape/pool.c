/* Structures with equal hashes form a chain; a structure is copied with a stride of its own number
 * of nodes when it is new. */
#include "shape/pool.h"

void tp_graph_pool_clear(tp_graph_pool *pool) {
  tp_vec_clear(&pool->list);
  tp_vec_clear(&pool->next);
  tp_map_clear(&pool->first);
  tp_arena_clear(&pool->arena);
  *pool = (tp_graph_pool){0};
}

static const tp_graph *keep(tp_graph_pool *pool, const tp_structure *s) {
  tp_graph *g = tp_arena_new(&pool->arena, tp_graph);
  g->id = (uint32_t)pool->list.n + 1;
  g->s = (tp_structure){.n_unary = s->n_unary, .n_binary = s->n_binary, .stride = s->n};
  g->s.unary = tp_arena_array(&pool->arena, tp_k64, s->n_unary + (size_t)s->n_binary * s->n + 1);
  g->s.binary = g->s.unary + s->n_unary;
  tp_structure_copy(&g->s, s);
  tp_vec_push(&pool->list, g);
  return g;
}

const tp_graph *tp_graph_intern(tp_graph_pool *pool, const tp_structure *s) {
  TP_REQUIRE(tp_structure_check(s));
  TP_INVARIANT(tp_structure_check(s));
  const uint64_t h = tp_structure_hash(s);
  uint64_t first = 0;
  if (tp_map_get(&pool->first, h, &first))
    for (uint32_t id = (uint32_t)first; id; id = pool->next.at[id - 1])
      if (tp_structure_same(&tp_graph_at(pool, id)->s, s)) return tp_graph_at(pool, id);
  const tp_graph *g = keep(pool, s);
  tp_vec_push(&pool->next, (uint32_t)first);
  tp_map_set(&pool->first, h, g->id);
  return g;
}
