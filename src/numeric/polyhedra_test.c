/* Polyhedra against sets of integer points: what is made from points contains exactly the triangles
 * between them. Helpers that die, hang or talk nonsense cost an answer. */
#include "numeric/polyhedra.h"

#include "numeric/numeric_limits.h"

#include <setjmp.h>
#include <stdlib.h>

#include <cmocka.h>

enum { RADIUS = 3, MAX_POINTS = 6 };
static unsigned long volume(unsigned long quick, unsigned long soak) {
  return getenv("TP_SOAK") ? soak : quick;
}

typedef struct {
  int64_t x[TP_NUMERIC_POLY_DIMS];
} point;

static tp_polyhedra *open_helper(uint32_t dimensions) {
  tp_polyhedra *x = tp_polyhedra_open(dimensions);
  assert_non_null(x);
  return x;
}

static void add(tp_poly *p, tp_poly_relation relation, int64_t a, int64_t b, int64_t constant) {
  tp_vec_push(&p->list, (tp_poly_constraint){{a, b}, constant, relation});
}

static tp_poly single(uint32_t dimensions, const int64_t *x) {
  tp_poly p = {0};
  for (uint32_t d = 0; d < dimensions; d++) {
    tp_poly_constraint c = {.constant = -x[d], .relation = TP_POLY_EQ};
    c.coefficient[d] = 1;
    tp_vec_push(&p.list, c);
  }
  return p;
}

static tp_poly hull_of(tp_polyhedra *h, uint32_t dimensions, const point *at, size_t n) {
  tp_poly p = {.is_empty = true};
  for (size_t i = 0; i < n; i++) {
    tp_poly one = single(dimensions, at[i].x);
    assert_true(tp_poly_hull(h, &p, &one, &p));
    tp_vec_clear(&one.list);
  }
  return p;
}

static size_t draw_points(tp_rng *r, uint32_t dimensions, point *out) {
  size_t n = 1 + tp_rng_below(r, MAX_POINTS);
  for (size_t i = 0; i < n; i++)
    for (uint32_t d = 0; d < dimensions; d++)
      out[i].x[d] = (int64_t)tp_rng_below(r, 2 * RADIUS + 1) - RADIUS;
  return n;
}

static bool next_point(int64_t *x, uint32_t n) {
  for (uint32_t v = 0; v < n; v++) {
    if (++x[v] <= RADIUS) return true;
    x[v] = -RADIUS;
  }
  return false;
}

// ------------------------------------------------------- the oracle: triangles

static int64_t turn(const int64_t *a, const int64_t *b, const int64_t *p) {
  return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
}

static bool between(const int64_t *a, const int64_t *b, const int64_t *p) {
  return turn(a, b, p) == 0 && (p[0] - a[0]) * (p[0] - b[0]) <= 0 &&
         (p[1] - a[1]) * (p[1] - b[1]) <= 0;
}

static bool in_triangle(const int64_t *a, const int64_t *b, const int64_t *c, const int64_t *p) {
  int64_t u = turn(a, b, p), v = turn(b, c, p), w = turn(c, a, p);
  if (turn(a, b, c) == 0) return between(a, b, p) || between(b, c, p) || between(c, a, p);
  return (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
}

static bool in_hull(const point *at, size_t n, const int64_t *p) {
  for (size_t i = 0; i < n; i++)
    for (size_t j = i; j < n; j++)
      for (size_t k = j; k < n; k++)
        if (in_triangle(at[i].x, at[j].x, at[k].x, p)) return true;
  return false;
}

// ------------------------------------------------------------------ operations

static void hull_and_meet_are_those_of_the_points(void **state) {
  (void)state;
  tp_polyhedra *h = open_helper(2);
  tp_rng r;
  tp_rng_init(&r, 11);
  for (unsigned long turns = volume(150, 5000); turns--;) {
    point at[2 * MAX_POINTS];
    size_t na = draw_points(&r, 2, at), nb = draw_points(&r, 2, at + na);
    tp_poly a = hull_of(h, 2, at, na), b = hull_of(h, 2, at + na, nb), both = {0}, common = {0};
    assert_true(tp_poly_hull(h, &a, &b, &both));
    assert_true(tp_poly_meet(h, &a, &b, &common));
    int64_t x[2] = {-RADIUS, -RADIUS};
    do {
      assert_int_equal(tp_poly_contains(&a, 2, x), in_hull(at, na, x));
      assert_int_equal(tp_poly_contains(&both, 2, x), in_hull(at, na + nb, x));
      assert_int_equal(tp_poly_contains(&common, 2, x),
                       in_hull(at, na, x) && in_hull(at + na, nb, x));
    } while (next_point(x, 2));
    tp_vec_clear(&a.list);
    tp_vec_clear(&b.list);
    tp_vec_clear(&both.list);
    tp_vec_clear(&common.list);
  }
  tp_polyhedra_close(h);
}

/* A hull of points is inside a convex set if the points are; in three dimensions too. */
static void inclusion_is_that_of_the_points(void **state) {
  (void)state;
  tp_rng r;
  tp_rng_init(&r, 12);
  size_t seen[2] = {0, 0};
  for (uint32_t dimensions = 1; dimensions <= 3; dimensions++) {
    tp_polyhedra *h = open_helper(dimensions);
    for (unsigned long turns = volume(120, 3000); turns--;) {
      point at[2 * MAX_POINTS];
      size_t na = draw_points(&r, dimensions, at), nb = draw_points(&r, dimensions, at + na);
      tp_poly a = hull_of(h, dimensions, at, na), b = hull_of(h, dimensions, at + na, nb);
      bool all = true, is;
      for (size_t i = 0; i < nb; i++) all = all && tp_poly_contains(&a, dimensions, at[na + i].x);
      assert_true(tp_poly_includes(h, &a, &b, &is));
      assert_int_equal(is, all);
      seen[is]++;
      tp_vec_clear(&a.list);
      tp_vec_clear(&b.list);
    }
    tp_polyhedra_close(h);
  }
  assert_true(seen[0] > 20 && seen[1] > 20);
}

static void projection_and_box_are_intervals(void **state) {
  (void)state;
  tp_polyhedra *h = open_helper(2);
  tp_rng r;
  tp_rng_init(&r, 13);
  for (unsigned long turns = volume(100, 3000); turns--;) {
    point at[MAX_POINTS];
    size_t n = draw_points(&r, 2, at);
    tp_poly a = hull_of(h, 2, at, n), shadow = {0}, box = {0};
    assert_true(tp_poly_project(h, &a, 0, &shadow));
    assert_true(tp_poly_box(h, &a, &box));
    int64_t lo[2] = {RADIUS, RADIUS}, hi[2] = {-RADIUS, -RADIUS}, x[2] = {-RADIUS, -RADIUS};
    for (size_t i = 0; i < n; i++)
      for (int d = 0; d < 2; d++) {
        if (at[i].x[d] < lo[d]) lo[d] = at[i].x[d];
        if (at[i].x[d] > hi[d]) hi[d] = at[i].x[d];
      }
    do {
      bool in[2] = {x[0] >= lo[0] && x[0] <= hi[0], x[1] >= lo[1] && x[1] <= hi[1]};
      assert_int_equal(tp_poly_contains(&shadow, 2, x), in[1]);
      assert_int_equal(tp_poly_contains(&box, 2, x), in[0] && in[1]);
    } while (next_point(x, 2));
    tp_vec_clear(&a.list);
    tp_vec_clear(&shadow.list);
    tp_vec_clear(&box.list);
  }
  tp_polyhedra_close(h);
}

/* x, widen(x, hull(x, p1)), ...: with points ever further out the chain stands still before long.
 */
static void widening_chains_end(void **state) {
  (void)state;
  tp_rng r;
  tp_rng_init(&r, 14);
  for (uint32_t dimensions = 1; dimensions <= 3; dimensions++) {
    tp_polyhedra *h = open_helper(dimensions);
    for (unsigned long turns = volume(25, 500); turns--;) {
      point at[MAX_POINTS];
      size_t n = draw_points(&r, dimensions, at);
      tp_poly a = hull_of(h, dimensions, at, n), none = {0};
      unsigned changes = 0;
      for (int64_t radius = RADIUS; radius < 200; radius++) {
        point out;
        for (uint32_t d = 0; d < dimensions; d++)
          out.x[d] = (int64_t)tp_rng_below(&r, (uint64_t)(2 * radius + 1)) - radius;
        if (tp_poly_contains(&a, dimensions, out.x)) continue;
        tp_poly one = single(dimensions, out.x), b = {0}, w = {0};
        bool is;
        assert_true(tp_poly_hull(h, &a, &one, &b));
        assert_true(tp_poly_widen(h, &a, &b, &none, &w));
        assert_true(tp_poly_includes(h, &w, &b, &is));
        assert_true(is);
        tp_poly_copy(&a, &w);
        changes++;
        tp_vec_clear(&one.list);
        tp_vec_clear(&b.list);
        tp_vec_clear(&w.list);
      }
      assert_true(changes <= 24);
      tp_vec_clear(&a.list);
    }
    tp_polyhedra_close(h);
  }
}

/* The wedges of y >= 0, y + x < 0, y + 2x < 0, ...: the landmark x <= -1 is kept, the others go. */
static void landmarks_stay(void **state) {
  (void)state;
  tp_polyhedra *h = open_helper(2);
  tp_poly a = {0}, b = {0}, hull = {0}, box = {0}, wide = {0}, plain = {0}, none = {0};
  add(&a, TP_POLY_GE, 0, 1, 0);  // y >= 0, x + y <= -1
  add(&a, TP_POLY_GE, -1, -1, -1);
  add(&b, TP_POLY_GE, 0, 1, 0);  // y >= 0, x + y >= 0, 2x + y <= -1
  add(&b, TP_POLY_GE, 1, 1, 0);
  add(&b, TP_POLY_GE, -2, -1, -1);
  assert_true(tp_poly_hull(h, &a, &b, &hull));
  assert_true(tp_poly_box(h, &hull, &box));
  assert_true(tp_poly_widen(h, &a, &hull, &box, &wide));
  assert_true(tp_poly_widen(h, &a, &hull, &none, &plain));
  assert_int_equal(wide.list.n, 2);
  assert_true(wide.list.at[0].coefficient[0] == 0 && wide.list.at[0].coefficient[1] == 1 &&
              wide.list.at[0].constant == 0);
  assert_true(wide.list.at[1].coefficient[0] == -1 && wide.list.at[1].coefficient[1] == 0 &&
              wide.list.at[1].constant == -1);
  assert_true(tp_poly_contains(&wide, 2, (int64_t[]){-1, 1000000}));
  assert_false(tp_poly_contains(&wide, 2, (int64_t[]){0, 0}));
  bool is;
  assert_true(tp_poly_includes(h, &plain, &wide, &is));
  assert_true(is);
  tp_poly *all[] = {&a, &b, &hull, &box, &wide, &plain};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) tp_vec_clear(&all[i]->list);
  tp_polyhedra_close(h);
}

/* However a set is written down, it comes back the same. */
static void results_are_in_one_form(void **state) {
  (void)state;
  tp_polyhedra *h = open_helper(2);
  tp_poly a = {0}, b = {0};
  add(&a, TP_POLY_GE, 1, 0, 0);
  add(&a, TP_POLY_GE, 0, 2, -4);
  add(&a, TP_POLY_GE, 1, 1, 0);  // follows
  add(&b, TP_POLY_GE, 0, 1, -2);
  add(&b, TP_POLY_GE, 3, 0, 0);
  assert_true(tp_poly_minimize(h, &a, &a));
  assert_true(tp_poly_minimize(h, &b, &b));
  assert_int_equal(a.list.n, 2);
  assert_memory_equal(a.list.at, b.list.at, 2 * sizeof *a.list.at);
  add(&a, TP_POLY_EQ, -2, 2, -1);  // 2 (y - x) = 1: no integer point
  tp_poly_tighten(&a, 2);
  assert_true(a.is_empty);
  tp_vec_clear(&b.list);
  add(&b, TP_POLY_GE, -2, 0, -1);  // 2x <= -1
  tp_poly_tighten(&b, 2);
  assert_true(b.list.at[0].coefficient[0] == -1 && b.list.at[0].constant == -1);
  tp_vec_clear(&a.list);
  tp_vec_clear(&b.list);
  tp_polyhedra_close(h);
}

// ---------------------------------------------------------------------- limits

/* Numbers that do not fit, and work that is too much, are no answer; the next question is one
 * again. */
static void too_much_is_no_answer(void **state) {
  (void)state;
  tp_polyhedra *h = open_helper(TP_NUMERIC_POLY_DIMS);
  tp_poly a = {0}, b = {0}, out = {0};
  tp_rng r;
  tp_rng_init(&r, 15);
  for (int64_t i = 0; i < TP_NUMERIC_POLY_DIMS;
       i++) {  // eight hyperplanes: the point where they meet has huge denominators
    tp_poly_constraint c = {.constant = 1000000007 + i, .relation = TP_POLY_EQ};
    for (int64_t d = 0; d < TP_NUMERIC_POLY_DIMS; d++)
      c.coefficient[d] = (int64_t)tp_rng_below(&r, 1000003);
    tp_vec_push(&a.list, c);
  }
  assert_false(tp_poly_minimize(h, &a, &out));
  assert_int_equal(out.list.n, 0);
  a.list.n = 0;
  for (uint32_t signs = 0; signs < 1 << TP_NUMERIC_POLY_DIMS;
       signs++) {  // |x_1| + ... + |x_8| <= 100, and a skew copy
    tp_poly_constraint c = {.constant = 100, .relation = TP_POLY_GE};
    for (uint32_t d = 0; d < TP_NUMERIC_POLY_DIMS; d++) c.coefficient[d] = signs >> d & 1 ? 1 : -1;
    tp_vec_push(&a.list, c);
    for (uint32_t d = 1; d < TP_NUMERIC_POLY_DIMS; d++)
      c.coefficient[d] += (int64_t)(d + 2) * c.coefficient[d - 1] + (int64_t)(signs * d % 5);
    tp_vec_push(&b.list, c);
  }
  assert_false(tp_poly_hull(h, &a, &b, &out));
  bool is;
  a.list.n = 0;
  assert_true(tp_poly_includes(h, &a, &a, &is));
  assert_true(is);
  tp_vec_clear(&a.list);
  tp_vec_clear(&b.list);
  tp_polyhedra_close(h);
  assert_null(tp_polyhedra_open(0));
  assert_null(tp_polyhedra_open(TP_NUMERIC_POLY_DIMS + 1));
}

static void bad_helpers_cost_an_answer(void **state) {
  (void)state;
  static const char *const commands[] = {
      "/nonexistent/helper",
      "true",  // dies at once
      "cat",   // says what we said
      "sleep 1000",
      "sh -c 'while read l; do echo \"(poly (>= 1 2))\"; done'",  // a number is missing
      "sh -c 'while read l; do echo \"(poly (>= 1 2 3 4))\"; done'",
      "sh -c 'while read l; do echo \"(poly (> 1 2 3))\"; done'",
      "sh -c 'while read l; do echo \"(poly (>= 1 2 99999999999999999999))\"; done'",
      "sh -c 'while read l; do echo \"(poly 7)\"; done'",
      "sh -c 'while read l; do echo \"(empty (>= 1 2 3))\"; done'",
      "sh -c 'while read l; do echo \"(perhaps)\"; done'",
      "sh -c 'while read l; do echo \"(error)\"; done'",
      "sh -c 'while read l; do echo \"()\"; done'",
      "sh -c 'while read l; do echo \")))\"; done'",
      "sh -c 'read l; echo \"(poly\"; exit 3'",
  };
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
    tp_polyhedra *h = tp_polyhedra_open_command(commands[i], 2);
    assert_non_null(h);
    tp_poly a = {0}, out = {.is_empty = true};
    bool is = true;
    add(&a, TP_POLY_GE, 1, 0, 0);
    for (int turn = 0; turn < 4; turn++) {
      assert_false(tp_poly_minimize(h, &a, &out));
      assert_true(out.is_empty && out.list.n == 0);
    }
    assert_false(tp_poly_includes(h, &a, &a, &is));
    tp_vec_clear(&a.list);
    tp_polyhedra_close(h);
  }
}

static void a_helper_that_died_is_started_again(void **state) {
  (void)state;
  tp_polyhedra *h = tp_polyhedra_open_command("sh -c 'read l; echo \"(yes)\"; read l; exit 1'", 2);
  tp_poly a = {0};
  for (int turn = 0; turn < 4; turn++) {
    bool is = false;
    assert_true(tp_poly_includes(h, &a, &a, &is));
    assert_true(is);
    assert_false(tp_poly_includes(h, &a, &a, &is));
  }
  tp_polyhedra_close(h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hull_and_meet_are_those_of_the_points),
      cmocka_unit_test(inclusion_is_that_of_the_points),
      cmocka_unit_test(projection_and_box_are_intervals),
      cmocka_unit_test(widening_chains_end),
      cmocka_unit_test(landmarks_stay),
      cmocka_unit_test(results_are_in_one_form),
      cmocka_unit_test(too_much_is_no_answer),
      cmocka_unit_test(bad_helpers_cost_an_answer),
      cmocka_unit_test(a_helper_that_died_is_started_again),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
