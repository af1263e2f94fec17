/* Octagons: conjunctions of +-x +-y <= c over integers.
 *
 * What       half difference-bound matrices over n variables; closure, assumptions, assignments,
 *            lattice operations, widening.
 * Represents the integer points that meet all bounds. A variable x of number v is two literals, 2v
 *            for x and 2v + 1 for -x; entry (i, j) bounds V(j) - V(i). So x - y <= c is entry (2y,
 *            2x), and x <= c is entry (2x + 1, 2x) with 2c. A bound c that is given to an operation
 *            is one: within the limits below.
 * Invariants entry (i, j) and its mirror (j^1, i^1) are one cell; the diagonal is 0. A bound is
 *            TP_OCT_INF or its absolute value is at most TP_OCT_MAX: sums beyond that are weakened,
 *            never wrapped, so results stay sound. `is_closed`: tightly closed, every entry is the
 *            least bound that holds on the integer points (without weakening). Operations say
 *            whether they need it and keep it; there is no closed matrix of the empty set:
 *            operations that find out that nothing is left return false, and the octagon may then
 *            only be cleared, copied over or reset.
 * Ownership  a tp_oct owns its cells until _clear; interned ones are immutable and belong to the
 *            pool: equal octagons, equal pointers.
 * Cost       close O(n^3); meet with one constraint O(n^2); assignments O(n); join, leq, widen
 *            O(n^2).
 * Source     Mine 2006, "The octagon abstract domain"; Bagnara, Hill, Zaffanella 2009 for the tight
 *            closure (strengthening once, after shortest paths and tightening); Chawdhary, Robbins,
 *            King 2019 for the incremental one. */
#ifndef TP_NUMERIC_OCTAGON_H
#define TP_NUMERIC_OCTAGON_H

#include "base/base.h"

#define TP_OCT_INF (((int64_t)1 << 62) - 1)  // no bound
#define TP_OCT_MAX (((int64_t)1 << 61) - 2)  // even; INF - MAX is above MAX, INF + INF fits

typedef struct {
  uint32_t n;  // variables
  bool is_closed;
  int64_t *m;  // tp_oct_cells(n) bounds
} tp_oct;

static inline uint32_t tp_oct_plus(uint32_t v) { return 2 * v; }       // the literal x
static inline uint32_t tp_oct_minus(uint32_t v) { return 2 * v + 1; }  // the literal -x
static inline size_t tp_oct_cells(uint32_t n) { return 2 * (size_t)n * (n + 1); }
/* Where entry (i, j) is: rows of the lower half, two literals wide steps. */
static inline size_t tp_oct_at(uint32_t i, uint32_t j) {
  if (j > (i | 1)) {
    uint32_t mirror = j ^ 1;
    j = i ^ 1;
    i = mirror;
  }
  return j + ((size_t)(i + 1) * (i + 1)) / 2;
}
static inline int64_t tp_oct_entry(const tp_oct *o, uint32_t i, uint32_t j) {
  return o->m[tp_oct_at(i, j)];
}
/* a + b on bounds: infinite if one is, or if the sum is too big; a sum that is too small becomes
 * -MAX. */
static inline int64_t tp_oct_add(int64_t a, int64_t b) {
  int64_t s = a + b;
  return s > TP_OCT_MAX ? TP_OCT_INF : s < -TP_OCT_MAX ? -TP_OCT_MAX : s;
}
/* Any integer as an upper bound, weakened if it does not fit. */
int64_t tp_oct_bound(tp_i128 c);

void tp_oct_init(tp_oct *o, uint32_t n);  // all of Z^n
void tp_oct_clear(tp_oct *o);
void tp_oct_copy(tp_oct *to, const tp_oct *from);  // `to` is initialised; its cells are reused
void tp_oct_reset(tp_oct *o, uint32_t n);          // all of Z^n again
/* Variable k of the result is variable map[k] of `from`, or, TP_OCT_FRESH, a new one without
 * bounds. map is injective on the others: variables that it leaves out are projected away. Closed
 * if `from` is. to != from. */
#define TP_OCT_FRESH UINT32_MAX
void tp_oct_remap(tp_oct *to, uint32_t n, const tp_oct *from, const uint32_t *map);

/* The least upper bound of V(a), of V(a) + V(b) (both: of a closed octagon the least one), or
 * TP_OCT_INF. */
int64_t tp_oct_upper(const tp_oct *o, uint32_t a);
int64_t tp_oct_upper_sum(const tp_oct *o, uint32_t a, uint32_t b);
/* Nothing is known of v that its own bounds (of v and of the others) do not say. Closed. */
bool tp_oct_is_unrelated(const tp_oct *o, uint32_t v);

/* Tight closure. False: empty. */
bool tp_oct_close(tp_oct *o) TP_MUST_USE;
/* V(a) <= c; V(a) + V(b) <= c. Need and keep closure. False: empty. */
bool tp_oct_meet(tp_oct *o, uint32_t a, int64_t c) TP_MUST_USE;
bool tp_oct_meet_sum(tp_oct *o, uint32_t a, uint32_t b, int64_t c) TP_MUST_USE;
/* All bounds of `by` (as many variables) too. False: empty. */
bool tp_oct_meet_all(tp_oct *o, const tp_oct *by) TP_MUST_USE;

// assignments need and keep closure; bounds: lo <= hi, -TP_OCT_INF and TP_OCT_INF allowed
void tp_oct_forget(tp_oct *o, uint32_t v);
void tp_oct_assign_range(tp_oct *o, uint32_t v, int64_t lo, int64_t hi);  // v := [lo, hi]
void tp_oct_assign(tp_oct *o, uint32_t v, uint32_t literal, int64_t lo,
                   int64_t hi);  // v := V(literal) + [lo, hi]

// lattice; octagons of one n
bool tp_oct_leq(const tp_oct *a, const tp_oct *b);    // a closed: exactly inclusion
bool tp_oct_equal(const tp_oct *a, const tp_oct *b);  // the same cells
void tp_oct_join(tp_oct *a,
                 const tp_oct *b);  // into a; both closed: closed, the least octagon above both
/* a := a widened by b: entries that b exceeds rise to the next threshold (bounds of V(a), and of
 * sums), in the end to INF. thresholds ascend. The result is not closed, and must not be closed
 * before it is widened again: closing it in place would let chains go on for ever. b should be
 * closed, and above a's set. */
void tp_oct_widen(tp_oct *a, const tp_oct *b, const int64_t *thresholds, size_t n_thresholds);
/* A smallish set of bounds V(j) - V(i) <= c that together with `given` mean o: equalities first,
 * then what does not follow from others. Both closed, o within given. Appends to out. */
typedef struct {
  uint32_t i, j;
  int64_t c;
} tp_oct_row;
typedef TP_VEC(tp_oct_row) tp_oct_rows;
void tp_oct_reduce(const tp_oct *o, const tp_oct *given, tp_oct_rows *out);

/* The invariants; closure too, if it is claimed and no bound is weakened. */
bool tp_oct_check(const tp_oct *o);

// interning
typedef struct {
  tp_arena arena;
  TP_VEC(const tp_oct *) list;
  TP_VEC(uint32_t) next;  // index + 1 of the next with the same hash
  tp_map first;
} tp_oct_pool;
void tp_oct_pool_init(tp_oct_pool *pool);
void tp_oct_pool_clear(tp_oct_pool *pool);
const tp_oct *tp_oct_intern(tp_oct_pool *pool, const tp_oct *o);

#endif
