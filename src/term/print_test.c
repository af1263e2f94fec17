/* Printing for people. That compilable C and SMT-LIB mean what tp_eval says is shown on random
 * terms in random_test.c. */
#include "term/term.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static tp_terms *tt;
static tp_term x, y, u, c8, b1, b2, b3, p, q, f, mem;

static int setup(void **state) {
  (void)state;
  tt = tp_terms_new(64);
  tp_sort i32 = tp_sort_bv(tt, 32), b = tp_sort_bool(tt);
  x = tp_mk_var(tt, "x", i32), y = tp_mk_var(tt, "y", i32), u = tp_mk_var(tt, "u", i32);
  c8 = tp_mk_var(tt, "c", tp_sort_bv(tt, 8));
  b1 = tp_mk_var(tt, "a", b), b2 = tp_mk_var(tt, "b", b), b3 = tp_mk_var(tt, "d", b);
  p = tp_mk_var(tt, "p", tp_sort_ptr(tt)), q = tp_mk_var(tt, "q", tp_sort_ptr(tt));
  f = tp_mk_var(tt, "f", tp_sort_fp(tt, 64));
  mem = tp_mk_var(tt, "m", tp_sort_array(tt, tp_sort_bv(tt, 64), i32));
  tp_var_set_unsigned(tt, u);
  return 0;
}
static int teardown(void **state) {
  (void)state;
  tp_terms_free(tt);
  return 0;
}

static void expect(tp_term t, const char *text) {
  tp_str s = {0};
  tp_print_c(tt, t, TP_C_READABLE, &s);
  assert_string_equal(tp_str_text(&s), text);
  tp_str_clear(&s);
}

#define BV(v) tp_mk_bv_signed(tt, 32, v)
#define OP(k, a, b) tp_mk2(tt, TP_OP_##k, a, b)

static void sums_read_like_c(void **state) {
  (void)state;
  expect(OP(BV_ADD, x, BV(1)), "x + 1");
  expect(OP(BV_ADD, x, BV(-1)), "x - 1");
  expect(tp_mk_sub(tt, x, y), "x - y");
  expect(tp_mk_sub(tt, y, x), "y - x");
  expect(tp_mk_sub(tt, BV(5), x), "5 - x");
  expect(OP(BV_MUL, OP(BV_ADD, x, BV(1)), y), "y * (x + 1)");
  expect(OP(BV_ADD, OP(BV_MUL, x, BV(3)), OP(BV_MUL, y, BV(-2))), "x * 3 - y * 2");
  expect(tp_mk1(tt, TP_OP_BV_NEG, x), "-x");
  expect(BV(-7), "-7");
}

static void logic_reads_like_c(void **state) {
  (void)state;
  expect(tp_mk_not(tt, b1), "!a");
  expect(tp_mk_and(tt, b1, b2), "a && b");
  expect(tp_mk_or(tt, tp_mk_and(tt, b1, b2), b3), "d || (a && b)");
  expect(tp_mk_not(tt, tp_mk_and(tt, b1, b2)), "!(a && b)");
  expect(tp_mk_eq(tt, x, BV(-1)), "x == -1");
  expect(tp_mk_not(tt, tp_mk_eq(tt, x, y)), "x != y");
  expect(tp_mk_eq(tt, p, tp_mk_null(tt)), "p == NULL");
  expect(tp_mk_bv_to_bool(tt, x), "x != 0");
  expect(tp_mk_ite(tt, b1, x, y), "a ? x : y");
}

static void orders_show_their_sign(void **state) {
  (void)state;
  expect(OP(BV_SLT, x, y), "x < y");
  expect(OP(BV_SLT, x, BV(10)), "x < 10");
  expect(OP(BV_ULT, x, y), "(unsigned)x < (unsigned)y");
  expect(OP(BV_ULT, x, BV(10)), "(unsigned)x < 10");
  expect(OP(BV_ULT, u, BV(10)), "u < 10");
  expect(OP(BV_ULT, u, BV(-2)), "u < 0xfffffffeu");
  expect(OP(BV_SLT, u, BV(10)), "(int)u < 10");
  expect(OP(BV_UDIV, u, BV(10)), "u / 10");
  expect(OP(BV_SREM, x, BV(10)), "x % 10");
}

static void bits_and_conversions(void **state) {
  (void)state;
  expect(OP(BV_AND, x, BV(255)), "x & 0xff");
  expect(tp_mk_sext(tt, 32, c8), "c");
  expect(tp_mk_zext(tt, 32, c8), "(unsigned)(unsigned char)c");
  expect(tp_mk_extract(tt, 7, 0, x), "(signed char)x");
  expect(OP(BV_SLT, OP(BV_ADD, tp_mk_sext(tt, 32, c8), BV(1)), x), "c + 1 < x");
}

static void pointers_floats_arrays(void **state) {
  (void)state;
  expect(tp_mk_ptr_add(tt, p, tp_mk_bv(tt, 64, 4)), "p + 4");
  expect(tp_mk_ptr_add(tt, p, tp_mk_bv_signed(tt, 64, -4)), "p - 4");
  expect(tp_mk_ptr_const(tt, 3, 0), "&object3");
  expect(tp_mk2(tt, TP_OP_FP_MUL, f, tp_mk_fp(tt, 64, 0x3fe0000000000000)), "f * 0.5");
  expect(tp_mk2(tt, TP_OP_FP_LT, f, tp_mk_fp(tt, 64, 0x4008000000000000)), "f < 3.0");
  expect(tp_mk2(tt, TP_OP_SELECT, mem, tp_mk_bv(tt, 64, 2)), "m[2]");
}

static void shared_subterms_are_printed_once(void **state) {
  (void)state;
  tp_term t = x;
  for (int i = 0; i < 1000; i++) t = OP(BV_XOR, OP(BV_MUL, t, t), y);
  tp_str s = {0};
  tp_print_c(tt, t, TP_C_READABLE, &s);
  assert_true(s.n < 100000);
  s.n = 0;
  tp_print_c(tt, t, TP_C_COMPILABLE, &s);
  assert_true(s.n < 200000);
  tp_str_clear(&s);
}

int main(void) {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
  const struct CMUnitTest tests[] = {
      T(sums_read_like_c),     T(logic_reads_like_c),     T(orders_show_their_sign),
      T(bits_and_conversions), T(pointers_floats_arrays), T(shared_subterms_are_printed_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
