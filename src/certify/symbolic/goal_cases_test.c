/* Goals by cases of an index: equivalent for all values, whatever the goal says of the index; a
 * goal that is false for some value stays false for it. */
#include "certify/symbolic/goal_cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

enum { BITS = 4, ALL = 1 << BITS };

typedef struct {
  tp_terms *tt;
  tp_term x, y, i, n, cells;  // x, y: indices
} scene;

static tp_term cell(const scene *s, tp_term at) {
  return tp_mk2(s->tt, TP_OP_SELECT, s->cells, at);
}
/* What the cell is behind a write of n at the place. */
static tp_term after(const scene *s, tp_term place, tp_term at) {
  return tp_mk_ite(s->tt, tp_mk_eq(s->tt, at, place), s->n, cell(s, at));
}
static tp_term less(const scene *s, tp_term a, tp_term b) {
  return tp_mk2(s->tt, TP_OP_BV_ULT, a, b);
}
static tp_term scaled(const scene *s, tp_term a, uint64_t by) {
  return tp_mk2(s->tt, TP_OP_BV_MUL, a, tp_mk_bv(s->tt, BITS, by));
}
static tp_term moved(const scene *s, tp_term a, uint64_t by) {
  return tp_mk2(s->tt, TP_OP_BV_ADD, a, tp_mk_bv(s->tt, BITS, by));
}

static tp_term at_the_write(const scene *s) { return less(s, after(s, s->i, s->x), s->x); }
static tp_term behind_the_index(const scene *s) {
  return less(s, after(s, s->i, moved(s, s->x, 1)), s->n);
}
static tp_term of_both(const scene *s) {
  return less(s, after(s, s->i, s->y), after(s, s->i, s->x));
}
static tp_term by_the_other(const scene *s) { return less(s, after(s, s->y, s->x), s->i); }
static tp_term without_index(const scene *s) { return less(s, after(s, s->n, s->i), s->x); }
static tp_term of_a_square(const scene *s) {
  return less(s, after(s, s->i, tp_mk2(s->tt, TP_OP_BV_MUL, s->x, s->x)), s->x);
}
static tp_term of_the_double(const scene *s) {
  return less(s, after(s, s->i, scaled(s, s->x, 2)), s->x);
}
static tp_term of_a_difference(const scene *s) {
  return less(s, after(s, s->i, tp_mk_sub(s->tt, s->n, s->x)), s->x);
}
static tp_term itself(const scene *s) { return tp_mk_eq(s->tt, s->x, moved(s, s->i, 2)); }
static tp_term at_two_places(const scene *s) {
  return less(
      s, tp_mk_ite(s->tt, tp_mk_eq(s->tt, s->x, moved(s, s->i, 3)), s->i, after(s, s->n, s->x)),
      s->y);
}

static const struct {
  const char *name;
  tp_term (*goal)(const scene *s);
  bool has_cases;
} rows[] = {
    {"at the place of the write", at_the_write, true},
    {"the cell behind the index", behind_the_index, true},
    {"cells at two indices", of_both, true},
    {"a place that is told by the other index", by_the_other, true},
    {"no index is asked for", without_index, false},
    {"a square of the index", of_a_square, false},
    {"a multiple of the index that has no inverse", of_the_double, false},
    {"the index downwards", of_a_difference, true},
    {"the equation is the goal", itself, false},
    {"two places", at_two_places, true},
};

// -------------------------------------------------------------------- valuations

typedef struct {
  const scene *s;
  uint64_t x, y, i, n;
} valuation;

static bool value_of(void *ctx, tp_term var, tp_value *out) {
  const valuation *v = ctx;
  *out = (tp_value){.bits = tp_term_eq(var, v->s->x)   ? v->x
                            : tp_term_eq(var, v->s->y) ? v->y
                            : tp_term_eq(var, v->s->i) ? v->i
                                                       : v->n};
  return true;
}
static bool value_of_cell(void *ctx, tp_term array, tp_value at, tp_value *out) {
  (void)array;
  const valuation *v = ctx;
  *out = (tp_value){.bits = tp_hash_mix(v->y * ALL + v->n, (uint64_t)at.bits) % ALL};
  return true;
}
static uint64_t no_base(void *ctx, uint32_t object) { return (void)ctx, object; }

static bool is_true(valuation *v, tp_term t) {
  const tp_env env = {v, value_of, no_base, value_of_cell};
  tp_arena arena;
  tp_value value = {0};
  tp_arena_init(&arena);
  assert_int_equal(TP_OK, tp_eval(v->s->tt, t, &env, &arena, &value));
  tp_arena_clear(&arena);
  return value.bits != 0;
}

static void a_goal_by_cases_is_the_goal(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    scene s = {.tt = tp_terms_new(64)};
    const tp_sort word = tp_sort_bv(s.tt, BITS);
    s.x = tp_mk_var(s.tt, "x", word), s.y = tp_mk_var(s.tt, "y", word);
    s.i = tp_mk_var(s.tt, "i", word), s.n = tp_mk_var(s.tt, "n", word);
    s.cells = tp_mk_var(s.tt, "cells", tp_sort_array(s.tt, word, word));
    tp_chk_cert e = {0};
    tp_vec_push(&e.indices, s.x);
    tp_vec_push(&e.indices, s.y);
    const tp_term goal = rows[k].goal(&s), cases = tp_chk_goal_by_cases(&e, s.tt, goal);
    if (tp_term_eq(goal, cases) == rows[k].has_cases) fail_msg("%s: cases", rows[k].name);
    for (uint64_t draw = 0; draw < ALL * ALL * ALL * ALL; draw += 3) {
      valuation v = {&s, draw % ALL, draw / ALL % ALL, draw / (ALL * ALL) % ALL,
                     draw / (ALL * ALL * ALL)};
      if (is_true(&v, goal) != is_true(&v, cases))
        fail_msg("%s: differs for x %d, i %d", rows[k].name, (int)v.x, (int)v.i);
    }
    tp_vec_clear(&e.indices);
    tp_terms_free(s.tt);
  }
}

static void a_goal_without_index_is_left_alone(void **state) {
  (void)state;
  tp_terms *tt = tp_terms_new(64);
  const tp_term i = tp_mk_var(tt, "i", tp_sort_bv(tt, BITS)),
                n = tp_mk_var(tt, "n", tp_sort_bv(tt, BITS)), goal = tp_mk_eq(tt, i, n);
  tp_chk_cert none = {0};
  assert_int_equal(goal.id, tp_chk_goal_by_cases(&none, tt, goal).id);
  tp_terms_free(tt);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_goal_by_cases_is_the_goal),
      cmocka_unit_test(a_goal_without_index_is_left_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
