/* GRAPH: undirected graphs as a map from vertices to the lists of their edges, beside the set of all edges; spanning trees after Kruskal.
 *
 * Containers are real code: linked lists of cells, a set of members, a map of entries, a queue in order of weight, a partition as trees that point to
 * their roots. Members are read and written through small functions, as classes would do it, so that mst() is deep: more than eighty functions. What
 * the rows check is in properties/. */
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

struct vertex { int label; };
struct edge { struct vertex *a, *b; int weight; };
struct cell { struct edge *edge; struct cell *next; };
struct list { struct cell *first; };                   /* the edges of a vertex, in order */
struct member { struct edge *edge; struct member *next; };
struct set { struct member *first; };                  /* edges, each once */
struct entry { struct vertex *key; struct list *edges; struct entry *next; };
struct map { struct entry *first; };                   /* vertices with their edges */
struct graph { struct map *verts; struct set *edges; };

/*@ fun entries[g : struct graph] : set struct entry { g.verts.first.*next - null }
    fun vertices[g : struct graph] : set struct vertex { entries[g].key }
    fun cells[l : struct list] : set struct cell { l.first.*next - null }
    fun list_of[g : struct graph, v : struct vertex] : set struct list { (entries[g] & key.v).edges }
    fun adjacent[g : struct graph, v : struct vertex] : set struct edge { list_of[g, v].first.*next.edge }
    fun members[s : struct set] : set struct member { s.first.*next - null }
    fun all_edges[g : struct graph] : set struct edge { members[g.edges].edge }

    // Representation: no cycles, nothing shared, no null where something is kept.
    pred is_list[l : struct list] {
      one l - null
      no c : cells[l] | c in c.^next
      null !in cells[l].edge
      all c, d : cells[l] | c.edge = d.edge => c = d
    }
    pred is_map[m : struct map] {
      one m - null
      no e : m.first.*next - null | e in e.^next
      null !in (m.first.*next - null).key
      all e : m.first.*next - null | is_list[e.edges]
      all e, f : m.first.*next - null | e = f or (e.key != f.key and e.edges != f.edges and no (cells[e.edges] & cells[f.edges]))
    }
    pred is_set[s : struct set] {
      one s - null
      no m : members[s] | m in m.^next
      null !in members[s].edge
      all m, n : members[s] | m.edge = n.edge => m = n
    }
    // Every edge is kept with both of its ends, and nowhere else.
    pred is_graph[g : struct graph] {
      is_map[g.verts] and is_set[g.edges]
      all e : all_edges[g] | e.a + e.b in vertices[g]
      all_edges[g] = entries[g].edges.first.*next.edge
      all e : all_edges[g] | e in adjacent[g, e.a] and e in adjacent[g, e.b]
      all n : entries[g], e : cells[n.edges].edge | n.key in e.a + e.b
    } */

/* ------------------------------------------------------------------- edges */

static struct vertex *edge_a(const struct edge *e) { return e->a; }
static struct vertex *edge_b(const struct edge *e) { return e->b; }
static int edge_weight(const struct edge *e) { return e->weight; }
static bool edge_is_loop(const struct edge *e) { return edge_a(e) == edge_b(e); }
static bool edge_is_complete(const struct edge *e) { return edge_a(e) != NULL && edge_b(e) != NULL; }
static bool edge_is_heavier(const struct edge *e, const struct edge *than) { return edge_weight(e) > edge_weight(than); }
static bool edge_has_end(const struct edge *e, const struct vertex *v) { return edge_a(e) == v || edge_b(e) == v; }

static struct edge *edge_new(struct vertex *a, struct vertex *b) {
  struct edge *e = malloc(sizeof *e);
  e->a = a;
  e->b = b;
  e->weight = 0;
  return e;
}

/* ------------------------------------------------------------- lists of edges */

static struct edge *cell_edge(const struct cell *c) { return c->edge; }
static struct cell *cell_next(const struct cell *c) { return c->next; }
static void cell_link(struct cell *c, struct cell *next) { c->next = next; }

static struct cell *cell_new(struct edge *e) {
  struct cell *c = malloc(sizeof *c);
  c->edge = e;
  c->next = NULL;
  return c;
}

static struct cell *list_first(const struct list *l) { return l->first; }
static void list_start(struct list *l, struct cell *first) { l->first = first; }
static bool list_is_empty(const struct list *l) { return list_first(l) == NULL; }

static struct list *list_new(void) {
  struct list *l = malloc(sizeof *l);
  list_start(l, NULL);
  return l;
}

static struct cell *list_find(const struct list *l, const struct edge *e) {
  struct cell *c = list_first(l);
  while (c && cell_edge(c) != e) c = cell_next(c);
  return c;
}

static bool list_contains(const struct list *l, const struct edge *e) { return list_find(l, e) != NULL; }

static struct cell *list_last(const struct list *l) {
  struct cell *c = list_first(l);
  while (cell_next(c)) c = cell_next(c);
  return c;
}

static void list_append(struct list *l, struct edge *e) {
  struct cell *c = cell_new(e);
  if (list_is_empty(l)) list_start(l, c);
  else cell_link(list_last(l), c);
}

static void list_remove(struct list *l, const struct edge *e) {
  struct cell *before = NULL, *c = list_first(l);
  while (c && cell_edge(c) != e) {
    before = c;
    c = cell_next(c);
  }
  if (!c) return;
  if (before) cell_link(before, cell_next(c));
  else list_start(l, cell_next(c));
}

/* -------------------------------------------------------------- sets of edges */

static struct edge *member_edge(const struct member *m) { return m->edge; }
static struct member *member_next(const struct member *m) { return m->next; }
static void member_link(struct member *m, struct member *next) { m->next = next; }

static struct member *member_new(struct edge *e, struct member *next) {
  struct member *m = malloc(sizeof *m);
  m->edge = e;
  m->next = next;
  return m;
}

static struct member *set_first(const struct set *s) { return s->first; }
static void set_start(struct set *s, struct member *first) { s->first = first; }

static struct set *set_new(void) {
  struct set *s = malloc(sizeof *s);
  set_start(s, NULL);
  return s;
}

static bool set_contains(const struct set *s, const struct edge *e) {
  struct member *m = set_first(s);
  while (m && member_edge(m) != e) m = member_next(m);
  return m != NULL;
}

static bool set_add(struct set *s, struct edge *e) {
  if (set_contains(s, e)) return false;
  set_start(s, member_new(e, set_first(s)));
  return true;
}

static bool set_remove(struct set *s, const struct edge *e) {
  struct member *before = NULL, *m = set_first(s);
  while (m && member_edge(m) != e) {
    before = m;
    m = member_next(m);
  }
  if (!m) return false;
  if (before) member_link(before, member_next(m));
  else set_start(s, member_next(m));
  return true;
}

/* -------------------------------------------------- maps from vertices to lists */

static struct vertex *entry_key(const struct entry *n) { return n->key; }
static struct list *entry_edges(const struct entry *n) { return n->edges; }
static struct entry *entry_next(const struct entry *n) { return n->next; }
static void entry_link(struct entry *n, struct entry *next) { n->next = next; }

static struct entry *entry_new(struct vertex *key, struct list *edges, struct entry *next) {
  struct entry *n = malloc(sizeof *n);
  n->key = key;
  n->edges = edges;
  n->next = next;
  return n;
}

static struct entry *map_first(const struct map *m) { return m->first; }
static void map_start(struct map *m, struct entry *first) { m->first = first; }

static struct map *map_new(void) {
  struct map *m = malloc(sizeof *m);
  map_start(m, NULL);
  return m;
}

static struct entry *map_find(const struct map *m, const struct vertex *key) {
  struct entry *n = map_first(m);
  while (n && entry_key(n) != key) n = entry_next(n);
  return n;
}

static bool map_has(const struct map *m, const struct vertex *key) { return map_find(m, key) != NULL; }

static struct list *map_get(const struct map *m, const struct vertex *key) {
  const struct entry *n = map_find(m, key);
  return n ? entry_edges(n) : NULL;
}

static void map_put(struct map *m, struct vertex *key, struct list *edges) {
  struct entry *n = map_find(m, key);
  if (n) n->edges = edges;
  else map_start(m, entry_new(key, edges, map_first(m)));
}

static void map_remove(struct map *m, const struct vertex *key) {
  struct entry *before = NULL, *n = map_first(m);
  while (n && entry_key(n) != key) {
    before = n;
    n = entry_next(n);
  }
  if (!n) return;
  if (before) entry_link(before, entry_next(n));
  else map_start(m, entry_next(n));
}

/* ------------------------------------------------------------------ the graph */

static struct map *graph_map(const struct graph *g) { return g->verts; }
static struct set *graph_edges(const struct graph *g) { return g->edges; }
static struct list *edges_of(const struct graph *g, const struct vertex *v) { return map_get(graph_map(g), v); }

static struct graph *graph_new(void) {
  struct graph *g = malloc(sizeof *g);
  g->verts = map_new();
  g->edges = set_new();
  return g;
}

//@ requires g != null and is_graph[g]
bool contains_vertex(const struct graph *g, const struct vertex *v) { return map_has(graph_map(g), v); }

//@ requires g != null and is_graph[g]
bool contains_edge(const struct graph *g, const struct edge *e) { return set_contains(graph_edges(g), e); }

//@ requires g != null and is_graph[g]
bool add(struct graph *g, struct vertex *v) {
  if (!v || contains_vertex(g, v)) return false;
  map_put(graph_map(g), v, list_new());
  return true;
}

static void attach(struct graph *g, struct edge *e, struct vertex *v) {
  struct list *l = edges_of(g, v);
  if (!list_contains(l, e)) list_append(l, e);
}

static void detach(struct graph *g, struct edge *e, struct vertex *v) { list_remove(edges_of(g, v), e); }

static void attach_ends(struct graph *g, struct edge *e) {
  attach(g, e, edge_a(e));
  if (!edge_is_loop(e)) attach(g, e, edge_b(e));
}

static void detach_ends(struct graph *g, struct edge *e) {
  detach(g, e, edge_a(e));
  if (!edge_is_loop(e)) detach(g, e, edge_b(e));
}

static void add_ends(struct graph *g, struct edge *e) {
  add(g, edge_a(e));
  add(g, edge_b(e));
}

//@ requires g != null and is_graph[g]
bool add_edge(struct graph *g, struct edge *e) {
  if (!e || !edge_is_complete(e) || contains_edge(g, e)) return false;
  add_ends(g, e);
  attach_ends(g, e);
  return set_add(graph_edges(g), e);
}

//@ requires g != null and is_graph[g]
struct edge *add_edge_between(struct graph *g, struct vertex *a, struct vertex *b) {
  if (!a || !b) return NULL;
  struct edge *e = edge_new(a, b);
  return add_edge(g, e) ? e : NULL;
}

//@ requires g != null and is_graph[g]
bool remove_edge(struct graph *g, struct edge *e) {
  if (!e || !contains_edge(g, e)) return false;
  detach_ends(g, e);
  return set_remove(graph_edges(g), e);
}

static struct edge *edge_at_end(const struct graph *g, const struct vertex *v) {
  const struct list *l = edges_of(g, v);
  return list_is_empty(l) ? NULL : cell_edge(list_first(l));
}

//@ requires g != null and is_graph[g]
bool remove_vertex(struct graph *g, struct vertex *v) {
  if (!contains_vertex(g, v)) return false;
  for (struct edge *e = edge_at_end(g, v); e; e = edge_at_end(g, v)) remove_edge(g, e);
  map_remove(graph_map(g), v);
  return true;
}

/* ------------------------------------------- edges in the order of their weight */

struct place { struct edge *edge; struct place *next; };
struct queue { struct place *first; };

static struct edge *place_edge(const struct place *p) { return p->edge; }
static struct place *place_next(const struct place *p) { return p->next; }
static void place_link(struct place *p, struct place *next) { p->next = next; }

static struct place *place_new(struct edge *e) {
  struct place *p = malloc(sizeof *p);
  p->edge = e;
  p->next = NULL;
  return p;
}

static struct place *queue_first(const struct queue *q) { return q->first; }
static void queue_start(struct queue *q, struct place *first) { q->first = first; }
static bool queue_is_empty(const struct queue *q) { return queue_first(q) == NULL; }

static struct queue *queue_new(void) {
  struct queue *q = malloc(sizeof *q);
  queue_start(q, NULL);
  return q;
}

/* The last place in front of the edge; NULL: it comes first. */
static struct place *queue_before(const struct queue *q, const struct edge *e) {
  struct place *before = NULL;
  for (struct place *p = queue_first(q); p && !edge_is_heavier(place_edge(p), e); p = place_next(p)) before = p;
  return before;
}

static void queue_put_first(struct queue *q, struct place *p) {
  place_link(p, queue_first(q));
  queue_start(q, p);
}

static void queue_put_behind(struct place *before, struct place *p) {
  place_link(p, place_next(before));
  place_link(before, p);
}

static void queue_insert(struct queue *q, struct edge *e) {
  struct place *before = queue_before(q, e), *p = place_new(e);
  if (before) queue_put_behind(before, p);
  else queue_put_first(q, p);
}

static void queue_fill(struct queue *q, const struct set *edges) {
  for (struct member *m = set_first(edges); m; m = member_next(m)) queue_insert(q, member_edge(m));
}

static struct edge *queue_take(struct queue *q) {
  struct place *p = queue_first(q);
  queue_start(q, place_next(p));
  return place_edge(p);
}

/* ------------------------------------------------- vertices that are connected */

struct part { struct vertex *vertex; struct part *parent, *next; };
struct partition { struct part *first; };

static struct vertex *part_vertex(const struct part *p) { return p->vertex; }
static struct part *part_parent(const struct part *p) { return p->parent; }
static struct part *part_next(const struct part *p) { return p->next; }
static bool part_is_root(const struct part *p) { return part_parent(p) == p; }
static void part_hang(struct part *p, struct part *below) { p->parent = below; }

static struct part *part_new(struct vertex *v, struct part *next) {
  struct part *p = malloc(sizeof *p);
  p->vertex = v;
  p->next = next;
  part_hang(p, p);
  return p;
}

static struct part *part_root(struct part *p) {
  while (!part_is_root(p)) p = part_parent(p);
  return p;
}

static struct part *partition_first(const struct partition *s) { return s->first; }
static void partition_start(struct partition *s, struct part *first) { s->first = first; }

static struct partition *partition_new(void) {
  struct partition *s = malloc(sizeof *s);
  partition_start(s, NULL);
  return s;
}

static void partition_add(struct partition *s, struct vertex *v) { partition_start(s, part_new(v, partition_first(s))); }

static void partition_fill(struct partition *s, const struct map *verts) {
  for (struct entry *n = map_first(verts); n; n = entry_next(n)) partition_add(s, entry_key(n));
}

static struct part *partition_find(const struct partition *s, const struct vertex *v) {
  struct part *p = partition_first(s);
  while (p && part_vertex(p) != v) p = part_next(p);
  return p;
}

static struct part *partition_root(const struct partition *s, const struct vertex *v) { return part_root(partition_find(s, v)); }
static bool partition_joins(const struct partition *s, const struct edge *e) { return partition_root(s, edge_a(e)) == partition_root(s, edge_b(e)); }
static void partition_join(struct partition *s, const struct edge *e) { part_hang(partition_root(s, edge_a(e)), partition_root(s, edge_b(e))); }

/* -------------------------------------------------------- the spanning forest */

struct kruskal { struct graph *tree; struct queue *queue; struct partition *parts; };

static struct graph *kruskal_tree(const struct kruskal *k) { return k->tree; }
static struct queue *kruskal_queue(const struct kruskal *k) { return k->queue; }
static struct partition *kruskal_parts(const struct kruskal *k) { return k->parts; }
static bool kruskal_is_done(const struct kruskal *k) { return queue_is_empty(kruskal_queue(k)); }

static void kruskal_prepare(struct kruskal *k, const struct graph *g) {
  partition_fill(kruskal_parts(k), graph_map(g));
  queue_fill(kruskal_queue(k), graph_edges(g));
}

static struct kruskal *kruskal_new(const struct graph *g) {
  struct kruskal *k = malloc(sizeof *k);
  k->tree = graph_new();
  k->queue = queue_new();
  k->parts = partition_new();
  kruskal_prepare(k, g);
  return k;
}

static bool kruskal_accepts(const struct kruskal *k, const struct edge *e) { return !partition_joins(kruskal_parts(k), e); }

static void kruskal_take(struct kruskal *k, struct edge *e) {
  partition_join(kruskal_parts(k), e);
  add_edge(kruskal_tree(k), e);
}

static void kruskal_step(struct kruskal *k) {
  struct edge *e = queue_take(kruskal_queue(k));
  if (kruskal_accepts(k, e)) kruskal_take(k, e);
}

/* Vertices without edges are in no tree; the edges are those of g, the lightest first. */
//@ requires g != null and is_graph[g]
struct graph *mst(const struct graph *g) {
  struct kruskal *k = kruskal_new(g);
  while (!kruskal_is_done(k)) kruskal_step(k);
  return kruskal_tree(k);
}
