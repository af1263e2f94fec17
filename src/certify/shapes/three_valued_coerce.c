/* Coerce, focus, embedding.
 *
 * Coerce: a value that a rule requires where the opposite stands shows that one of the rule's nodes
 * is empty. If all others are inhabited, that node is removed; if all are, no heap is represented.
 * The fixpoint ends because each change makes a value definite, a node single or inhabited, or
 * removes a node. Embedding is a search over functions from nodes to nodes, bounded. */
#include "certify/shapes/three_valued.h"

#include "certify/certify_limits.h"

typedef struct {
  tp_chk_structure *g;
  bool none;          // no heap is represented
  bool removed_node;  // numbers of nodes have changed
} coercion;

// ------------------------------------------------------------------------ nodes

static void touch(tp_chk_structure *g, uint32_t k) {
  g->changed |= UINT64_C(1) << k % 64;
  g->version++;
}

static void move_node(tp_chk_structure *g, uint32_t from, uint32_t to) {
  g->is_single[to] = g->is_single[from];
  g->is_inhabited[to] = g->is_inhabited[from];
  for (uint32_t k = 1; k < g->c->predicates.n; k++) {
    if (g->c->predicates.at[k].arity == 1) {
      *tp_chk_structure_at(g, k, to, 0) = *tp_chk_structure_at(g, k, from, 0);
      continue;
    }
    uint8_t self = *tp_chk_structure_at(g, k, from, from);
    for (uint32_t u = 0; u < g->n; u++) {
      *tp_chk_structure_at(g, k, to, u) = *tp_chk_structure_at(g, k, from, u);
      *tp_chk_structure_at(g, k, u, to) = *tp_chk_structure_at(g, k, u, from);
    }
    *tp_chk_structure_at(g, k, to, to) = self;
  }
}

static void remove_node(coercion *s, uint32_t v) {
  tp_chk_structure *g = s->g;
  TP_REQUIRE(v < g->n && !g->is_inhabited[v]);
  if (v + 1 < g->n) move_node(g, g->n - 1, v);
  g->n--;
  g->changed = ~UINT64_C(0);
  g->version++;
  s->removed_node = true;
}

/* No choice of elements from these nodes is possible: one of the nodes is empty. */
static void exclude(coercion *s, uint32_t variables, const uint8_t *env) {
  uint32_t empty = TP_CERTIFY_STRUCTURE_NODES;
  TP_REQUIRE(!s->removed_node);  // else numbers in env are of other nodes
  for (uint32_t v = 0; v < TP_CHK_VARIABLES; v++) {
    if (!(variables >> v & 1) || s->g->is_inhabited[env[v]]) continue;
    if (empty != TP_CERTIFY_STRUCTURE_NODES && empty != env[v]) return;  // one of several
    empty = env[v];
  }
  if (empty == TP_CERTIFY_STRUCTURE_NODES)
    s->none = true;
  else
    remove_node(s, empty);
}

// ----------------------------------------------------------------------- values

/* The formula has this value for all elements of the nodes of these variables, which are those of a
 * rule: the formula need not name them all. */
static void require(coercion *s, const tp_chk_formula *f, bool value, uint32_t variables,
                    const uint8_t *env);

/* If the nodes of a and b have elements, do those of all variables? Else the rule may not apply. */
static bool others_exist(const coercion *s, uint32_t variables, const uint8_t *env, uint8_t a,
                         uint8_t b) {
  for (uint32_t v = 0; v < TP_CHK_VARIABLES; v++)
    if ((variables >> v & 1) && !s->g->is_inhabited[env[v]] && env[v] != env[a] && env[v] != env[b])
      return false;
  return true;
}

static void require_atom(coercion *s, const tp_chk_formula *f, bool value, uint32_t variables,
                         const uint8_t *env) {
  uint8_t *at = tp_chk_structure_at(s->g, f->predicate, env[f->a], f->has_b ? env[f->b] : 0);
  if (*at == value) return;
  if (*at != TP_CHK_HALF) {
    exclude(s, variables, env);
    return;
  }
  if (!others_exist(s, variables, env, f->a, f->has_b ? f->b : f->a)) return;
  if (f->has_b && f->a == f->b && !s->g->is_single[env[f->a]])
    return;  // says it of each element and itself, not of pairs
  *at = value;
  touch(s->g, f->predicate);
}

static void require_equal(coercion *s, const tp_chk_formula *f, bool value, uint32_t variables,
                          const uint8_t *env) {
  tp_chk_structure *g = s->g;
  uint32_t u = env[f->a], v = env[f->b];
  if (f->a == f->b ? !value : value != (u == v)) {
    exclude(s, variables, env);
  } else if (value && f->a != f->b && !g->is_single[u] &&
             others_exist(s, variables, env, f->a, f->b)) {
    g->is_single[u] = true;
    g->changed = ~UINT64_C(0);
    g->version++;
  }
}

/* There is an element with the body: if only one node can have such an element, that node does. */
static void require_some(coercion *s, const tp_chk_formula *f, uint32_t variables,
                         const uint8_t *env) {
  uint8_t inner[TP_CHK_VARIABLES];
  uint32_t candidate = TP_CERTIFY_STRUCTURE_NODES;
  memcpy(inner, env, sizeof inner);
  for (uint32_t v = 0; v < s->g->n; v++) {
    inner[f->a] = (uint8_t)v;
    if (tp_chk_structure_eval(s->g, f->kid[0], inner) == 0) continue;
    if (candidate != TP_CERTIFY_STRUCTURE_NODES) return;
    candidate = v;
  }
  if (candidate == TP_CERTIFY_STRUCTURE_NODES) {
    exclude(s, variables, env);
    return;
  }
  for (uint32_t v = 0; v < TP_CHK_VARIABLES; v++)
    if ((variables >> v & 1) && !s->g->is_inhabited[env[v]]) return;  // the rule may not apply
  inner[f->a] = (uint8_t)candidate;
  if (!s->g->is_inhabited[candidate]) {
    s->g->is_inhabited[candidate] = true;
    s->g->changed = ~UINT64_C(0);
    s->g->version++;
  }
  if (s->g->is_single[candidate]) require(s, f->kid[0], true, variables, inner);
}

static void require(coercion *s, const tp_chk_formula *f, bool value, uint32_t variables,
                    const uint8_t *env) {
  if (s->none || s->removed_node) return;
  switch (f->kind) {
    case TP_CHK_F_NOT: require(s, f->kid[0], !value, variables, env); return;
    case TP_CHK_F_ATOM: require_atom(s, f, value, variables, env); return;
    case TP_CHK_F_EQUAL: require_equal(s, f, value, variables, env); return;
    case TP_CHK_F_AND:
    case TP_CHK_F_OR:
      if (value != (f->kind == TP_CHK_F_AND)) break;
      require(s, f->kid[0], value, variables, env);
      require(s, f->kid[1], value, variables, env);
      return;
    case TP_CHK_F_EXISTS:
      if (!value) break;
      require_some(s, f, variables, env);
      return;
    case TP_CHK_F_VALUE:
    case TP_CHK_F_IF:
    case TP_CHK_F_FORALL:
    case TP_CHK_F_PATH: break;
  }
  uint8_t now = tp_chk_structure_eval(s->g, f, env);
  if (now != TP_CHK_HALF && now != value) exclude(s, variables, env);
}

// ------------------------------------------------------------------- the language

static void set(coercion *s, uint32_t k, uint32_t u, uint32_t v, bool has_v, bool value) {
  const tp_chk_formula f = {.kind = TP_CHK_F_ATOM, .predicate = k, .a = 0, .b = 1, .has_b = has_v};
  const uint8_t env[TP_CHK_VARIABLES] = {(uint8_t)u, (uint8_t)v};
  if (!s->none && !s->removed_node) require_atom(s, &f, value, has_v ? 3 : 1, env);
}

static void make_single(tp_chk_structure *g, uint32_t v) {
  if (g->is_single[v]) return;
  g->is_single[v] = true;
  g->changed = ~UINT64_C(0);
  g->version++;
}

/* A pointer leads to one element. */
static void coerce_pointer(coercion *s, uint32_t k) {
  tp_chk_structure *g = s->g;
  for (uint32_t v = 0; v < g->n && !s->removed_node; v++) {
    if (*tp_chk_structure_at(g, k, v, 0) != 1) continue;
    make_single(g, v);
    for (uint32_t w = 0; w < g->n && g->is_inhabited[v]; w++)
      if (w != v) set(s, k, w, 0, false, false);
  }
}

/* A field is a function on cells that were not freed. */
static void coerce_field(coercion *s, uint32_t k, uint32_t freed, uint32_t outside) {
  tp_chk_structure *g = s->g;
  for (uint32_t u = 0; u < g->n && !s->removed_node; u++) {
    bool has_none = (freed && *tp_chk_structure_at(g, freed, u, 0) == 1) ||
                    (outside && *tp_chk_structure_at(g, outside, u, 0) == 1);
    for (uint32_t v = 0; v < g->n && has_none; v++) set(s, k, u, v, true, false);
    for (uint32_t v = 0; v < g->n && !has_none && !s->removed_node; v++) {
      if (*tp_chk_structure_at(g, k, u, v) != 1) continue;
      if (g->is_inhabited[u]) make_single(g, v);
      for (uint32_t w = 0; w < g->n && g->is_inhabited[v]; w++)
        if (w != v) set(s, k, u, w, true, false);
    }
  }
}

static void coerce_by_meaning(coercion *s) {
  const tp_chk_class *c = s->g->c;
  uint32_t freed = tp_chk_class_find(c, TP_CHK_P_FREED),
           outside = tp_chk_class_find(c, TP_CHK_P_OUTSIDE);
  for (uint32_t k = 1; k < c->predicates.n && !s->none && !s->removed_node; k++) {
    if (c->predicates.at[k].kind == TP_CHK_P_POINTER) coerce_pointer(s, k);
    if (c->predicates.at[k].kind == TP_CHK_P_FIELD) coerce_field(s, k, freed, outside);
  }
}

// ------------------------------------------------------------------------- rules

/* An atom, or "not" an atom. */
static bool is_atom(const tp_chk_formula *f) {
  return f->kind == TP_CHK_F_ATOM || (f->kind == TP_CHK_F_NOT && f->kid[0]->kind == TP_CHK_F_ATOM);
}

/* Would the rule change a value? Only then it has to be proved. */
static bool is_news(coercion *s, const tp_chk_rule *r, const uint8_t *env) {
  return !(is_atom(r->head) && tp_chk_structure_is(s->g, r->head, env, true)) &&
         tp_chk_structure_is(s->g, r->body, env, true) &&
         !tp_chk_structure_is(s->g, r->head, env, true);
}

static void apply(coercion *s, const tp_chk_rules *rules, size_t i) {
  const tp_chk_rule *r = &rules->at[i];
  uint8_t env[TP_CHK_VARIABLES] = {0}, free_variables[TP_CERTIFY_RULE_VARIABLES];
  uint32_t n = 0, choices = 1;
  for (uint8_t v = 0; v < TP_CHK_VARIABLES; v++) {
    if (!(r->variables >> v & 1)) continue;
    if (n == TP_CERTIFY_RULE_VARIABLES) return;
    free_variables[n++] = v;
    choices *= s->g->n;
  }
  for (uint32_t choice = 0; choice < choices && !s->none && !s->removed_node; choice++) {
    for (uint32_t k = 0, left = choice; k < n; k++, left /= s->g->n)
      env[free_variables[k]] = (uint8_t)(left % s->g->n);
    if (!is_news(s, r, env)) continue;
    if (!rules->holds(rules->ctx, i)) return;
    require(s, r->head, true, r->variables, env);
  }
}

bool tp_chk_structure_coerce(tp_chk_structure *g, const tp_chk_rules *rules) {
  coercion s = {.g = g};
  TP_REQUIRE(rules->holds && tp_chk_structure_check(g));
  while (g->changed && !s.none) {
    uint64_t changed = g->changed;
    g->changed = 0;
    s.removed_node = false;
    coerce_by_meaning(&s);
    for (size_t i = 0; i < rules->n && !s.none && !s.removed_node; i++)
      if (rules->at[i].reads & (changed | g->changed)) apply(&s, rules, i);
  }
  TP_INVARIANT(tp_chk_structure_check(g));
  return !s.none;
}

// ------------------------------------------------------------------------- cases

/* A second node with all values of v. */
static uint32_t twin(tp_chk_structure *g, uint32_t v) {
  TP_REQUIRE(v < g->n && g->n < TP_CERTIFY_STRUCTURE_NODES);
  uint32_t w = g->n++;
  g->is_single[w] = g->is_single[v];
  g->is_inhabited[w] = g->is_inhabited[v];
  for (uint32_t k = 1; k < g->c->predicates.n; k++) {
    if (g->c->predicates.at[k].arity == 1) {
      *tp_chk_structure_at(g, k, w, 0) = *tp_chk_structure_at(g, k, v, 0);
      continue;
    }
    for (uint32_t u = 0; u < w; u++) {
      *tp_chk_structure_at(g, k, w, u) = *tp_chk_structure_at(g, k, v, u);
      *tp_chk_structure_at(g, k, u, w) = *tp_chk_structure_at(g, k, u, v);
    }
    *tp_chk_structure_at(g, k, w, w) = *tp_chk_structure_at(g, k, v, v);
  }
  return w;
}

/* The field leads to an element of v: the only one (alone), or one of several, which becomes a node
 * of its own. */
static void lead_to(const tp_chk_structure *g, uint32_t k, uint32_t u, uint32_t v, bool alone,
                    tp_chk_structures *out) {
  tp_chk_structure *part = tp_chk_structure_copy(g);
  uint32_t to = alone ? v : twin(part, v);
  part->is_single[to] = part->is_inhabited[to] = true;
  if (!alone) part->is_inhabited[v] = true;
  for (uint32_t w = 0; w < part->n; w++) *tp_chk_structure_at(part, k, u, w) = w == to;
  tp_vec_push(out, part);
}

bool tp_chk_structure_focus(const tp_chk_structure *g, uint32_t field, uint32_t u,
                            tp_chk_structures *out) {
  bool may_be_none = true;
  TP_REQUIRE(g->c->predicates.at[field].kind == TP_CHK_P_FIELD && u < g->n);
  if (g->n == TP_CERTIFY_STRUCTURE_NODES || !g->is_single[u] || !g->is_inhabited[u]) return false;
  for (uint32_t v = 0; v < g->n; v++) {
    uint8_t leads = *tp_chk_structure_at(g, field, u, v);
    if (leads == 1 && g->is_inhabited[v]) may_be_none = false;
    if (leads == 0) continue;
    lead_to(g, field, u, v, true, out);
    if (!g->is_single[v] && v != u) lead_to(g, field, u, v, false, out);
  }
  if (!may_be_none) return true;
  tp_chk_structure *part = tp_chk_structure_copy(g);
  for (uint32_t w = 0; w < part->n; w++) *tp_chk_structure_at(part, field, u, w) = 0;
  tp_vec_push(out, part);
  return true;
}

// --------------------------------------------------------------------- embedding

typedef struct {
  const tp_chk_structure *g;
  const tp_chk_graph *into;
  const bool *readable;
  uint32_t to[TP_CERTIFY_STRUCTURE_NODES];
  uint32_t tried;  // choices of a node for a node
} embedding;

static bool is_within(uint8_t value, uint8_t wanted) {
  return wanted == TP_CHK_HALF || value == wanted;
}

/* Nodes 0 .. v - 1 fit where they are; does v? */
static bool fits(const embedding *e, uint32_t v) {
  const tp_chk_class *c = e->g->c;
  const uint32_t n = e->into->n, to = e->to[v];
  if (e->into->is_single[to] && !e->g->is_single[v]) return false;
  for (uint32_t u = 0; u < v; u++)
    if (e->into->is_single[to] && e->to[u] == to) return false;
  for (uint32_t k = 1; k < c->predicates.n; k++) {
    if (!e->readable[k]) continue;
    if (c->predicates.at[k].arity == 1) {
      if (!is_within(*tp_chk_structure_at(e->g, k, v, 0), e->into->values[k][to])) return false;
      continue;
    }
    for (uint32_t u = 0; u <= v; u++)
      if (!is_within(*tp_chk_structure_at(e->g, k, u, v), e->into->values[k][e->to[u] * n + to]) ||
          !is_within(*tp_chk_structure_at(e->g, k, v, u), e->into->values[k][to * n + e->to[u]]))
        return false;
  }
  return true;
}

/* Has the node of `into` an element in every heap? */
static bool is_hit(const embedding *e, uint32_t node) {
  for (uint32_t v = 0; v < e->g->n; v++)
    if (e->to[v] == node && e->g->is_inhabited[v]) return true;
  return false;
}

static bool embed(embedding *e, uint32_t v) {
  if (v == e->g->n) {
    for (uint32_t w = 0; w < e->into->n; w++)
      if (tp_chk_graph_is_inhabited(e->g->c, e->into, e->readable, w) && !is_hit(e, w))
        return false;
    return true;
  }
  for (uint32_t w = 0; w < e->into->n && e->tried++ < TP_CERTIFY_EMBEDDING_TRIES; w++) {
    e->to[v] = w;
    if (fits(e, v) && embed(e, v + 1)) return true;
  }
  return false;
}

bool tp_chk_structure_embeds(const tp_chk_structure *g, const tp_chk_graph *into,
                             const bool *readable) {
  embedding e = {.g = g, .into = into, .readable = readable};
  TP_REQUIRE(g->n <= TP_CERTIFY_STRUCTURE_NODES && readable);
  return embed(&e, 0);
}
