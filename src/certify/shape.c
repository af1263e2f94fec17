/* The search for a state that graphs describe at the start and not here.
 *
 * The start: symbols tell which elements there are and at which node each is; a place stands for each node that cannot be empty. Here: a
 * graph does not describe the heap if some element is like no node, two elements are unlike their nodes, or a node is empty. That is
 * said of a graph, with two new places for the elements, only when a state was found that it might describe: few graphs matter. */
#include "certify/shape_priv.h"

enum { MOST_ROUNDS = 400 };

tp_cshape *tp_cshape_new(const tp_csegment *g, const tp_cgraphs *graphs) {
  tp_cshape *s = TP_NEW(tp_cshape);
  *s = (tp_cshape){.graphs = graphs, .chosen = TP_NEW_ARRAY(uint32_t, graphs->classes.n), .values = TP_NEW_ARRAY(tp_cvalue, g->p->vars.n + 1)};
  return s;
}

void tp_cshape_free(tp_cshape *s) {
  if (!s) return;
  tp_free(s->chosen);
  tp_free(s->values);
  tp_free(s);
}

void tp_cshape_start(tp_csegment *g, const uint32_t *chosen) {
  tp_cshape *s = g->shape;
  s->is_chosen = false;
  for (size_t k = 1; k < s->graphs->classes.n; k++) {
    s->chosen[k] = chosen ? chosen[k] : 0;
    s->is_chosen = s->is_chosen || s->chosen[k];
  }
  s->start = tp_cways_here(g);
  for (uint32_t i = 1; i < g->p->vars.n; i++)
    if (g->p->vars.at[i].kind != TP_V_GHOST) s->values[i] = tp_csegment_get(g, (tp_var){i});
}

// --------------------------------------------------------------------- the start

static bool is_definite(const tp_cs_heap *h, const tp_cgraph *graph, uint32_t k, tp_cs_moment when) { return h->readable[when][k] && graph->values[k] != NULL; }

static const tp_cgraph *graph_at_start(const tp_csearch *s, const tp_cs_heap *h) { return &s->shape->graphs->graphs.at[s->shape->chosen[h->number]]; }

static tp_term literal_of(tp_csearch *s, tp_term t, uint8_t value) { return value ? t : tp_mk_not(s->tt, t); }

/* What the values of a node say of an element. */
static tp_term is_like(tp_csearch *s, tp_cs_heap *h, const tp_cgraph *graph, uint32_t node, tp_cs_moment when, int i) {
  tp_term all = tp_mk_true(s->tt);
  for (uint32_t k = 1; k < h->c->predicates.n && !tp_is_false(s->tt, all); k++) {
    if (h->c->predicates.at[k].arity != 1 || !is_definite(h, graph, k, when) || graph->values[k][node] == TP_CGRAPH_OPEN) continue;
    all = tp_mk_and(s->tt, all, literal_of(s, tp_cs_predicate(s, h, k, when, i, 0), graph->values[k][node]));
  }
  return all;
}

static tp_term of_array(tp_csearch *s, tp_term array, tp_term at) { return tp_mk2(s->tt, TP_OP_SELECT, array, at); }
static tp_term at_node(tp_csearch *s, const tp_cs_heap *h, uint32_t node, int i) { return of_array(s, h->node[node], tp_cs_at(h, i)); }
static void say(tp_csearch *s, tp_term condition, tp_term then) { tp_cquestion_add(s->q, tp_mk_implies(s->tt, condition, then)); }

/* Can no element of this node be a stranger? */
static bool is_of_cells(const tp_cs_heap *h, const tp_cgraph *graph, uint32_t node) {
  for (uint32_t k = 1; k < h->c->predicates.n; k++)
    if (h->c->predicates.at[k].kind == TP_CP_FOREIGN && graph->values[k][node] == 0) return true;
  return false;
}

/* A predicate of a pointer that is 1 there; 0: none. */
static uint32_t pointer_to(const tp_cs_heap *h, const tp_cgraph *graph, uint32_t node, tp_cs_moment when) {
  for (uint32_t k = 1; k < h->c->predicates.n; k++)
    if (h->c->predicates.at[k].kind == TP_CP_POINTER && h->readable[when][k] && graph->values[k][node] == 1) return k;
  return 0;
}

static bool is_inhabited(const tp_cs_heap *h, const tp_cgraph *graph, uint32_t node, tp_cs_moment when) { return is_of_cells(h, graph, node) || pointer_to(h, graph, node, when); }

static void open_nodes(tp_csearch *s, tp_cs_heap *h, const tp_cgraph *graph) {
  tp_sort of_pointers = tp_sort_array(s->tt, tp_sort_ptr(s->tt), tp_sort_bool(s->tt));
  h->element = tp_csegment_fresh(s->g, of_pointers);
  h->node = TP_NEW_ARRAY(tp_term, graph->n + 1);
  for (uint32_t v = 0; v < graph->n; v++) h->node[v] = tp_csegment_fresh(s->g, of_pointers);
  for (uint32_t v = 0; v < graph->n; v++) {
    uint32_t k = pointer_to(h, graph, v, TP_CS_BEFORE);
    if (k) tp_cquestion_add(s->q, at_node(s, h, v, tp_cs_place_of(s, h, tp_cs_value(s, h->c->predicates.at[k].var, TP_CS_BEFORE), TP_CS_BASE)));
  }
}

/* A place for each node that has an element and that no pointer leads to; false: they are there. */
static bool fill_nodes(tp_csearch *s, tp_cs_heap *h) {
  if (h->is_filled || !s->shape->chosen[h->number]) return false;
  const tp_cgraph *graph = graph_at_start(s, h);
  h->is_filled = true;
  for (uint32_t v = 0; v < graph->n; v++) {
    if (!is_of_cells(h, graph, v) || pointer_to(h, graph, v, TP_CS_BEFORE)) continue;
    tp_term at = tp_cpast_fresh(&s->g->past, tp_sort_ptr(s->tt), s->shape->start.age);
    tp_cquestion_add(s->q, at_node(s, h, v, tp_cs_place_of(s, h, at, TP_CS_BASE)));
  }
  return true;
}

/* The place is an element if it is a cell, or held by a pointer; every element is at one node and like it. */
static void tell_place_at_start(tp_csearch *s, tp_cs_heap *h, const tp_cgraph *graph, int i) {
  tp_terms *tt = s->tt;
  tp_term element = of_array(s, h->element, tp_cs_at(h, i)), any = tp_mk_false(tt);
  say(s, tp_mk_or(tt, tp_cs_cell(s, h, i, TP_CS_BEFORE), tp_cs_is_held(s, h, i, TP_CS_BEFORE)), element);
  say(s, element, tp_mk_not(tt, tp_cs_is_null(s, h, i)));
  for (uint32_t v = 0; v < graph->n; v++) {
    tp_term here = at_node(s, h, v, i);
    any = tp_mk_or(tt, any, here);
    say(s, here, tp_mk_and(tt, element, is_like(s, h, graph, v, TP_CS_BEFORE, i)));
    for (uint32_t u = 0; u < v; u++) say(s, here, tp_mk_not(tt, at_node(s, h, u, i)));
  }
  say(s, element, any);
}

/* Elements i and j are at nodes whose pairs all have this value (or: at a node of one element). */
static tp_term at_pair(tp_csearch *s, tp_cs_heap *h, const tp_cgraph *graph, uint32_t k, uint8_t value, int i, int j) {
  tp_terms *tt = s->tt;
  tp_term any = tp_mk_false(tt);
  for (uint32_t u = 0; u < graph->n; u++) {
    tp_term to = tp_mk_false(tt);
    for (uint32_t v = 0; v < graph->n; v++)
      if (k ? graph->values[k][u * graph->n + v] == value : u == v && graph->is_single[u]) to = tp_mk_or(tt, to, at_node(s, h, v, j));
    any = tp_mk_or(tt, any, tp_mk_and(tt, at_node(s, h, u, i), to));
  }
  return any;
}

/* The nodes to which fields may lead from node u, in any number of steps. */
static void nodes_behind(const tp_cs_heap *h, const tp_cgraph *graph, uint64_t fields, uint32_t u, bool *behind) {
  uint32_t todo[TP_CS_NODES], n = 0;
  memset(behind, 0, TP_CS_NODES * sizeof *behind);
  behind[todo[n++] = u] = true;
  while (n) {
    u = todo[--n];
    for (uint32_t f = 0; f < h->c->offsets.n; f++)
      for (uint32_t v = 0; v < graph->n && (fields >> f & 1); v++) {
        bool leads = !behind[v];
        for (uint32_t k = 1; k < h->c->predicates.n; k++)
          if (h->c->predicates.at[k].kind == TP_CP_FIELD && h->c->predicates.at[k].field == f && graph->values[k][u * graph->n + v] == 0) leads = false;
        if (leads) behind[todo[n++] = v] = true;
      }
  }
}

/* A path goes through nodes to which fields may lead. */
static void tell_path_at_start(tp_csearch *s, tp_cs_heap *h, const tp_cgraph *graph, int i, int j) {
  for (size_t p = 0; p < h->paths.n; p++) {
    uint64_t fields = h->paths.at[p].fields;
    tp_term there = tp_cs_path(s, h, fields, TP_CS_BEFORE, i, j);
    for (uint32_t u = 0; u < graph->n; u++) {
      bool behind[TP_CS_NODES];
      tp_term any = tp_mk_false(s->tt);
      nodes_behind(h, graph, fields, u, behind);
      for (uint32_t v = 0; v < graph->n; v++)
        if (behind[v]) any = tp_mk_or(s->tt, any, at_node(s, h, v, j));
      say(s, tp_mk_and(s->tt, there, at_node(s, h, u, i)), any);
    }
  }
}

static void tell_pair_at_start(tp_csearch *s, tp_cs_heap *h, const tp_cgraph *graph, int i, int j) {
  tp_terms *tt = s->tt;
  for (uint32_t k = 1; k < h->c->predicates.n; k++) {
    if (h->c->predicates.at[k].arity != 2 || !is_definite(h, graph, k, TP_CS_BEFORE)) continue;
    for (uint8_t value = 0; value < 2; value++) {
      tp_term there = at_pair(s, h, graph, k, value, i, j);
      if (!tp_is_false(tt, there)) say(s, there, literal_of(s, tp_cs_predicate(s, h, k, TP_CS_BEFORE, i, j), value));
    }
  }
  if (i != j) say(s, at_pair(s, h, graph, 0, 1, i, j), tp_cs_same(s, h, i, j));
  for (uint32_t f = 0; f < h->c->offsets.n; f++) {
    tp_term leads = tp_mk_and(tt, tp_cs_leads(s, h, i, TP_CS_BEFORE), tp_mk_eq(tt, tp_cs_field(s, h, i, TP_CS_BEFORE, f), tp_cs_at(h, j)));
    say(s, tp_mk_and(tt, leads, tp_mk_not(tt, tp_cs_is_null(s, h, j))), of_array(s, h->element, tp_cs_at(h, j)));
  }
}

// ------------------------------------------------------------------------ places

/* No element at all: the pointer is null. */
static bool says_where(const tp_cgraph *graph, uint32_t pointer) {
  if (graph->n == 0) return true;
  for (uint32_t v = 0; v < graph->n; v++)
    if (graph->values[pointer][v] != TP_CGRAPH_OPEN) return true;
  return false;
}

/* Does some graph of the label say where the pointer leads? */
static bool label_says_where(const tp_csearch *s, const tp_cs_heap *h, uint32_t pointer, uint32_t label) {
  const tp_entries *e = s->g->entries;
  const tp_clabel *l = &e->labels.at[label];
  for (uint32_t k = l->first; k < l->first + l->n; k++)
    for (uint32_t i = 0; i < e->described.at[k].n; i++) {
      const tp_cgraph_set *set = &e->graph_sets.at[e->described.at[k].first + i];
      for (uint32_t m = 0; m < set->n; m++) {
        const tp_cgraph *graph = &e->graphs.graphs.at[e->graphs_of_sets.at[set->first + m]];
        if (graph->of == h->number && says_where(graph, pointer)) return true;
      }
    }
  return false;
}

/* Where pointers lead, if graphs tell of it. label: that is asked about, or 0. */
static void add_pointers(tp_csearch *s, tp_cs_heap *h, uint32_t label) {
  for (uint32_t k = 1; k < h->c->predicates.n; k++) {
    if (h->c->predicates.at[k].kind != TP_CP_POINTER) continue;
    for (tp_cs_moment when = TP_CS_BEFORE; when <= TP_CS_AFTER; when++) {
      if (!h->readable[when][k]) continue;
      if (when == TP_CS_BEFORE && !(s->shape->chosen[h->number] && says_where(graph_at_start(s, h), k))) continue;
      if (when == TP_CS_AFTER && label && !label_says_where(s, h, k, label)) continue;
      tp_term at = tp_cs_value(s, h->c->predicates.at[k].var, when);
      if (!tp_is_const(s->tt, at)) (void)tp_cs_place_of(s, h, at, TP_CS_BASE);
    }
  }
}

/* The addresses that goals speak of are places. */
static void add_goals(tp_csearch *s, const tp_term *goals, size_t n) {
  tp_map seen = {0};
  TP_VEC(tp_term) todo = {0};
  for (size_t i = 0; i < n; i++) tp_vec_push(&todo, goals[i]);
  while (todo.n) {
    tp_term t = tp_vec_pop(&todo);
    bool is_address = tp_sort_kind_of(s->tt, tp_sort_of(s->tt, t)) == TP_SORT_PTR && !tp_is_const(s->tt, t);
    if (tp_map_has(&seen, t.id)) continue;
    tp_map_set(&seen, t.id, 1);
    for (uint32_t k = 1; k < s->n_heaps && is_address; k++) (void)tp_cs_place_of(s, &s->heaps[k], t, TP_CS_BASE);
    for (uint32_t i = 0; i < tp_n_args(s->tt, t) && !is_address; i++) tp_vec_push(&todo, tp_arg(s->tt, t, i));
  }
  tp_vec_clear(&todo);
  tp_map_clear(&seen);
}

/* The cells that changed, and where their fields lead at both ends. */
static void add_changes(tp_csearch *s, tp_cs_heap *h, const tp_term *objects, uint32_t n) {
  for (uint32_t k = 0; k < n; k++) {
    int i = tp_cs_place_of(s, h, tp_mk_ptr(s->tt, objects[k], tp_mk_bv(s->tt, s->g->p->ptr_bits, 0)), TP_CS_BASE);
    h->changed[h->n_changed++] = i;
    for (uint32_t f = 0; f < h->c->offsets.n; f++)
      for (tp_cs_moment when = TP_CS_BEFORE; when <= TP_CS_AFTER; when++) (void)tp_cs_next(s, h, i, when, f, TP_CS_BASE);
  }
}

/* All that is known of places, until nothing new comes up. */
static void tell_places(tp_csearch *s, tp_cs_heap *h) {
  const tp_cgraph *graph = s->shape->chosen[h->number] ? graph_at_start(s, h) : NULL;
  if (h->told < h->n) tp_cs_see_fields(s, h);
  while (h->told < h->n && !s->failed) {
    int k = (int)h->told++;
    if (h->places[k].is_base && graph) {
      tell_place_at_start(s, h, graph, k);
      for (int j = 0; j <= k; j++) {
        if (!h->places[j].is_base) continue;
        tell_pair_at_start(s, h, graph, j, k);
        if (j == k) continue;
        tell_pair_at_start(s, h, graph, k, j);
        tell_path_at_start(s, h, graph, j, k);
        tell_path_at_start(s, h, graph, k, j);
      }
    }
    tp_cs_tell_equalities(s, h, k);
    tp_cs_tell_paths(s, h, k);
    if (h->told == h->n) tp_cs_tell_some(s, h);
  }
}

static tp_csearch *search_new(tp_csegment *g, uint32_t label) {
  tp_csearch *s = TP_NEW(tp_csearch);
  *s = (tp_csearch){.g = g, .shape = g->shape, .tt = g->tt, .here = tp_cways_here(g), .n_heaps = (uint32_t)g->shape->graphs->classes.n};
  tp_term changed[TP_CS_CHANGED];
  uint32_t n_changed;
  s->knows_changes = tp_cpast_changed(&g->past, g->now.memory, g->now.ghosts, changed, TP_CS_CHANGED, &n_changed);
  s->is_unchanged = g->now.memory == 0 && g->now.ghosts == 0;
  s->q = tp_cquestion_open(g);
  s->heaps = TP_NEW_ARRAY(tp_cs_heap, s->n_heaps + 1);
  for (uint32_t k = 1; k < s->n_heaps; k++) {
    tp_cs_heap *h = &s->heaps[k];
    tp_cs_heap_init(s, h, k);
    if (s->knows_changes) add_changes(s, h, changed, n_changed);
    add_pointers(s, h, label);
    if (s->shape->chosen[k]) open_nodes(s, h, graph_at_start(s, h));
  }
  return s;
}

static void search_free(tp_csearch *s) {
  for (uint32_t k = 1; k < s->n_heaps; k++) tp_cs_heap_clear(&s->heaps[k]);
  tp_free(s->heaps);
  tp_cquestion_close(s->q);
  tp_free(s);
}

// ------------------------------------------------------------------------- graphs

/* "The graph does not describe the heap that is here." */
typedef struct {
  uint32_t graph;
  tp_term fails;               // symbol
  bool is_told;                // what the symbol means
  tp_term *empty;              // by node: symbol; NONE: the node may be empty
  uint32_t told;               // places
} target;
typedef TP_VEC(target) targets;

/* Is there a predicate that is 0 at one and 1 at the other? */
static bool are_apart(const tp_cs_heap *h, const tp_cgraph *graph, uint32_t u, uint32_t v) {
  for (uint32_t k = 1; k < h->c->predicates.n; k++) {
    if (h->c->predicates.at[k].arity != 1 || !h->readable[TP_CS_AFTER][k]) continue;
    uint8_t a = graph->values[k][u], b = graph->values[k][v];
    if (a != b && a != TP_CGRAPH_OPEN && b != TP_CGRAPH_OPEN) return true;
  }
  return false;
}

/* The element is put at this node: it is like it, and like no node before it. (Any function from elements to nodes would do.) */
static tp_term is_put(tp_csearch *s, tp_cs_heap *h, const tp_cgraph *graph, uint32_t node, int i) {
  tp_term put = is_like(s, h, graph, node, TP_CS_AFTER, i);
  for (uint32_t u = 0; u < node && !tp_is_false(s->tt, put); u++)
    if (!are_apart(h, graph, u, node)) put = tp_mk_and(s->tt, put, tp_mk_not(s->tt, is_like(s, h, graph, u, TP_CS_AFTER, i)));
  return put;
}

static target *target_of(tp_csearch *s, targets *all, uint32_t graph) {
  for (size_t i = 0; i < all->n; i++)
    if (all->at[i].graph == graph) return &all->at[i];
  tp_vec_push(all, ((target){.graph = graph, .fails = tp_csegment_fresh(s->g, tp_sort_bool(s->tt))}));
  return &tp_vec_last(all);
}

/* An element that is here: a cell, held by a pointer, or by a field of the cell at `holder`. */
static tp_term is_element_here(tp_csearch *s, tp_cs_heap *h, int i, int holder) {
  tp_terms *tt = s->tt;
  tp_term any = tp_mk_or(tt, tp_cs_cell(s, h, i, TP_CS_AFTER), tp_cs_is_held(s, h, i, TP_CS_AFTER));
  for (uint32_t f = 0; f < h->c->offsets.n; f++) {
    tp_term leads = tp_mk_and(tt, tp_cs_leads(s, h, holder, TP_CS_AFTER), tp_mk_eq(tt, tp_cs_field(s, h, holder, TP_CS_AFTER, f), tp_cs_at(h, i)));
    any = tp_mk_or(tt, any, tp_mk_and(tt, leads, tp_mk_not(tt, tp_cs_is_null(s, h, i))));
  }
  return any;
}

/* Elements at nodes u and v, whose pair is not like theirs. */
static tp_term unlike_pair(tp_csearch *s, tp_cs_heap *h, const tp_cgraph *graph, int i, int j) {
  tp_terms *tt = s->tt;
  tp_term at_i[TP_CS_NODES], at_j[TP_CS_NODES], any = tp_mk_false(tt);
  for (uint32_t v = 0; v < graph->n; v++) {
    at_i[v] = is_put(s, h, graph, v, i);
    at_j[v] = is_put(s, h, graph, v, j);
    if (graph->is_single[v]) any = tp_mk_or(tt, any, tp_mk_and(tt, tp_mk_and(tt, at_i[v], at_j[v]), tp_mk_not(tt, tp_cs_same(s, h, i, j))));
  }
  for (uint32_t k = 1; k < h->c->predicates.n; k++) {
    if (h->c->predicates.at[k].arity != 2 || !is_definite(h, graph, k, TP_CS_AFTER)) continue;
    for (uint32_t e = 0; e < graph->n * graph->n; e++) {
      uint8_t value = graph->values[k][e];
      if (value == TP_CGRAPH_OPEN) continue;
      tp_term unlike = tp_mk_not(tt, literal_of(s, tp_cs_predicate(s, h, k, TP_CS_AFTER, i, j), value));
      any = tp_mk_or(tt, any, tp_mk_and(tt, tp_mk_and(tt, at_i[e / graph->n], at_j[e % graph->n]), unlike));
    }
  }
  return any;
}

/* What `fails` means, with two new places. */
static void tell_target(tp_csearch *s, target *t) {
  tp_terms *tt = s->tt;
  const tp_cgraph *graph = &s->shape->graphs->graphs.at[t->graph];
  tp_cs_heap *h = &s->heaps[graph->of];
  t->is_told = true;
  t->empty = TP_NEW_ARRAY(tp_term, graph->n + 1);
  int i = tp_cs_place_of(s, h, tp_csegment_fresh(s->g, tp_sort_ptr(tt)), TP_CS_BASE), j = tp_cs_place_of(s, h, tp_csegment_fresh(s->g, tp_sort_ptr(tt)), TP_CS_BASE);
  tp_term like = tp_mk_false(tt), why = unlike_pair(s, h, graph, i, j);
  for (uint32_t v = 0; v < graph->n; v++) {
    like = tp_mk_or(tt, like, is_like(s, h, graph, v, TP_CS_AFTER, i));
    if (!is_inhabited(h, graph, v, TP_CS_AFTER)) continue;
    t->empty[v] = tp_csegment_fresh(s->g, tp_sort_bool(tt));
    why = tp_mk_or(tt, why, t->empty[v]);
  }
  why = tp_mk_or(tt, why, tp_mk_and(tt, is_element_here(s, h, i, j), tp_mk_not(tt, like)));
  say(s, t->fails, why);
}

/* No element is at an empty node: none of the places. */
static void tell_empty_nodes(tp_csearch *s, target *t) {
  const tp_cgraph *graph = &s->shape->graphs->graphs.at[t->graph];
  tp_cs_heap *h = &s->heaps[graph->of];
  for (uint32_t n = h->n; t->told < n; t->told++) {
    int i = (int)t->told;
    if (!h->places[i].is_base) continue;
    tp_term element = tp_mk_or(s->tt, tp_cs_cell(s, h, i, TP_CS_AFTER), tp_cs_is_held(s, h, i, TP_CS_AFTER));
    for (uint32_t v = 0; v < graph->n; v++)
      if (tp_term_is(t->empty[v])) say(s, t->empty[v], tp_mk_not(s->tt, tp_mk_and(s->tt, element, is_put(s, h, graph, v, i))));
  }
}

// --------------------------------------------------------------------- searching

/* Could this graph describe the state that was found, as far as its places show? */
static bool seems_to_fit(tp_csearch *s, const target *t) {
  const tp_cgraph *graph = &s->shape->graphs->graphs.at[t->graph];
  tp_cs_heap *h = &s->heaps[graph->of];
  bool inhabited[TP_CS_NODES] = {false};
  for (uint32_t n = h->n, i = 0; i < n; i++) {
    tp_term element = tp_mk_or(s->tt, tp_cs_cell(s, h, (int)i, TP_CS_AFTER), tp_cs_is_held(s, h, (int)i, TP_CS_AFTER));
    if (!h->places[i].is_base || !tp_cquestion_holds(s->q, element)) continue;
    bool like = false;
    for (uint32_t v = 0; v < graph->n; v++)
      if (tp_cquestion_holds(s->q, is_put(s, h, graph, v, (int)i))) like = inhabited[v] = true;
    if (!like) return false;
  }
  for (uint32_t v = 0; v < graph->n; v++)
    if (is_inhabited(h, graph, v, TP_CS_AFTER) && !inhabited[v]) return false;
  return true;
}

/* A graph of which nothing was said yet, that the state calls unfit, and that seems to fit; NULL: there is none. */
static target *next_target(tp_csearch *s, targets *all) {
  for (size_t i = 0; i < all->n; i++)
    if (!all->at[i].is_told && tp_cquestion_holds(s->q, all->at[i].fails) && seems_to_fit(s, &all->at[i])) return &all->at[i];
  return NULL;
}

static void tell_all(tp_csearch *s, targets *all) {
  uint32_t before;
  do {
    before = 0;
    for (uint32_t k = 1; k < s->n_heaps; k++) {
      tell_places(s, &s->heaps[k]);
      before += s->heaps[k].n;
    }
    for (size_t i = 0; i < all->n; i++)
      if (all->at[i].is_told) tell_empty_nodes(s, &all->at[i]);
    for (uint32_t k = 1; k < s->n_heaps; k++) before -= s->heaps[k].told;
  } while (before && !s->failed);
}

// ----------------------------------------------------------------------- growing

enum { MOST_DEPTH = 2 };

/* In the state that was found, a path goes on from place i, but to nothing that is a place: the field that it goes along. -1: it does not. */
static int unseen_field(tp_csearch *s, tp_cs_heap *h, int i) {
  bool goes_on = false;
  for (size_t p = 0; p < h->paths.n && !goes_on; p++)
    for (uint32_t j = 0; j < h->n && !goes_on; j++)
      goes_on = (int)j != i && tp_cquestion_holds(s->q, tp_cs_path(s, h, h->paths.at[p].fields, TP_CS_AFTER, i, (int)j)) && !tp_cquestion_holds(s->q, tp_cs_same(s, h, i, (int)j));
  if (!goes_on || !tp_cquestion_holds(s->q, tp_cs_leads(s, h, i, TP_CS_AFTER))) return -1;
  for (uint32_t f = 0; f < h->c->offsets.n; f++) {
    tp_term to = tp_cs_field(s, h, i, TP_CS_AFTER, f);
    bool seen = tp_cquestion_holds(s->q, tp_mk_eq(s->tt, to, tp_mk_null(s->tt)));
    for (uint32_t j = 0; j < h->n && !seen; j++) seen = tp_cquestion_holds(s->q, tp_mk_eq(s->tt, to, tp_cs_at(h, (int)j)));
    if (!seen) return (int)f;
  }
  return -1;
}

/* One more place: where such a path goes on. False: there is none. */
static bool grow(tp_csearch *s, tp_cs_heap *h) {
  for (uint32_t i = 0; i < h->n; i++) {
    if (!h->places[i].is_base || h->places[i].depth == MOST_DEPTH) continue;
    int f = unseen_field(s, h, (int)i);
    if (f < 0) continue;
    int k = tp_cs_next(s, h, (int)i, TP_CS_AFTER, (uint32_t)f, TP_CS_BASE);
    h->places[k].depth = h->places[i].depth + 1;
    return true;
  }
  return false;
}

/* Is there no state of the kind that is looked for? */
static tp_cgoal search(tp_csearch *s, targets *all) {
  for (uint32_t round = 0; round < MOST_ROUNDS; round++) {
    tell_all(s, all);
    if (s->failed || s->g->result != TP_CERTIFY_ACCEPTED) return TP_GOAL_UNKNOWN;
    tp_smt_answer a = tp_cquestion_ask(s->q);
    if (a != TP_SMT_SAT) return a == TP_SMT_UNSAT ? TP_GOAL_PROVED : TP_GOAL_UNKNOWN;
    bool is_repaired = false;
    for (uint32_t k = 1; k < s->n_heaps; k++) is_repaired = tp_cs_repair_paths(s, &s->heaps[k]) || is_repaired;
    if (is_repaired) continue;
    target *t = next_target(s, all);
    if (t) {
      tell_target(s, t);
      continue;
    }
    bool has_more = false;
    for (uint32_t k = 1; k < s->n_heaps; k++) has_more = fill_nodes(s, &s->heaps[k]) || has_more;
    for (uint32_t k = 1; k < s->n_heaps && !has_more; k++) has_more = grow(s, &s->heaps[k]);
    if (has_more) continue;
    if (tp_cquestion_is_exact(s->q)) return TP_GOAL_UNKNOWN;
    tp_cquestion_be_exact(s->q);
  }
  return TP_GOAL_UNKNOWN;
}

static tp_cgoal finish(tp_csearch *s, targets *all) {
  tp_cgoal result = search(s, all);
  for (size_t i = 0; i < all->n; i++) tp_free(all->at[i].empty);
  tp_vec_clear(all);
  search_free(s);
  return result;
}

tp_cgoal tp_cshape_prove(tp_csegment *g, const tp_term *goals, size_t n) {
  if (!g->shape->is_chosen) return TP_GOAL_UNKNOWN;
  targets none = {0};
  tp_csearch *s = search_new(g, 0);
  add_goals(s, goals, n);
  for (size_t i = 0; i < n; i++) tp_cquestion_add(s->q, tp_mk_not(s->tt, goals[i]));
  return finish(s, &none);
}

tp_cgoal tp_cshape_meets(tp_csegment *g, uint32_t label) {
  const tp_clabel *l = &g->entries->labels.at[label];
  targets all = {0};
  tp_csearch *s = search_new(g, label);
  for (uint32_t k = l->first; k < l->first + l->n; k++) {
    tp_term fails = tp_mk_not(s->tt, tp_cmeaning_of_formula(g, g->entries->formulas.at[k]));
    const tp_cdescribed *d = &g->entries->described.at[k];
    for (uint32_t i = 0; i < d->n; i++) {
      tp_term every = tp_mk_true(s->tt);
      const tp_cgraph_set *set = &g->entries->graph_sets.at[d->first + i];
      for (uint32_t m = 0; m < set->n; m++) every = tp_mk_and(s->tt, every, target_of(s, &all, g->entries->graphs_of_sets.at[set->first + m])->fails);
      fails = tp_mk_or(s->tt, fails, every);
    }
    tp_cquestion_add(s->q, fails);
  }
  return finish(s, &all);
}
