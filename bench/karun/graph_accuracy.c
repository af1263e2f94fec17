/* GRAPH's twenty methods, each behind a function that only calls it: what the method's summary implies of the contract of that function is what it
 * implies of the method (bench/karun/accuracy). Eight methods are those of graph.c, the others are here. */
#include "graph.c"

bool is_empty(const struct graph *g) { return map_first(graph_map(g)) == NULL; }
bool has_edges(const struct graph *g) { return set_first(graph_edges(g)) != NULL; }
struct vertex *first_vertex(const struct graph *g) { return entry_key(map_first(graph_map(g))); }
struct vertex *opposite(const struct edge *e, const struct vertex *v) { return edge_a(e) == v ? edge_b(e) : edge_a(e); }
void set_weight(struct edge *e, int weight) { e->weight = weight; }
bool is_isolated(const struct graph *g, const struct vertex *v) { return list_is_empty(edges_of(g, v)); }

struct edge *edge_between(const struct graph *g, const struct vertex *a, const struct vertex *b) {
  const struct list *l = edges_of(g, a);
  if (!l) return NULL;
  for (struct cell *c = list_first(l); c; c = cell_next(c))
    if (edge_a(cell_edge(c)) == b || edge_b(cell_edge(c)) == b) return cell_edge(c);
  return NULL;
}

bool are_adjacent(const struct graph *g, const struct vertex *a, const struct vertex *b) { return edge_between(g, a, b) != NULL; }

void clear(struct graph *g) {
  map_start(graph_map(g), NULL);
  set_start(graph_edges(g), NULL);
}

bool of_contains_vertex(const struct graph *g, const struct vertex *v) { return contains_vertex(g, v); }
bool of_contains_edge(const struct graph *g, const struct edge *e) { return contains_edge(g, e); }
bool of_add(struct graph *g, struct vertex *v) { return add(g, v); }
bool of_add_edge(struct graph *g, struct edge *e) { return add_edge(g, e); }
struct edge *of_add_edge_between(struct graph *g, struct vertex *a, struct vertex *b) { return add_edge_between(g, a, b); }
bool of_remove_edge(struct graph *g, struct edge *e) { return remove_edge(g, e); }
bool of_remove_vertex(struct graph *g, struct vertex *v) { return remove_vertex(g, v); }
struct graph *of_mst(const struct graph *g) { return mst(g); }
struct list *of_edges_of(const struct graph *g, const struct vertex *v) { return edges_of(g, v); }
struct edge *of_edge_at_end(const struct graph *g, const struct vertex *v) { return edge_at_end(g, v); }
bool of_is_empty(const struct graph *g) { return is_empty(g); }
bool of_has_edges(const struct graph *g) { return has_edges(g); }
struct vertex *of_first_vertex(const struct graph *g) { return first_vertex(g); }
struct vertex *of_opposite(const struct edge *e, const struct vertex *v) { return opposite(e, v); }
void of_set_weight(struct edge *e, int weight) { set_weight(e, weight); }
bool of_is_isolated(const struct graph *g, const struct vertex *v) { return is_isolated(g, v); }
struct edge *of_edge_between(const struct graph *g, const struct vertex *a, const struct vertex *b) { return edge_between(g, a, b); }
bool of_are_adjacent(const struct graph *g, const struct vertex *a, const struct vertex *b) { return are_adjacent(g, a, b); }
struct graph *of_graph_new(void) { return graph_new(); }
void of_clear(struct graph *g) { clear(g); }
