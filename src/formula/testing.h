/* Random terms and valuations, for the tests of this room. */
#ifndef TP_FORMULA_TESTING_H
#define TP_FORMULA_TESTING_H

#include "term/term.h"

#include <setjmp.h>

#include <cmocka.h>

enum { TEST_VARS = 8 };

/* A valuation: bits of each variable, given by index; bases are odd multiples of 4096. */
typedef struct {
  uint64_t bits[TEST_VARS];
} test_values;

static inline uint64_t test_base(void *ctx, uint32_t object) {
  (void)ctx;
  return object ? 4096u * (2u * object + 1) : 0;
}

typedef struct {
  const tp_terms *tt;
  const test_values *values;
} test_env;
static inline bool test_lookup(void *ctx, tp_term var, tp_value *out) {
  const test_env *e = ctx;
  uint32_t i = tp_var_index(e->tt, var);
  if (i >= TEST_VARS) return false;
  uint32_t w = tp_width(e->tt, var);
  *out = (tp_value){.bits = w >= 64 ? e->values->bits[i]
                                    : e->values->bits[i] & (((uint64_t)1 << w) - 1)};
  return true;
}

static inline tp_value test_eval(tp_terms *tt, tp_term t, const test_values *values) {
  test_env e = {tt, values};
  tp_env env = {.ctx = &e, .var = test_lookup, .base = test_base};
  tp_arena arena;
  tp_arena_init(&arena);
  tp_value v;
  assert_int_equal(tp_eval(tt, t, &env, &arena, &v), TP_OK);
  tp_arena_clear(&arena);
  return v;
}

static inline void test_draw(tp_rng *r, test_values *values) {
  static const uint64_t special[] = {0,      1,      2,          7,           0x7fff,
                                     0x8000, 0xffff, 0x7fffffff, 0x80000000u, UINT64_MAX};
  for (int i = 0; i < TEST_VARS; i++)
    values->bits[i] = tp_rng_below(r, 3)
                          ? tp_rng_next(r)
                          : special[tp_rng_below(r, sizeof special / sizeof *special)];
}

#endif
