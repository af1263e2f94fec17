/* Interning: a map from hashes to the newest formula with that hash; a rare formula that shares its
 * hash with another one is made anew each time, which costs memory, not meaning. Constants fold,
 * negations move inwards: Kleene's connectives obey De Morgan and double negation, so this keeps
 * every value. */
#include "shape/formula.h"

struct tp_formulas {
  TP_VEC(tp_formula_node) nodes;  // [0] unused
  tp_map index;
};

tp_formulas *tp_formulas_new(void) {
  tp_formulas *t = TP_NEW(tp_formulas);
  tp_vec_push(&t->nodes, (tp_formula_node){0});
  return t;
}

void tp_formulas_free(tp_formulas *t) {
  if (!t) return;
  tp_vec_clear(&t->nodes);
  tp_map_clear(&t->index);
  tp_free(t);
}

const tp_formula_node *tp_formula_at(const tp_formulas *t, tp_formula f) {
  TP_INVARIANT(f.id > 0 && f.id < t->nodes.n);
  return &t->nodes.at[f.id];
}

const tp_formula_node *tp_formula_nodes(const tp_formulas *t) { return t->nodes.at; }

static bool same(const tp_formula_node *x, const tp_formula_node *y) {
  return x->kind == y->kind && x->value == y->value && x->is_primed == y->is_primed &&
         x->predicate == y->predicate && x->a == y->a && x->b == y->b && x->from == y->from &&
         x->to == y->to && tp_formula_eq(x->kid[0], y->kid[0]) &&
         tp_formula_eq(x->kid[1], y->kid[1]) && tp_formula_eq(x->kid[2], y->kid[2]);
}

static tp_formula intern(tp_formulas *t, tp_formula_node n) {
  TP_REQUIRE(n.kind != TP_FORMULA_VALUE || n.free == 0);
  for (uint32_t k = 0; k < 3; k++) TP_INVARIANT(n.kid[k].id < t->nodes.n);  // kids are older
  TP_INVARIANT(n.a < TP_FORMULA_MAX_VARS && n.b < TP_FORMULA_MAX_VARS &&
               n.from < TP_FORMULA_MAX_VARS && n.to < TP_FORMULA_MAX_VARS);
  uint64_t h = tp_hash_mix(
      (uint64_t)n.kind << 32 | (uint64_t)n.value << 24 | (uint64_t)n.is_primed << 16 | n.predicate,
      (uint64_t)n.a << 24 | (uint64_t)n.b << 16 | (uint64_t)n.from << 8 | n.to);
  for (uint32_t k = 0; k < 3; k++) h = tp_hash_mix(h, n.kid[k].id);
  uint64_t id;
  if (tp_map_get(&t->index, h, &id) && same(&t->nodes.at[id], &n))
    return (tp_formula){(uint32_t)id};
  id = t->nodes.n;
  tp_vec_push(&t->nodes, n);
  tp_map_set(&t->index, h, id);
  return (tp_formula){(uint32_t)id};
}

static uint32_t bit(uint32_t v) { return (uint32_t)1 << v; }
static uint32_t free_of(const tp_formulas *t, tp_formula f) { return tp_formula_at(t, f)->free; }
static bool is_value(const tp_formulas *t, tp_formula f, tp_kleene v) {
  const tp_formula_node *n = tp_formula_at(t, f);
  return n->kind == TP_FORMULA_VALUE && n->value == v;
}

tp_formula tp_formula_value(tp_formulas *t, tp_kleene v) {
  return intern(t, (tp_formula_node){.kind = TP_FORMULA_VALUE, .value = v});
}

tp_formula tp_formula_unary(tp_formulas *t, tp_when when, uint32_t predicate, uint32_t v) {
  TP_REQUIRE(v < TP_FORMULA_MAX_VARS && predicate <= UINT16_MAX);
  return intern(t, (tp_formula_node){.kind = TP_FORMULA_UNARY,
                                     .is_primed = when == TP_AFTER,
                                     .predicate = (uint16_t)predicate,
                                     .a = (uint8_t)v,
                                     .free = bit(v)});
}

tp_formula tp_formula_binary(tp_formulas *t, tp_when when, uint32_t predicate, uint32_t u,
                             uint32_t v) {
  TP_REQUIRE(u < TP_FORMULA_MAX_VARS && v < TP_FORMULA_MAX_VARS && predicate <= UINT16_MAX);
  return intern(t, (tp_formula_node){.kind = TP_FORMULA_BINARY,
                                     .is_primed = when == TP_AFTER,
                                     .predicate = (uint16_t)predicate,
                                     .a = (uint8_t)u,
                                     .b = (uint8_t)v,
                                     .free = bit(u) | bit(v)});
}

tp_formula tp_formula_equal(tp_formulas *t, uint32_t u, uint32_t v) {
  if (u == v) return tp_formula_value(t, TP_KLEENE_TRUE);  // one cell, whichever it is
  return intern(t, (tp_formula_node){.kind = TP_FORMULA_EQUAL,
                                     .a = (uint8_t)(u < v ? u : v),
                                     .b = (uint8_t)(u < v ? v : u),
                                     .free = bit(u) | bit(v)});
}

tp_formula tp_formula_and(tp_formulas *t, tp_formula f, tp_formula g) {
  if (is_value(t, f, TP_KLEENE_FALSE) || is_value(t, g, TP_KLEENE_TRUE) || tp_formula_eq(f, g))
    return f;
  if (is_value(t, g, TP_KLEENE_FALSE) || is_value(t, f, TP_KLEENE_TRUE)) return g;
  return intern(t,
                (tp_formula_node){
                    .kind = TP_FORMULA_AND, .kid = {f, g}, .free = free_of(t, f) | free_of(t, g)});
}

tp_formula tp_formula_or(tp_formulas *t, tp_formula f, tp_formula g) {
  if (is_value(t, f, TP_KLEENE_TRUE) || is_value(t, g, TP_KLEENE_FALSE) || tp_formula_eq(f, g))
    return f;
  if (is_value(t, g, TP_KLEENE_TRUE) || is_value(t, f, TP_KLEENE_FALSE)) return g;
  return intern(t,
                (tp_formula_node){
                    .kind = TP_FORMULA_OR, .kid = {f, g}, .free = free_of(t, f) | free_of(t, g)});
}

tp_formula tp_formula_choose(tp_formulas *t, tp_formula c, tp_formula f, tp_formula g) {
  if (is_value(t, c, TP_KLEENE_TRUE) || tp_formula_eq(f, g)) return f;
  if (is_value(t, c, TP_KLEENE_FALSE)) return g;
  return intern(t, (tp_formula_node){.kind = TP_FORMULA_CHOOSE,
                                     .kid = {c, f, g},
                                     .free = free_of(t, c) | free_of(t, f) | free_of(t, g)});
}

tp_formula tp_formula_not(tp_formulas *t, tp_formula f) {
  const tp_formula_node n = *tp_formula_at(t, f);
  switch (n.kind) {
    case TP_FORMULA_VALUE: return tp_formula_value(t, tp_kleene_not(n.value));
    case TP_FORMULA_NOT: return n.kid[0];
    case TP_FORMULA_AND:
      return tp_formula_or(t, tp_formula_not(t, n.kid[0]), tp_formula_not(t, n.kid[1]));
    case TP_FORMULA_OR:
      return tp_formula_and(t, tp_formula_not(t, n.kid[0]), tp_formula_not(t, n.kid[1]));
    case TP_FORMULA_CHOOSE:
      return tp_formula_choose(t, n.kid[0], tp_formula_not(t, n.kid[1]),
                               tp_formula_not(t, n.kid[2]));
    case TP_FORMULA_UNARY:
    case TP_FORMULA_BINARY:
    case TP_FORMULA_EQUAL:
    case TP_FORMULA_EXISTS:
    case TP_FORMULA_CLOSURE: break;
  }
  return intern(t, (tp_formula_node){.kind = TP_FORMULA_NOT, .kid = {f}, .free = n.free});
}

/* "There is" is kept over a body without its variable: in the empty heap it is false. */
tp_formula tp_formula_exists(tp_formulas *t, uint32_t v, tp_formula f) {
  TP_REQUIRE(v < TP_FORMULA_MAX_VARS);
  if (is_value(t, f, TP_KLEENE_FALSE)) return f;
  return intern(
      t,
      (tp_formula_node){
          .kind = TP_FORMULA_EXISTS, .a = (uint8_t)v, .kid = {f}, .free = free_of(t, f) & ~bit(v)});
}

tp_formula tp_formula_forall(tp_formulas *t, uint32_t v, tp_formula f) {
  return tp_formula_not(t, tp_formula_exists(t, v, tp_formula_not(t, f)));
}

tp_formula tp_formula_closure(tp_formulas *t, uint32_t from, uint32_t to, tp_formula step,
                              uint32_t u, uint32_t v) {
  TP_INVARIANT(from != to);
  if (is_value(t, step, TP_KLEENE_FALSE)) return step;
  return intern(
      t, (tp_formula_node){.kind = TP_FORMULA_CLOSURE,
                           .a = (uint8_t)u,
                           .b = (uint8_t)v,
                           .from = (uint8_t)from,
                           .to = (uint8_t)to,
                           .kid = {step},
                           .free = (free_of(t, step) & ~bit(from) & ~bit(to)) | bit(u) | bit(v)});
}

tp_formula tp_formula_reflexive(tp_formulas *t, uint32_t from, uint32_t to, tp_formula step,
                                uint32_t u, uint32_t v) {
  return tp_formula_or(t, tp_formula_equal(t, u, v), tp_formula_closure(t, from, to, step, u, v));
}

typedef struct {
  uint8_t to[TP_FORMULA_MAX_VARS];
  uint32_t targets;
} renaming;

static tp_formula rename_in(tp_formulas *t, tp_formula f, renaming r, bool *captured) {
  tp_formula_node n = *tp_formula_at(t, f);
  if (n.kind == TP_FORMULA_EXISTS) {
    *captured |= (r.targets >> n.a) & 1;
    r.to[n.a] = n.a;
    return tp_formula_exists(t, n.a, rename_in(t, n.kid[0], r, captured));
  }
  tp_formula kid[3] = {TP_FORMULA_NONE, TP_FORMULA_NONE, TP_FORMULA_NONE};
  const uint8_t a = r.to[n.a], b = r.to[n.b];
  if (n.kind == TP_FORMULA_CLOSURE) {
    *captured |= ((r.targets >> n.from) & 1) || ((r.targets >> n.to) & 1);
    r.to[n.from] = n.from;
    r.to[n.to] = n.to;
  }
  for (uint32_t k = 0; k < 3; k++)
    if (n.kid[k].id) kid[k] = rename_in(t, n.kid[k], r, captured);
  const tp_when when = n.is_primed ? TP_AFTER : TP_BEFORE;
  switch (n.kind) {
    case TP_FORMULA_VALUE:
    case TP_FORMULA_EXISTS: break;
    case TP_FORMULA_UNARY: return tp_formula_unary(t, when, n.predicate, a);
    case TP_FORMULA_BINARY: return tp_formula_binary(t, when, n.predicate, a, b);
    case TP_FORMULA_EQUAL: return tp_formula_equal(t, a, b);
    case TP_FORMULA_NOT: return tp_formula_not(t, kid[0]);
    case TP_FORMULA_AND: return tp_formula_and(t, kid[0], kid[1]);
    case TP_FORMULA_OR: return tp_formula_or(t, kid[0], kid[1]);
    case TP_FORMULA_CHOOSE: return tp_formula_choose(t, kid[0], kid[1], kid[2]);
    case TP_FORMULA_CLOSURE: return tp_formula_closure(t, n.from, n.to, kid[0], a, b);
  }
  return f;
}

tp_formula tp_formula_rename(tp_formulas *t, tp_formula f, uint32_t from, uint32_t u, uint32_t to,
                             uint32_t v) {
  TP_REQUIRE((from != to || u == v) && u < TP_FORMULA_MAX_VARS && v < TP_FORMULA_MAX_VARS);
  renaming r = {.targets = bit(u) | bit(v)};
  for (uint32_t k = 0; k < TP_FORMULA_MAX_VARS; k++) r.to[k] = (uint8_t)k;
  r.to[from] = (uint8_t)u;
  r.to[to] = (uint8_t)v;
  bool captured = false;
  const tp_formula out = rename_in(t, f, r, &captured);
  return captured ? TP_FORMULA_NONE : out;
}

void tp_formula_add_reads(const tp_formulas *t, tp_formula f, tp_when when,
                          tp_formula_reads *reads) {
  const tp_formula_node *n = tp_formula_at(t, f);
  const bool counts = n->is_primed == (when == TP_AFTER);
  if (n->kind == TP_FORMULA_UNARY && counts)
    reads->unary[n->predicate / 64] |= tp_k64_bit(n->predicate % 64);
  if (n->kind == TP_FORMULA_BINARY && counts)
    reads->binary[n->predicate / 64] |= tp_k64_bit(n->predicate % 64);
  if (n->kind == TP_FORMULA_EQUAL) reads->equality = true;
  for (uint32_t k = 0; k < 3; k++)
    if (n->kid[k].id) tp_formula_add_reads(t, n->kid[k], when, reads);
}
