/* Graphs that may describe the heap that is here: a graph does not if some element is like no node,
 * two elements are unlike their nodes, or a node is empty. */
#include "certify/shapes/shape_priv.h"

/* Is there a predicate that is 0 at one and 1 at the other? */
static bool are_apart(const tp_cs_heap *h, const tp_cgraph *graph, uint32_t u, uint32_t v) {
  for (uint32_t k = 1; k < h->c->predicates.n; k++) {
    if (h->c->predicates.at[k].arity != 1 || !h->readable[TP_CS_AFTER][k]) continue;
    uint8_t a = graph->values[k][u], b = graph->values[k][v];
    if (a != b && a != TP_CGRAPH_OPEN && b != TP_CGRAPH_OPEN) return true;
  }
  return false;
}

/* The element is put at this node: it is like it, and like no node before it. (Any function from
 * elements to nodes would do.) */
static tp_term is_put(tp_csearch *s, tp_cs_heap *h, const tp_cgraph *graph, uint32_t node, int i) {
  tp_term put = tp_cs_is_like(s, h, graph, node, TP_CS_AFTER, i);
  for (uint32_t u = 0; u < node && !tp_is_false(s->tt, put); u++)
    if (!are_apart(h, graph, u, node))
      put = tp_mk_and(s->tt, put, tp_mk_not(s->tt, tp_cs_is_like(s, h, graph, u, TP_CS_AFTER, i)));
  return put;
}

tp_cs_target *tp_cs_target_of(tp_csearch *s, tp_cs_targets *all, uint32_t graph) {
  for (size_t i = 0; i < all->n; i++)
    if (all->at[i].graph == graph) return &all->at[i];
  tp_vec_push(all, ((tp_cs_target){.graph = graph,
                                   .fails = tp_chk_exec_nondet(s->g, tp_sort_bool(s->tt))}));
  return &tp_vec_last(all);
}

tp_term tp_cs_is_element_here(tp_csearch *s, tp_cs_heap *h, int i, int holder) {
  tp_terms *tt = s->tt;
  tp_term any = tp_mk_or(tt, tp_cs_cell(s, h, i, TP_CS_AFTER), tp_cs_is_held(s, h, i, TP_CS_AFTER));
  for (uint32_t f = 0; f < h->c->offsets.n; f++) {
    tp_term leads =
        tp_mk_and(tt, tp_cs_leads(s, h, holder, TP_CS_AFTER),
                  tp_mk_eq(tt, tp_cs_field(s, h, holder, TP_CS_AFTER, f), tp_cs_at(h, i)));
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
    if (graph->is_single[v])
      any = tp_mk_or(
          tt, any,
          tp_mk_and(tt, tp_mk_and(tt, at_i[v], at_j[v]), tp_mk_not(tt, tp_cs_same(s, h, i, j))));
  }
  for (uint32_t k = 1; k < h->c->predicates.n; k++) {
    if (h->c->predicates.at[k].arity != 2 || !tp_cs_is_definite(h, graph, k, TP_CS_AFTER)) continue;
    for (uint32_t e = 0; e < graph->n * graph->n; e++) {
      uint8_t value = graph->values[k][e];
      if (value == TP_CGRAPH_OPEN) continue;
      tp_term unlike =
          tp_mk_not(tt, literal_of(s, tp_cs_predicate(s, h, k, TP_CS_AFTER, i, j), value));
      any = tp_mk_or(tt, any,
                     tp_mk_and(tt, tp_mk_and(tt, at_i[e / graph->n], at_j[e % graph->n]), unlike));
    }
  }
  return any;
}

void tp_cs_tell_target(tp_csearch *s, tp_cs_target *t) {
  tp_terms *tt = s->tt;
  const tp_cgraph *graph = &s->shape->graphs->graphs.at[t->graph];
  tp_cs_heap *h = &s->heaps[graph->of];
  t->is_told = true;
  t->empty = TP_NEW_ARRAY(tp_term, graph->n + 1);
  int i = tp_cs_place_of(s, h, tp_chk_exec_nondet(s->g, tp_sort_ptr(tt)), TP_CS_BASE),
      j = tp_cs_place_of(s, h, tp_chk_exec_nondet(s->g, tp_sort_ptr(tt)), TP_CS_BASE);
  tp_term like = tp_mk_false(tt), why = unlike_pair(s, h, graph, i, j);
  for (uint32_t v = 0; v < graph->n; v++) {
    like = tp_mk_or(tt, like, tp_cs_is_like(s, h, graph, v, TP_CS_AFTER, i));
    if (!tp_cgraph_must_have_element(h->c, graph, h->readable[TP_CS_AFTER], v)) continue;
    t->empty[v] = tp_chk_exec_nondet(s->g, tp_sort_bool(tt));
    why = tp_mk_or(tt, why, t->empty[v]);
  }
  why = tp_mk_or(tt, why, tp_mk_and(tt, tp_cs_is_element_here(s, h, i, j), tp_mk_not(tt, like)));
  say(s, t->fails, why);
}

void tp_cs_tell_empty_nodes(tp_csearch *s, tp_cs_target *t) {
  const tp_cgraph *graph = &s->shape->graphs->graphs.at[t->graph];
  tp_cs_heap *h = &s->heaps[graph->of];
  for (uint32_t n = h->n; t->told < n; t->told++) {
    int i = (int)t->told;
    if (!h->places[i].is_base) continue;
    tp_term element =
        tp_mk_or(s->tt, tp_cs_cell(s, h, i, TP_CS_AFTER), tp_cs_is_held(s, h, i, TP_CS_AFTER));
    for (uint32_t v = 0; v < graph->n; v++)
      if (tp_term_is(t->empty[v]))
        say(s, t->empty[v], tp_mk_not(s->tt, tp_mk_and(s->tt, element, is_put(s, h, graph, v, i))));
  }
}
/* Could this graph describe the state that was found, as far as its places show? */
static bool seems_to_fit(tp_csearch *s, const tp_cs_target *t) {
  const tp_cgraph *graph = &s->shape->graphs->graphs.at[t->graph];
  tp_cs_heap *h = &s->heaps[graph->of];
  bool inhabited[TP_CS_NODES] = {false};
  for (uint32_t n = h->n, i = 0; i < n; i++) {
    tp_term element = tp_mk_or(s->tt, tp_cs_cell(s, h, (int)i, TP_CS_AFTER),
                               tp_cs_is_held(s, h, (int)i, TP_CS_AFTER));
    if (!h->places[i].is_base || !tp_chk_query_holds(s->q, element)) continue;
    bool like = false;
    for (uint32_t v = 0; v < graph->n; v++)
      if (tp_chk_query_holds(s->q, is_put(s, h, graph, v, (int)i))) like = inhabited[v] = true;
    if (!like) return false;
  }
  for (uint32_t v = 0; v < graph->n; v++)
    if (tp_cgraph_must_have_element(h->c, graph, h->readable[TP_CS_AFTER], v) && !inhabited[v])
      return false;
  return true;
}

tp_cs_target *tp_cs_next_target(tp_csearch *s, tp_cs_targets *all) {
  for (size_t i = 0; i < all->n; i++)
    if (!all->at[i].is_told && tp_chk_query_holds(s->q, all->at[i].fails) &&
        seems_to_fit(s, &all->at[i]))
      return &all->at[i];
  return NULL;
}
