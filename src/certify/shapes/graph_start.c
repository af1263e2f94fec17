/* A graph at the start of a path, as facts about addresses: at which node each element is, what the
 * values of nodes say of elements, those of pairs of nodes of pairs of elements, and to which nodes
 * paths may lead. */
#include "certify/shapes/shape_search.h"

bool tp_chk_graph_constrains(const tp_chk_class_heap *h, const tp_chk_graph *graph, uint32_t k,
                             tp_chk_heap_version when) {
  return h->readable[when][k] && graph->values[k] != NULL;
}

const tp_chk_graph *tp_chk_start_graph(const tp_chk_search *s, const tp_chk_class_heap *h) {
  return &s->shape->graphs->graphs.at[s->shape->chosen[h->number]];
}

tp_term tp_chk_matches_node(tp_chk_search *s, tp_chk_class_heap *h, const tp_chk_graph *graph,
                            uint32_t node, tp_chk_heap_version when, int i) {
  tp_term all = tp_mk_true(s->tt);
  for (uint32_t k = 1; k < h->c->predicates.n && !tp_is_false(s->tt, all); k++) {
    if (h->c->predicates.at[k].arity != 1 || !tp_chk_graph_constrains(h, graph, k, when) ||
        graph->values[k][node] == TP_CHK_HALF)
      continue;
    all = tp_mk_and(
        s->tt, all,
        literal_of(s, tp_chk_predicate_term(s, h, k, when, i, 0), graph->values[k][node]));
  }
  return all;
}

static tp_term of_array(tp_chk_search *s, tp_term array, tp_term at) {
  return tp_mk2(s->tt, TP_OP_SELECT, array, at);
}
static tp_term at_node(tp_chk_search *s, const tp_chk_class_heap *h, uint32_t node, int i) {
  TP_INVARIANT(h->node && tp_term_is(h->node[node]));
  return of_array(s, h->node[node], tp_chk_address_term(h, i));
}

/* Are all elements of this node cells? */
static bool is_of_cells(const tp_chk_class_heap *h, const tp_chk_graph *graph, uint32_t node) {
  for (uint32_t k = 1; k < h->c->predicates.n; k++)
    if (h->c->predicates.at[k].kind == TP_CHK_P_OUTSIDE && graph->values[k][node] == 0) return true;
  return false;
}

/* A predicate of a pointer that is 1 there; 0: none. */
static uint32_t pointer_to(const tp_chk_class_heap *h, const tp_chk_graph *graph, uint32_t node,
                           tp_chk_heap_version when) {
  for (uint32_t k = 1; k < h->c->predicates.n; k++)
    if (h->c->predicates.at[k].kind == TP_CHK_P_POINTER && h->readable[when][k] &&
        graph->values[k][node] == 1)
      return k;
  return 0;
}

void tp_chk_init_nodes(tp_chk_search *s, tp_chk_class_heap *h, const tp_chk_graph *graph) {
  tp_sort of_pointers = tp_sort_array(s->tt, tp_sort_ptr(s->tt), tp_sort_bool(s->tt));
  h->element = tp_chk_exec_nondet(s->g, of_pointers);
  h->node = TP_NEW_ARRAY(tp_term, graph->n + 1);
  for (uint32_t v = 0; v < graph->n; v++) h->node[v] = tp_chk_exec_nondet(s->g, of_pointers);
  for (uint32_t v = 0; v < graph->n; v++) {
    uint32_t k = pointer_to(h, graph, v, TP_CHK_PRE);
    if (k)
      tp_chk_query_assert(
          s->q, at_node(s, h, v,
                        tp_chk_address_number(
                            s, h, tp_chk_variable_term(s, h->c->predicates.at[k].var, TP_CHK_PRE),
                            TP_CHK_BASE)));
  }
}

bool tp_chk_instantiate_nodes(tp_chk_search *s, tp_chk_class_heap *h) {
  if (h->is_filled || !s->shape->chosen[h->number]) return false;
  const tp_chk_graph *graph = tp_chk_start_graph(s, h);
  h->is_filled = true;
  for (uint32_t v = 0; v < graph->n; v++) {
    if (!is_of_cells(h, graph, v) || pointer_to(h, graph, v, TP_CHK_PRE)) continue;
    tp_term at = tp_chk_history_nondet(&s->g->history, tp_sort_ptr(s->tt), s->shape->start.age);
    tp_chk_query_assert(s->q, at_node(s, h, v, tp_chk_address_number(s, h, at, TP_CHK_BASE)));
  }
  return true;
}

/* The address is an element if it is a cell, or the value of a pointer; every element is at exactly
 * one node and matches it. */
static void assert_element(tp_chk_search *s, tp_chk_class_heap *h, const tp_chk_graph *graph,
                           int i) {
  tp_terms *tt = s->tt;
  tp_term element = of_array(s, h->element, tp_chk_address_term(h, i)), any = tp_mk_false(tt);
  assert_implies(
      s,
      tp_mk_or(tt, tp_chk_is_cell(s, h, i, TP_CHK_PRE), tp_chk_is_pointed_to(s, h, i, TP_CHK_PRE)),
      element);
  assert_implies(s, element, tp_mk_not(tt, tp_chk_is_null(s, h, i)));
  for (uint32_t v = 0; v < graph->n; v++) {
    tp_term here = at_node(s, h, v, i);
    any = tp_mk_or(tt, any, here);
    assert_implies(s, here,
                   tp_mk_and(tt, element, tp_chk_matches_node(s, h, graph, v, TP_CHK_PRE, i)));
    for (uint32_t u = 0; u < v; u++) assert_implies(s, here, tp_mk_not(tt, at_node(s, h, u, i)));
  }
  assert_implies(s, element, any);
}

/* Elements i and j are at nodes whose pair has this value (k = 0: at one single node). */
static tp_term at_pair(tp_chk_search *s, tp_chk_class_heap *h, const tp_chk_graph *graph,
                       uint32_t k, uint8_t value, int i, int j) {
  tp_terms *tt = s->tt;
  tp_term any = tp_mk_false(tt);
  for (uint32_t u = 0; u < graph->n; u++) {
    tp_term to = tp_mk_false(tt);
    for (uint32_t v = 0; v < graph->n; v++)
      if (k ? graph->values[k][u * graph->n + v] == value : u == v && graph->is_single[u])
        to = tp_mk_or(tt, to, at_node(s, h, v, j));
    any = tp_mk_or(tt, any, tp_mk_and(tt, at_node(s, h, u, i), to));
  }
  return any;
}

/* The nodes to which fields may lead from node u, in any number of steps. */
static void reachable_nodes(const tp_chk_class_heap *h, const tp_chk_graph *graph, uint64_t fields,
                            uint32_t u, bool *reached) {
  uint32_t todo[TP_CERTIFY_GRAPH_NODES], n = 0;
  TP_REQUIRE(graph->n <= TP_CERTIFY_GRAPH_NODES && u < graph->n);
  memset(reached, 0, TP_CERTIFY_GRAPH_NODES * sizeof *reached);
  reached[todo[n++] = u] = true;
  while (n) {
    u = todo[--n];
    for (uint32_t f = 0; f < h->c->offsets.n; f++)
      for (uint32_t v = 0; v < graph->n && (fields >> f & 1); v++) {
        bool leads = !reached[v];
        for (uint32_t k = 1; k < h->c->predicates.n; k++)
          if (h->c->predicates.at[k].kind == TP_CHK_P_FIELD && h->c->predicates.at[k].field == f &&
              graph->values[k][u * graph->n + v] == 0)
            leads = false;
        if (leads) reached[todo[n++] = v] = true;
      }
  }
}

/* A path from an element ends at a node to which fields may lead from the element's. */
static void assert_path_nodes(tp_chk_search *s, tp_chk_class_heap *h, const tp_chk_graph *graph,
                              int i, int j) {
  for (size_t p = 0; p < h->paths.n; p++) {
    uint64_t fields = h->paths.at[p].fields;
    tp_term there = tp_chk_path_term(s, h, fields, TP_CHK_PRE, i, j);
    for (uint32_t u = 0; u < graph->n; u++) {
      bool reached[TP_CERTIFY_GRAPH_NODES];
      tp_term any = tp_mk_false(s->tt);
      reachable_nodes(h, graph, fields, u, reached);
      for (uint32_t v = 0; v < graph->n; v++)
        if (reached[v]) any = tp_mk_or(s->tt, any, at_node(s, h, v, j));
      assert_implies(s, tp_mk_and(s->tt, there, at_node(s, h, u, i)), any);
    }
  }
}

static void assert_pair(tp_chk_search *s, tp_chk_class_heap *h, const tp_chk_graph *graph, int i,
                        int j) {
  tp_terms *tt = s->tt;
  for (uint32_t k = 1; k < h->c->predicates.n; k++) {
    if (h->c->predicates.at[k].arity != 2 || !tp_chk_graph_constrains(h, graph, k, TP_CHK_PRE))
      continue;
    for (uint8_t value = 0; value < 2; value++) {
      tp_term there = at_pair(s, h, graph, k, value, i, j);
      if (!tp_is_false(tt, there))
        assert_implies(s, there,
                       literal_of(s, tp_chk_predicate_term(s, h, k, TP_CHK_PRE, i, j), value));
    }
  }
  if (i != j) assert_implies(s, at_pair(s, h, graph, 0, 1, i, j), tp_chk_same_address(s, h, i, j));
  for (uint32_t f = 0; f < h->c->offsets.n; f++) {
    tp_term leads = tp_mk_and(
        tt, tp_chk_is_live_cell(s, h, i, TP_CHK_PRE),
        tp_mk_eq(tt, tp_chk_field_term(s, h, i, TP_CHK_PRE, f), tp_chk_address_term(h, j)));
    assert_implies(s, tp_mk_and(tt, leads, tp_mk_not(tt, tp_chk_is_null(s, h, j))),
                   of_array(s, h->element, tp_chk_address_term(h, j)));
  }
}

void tp_chk_assert_start_graph(tp_chk_search *s, tp_chk_class_heap *h, int k) {
  TP_REQUIRE(s->shape->chosen[h->number] && k >= 0 && (uint32_t)k < h->n);
  const tp_chk_graph *graph = tp_chk_start_graph(s, h);
  assert_element(s, h, graph, k);
  for (int j = 0; j <= k; j++) {
    if (!h->addresses[j].is_base) continue;
    assert_pair(s, h, graph, j, k);
    if (j == k) continue;
    assert_pair(s, h, graph, k, j);
    assert_path_nodes(s, h, graph, j, k);
    assert_path_nodes(s, h, graph, k, j);
  }
}
