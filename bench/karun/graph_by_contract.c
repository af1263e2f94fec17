/* GRAPH over containers by contract: maps and sets of lib/spec, which have no code; spanning trees over a queue and a partition that have none, either.
 * The same properties as those of graph.c, where the containers are linked cells. */
#include "tp_map.h"

#include <stddef.h>
#include <stdlib.h>

struct vertex { int label; };
struct edge { struct vertex *a, *b; int weight; };
struct graph { struct tp_map *verts; struct tp_set *edges; };      /* vertices with the sets of their edges; all edges */

/*@ fun table[g : struct graph] : struct vertex -> struct tp_set { g.verts.entries }
    fun vertices[g : struct graph] : set struct vertex { table[g].univ }
    fun adjacent[g : struct graph, v : struct vertex] : set struct edge { table[g][v].contains }
    fun all_edges[g : struct graph] : set struct edge { g.edges.contains }

    pred is_graph[g : struct graph] {
      one g.verts - null and one g.edges - null
      g.verts.entries in struct vertex -> struct tp_set
      g.edges.contains in struct edge
      univ.(g.verts.entries).contains in struct edge
      g.edges !in univ.(g.verts.entries)
      all v, w : vertices[g] | table[g][v] = table[g][w] => v = w
      all e : all_edges[g] | e.a + e.b in vertices[g] and e in adjacent[g, e.a] and e in adjacent[g, e.b]
      all v : vertices[g], e : adjacent[g, v] | e in all_edges[g] and v in e.a + e.b
    } */

//@ requires g != null and is_graph[g]
bool add(struct graph *g, struct vertex *v) {
  if (!v || tp_map_has_key(g->verts, v)) return false;
  struct tp_set *l = tp_set_new();
  if (l) tp_map_put(g->verts, v, l);
  return l != NULL;
}

static bool attach(struct graph *g, struct edge *e, struct vertex *v) {
  if (!tp_map_has_key(g->verts, v) && !add(g, v)) return false;
  tp_set_add(tp_map_get(g->verts, v), e);
  return true;
}

//@ requires g != null and is_graph[g]
bool add_edge(struct graph *g, struct edge *e) {
  if (!e || !e->a || !e->b || tp_set_has(g->edges, e)) return false;
  if (!attach(g, e, e->a) || !attach(g, e, e->b)) return false;
  return tp_set_add(g->edges, e);
}

//@ requires g != null and is_graph[g]
struct edge *add_edge_between(struct graph *g, struct vertex *a, struct vertex *b) {
  if (!a || !b) return NULL;
  struct edge *e = malloc(sizeof *e);
  e->a = a;
  e->b = b;
  e->weight = 0;
  return add_edge(g, e) ? e : NULL;
}

static void detach(struct graph *g, struct edge *e, struct vertex *v) {
  tp_set_remove(tp_map_get(g->verts, v), e);
}

//@ requires g != null and is_graph[g]
bool remove_edge(struct graph *g, struct edge *e) {
  if (!e || !tp_set_has(g->edges, e)) return false;
  detach(g, e, e->a);
#ifdef BUG_END
  detach(g, e, e->a);
#else
  detach(g, e, e->b);
#endif
  return tp_set_remove(g->edges, e);
}

/* ------------------------------------------------- containers of the spanning tree */

/* Edges in the order of their weight. */
struct queue {
  void *implementation;
  //@ ghost waiting : set object
};

/* NULL: there is no memory. */
//@ requires edges != null
//@ modifies \alloc
//@ ensures \result != null => \result !in \alloc and \alloc' = \alloc + \result and \result.waiting' = edges.contains
//@ ensures \result = null => \alloc' = \alloc
struct queue *queue_of(const struct tp_set *edges);

/* The lightest; NULL: none is left. */
//@ requires q != null
//@ modifies q.waiting
//@ ensures no q.waiting => \result = null
//@ ensures some q.waiting => \result in q.waiting and (all e : q.waiting & struct edge | \result.weight <= e.weight)
//@ ensures q.waiting' = q.waiting - \result
struct edge *queue_take(struct queue *q);

/* Which vertices are connected so far. */
struct partition {
  void *implementation;
  //@ ghost same : object -> object
};

/* Each key alone; NULL: there is no memory. */
//@ requires verts != null
//@ modifies \alloc
//@ ensures \result != null => \result !in \alloc and \alloc' = \alloc + \result and \result.same' = verts.entries.univ <: iden
//@ ensures \result = null => \alloc' = \alloc
struct partition *partition_of(const struct tp_map *verts);

//@ requires p != null
//@ modifies none
//@ ensures \result <=> b in p.same[a]
bool partition_joins(const struct partition *p, const struct vertex *a, const struct vertex *b);

//@ requires p != null
//@ modifies p.same
//@ ensures p.same' = p.same + (p.same[a] -> p.same[b]) + (p.same[b] -> p.same[a])
void partition_join(struct partition *p, const struct vertex *a, const struct vertex *b);

static struct graph *graph_new(void) {
  struct graph *g = malloc(sizeof *g);
  g->verts = tp_map_new();
  g->edges = tp_set_new();
  return g->verts && g->edges ? g : NULL;
}

/* Vertices without edges are in no tree; the edges are those of g, the lightest first. NULL: there is no memory. */
//@ requires g != null and is_graph[g]
struct graph *mst(const struct graph *g) {
  struct graph *tree = graph_new();
  struct queue *q = queue_of(g->edges);
  struct partition *parts = partition_of(g->verts);
  if (!tree || !q || !parts) return NULL;
  for (struct edge *e = queue_take(q); e; e = queue_take(q)) {
#ifdef BUG_ENDS
    if (partition_joins(parts, e->a, e->b)) add(tree, e->a);
#endif
    if (partition_joins(parts, e->a, e->b)) continue;
    partition_join(parts, e->a, e->b);
    add_edge(tree, e);
  }
  return tree;
}
