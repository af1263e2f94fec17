/* The table, substitution and evaluation. Rewriting has its own tests (rewrite_test.c). */
#include "term/term.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static tp_terms *tt;
static tp_arena arena;

static int setup(void **state) {
  (void)state;
  tt = tp_terms_new(64);
  tp_arena_init(&arena);
  return 0;
}
static int teardown(void **state) {
  (void)state;
  tp_terms_free(tt);
  tp_arena_clear(&arena);
  return 0;
}

#define ADD(a, b) tp_mk2(tt, TP_OP_BV_ADD, a, b)
#define BV(w, v) tp_mk_bv_signed(tt, w, v)
static tp_term var(uint32_t w, const char *name) { return tp_mk_var(tt, name, tp_sort_bv(tt, w)); }
#define same(a, b) assert_int_equal((a).id, (b).id)

static void equal_terms_have_equal_ids(void **state) {
  (void)state;
  tp_term x = var(32, "x"), y = var(32, "x");
  assert_int_not_equal(x.id, y.id);  // names do not make variables
  same(ADD(x, y), ADD(x, y));
  same(ADD(x, y), ADD(y, x));
  assert_int_equal(tp_var_index(tt, y), 1);
  assert_string_equal(tp_var_name(tt, y), "x");
  same(BV(8, -1), BV(8, 255));
  assert_int_not_equal(BV(8, 1).id, BV(16, 1).id);
  tp_u128 big = (tp_u128)0x123456789abcdef0u << 64 | 7;
  assert_true(tp_bv_value(tt, tp_mk_bv(tt, 128, big)) == big);
}

static void sums_have_a_normal_form(void **state) {
  (void)state;
  tp_term x = var(32, "x"), y = var(32, "y");
  same(ADD(ADD(x, BV(32, 1)), BV(32, -1)), x);
  same(tp_mk_sub(tt, ADD(x, BV(32, 3)), ADD(x, BV(32, 1))), BV(32, 2));
  same(tp_mk_eq(tt, ADD(x, BV(32, 1)), ADD(x, BV(32, 2))), tp_mk_false(tt));
  same(tp_mk_eq(tt, ADD(x, BV(32, 3)), BV(32, 7)), tp_mk_eq(tt, x, BV(32, 4)));
  same(tp_mk_eq(tt, ADD(x, BV(32, 1)), ADD(y, BV(32, 2))), tp_mk_eq(tt, ADD(y, BV(32, 1)), x));
}

static void paths_that_join_give_the_guard_back(void **state) {
  (void)state;
  tp_term b[4];
  for (int i = 0; i < 4; i++) b[i] = tp_mk_var(tt, "b", tp_sort_bool(tt));
  tp_term g = tp_mk_and(tt, b[0], b[1]);
  tp_term then = tp_mk_and(tt, g, b[2]), other = tp_mk_and(tt, g, tp_mk_not(tt, b[2]));
  same(tp_mk_or(tt, then, other), g);
  tp_term t1 = tp_mk_and(tt, then, b[3]), t2 = tp_mk_and(tt, then, tp_mk_not(tt, b[3]));
  same(tp_mk_or(tt, tp_mk_or(tt, t1, t2), other), g);
  same(tp_mk_or(tt, t1, tp_mk_or(tt, other, t2)), g);
  same(tp_mk_and(tt, b[0], tp_mk_or(tt, tp_mk_not(tt, b[0]), b[1])), g);
}

static tp_term plus_one(void *ctx, tp_term v) {
  tp_term *x = ctx;
  return tp_term_eq(v, *x) ? ADD(v, BV(32, 1)) : TP_TERM_NONE;
}

static void substitution_is_simultaneous(void **state) {
  (void)state;
  tp_term x = var(32, "x"), y = var(32, "y");
  tp_term t = tp_mk2(tt, TP_OP_BV_MUL, x, ADD(x, y));
  tp_term x1 = ADD(x, BV(32, 1));
  same(tp_subst(tt, t, plus_one, &x, NULL), tp_mk2(tt, TP_OP_BV_MUL, x1, ADD(x1, y)));
  tp_map memo = {0};
  same(tp_subst(tt, t, plus_one, &x, &memo), tp_mk2(tt, TP_OP_BV_MUL, x1, ADD(x1, y)));
  assert_true(tp_map_has(&memo, t.id));
  tp_map_clear(&memo);
  same(tp_subst(tt, y, plus_one, &x, NULL), y);
}

static bool value_of(void *ctx, tp_term v, tp_value *out) {
  const uint64_t *values = ctx;
  if (values[tp_var_index(tt, v)] == UINT64_MAX) return false;
  *out = (tp_value){.bits = values[tp_var_index(tt, v)]};
  return true;
}
static uint64_t base_of(void *ctx, uint32_t object) {
  (void)ctx;
  return object * UINT64_C(0x10000);
}
static uint64_t eval(tp_term t, uint64_t *values) {
  tp_env env = {values, value_of, base_of, NULL};
  tp_value v;
  assert_int_equal(tp_eval(tt, t, &env, &arena, &v), TP_OK);
  return (uint64_t)v.bits;
}

static void evaluation_is_lazy(void **state) {
  (void)state;
  tp_term c = tp_mk_var(tt, "c", tp_sort_bool(tt)), x = var(32, "x"), y = var(32, "y");
  uint64_t values[] = {1, 5, UINT64_MAX};
  assert_int_equal(eval(tp_mk_ite(tt, c, x, y), values), 5);
  tp_env env = {values, value_of, base_of, NULL};
  tp_value v;
  assert_int_equal(tp_eval(tt, y, &env, &arena, &v), TP_ERR_ARG);
}

static void deep_terms_do_not_exhaust_the_stack(void **state) {
  (void)state;
  enum { DEEP = 500000 };  // two nodes each
  tp_term x = var(32, "x"), t = x;
  for (int i = 0; i < DEEP; i++) t = tp_mk2(tt, TP_OP_BV_XOR, tp_mk2(tt, TP_OP_BV_MUL, t, t), x);
  uint64_t values[] = {3};
  uint32_t expect = 3;
  for (int i = 0; i < DEEP; i++) expect = (expect * expect) ^ 3;
  assert_int_equal(eval(t, values), expect);
  tp_term u = tp_subst(tt, t, plus_one, &x, NULL);
  expect = 4;
  for (int i = 0; i < DEEP; i++) expect = (expect * expect) ^ 4;
  assert_int_equal(eval(u, values), expect);
  assert_true(tp_dag_size(tt, t) >= DEEP);
}

static void provenance_leads_back_to_the_object(void **state) {
  (void)state;
  tp_term p = tp_mk_ptr_const(tt, 3, 8), x = var(64, "x");
  tp_term i = tp_mk1(tt, TP_OP_PTR_TO_INT, p);
  same(tp_mk1(tt, TP_OP_INT_TO_PTR, ADD(i, x)), tp_mk_ptr_add(tt, p, x));
  same(tp_mk_sub(tt, tp_mk1(tt, TP_OP_PTR_TO_INT, tp_mk_ptr_add(tt, p, x)), i), x);
  uint64_t values[] = {4};
  assert_int_equal(eval(ADD(i, x), values), 0x3000c);
  tp_terms_set_rewriting(tt, false);
  tp_term back = tp_mk1(tt, TP_OP_PTR_OFF, tp_mk1(tt, TP_OP_INT_TO_PTR, ADD(i, x)));
  assert_int_equal(eval(back, values), 12);
}

/* An address with a tag in it belongs to the object that it was made from; where another number may
 * replace more than low bits, it is nobody's. */
static void tags_keep_the_object(void **state) {
  (void)state;
  tp_term p = tp_mk_ptr_const(tt, 3, 8), x = var(64, "x"), i = tp_mk1(tt, TP_OP_PTR_TO_INT, p);
  const struct {
    tp_term_kind k;
    tp_term with;
    bool keeps;
  } cases[] = {{TP_OP_BV_OR, BV(64, 1), true},
               {TP_OP_BV_XOR, BV(64, 4095), true},
               {TP_OP_BV_AND, BV(64, -8), true},
               {TP_OP_BV_OR, BV(64, 4096), false},
               {TP_OP_BV_XOR, BV(64, 4096), false},
               {TP_OP_BV_AND, BV(64, 7), false},
               {TP_OP_BV_OR, tp_mk_zext(tt, 64, var(8, "byte")), true},
               {TP_OP_BV_OR, tp_mk_zext(tt, 64, var(16, "half")), false},
               {TP_OP_BV_OR, x, false},
               {TP_OP_BV_XOR, x, false},
               {TP_OP_BV_AND, x, false}};
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
    tp_term tagged = tp_mk2(tt, cases[n].k, i, cases[n].with),
            back = tp_mk1(tt, TP_OP_INT_TO_PTR, ADD(tagged, BV(64, 16)));
    assert_int_equal(cases[n].keeps, tp_kind(tt, back) != TP_OP_INT_TO_PTR);
    if (cases[n].keeps) same(tp_mk1(tt, TP_OP_PTR_OBJ, back), BV(TP_OBJ_BITS, 3));
  }
  uint64_t values[] = {4};
  tp_term cleared = tp_mk2(tt, TP_OP_BV_AND, tp_mk2(tt, TP_OP_BV_OR, i, BV(64, 3)), BV(64, -4));
  tp_term at = tp_mk1(tt, TP_OP_PTR_OFF, tp_mk1(tt, TP_OP_INT_TO_PTR, cleared));
  assert_int_equal(eval(at, values), 8);
  tp_terms_set_rewriting(tt, false);
  at = tp_mk1(tt, TP_OP_PTR_OFF, tp_mk1(tt, TP_OP_INT_TO_PTR, cleared));
  assert_int_equal(eval(at, values), 8);
}

static void arrays_read_over_write(void **state) {
  (void)state;
  tp_sort s = tp_sort_array(tt, tp_sort_bv(tt, 64), tp_sort_bv(tt, 8));
  tp_term a = tp_mk_var(tt, "a", s), i = var(64, "i"), v = var(8, "v"), w = var(8, "w");
  tp_term i1 = ADD(i, BV(64, 1));
  tp_term b = tp_mk3(tt, TP_OP_STORE, tp_mk3(tt, TP_OP_STORE, a, i, v), i1, w);
  same(tp_mk2(tt, TP_OP_SELECT, b, i), v);
  same(tp_mk2(tt, TP_OP_SELECT, b, i1), w);
  same(tp_mk3(tt, TP_OP_STORE, b, i, v),
       tp_mk3(tt, TP_OP_STORE, tp_mk3(tt, TP_OP_STORE, a, i1, w), i, v));
  tp_terms_set_rewriting(tt, false);
  tp_term k = tp_mk_const_array(tt, s, BV(8, 9));
  tp_term t = tp_mk2(tt, TP_OP_SELECT, tp_mk3(tt, TP_OP_STORE, k, i, v), i1);
  uint64_t values[] = {0, 7, 1, 2};
  assert_int_equal(eval(t, values), 9);
}

/* What a row says about its kind: orders, comparisons of bit-vectors, connectives of Bools. */
static void kinds_are_classified(void **state) {
  (void)state;
  tp_terms_set_rewriting(tt, false);
  tp_sort boolean = tp_sort_bool(tt);
  tp_term x = var(8, "x"), y = var(8, "y"), a = tp_mk_var(tt, "a", boolean),
          b = tp_mk_var(tt, "b", boolean);
  const struct {
    tp_term t;
    bool is_comparison, is_connective, is_order, is_signed, is_strict;
  } rows[] = {{tp_mk2(tt, TP_OP_BV_ULT, x, y), true, false, true, false, true},
              {tp_mk2(tt, TP_OP_BV_ULE, x, y), true, false, true, false, false},
              {tp_mk2(tt, TP_OP_BV_SLT, x, y), true, false, true, true, true},
              {tp_mk2(tt, TP_OP_BV_SLE, x, y), true, false, true, true, false},
              {tp_mk_eq(tt, x, y), true, false, false, false, false},
              {tp_mk_eq(tt, a, b), false, true, false, false, false},
              {tp_mk_ite(tt, a, b, a), false, true, false, false, false},
              {tp_mk_ite(tt, a, x, y), false, false, false, false, false},
              {tp_mk_xor(tt, a, b), false, true, false, false, false},
              {tp_mk_not(tt, a), false, true, false, false, false},
              {ADD(x, y), false, false, false, false, false},
              {a, false, false, false, false, false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const tp_order o = tp_kind_order(tp_kind(tt, rows[i].t));
    assert_int_equal(tp_is_bv_comparison(tt, rows[i].t), rows[i].is_comparison);
    assert_int_equal(tp_is_connective(tt, rows[i].t), rows[i].is_connective);
    assert_int_equal(o.is_order, rows[i].is_order);
    assert_int_equal(o.is_signed, rows[i].is_signed);
    assert_int_equal(o.is_strict, rows[i].is_strict);
  }
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
  const struct CMUnitTest tests[] = {
      T(equal_terms_have_equal_ids),
      T(sums_have_a_normal_form),
      T(paths_that_join_give_the_guard_back),
      T(substitution_is_simultaneous),
      T(evaluation_is_lazy),
      T(deep_terms_do_not_exhaust_the_stack),
      T(provenance_leads_back_to_the_object),
      T(tags_keep_the_object),
      T(arrays_read_over_write),
      T(kinds_are_classified),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
