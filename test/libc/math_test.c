/* math.c against glibc: bit by bit where IEEE 754 decides, by range elsewhere. */
#include <math.h>
#include <string.h>

#include "environment.h"
#include "pragmas.h"

_Bool __tp_errno_is_stale;

#include "renamed.h"

#include "../../lib/libc/math.c"

#include "restored.h"

double fabs(double), floor(double), ceil(double), trunc(double), round(double), rint(double),
    nearbyint(double), sqrt(double);
int __isnan(double), __isinf(double), __finite(double), __fpclassify(double), __fpclassifyf(float),
    __signbit(double);

enum { ROUNDS = 200000 };

static uint64_t bits_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return x != x ? 0x7ff8000000000000u : bits;  // which NaN is open
}
static double random_double(void) {
  static const double known[] = {0.0,      -0.0,      0.5,    -0.5,   1.5,       2.5,
                                 -2.5,     1.0,       0x1p52, 0x1p53, 0x1p-1074, 1e308,
                                 INFINITY, -INFINITY, NAN,    4.0,    3.0};
  uint64_t bits = tp_rng_next(&world.rng);
  double d;
  memcpy(&d, &bits, sizeof d);
  return below(2) ? known[below(17)] : below(2) ? (double)((int64_t)below(2000) - 1000) / 8 : d;
}

#define SAME(name, ...)                                                                   \
  do {                                                                                    \
    double real_ = (double)name(__VA_ARGS__), model_ = (double)model_##name(__VA_ARGS__); \
    if (bits_of(real_) != bits_of(model_))                                                \
      fail_msg(#name "(%a, %a): %a, model %a", x, y, real_, model_);                      \
  } while (0)

static void check_parts(double x) {
  double whole, model_whole;
  float f = (float)x, whole_f, model_whole_f;
  int e, model_e;
  assert_true(bits_of(modf(x, &whole)) == bits_of(model_modf(x, &model_whole)) &&
              bits_of(whole) == bits_of(model_whole));
  assert_true(bits_of((double)modff(f, &whole_f)) ==
              bits_of((double)model_modff(f, &model_whole_f)));
  assert_true(bits_of((double)whole_f) == bits_of((double)model_whole_f));
  assert_true(bits_of(frexp(x, &e)) == bits_of(model_frexp(x, &model_e)));
  if (x - x == 0) assert_int_equal(e, model_e);
}

static void exact_functions_agree(void **state) {
  (void)state;
  world_begin(1);
  for (int i = 0; i < ROUNDS; i++) {
    volatile double x = random_double(), y = random_double(), z = random_double();
    volatile float f = (float)x, g = (float)y;
    SAME(fabs, x);
    SAME(floor, x);
    SAME(ceil, x);
    SAME(trunc, x);
    SAME(round, x);
    SAME(rint, x);
    SAME(nearbyint, x);
    SAME(sqrt, x);
    SAME(fabsf, f);
    SAME(floorf, f);
    SAME(ceilf, f);
    SAME(truncf, f);
    SAME(roundf, f);
    SAME(rintf, f);
    SAME(sqrtf, f);
    SAME(nearbyintf, f);
    SAME(copysign, x, y);
    SAME(copysignf, f, g);
    SAME(fmod, x, y);
    SAME(fmodf, f, g);
    SAME(fdim, x, y);
    SAME(fdimf, f, g);
    SAME(fma, x, y, z);
    if (x != 0 || y != 0) {
      SAME(fmin, x, y);
      SAME(fmax, x, y);
    }
    if (f != 0 || g != 0) {
      SAME(fminf, f, g);
      SAME(fmaxf, f, g);
    }
    assert_int_equal(model___fpclassify(x), __fpclassify(x));
    assert_int_equal(model___fpclassifyf(f), __fpclassifyf(f));
    assert_int_equal(model___isnan(x) != 0, __isnan(x) != 0);
    assert_int_equal(model___isinf(x), __isinf(x));
    assert_int_equal(model___finite(x) != 0, __finite(x) != 0);
    check_parts(x);
    if (fabs(x) < 1e18) assert_true(model_lrint(x) == lrint(x) && model_lround(x) == lround(x));
  }
}

/* A sign that is set is any number but 0. */
static void signs_agree(void **state) {
  (void)state;
  world_begin(2);
  static int n;
  for (volatile int i = 0; i < 1000; i++) {
    volatile double x = random_double();
    SCRIPT(128);
    assert_true(POSSIBLE(n = model___signbit(x)));
    assert_int_equal(n != 0, __signbit(x) != 0);
    SCRIPT(0);
    if (__signbit(x)) assert_false(POSSIBLE(n = model___signbit(x)));
  }
}

#define COVERED(name, ...)                                                                \
  do {                                                                                    \
    double real_ = name(__VA_ARGS__);                                                     \
    SCRIPT(bits_of(real_));                                                               \
    static double seen_;                                                                  \
    if (!POSSIBLE(seen_ = model_##name(__VA_ARGS__)) || bits_of(seen_) != bits_of(real_)) \
      fail_msg(#name "(%a, %a): %a is not covered", x, y, real_);                         \
  } while (0)

static void approximate_functions_are_covered(void **state) {
  (void)state;
  world_begin(3);
  for (volatile int i = 0; i < 20000; i++) {
    volatile double x = random_double(), y = random_double();
    volatile int n = (int)below(3000) - 1500;
    COVERED(sin, x);
    COVERED(cos, x);
    COVERED(tan, x);
    COVERED(asin, x);
    COVERED(acos, x);
    COVERED(atan, x);
    COVERED(atan2, x, y);
    COVERED(sinh, x);
    COVERED(cosh, x);
    COVERED(tanh, x);
    COVERED(exp, x);
    COVERED(exp2, x);
    COVERED(expm1, x);
    COVERED(log, x);
    COVERED(log2, x);
    COVERED(log10, x);
    COVERED(log1p, x);
    COVERED(pow, x, y);
    COVERED(cbrt, x);
    COVERED(hypot, x, y);
    COVERED(ldexp, x, n);
    COVERED(scalbn, x, n);
    COVERED(remainder, x, y);
    COVERED(erf, x);
  }
}

static void other_rounding_modes_are_not_modelled(void **state) {
  (void)state;
  world_begin(4);
  static int n;
  assert_true(POSSIBLE(n = model_fesetround(0)));
  assert_int_equal(n, 0);
  assert_false(POSSIBLE(n = model_fesetround(0x400)));
  assert_true(world.was_unsupported);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exact_functions_agree),
      cmocka_unit_test(signs_agree),
      cmocka_unit_test(approximate_functions_are_covered),
      cmocka_unit_test(other_rounding_modes_are_not_modelled),
  };
  return cmocka_run_group_tests_name("libc/math", tests, NULL, NULL);
}
