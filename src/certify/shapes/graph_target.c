/* Target graphs: a graph does not describe the heap at the end of a path if some element matches no
 * node, two elements contradict the values of their nodes, or a node is empty that must not be. */
#include "certify/shapes/shape_search.h"

/* Is there a predicate that is 0 at one and 1 at the other? */
static bool are_apart(const tp_chk_class_heap *h, const tp_chk_graph *graph, uint32_t u,
                      uint32_t v) {
  for (uint32_t k = 1; k < h->c->predicates.n; k++) {
    if (h->c->predicates.at[k].arity != 1 || !h->readable[TP_CHK_POST][k]) continue;
    uint8_t a = graph->values[k][u], b = graph->values[k][v];
    if (a != b && a != TP_CHK_HALF && b != TP_CHK_HALF) return true;
  }
  return false;
}

/* The element is at this node: it matches the node, and none of smaller number. (Embedding may
 * choose any function from elements to nodes; a fixed one loses answers only.) */
static tp_term is_at_node(tp_chk_search *s, tp_chk_class_heap *h, const tp_chk_graph *graph,
                          uint32_t node, int i) {
  tp_term put = tp_chk_matches_node(s, h, graph, node, TP_CHK_POST, i);
  for (uint32_t u = 0; u < node && !tp_is_false(s->tt, put); u++)
    if (!are_apart(h, graph, u, node))
      put = tp_mk_and(s->tt, put,
                      tp_mk_not(s->tt, tp_chk_matches_node(s, h, graph, u, TP_CHK_POST, i)));
  return put;
}

tp_chk_target_graph *tp_chk_target_of(tp_chk_search *s, tp_chk_target_graphs *all, uint32_t graph) {
  for (size_t i = 0; i < all->n; i++)
    if (all->at[i].graph == graph) return &all->at[i];
  tp_vec_push(all, ((tp_chk_target_graph){.graph = graph,
                                          .fails = tp_chk_exec_nondet(s->g, tp_sort_bool(s->tt))}));
  return &tp_vec_last(all);
}

/* Elements i and j contradict a value of the pair of their nodes, or are two at a single node. */
static tp_term contradicting_pair(tp_chk_search *s, tp_chk_class_heap *h, const tp_chk_graph *graph,
                                  int i, int j) {
  tp_terms *tt = s->tt;
  tp_term at_i[TP_CERTIFY_GRAPH_NODES], at_j[TP_CERTIFY_GRAPH_NODES], any = tp_mk_false(tt);
  for (uint32_t v = 0; v < graph->n; v++) {
    at_i[v] = is_at_node(s, h, graph, v, i);
    at_j[v] = is_at_node(s, h, graph, v, j);
    if (graph->is_single[v])
      any = tp_mk_or(tt, any,
                     tp_mk_and(tt, tp_mk_and(tt, at_i[v], at_j[v]),
                               tp_mk_not(tt, tp_chk_same_address(s, h, i, j))));
  }
  for (uint32_t k = 1; k < h->c->predicates.n; k++) {
    if (h->c->predicates.at[k].arity != 2 || !tp_chk_graph_constrains(h, graph, k, TP_CHK_POST))
      continue;
    for (uint32_t e = 0; e < graph->n * graph->n; e++) {
      uint8_t value = graph->values[k][e];
      if (value == TP_CHK_HALF) continue;
      tp_term unlike =
          tp_mk_not(tt, literal_of(s, tp_chk_predicate_term(s, h, k, TP_CHK_POST, i, j), value));
      any = tp_mk_or(tt, any,
                     tp_mk_and(tt, tp_mk_and(tt, at_i[e / graph->n], at_j[e % graph->n]), unlike));
    }
  }
  return any;
}

void tp_chk_assert_target(tp_chk_search *s, tp_chk_target_graph *t) {
  TP_REQUIRE(t->graph && !t->is_asserted);
  tp_terms *tt = s->tt;
  const tp_chk_graph *graph = &s->shape->graphs->graphs.at[t->graph];
  tp_chk_class_heap *h = &s->heaps[graph->of];
  t->is_asserted = true;
  t->empty = TP_NEW_ARRAY(tp_term, graph->n + 1);
  int i = tp_chk_address_number(s, h, tp_chk_exec_nondet(s->g, tp_sort_ptr(tt)), TP_CHK_BASE),
      j = tp_chk_address_number(s, h, tp_chk_exec_nondet(s->g, tp_sort_ptr(tt)), TP_CHK_BASE);
  tp_term like = tp_mk_false(tt), why = contradicting_pair(s, h, graph, i, j);
  for (uint32_t v = 0; v < graph->n; v++) {
    like = tp_mk_or(tt, like, tp_chk_matches_node(s, h, graph, v, TP_CHK_POST, i));
    if (!tp_chk_graph_is_inhabited(h->c, graph, h->readable[TP_CHK_POST], v)) continue;
    t->empty[v] = tp_chk_exec_nondet(s->g, tp_sort_bool(tt));
    why = tp_mk_or(tt, why, t->empty[v]);
  }
  why = tp_mk_or(tt, why,
                 tp_mk_and(tt, tp_chk_is_element(s, h, i, j, TP_CHK_POST), tp_mk_not(tt, like)));
  assert_implies(s, t->fails, why);
}

void tp_chk_assert_empty_nodes(tp_chk_search *s, tp_chk_target_graph *t) {
  TP_REQUIRE(t->is_asserted);
  const tp_chk_graph *graph = &s->shape->graphs->graphs.at[t->graph];
  tp_chk_class_heap *h = &s->heaps[graph->of];
  for (uint32_t n = h->n; t->n_asserted < n; t->n_asserted++) {
    int i = (int)t->n_asserted;
    if (!h->addresses[i].is_base) continue;
    tp_term element = tp_mk_or(s->tt, tp_chk_is_cell(s, h, i, TP_CHK_POST),
                               tp_chk_is_pointed_to(s, h, i, TP_CHK_POST));
    for (uint32_t v = 0; v < graph->n; v++)
      if (tp_term_is(t->empty[v]))
        assert_implies(s, t->empty[v],
                       tp_mk_not(s->tt, tp_mk_and(s->tt, element, is_at_node(s, h, graph, v, i))));
  }
}
/* Does the graph describe the model, as far as its addresses show? */
static bool may_describe_model(tp_chk_search *s, const tp_chk_target_graph *t) {
  const tp_chk_graph *graph = &s->shape->graphs->graphs.at[t->graph];
  tp_chk_class_heap *h = &s->heaps[graph->of];
  bool inhabited[TP_CERTIFY_GRAPH_NODES] = {false};
  for (uint32_t n = h->n, i = 0; i < n; i++) {
    tp_term element = tp_mk_or(s->tt, tp_chk_is_cell(s, h, (int)i, TP_CHK_POST),
                               tp_chk_is_pointed_to(s, h, (int)i, TP_CHK_POST));
    if (!h->addresses[i].is_base || !tp_chk_query_holds(s->q, element)) continue;
    bool like = false;
    for (uint32_t v = 0; v < graph->n; v++)
      if (tp_chk_query_holds(s->q, is_at_node(s, h, graph, v, (int)i))) like = inhabited[v] = true;
    if (!like) return false;
  }
  for (uint32_t v = 0; v < graph->n; v++)
    if (tp_chk_graph_is_inhabited(h->c, graph, h->readable[TP_CHK_POST], v) && !inhabited[v])
      return false;
  return true;
}

tp_chk_target_graph *tp_chk_next_target(tp_chk_search *s, tp_chk_target_graphs *all) {
  for (size_t i = 0; i < all->n; i++)
    if (!all->at[i].is_asserted && tp_chk_query_holds(s->q, all->at[i].fails) &&
        may_describe_model(s, &all->at[i]))
      return &all->at[i];
  return NULL;
}
