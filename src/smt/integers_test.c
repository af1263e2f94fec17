/* The integer encoding against evaluation: models of one are models of the other, both ways, by
 * trying all values. */
#include "smt/integers_priv.h"
#include "smt/smt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

// ------------------------------------------------------------- random formulas

enum { N_VARS = 3 };
typedef struct {
  tp_terms *tt;
  tp_integers *n;
  tp_rng rng;
  uint32_t w;
  tp_term flag, x[N_VARS];
  uint64_t value[N_VARS];  // the assignment: bits, and the flag
  bool set;
  tp_term moved;  // this integer variable is off by `by`
  int64_t by;
  tp_arena arena;
} small;

static uint64_t pick(small *r, uint64_t n) { return tp_rng_below(&r->rng, n); }
static tp_term constant(small *r, uint32_t w) { return tp_mk_bv(r->tt, w, tp_rng_next(&r->rng)); }

static void small_init(small *r, uint64_t seed, uint32_t w) {
  *r = (small){.tt = tp_terms_new(64), .w = w};
  tp_rng_init(&r->rng, seed);
  tp_terms_set_rewriting(r->tt, seed % 2);
  r->flag = tp_mk_var(r->tt, "p", tp_sort_bool(r->tt));
  for (int i = 0; i < N_VARS; i++) r->x[i] = tp_mk_var(r->tt, "x", tp_sort_bv(r->tt, w));
  r->n = tp_integers_new(r->tt);
  tp_arena_init(&r->arena);
}

static void small_clear(small *r) {
  tp_integers_free(r->n);
  tp_arena_clear(&r->arena);
  tp_terms_free(r->tt);
}

static tp_term random_bool(small *r, int depth);

static tp_term random_bits(small *r, int depth) {
  static const tp_term_kind by_constant[] = {
      TP_OP_BV_MUL, TP_OP_BV_UDIV, TP_OP_BV_SDIV, TP_OP_BV_UREM, TP_OP_BV_SREM, TP_OP_BV_AND,
      TP_OP_BV_OR,  TP_OP_BV_XOR,  TP_OP_BV_SHL,  TP_OP_BV_LSHR, TP_OP_BV_ASHR};
  tp_terms *tt = r->tt;
  uint32_t w = r->w;
  if (depth <= 0) return pick(r, 4) ? r->x[pick(r, N_VARS)] : constant(r, w);
  switch (pick(r, 10)) {
    case 0: return tp_mk1(tt, pick(r, 2) ? TP_OP_BV_NEG : TP_OP_BV_NOT, random_bits(r, depth - 1));
    case 1:
      return tp_mk_ite(tt, random_bool(r, depth - 1), random_bits(r, depth - 1),
                       random_bits(r, depth - 1));
    case 2: {
      tp_term wide =
          tp_mk2(tt, TP_OP_BV_CONCAT, random_bits(r, depth - 1), random_bits(r, depth - 1));
      uint32_t low = (uint32_t)pick(r, w + 1);
      return tp_mk_extract(tt, low + w - 1, low, wide);
    }
    case 3: {
      tp_term a = tp_mk_resize(tt, w + 1, pick(r, 2), random_bits(r, depth - 1)),
              b = tp_mk_resize(tt, w + 1, pick(r, 2), random_bits(r, depth - 1));
      uint32_t low = (uint32_t)pick(r, 2);
      return tp_mk_extract(tt, low + w - 1, low, tp_mk2(tt, TP_OP_BV_ADD, a, b));
    }
    case 4:
    case 5:
    case 6: {
      tp_term_kind k = by_constant[pick(r, 11)];
      return tp_mk2(tt, k, random_bits(r, depth - 1),
                    k >= TP_OP_BV_SHL ? tp_mk_bv(tt, w, pick(r, w + 1)) : constant(r, w));
    }
    default: return tp_mk2(tt, TP_OP_BV_ADD, random_bits(r, depth - 1), random_bits(r, depth - 1));
  }
}

static tp_term random_order(small *r, int depth) {
  static const tp_term_kind compare[] = {TP_OP_BV_ULT, TP_OP_BV_ULE, TP_OP_BV_SLT, TP_OP_BV_SLE,
                                         TP_OP_EQ};
  return tp_mk2(r->tt, compare[pick(r, 5)], random_bits(r, depth), random_bits(r, depth));
}

static tp_term random_bool(small *r, int depth) {
  static const tp_term_kind connect[] = {TP_OP_AND, TP_OP_OR, TP_OP_XOR, TP_OP_EQ};
  tp_terms *tt = r->tt;
  if (depth <= 0) return r->flag;
  switch (pick(r, 6)) {
    case 0: return tp_mk_not(tt, random_bool(r, depth - 1));
    case 1:
      return tp_mk_ite(tt, random_bool(r, depth - 1), random_bool(r, depth - 1),
                       random_bool(r, depth - 1));
    case 2:
      return tp_mk2(tt, connect[pick(r, 4)], random_bool(r, depth - 1), random_bool(r, depth - 1));
    default: return random_order(r, depth - 1);
  }
}

/* Facts that give bounds now and then, as programs do. */
static tp_term random_fact(small *r) {
  tp_terms *tt = r->tt;
  tp_term x = r->x[pick(r, N_VARS)];
  tp_term_kind le = pick(r, 2) ? TP_OP_BV_SLE : TP_OP_BV_ULE;
  switch (pick(r, 5)) {
    case 0: return tp_mk2(tt, le, x, constant(r, r->w));
    case 1: return tp_mk2(tt, le, constant(r, r->w), x);
    case 2: return tp_mk_eq(tt, x, random_bits(r, 2));
    default: return random_bool(r, 4);
  }
}

// ------------------------------------------------------------------ evaluation

static uint64_t no_base(void *ctx, uint32_t object) {
  (void)ctx;
  return object;
}

static int64_t as_integer(uint64_t bits, uint32_t w, bool is_signed) {
  return is_signed && bits >> (w - 1) & 1 ? (int64_t)bits - (int64_t)((uint64_t)1 << w)
                                          : (int64_t)bits;
}

static tp_value eval(small *r, tp_term t);

/* BV variables by the assignment, integer variables in their reading, helpers as they are defined.
 */
static bool var_value(void *ctx, tp_term var, tp_value *out) {
  small *r = ctx;
  int64_t v = 0;
  if (tp_term_eq(var, r->flag)) return *out = (tp_value){.bits = r->set}, true;
  for (int i = 0; i < N_VARS; i++)
    if (tp_term_eq(var, r->x[i])) return *out = (tp_value){.bits = r->value[i]}, true;
  const tp_integers_helper *h = tp_integers_find_helper(r->n, var);
  if (h) {
    int64_t e = (int64_t)(uint64_t)eval(r, h->of).bits, d = (int64_t)h->by,
            q = (int64_t)tp_floor_div(e, d);
    v = h->is_mod ? e - d * q : q;
  }
  for (int i = 0; i < N_VARS; i++)
    if (tp_term_eq(tp_integers_var(r->n, r->x[i]), var))
      v = as_integer(r->value[i], r->w, tp_integers_is_signed(r->n, r->x[i]));
  if (tp_term_eq(var, r->moved)) v += r->by;
  *out = (tp_value){.bits = (uint64_t)v};
  return true;
}

static tp_value eval(small *r, tp_term t) {
  tp_env env = {.ctx = r, .var = var_value, .base = no_base};
  tp_value v = {0};
  assert_int_equal(tp_eval(r->tt, t, &env, &r->arena, &v), TP_OK);
  return v;
}

static bool all_hold(small *r, const tp_term *t, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (!eval(r, t[i]).bits) return false;
  return true;
}

static bool next_assignment(small *r) {
  if ((r->set = !r->set)) return true;
  for (int i = 0; i < N_VARS; i++) {
    if (++r->value[i] < (uint64_t)1 << r->w) return true;
    r->value[i] = 0;
  }
  return false;
}

/* A variable that leaves its range, or a helper with another value, breaks a side fact. */
static void nothing_else_is_a_model(small *r, const tp_integers_translation *a) {
  if (a->vars.n == 0) return;
  r->moved = a->vars.at[pick(r, a->vars.n)];
  if (tp_sort_kind_of(r->tt, tp_sort_of(r->tt, r->moved)) == TP_SORT_INT) {
    bool is_helper = tp_integers_find_helper(r->n, r->moved);
    int64_t by[] = {is_helper ? 1 : (int64_t)1 << r->w, is_helper ? -1 : -((int64_t)1 << r->w)};
    for (int i = 0; i < 2; i++) {
      r->by = by[i];
      assert_false(all_hold(r, a->side.at, a->side.n));
    }
  }
  r->moved = TP_TERM_NONE;
}

static void models_are_the_same(void **state) {
  (void)state;
  enum { FACTS = 3 };
  const int rounds = getenv("TP_SOAK") ? 1500 : 200;
  int refused = 0, wraps = 0, without = 0, sat = 0;
  for (uint64_t seed = 1; seed <= (uint64_t)rounds; seed++) {
    small r;
    small_init(&r, seed, 1 + (uint32_t)(seed % 4));
    tp_term facts[FACTS], assumption = random_bool(&r, 3);
    size_t n_facts = 1 + pick(&r, FACTS);
    for (size_t i = 0; i < n_facts; i++) facts[i] = random_fact(&r);
    tp_integers_query q = {
        .facts = facts, .n_facts = n_facts, .assumptions = &assumption, .n_assumptions = 1};
    tp_integers_translation a = {0};
    bool any = false;
    if (!tp_integers_translate(r.n, &q, &a)) {
      refused++;
      assert_non_null(a.refused);
    } else {
      wraps += a.n_wraps > 0;
      without += a.n_wraps == 0;
      do {
        bool truth = all_hold(&r, facts, n_facts);
        bool both = all_hold(&r, a.facts.at, n_facts) && all_hold(&r, a.side.at, a.side.n);
        if (truth != both)
          fail_msg("seed %d: %s", (int)seed, truth ? "a model is lost" : "a model is new");
        if (truth && eval(&r, assumption).bits != eval(&r, a.assumptions.at[0]).bits)
          fail_msg("seed %d: assumption", (int)seed);
        if (truth && !any) nothing_else_is_a_model(&r, &a);
        any = any || truth;
        tp_arena_clear(&r.arena);
      } while (next_assignment(&r));
      sat += any;
    }
    tp_integers_translation_clear(&a);
    small_clear(&r);
  }
  assert_true(refused < rounds / 20 && wraps > rounds / 4 && without > rounds / 10 &&
              sat > rounds / 4);
}

// ------------------------------------------------------------ back to bit-vectors

static tp_term random_number(small *r, int depth) {
  tp_terms *tt = r->tt;
  if (depth <= 0)
    return pick(r, 4) ? tp_integers_var(r->n, r->x[pick(r, N_VARS)])
                      : tp_mk_int(tt, (int64_t)pick(r, 20) - 10);
  tp_term a = random_number(r, depth - 1);
  switch (pick(r, 6)) {
    case 0: return tp_mk2(tt, TP_OP_INT_MUL, tp_mk_int(tt, (int64_t)pick(r, 7) - 3), a);
    case 1: return tp_integers_div(r->n, a, (int64_t)pick(r, 5) + 1);
    case 2: return tp_integers_mod(r->n, a, (int64_t)pick(r, 5) + 1);
    case 3: return tp_mk_ite(tt, r->flag, a, random_number(r, depth - 1));
    default: return tp_mk2(tt, TP_OP_INT_ADD, a, random_number(r, depth - 1));
  }
}

static tp_term random_linear(small *r, int depth) {
  static const tp_term_kind compare[] = {TP_OP_EQ, TP_OP_INT_LE, TP_OP_INT_LT};
  if (depth <= 0)
    return tp_mk2(r->tt, compare[pick(r, 3)], random_number(r, 3), random_number(r, 2));
  tp_term a = random_linear(r, depth - 1);
  if (pick(r, 3) == 0) return tp_mk_not(r->tt, a);
  return tp_mk2(r->tt, pick(r, 2) ? TP_OP_AND : TP_OP_OR, a, random_linear(r, depth - 1));
}

/* Readings of all mixtures. */
static void choose_readings(small *r) {
  for (int i = 0; i < N_VARS; i++)
    tp_integers_vote(r->n, tp_mk2(r->tt, pick(r, 2) ? TP_OP_BV_SLT : TP_OP_BV_ULT, r->x[i],
                                  tp_mk_bv(r->tt, r->w, 1)));
}

static void back_means_the_same(void **state) {
  (void)state;
  const int rounds = getenv("TP_SOAK") ? 1500 : 200;
  int answers[2] = {0, 0};
  for (uint64_t seed = 1; seed <= (uint64_t)rounds; seed++) {
    small r;
    small_init(&r, seed, 1 + (uint32_t)(seed % 4));
    choose_readings(&r);
    tp_term formula = random_linear(&r, 2), t = tp_integers_to_bits(r.n, formula, TP_BACK_EXACT);
    assert_true(tp_term_is(t));
    do {
      bool want = eval(&r, formula).bits, have = eval(&r, t).bits;
      if (want != have) fail_msg("seed %d", (int)seed);
      answers[want]++;
      tp_arena_clear(&r.arena);
    } while (next_assignment(&r));
    small_clear(&r);
  }
  assert_true(answers[0] > rounds && answers[1] > rounds);
}

/* Bits that the result compares in. */
static void back_in_the_least_width(void **state) {
  (void)state;
  small r;
  small_init(&r, 1, 32);
  tp_terms *tt = r.tt;
  tp_term x = tp_integers_var(r.n, r.x[0]), y = tp_integers_var(r.n, r.x[1]),
          one = tp_mk_int(tt, 1);
  tp_term sum = tp_mk2(tt, TP_OP_INT_ADD, y, one),
          two_x = tp_mk2(tt, TP_OP_INT_MUL, tp_mk_int(tt, 2), x);
  const struct {
    tp_term formula;
    tp_integers_to_bits_mode how;
    uint32_t width;
  } cases[] = {{tp_mk_eq(tt, x, y), TP_BACK_EXACT, 32},
               {tp_mk_eq(tt, x, sum), TP_BACK_EXACT, 33},
               {tp_mk_eq(tt, x, sum), TP_BACK_MODULAR, 32},
               {tp_mk2(tt, TP_OP_INT_LE, x, y), TP_BACK_EXACT, 32},
               {tp_mk2(tt, TP_OP_INT_LE, two_x, sum), TP_BACK_MODULAR, 33},
               {tp_mk_eq(tt, tp_integers_mod(r.n, tp_mk2(tt, TP_OP_INT_ADD, x, y), 8), one),
                TP_BACK_EXACT, 4}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    tp_term t = tp_integers_to_bits(r.n, cases[i].formula, cases[i].how);
    assert_true(tp_term_is(t));
    assert_true(tp_width(tt, tp_arg(tt, t, 0)) <= cases[i].width);
  }
  tp_term strange = tp_mk_var(tt, "k", tp_sort_int(tt));
  assert_false(tp_term_is(tp_integers_to_bits(r.n, tp_mk_eq(tt, x, strange), TP_BACK_EXACT)));
  assert_false(tp_term_is(
      tp_integers_to_bits(r.n, tp_mk_eq(tt, tp_mk2(tt, TP_OP_INT_MUL, x, y), one), TP_BACK_EXACT)));
  small_clear(&r);
}

// ------------------------------------------------------------ wraps of real widths

/* What is left of wraps, and whether there is a model, by Z3 over the integers. */
typedef struct {
  const char *name;
  void (*facts)(tp_terms *tt, tp_term *x,
                tp_term *out);  // up to 8 facts over x[0 .. 4), 32 bits; the rest is true
  bool is_sat;
  size_t most_wraps;
} wrap_case;

static tp_term num(tp_terms *tt, int64_t v) { return tp_mk_bv_signed(tt, 32, v); }
static tp_term add(tp_terms *tt, tp_term a, tp_term b) { return tp_mk2(tt, TP_OP_BV_ADD, a, b); }
static tp_term sle(tp_terms *tt, tp_term a, tp_term b) { return tp_mk2(tt, TP_OP_BV_SLE, a, b); }
static tp_term ule(tp_terms *tt, tp_term a, tp_term b) { return tp_mk2(tt, TP_OP_BV_ULE, a, b); }
static tp_term times(tp_terms *tt, int64_t c, tp_term a) {
  return tp_mk2(tt, TP_OP_BV_MUL, num(tt, c), a);
}

/* 0 <= i, i < n, j = i + 1: no wrap, so j <= n */
static void counter(tp_terms *tt, tp_term *x, tp_term *out) {
  out[0] = sle(tt, num(tt, 0), x[0]);
  out[1] = tp_mk2(tt, TP_OP_BV_SLT, x[0], x[1]);
  out[2] = tp_mk_eq(tt, x[2], add(tt, x[0], num(tt, 1)));
  out[3] = tp_mk_not(tt, sle(tt, x[2], x[1]));
}
/* without a guard i + 1 <= i has a model */
static void counter_wraps(tp_terms *tt, tp_term *x, tp_term *out) {
  out[0] = sle(tt, add(tt, x[0], num(tt, 1)), x[0]);
}
/* a sum of bounded numbers never gets negative */
static void bounded_sum(tp_terms *tt, tp_term *x, tp_term *out) {
  for (int i = 0; i < 3; i++)
    out[2 * i] = sle(tt, num(tt, 0), x[i]), out[2 * i + 1] = sle(tt, x[i], num(tt, 1000));
  out[6] = tp_mk_eq(tt, x[3], add(tt, add(tt, x[0], x[1]), x[2]));
  out[7] = tp_mk2(tt, TP_OP_BV_SLT, x[3], num(tt, 0));
}
/* a sum of numbers that are not bounded does */
static void sum_wraps(tp_terms *tt, tp_term *x, tp_term *out) {
  for (int i = 0; i < 3; i++) out[i] = sle(tt, num(tt, 0), x[i]);
  out[3] = tp_mk2(tt, TP_OP_BV_SLT, add(tt, add(tt, x[0], x[1]), x[2]), num(tt, 0));
}
/* y = 3 x + j three times over */
static void threefold(tp_terms *tt, tp_term *x, tp_term *out) {
  tp_term y = x[0];
  for (int j = 0; j < 3; j++) y = add(tt, times(tt, 3, y), num(tt, j));
  out[0] = tp_mk_eq(tt, y, num(tt, 123456789));
}
/* twice an unsigned number, that is less than it */
static void unsigned_wraps(tp_terms *tt, tp_term *x, tp_term *out) {
  out[0] = tp_mk_not(tt, ule(tt, x[0], times(tt, 2, x[0])));
  out[1] = ule(tt, x[0], num(tt, -1));
}
static void unsigned_does_not(tp_terms *tt, tp_term *x, tp_term *out) {
  unsigned_wraps(tt, x, out);
  out[2] = ule(tt, x[0], num(tt, 1 << 30));
}
/* parity: x even, x + 2 odd */
static void parity(tp_terms *tt, tp_term *x, tp_term *out) {
  tp_term two = num(tt, 2);
  out[0] = tp_mk_eq(tt, tp_mk2(tt, TP_OP_BV_UREM, x[0], two), num(tt, 0));
  out[1] = tp_mk_eq(tt, tp_mk2(tt, TP_OP_BV_AND, add(tt, x[0], two), num(tt, 1)), num(tt, 1));
}
/* halves: x / 2 * 2 is x or x - 1, as C divides */
static void halves(tp_terms *tt, tp_term *x, tp_term *out) {
  tp_term twice = times(tt, 2, tp_mk2(tt, TP_OP_BV_SDIV, x[0], num(tt, 2)));
  out[0] = sle(tt, num(tt, 0), x[0]);
  out[1] = tp_mk_not(
      tt, tp_mk_or(tt, tp_mk_eq(tt, twice, x[0]), tp_mk_eq(tt, twice, add(tt, x[0], num(tt, -1)))));
}
static void halves_of_negatives(tp_terms *tt, tp_term *x, tp_term *out) {
  halves(tt, x, out);
  out[0] = sle(tt, x[0], num(tt, 0));
}
/* a long is no int: the sum of two ints in 64 bits */
static void wide_sum(tp_terms *tt, tp_term *x, tp_term *out) {
  tp_term a = tp_mk_sext(tt, 64, x[0]), b = tp_mk_sext(tt, 64, x[1]), s = add(tt, a, b);
  out[0] = tp_mk_not(tt, tp_mk2(tt, TP_OP_BV_SLE, s, tp_mk_bv_signed(tt, 64, (int64_t)1 << 32)));
}
/* x < 0 read as unsigned is large */
static void other_reading(tp_terms *tt, tp_term *x, tp_term *out) {
  out[0] = tp_mk2(tt, TP_OP_BV_SLT, x[0], num(tt, 0));
  out[1] = ule(tt, x[0], num(tt, 1000));
}
static void other_reading_fits(tp_terms *tt, tp_term *x, tp_term *out) {
  out[0] = sle(tt, num(tt, 0), x[0]);
  out[1] = sle(tt, x[0], x[1]);
  out[2] = ule(tt, x[0], num(tt, 1000));
}

static const wrap_case wrap_cases[] = {{"counter", counter, false, 0},
                                       {"counter wraps", counter_wraps, true, 1},
                                       {"bounded sum", bounded_sum, false, 0},
                                       {"sum wraps", sum_wraps, true, 1},
                                       {"threefold", threefold, true, 1},
                                       {"unsigned wraps", unsigned_wraps, true, 1},
                                       {"unsigned does not", unsigned_does_not, false, 0},
                                       {"parity", parity, false, 2},
                                       {"halves", halves, false, 0},
                                       {"halves of negatives", halves_of_negatives, true, 1},
                                       {"wide sum", wide_sum, false, 0},
                                       {"other reading", other_reading, false, 0},
                                       {"other reading fits", other_reading_fits, true, 0}};

static void wraps_of_real_widths(void **state) {
  (void)state;
  enum { FACTS = 8 };
  for (size_t c = 0; c < sizeof wrap_cases / sizeof *wrap_cases; c++) {
    tp_terms *tt = tp_terms_new(64);
    tp_term x[4], facts[FACTS];
    for (int i = 0; i < 4; i++) x[i] = tp_mk_var(tt, "x", tp_sort_bv(tt, 32));
    for (int i = 0; i < FACTS; i++) facts[i] = tp_mk_true(tt);
    wrap_cases[c].facts(tt, x, facts);
    tp_integers *n = tp_integers_new(tt);
    tp_integers_query q = {.facts = facts, .n_facts = FACTS};
    tp_integers_translation a = {0};
    assert_true(tp_integers_translate(n, &q, &a));
    if (a.n_wraps > wrap_cases[c].most_wraps)
      fail_msg("%s: %zu wraps", wrap_cases[c].name, a.n_wraps);
    tp_smt *s = tp_smt_new(tt, (tp_smt_options){.cpu_s = 20}),
           *bits = tp_smt_new(tt, (tp_smt_options){.cpu_s = 20});
    for (size_t i = 0; i < a.facts.n; i++) tp_smt_assert(s, a.facts.at[i]);
    for (size_t i = 0; i < a.side.n; i++) tp_smt_assert(s, a.side.at[i]);
    for (size_t i = 0; i < FACTS; i++) tp_smt_assert(bits, facts[i]);
    tp_smt_answer want = wrap_cases[c].is_sat ? TP_SMT_SAT : TP_SMT_UNSAT,
                  got = tp_smt_check(s, NULL, 0);
    if (got != want) fail_msg("%s: %d %s", wrap_cases[c].name, (int)got, tp_smt_reason(s));
    assert_int_equal(tp_smt_check(bits, NULL, 0), want);
    if (got == TP_SMT_SAT) {  // the integers' model is one of the bits
      tp_value v;
      for (int i = 0; i < 4; i++) {
        assert_true(tp_smt_value(s, tp_integers_var(n, x[i]), &v));
        tp_smt_assert(bits, tp_mk_eq(tt, x[i], tp_mk_bv(tt, 32, v.bits)));
      }
      assert_int_equal(tp_smt_check(bits, NULL, 0), TP_SMT_SAT);
    }
    tp_smt_free(s);
    tp_smt_free(bits);
    tp_integers_translation_clear(&a);
    tp_integers_free(n);
    tp_terms_free(tt);
  }
}

/* Random formulas over real widths: integers and bits agree, in one solver each with frames and
 * assumptions. */
static void back_ends_agree(void **state) {
  (void)state;
  enum { ROUNDS = 12, STEPS = 5 };
  int answers[3] = {0, 0, 0}, both = 0;
  for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
    small r;
    small_init(&r, seed, seed % 3 == 0 ? 64 : seed % 3 == 1 ? 32 : 16);
    tp_smt *bits = tp_smt_new(r.tt, (tp_smt_options){.rlimit = 400000, .cpu_s = 20});
    tp_smt *ints =
        tp_smt_new(r.tt, (tp_smt_options){.backend = "ints-exact", .rlimit = 400000, .cpu_s = 20});
    for (int step = 0; step < STEPS; step++) {
      tp_term fact = random_fact(&r), assumption = random_order(&r, 1);
      if (step == 2) tp_smt_push(bits), tp_smt_push(ints);
      if (step == 3) tp_smt_pop(bits), tp_smt_pop(ints);
      tp_smt_assert(bits, fact);
      tp_smt_assert(ints, fact);
      tp_smt_answer a = tp_smt_check(bits, &assumption, 1), b = tp_smt_check(ints, &assumption, 1);
      answers[b]++;
      if (a == TP_SMT_UNKNOWN || b == TP_SMT_UNKNOWN) continue;
      if (a != b)
        fail_msg("seed %d step %d: bits say %d, integers %d", (int)seed, step, (int)a, (int)b);
      both++;
    }
    tp_smt_free(bits);
    tp_smt_free(ints);
    small_clear(&r);
  }
  assert_true(both > ROUNDS * STEPS / 2 && answers[TP_SMT_SAT] > ROUNDS / 2 &&
              answers[TP_SMT_UNSAT] > ROUNDS / 4);
}

/* 1 <= 3 x - 3 y <= 2 has no solution without a wrap: hard for bits, a common divisor for integers.
 */
static void integers_decide_what_bits_do_not(void **state) {
  (void)state;
  static const char *const backends[] = {"z3", "ints", "ints-exact"};
  static const tp_smt_answer answers[] = {TP_SMT_UNKNOWN, TP_SMT_UNSAT, TP_SMT_UNSAT};
  for (int i = 0; i < 3; i++) {
    tp_terms *tt = tp_terms_new(64);
    tp_smt *s =
        tp_smt_new(tt, (tp_smt_options){.backend = backends[i], .rlimit = 300000, .cpu_s = 20});
    tp_term x[2], three = tp_mk_bv(tt, 64, 3);
    for (int v = 0; v < 2; v++) {
      x[v] = tp_mk_var(tt, "x", tp_sort_bv(tt, 64));
      tp_smt_assert(s, tp_mk2(tt, TP_OP_BV_ULE, x[v], tp_mk_bv(tt, 64, (uint64_t)1 << 40)));
      x[v] = tp_mk2(tt, TP_OP_BV_MUL, three, x[v]);
    }
    tp_smt_assert(s, tp_mk2(tt, TP_OP_BV_ULT, x[1], x[0]));
    tp_smt_assert(s, tp_mk2(tt, TP_OP_BV_ULT, x[0], tp_mk2(tt, TP_OP_BV_ADD, x[1], three)));
    assert_int_equal(tp_smt_check(s, NULL, 0), answers[i]);
    tp_smt_free(s);
    tp_terms_free(tt);
  }
}

static void what_is_not_linear_is_refused(void **state) {
  (void)state;
  tp_terms *tt = tp_terms_new(64);
  tp_integers *n = tp_integers_new(tt);
  tp_sort b32 = tp_sort_bv(tt, 32);
  tp_term x = tp_mk_var(tt, "x", b32), y = tp_mk_var(tt, "y", b32), z = tp_mk_var(tt, "z", b32),
          zero = tp_mk_bv(tt, 32, 0);
  tp_term array = tp_mk_var(tt, "a", tp_sort_array(tt, b32, b32)),
          huge = tp_mk_var(tt, "h", tp_sort_bv(tt, 128));
  static const tp_term_kind kinds[] = {TP_OP_BV_MUL,  TP_OP_BV_UDIV, TP_OP_BV_SDIV, TP_OP_BV_UREM,
                                       TP_OP_BV_SREM, TP_OP_BV_AND,  TP_OP_BV_OR,   TP_OP_BV_XOR,
                                       TP_OP_BV_SHL,  TP_OP_BV_LSHR, TP_OP_BV_ASHR};
  tp_integers_translation a = {0};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds + 2; i++) {
    tp_term fact = i < 11    ? tp_mk_eq(tt, tp_mk2(tt, kinds[i], x, y), z)
                   : i == 11 ? tp_mk_eq(tt, tp_mk2(tt, TP_OP_SELECT, array, x), zero)
                             : tp_mk2(tt, TP_OP_BV_ULT, huge, tp_mk_bv(tt, 128, 7));
    tp_integers_query q = {.facts = &fact, .n_facts = 1};
    assert_false(tp_integers_translate(n, &q, &a));
    assert_non_null(a.refused);
  }
  tp_term facts[] = {tp_mk_eq(tt, y, tp_mk_bv(tt, 32, 5)),
                     tp_mk_eq(tt, tp_mk2(tt, TP_OP_BV_UREM, x, tp_mk_bv(tt, 32, 5)), zero)};
  tp_integers_query q = {.facts = facts, .n_facts = 2};
  if (!tp_integers_translate(n, &q, &a))
    fail_msg("%s", a.refused);  // and a refusal leaves nothing behind
  assert_null(a.refused);
  tp_integers_translation_clear(&a);
  tp_integers_free(n);
  tp_terms_free(tt);
}

/* Bounds that a caller knows justify dropping a wrap without being asserted. */
static void bounds_of_the_caller(void **state) {
  (void)state;
  small r;
  small_init(&r, 1, 8);
  tp_terms *tt = r.tt;
  tp_term next = tp_mk2(tt, TP_OP_BV_ADD, r.x[0], tp_mk_bv(tt, 8, 1)),
          facts[] = {tp_mk_eq(tt, r.x[1], next)};
  tp_integers_bound bound = {r.x[0], {3, 10}};
  tp_integers_query q = {.facts = facts, .n_facts = 1, .range = TP_RANGE_TYPE};
  tp_integers_translation a = {0};
  assert_true(tp_integers_translate(r.n, &q, &a));
  assert_int_equal(a.n_wraps, 1);
  q.bounds = &bound;
  q.n_bounds = 1;
  assert_true(tp_integers_translate(r.n, &q, &a));
  assert_int_equal(a.n_wraps, 0);
  tp_span s = tp_integers_span(r.n, r.x[1]);
  assert_true(s.lo == 4 && s.hi == 11);
  tp_term fact = tp_integers_span_fact(r.n, bound);
  do {
    bool inside = eval(&r, fact).bits;
    assert_int_equal(inside, r.value[0] >= 3 && r.value[0] <= 10);
    if (inside)
      assert_int_equal(eval(&r, facts[0]).bits,
                       all_hold(&r, a.facts.at, 1) && all_hold(&r, a.side.at, a.side.n));
  } while (r.value[2] == 0 && next_assignment(&r));
  tp_integers_translation_clear(&a);
  small_clear(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(models_are_the_same),
                                     cmocka_unit_test(back_means_the_same),
                                     cmocka_unit_test(back_in_the_least_width),
                                     cmocka_unit_test(wraps_of_real_widths),
                                     cmocka_unit_test(back_ends_agree),
                                     cmocka_unit_test(integers_decide_what_bits_do_not),
                                     cmocka_unit_test(what_is_not_linear_is_refused),
                                     cmocka_unit_test(bounds_of_the_caller)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
