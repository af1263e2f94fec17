/* Abstract numbers against tp_eval. On 3 and 4 bits every operator is tried on every pair of
 * intervals: all concrete results must be inside, and the share of pairs where nothing else is (the
 * result is the hull) must not fall. On wider types and floats: random members of random sets.
 * TP_SHOW=1 prints the shares. TP_SOAK=1: all pairs of 4 bits, a hundred times the random ones. */
#include "numeric/number.h"

#include "term/fold.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

static bool contains(const tp_number *x, tp_value v) {
  return x->is_float ? tp_float_range_contains(&x->real, (uint64_t)v.bits)
                     : tp_interval_contains(&x->bits, v.bits);
}

static bool soak(void) { return getenv("TP_SOAK") != NULL; }

/* One operator: how to make its term over arguments. */
typedef struct {
  const char *name;
  tp_term_kind kind;
  int arity;
  int forward, backward;  // least share of optimal results, in percent, on 3 bits
} operator;
static const operator operators[] = {
  {"ADD", TP_OP_BV_ADD, 2, 100, 80},
  {"MUL", TP_OP_BV_MUL, 2, 64, 38},
  {"NEG", TP_OP_BV_NEG, 1, 100, 95},
  {"UDIV", TP_OP_BV_UDIV, 2, 100, 40},
  {"SDIV", TP_OP_BV_SDIV, 2, 100, 40},
  {"UREM", TP_OP_BV_UREM, 2, 100, 40},
  {"SREM", TP_OP_BV_SREM, 2, 100, 35},
  {"AND", TP_OP_BV_AND, 2, 100, 60},
  {"OR", TP_OP_BV_OR, 2, 100, 60},
  {"XOR", TP_OP_BV_XOR, 2, 100, 80},
  {"NOT", TP_OP_BV_NOT, 1, 100, 100},
  {"SHL", TP_OP_BV_SHL, 2, 100, 50},
  {"LSHR", TP_OP_BV_LSHR, 2, 100, 50},
  {"ASHR", TP_OP_BV_ASHR, 2, 100, 45},
  {"EQ", TP_OP_EQ, 2, 100, 100},
  {"ULT", TP_OP_BV_ULT, 2, 100, 100},
  {"ULE", TP_OP_BV_ULE, 2, 100, 100},
  {"SLT", TP_OP_BV_SLT, 2, 100, 100},
  {"SLE", TP_OP_BV_SLE, 2, 100, 100},
  {"CONCAT", TP_OP_BV_CONCAT, 2, 100, 80},
  {"ZEXT", TP_OP_BV_ZEXT, 1, 100, 100},
  {"SEXT", TP_OP_BV_SEXT, 1, 100, 100},
  {"EXTRACT low", TP_OP_BV_EXTRACT, 1, 100, 90},
};
enum { N_OPERATORS = sizeof operators / sizeof *operators };

typedef struct {
  tp_terms *tt;
  tp_term x, y, t;
} world;

static world make(const operator* o, uint32_t width) {
  world w = {.tt = tp_terms_new(64)};
  tp_terms_set_rewriting(w.tt, false);
  tp_sort s = tp_sort_bv(w.tt, width);
  w.x = tp_mk_var(w.tt, "x", s), w.y = tp_mk_var(w.tt, "y", s);
  if (o->kind == TP_OP_BV_ZEXT)
    w.t = tp_mk_zext(w.tt, width + 2, w.x);
  else if (o->kind == TP_OP_BV_SEXT)
    w.t = tp_mk_sext(w.tt, width + 2, w.x);
  else if (o->kind == TP_OP_BV_EXTRACT)
    w.t = tp_mk_extract(w.tt, width - 2, width > 3 ? 1 : 0, w.x);
  else
    w.t = o->arity == 1 ? tp_mk1(w.tt, o->kind, w.x) : tp_mk2(w.tt, o->kind, w.x, w.y);
  return w;
}

typedef struct {
  tp_value v[2];
  const world *w;
} valuation;
static bool value_of(void *ctx, tp_term var, tp_value *out) {
  valuation *v = ctx;
  *out = v->v[tp_term_eq(var, v->w->x) ? 0 : 1];
  return true;
}
static uint64_t base_of(void *ctx, uint32_t object) {
  (void)ctx, (void)object;
  return 0;
}
static tp_value eval(const world *w, tp_value x, tp_value y) {
  valuation v = {{x, y}, w};
  tp_env env = {&v, value_of, base_of, NULL};
  tp_arena arena = {0};
  tp_value out;
  assert_int_equal(tp_eval(w->tt, w->t, &env, &arena, &out), TP_OK);
  tp_arena_clear(&arena);
  return out;
}

/* All intervals of a small width. */
typedef struct {
  tp_interval at[1400];
  size_t n;
} interval_list;
static void all_intervals(uint32_t width, interval_list *out) {
  tp_u128 half = tp_interval_sign(width);
  out->n = 0;
  for (tp_u128 a = 0; a <= half; a++)  // a == half: no values without sign bit
    for (tp_u128 b = a; b < half || (a == half && b == half); b++)
      for (tp_u128 c = 0; c <= half; c++)
        for (tp_u128 d = c; d < half || (c == half && d == half); d++) {
          tp_interval x = tp_interval_none(width);
          if (a < half) tp_interval_include(&x, a, b - a);
          if (c < half) tp_interval_include(&x, half + c, d - c);
          if (!tp_interval_is_none(&x)) out->at[out->n++] = x;
        }
}

static void fail_pair(const operator* o, const char *what, const tp_interval *a,
                      const tp_interval *b, const tp_interval *r) {
  tp_str s = {0};
  const tp_interval *all[3] = {a, b, r};
  for (int i = 0; i < 3; i++) {
    tp_number n = tp_number_of_interval(*all[i]);
    tp_number_print(&n, &s);
    tp_str_add(&s, i < 2 ? ", " : "");
  }
  print_error("%s: %s: %s\n", o->name, what, tp_str_text(&s));
  tp_str_clear(&s);
  fail();
}

// --------------------------------------------------------------- all small ones

typedef struct {
  const operator* o;
  world w;
  uint32_t width;
  tp_u128 result[16][16];
  size_t tried, forward_optimal, refined, backward_optimal;
} table;

static void check_forward(table *t, const tp_interval *a, const tp_interval *b, tp_interval *out) {
  tp_number args[2] = {tp_number_of_interval(*a), tp_number_of_interval(*b)}, r;
  assert_true(tp_number_apply(t->w.tt, t->w.t, args, &r));
  tp_interval hull = tp_interval_none(r.bits.width);
  for (tp_u128 x = 0; x < (tp_u128)1 << t->width; x++)
    for (tp_u128 y = 0; y < (tp_u128)1 << t->width; y++)
      if (tp_interval_contains(a, x) && tp_interval_contains(b, y))
        tp_interval_include(&hull, t->result[x][y], 0);
  if (!tp_interval_leq(&hull, &r.bits)) fail_pair(t->o, "a result is missing", a, b, &r.bits);
  t->tried++;
  t->forward_optimal += tp_interval_eq(&hull, &r.bits);
  *out = r.bits;
}
static void check_backward(table *t, const tp_interval *a, const tp_interval *b,
                           const tp_interval *result) {
  tp_number args[2] = {tp_number_of_interval(*a), tp_number_of_interval(*b)},
            r = tp_number_of_interval(*result);
  tp_interval x_hull = tp_interval_none(t->width), y_hull = tp_interval_none(t->width);
  for (tp_u128 x = 0; x < (tp_u128)1 << t->width; x++)
    for (tp_u128 y = 0; y < (tp_u128)1 << t->width; y++)
      if (tp_interval_contains(a, x) && tp_interval_contains(b, y) &&
          tp_interval_contains(result, t->result[x][y]))
        tp_interval_include(&x_hull, x, 0), tp_interval_include(&y_hull, y, 0);
  bool possible = tp_number_refine(t->w.tt, t->w.t, &r, args);
  if (t->o->arity == 1) y_hull = args[1].bits;
  t->refined++;
  if (!possible) {
    if (!tp_interval_is_none(&x_hull)) fail_pair(t->o, "possible after all", a, b, result);
    t->backward_optimal++;
    return;
  }
  if (!tp_interval_leq(&x_hull, &args[0].bits) || !tp_interval_leq(&y_hull, &args[1].bits))
    fail_pair(t->o, "an argument is lost", a, b, result);
  if (!tp_interval_leq(&args[0].bits, a) || !tp_interval_leq(&args[1].bits, b))
    fail_pair(t->o, "an argument grew", a, b, result);
  t->backward_optimal +=
      tp_interval_eq(&x_hull, &args[0].bits) && tp_interval_eq(&y_hull, &args[1].bits);
}

static void operators_on_width(uint32_t width, size_t every, bool measured) {
  static interval_list list, results;
  tp_rng rng;
  tp_rng_init(&rng, width);
  all_intervals(width, &list);
  for (size_t i = 0; i < N_OPERATORS; i++) {
    table t = {.o = &operators[i], .w = make(&operators[i], width), .width = width};
    for (tp_u128 x = 0; x < (tp_u128)1 << width; x++)
      for (tp_u128 y = 0; y < (tp_u128)1 << width; y++)
        t.result[x][y] = eval(&t.w, (tp_value){.bits = x}, (tp_value){.bits = y}).bits;
    uint32_t rw = tp_width(t.w.tt, t.w.t);
    if (rw <= 4) all_intervals(rw, &results);
    for (size_t p = 0; p < list.n; p++)
      for (size_t q = 0; q < (t.o->arity == 1 ? 1 : list.n); q++) {
        if (every > 1 && tp_rng_below(&rng, every) != 0) continue;
        tp_interval r;
        check_forward(&t, &list.at[p], &list.at[q], &r);
        for (int k = 0; k < 3; k++) {
          tp_interval some = r;
          if (rw <= 4)
            some = results.at[tp_rng_below(&rng, results.n)];
          else
            some = tp_interval_unsigned(rw, tp_rng_below(&rng, 1u << rw), tp_interval_mask(rw));
          check_backward(&t, &list.at[p], &list.at[q], &some);
        }
      }
    double f = 100.0 * (double)t.forward_optimal / (double)t.tried,
           b = 100.0 * (double)t.backward_optimal / (double)t.refined;
    if (getenv("TP_SHOW"))
      print_message("%u bits %-12s optimal: %.1f%% forward, %.1f%% backward\n", width, t.o->name, f,
                    b);
    if (measured && (f < t.o->forward || b < t.o->backward)) {
      print_error("%s: optimal: %.1f%% forward, %.1f%% backward\n", t.o->name, f, b);
      fail();
    }
    tp_terms_free(t.w.tt);
  }
}
static void every_operator_on_3_bits(void **state) {
  (void)state;
  operators_on_width(3, 1, true);
}
static void every_operator_on_4_bits(void **state) {
  (void)state;
  operators_on_width(4, soak() ? 1 : 200, false);
}
static void every_operator_on_2_bits(void **state) {
  (void)state;
  operators_on_width(2, 1, false);
}

static void the_lattice_on_3_bits(void **state) {
  (void)state;
  static interval_list list;
  all_intervals(3, &list);
  assert_int_equal(list.n, 120);
  for (size_t i = 0; i < list.n; i++)
    for (size_t j = 0; j < list.n; j++) {
      const tp_interval *a = &list.at[i], *b = &list.at[j];
      tp_interval join = tp_interval_join(a, b), meet = tp_interval_meet(a, b),
                  wide = tp_interval_widen(a, b, (tp_thresholds){0});
      bool leq = true;
      for (tp_u128 v = 0; v < 8; v++) {
        bool in_a = tp_interval_contains(a, v), in_b = tp_interval_contains(b, v);
        assert_int_equal(tp_interval_contains(&meet, v), in_a && in_b);
        if (in_a || in_b)
          assert_true(tp_interval_contains(&join, v) && tp_interval_contains(&wide, v));
        if (in_a && !in_b) leq = false;
      }
      assert_int_equal(tp_interval_leq(a, b), leq);
      if (tp_interval_leq(b, a)) assert_true(tp_interval_eq(&join, a) && tp_interval_eq(&wide, a));
    }
}

// ---------------------------------------------------------------- random wider ones

/* A set around a member, and the member. */
static tp_u128 interesting(tp_rng *rng, uint32_t width) {
  tp_u128 mask = tp_interval_mask(width), v;
  switch (tp_rng_below(rng, 5)) {
    case 0: v = tp_rng_below(rng, 8); break;
    case 1: v = -(tp_u128)tp_rng_below(rng, 8); break;
    case 2: v = tp_interval_sign(width) + tp_rng_below(rng, 5) - 2; break;
    case 3: v = tp_rng_next(rng) >> tp_rng_below(rng, 64); break;
    default: v = (tp_u128)tp_rng_next(rng) << 64 | tp_rng_next(rng);
  }
  return v & mask;
}
static tp_interval around(tp_rng *rng, uint32_t width, tp_u128 *member) {
  tp_interval x = tp_interval_none(width);
  *member = interesting(rng, width);
  tp_interval_include(&x, *member, 0);
  for (uint64_t n = tp_rng_below(rng, 3); n > 0; n--)
    tp_interval_include(&x, interesting(rng, width), 0);
  return x;
}
static void random_members_on_width(uint32_t width) {
  tp_rng rng;
  tp_rng_init(&rng, 77 + width);
  for (size_t i = 0; i < N_OPERATORS; i++) {
    const operator* o = & operators[i];
    if (width > 64 && o->kind == TP_OP_BV_CONCAT) continue;
    world w = make(o, width);
    uint32_t rw = tp_width(w.tt, w.t);
    for (int n = soak() ? 200000 : 3000; n > 0; n--) {
      tp_value v[2] = {{0}, {0}};
      tp_interval a = around(&rng, width, &v[0].bits), b = around(&rng, width, &v[1].bits);
      tp_number args[2] = {tp_number_of_interval(a), tp_number_of_interval(b)}, r;
      tp_value concrete = eval(&w, v[0], v[1]);
      assert_true(tp_number_apply(w.tt, w.t, args, &r));
      if (!contains(&r, concrete)) fail_pair(o, "a result is missing", &a, &b, &r.bits);
      tp_u128 ignored;
      tp_interval some = rw > 1 ? around(&rng, rw, &ignored) : tp_interval_none(1);
      tp_interval_include(&some, concrete.bits, 0);
      r = tp_number_of_interval(some);
      if (!tp_number_refine(w.tt, w.t, &r, args)) fail_pair(o, "possible after all", &a, &b, &some);
      if (!contains(&args[0], v[0]) || !contains(&args[1], v[1]))
        fail_pair(o, "an argument is lost", &a, &b, &some);
    }
    tp_terms_free(w.tt);
  }
}
static void random_members(void **state) {
  (void)state;
  static const uint32_t widths[] = {8, 31, 32, 33, 64, 65, 126};
  for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) random_members_on_width(widths[i]);
}

// ---------------------------------------------------------------------- floats

static uint64_t interesting_float(tp_rng *rng, uint32_t width) {
  static const double some[] = {0.0,
                                -0.0,
                                1.0,
                                -1.0,
                                0.5,
                                3.0,
                                -7.25,
                                1e10,
                                -1e300,
                                5e-324,
                                1e-45,
                                2147483648.0,
                                -2147483649.0,
                                9223372036854775808.0,
                                18446744073709551615.0,
                                1e38,
                                INFINITY,
                                -INFINITY,
                                3.4028234663852886e38};
  switch (tp_rng_below(rng, 4)) {
    case 0: return tp_float_range_bits(width, some[tp_rng_below(rng, sizeof some / sizeof *some)]);
    case 1: return tp_float_range_bits(width, (double)(int64_t)tp_rng_below(rng, 2000) / 8 - 100);
    case 2:
      return tp_rng_below(rng, 6)
                 ? tp_float_range_bits(width, (double)(int64_t)tp_rng_next(rng) / 4096)
             : width == 32 ? 0x7fc00001
                           : UINT64_C(0xfff8000000000001);
    default: return tp_rng_next(rng) & (width == 32 ? UINT32_MAX : UINT64_MAX);
  }
}
static tp_float_range around_float(tp_rng *rng, uint32_t width, tp_u128 *member) {
  uint64_t bits = interesting_float(rng, width);
  tp_float_range x = tp_float_range_constant(width, bits);
  *member = bits;
  for (uint64_t n = tp_rng_below(rng, 3); n > 0; n--) {
    tp_float_range other = tp_float_range_constant(width, interesting_float(rng, width));
    x = tp_float_range_join(&x, &other);
  }
  return x;
}

/* A connective of Bools and a choice: on all arguments. */
static void connectives(void **state) {
  (void)state;
  static const tp_term_kind kinds[] = {TP_OP_AND, TP_OP_OR, TP_OP_XOR, TP_OP_EQ};
  tp_terms *tt = tp_terms_new(64);
  tp_terms_set_rewriting(tt, false);
  tp_term x = tp_mk_var(tt, "x", tp_sort_bool(tt)), y = tp_mk_var(tt, "y", tp_sort_bool(tt));
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    for (int m = 0; m < 27; m++) {
      const int set[3] = {m % 3 + 1, m / 3 % 3 + 1,
                          m / 9 + 1};  // bit 0: may be false, bit 1: may be true
      tp_number args[2], r,
          wanted = tp_number_of_interval(tp_interval_bool(set[2] & 1, set[2] >> 1));
      for (int k = 0; k < 2; k++)
        args[k] = tp_number_of_interval(tp_interval_bool(set[k] & 1, set[k] >> 1));
      tp_term t = tp_mk2(tt, kinds[i], x, y);
      assert_true(tp_number_apply(tt, t, args, &r));
      int out = 0, left[2] = {0, 0};
      for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++) {
          if (!(set[0] >> a & 1) || !(set[1] >> b & 1)) continue;
          int v = kinds[i] == TP_OP_AND   ? a & b
                  : kinds[i] == TP_OP_OR  ? a | b
                  : kinds[i] == TP_OP_XOR ? a ^ b
                                          : a == b;
          out |= 1 << v;
          if (set[2] >> v & 1) left[0] |= 1 << a, left[1] |= 1 << b;
        }
      assert_int_equal(out, tp_interval_has(&r.bits, 0) + 2 * tp_interval_has(&r.bits, 1));
      bool possible = tp_number_refine(tt, t, &wanted, args);
      assert_int_equal(possible, left[0] != 0);
      for (int k = 0; k < 2 && possible; k++)
        assert_int_equal(left[k],
                         tp_interval_has(&args[k].bits, 0) + 2 * tp_interval_has(&args[k].bits, 1));
    }
  tp_terms_free(tt);
}

typedef struct {
  const char *name;
  tp_term (*make)(tp_terms *tt,
                  tp_term *v);  // over fp32 v[0..1], fp64 v[2..3], bv8 4, bv16 5, bv32 6, bv64 7
} float_operator;
#define F2(k, a, b) \
  static tp_term k##_##a##b(tp_terms *tt, tp_term *v) { return tp_mk2(tt, TP_OP_##k, v[a], v[b]); }
#define F1(k, a) \
  static tp_term k##_##a(tp_terms *tt, tp_term *v) { return tp_mk1(tt, TP_OP_##k, v[a]); }
#define FC(k, a, w)                                     \
  static tp_term k##_##a##w(tp_terms *tt, tp_term *v) { \
    return tp_mk_fp_conv(tt, TP_OP_##k, w, v[a]);       \
  }
#define FLOAT2(X) \
  X(FP_ADD)       \
  X(FP_SUB) X(FP_MUL) X(FP_DIV) X(FP_REM) X(FP_MIN) X(FP_MAX) X(FP_EQ) X(FP_LT) X(FP_LE) X(EQ)
#define FLOAT1(X) X(FP_NEG) X(FP_ABS) X(FP_SQRT) X(FP_IS_NAN) X(FP_IS_INF)
#define X(k) F2(k, 0, 1) F2(k, 2, 3)
FLOAT2(X)
#undef X
#define X(k) F1(k, 0) F1(k, 2)
FLOAT1(X)
#undef X
F1(FP_TO_BITS, 0)
F1(FP_TO_BITS, 2)
F1(FP_OF_BITS, 6)
F1(FP_OF_BITS, 7)
// clang-format off
FC(FP_OF_FP, 0, 64) FC(FP_OF_FP, 2, 32) FC(FP_OF_SBV, 4, 32) FC(FP_OF_SBV, 6, 32)
FC(FP_OF_SBV, 6, 64) FC(FP_OF_SBV, 7, 64) FC(FP_OF_UBV, 5, 32) FC(FP_OF_UBV, 6, 64)
FC(FP_OF_UBV, 7, 32) FC(FP_TO_SBV, 0, 8) FC(FP_TO_SBV, 2, 32) FC(FP_TO_SBV, 0, 32)
FC(FP_TO_SBV, 2, 64) FC(FP_TO_SBV, 0, 64) FC(FP_TO_SBV, 2, 16) FC(FP_TO_UBV, 0, 8)
FC(FP_TO_UBV, 2, 32) FC(FP_TO_UBV, 0, 32) FC(FP_TO_UBV, 2, 64) FC(FP_TO_UBV, 0, 64)
FC(FP_TO_UBV, 2, 16)
    // clang-format on

    static tp_term fma_0(tp_terms *tt, tp_term *v) {
  return tp_mk3(tt, TP_OP_FP_FMA, v[0], v[1], v[0]);
}
static tp_term round_up(tp_terms *tt, tp_term *v) { return tp_mk_fp_round(tt, TP_ROUND_UP, v[2]); }
static tp_term round_away(tp_terms *tt, tp_term *v) {
  return tp_mk_fp_round(tt, TP_ROUND_NEAREST_AWAY, v[0]);
}
static tp_term round_down(tp_terms *tt, tp_term *v) {
  return tp_mk_fp_round(tt, TP_ROUND_DOWN, v[2]);
}
static tp_term ite_fp(tp_terms *tt, tp_term *v) {
  return tp_mk_ite(tt, tp_mk2(tt, TP_OP_EQ, v[4], v[4]), v[2], v[3]);
}
static const float_operator float_operators[] = {
#define X(k) {#k " 32", k##_01}, {#k " 64", k##_23},
    FLOAT2(X)
#undef X
#define X(k) {#k " 32", k##_0}, {#k " 64", k##_2},
        FLOAT1(X)
#undef X
// clang-format off
#define Y(n) {#n, n},
    Y(FP_TO_BITS_0) Y(FP_TO_BITS_2) Y(FP_OF_BITS_6) Y(FP_OF_BITS_7) Y(FP_OF_FP_064)
    Y(FP_OF_FP_232) Y(FP_OF_SBV_432) Y(FP_OF_SBV_632) Y(FP_OF_SBV_664) Y(FP_OF_SBV_764)
    Y(FP_OF_UBV_532) Y(FP_OF_UBV_664) Y(FP_OF_UBV_732) Y(FP_TO_SBV_08) Y(FP_TO_SBV_232)
    Y(FP_TO_SBV_032) Y(FP_TO_SBV_264) Y(FP_TO_SBV_064) Y(FP_TO_SBV_216) Y(FP_TO_UBV_08)
    Y(FP_TO_UBV_232) Y(FP_TO_UBV_032) Y(FP_TO_UBV_264) Y(FP_TO_UBV_064) Y(FP_TO_UBV_216) Y(fma_0)
    Y(round_up) Y(round_away) Y(round_down) Y(ite_fp)
#undef Y
    // clang-format on
};

static void one_float_operator(tp_terms *tt, tp_rng *rng, const float_operator *o, tp_term t,
                               const uint32_t *slot_of, uint32_t n_terms) {
  static const uint32_t widths[8] = {32, 32, 64, 64, 8, 16, 32, 64};
  tp_value v[3] = {{0}, {0}, {0}};
  tp_number args[3], before[3], r;
  tp_u128 values[8];
  tp_number sets[8];
  for (int i = 0; i < 8; i++)
    sets[i] = i < 4 ? tp_number_of_float(around_float(rng, widths[i], &values[i]))
                    : tp_number_of_interval(around(rng, widths[i], &values[i]));
  for (uint32_t i = 0; i < tp_n_args(tt, t); i++) {
    tp_term a = tp_arg(tt, t, i);
    uint32_t s = a.id <= n_terms ? slot_of[a.id] : 8;
    args[i] = s < 8 ? sets[s] : tp_number_of_interval(tp_interval_full(1));
    v[i].bits = s < 8 ? values[s] : tp_rng_below(rng, 2);
    before[i] = args[i];
  }
  tp_operation op = {tp_kind(tt, t),
                     tp_sort_kind_of(tt, tp_sort_of(tt, tp_arg(tt, t, 0))),
                     tp_width(tt, t),
                     tp_width(tt, tp_arg(tt, t, 0)),
                     64,
                     tp_kind(tt, t) == TP_OP_FP_ROUND ? tp_round_of(tt, t) : 0};
  tp_value concrete;
  assert_true(tp_fold(&op, v, &concrete));
  assert_true(tp_number_apply(tt, t, args, &r));
  if (!contains(&r, concrete)) {
    tp_str text = {0};
    for (uint32_t i = 0; i < tp_n_args(tt, t); i++)
      tp_number_print(&before[i], &text),
          tp_str_printf(&text, " at %llx, ", (unsigned long long)v[i].bits);
    tp_number_print(&r, &text);
    print_error("%s: %s misses %llx\n", o->name, tp_str_text(&text),
                (unsigned long long)concrete.bits);
    tp_str_clear(&text);
    fail();
  }
  tp_u128 ignored;
  tp_number some = r.is_float ? tp_number_of_float(around_float(rng, r.real.width, &ignored))
                              : tp_number_of_interval(around(rng, r.bits.width, &ignored));
  tp_number exact = some;
  if (r.is_float)
    exact = tp_number_of_float(tp_float_range_constant(r.real.width, (uint64_t)concrete.bits));
  else
    tp_interval_include(&exact.bits, concrete.bits, 0);
  some = tp_number_join(&some, &exact);
  bool possible = tp_number_refine(tt, t, &some, args);
  for (uint32_t i = 0; i < tp_n_args(tt, t); i++)
    if (!possible || !contains(&args[i], v[i]) || !tp_number_leq(&args[i], &before[i])) {
      tp_str text = {0};
      tp_number_print(&some, &text);
      tp_str_add(&text, " <- ");
      for (uint32_t j = 0; j < tp_n_args(tt, t); j++)
        tp_number_print(&before[j], &text),
            tp_str_printf(&text, " at %llx, ", (unsigned long long)v[j].bits);
      print_error("%s: backward: %s loses argument %u\n", o->name, tp_str_text(&text), i);
      tp_str_clear(&text);
      fail();
    }
}
static void random_floats(void **state) {
  (void)state;
  static const uint32_t widths[8] = {32, 32, 64, 64, 8, 16, 32, 64};
  tp_rng rng;
  tp_rng_init(&rng, 4711);
  for (size_t i = 0; i < sizeof float_operators / sizeof *float_operators; i++) {
    tp_terms *tt = tp_terms_new(64);
    tp_terms_set_rewriting(tt, false);
    tp_term v[8];
    uint32_t slot_of[64] = {0}, n = 0;
    for (uint32_t k = 0; k < 8; k++) {
      v[k] = tp_mk_var(tt, "v", k < 4 ? tp_sort_fp(tt, widths[k]) : tp_sort_bv(tt, widths[k]));
      assert_true(v[k].id < 64);
      slot_of[v[k].id] = k, n = v[k].id;
    }
    tp_term t = float_operators[i].make(tt, v);
    for (int k = soak() ? 1000000 : 10000; k > 0; k--)
      one_float_operator(tt, &rng, &float_operators[i], t, slot_of, n);
    tp_terms_free(tt);
  }
}

// -------------------------------------------------------------- formulas, widening

typedef struct {
  tp_value v;
} one_value;
static bool that_value(void *ctx, tp_term var, tp_value *out) {
  (void)var;
  *out = ((one_value *)ctx)->v;
  return true;
}
static void formulas_are_exact(void **state) {
  (void)state;
  static const uint32_t widths[] = {8, 32, 64, 128, 32, 64};
  tp_rng rng;
  tp_rng_init(&rng, 5);
  tp_terms *tt = tp_terms_new(64);
  tp_arena arena = {0};
  for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
    bool is_float = i >= 4;
    tp_term x =
        tp_mk_var(tt, "x", is_float ? tp_sort_fp(tt, widths[i]) : tp_sort_bv(tt, widths[i]));
    for (int k = 0; k < 2000; k++) {
      tp_u128 member, v;
      tp_number n = is_float ? tp_number_of_float(around_float(&rng, widths[i], &member))
                             : tp_number_of_interval(around(&rng, widths[i], &member));
      v = is_float ? interesting_float(&rng, widths[i]) : interesting(&rng, widths[i]);
      if (k % 2) v = member;
      one_value one = {{.bits = v}};
      tp_env env = {&one, that_value, base_of, NULL};
      tp_value out;
      assert_int_equal(tp_eval(tt, tp_number_formula(tt, x, &n), &env, &arena, &out), TP_OK);
      assert_int_equal(out.bits, contains(&n, one.v));
    }
  }
  tp_arena_clear(&arena);
  tp_terms_free(tt);
}

/* A bound that moves rests at each threshold on its way; then at the end of its half. */
static void widening_rests_at_thresholds(void **state) {
  (void)state;
  static const tp_i128 stops[] = {-5, 10, 200};
  const tp_thresholds at = {stops, 3};
  const struct {
    uint32_t width;
    tp_u128 from, to, lo, hi;
  } cases[] = {{8, 0, 1, 0, 10},        {8, 0, 10, 0, 10},           {8, 0, 11, 0, 127},
               {8, 140, 141, 140, 200}, {8, 201, 202, 201, 251},     {8, 252, 253, 252, 255},
               {32, 0, 11, 0, 200},     {32, 0, 201, 0, 0x7fffffff}, {64, 7, 3, 0, 7}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    tp_interval a = tp_interval_constant(cases[i].width, cases[i].from),
                b = tp_interval_constant(cases[i].width, cases[i].to);
    tp_interval w = tp_interval_widen(&a, &b, at),
                expected = tp_interval_unsigned(cases[i].width, cases[i].lo, cases[i].hi);
    assert_true(tp_interval_eq(&w, &expected));
  }
}
static void widening_ends(void **state) {
  (void)state;
  static const tp_i128 stops[] = {-100, -1, 0, 1, 7, 1000};
  tp_rng rng;
  tp_rng_init(&rng, 6);
  for (int round = 0; round < 200; round++) {
    tp_u128 member;
    tp_number x = round % 2 ? tp_number_of_interval(around(&rng, 32, &member))
                            : tp_number_of_float(around_float(&rng, 64, &member));
    int changes = 0;
    for (int k = 0; k < 500; k++) {
      tp_number y = round % 2 ? tp_number_of_interval(around(&rng, 32, &member))
                              : tp_number_of_float(around_float(&rng, 64, &member));
      tp_number w = tp_number_widen(&x, &y, (tp_thresholds){stops, 6});
      assert_true(tp_number_leq(&x, &w) && tp_number_leq(&y, &w));
      changes += !tp_number_eq(&w, &x);
      x = w;
    }
    assert_true(changes <= 4 * 8);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_lattice_on_3_bits),
                                     cmocka_unit_test(every_operator_on_2_bits),
                                     cmocka_unit_test(every_operator_on_3_bits),
                                     cmocka_unit_test(every_operator_on_4_bits),
                                     cmocka_unit_test(connectives),
                                     cmocka_unit_test(random_members),
                                     cmocka_unit_test(random_floats),
                                     cmocka_unit_test(formulas_are_exact),
                                     cmocka_unit_test(widening_rests_at_thresholds),
                                     cmocka_unit_test(widening_ends)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
