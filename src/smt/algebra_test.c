/* Refutations by algebra against enumeration; and the equations it is for. */
#include "smt/algebra.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { WIDTH = 3, N_VARS = 3, N_FACTS = 4 };

typedef struct {
  tp_terms *tt;
  tp_term vars[N_VARS];
  uint64_t values[N_VARS];
  bool is_rich;  // divisions, extensions, choices and orders, too
} world;

static tp_term random_sum(world *w, tp_rng *r, int depth);

static tp_term random_order(world *w, tp_rng *r, int depth) {
  static const tp_term_kind kinds[] = {TP_OP_BV_ULT, TP_OP_BV_ULE, TP_OP_BV_SLT, TP_OP_BV_SLE};
  return tp_mk2(w->tt, kinds[tp_rng_below(r, 4)], random_sum(w, r, depth),
                random_sum(w, r, tp_rng_below(r, 2) ? 0 : depth));
}

/* An extension of the low bits, of a sum of them, or of all without one. */
static tp_term random_extension(world *w, tp_rng *r, int depth) {
  tp_terms *tt = w->tt;
  const uint32_t lo = (uint32_t)tp_rng_below(r, 2);
  tp_term low = tp_mk_extract(tt, lo + WIDTH - 2, lo, random_sum(w, r, depth));
  if (tp_rng_below(r, 2))
    low = tp_mk2(tt, tp_rng_below(r, 2) ? TP_OP_BV_ADD : TP_OP_BV_MUL, low,
                 tp_mk_extract(tt, WIDTH - 2, 0, random_sum(w, r, depth)));
  return tp_rng_below(r, 2) ? tp_mk_sext(tt, WIDTH, low) : tp_mk_zext(tt, WIDTH, low);
}

static tp_term random_division(world *w, tp_rng *r, tp_term a) {
  static const tp_term_kind kinds[] = {TP_OP_BV_SDIV, TP_OP_BV_UDIV, TP_OP_BV_SREM, TP_OP_BV_UREM,
                                       TP_OP_BV_LSHR};
  return tp_mk2(w->tt, kinds[tp_rng_below(r, 5)], a,
                tp_mk_bv(w->tt, WIDTH, 1 + tp_rng_below(r, 7)));
}

static tp_term random_sum(world *w, tp_rng *r, int depth) {
  if (depth == 0 || tp_rng_below(r, 4) == 0)
    return tp_rng_below(r, 3) ? w->vars[tp_rng_below(r, N_VARS)]
                              : tp_mk_bv(w->tt, WIDTH, tp_rng_below(r, 8));
  tp_term a = random_sum(w, r, depth - 1), b = random_sum(w, r, depth - 1);
  switch (tp_rng_below(r, w->is_rich ? 8 : 4)) {
    case 0: return tp_mk2(w->tt, TP_OP_BV_MUL, a, b);
    case 1: return tp_mk1(w->tt, TP_OP_BV_NEG, a);
    case 2: return tp_mk1(w->tt, TP_OP_BV_NOT, a);
    case 4: return random_division(w, r, a);
    case 5: return tp_mk_ite(w->tt, random_order(w, r, 0), a, b);
    case 6: return random_extension(w, r, depth - 1);
    default: return tp_mk2(w->tt, TP_OP_BV_ADD, a, b);
  }
}

static tp_term random_fact(world *w, tp_rng *r) {
  tp_term e = tp_mk_eq(w->tt, random_sum(w, r, 2), random_sum(w, r, 2)),
          f = tp_mk_eq(w->tt, random_sum(w, r, 2), random_sum(w, r, 1));
  if (w->is_rich && tp_rng_below(r, 2)) f = random_order(w, r, 1);
  if (w->is_rich && tp_rng_below(r, 3) == 0) e = random_order(w, r, 1);
  switch (tp_rng_below(r, 6)) {
    case 0: return tp_mk_not(w->tt, e);
    case 1: return tp_mk_or(w->tt, tp_mk_not(w->tt, e), tp_mk_not(w->tt, f));
    case 2: return tp_mk_and(w->tt, e, tp_mk_not(w->tt, f));
    case 3: return !w->is_rich ? e : tp_rng_below(r, 2) ? f : tp_mk_not(w->tt, f);
    default: return e;
  }
}

static bool look_up(void *ctx, tp_term var, tp_value *out) {
  const world *w = ctx;
  for (int i = 0; i < N_VARS; i++)
    if (tp_term_eq(w->vars[i], var)) *out = (tp_value){.bits = w->values[i]};
  return true;
}

static uint64_t no_base(void *ctx, uint32_t object) {
  (void)ctx;
  return object;
}

static bool has_model(world *w, tp_term all) {
  tp_env env = {.ctx = w, .var = look_up, .base = no_base};
  tp_arena arena;
  tp_arena_init(&arena);
  bool found = false;
  for (uint64_t k = 0; k < 1u << (WIDTH * N_VARS) && !found; k++) {
    for (int i = 0; i < N_VARS; i++) w->values[i] = k >> (WIDTH * i) & 7;
    tp_value v;
    assert_int_equal(tp_eval(w->tt, all, &env, &arena, &v), TP_OK);
    found = v.bits;
  }
  tp_arena_clear(&arena);
  return found;
}

static void refutations_are_right(void **state) {
  (void)state;
  tp_rng r;
  tp_rng_init(&r, 7);
  size_t refuted[2] = {0}, impossible[2] = {0};
  const int turns = getenv("TP_SOAK") ? 100000 : 1500;
  for (int turn = 0; turn < turns; turn++) {
    const bool is_rich = turn % 4 != 0;
    world w = {.tt = tp_terms_new(64), .is_rich = is_rich};
    for (int i = 0; i < N_VARS; i++) w.vars[i] = tp_mk_var(w.tt, "v", tp_sort_bv(w.tt, WIDTH));
    tp_term facts[N_FACTS];
    for (int i = 0; i < N_FACTS; i++) facts[i] = random_fact(&w, &r);
    const bool is_possible = has_model(&w, tp_mk_and_n(w.tt, facts, N_FACTS));
    impossible[is_rich] += !is_possible;
    if (tp_algebra_refutes(w.tt, facts, N_FACTS)) {
      refuted[is_rich]++;
      assert_false(is_possible);
    }
    tp_terms_free(w.tt);
  }
  print_message("%zu of %zu and %zu of %zu impossible ones are refuted\n", refuted[0],
                impossible[0], refuted[1], impossible[1]);
  assert_true(40 * refuted[0] > (size_t)turns && 40 * refuted[1] > 3 * (size_t)turns);
}

/* 2 s = i (i + 1) stays so when i + 1 is added to s; with another step it does not. */
static void sums_of_numbers(void **state) {
  (void)state;
  for (int wrong = 0; wrong < 2; wrong++) {
    tp_terms *tt = tp_terms_new(64);
    tp_sort bv32 = tp_sort_bv(tt, 32);
    tp_term s = tp_mk_var(tt, "s", bv32), i = tp_mk_var(tt, "i", bv32), one = tp_mk_bv(tt, 32, 1),
            two = tp_mk_bv(tt, 32, 2);
    tp_term next = tp_mk2(tt, TP_OP_BV_ADD, i, one),
            sum = tp_mk2(tt, TP_OP_BV_ADD, s, wrong ? i : next);
    tp_term facts[2] = {
        tp_mk_eq(tt, tp_mk2(tt, TP_OP_BV_MUL, two, s), tp_mk2(tt, TP_OP_BV_MUL, i, next)),
        tp_mk_not(tt,
                  tp_mk_eq(tt, tp_mk2(tt, TP_OP_BV_MUL, two, sum),
                           tp_mk2(tt, TP_OP_BV_MUL, next, tp_mk2(tt, TP_OP_BV_ADD, next, one)))),
    };
    tp_algebra a = {0};
    assert_true(tp_algebra_has_product(&a, tt, facts[0]));
    assert_false(
        tp_algebra_has_product(&a, tt, tp_mk_eq(tt, sum, tp_mk2(tt, TP_OP_BV_MUL, two, s))));
    assert_int_equal(tp_algebra_refutes(tt, facts, 2), !wrong);
    tp_algebra_clear(&a);
    tp_terms_free(tt);
  }
}

// ------------------------------------------------------------- all widths, with a model that is
// known

enum { PLANTED_VARS = 4, PLANTED_FACTS = 12 };

/* Variables of a width and of half of it, and values of them. */
typedef struct {
  tp_terms *tt;
  tp_rng r;
  uint32_t width, narrow;
  tp_term wide_vars[PLANTED_VARS], narrow_vars[PLANTED_VARS];
  uint64_t wide_values[PLANTED_VARS], narrow_values[PLANTED_VARS];
  tp_arena arena;
} plant;

static uint64_t cut(uint64_t v, uint32_t width) {
  return width == 64 ? v : v & (((uint64_t)1 << width) - 1);
}

static bool look_up_planted(void *ctx, tp_term var, tp_value *out) {
  const plant *w = ctx;
  for (int i = 0; i < PLANTED_VARS; i++) {
    if (tp_term_eq(w->wide_vars[i], var)) *out = (tp_value){.bits = w->wide_values[i]};
    if (tp_term_eq(w->narrow_vars[i], var)) *out = (tp_value){.bits = w->narrow_values[i]};
  }
  return true;
}

static uint64_t value_of(plant *w, tp_term t) {
  tp_env env = {.ctx = w, .var = look_up_planted, .base = no_base};
  tp_value v;
  assert_int_equal(tp_eval(w->tt, t, &env, &w->arena, &v), TP_OK);
  return (uint64_t)v.bits;
}

static uint64_t number(plant *w, uint32_t width) {
  switch (tp_rng_below(&w->r, 4)) {
    case 0: return cut(tp_rng_below(&w->r, 4), width);
    case 1: return cut((uint64_t)1 << tp_rng_below(&w->r, width), width);
    case 2: return cut(UINT64_MAX - tp_rng_below(&w->r, 3), width);
    default: return cut(tp_rng_next(&w->r), width);
  }
}

static tp_term planted_condition(plant *w, int depth);

static tp_term planted_sum(plant *w, bool narrow, int depth) {
  tp_terms *tt = w->tt;
  uint32_t width = narrow ? w->narrow : w->width;
  if (depth == 0 || tp_rng_below(&w->r, 5) == 0)
    return tp_rng_below(&w->r, 4)
               ? (narrow ? w->narrow_vars : w->wide_vars)[tp_rng_below(&w->r, PLANTED_VARS)]
               : tp_mk_bv(tt, width, number(w, width));
  tp_term a = planted_sum(w, narrow, depth - 1);
  switch (tp_rng_below(&w->r, 12)) {
    case 0: return tp_mk1(tt, TP_OP_BV_NEG, a);
    case 1: return tp_mk1(tt, TP_OP_BV_NOT, a);
    case 2:
      return tp_mk2(tt, TP_OP_BV_SHL, a,
                    tp_mk_bv(tt, width, cut(tp_rng_below(&w->r, width + 1), width)));
    case 3: return tp_mk2(tt, TP_OP_BV_LSHR, a, tp_mk_bv(tt, width, cut(1, width)));
    case 4:
      return tp_mk_ite(tt, planted_condition(w, depth - 1), a, planted_sum(w, narrow, depth - 1));
    case 5:
      return narrow && w->width > w->narrow
                 ? tp_mk_extract(tt, w->narrow - 1, 0, planted_sum(w, false, depth - 1))
                 : a;
    case 6:
      return !narrow && w->width > w->narrow
                 ? tp_mk_zext(tt, width, planted_sum(w, true, depth - 1))
                 : a;
    case 7:
    case 8: return tp_mk2(tt, TP_OP_BV_MUL, a, tp_mk_bv(tt, width, number(w, width)));
    case 9:
    case 10: return tp_mk2(tt, TP_OP_BV_MUL, a, planted_sum(w, narrow, depth - 1));
    default: return tp_mk2(tt, TP_OP_BV_ADD, a, planted_sum(w, narrow, depth - 1));
  }
}

/* An equation that holds: what is missing is added to one side; sometimes both are multiplied with
 * an even number. */
static tp_term planted_equation(plant *w) {
  tp_terms *tt = w->tt;
  bool narrow = tp_rng_below(&w->r, 3) == 0;
  uint32_t width = narrow ? w->narrow : w->width;
  tp_term a = planted_sum(w, narrow, 3), b = planted_sum(w, narrow, 2);
  b = tp_mk2(tt, TP_OP_BV_ADD, b, tp_mk_bv(tt, width, cut(value_of(w, a) - value_of(w, b), width)));
  if (tp_rng_below(&w->r, 3) == 0) {
    tp_term factor = tp_mk_bv(tt, width, cut(2 * tp_rng_below(&w->r, 9), width));
    a = tp_mk2(tt, TP_OP_BV_MUL, a, factor);
    b = tp_mk2(tt, TP_OP_BV_MUL, b, factor);
  }
  return tp_mk_eq(tt, a, b);
}

static tp_term planted_condition(plant *w, int depth) {
  tp_terms *tt = w->tt;
  bool narrow = tp_rng_below(&w->r, 3) == 0;
  if (depth <= 0 || tp_rng_below(&w->r, 3) == 0)
    return tp_mk_eq(tt, planted_sum(w, narrow, 2), planted_sum(w, narrow, 2));
  tp_term a = planted_condition(w, depth - 1),
          b = tp_rng_below(&w->r, 3) ? planted_equation(w) : planted_condition(w, depth - 1);
  switch (tp_rng_below(&w->r, 6)) {
    case 0: return tp_mk_not(tt, a);
    case 1: return tp_mk_or(tt, a, b);
    case 2: return tp_mk_xor(tt, a, b);
    case 3: return tp_mk_eq(tt, a, b);
    case 4: return tp_mk_ite(tt, a, b, planted_condition(w, depth - 1));
    default: return tp_mk_and(tt, a, b);
  }
}

static tp_term planted_fact(plant *w) {
  if (tp_rng_below(&w->r, 2)) return planted_equation(w);
  tp_term t = planted_condition(w, 3);
  return value_of(w, t) ? t : tp_mk_not(w->tt, t);
}

/* a = b and c = d, added. */
static tp_term sum_of(tp_terms *tt, tp_term e, tp_term f) {
  return tp_mk_eq(tt, tp_mk2(tt, TP_OP_BV_ADD, tp_arg(tt, e, 0), tp_arg(tt, f, 0)),
                  tp_mk2(tt, TP_OP_BV_ADD, tp_arg(tt, e, 1), tp_arg(tt, f, 1)));
}

static bool is_wide_equation(const plant *w, tp_term t) {
  return tp_kind(w->tt, t) == TP_OP_EQ &&
         tp_sort_kind_of(w->tt, tp_sort_of(w->tt, tp_arg(w->tt, t, 0))) == TP_SORT_BV &&
         tp_width(w->tt, tp_arg(w->tt, t, 0)) == w->width;
}

static void facts_with_a_model_are_not_refuted(void **state) {
  (void)state;
  size_t asked = 0, seen = 0;
  int turns = getenv("TP_SOAK") ? 200000 : 1500;
  for (int turn = 0; turn < turns; turn++) {
    plant w = {.tt = tp_terms_new(64)};
    tp_term facts[PLANTED_FACTS + 1];
    tp_rng_init(&w.r, 1000 + (uint64_t)turn);
    tp_arena_init(&w.arena);
    w.width = turn % 3 ? 1 + (uint32_t)turn % 64 : 64;
    w.narrow = w.width > 1 ? w.width / 2 : 1;
    tp_terms_set_rewriting(w.tt, turn % 4 != 0);
    for (int i = 0; i < PLANTED_VARS; i++) {
      w.wide_vars[i] = tp_mk_var(w.tt, "w", tp_sort_bv(w.tt, w.width));
      w.narrow_vars[i] = tp_mk_var(w.tt, "n", tp_sort_bv(w.tt, w.narrow));
      w.wide_values[i] = number(&w, w.width);
      w.narrow_values[i] = number(&w, w.narrow);
    }
    size_t n = 2 + tp_rng_below(&w.r, PLANTED_FACTS - 1);
    for (size_t i = 0; i < n; i++) facts[i] = planted_fact(&w);
    assert_false(tp_algebra_refutes(w.tt, facts, n));
    if (is_wide_equation(&w, facts[0]) && is_wide_equation(&w, facts[1])) {
      facts[n] = tp_mk_not(w.tt, sum_of(w.tt, facts[0], facts[1]));
      asked++;
      seen += tp_algebra_refutes(w.tt, facts, n + 1);
    }
    tp_arena_clear(&w.arena);
    tp_terms_free(w.tt);
  }
  print_message("%zu of %zu sums of two equations are seen\n", seen, asked);
  assert_true(seen * 2 > asked);
}

// ------------------------------------------------------------------------ orders

/* x + c and y + d, or the other way round, in one of four orders, or its contrary. */
static tp_term order_of(world *w, uint64_t c, uint64_t d, unsigned how) {
  static const tp_term_kind kinds[] = {TP_OP_BV_ULT, TP_OP_BV_ULE, TP_OP_BV_SLT, TP_OP_BV_SLE};
  const tp_term x = tp_mk2(w->tt, TP_OP_BV_ADD, w->vars[0], tp_mk_bv(w->tt, WIDTH, c)),
                y = tp_mk2(w->tt, TP_OP_BV_ADD, w->vars[1], tp_mk_bv(w->tt, WIDTH, d));
  const tp_term t =
      how & 4 ? tp_mk2(w->tt, kinds[how & 3], y, x) : tp_mk2(w->tt, kinds[how & 3], x, y);
  return how & 8 ? tp_mk_not(w->tt, t) : t;
}

/* Two orders between x and y that leave one difference are an equation; where they leave more, or
 * are of different readings, nothing is refuted that has a model. */
static void orders_that_meet(void **state) {
  (void)state;
  size_t refuted = 0;
  for (unsigned first = 0; first < 16; first++)
    for (unsigned second = 0; second < 16; second++)
      for (unsigned offsets = 0; offsets < 27; offsets++) {
        world w = {.tt = tp_terms_new(64)};
        for (int i = 0; i < N_VARS; i++) w.vars[i] = tp_mk_var(w.tt, "v", tp_sort_bv(w.tt, WIDTH));
        const uint64_t c = (offsets % 3 + 7) & 7, d = (offsets / 3 % 3 + 7) & 7,
                       k = (offsets / 9 + 7) & 7;
        const tp_term shifted = tp_mk2(w.tt, TP_OP_BV_ADD, w.vars[0], tp_mk_bv(w.tt, WIDTH, k));
        const tp_term facts[] = {
            order_of(&w, 0, 0, first), order_of(&w, c, d, second),
            // the same, times a third variable: an equation that only one of sums decides
            tp_mk_not(w.tt, tp_mk_eq(w.tt, tp_mk2(w.tt, TP_OP_BV_MUL, w.vars[2], shifted),
                                     tp_mk2(w.tt, TP_OP_BV_MUL, w.vars[2], w.vars[1])))};
        if (tp_algebra_refutes(w.tt, facts, 3)) {
          refuted++;
          assert_false(has_model(&w, tp_mk_and_n(w.tt, facts, 3)));
        }
        tp_terms_free(w.tt);
      }
  print_message("%zu of %d are refuted\n", refuted, 16 * 16 * 27);
  assert_true(refuted > 100);
}

/* Where one of several statements holds, each part is looked at with what it says itself: i < n and
 * either n <= i + 1 or i + 1 < n, where s is the square of i (the step of a sum of odd numbers). */
static void one_of_several(void **state) {
  (void)state;
  for (uint64_t plus = 0; plus < 4; plus++) {
    tp_terms *tt = tp_terms_new(64);
    const tp_sort word = tp_sort_bv(tt, 32);
    const tp_term i = tp_mk_var(tt, "i", word), n = tp_mk_var(tt, "n", word),
                  s = tp_mk_var(tt, "s", word);
    const tp_term one = tp_mk_bv(tt, 32, 1), next = tp_mk2(tt, TP_OP_BV_ADD, i, one);
    const tp_term odd = tp_mk2(tt, TP_OP_BV_ADD, tp_mk2(tt, TP_OP_BV_ADD, i, i), one);
    const tp_term sum = tp_mk2(tt, TP_OP_BV_ADD, tp_mk2(tt, TP_OP_BV_ADD, s, odd),
                               tp_mk_bv(tt, 32, plus & 1));  // 1: one too many
    const tp_term at_end =
        tp_mk_and(tt, tp_mk2(tt, TP_OP_BV_ULE, n, next),
                  tp_mk_not(tt, tp_mk_eq(tt, sum, tp_mk2(tt, TP_OP_BV_MUL, n, n))));
    const tp_term before =
        tp_mk_and(tt, tp_mk2(tt, TP_OP_BV_ULT, next, n),
                  tp_mk_not(tt, tp_mk_eq(tt, sum, tp_mk2(tt, TP_OP_BV_MUL, next, next))));
    tp_term facts[3] = {tp_mk2(tt, TP_OP_BV_ULT, i, n),
                        tp_mk_eq(tt, s, tp_mk2(tt, TP_OP_BV_MUL, i, i)),
                        tp_mk_or(tt, at_end, before)};
    if (plus & 2) facts[2] = tp_mk_or(tt, facts[2], tp_mk_eq(tt, s, n));  // a part of its own
    assert_int_equal(tp_algebra_refutes(tt, facts, 3), plus == 0);
    // i < n and n < i + 1 exclude each other; i < n and n < i + 2 do not
    const tp_term product = tp_mk_eq(tt, s, tp_mk2(tt, TP_OP_BV_MUL, n, n));
    const tp_term apart[3] = {
        facts[0], product,
        tp_mk2(tt, TP_OP_BV_ULT, n, tp_mk2(tt, TP_OP_BV_ADD, next, tp_mk_bv(tt, 32, plus)))};
    assert_int_equal(tp_algebra_refutes(tt, apart, 3), plus == 0);
    tp_terms_free(tt);
  }
}

/* x becomes x + 256 x y again and again: each term occurs in all that follow, and the sum stays
 * small. */
static void shared_terms_are_expanded_once(void **state) {
  (void)state;
  tp_terms *tt = tp_terms_new(64);
  tp_sort bv32 = tp_sort_bv(tt, 32);
  tp_term x = tp_mk_var(tt, "x", bv32), y = tp_mk_var(tt, "y", bv32), now = x;
  for (int i = 0; i < 24; i++)
    now = tp_mk2(tt, TP_OP_BV_ADD, now,
                 tp_mk2(tt, TP_OP_BV_MUL, tp_mk2(tt, TP_OP_BV_MUL, now, y), tp_mk_bv(tt, 32, 256)));
  // the polynomial of now: x + C(24, 1) 256 x y + C(24, 2) 256^2 x y^2 + C(24, 3) 256^3 x y^3
  tp_term power = x, sum = x;
  const uint64_t choose[] = {24, 276, 2024};
  for (int i = 0; i < 3; i++) {
    power = tp_mk2(tt, TP_OP_BV_MUL, power, y);
    sum = tp_mk2(tt, TP_OP_BV_ADD, sum,
                 tp_mk2(tt, TP_OP_BV_MUL, power,
                        tp_mk_bv(tt, 32, (choose[i] << (8 * (i + 1))) & UINT32_MAX)));
  }
  tp_term differ = tp_mk_not(tt, tp_mk_eq(tt, now, sum)), alike = tp_mk_eq(tt, now, sum);
  double start = tp_cpu_s();
  assert_true(tp_algebra_refutes(tt, &differ, 1));
  assert_false(tp_algebra_refutes(tt, &alike, 1));
  assert_true(tp_cpu_s() - start < 5);
  tp_terms_free(tt);
}

/* Polynomials that grow and grow: an end of the look, not of memory. */
static void work_has_an_end(void **state) {
  (void)state;
  enum { VARS = 30, EQUATIONS = 30 };
  tp_terms *tt = tp_terms_new(64);
  tp_sort bv32 = tp_sort_bv(tt, 32);
  tp_term v[VARS], facts[EQUATIONS];
  tp_rng r;
  tp_rng_init(&r, 3);
  for (int i = 0; i < VARS; i++) v[i] = tp_mk_var(tt, "v", bv32);
  for (int e = 0; e < EQUATIONS; e++) {
    tp_term a = v[tp_rng_below(&r, VARS)], b = v[tp_rng_below(&r, VARS)];
    for (int i = 0; i < 11; i++) {
      a = tp_mk2(tt, TP_OP_BV_ADD, a, v[tp_rng_below(&r, VARS)]);
      b = tp_mk2(tt, TP_OP_BV_ADD, b, v[tp_rng_below(&r, VARS)]);
    }
    facts[e] = tp_mk_eq(tt, v[e], tp_mk2(tt, TP_OP_BV_MUL, a, b));
  }
  double start = tp_cpu_s();
  assert_false(tp_algebra_refutes(tt, facts, EQUATIONS));  // all variables zero
  assert_true(tp_cpu_s() - start < 5);
  tp_terms_free(tt);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(refutations_are_right),
                                     cmocka_unit_test(sums_of_numbers),
                                     cmocka_unit_test(facts_with_a_model_are_not_refuted),
                                     cmocka_unit_test(orders_that_meet),
                                     cmocka_unit_test(one_of_several),
                                     cmocka_unit_test(shared_terms_are_expanded_once),
                                     cmocka_unit_test(work_has_an_end)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
