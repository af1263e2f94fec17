/* Which cells of a graph are live, and which of them are reached from variables: what leaks ask.
 *
 * A cell is reached if a root leads to it (a pointer of the program, temporaries apart), or if a
 * predicate says that a walk from a root comes to it. Such predicates are recognised by what they
 * mean: "there is a u to which the pointer leads, and a path along links from u to v". Links
 * themselves are not followed: those to a summary node are unknown, so predicates say more. */
#include "cpa/shape/shape_priv.h"

static uint64_t live_nodes(const tp_shape_cpa_kind *k, const tp_structure *s) {
  return tp_structure_nodes(s) & ~s->unary[k->c->outside].must & ~s->unary[k->c->freed].must;
}

static const tp_structure *structure_of(const tp_shape_cpa_kind *k, uint32_t graph) {
  return &tp_graph_at(tp_shape_engine_graphs(k->e), graph)->s;
}

bool tp_shape_cpa_has_live_cells(const tp_shape_cpa_kind *k, uint32_t graph) {
  return live_nodes(k, structure_of(k, graph)) != 0;
}

// ----------------------------------------------------------------- walks from roots

static const tp_formula_node *node_of(const tp_shape_class *c, tp_formula f) {
  return tp_formula_at(c->formulas, f);
}

/* The predicate of two cells that the formula is, of variables u and v in this order; NULL: it is
 * something else. */
static const tp_shape_predicate *relation_of(const tp_shape_class *c, tp_formula f, uint8_t u,
                                             uint8_t v) {
  const tp_formula_node *n = node_of(c, f);
  if (n->kind != TP_FORMULA_BINARY || n->is_primed || n->a != u || n->b != v) return NULL;
  for (size_t i = 0; i < c->predicates.n; i++)
    if (c->predicates.at[i].arity == 2 && c->predicates.at[i].index == n->predicate)
      return &c->predicates.at[i];
  return NULL;
}

/* One link, or one of several, from variable `from` to variable `to`. Definitions end: they name
 * predicates before their own. */
static bool is_step(const tp_shape_class *c, tp_formula f, uint8_t from, uint8_t to) {
  const tp_formula_node *n = node_of(c, f);
  if (n->kind == TP_FORMULA_OR)
    return is_step(c, n->kid[0], from, to) && is_step(c, n->kid[1], from, to);
  const tp_shape_predicate *p = relation_of(c, f, from, to);
  return p && (p->kind == TP_SHAPE_PREDICATE_FIELD ||
               (p->kind == TP_SHAPE_PREDICATE_FAMILY && is_step(c, p->definition, 0, 1)));
}

/* A path of any number of links leads from u to v. */
static bool is_path(const tp_shape_class *c, tp_formula f, uint8_t u, uint8_t v) {
  const tp_formula_node *n = node_of(c, f);
  if (n->kind == TP_FORMULA_CLOSURE)
    return n->a == u && n->b == v && is_step(c, n->kid[0], n->from, n->to);
  if (n->kind == TP_FORMULA_EQUAL) return (n->a == u && n->b == v) || (n->a == v && n->b == u);
  if (n->kind == TP_FORMULA_OR) return is_path(c, n->kid[0], u, v) && is_path(c, n->kid[1], u, v);
  const tp_shape_predicate *p = relation_of(c, f, u, v);
  return p && p->kind == TP_SHAPE_PREDICATE_FAMILY && is_path(c, p->definition, 0, 1);
}

/* The pointer that leads to variable u, by f; -1: f says something else. */
static int pointer_to(const tp_shape_class *c, tp_formula f, uint8_t u) {
  const tp_formula_node *n = node_of(c, f);
  if (n->kind != TP_FORMULA_UNARY || n->is_primed || n->a != u) return -1;
  for (uint32_t i = 0; i < c->n_pointers; i++)
    if (c->points[i] == n->predicate) return (int)i;
  return -1;
}

/* The pointer from which a walk comes to each cell that has the predicate; -1: none. */
static int start_of_walk(const tp_shape_class *c, const tp_shape_predicate *p) {
  if (p->kind == TP_SHAPE_PREDICATE_POINTS) return p->argument[0];
  if (p->kind != TP_SHAPE_PREDICATE_FAMILY || p->arity != 1) return -1;
  const tp_formula_node *n = node_of(c, p->definition);
  if (n->kind != TP_FORMULA_EXISTS || n->a == 0) return -1;
  const uint8_t u = n->a;
  const tp_formula_node *both = node_of(c, n->kid[0]);
  for (int i = 0; i < 2 && both->kind == TP_FORMULA_AND; i++)
    if (is_path(c, both->kid[1 - i], u, 0)) return pointer_to(c, both->kid[i], u);
  return -1;
}

bool tp_shape_cpa_reaches_live_cells(const tp_shape_cpa *h, const tp_shape_cpa_kind *k,
                                     uint32_t graph) {
  const tp_structure *s = structure_of(k, graph);
  uint64_t left = live_nodes(k, s);
  for (size_t i = 0; i < k->c->predicates.n && left; i++) {
    const tp_shape_predicate *p = &k->c->predicates.at[i];
    const int root = p->arity == 1 ? start_of_walk(k->c, p) : -1;
    if (root >= 0 && tp_var_of(h->p, k->visible.pointers[root])->kind != TP_V_TEMP)
      left &= ~s->unary[p->index].must;
  }
  return left == 0;
}
