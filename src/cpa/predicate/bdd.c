/* Recursion is as deep as there are variables, that is predicates in one set. */
#include "cpa/predicate/bdd.h"

#include <stdlib.h>

enum { COMPUTED = 1 << 14, FIRST_SLOTS = 1 << 10 };
#define NO_VAR UINT32_MAX  // of the constants: behind all variables

void tp_bdds_init(tp_bdds *b) {
  memset(b, 0, sizeof *b);
  for (int i = 0; i < 3; i++) tp_vec_push(&b->nodes, (tp_bdd_node){.var = NO_VAR});
  b->n_slots = FIRST_SLOTS;
  b->slots = TP_NEW_ARRAY(uint32_t, b->n_slots);
  b->computed = TP_NEW_ARRAY(tp_bdd_computed, COMPUTED);
}

void tp_bdds_clear(tp_bdds *b) {
  tp_vec_clear(&b->nodes);
  tp_free(b->slots);
  tp_free(b->computed);
  memset(b, 0, sizeof *b);
}

static const tp_bdd_node *node(const tp_bdds *b, tp_bdd f) {
  TP_REQUIRE(f.id && f.id < b->nodes.n);
  return &b->nodes.at[f.id];
}

// ------------------------------------------------------------------ unique table

static uint64_t hash_of(tp_bdd_node n) {
  return tp_hash_mix(tp_hash_mix(n.var, n.low.id), n.high.id);
}

static bool same(const tp_bdd_node *a, tp_bdd_node b) {
  return a->var == b.var && a->low.id == b.low.id && a->high.id == b.high.id;
}

/* The slot of the node, or the empty one where it belongs. */
static uint32_t *slot_of(const tp_bdds *b, tp_bdd_node n) {
  TP_INVARIANT(b->nodes.n < b->n_slots && (b->n_slots & (b->n_slots - 1)) == 0);  // a slot is free
  size_t i = (size_t)hash_of(n) & (b->n_slots - 1);
  while (b->slots[i] && !same(&b->nodes.at[b->slots[i]], n)) i = (i + 1) & (b->n_slots - 1);
  return &b->slots[i];
}

static void grow(tp_bdds *b) {
  tp_free(b->slots);
  b->n_slots *= 2;
  b->slots = TP_NEW_ARRAY(uint32_t, b->n_slots);
  for (uint32_t i = 3; i < b->nodes.n; i++) *slot_of(b, b->nodes.at[i]) = i;
  TP_INVARIANT(tp_bdds_check(b));  // every node is found: each growth doubles, so linear in all
}

static tp_bdd make(tp_bdds *b, uint32_t var, tp_bdd low, tp_bdd high) {
  TP_REQUIRE(var < node(b, low)->var && var < node(b, high)->var);  // ordered
  if (tp_bdd_eq(low, high)) return low;
  tp_bdd_node n = {var, low, high};
  uint32_t *slot = slot_of(b, n);
  if (*slot) return (tp_bdd){*slot};
  uint32_t id = *slot = (uint32_t)b->nodes.n;
  tp_vec_push(&b->nodes, n);
  if (b->nodes.n * 2 > b->n_slots) grow(b);
  return (tp_bdd){id};
}

tp_bdd tp_bdd_var(tp_bdds *b, uint32_t var) { return make(b, var, TP_BDD_FALSE, TP_BDD_TRUE); }

// ------------------------------------------------------------------------- ite

static tp_bdd branch(const tp_bdds *b, tp_bdd f, uint32_t var, bool value) {
  const tp_bdd_node *n = node(b, f);
  if (n->var != var) return f;
  return value ? n->high : n->low;
}

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

tp_bdd tp_bdd_ite(tp_bdds *b, tp_bdd f, tp_bdd g, tp_bdd h) {
  TP_REQUIRE(f.id && g.id && h.id);
  if (tp_bdd_is_true(f) || tp_bdd_eq(g, h)) return g;
  if (tp_bdd_is_false(f)) return h;
  if (tp_bdd_eq(f, g)) g = TP_BDD_TRUE;
  if (tp_bdd_eq(f, h)) h = TP_BDD_FALSE;
  if (tp_bdd_is_true(g) && tp_bdd_is_false(h)) return f;
  if (tp_bdd_eq(g, h)) return g;
  tp_bdd_computed *known =
      &b->computed[(size_t)tp_hash_mix(tp_hash_mix(f.id, g.id), h.id) & (COMPUTED - 1)];
  if (known->f.id == f.id && known->g.id == g.id && known->h.id == h.id) return known->result;
  uint32_t var = least(node(b, f)->var, least(node(b, g)->var, node(b, h)->var));
  tp_bdd high =
      tp_bdd_ite(b, branch(b, f, var, true), branch(b, g, var, true), branch(b, h, var, true));
  tp_bdd low =
      tp_bdd_ite(b, branch(b, f, var, false), branch(b, g, var, false), branch(b, h, var, false));
  tp_bdd result = make(b, var, low, high);
  *known = (tp_bdd_computed){f, g, h, result};
  return result;
}

// -------------------------------------------------------------- quantification

typedef struct {
  tp_bdds *b;
  const bool *drop;
  size_t n;
  tp_map memo;
} quantifier;

static tp_bdd without(quantifier *q, tp_bdd f) {
  uint64_t found;
  if (f.id <= TP_BDD_TRUE.id) return f;
  if (tp_map_get(&q->memo, f.id, &found)) return (tp_bdd){(uint32_t)found};
  tp_bdd_node n = *node(q->b, f);  // copied: the table may move
  tp_bdd low = without(q, n.low), high = without(q, n.high);
  bool drops = n.var < q->n && q->drop[n.var];
  tp_bdd result = drops ? tp_bdd_or(q->b, low, high) : make(q->b, n.var, low, high);
  tp_map_set(&q->memo, f.id, result.id);
  return result;
}

tp_bdd tp_bdd_exists(tp_bdds *b, tp_bdd f, const bool *drop, size_t n) {
  quantifier q = {.b = b, .drop = drop, .n = n};
  tp_bdd result = without(&q, f);
  tp_map_clear(&q.memo);
  return result;
}

// ----------------------------------------------------------------------- cubes

static int by_var_down(const void *a, const void *b) {
  const tp_bdd_literal *x = a, *y = b;
  return (x->var < y->var) - (x->var > y->var);
}

tp_bdd tp_bdd_cube(tp_bdds *b, const tp_bdd_literal *literals, size_t n) {
  tp_bdd result = TP_BDD_TRUE;
  tp_bdd_literal *sorted = TP_NEW_ARRAY(tp_bdd_literal, n + 1);
  if (n) memcpy(sorted, literals, n * sizeof *literals);
  qsort(sorted, n, sizeof *sorted, by_var_down);
  for (size_t i = 0; i < n; i++)
    result = sorted[i].value ? make(b, sorted[i].var, TP_BDD_FALSE, result)
                             : make(b, sorted[i].var, result, TP_BDD_FALSE);
  tp_free(sorted);
  return result;
}

// ---------------------------------------------------------------------- reading

bool tp_bdd_value(const tp_bdds *b, tp_bdd f, const bool *values) {
  while (f.id > TP_BDD_TRUE.id) f = values[node(b, f)->var] ? node(b, f)->high : node(b, f)->low;
  return tp_bdd_is_true(f);
}

typedef TP_VEC(tp_bdd) bdd_list;

/* The nodes of f, constants left out, parents before children. */
static void nodes_of(const tp_bdds *b, tp_bdd f, bdd_list *out) {
  tp_map seen = {0};
  if (f.id > TP_BDD_TRUE.id) tp_vec_push(out, f);
  for (size_t i = 0; i < out->n; i++) {
    tp_bdd next[2] = {node(b, out->at[i])->low, node(b, out->at[i])->high};
    for (int k = 0; k < 2; k++) {
      if (next[k].id <= TP_BDD_TRUE.id || tp_map_has(&seen, next[k].id)) continue;
      tp_map_set(&seen, next[k].id, 1);
      tp_vec_push(out, next[k]);
    }
  }
  tp_map_clear(&seen);
}

void tp_bdd_support(const tp_bdds *b, tp_bdd f, bool *in, size_t n) {
  bdd_list all = {0};
  nodes_of(b, f, &all);
  for (size_t i = 0; i < all.n; i++)
    if (node(b, all.at[i])->var < n) in[node(b, all.at[i])->var] = true;
  tp_vec_clear(&all);
}

typedef struct {
  const tp_bdds *b;
  tp_terms *tt;
  const tp_term *meaning;
  tp_map memo;
} writer;

static tp_term term_of(writer *s, tp_bdd f) {
  uint64_t found;
  if (tp_bdd_is_false(f)) return tp_mk_false(s->tt);
  if (tp_bdd_is_true(f)) return tp_mk_true(s->tt);
  if (tp_map_get(&s->memo, f.id, &found)) return (tp_term){(uint32_t)found};
  tp_bdd_node n = *node(s->b, f);
  tp_term p = s->meaning[n.var], low = term_of(s, n.low), high = term_of(s, n.high), result;
  if (tp_bdd_is_false(n.low))
    result = tp_mk_and(s->tt, p, high);
  else if (tp_bdd_is_false(n.high))
    result = tp_mk_and(s->tt, tp_mk_not(s->tt, p), low);
  else if (tp_bdd_is_true(n.low))
    result = tp_mk_or(s->tt, tp_mk_not(s->tt, p), high);
  else if (tp_bdd_is_true(n.high))
    result = tp_mk_or(s->tt, p, low);
  else
    result = tp_mk_ite(s->tt, p, high, low);
  tp_map_set(&s->memo, f.id, result.id);
  return result;
}

tp_term tp_bdd_term(const tp_bdds *b, tp_terms *tt, tp_bdd f, const tp_term *meaning) {
  TP_REQUIRE(f.id && f.id < b->nodes.n);
  writer s = {.b = b, .tt = tt, .meaning = meaning};
  tp_term t = term_of(&s, f);
  tp_map_clear(&s.memo);
  return t;
}

bool tp_bdds_check(const tp_bdds *b) {
  for (uint32_t i = 3; i < b->nodes.n; i++) {
    const tp_bdd_node *n = &b->nodes.at[i];
    if (tp_bdd_eq(n->low, n->high) || n->low.id >= i || n->high.id >= i) return false;
    if (node(b, n->low)->var <= n->var || node(b, n->high)->var <= n->var) return false;
    if (*slot_of(b, *n) != i) return false;
  }
  return true;
}
