/* Rules for Bool: NOT, AND, OR, XOR, EQ.
 *
 * Conjunctions and disjunctions are chains that lean to the left, in the order in which their
 * literals came: a path condition grows at its right end, and two paths that forked share the
 * chain up to the fork. That makes the most important rule cheap, the one that gives the guard
 * back where paths join:
 *   match: (OR (AND g x) (AND g y))   result: (AND g (OR x y))
 * with g the longest common chain, found by peeling the younger of the two ends (ids grow with
 * time, so the younger one cannot lie inside the older one).
 *
 * All searches look at no more than TP_TERM_CHAIN_LITERALS literals from the right end of a chain.
 */
#include "term/rewrite.h"

#include "term/term_limits.h"

/* What may still be done for one application: how deep it goes, and how often chains are joined in
 * all. A meeting starts deeper ones, and these start others: without fuel, formulas of a few
 * hundred literals that share much take longer than anyone waits. What is left undone is linked as
 * it stands. */
typedef struct {
  int shrinks;
  uint32_t *fuel;
} effort;
static effort less(effort x) { return (effort){x.shrinks - 1, x.fuel}; }
static effort afresh(effort x) { return (effort){TP_TERM_CHAIN_SHRINKS, x.fuel}; }

static tp_term_kind dual_of(tp_term_kind k) { return k == TP_OP_AND ? TP_OP_OR : TP_OP_AND; }

// --------------------------------------------------------------------- chains

/* The literals of chain t, right end last, at most max: what is further left stays one literal. */
static uint32_t literals(const tp_terms *tt, tp_term_kind k, tp_term t, tp_term *out,
                         uint32_t max) {
  uint32_t n = 0;
  tp_term rest = t;
  while (n + 1 < max && tp_k(tt, rest) == k) {
    out[n++] = tp_a(tt, rest, 1);
    rest = tp_a(tt, rest, 0);
  }
  out[n++] = rest;
  for (uint32_t i = 0; i < n / 2; i++) {
    tp_term swap = out[i];
    out[i] = out[n - 1 - i];
    out[n - 1 - i] = swap;
  }
  return n;
}

static tp_term link(tp_terms *tt, tp_term_kind k, tp_term a, tp_term b) {
  bool swap = tp_k(tt, a) != k && (tp_k(tt, b) == k || b.id < a.id);
  return swap ? tp_intern2(tt, k, tp_sort_bool(tt), b, a)
              : tp_intern2(tt, k, tp_sort_bool(tt), a, b);
}

/* Chain of literals that are known not to simplify with each other. n == 0: the neutral element. */
static tp_term chain(tp_terms *tt, tp_term_kind k, const tp_term *lit, uint32_t n) {
  if (n == 0) return k == TP_OP_AND ? TP_TRUE : TP_FALSE;
  tp_term r = lit[0];
  for (uint32_t i = 1; i < n; i++)
    r = i == 1 ? link(tt, k, r, lit[i]) : tp_intern2(tt, k, tp_sort_bool(tt), r, lit[i]);
  return r;
}

static int index_of(const tp_term *lit, uint32_t n, tp_term t) {
  for (uint32_t i = 0; i < n; i++)
    if (lit[i].id == t.id) return (int)i;
  return -1;
}

// ---------------------------------------------------------------- complements

/* match: (ULT x y) and (ULE y x); (ULT x c) and (ULT d x)   if: c = d + 1 (no wrap); same signed */
static bool complementary_orders(const tp_terms *tt, tp_term a, tp_term b) {
  tp_term_kind ka = tp_k(tt, a), kb = tp_k(tt, b);
  tp_term a0 = tp_a(tt, a, 0), a1 = tp_a(tt, a, 1), b0 = tp_a(tt, b, 0), b1 = tp_a(tt, b, 1);
  if (ka == TP_OP_BV_ULT && kb == TP_OP_BV_ULE) return a0.id == b1.id && a1.id == b0.id;
  if (ka == TP_OP_BV_ULE && kb == TP_OP_BV_ULT) return a0.id == b1.id && a1.id == b0.id;
  if (ka == TP_OP_BV_SLT && kb == TP_OP_BV_SLE) return a0.id == b1.id && a1.id == b0.id;
  if (ka == TP_OP_BV_SLE && kb == TP_OP_BV_SLT) return a0.id == b1.id && a1.id == b0.id;
  if (ka != kb || (ka != TP_OP_BV_ULT && ka != TP_OP_BV_SLT)) return false;
  uint32_t w = tp_w(tt, a0);
  if (a0.id == b1.id && tp_is_bv(tt, a1) && tp_is_bv(tt, b0))
    return tp_bits(tt, a1) == tp_cut(tp_bits(tt, b0) + 1, w);
  if (a1.id == b0.id && tp_is_bv(tt, a0) && tp_is_bv(tt, b1))
    return tp_bits(tt, b1) == tp_cut(tp_bits(tt, a0) + 1, w);
  return false;
}

static bool complement(const tp_terms *tt, tp_term a, tp_term b, int levels) {
  tp_term_kind ka = tp_k(tt, a), kb = tp_k(tt, b);
  if (ka == TP_OP_NOT && tp_a(tt, a, 0).id == b.id) return true;
  if (kb == TP_OP_NOT && tp_a(tt, b, 0).id == a.id) return true;
  if (a.id <= 2 && b.id <= 2) return a.id != b.id;
  if (ka >= TP_OP_BV_ULT && ka <= TP_OP_BV_SLE && kb >= TP_OP_BV_ULT && kb <= TP_OP_BV_SLE)
    return complementary_orders(tt, a, b);
  if (levels == 0 || (ka != TP_OP_AND && ka != TP_OP_OR) || kb != dual_of(ka)) return false;
  tp_term x[TP_TERM_COMPLEMENT_LITERALS], y[TP_TERM_COMPLEMENT_LITERALS];  // de Morgan
  uint32_t n = literals(tt, ka, a, x, TP_TERM_COMPLEMENT_LITERALS);
  if (literals(tt, kb, b, y, TP_TERM_COMPLEMENT_LITERALS) != n) return false;
  uint32_t used = 0;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t j = 0;
    while (j < n && (used >> j & 1 || !complement(tt, x[i], y[j], levels - 1))) j++;
    if (j == n) return false;
    used |= 1u << j;
  }
  return true;
}

bool tp_is_complement(const tp_terms *tt, tp_term a, tp_term b) {
  TP_REQUIRE(tp_sk(tt, a) == TP_SORT_BOOL && tp_sk(tt, b) == TP_SORT_BOOL);
  return complement(tt, a, b, TP_TERM_COMPLEMENT_LEVELS);
}

// ---------------------------------------------------------- two paths that join

typedef struct {
  tp_term common;   // NONE: nothing in common
  tp_term rest[2];  // chains of what is left on each side (neutral element: nothing)
} split;

/* a = common ∘ rest[0], b = common ∘ rest[1], for the chain kind k. */
static split split_common(tp_terms *tt, tp_term_kind k, tp_term a, tp_term b) {
  tp_term lit[2][TP_TERM_CHAIN_LITERALS], side[2] = {a, b};
  uint32_t n[2] = {0, 0};
  split s = {TP_TERM_NONE, {a, b}};
  while (side[0].id != side[1].id) {  // peel the younger end
    int young = side[0].id > side[1].id ? 0 : 1;
    if (tp_k(tt, side[young]) != k || n[young] + 1 >= TP_TERM_CHAIN_LITERALS) break;
    lit[young][n[young]++] = tp_a(tt, side[young], 1);
    side[young] = tp_a(tt, side[young], 0);
  }
  tp_term shared[TP_TERM_CHAIN_LITERALS + 1];
  uint32_t n_shared = 0;
  if (side[0].id == side[1].id) {
    shared[n_shared++] = side[0];
  } else {
    for (int i = 0; i < 2; i++) {
      while (tp_k(tt, side[i]) == k && n[i] + 1 < TP_TERM_CHAIN_LITERALS) {
        lit[i][n[i]++] = tp_a(tt, side[i], 1);
        side[i] = tp_a(tt, side[i], 0);
      }
      lit[i][n[i]++] = side[i];
    }
  }
  for (uint32_t i = n[0]; i-- > 0;) {  // oldest first
    int j = index_of(lit[1], n[1], lit[0][i]);
    if (j < 0) continue;
    shared[n_shared++] = lit[0][i];
    memmove(&lit[0][i], &lit[0][i + 1], (n[0] - i - 1) * sizeof lit[0][0]);
    memmove(&lit[1][j], &lit[1][j + 1], (n[1] - (uint32_t)j - 1) * sizeof lit[0][0]);
    n[0]--, n[1]--;
  }
  if (n_shared == 0) return s;
  s.common = chain(tt, k, shared, n_shared);
  for (int i = 0; i < 2; i++) {
    for (uint32_t j = 0; j < n[i] / 2; j++) {
      tp_term swap = lit[i][j];
      lit[i][j] = lit[i][n[i] - 1 - j];
      lit[i][n[i] - 1 - j] = swap;
    }
    s.rest[i] = chain(tt, k, lit[i], n[i]);
  }
  return s;
}

// ------------------------------------------------------------------ AND and OR

static tp_term join(tp_terms *tt, tp_term_kind k, tp_term a, tp_term b, effort x);

/* What literal e of a k-chain and the new literal l make together. */
typedef enum { NOTHING, L_REDUNDANT, E_REDUNDANT, ABSORBING, L_SHRINKS, E_SHRINKS, MERGE } meeting;

/* In chain t of the dual kind, drop the literal at i. */
static tp_term without(tp_terms *tt, tp_term_kind k, const tp_term *lit, uint32_t n, uint32_t i) {
  tp_term left[TP_TERM_COMPLEMENT_LITERALS];
  uint32_t m = 0;
  for (uint32_t j = 0; j < n; j++)
    if (j != i) left[m++] = lit[j];
  return chain(tt, k, left, m);
}

/* match: (k x (dual x y))         result: x
 * match: (k x (dual (NOT x) y))   result: (k x y) */
static meeting meet_dual(tp_terms *tt, tp_term_kind k, tp_term x, tp_term other, tp_term *smaller) {
  tp_term_kind dual = dual_of(k);
  if (tp_k(tt, other) != dual) return NOTHING;
  tp_term lit[TP_TERM_COMPLEMENT_LITERALS];
  uint32_t n = literals(tt, dual, other, lit, TP_TERM_COMPLEMENT_LITERALS);
  if (index_of(lit, n, x) >= 0) return L_REDUNDANT;
  for (uint32_t i = 0; i < n; i++) {
    int fixed = complement(tt, lit[i], x, TP_TERM_COMPLEMENT_LEVELS)
                    ? k != TP_OP_AND
                    : tp_literal_fixes(tt, x, k == TP_OP_AND, lit[i]);
    if (fixed < 0) continue;
    if (fixed == (k == TP_OP_AND)) return L_REDUNDANT;
    *smaller = without(tt, dual, lit, n, i);
    return L_SHRINKS;
  }
  return NOTHING;
}

static meeting meet(tp_terms *tt, tp_term_kind k, tp_term e, tp_term l, effort x, tp_term *result) {
  if (e.id == l.id) return L_REDUNDANT;
  if (complement(tt, e, l, TP_TERM_COMPLEMENT_LEVELS)) return ABSORBING;
  switch (tp_literals_relate(tt, k, e, l, result)) {
    case TP_FIRST_REDUNDANT: return E_REDUNDANT;
    case TP_SECOND_REDUNDANT: return L_REDUNDANT;
    case TP_ABSORBING: return ABSORBING;
    case TP_ONE_LITERAL: return MERGE;
    case TP_UNRELATED: break;
  }
  meeting m = meet_dual(tt, k, e, l, result);
  if (m != NOTHING) return m;
  m = meet_dual(tt, k, l, e, result);
  if (m == L_REDUNDANT) return E_REDUNDANT;
  if (m == L_SHRINKS) return E_SHRINKS;
  if (k != TP_OP_OR || tp_k(tt, e) != TP_OP_AND || tp_k(tt, l) != TP_OP_AND) return NOTHING;
  split s = split_common(tt, TP_OP_AND, e, l);
  if (!tp_term_is(s.common)) return NOTHING;
  tp_term either = join(tt, TP_OP_OR, s.rest[0], s.rest[1], afresh(x));
  *result = join(tt, TP_OP_AND, s.common, either, afresh(x));
  return MERGE;
}

/* Add literal l to chain c. Every meeting makes the whole smaller; x bounds how often. */
static tp_term add_literal(tp_terms *tt, tp_term_kind k, tp_term c, tp_term l, effort x) {
  tp_term lit[TP_TERM_CHAIN_LITERALS], r = TP_TERM_NONE;
  uint32_t n = literals(tt, k, c, lit, TP_TERM_CHAIN_LITERALS);
  for (uint32_t i = n; i-- > 0 && x.shrinks > 0;) {
    meeting m = meet(tt, k, lit[i], l, x, &r);
    if (m == NOTHING) continue;
    if (m == L_REDUNDANT) return c;
    if (m == ABSORBING) return k == TP_OP_AND ? TP_FALSE : TP_TRUE;
    if (m == L_SHRINKS) return join(tt, k, c, r, less(x));
    memmove(&lit[i], &lit[i + 1], (n - i - 1) * sizeof lit[0]);
    tp_term rest = chain(tt, k, lit, n - 1);
    if (m == E_REDUNDANT) return join(tt, k, rest, l, less(x));
    if (m == MERGE) return join(tt, k, rest, r, less(x));
    return join(tt, k, join(tt, k, rest, l, less(x)), r, less(x));  // E_SHRINKS
  }
  return link(tt, k, c, l);
}

static tp_term join(tp_terms *tt, tp_term_kind k, tp_term a, tp_term b, effort x) {
  const tp_term unit = k == TP_OP_AND ? TP_TRUE : TP_FALSE,
                zero = k == TP_OP_AND ? TP_FALSE : TP_TRUE;
  if (a.id == b.id || b.id == unit.id) return a;  // match: (k x x), (k x unit)   result: x
  if (a.id == unit.id) return b;
  if (a.id == zero.id || b.id == zero.id) return zero;  // match: (k x zero)   result: zero
  if (x.shrinks <= 0 || *x.fuel == 0) return link(tt, k, a, b);
  (*x.fuel)--;
  bool ca = tp_k(tt, a) == k, cb = tp_k(tt, b) == k;
  if (cb && !ca) {
    tp_term swap = a;
    a = b, b = swap, cb = false;
  }
  if (!cb) return add_literal(tt, k, a, b, x);
  if (k == TP_OP_AND) {  // two chains: keep what they share once
    split s = split_common(tt, k, a, b);
    if (tp_term_is(s.common)) b = s.rest[1];
    if (b.id == unit.id) return a;
  }
  tp_term lit[TP_TERM_COMPLEMENT_LITERALS];
  uint32_t n = literals(tt, k, b, lit, TP_TERM_COMPLEMENT_LITERALS);
  if (n == TP_TERM_COMPLEMENT_LITERALS)
    return link(tt, k, a, b);  // long: stays a literal of its own
  for (uint32_t i = 0; i < n; i++) a = join(tt, k, a, lit[i], less(x));
  return a;
}

// ------------------------------------------------------------------ the others

/* match: (NOT (NOT x))    result: x
 * match: (NOT (ULT x y))  result: (ULE y x)    likewise ULE, SLT, SLE */
static tp_term negation(tp_terms *tt, tp_term a) {
  tp_term_kind k = tp_k(tt, a);
  if (k == TP_OP_NOT) return tp_a(tt, a, 0);
  tp_term_kind flipped = k == TP_OP_BV_ULT   ? TP_OP_BV_ULE
                         : k == TP_OP_BV_ULE ? TP_OP_BV_ULT
                         : k == TP_OP_BV_SLT ? TP_OP_BV_SLE
                         : k == TP_OP_BV_SLE ? TP_OP_BV_SLT
                                             : TP_N_OPS;
  return flipped == TP_N_OPS ? TP_TERM_NONE : tp_mk2(tt, flipped, tp_a(tt, a, 1), tp_a(tt, a, 0));
}

/* match: (EQ x x)             result: true       match: (EQ x (NOT x))  result: false
 * match: (EQ x true)          result: x          match: (EQ x false)    result: (NOT x)
 * match: (EQ (NOT x) (NOT y)) result: (EQ x y)   match: (EQ (NOT x) y)  result: (NOT (EQ x y))
 * The older argument comes first. */
static tp_term equivalence(tp_terms *tt, tp_term a, tp_term b) {
  if (a.id == b.id) return TP_TRUE;
  if (a.id == TP_TRUE.id) return b;
  if (b.id == TP_TRUE.id) return a;
  if (a.id == TP_FALSE.id) return tp_mk_not(tt, b);
  if (b.id == TP_FALSE.id) return tp_mk_not(tt, a);
  if (tp_is_complement(tt, a, b)) return TP_FALSE;
  bool na = tp_k(tt, a) == TP_OP_NOT, nb = tp_k(tt, b) == TP_OP_NOT;
  if (na) a = tp_a(tt, a, 0);
  if (nb) b = tp_a(tt, b, 0);
  tp_term eq = a.id < b.id ? tp_intern2(tt, TP_OP_EQ, tp_sort_bool(tt), a, b)
                           : tp_intern2(tt, TP_OP_EQ, tp_sort_bool(tt), b, a);
  return na != nb ? tp_intern1(tt, TP_OP_NOT, tp_sort_bool(tt), eq) : eq;
}

tp_term tp_rw_bool(tp_terms *tt, const tp_application *ap) {
  TP_REQUIRE(ap->sort.id == TP_SORT_ID_BOOL && tp_sk(tt, ap->a) == TP_SORT_BOOL);
  uint32_t fuel = TP_TERM_CHAIN_JOINS;
  switch ((int)ap->k) {
    case TP_OP_NOT: return negation(tt, ap->a);
    case TP_OP_AND:
    case TP_OP_OR: return join(tt, ap->k, ap->a, ap->b, (effort){TP_TERM_CHAIN_SHRINKS, &fuel});
    case TP_OP_XOR:
      return tp_mk_not(tt,
                       equivalence(tt, ap->a, ap->b));  // match: (XOR x y)  result: (NOT (EQ x y))
    default: return equivalence(tt, ap->a, ap->b);
  }
}
