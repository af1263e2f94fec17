/* Terms written and read back are the same terms; texts that are not terms are refused with a
 * position. */
#include "term/text.h"

#include "term/random_terms.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

// ------------------------------------------------ variables: (v INDEX)

static bool name_var(void *ctx, tp_term v, tp_str *out) {
  tp_str_printf(out, "(v %u)", tp_var_index(ctx, v));
  return true;
}
static tp_term parse_var(void *ctx, const char *text, size_t n) {
  unsigned long i = 0;
  if (n < 3 || memcmp(text, "v ", 2) != 0) return TP_TERM_NONE;
  for (size_t k = 2; k < n; k++) {
    if (text[k] < '0' || text[k] > '9' || i > 1000000) return TP_TERM_NONE;
    i = i * 10 + (unsigned long)(text[k] - '0');
  }
  return i < tp_n_vars(ctx) ? tp_var_by_index(ctx, (uint32_t)i) : TP_TERM_NONE;
}
static tp_text_vars by_index(tp_terms *tt) { return (tp_text_vars){tt, name_var, parse_var}; }

static void check_same(tp_terms *tt, tp_term t, tp_str *text) {
  tp_str why = {0};
  tp_term back = TP_TERM_NONE;
  text->n = 0;
  assert_true(tp_term_write(tt, t, by_index(tt), text));
  size_t before = tp_terms_count(tt);
  if (tp_term_read(tt, text->text, by_index(tt), &back, &why) != TP_OK)
    fail_msg("%s: %s", text->text, why.text);
  if (!tp_term_eq(back, t)) fail_msg("another term comes back: %s", text->text);
  assert_int_equal(before, tp_terms_count(tt));  // nothing new is made on the way
}

static void random_terms_come_back(void **unused) {
  (void)unused;
  static const uint32_t widths[] = {1, 8, 32, 64};
  const uint64_t n = getenv("TP_SOAK") ? 50000 : 3000;
  tp_str text = {0};
  for (uint64_t seed = 0; seed < n; seed++) {
    uint32_t w = widths[seed % 4];
    tp_terms *tt = tp_terms_new(w == 32 ? 32 : 64);
    tp_random r;
    tp_random_init(&r, tt, seed, w,
                   TP_RANDOM_FLOATS | TP_RANDOM_ARRAYS | (w >= 32 ? TP_RANDOM_POINTERS : 0));
    tp_term raw, normal;
    tp_random_term(&r, 3 + (uint32_t)(seed % 60), &raw, &normal);
    check_same(tt, raw, &text);
    check_same(tt, normal, &text);
    tp_terms_free(tt);
  }
  tp_str_clear(&text);
}

/* In another table the text means the same: the values agree. */
typedef struct {
  const tp_terms *tt;
  tp_value values[64];
} world;
static bool value_of(void *ctx, tp_term v, tp_value *out) {
  const world *w = ctx;
  *out = w->values[tp_var_index(w->tt, v)];
  return true;
}
static uint64_t base_of(void *ctx, uint32_t object) {
  return (void)ctx, object * UINT64_C(0x10010);
}

static void another_table_reads_the_same_meaning(void **unused) {
  (void)unused;
  tp_str text = {0}, why = {0};
  for (uint64_t seed = 0; seed < 400; seed++) {
    tp_terms *a = tp_terms_new(64), *b = tp_terms_new(64);
    tp_arena arena = {0};
    tp_random r;
    tp_term raw, normal, back;
    tp_random_init(&r, a, seed, 8, TP_RANDOM_FLOATS | TP_RANDOM_ARRAYS);
    tp_random_term(&r, 40, &raw, &normal);
    for (uint32_t i = (uint32_t)tp_n_vars(a); i-- > 0;) tp_mk_bv(b, 1 + i % 64, i);  // other ids
    for (uint32_t i = 0; i < tp_n_vars(a); i++) {
      tp_str sort = {0};
      tp_sort s;
      tp_sort_write(a, tp_sort_of(a, tp_var_by_index(a, i)), &sort);
      assert_int_equal(tp_sort_read(b, sort.text, sort.n, &s), sort.n);
      tp_mk_var(b, "x", s);
      tp_str_clear(&sort);
    }
    text.n = 0;
    assert_true(tp_term_write(a, raw, by_index(a), &text));
    assert_int_equal(tp_term_read(b, text.text, by_index(b), &back, &why), TP_OK);
    for (int k = 0; k < 5; k++) {
      world wa = {.tt = a}, wb = {.tt = b};
      tp_value va, vb;
      for (uint32_t i = 0; i < tp_n_vars(a); i++)
        wb.values[i] = wa.values[i] =
            tp_random_value(&r, tp_sort_of(a, tp_var_by_index(a, i)), &arena);
      tp_env ea = {&wa, value_of, base_of, NULL}, eb = {&wb, value_of, base_of, NULL};
      assert_int_equal(tp_eval(a, raw, &ea, &arena, &va), TP_OK);
      assert_int_equal(tp_eval(b, back, &eb, &arena, &vb), TP_OK);
      if (!tp_value_eq(a, tp_sort_of(a, raw), va, vb))
        fail_msg("seed %llu: another value: %s", (unsigned long long)seed, text.text);
    }
    tp_arena_clear(&arena);
    tp_terms_free(a);
    tp_terms_free(b);
  }
  tp_str_clear(&text);
  tp_str_clear(&why);
}

static void all_constants_and_binders_come_back(void **unused) {
  (void)unused;
  tp_terms *tt = tp_terms_new(64);
  tp_sort bv32 = tp_sort_bv(tt, 32),
          deep = tp_sort_array(tt, tp_sort_ptr(tt), tp_sort_array(tt, bv32, tp_sort_fp(tt, 32)));
  tp_term x = tp_mk_var(tt, "x", bv32), i = tp_mk_var(tt, "i", tp_sort_int(tt)),
          b = tp_mk_bound(tt, 63, bv32);
  tp_term less = tp_mk2(tt, TP_OP_BV_ULT, b, x),
          y = tp_mk_var(tt, "y", tp_sort_array(tt, bv32, tp_sort_fp(tt, 32)));
  tp_term all[] = {
      tp_mk_true(tt),
      tp_mk_false(tt),
      x,
      y,
      tp_mk_bv(tt, 128, ~(tp_u128)0),
      tp_mk_bv(tt, 128, (tp_u128)1 << 127),
      tp_mk_bv(tt, 1, 1),
      tp_mk_bv(tt, 77, 0),
      tp_mk_fp(tt, 32, 0x7fc00001),
      tp_mk_fp(tt, 64, 0x8000000000000000),
      tp_mk_fp(tt, 64, UINT64_MAX),
      tp_mk_null(tt),
      tp_mk_ptr_const(tt, UINT32_MAX, UINT64_MAX),
      tp_mk_int(tt, INT64_MIN),
      tp_mk_int(tt, INT64_MAX),
      tp_mk_int(tt, -1),
      tp_mk2(tt, TP_OP_INT_ADD, i, tp_mk_int(tt, 3)),
      tp_mk1(tt, TP_OP_INT_OF_SBV, x),
      tp_mk_const_array(tt, deep, y),
      tp_mk_quantifier(tt, TP_OP_FORALL, 63, less),
      tp_mk_and(tt, tp_mk_quantifier(tt, TP_OP_EXISTS, 63, less),
                tp_mk_not(tt, tp_mk_quantifier(tt, TP_OP_FORALL, 63, less))),
      tp_mk_quantifier(tt, TP_OP_FORALL, 5,
                       tp_mk2(tt, TP_OP_BV_ULE, x, tp_mk_bv(tt, 32, 9))),  // 5 does not occur
  };
  tp_str text = {0};
  for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) check_same(tt, all[k], &text);
  text.n = 0;
  assert_false(tp_term_write(tt, less, by_index(tt), &text));  // open
  assert_int_equal(text.n, 0);
  tp_str_clear(&text);
  tp_terms_free(tt);
}

static void long_chains_and_dags_stay_linear(void **unused) {
  (void)unused;
  enum { N = 100000 };
  tp_terms *tt = tp_terms_new(64);
  tp_term x = tp_mk_var(tt, "x", tp_sort_bv(tt, 32)), y = tp_mk_var(tt, "y", tp_sort_bv(tt, 32));
  tp_str text = {0};
  tp_term chain = x, dag = x;
  for (int i = 0; i < N; i++) chain = tp_mk2(tt, i % 2 ? TP_OP_BV_XOR : TP_OP_BV_UDIV, chain, y);
  check_same(tt, chain, &text);
  for (int i = 0; i < N; i++)
    dag = tp_mk2(tt, TP_OP_BV_UDIV, tp_mk2(tt, TP_OP_BV_UREM, dag, y), dag);
  check_same(tt, dag, &text);
  assert_true(text.n < 80 * N);
  tp_str_clear(&text);
  tp_terms_free(tt);
}

// ------------------------------------------------------------------ what is refused

static void wrong_texts_have_a_position(void **unused) {
  (void)unused;
  static const struct {
    const char *text, *why;
  } rows[] = {
      {"", "position 1: a term expected"},
      {"(", "position 2: neither a kind"},
      {"TRUE TRUE", "position 6: the text should end"},
      {"TRUES", "a term expected"},
      {"(BV_ADD (v 0)", "a term expected"},
      {"(BV_ADD (v 0) (v 1) (v 2))", "position 21: ')' expected"},
      {"(BV_ADD (v 0) (bv 8 3))", "position 1: arguments of these sorts"},
      {"(AND TRUE (BV_NOT TRUE))", "position 11: arguments of these sorts"},
      {"(bv 0 0)", "a width expected"},
      {"(bv 129 0)", "a width expected"},
      {"(bv 8 256)", "a value of this width"},
      {"(bv 1 9)", "a value of this width"},
      {"(bv 128 340282366920938463463374607431768211456)", "a value of this width"},
      {"(fp 16 0)", "a width expected"},
      {"(fp 32 4294967296)", "a value of this width"},
      {"(ptr 4294967296 0)", "an object's number"},
      {"(ptr 0 18446744073709551616)", "an offset"},
      {"(int 9223372036854775808)", "an integer"},
      {"(int --1)", "an integer"},
      {"(BV_EXTRACT 32 0 (v 0))", "arguments of these sorts"},
      {"(BV_EXTRACT 3 4 (v 0))", "arguments of these sorts"},
      {"(BV_ZEXT 8 (v 0))", "arguments of these sorts"},
      {"(BV_ZEXT 129 (v 0))", "the numbers of this kind"},
      {"(BV_CONCAT (bv 128 0) (bv 1 0))", "arguments of these sorts"},
      {"(FP_ROUND 5 (fp 32 0))", "the numbers of this kind"},
      {"(FP_OF_SBV 31 (v 0))", "the numbers of this kind"},
      {"(CONST_ARRAY bv8 (bv 8 0))", "the numbers of this kind"},
      {"(CONST_ARRAY (array bv8 bv9) (bv 8 0))", "arguments of these sorts"},
      {"(CONST_ARRAY (array bv8 (array bv8 (array bv8 (array bv8 (array bv8 (array bv8 (array bv8 "
       "(array bv8 (array bv8 bv8)))))))))",
       "the numbers of this kind"},
      {"(BV_CONST 8 3)", "a notation of its own"},
      {"(VAR 0)", "a notation of its own"},
      {"(v 7)", "position 2: neither a kind of term nor a variable"},
      {"(v (v 0))", "neither a kind of term nor a variable"},
      {"$1", "no such binding"},
      {"(let ($2 TRUE) $2)", "the next number"},
      {"(let ($1 $1) $1)", "no such binding"},
      {"(let ($1 TRUE) $1", "')' expected"},
      {"(AND TRUE (let ($1 TRUE) $1))", "neither a kind"},
      {"(bound 0 bv8)", "a bound variable is not bound"},
      {"(bound 64 bv8)", "the number of a bound"},
      {"(FORALL 64 TRUE)", "the numbers of this kind"},
      {"(FORALL 1 (bv 8 1))", "arguments of these sorts"},
      {"(AND (FORALL 1 (EQ (bound 1 bv8) (v 3))) (FORALL 1 (EQ (bound 1 bv32) (v 0))))",
       "two sorts"},
      {"(FORALL 1 (EQ (bound 2 bv32) (v 0)))", "not bound"},
      {"(NOT\tTRUE)", "a term expected"},
  };
  tp_terms *tt = tp_terms_new(64);
  for (int i = 0; i < 3; i++) tp_mk_var(tt, "x", tp_sort_bv(tt, 32));
  tp_mk_var(tt, "c", tp_sort_bv(tt, 8));
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    tp_str why = {0};
    tp_term t = TP_TERM_NONE;
    tp_status st = tp_term_read(tt, rows[i].text, by_index(tt), &t, &why);
    if (st != TP_ERR_INPUT || tp_term_is(t) || strncmp(tp_str_text(&why), "position ", 9) != 0 ||
        !strstr(why.text, rows[i].why))
      fail_msg("%s: %s", rows[i].text, st == TP_OK ? "taken" : tp_str_text(&why));
    tp_str_clear(&why);
  }
  tp_str deep = {0}, why = {0};
  tp_term t;
  for (int i = 0; i < (1 << 20) + 1; i++) tp_str_add(&deep, "(NOT ");
  assert_int_equal(tp_term_read(tt, deep.text, by_index(tt), &t, &why), TP_ERR_INPUT);
  assert_non_null(strstr(why.text, "too deep"));
  tp_str_clear(&deep);
  tp_str_clear(&why);
  tp_terms_free(tt);
}

static void cut(tp_rng *rng, tp_str *text) {
  size_t at = tp_rng_below(rng, text->n + 1), n = tp_rng_below(rng, text->n - at + 1);
  memmove(text->text + at, text->text + at + n, text->n - at - n + 1);
  text->n -= n;
}

static void damage(tp_rng *rng, tp_str *text) {
  static const char *const pieces[] = {"(",
                                       ")",
                                       " ",
                                       "$1",
                                       "$",
                                       "-1",
                                       "128",
                                       "129",
                                       "64",
                                       "0",
                                       "(bv 32 5)",
                                       "BV_ADD",
                                       "ITE",
                                       "FP_OF_FP",
                                       "SELECT",
                                       "STORE",
                                       "ptr",
                                       "(fp 64 1)",
                                       "(let ($1 TRUE) ",
                                       "CONST_ARRAY (array bv8 bv8)",
                                       "FORALL 1",
                                       "(bound 1 bv32)",
                                       "BV_EXTRACT 7 0",
                                       "(v 1)",
                                       "(v 999999)",
                                       "(int 3)",
                                       "18446744073709551616",
                                       "\xff"};
  for (uint64_t k = 1 + tp_rng_below(rng, 4); k-- > 0 && text->n;) {
    size_t at = tp_rng_below(rng, text->n);
    const char *piece = pieces[tp_rng_below(rng, sizeof pieces / sizeof pieces[0])];
    switch (tp_rng_below(rng, 4)) {
      case 0: text->text[at] = (char)(1 + tp_rng_below(rng, 255)); break;
      case 1: text->text[at] = " ()$0123456789BFPTx_"[tp_rng_below(rng, 20)]; break;
      case 2: cut(rng, text); break;
      default: {
        tp_str changed = {0};
        tp_str_add_n(&changed, text->text, at);
        tp_str_add(&changed, piece);
        tp_str_add(&changed, text->text + at);
        tp_str_clear(text);
        *text = changed;
      }
    }
  }
}

/* Whatever is read is well-sorted: it can be written and read again. */
static void damaged_texts_never_abort(void **unused) {
  (void)unused;
  const uint64_t n = getenv("TP_SOAK") ? 200000 : 8000;
  uint64_t taken = 0, refused = 0;
  for (uint64_t seed = 0; seed < n; seed++) {
    tp_terms *tt = tp_terms_new(64);
    tp_random r;
    tp_term raw, normal, back;
    tp_str text = {0}, why = {0}, again = {0};
    tp_random_init(&r, tt, seed, 32, TP_RANDOM_FLOATS | TP_RANDOM_ARRAYS | TP_RANDOM_POINTERS);
    tp_random_term(&r, 6 + (uint32_t)(seed % 20), &raw, &normal);
    assert_true(tp_term_write(tt, seed % 2 ? raw : normal, by_index(tt), &text));
    damage(&r.rng, &text);
    if (tp_term_read(tt, tp_str_text(&text), by_index(tt), &back, &why) == TP_OK) {
      taken++;
      assert_true(tp_term_write(tt, back, by_index(tt), &again));
    } else {
      refused++;
      assert_true(strncmp(tp_str_text(&why), "position ", 9) == 0);
    }
    tp_str_clear(&text);
    tp_str_clear(&why);
    tp_str_clear(&again);
    tp_terms_free(tt);
  }
  assert_true(taken > n / 50 && refused > n / 4);
}

static int no_bytes_are_left(void **unused) {
  (void)unused;
  assert_int_equal(tp_live_bytes(), 0);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_teardown(random_terms_come_back, no_bytes_are_left),
      cmocka_unit_test_teardown(another_table_reads_the_same_meaning, no_bytes_are_left),
      cmocka_unit_test_teardown(all_constants_and_binders_come_back, no_bytes_are_left),
      cmocka_unit_test_teardown(long_chains_and_dags_stay_linear, no_bytes_are_left),
      cmocka_unit_test_teardown(wrong_texts_have_a_position, no_bytes_are_left),
      cmocka_unit_test_teardown(damaged_texts_never_abort, no_bytes_are_left),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
