#include "term/rewrite.h"

/* What two literals about one bit-vector say about each other.
 *
 * x == c, x != c, x < c, c < x, signed or not, also of x + k: each is the set of values of x in
 * one interval on the circle of 2^n numbers. Inclusion and disjointness of two such intervals
 * are a few subtractions modulo 2^n:
 *   match: (AND (x in A) (x in B))   result: (x in B)   if: B lies in A;  false if they are disjoint;
 *                                            (EQ x c)   if: they share c alone
 *   match: (OR (x in A) (x in B))    dually
 * so a path that knows x == 3 forgets x != 1 and cannot take the branch x > 5. */

typedef struct {
  tp_term base;                // NONE: not such a literal
  uint64_t start, size;        // values start, start + 1, ...; 1 <= size < 2^width
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
  if (tp_sk(tt, x) != TP_SORT_BV || tp_w(tt, x) > 64 || tp_is_bv(tt, x) == tp_is_bv(tt, y)) return none;
  bool right = tp_is_bv(tt, y);
  const uint32_t w = tp_w(tt, x);
  uint64_t c = (uint64_t)tp_bits(tt, right ? y : x), least = k == TP_OP_BV_SLT ? UINT64_C(1) << (w - 1) : 0;
  if (k == TP_OP_EQ) return (arc){right ? x : y, c, 1};
  arc a = right ? (arc){x, least, turn(c - least, w)}                 // least .. c - 1
                : (arc){y, turn(c + 1, w), turn(least - c - 1, w)};   // c + 1 .. least - 1
  return a.size ? a : none;
}

static arc arc_of(const tp_terms *tt, tp_term t) {
  bool negated = tp_k(tt, t) == TP_OP_NOT;
  arc a = arc_of_operand(tt, negated ? tp_a(tt, t, 0) : t);
  if (!tp_term_is(a.base)) return a;
  const uint32_t w = tp_w(tt, a.base);
  if (negated) a = outside(a, w);
  if (tp_k(tt, a.base) == TP_OP_BV_ADD && tp_is_bv(tt, tp_a(tt, a.base, 1))) {   // x + k in A: x in A - k
    a.start = turn(a.start - (uint64_t)tp_bits(tt, tp_a(tt, a.base, 1)), w);
    a.base = tp_a(tt, a.base, 0);
  }
  return a;
}

static bool lies_in(arc a, arc b, uint32_t w) {             // a within b
  uint64_t from = turn(a.start - b.start, w);
  return from < b.size && a.size <= b.size - from;
}
static bool disjoint(arc a, arc b, uint32_t w) {
  return turn(b.start - a.start, w) >= a.size && turn(a.start - b.start, w) >= b.size;
}
/* Do a and b have exactly one value in common? */
static bool share_one(arc a, arc b, uint32_t w, uint64_t *value) {
  uint64_t ab = turn(b.start - a.start, w), ba = turn(a.start - b.start, w);
  bool b_starts_in_a = ab < a.size, a_starts_in_b = ba < b.size;
  if (b_starts_in_a == a_starts_in_b) return false;         // disjoint, or two pieces, or same start
  *value = b_starts_in_a ? b.start : a.start;
  return b_starts_in_a ? a.size - ab == 1 || b.size == 1 : b.size - ba == 1 || a.size == 1;
}

tp_relation tp_literals_relate(tp_terms *tt, tp_term_kind k, tp_term s, tp_term t, tp_term *both) {
  arc a = arc_of(tt, s);
  if (!tp_term_is(a.base)) return TP_UNRELATED;
  arc b = arc_of(tt, t);
  if (a.base.id != b.base.id) return TP_UNRELATED;
  const uint32_t w = tp_w(tt, a.base);
  if (lies_in(b, a, w)) return k == TP_OP_AND ? TP_FIRST_REDUNDANT : TP_SECOND_REDUNDANT;
  if (lies_in(a, b, w)) return k == TP_OP_AND ? TP_SECOND_REDUNDANT : TP_FIRST_REDUNDANT;
  if (k == TP_OP_OR) a = outside(a, w), b = outside(b, w);
  if (disjoint(a, b, w)) return TP_ABSORBING;
  uint64_t value;
  if (!share_one(a, b, w, &value)) return TP_UNRELATED;
  *both = tp_mk_eq(tt, a.base, tp_mk_bv(tt, w, value));
  if (k == TP_OP_OR) *both = tp_mk_not(tt, *both);
  return TP_POINT;
}

int tp_literal_fixes(const tp_terms *tt, tp_term s, bool value, tp_term t) {
  arc a = arc_of(tt, s);
  if (!tp_term_is(a.base)) return -1;
  arc b = arc_of(tt, t);
  if (a.base.id != b.base.id) return -1;
  const uint32_t w = tp_w(tt, a.base);
  if (!value) a = outside(a, w);
  return lies_in(a, b, w) ? 1 : disjoint(a, b, w) ? 0 : -1;
}
