/* Extended precision against the machine's own, bit by bit: chosen numbers in all pairs, random
 * ones of all encodings, each as symbols that are evaluated and as constants that are folded. */
#include "term/x87.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static tp_terms *tt;
static tp_arena arena;
static tp_term x, y;  // of 80 bits

static int setup(void **state) {
  (void)state;
  tt = tp_terms_new(64);
  tp_arena_init(&arena);
  x = tp_mk_var(tt, "x", tp_sort_bv(tt, TP_X87_BITS));
  y = tp_mk_var(tt, "y", tp_sort_bv(tt, TP_X87_BITS));
  return 0;
}
static int teardown(void **state) {
  (void)state;
  tp_terms_free(tt);
  tp_arena_clear(&arena);
  return 0;
}

// ------------------------------------------------------------------------- values

static tp_u128 bits_of(long double v) {
  tp_u128 b = 0;
  memcpy(&b, &v, 10);
  return b;
}
static long double of_bits(tp_u128 b) {
  long double v = 0;
  memcpy(&v, &b, 10);
  return v;
}
static tp_u128 encoding(bool sign, uint32_t exp, uint64_t sig) {
  return (tp_u128)((uint32_t)sign << 15 | exp) << 64 | sig;
}

static uint64_t rng = 88172645463325252u;
static uint64_t next(void) {
  rng ^= rng << 13;
  rng ^= rng >> 7;
  rng ^= rng << 17;
  return rng * 2685821657736338717u;
}
/* Exponents near each other and near the ends of the formats; significands with long runs. */
static tp_u128 drawn(void) {
  static const uint32_t exps[] = {0,     1,     2,     16383, 16384, 16382, 16446, 16320, 0x7ffe,
                                  32767, 16383, 15360, 17406, 16256, 16510, 16447, 15300, 16230};
  uint32_t exp = exps[next() % (sizeof exps / sizeof *exps)] + (uint32_t)(next() % 4);
  if (next() % 8 == 0) exp = (uint32_t)next();
  uint64_t sig = next(), kind = next() % 6;
  if (kind == 0) sig = 0;
  if (kind == 1) sig = ~(uint64_t)0 << next() % 64;
  if (kind == 2) sig = (uint64_t)1 << next() % 64;
  if (kind == 3) sig = ~(uint64_t)0 >> next() % 64;
  if (next() % 16) sig |= (uint64_t)1 << 63;  // else an odd encoding, where the exponent is not 0
  return encoding(next() & 1, exp & 0x7fff, sig);
}

enum { CHOSEN = 44 };
static tp_u128 chosen(size_t i) {
  static const long double values[] = {0.0L,     1.0L, 1.5L,    2.0L,    0.1L,    0.5L,
                                       0.25L,    3.0L, 1e10L,   1e-10L,  1e4000L, 1e300L,
                                       1e-4940L, 2.5L, 0x1p63L, 0x1p64L, 127.5L,  2147483648.0L};
  enum { N = sizeof values / sizeof *values };
  static const struct {
    uint32_t exp;
    uint64_t sig;
  } odd[] = {{32767, (uint64_t)1 << 63},
             {32767, (uint64_t)3 << 62},
             {32767, ((uint64_t)1 << 63) | 5},
             {0, 1}};
  TP_INVARIANT(2 * N + 2 * 4 == CHOSEN);
  const bool sign = i & 1;
  if (i / 2 < N) return bits_of(values[i / 2]) | (tp_u128)sign << 79;
  return encoding(sign, odd[i / 2 - N].exp, odd[i / 2 - N].sig);
}

// --------------------------------------------------------------------- evaluation

typedef struct {
  tp_u128 x, y;
} operands;
static bool value_of(void *ctx, tp_term var, tp_value *out) {
  const operands *o = ctx;
  *out = (tp_value){.bits = tp_term_eq(var, x) ? o->x : o->y};
  return true;
}
static uint64_t no_base(void *ctx, uint32_t object) {
  (void)ctx;
  return object;
}
static tp_u128 eval(tp_term t, operands o) {
  tp_value v;
  const tp_env env = {.ctx = &o, .var = value_of, .base = no_base};
  assert_int_equal(tp_eval(tt, t, &env, &arena, &v), TP_OK);
  return v.bits;
}
static void expect(const char *what, tp_term t, operands o, tp_u128 want) {
  tp_u128 got = eval(t, o);
  if (got != want)
    fail_msg("%s of %04llx %016llx and %04llx %016llx: %llx %016llx, the machine has %llx %016llx",
             what, (unsigned long long)(o.x >> 64), (unsigned long long)o.x,
             (unsigned long long)(o.y >> 64), (unsigned long long)o.y,
             (unsigned long long)(got >> 64), (unsigned long long)got,
             (unsigned long long)(want >> 64), (unsigned long long)want);
}

typedef struct {
  tp_term add, sub, mul, div, less, eq, sqrt, neg, abs, nan, round[5], to32, to64;
} results;
static results results_of(tp_term a, tp_term b) {
  results r = {.add = tp_x87_apply(tt, TP_X87_ADD, a, b),
               .sub = tp_x87_apply(tt, TP_X87_SUB, a, b),
               .mul = tp_x87_apply(tt, TP_X87_MUL, a, b),
               .div = tp_x87_apply(tt, TP_X87_DIV, a, b),
               .less = tp_x87_less(tt, a, b),
               .eq = tp_x87_eq(tt, a, b),
               .sqrt = tp_x87_sqrt(tt, a),
               .neg = tp_x87_neg(tt, a),
               .abs = tp_x87_abs(tt, a),
               .nan = tp_x87_is_nan(tt, a),
               .to32 = tp_mk1(tt, TP_OP_FP_TO_BITS, tp_x87_to_fp(tt, 32, a)),
               .to64 = tp_mk1(tt, TP_OP_FP_TO_BITS, tp_x87_to_fp(tt, 64, a))};
  for (uint32_t i = 0; i < 5; i++) r.round[i] = tp_x87_round(tt, (tp_round)i, a);
  return r;
}

/* glibc's roundl takes the encoding apart and leaves what is no number; the others are one
 * instruction. */
static long double rounded(tp_round mode, volatile long double a) {
  switch (mode) {
    case TP_ROUND_NEAREST_EVEN: return rintl(a);
    case TP_ROUND_TO_ZERO: return truncl(a);
    case TP_ROUND_UP: return ceill(a);
    case TP_ROUND_DOWN: return floorl(a);
    case TP_ROUND_NEAREST_AWAY: return roundl(a);
  }
  return 0;
}

static bool is_number(tp_u128 a) { return (a >> 64 & 0x7fff) == 0 || (a >> 63 & 1) == 1; }

static void compare(const results *r, operands o) {
  volatile long double a = of_bits(o.x), b = of_bits(o.y);
  volatile float f = (float)a;
  volatile double d = (double)a;
  float f2 = f;
  double d2 = d;
  uint32_t f_bits;
  uint64_t d_bits;
  memcpy(&f_bits, &f2, sizeof f_bits);
  memcpy(&d_bits, &d2, sizeof d_bits);
  expect("sum", r->add, o, bits_of(a + b));
  expect("difference", r->sub, o, bits_of(a - b));
  expect("product", r->mul, o, bits_of(a * b));
  expect("quotient", r->div, o, bits_of(a / b));
  expect("less", r->less, o, a < b);
  expect("equality", r->eq, o, a == b);
  expect("root", r->sqrt, o, bits_of(sqrtl(a)));
  expect("negation", r->neg, o, o.x ^ (tp_u128)1 << 79);
  expect("magnitude", r->abs, o, o.x & ~((tp_u128)1 << 79));
  expect("NaN", r->nan, o, a != a);
  expect("float", r->to32, o, f_bits);
  expect("double", r->to64, o, d_bits);
  for (uint32_t i = 0; i < 5; i++)
    if (is_number(o.x) || i != TP_ROUND_NEAREST_AWAY)
      expect("rounding", r->round[i], o, bits_of(rounded((tp_round)i, a)));
}

static void results_are_those_of_the_machine(void **state) {
  (void)state;
  const results symbols = results_of(x, y);
  for (size_t i = 0; i < CHOSEN; i++)
    for (size_t k = 0; k < CHOSEN; k++) compare(&symbols, (operands){chosen(i), chosen(k)});
  const int n = getenv("TP_SOAK") ? 400000 : 4000;
  for (int i = 0; i < n; i++) compare(&symbols, (operands){drawn(), drawn()});
}

static void constants_fold_to_the_same(void **state) {
  (void)state;
  for (int i = 0; i < 300; i++) {
    operands o = {i < CHOSEN ? chosen((size_t)i) : drawn(), drawn()};
    const results folded =
        results_of(tp_mk_bv(tt, TP_X87_BITS, o.x), tp_mk_bv(tt, TP_X87_BITS, o.y));
    assert_true(tp_is_const(tt, folded.div) && tp_is_const(tt, folded.sqrt));
    compare(&folded, o);
  }
}

// -------------------------------------------------------------------- conversions

static void floats_are_widened(void **state) {
  (void)state;
  for (int i = 0; i < 3000; i++) {
    const uint64_t bits =
        next() >> (next() % 2 ? 0 : next() % 64) | (next() % 4 == 0 ? (uint64_t)0x7ff << 52 : 0);
    const uint32_t low = (uint32_t)bits | (next() % 4 == 0 ? 0x7f800000u : 0);
    double d;
    float f;
    memcpy(&d, &bits, sizeof d);
    memcpy(&f, &low, sizeof f);
    volatile double vd = d;
    volatile float vf = f;
    // a constant NaN is one term, whose payload is the host's
    if (d == d)
      expect("double", tp_x87_of_fp(tt, tp_mk_fp(tt, 64, bits)), (operands){bits, 0},
             bits_of((long double)vd));
    if (f == f)
      expect("float", tp_x87_of_fp(tt, tp_mk_fp(tt, 32, low)), (operands){low, 0},
             bits_of((long double)vf));
  }
}

static void integers_are_converted(void **state) {
  (void)state;
  tp_term s64 = tp_mk_trunc(tt, 64, x), s32 = tp_mk_trunc(tt, 32, x);
  tp_term from_s64 = tp_x87_of_int(tt, true, s64), from_u64 = tp_x87_of_int(tt, false, s64),
          from_s32 = tp_x87_of_int(tt, true, s32);
  tp_term whole = tp_mk2(tt, TP_OP_BV_CONCAT, tp_mk_extract(tt, 63, 0, y), s64);
  tp_term from_s128 = tp_x87_of_int(tt, true, whole), from_u128 = tp_x87_of_int(tt, false, whole);
  for (int i = 0; i < 3000; i++) {
    operands o = {next() >> next() % 64, next() >> next() % 64};
    const uint64_t u = (uint64_t)o.x;
    const tp_u128 wide = o.y << 64 | u;
    expect("int64", from_s64, o, bits_of((long double)(int64_t)u));
    expect("uint64", from_u64, o, bits_of((long double)u));
    expect("int32", from_s32, o, bits_of((long double)(int32_t)u));
    expect("int128", from_s128, o, bits_of((long double)(tp_i128)wide));
    expect("uint128", from_u128, o, bits_of((long double)wide));
  }
}

static void integers_are_truncated(void **state) {
  (void)state;
  static const uint32_t widths[] = {8, 16, 32, 64, 128};
  for (uint32_t k = 0; k < 10; k++) {
    const uint32_t w = widths[k / 2];
    const bool is_signed = k % 2;
    tp_term to = tp_x87_to_int(tt, w, x), fits = tp_x87_in_range(tt, w, is_signed, x);
    const long double above = ldexpl(1, (int)w - is_signed), least = is_signed ? -above : 0;
    for (int i = 0; i < 2000; i++) {
      tp_u128 bits = drawn();
      if (i % 2)
        bits =
            encoding(next() & 1, 16382 + (uint32_t)(next() % (w + 2)), next() | (uint64_t)1 << 63);
      if (i % 16 == 0) bits = bits_of(nextafterl(i % 32 ? above : least, i % 64 ? 0 : 1e30L));
      if (i == 1) bits = bits_of(least - 1);
      if (i == 2) bits = bits_of(least - 0.5L);
      if (i == 3) bits = bits_of(least);
      if (i == 4) bits = bits_of(above);
      const long double a = of_bits(bits), whole = truncl(a);
      const bool want = is_number(bits) && whole >= least && whole < above;
      expect("range", fits, (operands){bits, 0}, want);
      if (!want) continue;
      const tp_u128 mask = w == 128 ? ~(tp_u128)0 : ((tp_u128)1 << w) - 1;
      expect("integer", to, (operands){bits, 0},
             (is_signed ? (tp_u128)(tp_i128)a : (tp_u128)whole) & mask);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(results_are_those_of_the_machine, setup, teardown),
      cmocka_unit_test_setup_teardown(constants_fold_to_the_same, setup, teardown),
      cmocka_unit_test_setup_teardown(floats_are_widened, setup, teardown),
      cmocka_unit_test_setup_teardown(integers_are_converted, setup, teardown),
      cmocka_unit_test_setup_teardown(integers_are_truncated, setup, teardown)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
