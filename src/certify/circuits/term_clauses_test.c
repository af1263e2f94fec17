/* Terms as clauses: every operator on every value of small words, and random terms of all sorts,
 * against tp_eval. A circuit that says too much would let a wrong certificate pass: then facts that
 * are true in some state would be refuted. */
#include "certify/circuits/term_clauses.h"
#include "certify/unsat/refutation.h"
#include "term/random_terms.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

// ------------------------------------------------------------------- every value

typedef TP_VEC(int8_t) assignment;  // by variable: 1, -1, 0: no value

static int value_of(const assignment *a, tp_chk_bit bit) {
  return bit < 0 ? -a->at[-bit] : a->at[bit];
}

/* Unit propagation; false: a clause is false. */
static bool propagate(const tp_chk_circuit *c, assignment *a) {
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0, first = 0; i < c->clauses.n; i++) {
      if (c->clauses.at[i]) continue;
      int n_open = 0, open = 0;
      bool is_true = false;
      for (size_t k = first; k < i; k++) {
        const int v = value_of(a, c->clauses.at[k]);
        is_true |= v > 0;
        if (v == 0) n_open++, open = c->clauses.at[k];
      }
      first = i + 1;
      if (is_true || n_open > 1) continue;
      if (n_open == 0) return false;
      a->at[abs(open)] = open > 0 ? 1 : -1;
      changed = true;
    }
  }
  return true;
}

typedef struct {
  tp_u128 value[2];
  tp_term var[2];
} pair_env;

static bool pair_value(void *ctx, tp_term var, tp_value *out) {
  const pair_env *e = ctx;
  *out = (tp_value){.bits = e->value[tp_term_eq(var, e->var[1])]};
  return true;
}

static uint64_t no_base(void *ctx, uint32_t object) {
  (void)ctx;
  return object;
}

/* The word of t, for every value of x and y, is what tp_eval says, by propagation alone: so the
 * clauses say neither too much nor too little. */
static void compare_on_all_values(tp_terms *tt, tp_term t, tp_term x, tp_term y) {
  tp_chk_term_clauses s;
  tp_chk_bit word[TP_CHK_WORD_BITS], xs[TP_CHK_WORD_BITS], ys[TP_CHK_WORD_BITS];
  tp_chk_term_clauses_init(&s, tt, 0);
  tp_chk_term_word(&s, t, word);
  tp_chk_term_word(&s, x, xs);
  tp_chk_term_word(&s, y, ys);
  assert_int_equal(s.n_opaque, 0);
  const uint32_t n = tp_width(tt, x), m = tp_width(tt, y);
  assignment a = {0};
  for (uint32_t v = 0; v < 1u << (n + m); v++) {
    pair_env e = {{v & ((1u << n) - 1), v >> n}, {x, y}};
    a.n = 0;
    tp_vec_resize(&a, (size_t)s.circuit.n_variables + 1);
    memset(a.at, 0, a.n);
    for (uint32_t i = 0; i < n; i++) a.at[xs[i]] = v >> i & 1 ? 1 : -1;
    for (uint32_t i = 0; i < m && !tp_term_eq(x, y); i++) a.at[ys[i]] = v >> (n + i) & 1 ? 1 : -1;
    if (tp_term_eq(x, y) && e.value[0] != e.value[1]) continue;
    assert_true(propagate(&s.circuit, &a));
    tp_arena arena;
    tp_arena_init(&arena);
    tp_value wanted = {0};
    const tp_env env = {.ctx = &e, .var = pair_value, .base = no_base};
    assert_int_equal(tp_eval(tt, t, &env, &arena, &wanted), TP_OK);
    for (uint32_t i = 0; i < tp_width(tt, t); i++)
      assert_int_equal(value_of(&a, word[i]), wanted.bits >> i & 1 ? 1 : -1);
    tp_arena_clear(&arena);
  }
  tp_vec_clear(&a);
  tp_chk_term_clauses_clear(&s);
}

static void every_operator_on_every_value_of_small_words(void **state) {
  (void)state;
  static const tp_term_kind of_two[] = {
      TP_OP_BV_ADD, TP_OP_BV_MUL, TP_OP_BV_UDIV, TP_OP_BV_SDIV, TP_OP_BV_UREM, TP_OP_BV_SREM,
      TP_OP_BV_AND, TP_OP_BV_OR,  TP_OP_BV_XOR,  TP_OP_BV_SHL,  TP_OP_BV_LSHR, TP_OP_BV_ASHR,
      TP_OP_BV_ULT, TP_OP_BV_ULE, TP_OP_BV_SLT,  TP_OP_BV_SLE,  TP_OP_EQ,      TP_OP_BV_CONCAT};
  for (uint32_t n = 1; n <= 4; n++) {
    tp_terms *tt = tp_terms_new(64);
    tp_terms_set_rewriting(tt, false);
    const tp_term x = tp_mk_var(tt, "x", tp_sort_bv(tt, n)),
                  y = tp_mk_var(tt, "y", tp_sort_bv(tt, n));
    for (size_t k = 0; k < sizeof of_two / sizeof *of_two; k++) {
      compare_on_all_values(tt, tp_mk2(tt, of_two[k], x, y), x, y);
      compare_on_all_values(tt, tp_mk2(tt, of_two[k], x, x), x, x);
      for (uint32_t c = 0; c < 1u << n; c++) {  // with constants gates are folded
        compare_on_all_values(tt, tp_mk2(tt, of_two[k], x, tp_mk_bv(tt, n, c)), x, y);
        compare_on_all_values(tt, tp_mk2(tt, of_two[k], tp_mk_bv(tt, n, c), y), x, y);
      }
    }
    compare_on_all_values(tt, tp_mk1(tt, TP_OP_BV_NEG, x), x, y);
    compare_on_all_values(tt, tp_mk1(tt, TP_OP_BV_NOT, x), x, y);
    compare_on_all_values(tt, tp_mk_zext(tt, n + 3, x), x, y);
    compare_on_all_values(tt, tp_mk_sext(tt, n + 3, x), x, y);
    for (uint32_t low = 0; low < n; low++)
      compare_on_all_values(tt, tp_mk_extract(tt, n - 1, low, x), x, y);
    const tp_term less = tp_mk2(tt, TP_OP_BV_ULT, x, y), same = tp_mk2(tt, TP_OP_EQ, x, y);
    compare_on_all_values(tt, tp_mk3(tt, TP_OP_ITE, less, x, y), x, y);
    compare_on_all_values(tt, tp_mk2(tt, TP_OP_AND, less, same), x, y);
    compare_on_all_values(tt, tp_mk2(tt, TP_OP_OR, less, same), x, y);
    compare_on_all_values(tt, tp_mk2(tt, TP_OP_XOR, less, same), x, y);
    compare_on_all_values(tt, tp_mk1(tt, TP_OP_NOT, less), x, y);
    tp_terms_free(tt);
  }
}

// ------------------------------------------------------------------ random terms

typedef struct {
  tp_random *r;
  tp_arena arena;
  tp_map of;  // variable -> its value
  TP_VEC(tp_value) values;
} random_env;

static bool random_var(void *ctx, tp_term var, tp_value *out) {
  random_env *e = ctx;
  uint64_t at;
  if (!tp_map_get(&e->of, var.id, &at)) {
    at = e->values.n;
    tp_map_set(&e->of, var.id, at);
    tp_vec_push(&e->values, tp_random_value(e->r, tp_sort_of(e->r->tt, var), &e->arena));
  }
  *out = e->values.at[at];
  return true;
}

static uint64_t random_base(void *ctx, uint32_t object) {
  (void)ctx;
  return 0x10000 * (uint64_t)object + 64;
}

/* "var has its value", as far as that can be written; NONE: it cannot. */
static tp_term pin(tp_terms *tt, tp_term var, tp_value v) {
  const tp_sort s = tp_sort_of(tt, var);
  if (tp_chk_sort_bits(tt, s) == 0) return TP_TERM_NONE;
  if (tp_sort_kind_of(tt, s) == TP_SORT_FP)
    return tp_mk2(tt, TP_OP_EQ, tp_mk1(tt, TP_OP_FP_TO_BITS, var),
                  tp_mk_bv(tt, tp_width(tt, var), v.bits));
  return tp_mk2(tt, TP_OP_EQ, var, tp_mk_value(tt, s, v));
}

static tp_refutation_answer refute(tp_terms *tt, const tp_term *facts, size_t n) {
  tp_chk_term_clauses s;
  tp_refutation_stats stats;
  tp_chk_term_clauses_init(&s, tt, 0);
  tp_chk_term_clauses_assert(&s, facts, n);
  const tp_refutation_answer a = tp_refute_clauses(s.circuit.clauses.at, s.circuit.clauses.n,
                                                   (tp_refutation_limits){0}, &stats, NULL);
  tp_chk_term_clauses_clear(&s);
  return a;
}

/* What is true in a state is not refuted together with that state, before or behind the facts that
 * give variables their values; its opposite is, where everything is translated. */
static void what_is_true_in_a_state_is_not_refuted(void **state) {
  (void)state;
  static const unsigned sorts[] = {
      TP_RANDOM_BOOL_BV, TP_RANDOM_BOOL_BV | TP_RANDOM_POINTERS,
      TP_RANDOM_BOOL_BV | TP_RANDOM_FLOATS,
      TP_RANDOM_BOOL_BV | TP_RANDOM_FLOATS | TP_RANDOM_POINTERS | TP_RANDOM_ARRAYS};
  int n_true = 0, n_refuted = 0;
  for (uint64_t seed = 1; seed <= 1200; seed++) {
    tp_terms *tt = tp_terms_new(seed % 2 ? 64 : 32);
    tp_random r;
    tp_term written, normal;
    tp_random_init(&r, tt, seed, (uint32_t)(1 + seed % 9), sorts[seed % 4]);
    tp_random_term(&r, 12, &written, &normal);
    for (int side = 0; side < 2; side++) {
      tp_term t = side ? normal : written;
      if (tp_sort_kind_of(tt, tp_sort_of(tt, t)) == TP_SORT_ARRAY) continue;
      random_env e = {.r = &r};
      tp_arena_init(&e.arena);
      const tp_env env = {.ctx = &e, .var = random_var, .base = random_base};
      tp_value v;
      TP_VEC(tp_term) facts = {0};
      if (tp_eval(tt, t, &env, &e.arena, &v) == TP_OK) {
        tp_terms_set_rewriting(tt, false);
        const tp_term fact = tp_sort_kind_of(tt, tp_sort_of(tt, t)) == TP_SORT_BOOL
                                 ? (v.bits ? t : tp_mk1(tt, TP_OP_NOT, t))
                                 : pin(tt, t, v);
        if (seed % 3) tp_vec_push(&facts, fact);
        for (size_t i = 0; i < e.of.n; i++) {
          const tp_term p =
              pin(tt, (tp_term){(uint32_t)e.of.entries[i].key}, e.values.at[e.of.entries[i].value]);
          if (tp_term_is(p)) tp_vec_push(&facts, p);
        }
        if (seed % 3 == 0) tp_vec_push(&facts, fact);
        assert_int_not_equal(refute(tt, facts.at, facts.n), TP_REFUTATION_PROVED);
        n_true++;
        tp_vec_push(&facts, tp_mk1(tt, TP_OP_NOT, fact));
        assert_int_equal(refute(tt, facts.at, facts.n), TP_REFUTATION_PROVED);
        facts.at[seed % 3 ? 0 : facts.n - 2] = tp_mk1(tt, TP_OP_NOT, fact);
        n_refuted += refute(tt, facts.at, facts.n) == TP_REFUTATION_PROVED;
        tp_terms_set_rewriting(tt, true);
      }
      tp_vec_clear(&facts);
      tp_map_clear(&e.of);
      tp_vec_clear(&e.values);
      tp_arena_clear(&e.arena);
    }
    tp_terms_free(tt);
  }
  assert_true(n_true > 500 && 3 * n_refuted > n_true);
}

/* Functions that are not translated are the same for the same arguments, and no more. */
static void bases_of_equal_objects_are_equal(void **state) {
  (void)state;
  tp_terms *tt = tp_terms_new(64);
  const tp_term p = tp_mk_var(tt, "p", tp_sort_ptr(tt)), q = tp_mk_var(tt, "q", tp_sort_ptr(tt)),
                i = tp_mk1(tt, TP_OP_PTR_TO_INT, p), k = tp_mk1(tt, TP_OP_PTR_TO_INT, q),
                same = tp_mk_eq(tt, tp_mk1(tt, TP_OP_PTR_OBJ, p), tp_mk1(tt, TP_OP_PTR_OBJ, q)),
                offsets = tp_mk_eq(tt, tp_mk1(tt, TP_OP_PTR_OFF, p), tp_mk1(tt, TP_OP_PTR_OFF, q)),
                differ = tp_mk_not(tt, tp_mk_eq(tt, i, k));
  assert_int_equal(refute(tt, (tp_term[]){same, offsets, differ}, 3), TP_REFUTATION_PROVED);
  assert_int_equal(refute(tt, (tp_term[]){offsets, differ}, 2), TP_REFUTATION_MODEL);
  assert_int_equal(refute(tt, (tp_term[]){same, differ}, 2), TP_REFUTATION_MODEL);
  tp_terms_free(tt);
}

/* x = y of floats does not make their bits equal: both may be NaN. */
static void an_equation_of_floats_defines_nothing(void **state) {
  (void)state;
  tp_terms *tt = tp_terms_new(64);
  const tp_term x = tp_mk_var(tt, "x", tp_sort_fp(tt, 32)),
                y = tp_mk_var(tt, "y", tp_sort_fp(tt, 32)), same = tp_mk_eq(tt, x, y),
                bits =
                    tp_mk_eq(tt, tp_mk1(tt, TP_OP_FP_TO_BITS, x), tp_mk1(tt, TP_OP_FP_TO_BITS, y)),
                nan = tp_mk1(tt, TP_OP_FP_IS_NAN, x);
  assert_int_equal(refute(tt, (tp_term[]){same, tp_mk_not(tt, bits)}, 2), TP_REFUTATION_MODEL);
  assert_int_equal(refute(tt, (tp_term[]){same, tp_mk_not(tt, bits), tp_mk_not(tt, nan)}, 3),
                   TP_REFUTATION_PROVED);
  tp_terms_free(tt);
}

/* A circuit that is full says less, never more. */
static void a_full_circuit_refutes_nothing_that_is_possible(void **state) {
  (void)state;
  tp_terms *tt = tp_terms_new(64);
  const tp_sort s = tp_sort_bv(tt, 8);
  const tp_term x = tp_mk_var(tt, "x", s), y = tp_mk_var(tt, "y", s),
                product = tp_mk_eq(tt, tp_mk2(tt, TP_OP_BV_MUL, x, y), tp_mk_bv(tt, 8, 143));
  for (uint64_t most = 1; most < 400; most += 7) {
    tp_chk_term_clauses c;
    tp_refutation_stats stats;
    tp_chk_term_clauses_init(&c, tt, most);
    tp_chk_term_clauses_assert(&c, &product, 1);
    assert_int_equal(tp_refute_clauses(c.circuit.clauses.at, c.circuit.clauses.n,
                                       (tp_refutation_limits){0}, &stats, NULL),
                     TP_REFUTATION_MODEL);
    tp_chk_term_clauses_clear(&c);
  }
  tp_terms_free(tt);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_operator_on_every_value_of_small_words),
      cmocka_unit_test(what_is_true_in_a_state_is_not_refuted),
      cmocka_unit_test(bases_of_equal_objects_are_equal),
      cmocka_unit_test(an_equation_of_floats_defines_nothing),
      cmocka_unit_test(a_full_circuit_refutes_nothing_that_is_possible),
  };
  if (argc > 1) cmocka_set_test_filter(argv[1]);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
