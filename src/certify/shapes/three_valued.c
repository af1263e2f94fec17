/* Three-valued structures and the value of formulas: Kleene's tables; a quantifier ranges over
 * nodes, where a node that may be empty cannot make "there is" true; transitive closure by
 * Warshall's algorithm, remembered until the structure changes. */
#include "certify/shapes/three_valued.h"

#include "certify/certify_limits.h"

typedef struct tp_chk_structure_paths {
  uint64_t fields;
  uint32_t version;
  uint8_t steps[TP_CERTIFY_STRUCTURE_NODES][TP_CERTIFY_STRUCTURE_NODES];  // one or more
} paths;

tp_chk_structure *tp_chk_structure_new(const tp_chk_class *c, uint32_t n) {
  TP_REQUIRE(n <= TP_CERTIFY_STRUCTURE_NODES);
  size_t size = c->predicates.n * TP_CERTIFY_STRUCTURE_NODES * TP_CERTIFY_STRUCTURE_NODES;
  tp_chk_structure *g = TP_NEW(tp_chk_structure);
  *g = (tp_chk_structure){
      .c = c, .n = n, .values = TP_NEW_ARRAY(uint8_t, size), .changed = ~UINT64_C(0), .version = 1};
  memset(g->values, TP_CHK_HALF, size);
  return g;
}

bool tp_chk_structure_check(const tp_chk_structure *g) {
  bool ok = g->n <= TP_CERTIFY_STRUCTURE_NODES;
  for (uint32_t k = 1; k < g->c->predicates.n && ok; k++)
    for (uint32_t u = 0; u < g->n; u++)
      for (uint32_t v = 0; v < (g->c->predicates.at[k].arity == 2 ? g->n : 1); v++)
        ok = ok && *tp_chk_structure_at(g, k, u, v) <= TP_CHK_HALF;
  return ok;
}

tp_chk_structure *tp_chk_structure_copy(const tp_chk_structure *g) {
  tp_chk_structure *copy = tp_chk_structure_new(g->c, g->n);
  memcpy(copy->is_single, g->is_single, sizeof g->is_single);
  memcpy(copy->is_inhabited, g->is_inhabited, sizeof g->is_inhabited);
  memcpy(copy->values, g->values,
         g->c->predicates.n * TP_CERTIFY_STRUCTURE_NODES * TP_CERTIFY_STRUCTURE_NODES);
  return copy;
}

void tp_chk_structure_free(tp_chk_structure *g) {
  if (!g) return;
  for (size_t i = 0; i < g->paths.n; i++) tp_free(g->paths.at[i]);
  tp_vec_clear(&g->paths);
  tp_free(g->values);
  tp_free(g);
}

tp_chk_structure *tp_chk_structure_of_graph(const tp_chk_class *c, const tp_chk_graph *graph,
                                            const bool *readable) {
  if (graph->n > TP_CERTIFY_STRUCTURE_NODES / 2) return NULL;
  tp_chk_structure *g = tp_chk_structure_new(c, graph->n);
  for (uint32_t u = 0; u < g->n; u++) {
    g->is_single[u] = graph->is_single[u];
    g->is_inhabited[u] = tp_chk_graph_is_inhabited(c, graph, readable, u);
  }
  for (uint32_t k = 1; k < c->predicates.n; k++) {
    if (!readable[k]) continue;
    for (uint32_t u = 0; u < g->n; u++) {
      if (c->predicates.at[k].arity == 1) *tp_chk_structure_at(g, k, u, 0) = graph->values[k][u];
      for (uint32_t v = 0; c->predicates.at[k].arity == 2 && v < g->n; v++)
        *tp_chk_structure_at(g, k, u, v) = graph->values[k][u * graph->n + v];
    }
  }
  TP_INVARIANT(tp_chk_structure_check(g));
  return g;
}

int tp_chk_structure_pointer_node(const tp_chk_structure *k, uint32_t pointer) {
  TP_REQUIRE(k->c->predicates.at[pointer].kind == TP_CHK_P_POINTER);
  for (uint32_t v = 0; v < k->n; v++)
    if (*tp_chk_structure_at(k, pointer, v, 0) == 1 && k->is_inhabited[v]) return (int)v;
  return -1;
}

// --------------------------------------------------------------------- formulas

static uint8_t not3(uint8_t a) { return a == TP_CHK_HALF ? a : !a; }
static uint8_t and3(uint8_t a, uint8_t b) {
  return a == 0 || b == 0 ? 0 : a == 1 && b == 1 ? 1 : TP_CHK_HALF;
}
static uint8_t or3(uint8_t a, uint8_t b) { return not3(and3(not3(a), not3(b))); }
/* A value for all elements of a node as a value for some: 1 only if the node has an element. */
static uint8_t of_some(const tp_chk_structure *g, uint32_t v, uint8_t value) {
  return value == 1 && !g->is_inhabited[v] ? TP_CHK_HALF : value;
}
static uint8_t same(const tp_chk_structure *g, uint32_t u, uint32_t v) {
  return u != v ? 0 : g->is_single[u] ? 1 : TP_CHK_HALF;
}

static uint8_t step(const tp_chk_structure *g, uint64_t fields, uint32_t u, uint32_t v) {
  uint8_t any = 0;
  for (uint32_t f = 0; f < g->c->offsets.n; f++) {
    uint8_t leads = TP_CHK_HALF;
    if (!(fields >> f & 1)) continue;
    for (uint32_t k = 1; k < g->c->predicates.n; k++)
      if (g->c->predicates.at[k].kind == TP_CHK_P_FIELD && g->c->predicates.at[k].field == f)
        leads = *tp_chk_structure_at(g, k, u, v);
    any = or3(any, leads);
  }
  return any;
}

/* Transitive closure. A path is definite if each node on it is inhabited. */
static const paths *paths_along(tp_chk_structure *g, uint64_t fields) {
  paths *p = NULL;
  for (size_t i = 0; i < g->paths.n && !p; i++)
    if (g->paths.at[i]->fields == fields) p = g->paths.at[i];
  if (!p) {
    p = TP_NEW(paths);
    p->fields = fields;
    tp_vec_push(&g->paths, p);
  }
  if (p->version == g->version) return p;
  p->version = g->version;
  for (uint32_t u = 0; u < g->n; u++)
    for (uint32_t v = 0; v < g->n; v++) p->steps[u][v] = step(g, fields, u, v);
  for (uint32_t w = 0; w < g->n; w++)
    for (uint32_t u = 0; u < g->n; u++)
      for (uint32_t v = 0; v < g->n; v++)
        p->steps[u][v] = or3(p->steps[u][v], of_some(g, w, and3(p->steps[u][w], p->steps[w][v])));
  return p;
}

static uint8_t exists(tp_chk_structure *g, const tp_chk_formula *body, uint8_t variable,
                      const uint8_t *env, bool negated) {
  uint8_t inner[TP_CHK_VARIABLES], any = 0;
  memcpy(inner, env, sizeof inner);
  for (uint32_t v = 0; v < g->n && any != 1; v++) {
    inner[variable] = (uint8_t)v;
    uint8_t value = tp_chk_structure_eval(g, body, inner);
    any = or3(any, of_some(g, v, negated ? not3(value) : value));
  }
  return any;
}

static uint8_t choose(uint8_t c, uint8_t a, uint8_t b) {
  return c == 1 ? a : c == 0 ? b : a == b ? a : TP_CHK_HALF;
}

uint8_t tp_chk_structure_eval(tp_chk_structure *g, const tp_chk_formula *f, const uint8_t *env) {
  uint8_t a;
  switch (f->kind) {
    case TP_CHK_F_VALUE: return f->value;
    case TP_CHK_F_ATOM:
      TP_INVARIANT(env[f->a] < g->n && (!f->has_b || env[f->b] < g->n));
      return *tp_chk_structure_at(g, f->predicate, env[f->a], f->has_b ? env[f->b] : 0);
    case TP_CHK_F_EQUAL: return f->a == f->b ? 1 : same(g, env[f->a], env[f->b]);
    case TP_CHK_F_NOT: return not3(tp_chk_structure_eval(g, f->kid[0], env));
    case TP_CHK_F_AND:
      a = tp_chk_structure_eval(g, f->kid[0], env);
      return a == 0 ? 0 : and3(a, tp_chk_structure_eval(g, f->kid[1], env));
    case TP_CHK_F_OR:
      a = tp_chk_structure_eval(g, f->kid[0], env);
      return a == 1 ? 1 : or3(a, tp_chk_structure_eval(g, f->kid[1], env));
    case TP_CHK_F_IF:
      return choose(tp_chk_structure_eval(g, f->kid[0], env),
                    tp_chk_structure_eval(g, f->kid[1], env),
                    tp_chk_structure_eval(g, f->kid[2], env));
    case TP_CHK_F_EXISTS: return exists(g, f->kid[0], f->a, env, false);
    case TP_CHK_F_FORALL: return not3(exists(g, f->kid[0], f->a, env, true));
    case TP_CHK_F_PATH:
      a = paths_along(g, f->fields)->steps[env[f->a]][env[f->b]];
      return f->is_reflexive ? f->a == f->b ? 1 : or3(a, same(g, env[f->a], env[f->b])) : a;
  }
  return TP_CHK_HALF;
}

// ------------------------------------------------------------- definite values

static bool is_cheap(const tp_chk_formula *f) {
  return f->kind == TP_CHK_F_ATOM || f->kind == TP_CHK_F_EQUAL || f->kind == TP_CHK_F_VALUE ||
         (f->kind == TP_CHK_F_NOT && is_cheap(f->kid[0]));
}

/* A conjunction has value 1, a disjunction 0, if both kids have; the opposite if one has. */
static bool is_pair(tp_chk_structure *g, const tp_chk_formula *f, const uint8_t *env, bool value) {
  const bool first = is_cheap(f->kid[1]) && !is_cheap(f->kid[0]);
  const bool a = tp_chk_structure_is(g, f->kid[first], env, value);
  if (value == (f->kind == TP_CHK_F_AND))
    return a && tp_chk_structure_is(g, f->kid[!first], env, value);
  return a || tp_chk_structure_is(g, f->kid[!first], env, value);
}

/* "There is" has value 1 if some inhabited node has, 0 if all nodes have. */
static bool is_exists(tp_chk_structure *g, const tp_chk_formula *body, uint8_t variable,
                      const uint8_t *env, bool negated, bool value) {
  uint8_t inner[TP_CHK_VARIABLES];
  memcpy(inner, env, sizeof inner);
  for (uint32_t v = 0; v < g->n; v++) {
    if (value && !g->is_inhabited[v]) continue;
    inner[variable] = (uint8_t)v;
    if (tp_chk_structure_is(g, body, inner, value != negated) == value) return value;
  }
  return !value;
}

bool tp_chk_structure_is(tp_chk_structure *g, const tp_chk_formula *f, const uint8_t *env,
                         bool value) {
  switch (f->kind) {
    case TP_CHK_F_NOT: return tp_chk_structure_is(g, f->kid[0], env, !value);
    case TP_CHK_F_AND:
    case TP_CHK_F_OR: return is_pair(g, f, env, value);
    case TP_CHK_F_EXISTS: return is_exists(g, f->kid[0], f->a, env, false, value);
    case TP_CHK_F_FORALL: return is_exists(g, f->kid[0], f->a, env, true, !value);
    case TP_CHK_F_VALUE:
    case TP_CHK_F_ATOM:
    case TP_CHK_F_EQUAL:
    case TP_CHK_F_IF:
    case TP_CHK_F_PATH: break;
  }
  return tp_chk_structure_eval(g, f, env) == value;
}
