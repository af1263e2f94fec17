// Statements by cases of an index: the same truth for all values, and at the place that was written
// no word of the index.
#include "blocks/index_cases.h"

#include "blocks/blocks_limits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

enum { WIDTH = 4, VALUES = 1 << WIDTH };

typedef struct {
  tp_terms *tt;
  tp_term x, y, i, n, memory;  // x, y: indices
} scene;

static scene scene_new(void) {
  scene s = {.tt = tp_terms_new(64)};
  const tp_sort word = tp_sort_bv(s.tt, WIDTH);
  s.x = tp_mk_var(s.tt, "x", word);
  s.y = tp_mk_var(s.tt, "y", word);
  s.i = tp_mk_var(s.tt, "i", word);
  s.n = tp_mk_var(s.tt, "n", word);
  s.memory = tp_mk_var(s.tt, "m", tp_sort_array(s.tt, word, word));
  return s;
}

static tp_term number(const scene *s, uint64_t v) { return tp_mk_bv(s->tt, WIDTH, v); }
static tp_term plus(const scene *s, tp_term a, tp_term b) {
  return tp_mk2(s->tt, TP_OP_BV_ADD, a, b);
}
static tp_term times(const scene *s, tp_term a, tp_term b) {
  return tp_mk2(s->tt, TP_OP_BV_MUL, a, b);
}
/* Writes are resolved, as in all questions. */
static tp_term read(const scene *s, tp_term memory, tp_term at) {
  if (tp_kind(s->tt, memory) != TP_OP_STORE) return tp_mk2(s->tt, TP_OP_SELECT, memory, at);
  return tp_mk_ite(s->tt, tp_mk_eq(s->tt, at, tp_arg(s->tt, memory, 1)), tp_arg(s->tt, memory, 2),
                   read(s, tp_arg(s->tt, memory, 0), at));
}
static tp_term written(const scene *s, tp_term at, tp_term value) {
  return tp_mk3(s->tt, TP_OP_STORE, s->memory, at, value);
}
static tp_term below(const scene *s, tp_term a, tp_term b) {
  return tp_mk2(s->tt, TP_OP_BV_ULT, a, b);
}

static tp_term square(const scene *s) {
  const tp_term m = written(s, s->i, times(s, s->i, s->i));
  return tp_mk_implies(s->tt, below(s, s->x, plus(s, s->i, number(s, 1))),
                       tp_mk_eq(s->tt, read(s, m, s->x), times(s, s->x, s->x)));
}
static tp_term recurrence(const scene *s) {
  const tp_term before = read(s, s->memory, plus(s, s->i, number(s, 15))),
                m = written(s, s->i, plus(s, before, number(s, 6)));
  return tp_mk_eq(s->tt, read(s, m, s->x), times(s, s->x, number(s, 6)));
}
static tp_term moved(const scene *s) {
  const tp_term m = written(s, plus(s, s->i, number(s, 3)), s->n);
  return below(s, read(s, m, plus(s, s->x, number(s, 1))), s->x);
}
static tp_term negative(const scene *s) {
  const tp_term m = written(s, tp_mk_sub(s->tt, s->n, s->x), s->i);
  return below(s, read(s, m, s->i), s->x);
}
static tp_term twice(const scene *s) {
  const tp_term m = tp_mk3(s->tt, TP_OP_STORE, written(s, s->i, s->n), s->n, s->i);
  return below(s, read(s, m, s->x), read(s, m, number(s, 3)));
}
static tp_term two_indices(const scene *s) {
  const tp_term m = written(s, s->i, s->n);
  return tp_mk_implies(s->tt, below(s, s->x, s->y), below(s, read(s, m, s->x), read(s, m, s->y)));
}
static tp_term doubled(const scene *s) {
  return below(s, read(s, written(s, s->i, s->n), times(s, s->x, number(s, 2))), s->x);
}
static tp_term unasked(const scene *s) {
  return below(s, read(s, s->memory, s->x), plus(s, s->x, s->i));
}

static const struct {
  const char *name;
  tp_term (*make)(const scene *s);
  bool has_case;
} rows[] = {
    {"a square is written", square, true},
    {"from the cell before", recurrence, true},
    {"place and cell are moved", moved, true},
    {"the place moves against the index", negative, true},
    {"two writes", twice, true},
    {"two indices", two_indices, true},
    {"every second cell: no one index", doubled, false},
    {"nothing is written", unasked, false},
};

typedef struct {
  const scene *s;
  uint64_t x, y, i, n, seed;
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
  *out = (tp_value){.bits = tp_hash_mix(v->seed, (uint64_t)at.bits) % VALUES};
  return true;
}
static uint64_t no_base(void *ctx, uint32_t object) { return (void)ctx, object; }

static bool is_true(valuation *v, tp_term t) {
  const tp_env env = {v, value_of, no_base, value_of_cell};
  tp_arena arena;
  tp_value value;
  tp_arena_init(&arena);
  assert_int_equal(TP_OK, tp_eval(v->s->tt, t, &env, &arena, &value));
  tp_arena_clear(&arena);
  return value.bits != 0;
}

static void cases_have_the_same_truth(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    scene s = scene_new();
    const tp_term t = rows[k].make(&s), indices[] = {s.x, s.y},
                  cases = tp_index_cases(s.tt, t, indices, 2);
    if (tp_term_eq(cases, t) == rows[k].has_case) fail_msg("%s: cases", rows[k].name);
    valuation v = {.s = &s};
    for (uint64_t draw = 0; draw < 20000; draw++) {
      const uint64_t d = tp_hash_mix(draw, k);
      v.x = d % VALUES, v.y = d / 16 % VALUES, v.i = d / 256 % VALUES, v.n = d / 4096 % VALUES;
      v.seed = d;
      if (is_true(&v, t) != is_true(&v, cases))
        fail_msg("%s: differs at x %d, i %d", rows[k].name, (int)v.x, (int)v.i);
    }
    tp_terms_free(s.tt);
  }
}

static void a_place_is_said_in_its_own_words(void **state) {
  (void)state;
  scene s = scene_new();
  tp_terms *tt = s.tt;
  const tp_term square_here = tp_mk_eq(tt, read(&s, s.memory, s.x), times(&s, s.x, s.x)),
                range = below(&s, s.x, plus(&s, s.i, number(&s, 1))),
                at_i =
                    tp_mk_implies(tt, below(&s, s.i, plus(&s, s.i, number(&s, 1))), tp_mk_true(tt)),
                expected = tp_mk_ite(tt, tp_mk_eq(tt, s.x, s.i), at_i,
                                     tp_mk_implies(tt, range, square_here));
  assert_int_equal(expected.id, tp_index_cases(tt, square(&s), &s.x, 1).id);
  tp_terms_free(tt);
}

/* Many writes: the statement does not grow without bound. */
static void places_are_few(void **state) {
  (void)state;
  scene s = scene_new();
  tp_terms *tt = s.tt;
  tp_term memory = s.memory;
  for (uint64_t k = 0; k < 12; k++)
    memory = tp_mk3(tt, TP_OP_STORE, memory, plus(&s, s.i, number(&s, k)), number(&s, k));
  const tp_term t = below(&s, read(&s, memory, s.x), s.x), cases = tp_index_cases(tt, t, &s.x, 1);
  assert_false(tp_term_eq(t, cases));
  assert_true(tp_dag_size(tt, cases) < (TP_BLOCKS_UNIVERSAL_CASES + 1) * tp_dag_size(tt, t));
  tp_terms_free(tt);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cases_have_the_same_truth),
      cmocka_unit_test(a_place_is_said_in_its_own_words),
      cmocka_unit_test(places_are_few),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
