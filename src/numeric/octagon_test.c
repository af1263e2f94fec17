/* Octagons against enumeration: in a small box every operation is compared with sets of integer
 * points. The least bounds of a set of points are what a closed octagon must hold, entry by entry.
 */
#include "numeric/octagon.h"

#include <setjmp.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MAX_VARS = 4, RADIUS = 3 };
static unsigned long volume(unsigned long quick, unsigned long soak) {
  return getenv("TP_SOAK") ? soak : quick;
}

// ----------------------------------------------------------- sets of points

/* Least bounds of the points seen so far: the oracle. */
typedef struct {
  uint32_t n;
  size_t n_points;
  int64_t best[2 * MAX_VARS][2 * MAX_VARS];
} hull;

static int64_t literal(const int64_t *x, uint32_t i) { return i & 1 ? -x[i / 2] : x[i / 2]; }

static void hull_add(hull *h, const int64_t *x) {
  for (uint32_t i = 0; i < 2 * h->n; i++)
    for (uint32_t j = 0; j < 2 * h->n; j++) {
      const int64_t d = literal(x, j) - literal(x, i);
      if (h->n_points == 0 || d > h->best[i][j]) h->best[i][j] = d;
    }
  h->n_points++;
}

static void assert_is_hull(const tp_oct *o, const hull *h) {
  assert_true(o->is_closed);
  assert_true(tp_oct_check(o));
  for (uint32_t i = 0; i < 2 * h->n; i++)
    for (uint32_t j = 0; j < 2 * h->n; j++) assert_int_equal(tp_oct_entry(o, i, j), h->best[i][j]);
}

/* The points of the box, one after the other. */
static bool next_point(int64_t *x, uint32_t n, int64_t radius) {
  for (uint32_t v = 0; v < n; v++) {
    if (++x[v] <= radius) return true;
    x[v] = -radius;
  }
  return false;
}

typedef struct {
  uint32_t a, b;
  int64_t c;
} constraint;  // V(a) + V(b) <= c; a == b: V(a) <= c

static bool holds(const constraint *at, size_t n, const int64_t *x) {
  for (size_t k = 0; k < n; k++)
    if (at[k].a == at[k].b ? literal(x, at[k].a) > at[k].c
                           : literal(x, at[k].a) + literal(x, at[k].b) > at[k].c)
      return false;
  return true;
}

static bool contains(const tp_oct *o, const int64_t *x) {
  for (uint32_t i = 0; i < 2 * o->n; i++)
    for (uint32_t j = 0; j < 2 * o->n; j++)
      if ((tp_i128)literal(x, j) - literal(x, i) > tp_oct_entry(o, i, j) &&
          tp_oct_entry(o, i, j) < TP_OCT_INF)
        return false;
  return true;
}

static bool meet(tp_oct *o, constraint c) {
  return c.a == c.b ? tp_oct_meet(o, c.a, c.c) : tp_oct_meet_sum(o, c.a, c.b, c.c);
}

static void box(tp_oct *o, uint32_t n, int64_t radius) {
  tp_oct_reset(o, n);
  for (uint32_t i = 0; i < 2 * n; i++) assert_true(tp_oct_meet(o, i, radius));
}

static constraint random_constraint(tp_rng *rng, uint32_t n) {
  const uint32_t a = (uint32_t)tp_rng_below(rng, 2 * n), b = (uint32_t)tp_rng_below(rng, 2 * n);
  return (constraint){a, a == (b ^ 1) ? a : b, (int64_t)tp_rng_below(rng, 2 * RADIUS + 3) - RADIUS};
}

/* A random octagon in the box, its points' hull beside it. */
static bool random_octagon(tp_rng *rng, uint32_t n, tp_oct *o, hull *h, constraint *all,
                           size_t n_all) {
  bool ok = true;
  box(o, n, RADIUS);
  for (size_t k = 0; k < n_all; k++) {
    all[k] = random_constraint(rng, n);
    ok = ok && meet(o, all[k]);
  }
  *h = (hull){.n = n};
  int64_t x[MAX_VARS] = {-RADIUS, -RADIUS, -RADIUS, -RADIUS};
  do {
    if (holds(all, n_all, x)) hull_add(h, x);
  } while (next_point(x, n, RADIUS));
  assert_int_equal(ok, h->n_points > 0);
  return ok;
}

// ---------------------------------------------------------------------- tests

/* Every set of up to three constraints of two variables: closure is exact, also step by step, also
 * all at once. */
static void closure_is_exact_on_two_variables(void **state) {
  (void)state;
  constraint every[200];
  size_t n = 0;
  for (uint32_t a = 0; a < 4; a++)
    for (uint32_t b = a; b < 4; b++)
      for (int64_t c = -3; c <= 3; c++)
        if (a != (b ^ 1)) every[n++] = (constraint){a, b, c};
  tp_oct step, whole;
  tp_oct_init(&step, 2);
  tp_oct_init(&whole, 2);
  size_t empty = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t j = i; j < n; j++)
      for (size_t k = j; k < n; k += 3) {
        const constraint set[3] = {every[i], every[j], every[k]};
        hull h = {.n = 2};
        int64_t x[MAX_VARS] = {-RADIUS, -RADIUS};
        do {
          if (holds(set, 3, x)) hull_add(&h, x);
        } while (next_point(x, 2, RADIUS));
        box(&step, 2, RADIUS);
        box(&whole, 2, RADIUS);
        for (size_t c = 0; c < 3; c++) {
          int64_t *cell = &whole.m[tp_oct_at(set[c].a ^ 1, set[c].b)];
          const int64_t bound = set[c].a == set[c].b ? 2 * set[c].c : set[c].c;
          if (bound < *cell) *cell = bound;
        }
        whole.is_closed = false;
        const bool ok = meet(&step, set[0]) && meet(&step, set[1]) && meet(&step, set[2]);
        assert_int_equal(ok, h.n_points > 0);
        assert_int_equal(tp_oct_close(&whole), ok);
        empty += !ok;
        if (!ok) continue;
        assert_is_hull(&step, &h);
        assert_is_hull(&whole, &h);
      }
  assert_true(empty > 1000);
  tp_oct_clear(&step);
  tp_oct_clear(&whole);
}

/* 2x <= 1 and -2x <= -1 has rational points only; x + y <= 0, x - y <= 1, -x - y <= 0, y - x <= -1
 * too. */
static void rational_points_do_not_count(void **state) {
  (void)state;
  tp_oct o;
  tp_oct_init(&o, 2);
  assert_true(tp_oct_meet_sum(&o, 0, 2, 0));
  assert_true(tp_oct_meet_sum(&o, 0, 3, 1));
  assert_true(tp_oct_meet_sum(&o, 1, 3, 0));
  assert_int_equal(tp_oct_upper(&o, 0), 0);
  assert_false(tp_oct_meet_sum(&o, 1, 2, -1));
  tp_oct_clear(&o);
}

static void closure_is_exact_at_random(void **state) {
  (void)state;
  tp_rng rng;
  tp_rng_init(&rng, 1);
  tp_oct o, whole;
  tp_oct_init(&o, 0);
  tp_oct_init(&whole, 0);
  size_t filled = 0;
  for (unsigned long round = 0; round < volume(3000, 300000); round++) {
    const uint32_t n = 3 + (uint32_t)tp_rng_below(&rng, 2);
    const size_t k = 1 + (size_t)tp_rng_below(&rng, 7);
    hull h;
    constraint all[8];
    if (!random_octagon(&rng, n, &o, &h, all, k)) continue;
    filled++;
    assert_is_hull(&o, &h);
    tp_oct_rows rows = {0};
    box(&whole, n, RADIUS);
    tp_oct_reduce(&o, &whole, &rows);  // what reduction leaves gives all back, at once
    for (size_t r = 0; r < rows.n; r++) {
      int64_t *cell = &whole.m[tp_oct_at(rows.at[r].i, rows.at[r].j)];
      assert_true(rows.at[r].c < *cell);
      *cell = rows.at[r].c;
    }
    whole.is_closed = false;
    assert_true(tp_oct_close(&whole));
    assert_true(tp_oct_equal(&whole, &o));
    assert_true(rows.n <= 2 * n * n);
    tp_vec_clear(&rows);
  }
  assert_true(filled > 500);
  tp_oct_clear(&o);
  tp_oct_clear(&whole);
}

/* Each operation maps points to points: its result must be the hull of the image. */
static void operations_are_exact(void **state) {
  (void)state;
  tp_rng rng;
  tp_rng_init(&rng, 2);
  tp_oct o, other, all_of;
  tp_oct_init(&o, 0);
  tp_oct_init(&other, 0);
  tp_oct_init(&all_of, 0);
  for (unsigned long round = 0; round < volume(6000, 300000); round++) {
    const uint32_t n = 3;
    hull h, g;
    constraint first[6], second[6];
    const size_t k = (size_t)tp_rng_below(&rng, 6);
    if (!random_octagon(&rng, n, &o, &h, first, k)) continue;
    const uint32_t v = (uint32_t)tp_rng_below(&rng, n), y = (uint32_t)tp_rng_below(&rng, 2 * n);
    const int64_t lo = (int64_t)tp_rng_below(&rng, 7) - 3, hi = lo + (int64_t)tp_rng_below(&rng, 3);
    hull image = {.n = n};
    int64_t x[MAX_VARS] = {-RADIUS, -RADIUS, -RADIUS};
    const unsigned what = (unsigned)tp_rng_below(&rng, 4);
    if (what == 3) {
      if (!random_octagon(&rng, n, &other, &g, second, k)) continue;
    }
    do {
      const bool in_first = holds(first, k, x);
      if (what == 3 ? in_first || holds(second, k, x) : in_first) {
        if (what < 2)
          for (int64_t t = lo; t <= hi; t++) {
            int64_t z[MAX_VARS] = {x[0], x[1], x[2]};
            z[v] = what == 0 ? t : literal(x, y) + t;
            hull_add(&image, z);
          }
        else
          hull_add(&image, x);
      }
    } while (next_point(x, n, RADIUS));
    switch (what) {
      case 0: tp_oct_assign_range(&o, v, lo, hi); break;
      case 1: tp_oct_assign(&o, v, y, lo, hi); break;
      case 2: {  // renaming there and back, through a bigger space
        const uint32_t there[4] = {2, 0, TP_OCT_FRESH, 1}, back[3] = {1, 3, 0};
        tp_oct_remap(&all_of, 4, &o, there);
        assert_true(tp_oct_check(&all_of));
        tp_oct_remap(&o, 3, &all_of, back);
        break;
      }
      default:
        tp_oct_copy(&all_of, &o);
        tp_oct_join(&all_of, &other);
        assert_true(tp_oct_leq(&o, &all_of) && tp_oct_leq(&other, &all_of));
        assert_int_equal(tp_oct_leq(&o, &other), tp_oct_equal(&all_of, &other));
        tp_oct_copy(&o, &all_of);
    }
    assert_is_hull(&o, &image);
    tp_oct_copy(&all_of, &o);
    tp_oct_forget(&o, v);
    assert_true(tp_oct_check(&o));
    for (uint32_t i = 0; i < 2 * n; i++)
      for (uint32_t j = 0; j < 2 * n; j++)
        assert_true(i == j || tp_oct_entry(&o, i, j) ==
                                  (i / 2 == v || j / 2 == v ? TP_OCT_INF : image.best[i][j]));
    assert_true(tp_oct_is_unrelated(&o, v));
    assert_true(tp_oct_meet_all(&o, &all_of));
    assert_true(tp_oct_equal(&o, &all_of));
  }
  tp_oct_clear(&o);
  tp_oct_clear(&other);
  tp_oct_clear(&all_of);
}

/* Bounds near the limits: what an operation loses is precision. */
static void big_bounds_are_weakened_soundly(void **state) {
  (void)state;
  tp_rng rng;
  tp_rng_init(&rng, 3);
  tp_oct o;
  tp_oct_init(&o, 3);
  for (unsigned long round = 0; round < volume(20000, 1000000); round++) {
    int64_t x[3];
    tp_oct_reset(&o, 3);
    for (int v = 0; v < 3; v++)
      x[v] = (int64_t)(tp_rng_next(&rng) >> (2 + tp_rng_below(&rng, 60))) -
             (int64_t)((uint64_t)1 << tp_rng_below(&rng, 61));
    for (int k = 0; k < 8; k++) {  // constraints, or moves, that the point takes part in
      const uint32_t a = (uint32_t)tp_rng_below(&rng, 6), b = (uint32_t)tp_rng_below(&rng, 6);
      const int64_t slack = (int64_t)tp_rng_below(&rng, 3);
      switch (tp_rng_below(&rng, 3)) {
        case 0:
          assert_true(tp_oct_meet(&o, a, tp_oct_bound((tp_i128)literal(x, a) + slack)));
          break;
        case 1:
          assert_true(tp_oct_meet_sum(
              &o, a, b, tp_oct_bound((tp_i128)literal(x, a) + literal(x, b) + slack)));
          break;
        default: {
          const int64_t by = (int64_t)(tp_rng_next(&rng) >> (3 + tp_rng_below(&rng, 60)));
          if (by > TP_OCT_MAX || literal(x, b) > (int64_t)1 << 61) break;
          const int64_t to = literal(x, b) + by;
          tp_oct_assign(&o, a / 2, b, tp_oct_bound(by), tp_oct_bound(by));
          x[a / 2] = to;
        }
      }
      assert_true(contains(&o, x));
      for (uint32_t i = 0; i < 6; i++)
        for (uint32_t j = 0; j < 6; j++) {
          const int64_t c = tp_oct_entry(&o, i, j);
          assert_true(c == TP_OCT_INF || (c <= TP_OCT_MAX && c >= -TP_OCT_MAX));
        }
    }
  }
  tp_oct_clear(&o);
}

/* Any chain of widenings ends: entries only rise, over thresholds, to infinity. */
static void widening_chains_end(void **state) {
  (void)state;
  static const int64_t thresholds[] = {-10, -1, 0, 1, 7, 100};
  const size_t n_thresholds = sizeof thresholds / sizeof *thresholds;
  tp_rng rng;
  tp_rng_init(&rng, 4);
  tp_oct w, closed, next;
  tp_oct_init(&w, 3);
  tp_oct_init(&closed, 3);
  tp_oct_init(&next, 3);
  for (unsigned long round = 0; round < volume(300, 20000); round++) {
    hull h;
    constraint set[6];
    if (!random_octagon(&rng, 3, &w, &h, set, 5)) continue;
    unsigned changes = 0;
    for (int64_t k = 1; k < 400; k++) {  // ever new points, ever farther away
      tp_oct_copy(&closed, &w);
      assert_true(tp_oct_close(&closed));
      for (uint32_t v = 0; v < 3; v++) {
        const int64_t at = (int64_t)tp_rng_below(&rng, (uint64_t)k * 10 + 1) - 5 * k;
        tp_oct_assign_range(&next, v, at, at);
      }
      tp_oct_join(&next, &closed);
      if (tp_oct_equal(&next, &closed)) continue;
      tp_oct_widen(&w, &next, thresholds, n_thresholds);
      assert_true(tp_oct_leq(&next, &w));
      changes++;
    }
    assert_true(changes <= tp_oct_cells(3) * (n_thresholds + 1));
  }
  tp_oct_clear(&w);
  tp_oct_clear(&closed);
  tp_oct_clear(&next);
}

/* The chain that closing the widened argument would keep alive: x - y and y - z grow in turn, x - z
 * by closure. */
static void widening_gives_up_what_grows_only(void **state) {
  (void)state;
  tp_oct a, b;
  tp_oct_init(&a, 2);
  tp_oct_init(&b, 2);
  tp_oct_assign_range(&a, 0, 0, 0);
  tp_oct_assign_range(&a, 1, 0, 0);
  tp_oct_copy(&b, &a);
  tp_oct_assign(&b, 0, 0, 1, 1);
  tp_oct_assign(&b, 1, 2, 1, 1);  // x = y = 1
  tp_oct_join(&b, &a);
  tp_oct_widen(&a, &b, NULL, 0);
  assert_true(tp_oct_close(&a));
  assert_int_equal(tp_oct_upper_sum(&a, 0, 3), 0);  // x = y stays
  assert_int_equal(tp_oct_upper_sum(&a, 1, 2), 0);
  assert_int_equal(tp_oct_upper(&a, 1), 0);  // x >= 0 stays
  assert_int_equal(tp_oct_upper(&a, 0), TP_OCT_INF);
  tp_oct_clear(&a);
  tp_oct_clear(&b);
}

/* w = 0 before, z = 0 after x got a lower bound beyond TP_OCT_MAX: x - w has the weakened bound,
 * and x - z the sum of half of a weakened bound and 0, which is less precise. Both are sound. */
static void weakened_bounds_are_not_closed(void **state) {
  (void)state;
  enum { X, Z, W };
  tp_oct o = {0};
  tp_oct_init(&o, 3);
  tp_oct_assign_range(&o, W, 0, 0);
  tp_oct_assign_range(&o, X, TP_OCT_MAX, TP_OCT_INF);
  tp_oct_assign_range(&o, Z, 0, 0);
  const int64_t of_z = tp_oct_entry(&o, tp_oct_plus(Z), tp_oct_minus(X)),
                of_w = tp_oct_entry(&o, tp_oct_plus(W), tp_oct_minus(X));
  assert_true(o.is_closed && of_w < of_z && of_z < 0);
  assert_true(tp_oct_check(&o));
  o.m[tp_oct_at(tp_oct_plus(X), tp_oct_plus(X))] = -1;
  assert_false(tp_oct_check(&o));  // the other invariants stand
  tp_oct_clear(&o);
}

static void equal_octagons_are_one(void **state) {
  (void)state;
  const size_t before = tp_live_bytes();
  tp_oct_pool pool;
  tp_oct_pool_init(&pool);
  tp_oct a, b;
  tp_oct_init(&a, 3);
  tp_oct_init(&b, 3);
  assert_ptr_equal(tp_oct_intern(&pool, &a), tp_oct_intern(&pool, &b));
  assert_true(tp_oct_meet_sum(&a, 0, 3, 4));
  assert_ptr_not_equal(tp_oct_intern(&pool, &a), tp_oct_intern(&pool, &b));
  assert_true(tp_oct_meet_sum(&b, 3, 0, 4));
  assert_ptr_equal(tp_oct_intern(&pool, &a), tp_oct_intern(&pool, &b));
  tp_oct_reset(&a, 0);
  assert_int_equal(tp_oct_intern(&pool, &a)->n, 0);
  tp_oct_clear(&a);
  tp_oct_clear(&b);
  tp_oct_pool_clear(&pool);
  assert_int_equal(tp_live_bytes(), before);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(closure_is_exact_on_two_variables),
                                     cmocka_unit_test(rational_points_do_not_count),
                                     cmocka_unit_test(closure_is_exact_at_random),
                                     cmocka_unit_test(operations_are_exact),
                                     cmocka_unit_test(big_bounds_are_weakened_soundly),
                                     cmocka_unit_test(widening_chains_end),
                                     cmocka_unit_test(widening_gives_up_what_grows_only),
                                     cmocka_unit_test(weakened_bounds_are_not_closed),
                                     cmocka_unit_test(equal_octagons_are_one)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
