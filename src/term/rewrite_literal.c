/* What two literals about one bit-vector say about each other.
 *
 * x == c, x != c, x < c, c < x, signed or not, also of x + k: each is the set of values of x in
 * one interval on the circle of 2^n numbers. Inclusion and disjointness of two such intervals
 * are a few subtractions modulo 2^n:
 *   match: (AND (x in A) (x in B))   result: (x in B)   if: B lies in A;  false if they are
 *   disjoint;
 *                                            (x in C)   if: C, what they share, is again one
 *                                            literal
 *   match: (OR (x in A) (x in B))    dually
 * so a path that knows x == 3 forgets x != 1 and cannot take the branch x > 5. */
#include "term/rewrite.h"

typedef struct {
  tp_term base;          // NONE: not such a literal
  uint64_t start, size;  // values start, start + 1, ...; 1 <= size < 2^width
} arc;

static uint64_t turn(uint64_t v, uint32_t w) { return w == 64 ? v : v & ((UINT64_C(1) << w) - 1); }
/* 2^w - size, for 1 <= size < 2^w; right for w = 64 too, by wrap-around */
static uint64_t others(uint64_t size, uint32_t w) { return turn(0 - size, w); }

static arc outside(arc a, uint32_t w) {
  return (arc){a.base, turn(a.start + a.size, w), others(a.size, w)};
}

/* As an arc of its own operand: of x in ULT x c, SLT c x, EQ x c. */
static arc arc_of_operand(const tp_terms *tt, tp_term t) {
  const arc none = {TP_TERM_NONE, 0, 0};
  tp_term_kind k = tp_k(tt, t);
  if (k != TP_OP_EQ && k != TP_OP_BV_ULT && k != TP_OP_BV_SLT) return none;
  tp_term x = tp_a(tt, t, 0), y = tp_a(tt, t, 1);
  if (tp_sk(tt, x) != TP_SORT_BV || tp_w(tt, x) > 64 || tp_is_bv(tt, x) == tp_is_bv(tt, y))
    return none;
  bool right = tp_is_bv(tt, y);
  const uint32_t w = tp_w(tt, x);
  uint64_t c = (uint64_t)tp_bits(tt, right ? y : x),
           least = k == TP_OP_BV_SLT ? UINT64_C(1) << (w - 1) : 0;
  if (k == TP_OP_EQ) return (arc){right ? x : y, c, 1};
  arc a = right ? (arc){x, least, turn(c - least, w)}                // least .. c - 1
                : (arc){y, turn(c + 1, w), turn(least - c - 1, w)};  // c + 1 .. least - 1
  return a.size ? a : none;
}

static arc arc_of(const tp_terms *tt, tp_term t) {
  bool negated = tp_k(tt, t) == TP_OP_NOT;
  arc a = arc_of_operand(tt, negated ? tp_a(tt, t, 0) : t);
  if (!tp_term_is(a.base)) return a;
  const uint32_t w = tp_w(tt, a.base);
  if (negated) a = outside(a, w);
  if (tp_k(tt, a.base) == TP_OP_BV_ADD &&
      tp_is_bv(tt, tp_a(tt, a.base, 1))) {  // x + k in A: x in A - k
    a.start = turn(a.start - (uint64_t)tp_bits(tt, tp_a(tt, a.base, 1)), w);
    a.base = tp_a(tt, a.base, 0);
  }
  return a;
}

static bool lies_in(arc a, arc b, uint32_t w) {  // a within b
  uint64_t from = turn(a.start - b.start, w);
  return from < b.size && a.size <= b.size - from;
}
static bool disjoint(arc a, arc b, uint32_t w) {
  return turn(b.start - a.start, w) >= a.size && turn(a.start - b.start, w) >= b.size;
}
/* The common values of arcs that are neither disjoint nor nested; false if those are two pieces. */
static bool intersect(arc a, arc b, uint32_t w, arc *out) {
  uint64_t ab = turn(b.start - a.start, w), ba = turn(a.start - b.start, w);
  bool b_starts_in_a = ab < a.size, a_starts_in_b = ba < b.size;
  if (b_starts_in_a == a_starts_in_b) return false;
  *out = b_starts_in_a ? (arc){a.base, b.start, a.size - ab} : (arc){a.base, a.start, b.size - ba};
  return true;
}

/* The literal x in a, if x == c, x != c or an order of one of these kinds says it; else NONE. */
static tp_term literal_of(tp_terms *tt, arc a, bool has_unsigned, bool has_signed) {
  const uint32_t w = tp_w(tt, a.base);
  arc rest = outside(a, w);
  if (a.size == 1) return tp_mk_eq(tt, a.base, tp_mk_bv(tt, w, a.start));
  if (rest.size == 1) return tp_mk_not(tt, tp_mk_eq(tt, a.base, tp_mk_bv(tt, w, rest.start)));
  for (int is_signed = 0; is_signed < 2; is_signed++) {
    if (!(is_signed ? has_signed : has_unsigned)) continue;
    const tp_term_kind k = is_signed ? TP_OP_BV_SLT : TP_OP_BV_ULT;
    const uint64_t least = is_signed ? UINT64_C(1) << (w - 1) : 0;
    if (a.start == least) return tp_mk2(tt, k, a.base, tp_mk_bv(tt, w, rest.start));
    if (rest.start == least) return tp_mk2(tt, k, tp_mk_bv(tt, w, turn(a.start - 1, w)), a.base);
  }
  return TP_TERM_NONE;
}

static bool is_order(const tp_terms *tt, tp_term t, tp_term_kind k) { return tp_k(tt, t) == k; }

tp_relation tp_literals_relate(tp_terms *tt, tp_term_kind k, tp_term s, tp_term t, tp_term *both) {
  TP_REQUIRE((k == TP_OP_AND || k == TP_OP_OR) && both);
  arc a = arc_of(tt, s);
  if (!tp_term_is(a.base)) return TP_UNRELATED;
  arc b = arc_of(tt, t), c;
  if (a.base.id != b.base.id) return TP_UNRELATED;
  const uint32_t w = tp_w(tt, a.base);
  if (lies_in(b, a, w)) return k == TP_OP_AND ? TP_FIRST_REDUNDANT : TP_SECOND_REDUNDANT;
  if (lies_in(a, b, w)) return k == TP_OP_AND ? TP_SECOND_REDUNDANT : TP_FIRST_REDUNDANT;
  if (k == TP_OP_OR) a = outside(a, w), b = outside(b, w);
  if (disjoint(a, b, w)) return TP_ABSORBING;
  if (!intersect(a, b, w, &c)) return TP_UNRELATED;
  if (k == TP_OP_OR) c = outside(c, w);
  *both = literal_of(tt, c, is_order(tt, s, TP_OP_BV_ULT) || is_order(tt, t, TP_OP_BV_ULT),
                     is_order(tt, s, TP_OP_BV_SLT) || is_order(tt, t, TP_OP_BV_SLT));
  return tp_term_is(*both) ? TP_ONE_LITERAL : TP_UNRELATED;
}

int tp_literal_fixes(const tp_terms *tt, tp_term s, bool value, tp_term t) {
  TP_REQUIRE(tp_sk(tt, s) == TP_SORT_BOOL && tp_sk(tt, t) == TP_SORT_BOOL);
  arc a = arc_of(tt, s);
  if (!tp_term_is(a.base)) return -1;
  arc b = arc_of(tt, t);
  if (a.base.id != b.base.id) return -1;
  const uint32_t w = tp_w(tt, a.base);
  if (!value) a = outside(a, w);
  return lies_in(a, b, w) ? 1 : disjoint(a, b, w) ? 0 : -1;
}
