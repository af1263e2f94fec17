/* The matrix: storage, closures, assumptions, assignments.
 *
 * Tight closure of integer octagons takes three sweeps: shortest paths (a sum of two bounds is a
 * bound), tightening (2x <= c becomes 2x <= c - 1 for odd c), strengthening (x <= a and y <= b give
 * x + y <= a + b). Bagnara, Hill and Zaffanella show that one strengthening after the other two
 * suffices, and that the octagon has an integer point iff no cycle is negative, before and after
 * tightening. So closing after one new constraint is quadratic: the new edge and its mirror are
 * used at most once each on a shortest path, and the other two sweeps are quadratic anyway.
 *
 * Saturation: a bound that does not fit is weakened. The matrix then means more points than it
 * could, and `is_closed` means "as closed as weakened bounds are"; nothing but precision rests on
 * closure. */
#include "numeric/octagon.h"

#include "numeric/numeric_limits.h"

/* The invariants, of a matrix that is small enough. */
static bool is_checked(const tp_oct *o) {
  return o->n > TP_NUMERIC_CHECKED_VARIABLES || tp_oct_check(o);
}

int64_t tp_oct_bound(tp_i128 c) {
  return c > TP_OCT_MAX ? TP_OCT_INF : c < -TP_OCT_MAX ? -TP_OCT_MAX : (int64_t)c;
}

// --------------------------------------------------------------------- storage

static void make_top(tp_oct *o) {
  const size_t cells = tp_oct_cells(o->n);
  for (size_t i = 0; i < cells; i++) o->m[i] = TP_OCT_INF;
  for (uint32_t i = 0; i < 2 * o->n; i++) o->m[tp_oct_at(i, i)] = 0;
  o->is_closed = true;
}

void tp_oct_init(tp_oct *o, uint32_t n) {
  o->n = n;
  o->m = tp_alloc_array(tp_oct_cells(n) + 1, sizeof *o->m);
  make_top(o);
}

void tp_oct_clear(tp_oct *o) {
  tp_free(o->m);
  *o = (tp_oct){0};
}

static void resize(tp_oct *o, uint32_t n) {
  if (o->n != n) o->m = tp_realloc(o->m, (tp_oct_cells(n) + 1) * sizeof *o->m);
  o->n = n;
}

void tp_oct_copy(tp_oct *to, const tp_oct *from) {
  if (to == from) return;
  resize(to, from->n);
  memcpy(to->m, from->m, tp_oct_cells(from->n) * sizeof *to->m);
  to->is_closed = from->is_closed;
}

void tp_oct_reset(tp_oct *o, uint32_t n) {
  resize(o, n);
  make_top(o);
}

void tp_oct_remap(tp_oct *to, uint32_t n, const tp_oct *from, const uint32_t *map) {
  TP_REQUIRE(n == 0 || map);
  tp_oct_reset(to, n);
  to->is_closed = from->is_closed;
  for (uint32_t i = 0; i < 2 * n; i++) {
    if (map[i / 2] == TP_OCT_FRESH) continue;
    const uint32_t from_i = 2 * map[i / 2] + (i & 1);
    for (uint32_t j = 0; j <= (i | 1); j++)
      if (map[j / 2] != TP_OCT_FRESH)
        to->m[tp_oct_at(i, j)] = tp_oct_entry(from, from_i, 2 * map[j / 2] + (j & 1));
  }
}

// --------------------------------------------------------------------- reading

/* 2V <= c as V <= floor(c / 2). */
static int64_t half(int64_t c) { return c >= TP_OCT_INF ? TP_OCT_INF : c >> 1; }

int64_t tp_oct_upper(const tp_oct *o, uint32_t a) {
  TP_REQUIRE(a < 2 * o->n);
  return half(tp_oct_entry(o, a ^ 1, a));
}

int64_t tp_oct_upper_sum(const tp_oct *o, uint32_t a, uint32_t b) {
  TP_REQUIRE(a < 2 * o->n && b < 2 * o->n);
  return tp_oct_entry(o, a ^ 1, b);
}

bool tp_oct_is_unrelated(const tp_oct *o, uint32_t v) {
  TP_REQUIRE(v < o->n);
  for (uint32_t i = 2 * v; i <= 2 * v + 1; i++)
    for (uint32_t j = 0; j < 2 * o->n; j++) {
      if (j / 2 == v) continue;
      const int64_t c = tp_oct_entry(o, i, j);
      if (c < TP_OCT_INF && c < tp_oct_add(tp_oct_upper(o, j), tp_oct_upper(o, i ^ 1)))
        return false;
    }
  return true;
}

// --------------------------------------------------------------------- closure

/* Bounds in scratch columns: column k of the full matrix. */
static void column(const tp_oct *o, uint32_t k, int64_t *out) {
  for (uint32_t i = 0; i < 2 * o->n; i++) out[i] = tp_oct_entry(o, i, k);
}

/* Entry (i, j) becomes min(entry, a(i) + x(j^1), b(i) + y(j^1)): paths that come to two places and
 * go on from there. The rows that leave these places are, by mirroring, columns. */
static void relax(tp_oct *o, const int64_t *a, const int64_t *x, const int64_t *b,
                  const int64_t *y) {
  int64_t *cell = o->m;
  for (uint32_t i = 0; i < 2 * o->n; i++) {
    const uint32_t end = i | 1;
    const int64_t ai = a[i], bi = b[i];
    if (ai >= TP_OCT_INF && bi >= TP_OCT_INF) {
      cell += end + 1;
      continue;
    }
    for (uint32_t j = 0; j <= end; j++, cell++) {
      const int64_t via_a = tp_oct_add(ai, x[j ^ 1]), via_b = tp_oct_add(bi, y[j ^ 1]);
      const int64_t best = via_a < via_b ? via_a : via_b;
      if (best < *cell) *cell = best;
    }
  }
}

/* Tightening and strengthening; then the diagonal is as it should be, or nothing is left. */
static bool finish(tp_oct *o, int64_t *unary) {
  const uint32_t n = 2 * o->n;
  for (uint32_t i = 0; i < n; i++)
    if (tp_oct_entry(o, i, i) < 0) return false;
  for (uint32_t i = 0; i < n; i++) unary[i] = half(tp_oct_entry(o, i, i ^ 1));  // -V(i) <= unary(i)
  for (uint32_t i = 0; i < n; i += 2)
    if (tp_oct_add(unary[i], unary[i + 1]) < 0) return false;
  int64_t *cell = o->m;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t end = i | 1;
    const int64_t ui = unary[i];
    if (ui >= TP_OCT_INF) {
      cell += end + 1;
      continue;
    }
    for (uint32_t j = 0; j <= end; j++, cell++) {
      const int64_t sum = tp_oct_add(ui, unary[j ^ 1]);
      if (sum < *cell) *cell = sum;
    }
  }
  for (uint32_t i = 0; i < n; i++) o->m[tp_oct_at(i, i)] = 0;
  o->is_closed = true;
  return true;
}

static int64_t *scratch(const tp_oct *o, size_t columns) {
  return tp_alloc_array(columns * 2 * o->n + 1, sizeof(int64_t));
}

bool tp_oct_close(tp_oct *o) {
  if (o->is_closed) return true;
  const uint32_t n = 2 * o->n;
  int64_t *to_plus = scratch(o, 4), *to_minus = to_plus + n, *a = to_minus + n, *b = a + n;
  for (uint32_t k = 0; k < n; k += 2) {
    column(o, k, to_plus);
    column(o, k + 1, to_minus);
    const int64_t plus_to_minus = to_minus[k], minus_to_plus = to_plus[k + 1];
    for (uint32_t i = 0; i < n; i++) {
      const int64_t over_minus = tp_oct_add(to_minus[i], minus_to_plus),
                    over_plus = tp_oct_add(to_plus[i], plus_to_minus);
      a[i] = to_plus[i] < over_minus ? to_plus[i] : over_minus;
      b[i] = to_minus[i] < over_plus ? to_minus[i] : over_plus;
    }
    relax(o, a, to_minus, b, to_plus);  // the row of k is the mirrored column of k + 1
  }
  const bool ok = finish(o, to_plus);
  tp_free(to_plus);
  return ok;
}

/* The new edge p -> q of length d, and its mirror q^1 -> p^1. Paths use each at most once. */
static bool add_edge(tp_oct *o, uint32_t p, uint32_t q, int64_t d) {
  TP_INVARIANT(o->is_closed);
  if (d >= tp_oct_entry(o, p, q)) return true;
  if (tp_oct_add(d, tp_oct_entry(o, q, p)) < 0) return false;
  const uint32_t n = 2 * o->n;
  int64_t *to_p = scratch(o, 4), *to_mirror = to_p + n, *a = to_mirror + n, *b = a + n;
  column(o, p, to_p);
  column(o, q ^ 1, to_mirror);
  const int64_t back = tp_oct_add(d, tp_oct_entry(o, p ^ 1, p)),
                over = tp_oct_add(d, tp_oct_entry(o, q, q ^ 1));
  for (uint32_t i = 0; i < n; i++) {
    const int64_t mirror_first = tp_oct_add(to_mirror[i], back),
                  edge_first = tp_oct_add(to_p[i], over);
    a[i] = tp_oct_add(to_p[i] < mirror_first ? to_p[i] : mirror_first, d);
    b[i] = tp_oct_add(to_mirror[i] < edge_first ? to_mirror[i] : edge_first, d);
  }
  relax(o, a, to_mirror, b, to_p);  // rows of q and of p^1, mirrored
  const bool ok = finish(o, a);
  tp_free(to_p);
  return ok;
}

bool tp_oct_meet(tp_oct *o, uint32_t a, int64_t c) {
  TP_REQUIRE(a < 2 * o->n);
  return c >= TP_OCT_INF || add_edge(o, a ^ 1, a, tp_oct_add(c, c));
}

bool tp_oct_meet_sum(tp_oct *o, uint32_t a, uint32_t b, int64_t c) {
  TP_REQUIRE(a < 2 * o->n && b < 2 * o->n);
  if (c >= TP_OCT_INF) return true;
  if (a == (b ^ 1)) return c >= 0;  // V - V
  return add_edge(o, a ^ 1, b, a == b ? c & ~(int64_t)1 : c);
}

bool tp_oct_meet_all(tp_oct *o, const tp_oct *by) {
  TP_REQUIRE(o->n == by->n);
  const size_t cells = tp_oct_cells(o->n);
  for (size_t i = 0; i < cells; i++)
    if (by->m[i] < o->m[i]) {
      o->m[i] = by->m[i];
      o->is_closed = false;
    }
  const bool ok = tp_oct_close(o);
  TP_INVARIANT(!ok || is_checked(o));
  return ok;
}

// ----------------------------------------------------------------- assignments

void tp_oct_forget(tp_oct *o, uint32_t v) {
  TP_REQUIRE(v < o->n);
  for (uint32_t i = 2 * v; i <= 2 * v + 1; i++)
    for (uint32_t j = 0; j < 2 * o->n; j++) o->m[tp_oct_at(i, j)] = i == j ? 0 : TP_OCT_INF;
}

static int64_t negated(int64_t lo) { return lo <= -TP_OCT_INF ? TP_OCT_INF : -lo; }

void tp_oct_assign_range(tp_oct *o, uint32_t v, int64_t lo, int64_t hi) {
  TP_REQUIRE(v < o->n && lo <= hi);
  const uint32_t plus = 2 * v, minus = plus + 1;
  const int64_t low = negated(lo);  // -v <= low
  tp_oct_forget(o, v);
  o->m[tp_oct_at(minus, plus)] = tp_oct_add(hi, hi);
  o->m[tp_oct_at(plus, minus)] = tp_oct_add(low, low);
  for (uint32_t j = 0; j < 2 * o->n; j++) {
    if (j / 2 == v) continue;
    const int64_t other = tp_oct_upper(o, j ^ 1);  // -V(j) <= other
    o->m[tp_oct_at(j, plus)] = tp_oct_add(hi, other);
    o->m[tp_oct_at(j, minus)] = tp_oct_add(low, other);
  }
}

/* v := V(y) + t for t in [lo, hi]: t is independent, so a best bound of V(y) + ... plus one of t is
 * a best bound. */
void tp_oct_assign(tp_oct *o, uint32_t v, uint32_t y, int64_t lo, int64_t hi) {
  TP_REQUIRE(v < o->n && y < 2 * o->n && lo <= hi);
  const uint32_t plus = 2 * v, minus = plus + 1;
  const int64_t low = negated(lo);
  const int64_t above = tp_oct_entry(o, y ^ 1, y),
                below = tp_oct_entry(o, y, y ^ 1);  // of 2V(y), of -2V(y)
  for (uint32_t j = 0; j < 2 * o->n; j++) {
    if (j / 2 == v) continue;
    const int64_t up = tp_oct_entry(o, j, y), down = tp_oct_entry(o, j, y ^ 1);
    o->m[tp_oct_at(j, plus)] = tp_oct_add(up, hi);
    o->m[tp_oct_at(j, minus)] = tp_oct_add(down, low);
  }
  o->m[tp_oct_at(minus, plus)] = tp_oct_add(above, tp_oct_add(hi, hi));
  o->m[tp_oct_at(plus, minus)] = tp_oct_add(below, tp_oct_add(low, low));
}

// --------------------------------------------------------------------- lattice

bool tp_oct_leq(const tp_oct *a, const tp_oct *b) {
  TP_REQUIRE(a->n == b->n);
  const size_t cells = tp_oct_cells(a->n);
  for (size_t i = 0; i < cells; i++)
    if (a->m[i] > b->m[i]) return false;
  return true;
}

bool tp_oct_equal(const tp_oct *a, const tp_oct *b) {
  return a->n == b->n && a->is_closed == b->is_closed &&
         (a->n == 0 || !memcmp(a->m, b->m, tp_oct_cells(a->n) * sizeof *a->m));
}

void tp_oct_join(tp_oct *a, const tp_oct *b) {
  TP_REQUIRE(a->n == b->n);
  const size_t cells = tp_oct_cells(a->n);
  for (size_t i = 0; i < cells; i++)
    if (b->m[i] > a->m[i]) a->m[i] = b->m[i];
  a->is_closed = a->is_closed && b->is_closed;
}

static int64_t next_threshold(const int64_t *at, size_t n, int64_t c) {
  size_t lo = 0, hi = n;
  while (lo < hi) {
    const size_t mid = lo + (hi - lo) / 2;
    if (at[mid] < c)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo < n ? at[lo] : TP_OCT_INF;
}

void tp_oct_widen(tp_oct *a, const tp_oct *b, const int64_t *thresholds, size_t n_thresholds) {
  TP_REQUIRE(a->n == b->n && (n_thresholds == 0 || thresholds));
  for (uint32_t i = 0; i < 2 * a->n; i++)
    for (uint32_t j = 0; j <= (i | 1); j++) {
      int64_t *cell = &a->m[tp_oct_at(i, j)];
      const int64_t c = tp_oct_entry(b, i, j);
      if (c <= *cell) continue;
      if (j == (i ^ 1)) {  // a bound of one variable, doubled
        const int64_t t =
            c >= TP_OCT_INF ? TP_OCT_INF : next_threshold(thresholds, n_thresholds, (c + 1) >> 1);
        *cell = tp_oct_add(t, t);
      } else {
        *cell = c >= TP_OCT_INF ? TP_OCT_INF : next_threshold(thresholds, n_thresholds, c);
      }
      if (*cell > TP_OCT_MAX) *cell = TP_OCT_INF;
    }
  a->is_closed = false;
  TP_INVARIANT(!a->is_closed || is_checked(a));  // what was weakened does not claim to be closed
}

// ------------------------------------------------------- invariants, interning

static bool is_tight(const tp_oct *o) {
  const uint32_t n = 2 * o->n;
  for (uint32_t i = 0; i < n; i++) {
    const int64_t u = tp_oct_entry(o, i, i ^ 1);
    if (u < TP_OCT_INF && (u & 1)) return false;
  }
  return true;
}

/* A weakened bound is -TP_OCT_MAX; its half and their sums with small bounds are derived from it.
 */
static bool has_weakened(const tp_oct *o) {
  const size_t cells = tp_oct_cells(o->n);
  for (size_t i = 0; i < cells; i++)
    if (o->m[i] < -TP_OCT_MAX / 4) return true;
  return false;
}

/* No sum of two bounds is below a bound, and no odd one is left. */
static bool is_tightly_closed(const tp_oct *o) {
  for (uint32_t i = 0; i < 2 * o->n; i++)
    for (uint32_t j = 0; j < 2 * o->n; j++) {
      const int64_t c = tp_oct_entry(o, i, j);
      for (uint32_t k = 0; k < 2 * o->n; k++)
        if (c > tp_oct_add(tp_oct_entry(o, i, k), tp_oct_entry(o, k, j))) return false;
      if (c > tp_oct_add(half(tp_oct_entry(o, i, i ^ 1)), half(tp_oct_entry(o, j ^ 1, j))))
        return false;
    }
  return is_tight(o);
}

bool tp_oct_check(const tp_oct *o) {
  for (uint32_t i = 0; i < 2 * o->n; i++)
    for (uint32_t j = 0; j < 2 * o->n; j++) {
      const int64_t c = tp_oct_entry(o, i, j);
      if (c != TP_OCT_INF && (c > TP_OCT_MAX || c < -TP_OCT_MAX)) return false;
      if (i == j && c != 0) return false;
    }
  return !o->is_closed || has_weakened(o) || is_tightly_closed(o);
}

void tp_oct_pool_init(tp_oct_pool *pool) {
  *pool = (tp_oct_pool){0};
  tp_arena_init(&pool->arena);
}

void tp_oct_pool_clear(tp_oct_pool *pool) {
  tp_vec_clear(&pool->list);
  tp_vec_clear(&pool->next);
  tp_map_clear(&pool->first);
  tp_arena_clear(&pool->arena);
}

/* A word at a time: hashing bytes took a quarter of the time of a run with 40 variables (perf). */
static uint64_t hash_of(const tp_oct *o) {
  const size_t cells = tp_oct_cells(o->n);
  uint64_t h = (uint64_t)o->n * 2 + o->is_closed;
  for (size_t i = 0; i < cells; i++) {
    h = (h ^ (uint64_t)o->m[i]) * 0x9e3779b97f4a7c15u;
    h ^= h >> 29;
  }
  return tp_hash_u64(h);
}

const tp_oct *tp_oct_intern(tp_oct_pool *pool, const tp_oct *o) {
  TP_REQUIRE(is_checked(o));
  const size_t bytes = tp_oct_cells(o->n) * sizeof *o->m;
  const uint64_t hash = hash_of(o);
  uint64_t first = 0;
  tp_map_get(&pool->first, hash, &first);
  for (uint64_t k = first; k; k = pool->next.at[k - 1])
    if (tp_oct_equal(pool->list.at[k - 1], o)) return pool->list.at[k - 1];
  tp_oct *copy = tp_arena_new(&pool->arena, tp_oct);
  *copy =
      (tp_oct){.n = o->n, .is_closed = o->is_closed, .m = tp_arena_alloc(&pool->arena, bytes + 1)};
  if (bytes) memcpy(copy->m, o->m, bytes);
  tp_vec_push(&pool->list, copy);
  tp_vec_push(&pool->next, (uint32_t)first);
  tp_map_set(&pool->first, hash, pool->list.n);
  return copy;
}
