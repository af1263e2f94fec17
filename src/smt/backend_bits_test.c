/* Back end "bits" against Z3: random stacks of facts, used incrementally, each answer against a
 * fresh Z3, each core asked about again in a fresh solver of either kind. TP_SOAK=1: the large
 * volume. And: a wrong gate is noticed. */
#include "circuit/gates.h"
#include "smt/smt.h"
#include "term/random_terms.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static bool soak(void) { return getenv("TP_SOAK") != NULL; }

enum { MAX_FACTS = 12, MAX_LEVELS = 6, MAX_ASSUMPTIONS = 5, CONFLICTS_RLIMIT = 2000000 };

typedef struct {
  tp_random r;
  tp_term fact[MAX_FACTS + MAX_ASSUMPTIONS];
  size_t n, level[MAX_LEVELS], n_levels;
  tp_smt *bits;
  int sat, unsat, unknown, wrong;  // answers; wrong: Z3 says otherwise, or a model or core is none
} duel;

static uint64_t below(duel *d, uint64_t n) { return tp_rng_below(&d->r.rng, n); }

static tp_term term_of(duel *d, tp_sort s, uint32_t n_steps) {
  for (int tries = 0; tries < 40; tries++) {
    tp_term raw, normal;
    tp_random_term(&d->r, n_steps, &raw, &normal);
    if (tp_sort_eq(tp_sort_of(d->r.tt, normal), s)) return below(d, 3) ? normal : raw;
  }
  return tp_mk_var(d->r.tt, "x", s);
}

/* A condition; or something that may become a definition; or an equality of arrays. */
static tp_term condition(duel *d) {
  tp_terms *tt = d->r.tt;
  tp_sort s = tp_sort_bv(tt, d->r.width);
  switch (below(d, 6)) {
    case 0:
      return tp_mk_eq(tt, below(d, 2) ? tp_mk_var(tt, "def", s) : term_of(d, s, 1),
                      term_of(d, s, 6));
    case 1:
      return tp_mk_eq(tt, tp_mk2(tt, TP_OP_BV_ADD, tp_mk_var(tt, "sum", s), term_of(d, s, 3)),
                      term_of(d, s, 4));
    case 2:
      if (d->r.sorts & TP_RANDOM_ARRAYS && d->r.width >= 24) {
        tp_sort as = tp_sort_array(tt, s, s);
        tp_term a = below(d, 2) ? tp_mk_var(tt, "array", as) : term_of(d, as, 3),
                b = term_of(d, as, 5);
        tp_term written = tp_mk3(tt, TP_OP_STORE, b, term_of(d, s, 2), term_of(d, s, 2));
        tp_term equal = tp_mk_eq(tt, a, written);
        return below(d, 4) ? equal : tp_mk_not(tt, equal);
      }
      break;
    default: break;
  }
  tp_term t = term_of(d, tp_sort_bool(tt), 8);
  return below(d, 2) ? t : tp_mk_not(tt, t);
}

static tp_smt_answer fresh(duel *d, const char *backend, const tp_term *t, size_t n) {
  tp_smt *s =
      tp_smt_new(d->r.tt, (tp_smt_options){.backend = backend, .rlimit = 10 * CONFLICTS_RLIMIT});
  for (size_t i = 0; i < n; i++) tp_smt_assert(s, t[i]);
  tp_smt_answer a = tp_smt_check(s, NULL, 0);
  tp_smt_free(s);
  return a;
}

static void check(duel *d) {
  tp_term *assumption = d->fact + d->n, core[MAX_ASSUMPTIONS];
  size_t n = below(d, MAX_ASSUMPTIONS + 1);
  for (size_t i = 0; i < n; i++) assumption[i] = condition(d);
  tp_smt_answer a = tp_smt_check(d->bits, assumption, n);
  if (a == TP_SMT_UNKNOWN) {
    d->unknown++;
    return;
  }
  tp_smt_answer truth = fresh(d, "z3", d->fact, d->n + n);
  d->sat += a == TP_SMT_SAT;
  d->unsat += a == TP_SMT_UNSAT;
  d->wrong += truth != TP_SMT_UNKNOWN && truth != a;
  if (a == TP_SMT_SAT) {
    tp_value v = {0};
    for (size_t i = 0; i < d->n + n; i++)
      d->wrong += !tp_smt_value(d->bits, d->fact[i], &v) || v.bits != 1;
    return;
  }
  size_t n_core = tp_smt_core(d->bits, core);
  memcpy(assumption, core, n_core * sizeof *core);
  d->wrong += fresh(d, "z3", d->fact, d->n + n_core) == TP_SMT_SAT;
  d->wrong += fresh(d, "bits", d->fact, d->n + n_core) == TP_SMT_SAT;
}

/* One solver's life. The result adds to *sum; a wrong answer is reported with its seed, unless it
 * is wanted. */
static void live(duel *sum, uint64_t seed, uint32_t width, unsigned sorts) {
  duel d = {.n = 0};
  tp_random_init(&d.r, tp_terms_new(64), seed, width, sorts);
  d.bits = tp_smt_new(d.r.tt, (tp_smt_options){.backend = "bits", .rlimit = CONFLICTS_RLIMIT});
  for (int step = 0; step < 16; step++) {
    switch (below(&d, 5)) {
      case 0:
        if (d.n_levels == MAX_LEVELS) break;
        d.level[d.n_levels++] = d.n;
        tp_smt_push(d.bits);
        break;
      case 1:
        if (!d.n_levels) break;
        d.n = d.level[--d.n_levels];
        tp_smt_pop(d.bits);
        break;
      case 2: check(&d); break;
      default:
        if (d.n == MAX_FACTS) break;
        d.fact[d.n] = condition(&d);
        tp_smt_assert(d.bits, d.fact[d.n++]);
        if (below(&d, 3) == 0) check(&d);
        break;
    }
  }
  sum->sat += d.sat, sum->unsat += d.unsat, sum->unknown += d.unknown, sum->wrong += d.wrong;
  tp_smt_free(d.bits);
  tp_terms_free(d.r.tt);
}

static void duels(uint32_t width, unsigned sorts, uint64_t seed, int quick, int thorough) {
  duel sum = {.n = 0};
  int n = soak() ? thorough : quick;
  for (int i = 0; i < n; i++) {
    live(&sum, seed + (uint64_t)i, width, sorts);
    if (sum.wrong)
      fail_msg("width %u, seed %llu: wrong", width, (unsigned long long)(seed + (uint64_t)i));
  }
  print_message("width %u: %d sat, %d unsat, %d unknown\n", width, sum.sat, sum.unsat, sum.unknown);
  assert_true(sum.sat > n / 2 && sum.unsat > n / 2 && sum.unknown * 20 < sum.sat + sum.unsat);
}

static void duels_4(void **state) { (void)state, duels(4, TP_RANDOM_ARRAYS, 10000000, 30, 20000); }
static void duels_8(void **state) { (void)state, duels(8, TP_RANDOM_ARRAYS, 20000000, 16, 10000); }
static void duels_32(void **state) { (void)state, duels(32, TP_RANDOM_ARRAYS, 30000000, 8, 4000); }
static void duels_64(void **state) {
  (void)state, duels(64, TP_RANDOM_POINTERS, 40000000, 5, 2000);
}

/* The test of this test. A wrong gate makes wrong answers, or models that fail validation. */
static void a_wrong_gate_is_noticed(void **state) {
  (void)state;
  int noticed = 0, n = 24;
  for (int i = 0; i < n; i++) {
    duel sum = {.n = 0};
    tp_gates_inject(5 + 3 * (uint64_t)i);
    live(&sum, 10000000 + (uint64_t)i, 4, TP_RANDOM_ARRAYS);
    tp_gates_inject(0);
    noticed += sum.wrong || sum.unknown;
  }
  if (noticed * 4 < n) fail_msg("%d of %d wrong gates noticed", noticed, n);
}

/* Equal queries, equal models: nothing depends on addresses or on what else was asked in the
 * process. */
static void answers_are_reproducible(void **state) {
  (void)state;
  tp_u128 value[2][8];
  for (int turn = 0; turn < 2; turn++) {
    duel d = {.n = 0}, other = {.n = 0};
    if (turn) live(&other, 5, 8, TP_RANDOM_ARRAYS);
    tp_random_init(&d.r, tp_terms_new(64), 4711, 32, TP_RANDOM_BOOL_BV);
    tp_sort s = tp_sort_bv(d.r.tt, 32);
    tp_term x = tp_mk_var(d.r.tt, "x", s), y = tp_mk_var(d.r.tt, "y", s),
            product = tp_mk2(d.r.tt, TP_OP_BV_MUL, x, y);
    d.bits = tp_smt_new(d.r.tt, (tp_smt_options){.backend = "bits"});
    tp_smt_assert(d.bits, tp_mk2(d.r.tt, TP_OP_BV_ULT, tp_mk_bv(d.r.tt, 32, 1000), x));
    for (uint64_t i = 0; i < 8; i++) {
      tp_term is =
          tp_mk_eq(d.r.tt, tp_mk2(d.r.tt, TP_OP_BV_UREM, product, tp_mk_bv(d.r.tt, 32, 1009)),
                   tp_mk_bv(d.r.tt, 32, i));
      tp_value v;
      assert_int_equal(tp_smt_check(d.bits, &is, 1), TP_SMT_SAT);
      assert_true(tp_smt_value(d.bits, product, &v));
      value[turn][i] = v.bits;
    }
    tp_smt_free(d.bits);
    tp_terms_free(d.r.tt);
  }
  assert_memory_equal(value[0], value[1], sizeof value[0]);
}

/* Many frames that share nothing: what is popped does not pile up. */
static void garbage_is_collected(void **state) {
  (void)state;
  tp_terms *tt = tp_terms_new(64);
  tp_smt *s = tp_smt_new(tt, (tp_smt_options){.backend = "bits"});
  tp_sort bv = tp_sort_bv(tt, 64);
  size_t peak = 0, early = 0;
  for (int i = 0; i < 120; i++) {
    tp_term x = tp_mk_var(tt, "x", bv), y = tp_mk_var(tt, "y", bv),
            product = tp_mk2(tt, TP_OP_BV_MUL, x, y);
    tp_term small = tp_mk2(tt, TP_OP_BV_ULT, x, tp_mk_bv(tt, 64, 16)),
            is = tp_mk_eq(tt, product, tp_mk_bv(tt, 64, (tp_u128)(i * 6)));
    tp_smt_push(s);
    tp_smt_assert(s, small);
    tp_smt_assert(s, tp_mk2(tt, TP_OP_BV_ULT, y, tp_mk_bv(tt, 64, 1000)));
    assert_int_equal(tp_smt_check(s, &is, 1), TP_SMT_SAT);
    tp_smt_pop(s);
    if (tp_live_bytes() > peak) peak = tp_live_bytes();
    if (i == 39) early = peak;
  }
  assert_true(peak < early + early / 2);
  tp_smt_free(s);
  tp_terms_free(tt);
}

static void limits(void **state) {
  (void)state;
  tp_terms *tt = tp_terms_new(64);
  tp_sort bv = tp_sort_bv(tt, 60);
  tp_term x = tp_mk_var(tt, "x", bv), y = tp_mk_var(tt, "y", bv), one = tp_mk_bv(tt, 60, 1);
  tp_term product = tp_mk2(tt, TP_OP_BV_MUL, tp_mk_zext(tt, 120, x), tp_mk_zext(tt, 120, y));
  tp_term prime[] = {tp_mk_eq(tt, product, tp_mk_bv(tt, 120, ((tp_u128)1 << 61) - 1)),
                     tp_mk2(tt, TP_OP_BV_ULT, one, x), tp_mk2(tt, TP_OP_BV_ULT, one, y)};
  tp_smt_options options[] = {{.backend = "bits", .rlimit = 300000},
                              {.backend = "bits", .cpu_s = 0.1}};
  const char *reasons[] = {"resource limit", "CPU limit of the solver"};
  for (int i = 0; i < 2; i++) {
    tp_smt *s = tp_smt_new(tt, options[i]);
    double start = tp_cpu_s();
    assert_int_equal(tp_smt_check(s, prime, 3), TP_SMT_UNKNOWN);
    assert_string_equal(tp_smt_reason(s), reasons[i]);
    assert_true(tp_cpu_s() - start < 20);
    tp_smt_assert(s, tp_mk_eq(tt, x, one));  // usable afterwards
    assert_int_equal(tp_smt_check(s, prime, 1), TP_SMT_UNSAT);
    assert_int_equal(tp_smt_check(s, &prime[2], 1), TP_SMT_SAT);
    tp_smt_free(s);
  }
  tp_terms_free(tt);
}

/* A hundred and thirty divisions of 128 bits: refused before memory is full; "mixed" goes to Z3,
 * both can go on. */
static void too_large(void **state) {
  (void)state;
  static const char *const backends[] = {"bits", "mixed"};
  for (int k = 0; k < 2; k++) {
    tp_terms *tt = tp_terms_new(64);
    tp_sort bv = tp_sort_bv(tt, 128);
    tp_term x = tp_mk_var(tt, "x", bv), y = tp_mk_var(tt, "y", bv), t = x;
    for (int i = 0; i < 130; i++)
      t = tp_mk2(tt, TP_OP_BV_ADD, tp_mk2(tt, TP_OP_BV_UDIV, t, tp_mk2(tt, TP_OP_BV_ADD, y, t)), x);
    tp_smt *s =
        tp_smt_new(tt, (tp_smt_options){.backend = backends[k], .rlimit = 1000, .cpu_s = 2});
    tp_term large = tp_mk_eq(tt, t, y), small = tp_mk_eq(tt, x, y);
    assert_int_equal(tp_smt_check(s, &large, 1), TP_SMT_UNKNOWN);
    if (k == 0) assert_string_equal(tp_smt_reason(s), "bits: circuit too large");
    assert_int_equal(tp_smt_check(s, &small, 1), TP_SMT_SAT);
    tp_smt_free(s);
    tp_terms_free(tt);
  }
}

/* A frame with floats goes to Z3, the next one comes back. */
static void mixed_decides_per_query(void **state) {
  (void)state;
  tp_terms *tt = tp_terms_new(64);
  tp_sort bv = tp_sort_bv(tt, 32);
  tp_term x = tp_mk_var(tt, "x", bv), f = tp_mk_var(tt, "f", tp_sort_fp(tt, 32)), core[2], both[2];
  tp_term one = tp_mk_fp(tt, 32, 0x3f800000), is_five = tp_mk_eq(tt, x, tp_mk_bv(tt, 32, 5)),
          is_six = tp_mk_eq(tt, x, tp_mk_bv(tt, 32, 6));
  tp_term above = tp_mk2(tt, TP_OP_FP_LT, one, f), under = tp_mk2(tt, TP_OP_FP_LT, f, one);
  tp_value v;
  tp_smt *s = tp_smt_new(tt, (tp_smt_options){.backend = "mixed", .cpu_s = 20});
  for (int i = 0; i < 6; i++) {
    tp_smt_push(s);
    assert_int_equal(tp_smt_check(s, &is_five, 1), TP_SMT_SAT);
    assert_true(tp_smt_value(s, x, &v) && v.bits == 5);
    both[0] = is_five, both[1] = is_six;
    assert_int_equal(tp_smt_check(s, both, 2), TP_SMT_UNSAT);
    assert_int_equal(tp_smt_core(s, core), 2);
    tp_smt_assert(s, above);
    assert_int_equal(tp_smt_check(s, &is_six, 1), TP_SMT_SAT);
    assert_true(tp_smt_value(s, above, &v) && v.bits == 1);
    both[0] = under;
    assert_int_equal(tp_smt_check(s, both, 2), TP_SMT_UNSAT);
    assert_int_equal(tp_smt_core(s, core), 1);
    assert_true(tp_term_eq(core[0], under));
    tp_smt_pop(s);
  }
  tp_smt_free(s);
  tp_terms_free(tt);
}

int main(int argc, char **argv) {
  if (argc > 1) cmocka_set_test_filter(argv[1]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(duels_4),
      cmocka_unit_test(duels_8),
      cmocka_unit_test(duels_32),
      cmocka_unit_test(duels_64),
      cmocka_unit_test(a_wrong_gate_is_noticed),
      cmocka_unit_test(answers_are_reproducible),
      cmocka_unit_test(garbage_is_collected),
      cmocka_unit_test(limits),
      cmocka_unit_test(too_large),
      cmocka_unit_test(mixed_decides_per_query),
  };
  return cmocka_run_group_tests_name("bits", tests, NULL, NULL);
}
