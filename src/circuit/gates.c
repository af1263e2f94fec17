/* Circuits: hash-consing of gates, and rules of one and two levels.
 *
 * Each constructor brings its arguments into the normal form of gates.h (sorted, first literal
 * positive), applies the rules that make no new gate, and looks the gate up in an open-addressing
 * hash table of at most half load. A rule calls constructors on arguments of the gate's arguments
 * only, so the recursion ends: node ids become smaller. */
#include "circuit/gates.h"

void tp_gates_init(tp_gates *g) {
  *g = (tp_gates){.slots = NULL};
  tp_vec_push(&g->nodes, (tp_gate){.kind = TP_GATE_CONST});
  tp_vec_push(&g->uses, 0);
}

void tp_gates_clear(tp_gates *g) {
  tp_vec_clear(&g->nodes);
  tp_vec_clear(&g->uses);
  tp_free(g->slots);
  g->slots = NULL;
  g->n_slots = 0;
}

uint32_t tp_gate_n_args(tp_gate_kind k) {
  switch (k) {
    case TP_GATE_CONST:
    case TP_GATE_INPUT: return 0;
    case TP_GATE_AND:
    case TP_GATE_XOR: return 2;
    case TP_GATE_ITE:
    case TP_GATE_MAJORITY: return 3;
  }
  return 0;
}

bool tp_gate_apply(tp_gate_kind k, bool a, bool b, bool c) {
  switch (k) {
    case TP_GATE_CONST:
    case TP_GATE_INPUT: return false;
    case TP_GATE_AND: return a && b;
    case TP_GATE_XOR: return a != b;
    case TP_GATE_ITE: return a ? b : c;
    case TP_GATE_MAJORITY: return a ? b || c : b && c;
  }
  return false;
}

// -------------------------------------------------------------------- sharing

static uint64_t hash_of(const tp_gate *n) {
  return tp_hash_mix(tp_hash_mix((uint64_t)n->kind << 32 | n->arg[0].id, n->arg[1].id),
                     n->arg[2].id);
}

static bool same(const tp_gate *a, const tp_gate *b) {
  return a->kind == b->kind && tp_lit_eq(a->arg[0], b->arg[0]) && tp_lit_eq(a->arg[1], b->arg[1]) &&
         tp_lit_eq(a->arg[2], b->arg[2]);
}

static bool is_literal(const tp_gates *g, tp_lit a) { return tp_lit_node(a) < g->nodes.n; }

static size_t slot_of(const tp_gates *g, const tp_gate *n) {
  TP_INVARIANT(g->n_slots && (g->n_slots & (g->n_slots - 1)) == 0);  // a mask selects the slot
  size_t at = (size_t)hash_of(n) & (g->n_slots - 1);
  while (g->slots[at] && !same(&g->nodes.at[g->slots[at]], n)) at = (at + 1) & (g->n_slots - 1);
  return at;
}

static void grow(tp_gates *g) {
  size_t n = g->n_slots ? g->n_slots * 2 : 1024;
  tp_free(g->slots);
  g->slots = TP_NEW_ARRAY(uint32_t, n);
  g->n_slots = n;
  for (uint32_t i = 1; i < g->nodes.n; i++)
    if (g->nodes.at[i].kind != TP_GATE_INPUT) g->slots[slot_of(g, &g->nodes.at[i])] = i;
}

/* The normal form of a gate's arguments (gates.h). */
static bool is_normal(const tp_gate *n) {
  const tp_lit a = n->arg[0], b = n->arg[1], c = n->arg[2];
  switch ((tp_gate_kind)n->kind) {
    case TP_GATE_CONST:
    case TP_GATE_INPUT: return a.id == 0 && b.id == 0 && c.id == 0;
    case TP_GATE_AND:
      return a.id > 1 && a.id < b.id && tp_lit_node(a) != tp_lit_node(b) && c.id == 0;
    case TP_GATE_XOR:
      return a.id > 1 && a.id < b.id && !tp_lit_is_negated(a) && !tp_lit_is_negated(b) && c.id == 0;
    case TP_GATE_ITE: return a.id > 1 && !tp_lit_is_negated(a) && !tp_lit_is_negated(b);
    case TP_GATE_MAJORITY: return a.id > 1 && !tp_lit_is_negated(a) && a.id < b.id && b.id < c.id;
  }
  return false;
}

bool tp_gates_check(const tp_gates *g) {
  if (!g->nodes.n || g->nodes.at[0].kind != TP_GATE_CONST || g->uses.n != g->nodes.n) return false;
  uint32_t *uses = TP_NEW_ARRAY(uint32_t, g->nodes.n);
  bool ok = true;
  for (uint32_t i = 1; i < g->nodes.n && ok; i++) {
    const tp_gate *n = &g->nodes.at[i];
    const uint32_t n_args = tp_gate_n_args((tp_gate_kind)n->kind);
    ok = n->kind != TP_GATE_CONST && is_normal(n);
    for (uint32_t k = 0; k < n_args && ok; k++) {
      ok = tp_lit_node(n->arg[k]) < i;  // topological order
      if (ok) uses[tp_lit_node(n->arg[k])]++;
    }
    ok = ok && (n->kind == TP_GATE_INPUT || g->slots[slot_of(g, n)] == i);  // hash-consed
  }
  ok = ok && (g->nodes.n == 0 || memcmp(uses, g->uses.at, g->nodes.n * sizeof *uses) == 0);
  tp_free(uses);
  return ok;
}

static uint64_t fault_countdown;  // 0: disarmed

void tp_gates_inject(uint64_t at_gate) { fault_countdown = at_gate; }

static bool is_fault(void) { return fault_countdown && --fault_countdown == 0; }

static tp_lit make(tp_gates *g, tp_gate_kind k, tp_lit a, tp_lit b, tp_lit c) {
  TP_INVARIANT(is_literal(g, a) && is_literal(g, b) && is_literal(g, c));
  tp_gate n = {.kind = k, .arg = {a, b, c}};
  TP_INVARIANT(is_normal(&n));
  if (g->nodes.n * 2 >= g->n_slots) grow(g);
  size_t at = slot_of(g, &n);
  if (!g->slots[at]) {
    g->slots[at] = (uint32_t)g->nodes.n;
    tp_vec_push(&g->nodes, n);
    tp_vec_push(&g->uses, 0);
    for (uint32_t i = 0; i < tp_gate_n_args(k); i++) g->uses.at[tp_lit_node(n.arg[i])]++;
    if (is_fault()) return (tp_lit){g->slots[at] << 1 | 1};
  }
  return (tp_lit){g->slots[at] << 1};
}

tp_lit tp_gate_input(tp_gates *g) {
  tp_vec_push(&g->nodes, (tp_gate){.kind = TP_GATE_INPUT});
  tp_vec_push(&g->uses, 0);
  return (tp_lit){(uint32_t)(g->nodes.n - 1) << 1};
}

// ---------------------------------------------------------------------- gates

static bool is_kind(const tp_gates *g, tp_lit a, tp_gate_kind k) {
  return g->nodes.at[tp_lit_node(a)].kind == k;
}
static bool opposite(tp_lit a, tp_lit b) { return (a.id ^ b.id) == 1; }

static void sort2(tp_lit *a, tp_lit *b) {
  if (a->id <= b->id) return;
  tp_lit t = *a;
  *a = *b;
  *b = t;
}

/* match: a & (a & b)    result: a & b      match: a & (!a & b)    result: false
 * match: a & !(a & b)   result: a & !b     match: a & !(!a & b)   result: a */
static bool and_with_and(tp_gates *g, tp_lit a, tp_lit inner, tp_lit *out) {
  if (!is_kind(g, inner, TP_GATE_AND)) return false;
  for (int i = 0; i < 2; i++) {
    tp_lit x = g->nodes.at[tp_lit_node(inner)].arg[i],
           y = g->nodes.at[tp_lit_node(inner)].arg[1 - i];
    if (tp_lit_eq(x, a))
      return *out = tp_lit_is_negated(inner) ? tp_gate_and(g, a, tp_lit_not(y)) : inner, true;
    if (opposite(x, a)) return *out = tp_lit_is_negated(inner) ? a : TP_LIT_FALSE, true;
  }
  return false;
}

tp_lit tp_gate_and(tp_gates *g, tp_lit a, tp_lit b) {
  TP_REQUIRE(is_literal(g, a) && is_literal(g, b));
  sort2(&a, &b);  // a constant comes first
  tp_lit r;
  if (tp_lit_eq(a, TP_LIT_FALSE) || opposite(a, b)) return TP_LIT_FALSE;
  if (tp_lit_eq(a, TP_LIT_TRUE) || tp_lit_eq(a, b)) return b;
  if (and_with_and(g, a, b, &r) || and_with_and(g, b, a, &r)) return r;
  return make(g, TP_GATE_AND, a, b, TP_LIT_FALSE);
}

tp_lit tp_gate_or(tp_gates *g, tp_lit a, tp_lit b) {
  return tp_lit_not(tp_gate_and(g, tp_lit_not(a), tp_lit_not(b)));
}

/* match: a ^ (a ^ b)   result: b */
tp_lit tp_gate_xor(tp_gates *g, tp_lit a, tp_lit b) {
  TP_REQUIRE(is_literal(g, a) && is_literal(g, b));
  bool negate = tp_lit_is_negated(a) != tp_lit_is_negated(b);
  a.id &= ~1u;
  b.id &= ~1u;
  sort2(&a, &b);
  if (tp_lit_eq(a, b)) return tp_lit_of(negate);
  if (tp_lit_is_const(a)) return tp_lit_flip(b, negate);
  for (int i = 0; i < 4; i++) {
    tp_lit inner = i < 2 ? b : a, other = i < 2 ? a : b;
    if (is_kind(g, inner, TP_GATE_XOR) &&
        tp_lit_eq(g->nodes.at[tp_lit_node(inner)].arg[i & 1], other))
      return tp_lit_flip(g->nodes.at[tp_lit_node(inner)].arg[1 - (i & 1)], negate);
  }
  return tp_lit_flip(make(g, TP_GATE_XOR, a, b, TP_LIT_FALSE), negate);
}

/* match: c ? (c ? x : y) : b   result: c ? x : b      match: c ? a : (c ? x : y)   result: c ? a :
 * y */
tp_lit tp_gate_ite(tp_gates *g, tp_lit c, tp_lit a, tp_lit b) {
  TP_REQUIRE(is_literal(g, a) && is_literal(g, b) && is_literal(g, c));
  if (tp_lit_is_negated(c)) return tp_gate_ite(g, tp_lit_not(c), b, a);
  if (tp_lit_is_const(c) || tp_lit_eq(a, b)) return b;
  if (tp_lit_eq(a, c)) a = TP_LIT_TRUE;
  if (opposite(a, c)) a = TP_LIT_FALSE;
  if (tp_lit_eq(b, c)) b = TP_LIT_FALSE;
  if (opposite(b, c)) b = TP_LIT_TRUE;
  if (is_kind(g, a, TP_GATE_ITE) && tp_lit_eq(g->nodes.at[tp_lit_node(a)].arg[0], c))
    return tp_gate_ite(g, c, tp_lit_flip(g->nodes.at[tp_lit_node(a)].arg[1], tp_lit_is_negated(a)),
                       b);
  if (is_kind(g, b, TP_GATE_ITE) && tp_lit_eq(g->nodes.at[tp_lit_node(b)].arg[0], c))
    return tp_gate_ite(g, c, a,
                       tp_lit_flip(g->nodes.at[tp_lit_node(b)].arg[2], tp_lit_is_negated(b)));
  if (tp_lit_eq(a, b)) return a;
  if (opposite(a, b)) return tp_gate_xor(g, c, b);
  if (tp_lit_eq(a, TP_LIT_FALSE)) return tp_gate_and(g, tp_lit_not(c), b);
  if (tp_lit_eq(a, TP_LIT_TRUE)) return tp_gate_or(g, c, b);
  if (tp_lit_eq(b, TP_LIT_FALSE)) return tp_gate_and(g, c, a);
  if (tp_lit_eq(b, TP_LIT_TRUE)) return tp_gate_or(g, tp_lit_not(c), a);
  bool negate = tp_lit_is_negated(a);
  return tp_lit_flip(make(g, TP_GATE_ITE, c, tp_lit_flip(a, negate), tp_lit_flip(b, negate)),
                     negate);
}

tp_lit tp_gate_majority(tp_gates *g, tp_lit a, tp_lit b, tp_lit c) {
  TP_REQUIRE(is_literal(g, a) && is_literal(g, b) && is_literal(g, c));
  sort2(&a, &b);
  sort2(&b, &c);
  sort2(&a, &b);  // equal and opposite literals are neighbours, a constant comes first
  if (tp_lit_eq(a, b)) return a;
  if (opposite(a, b)) return c;
  if (tp_lit_eq(b, c)) return b;
  if (opposite(b, c)) return a;
  if (tp_lit_eq(a, TP_LIT_FALSE)) return tp_gate_and(g, b, c);
  if (tp_lit_eq(a, TP_LIT_TRUE)) return tp_gate_or(g, b, c);
  bool negate = tp_lit_is_negated(a);  // majority is its own dual
  return tp_lit_flip(make(g, TP_GATE_MAJORITY, tp_lit_flip(a, negate), tp_lit_flip(b, negate),
                          tp_lit_flip(c, negate)),
                     negate);
}
