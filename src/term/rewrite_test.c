/* Every rule of rewrite*.c: it fires (the normalised left side is the right side), and Z3 proves
 * that the left side as written equals the normal form, at widths 1, 4, 8 and 32. Z3 is asked
 * through smt/, whose lowering applies no rule here: rewriting is off meanwhile. */
#include "term/term.h"

#include "smt/smt.h"
#include "term/random_terms.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

// ------------------------------------------------------------------------- Z3

/* 1: equal for all values, -1: not, 0: the solver gave up. The terms are lowered as they stand: no
 * rule is applied on the way. */
static int z3_equal(tp_terms *tt, tp_term a, tp_term b) {
  if (tp_term_eq(a, b)) return 1;
  tp_terms_set_rewriting(tt, false);
  tp_term differ = tp_mk_not(tt, tp_mk_eq(tt, a, b));
  tp_smt *s = tp_smt_new(tt, (tp_smt_options){.backend = "z3", .rlimit = 3000000});
  tp_smt_answer answer = tp_smt_check(s, &differ, 1);
  if (answer != TP_SMT_UNSAT) {
    tp_str text = {0};
    (void)tp_smt_print(s, &differ, 1, &text);
    print_error("%s %s: %s\n", answer == TP_SMT_SAT ? "not equal" : "undecided", tp_smt_reason(s),
                tp_str_text(&text));
    tp_str_clear(&text);
  }
  tp_smt_free(s);
  tp_terms_set_rewriting(tt, true);
  return answer == TP_SMT_UNSAT ? 1 : answer == TP_SMT_SAT ? -1 : 0;
}

// ---------------------------------------------------------------------- rules

static tp_terms *tt;
static uint32_t w;  // width under test
static tp_term x, y, z, a, b, c, d, p, q, f, h, bits, m, n, off, x8, y8, one;

static void make_variables(uint32_t width) {
  tt = tp_terms_new(64);
  w = width;
  tp_sort bv = tp_sort_bv(tt, w), boolean = tp_sort_bool(tt), array = tp_sort_array(tt, bv, bv);
  x = tp_mk_var(tt, "x", bv), y = tp_mk_var(tt, "y", bv), z = tp_mk_var(tt, "z", bv);
  a = tp_mk_var(tt, "a", boolean), b = tp_mk_var(tt, "b", boolean), c = tp_mk_var(tt, "c", boolean),
  d = tp_mk_var(tt, "d", boolean);
  p = tp_mk_var(tt, "p", tp_sort_ptr(tt)), q = tp_mk_var(tt, "q", tp_sort_ptr(tt));
  off = tp_mk_var(tt, "off", tp_sort_bv(tt, 64));
  f = tp_mk_var(tt, "f", tp_sort_fp(tt, 32)), h = tp_mk_var(tt, "h", tp_sort_fp(tt, 64)),
  bits = tp_mk_var(tt, "bits", tp_sort_bv(tt, 32));
  m = tp_mk_var(tt, "m", array), n = tp_mk_var(tt, "n", array);
  x8 = tp_mk_var(tt, "x8", tp_sort_bv(tt, 8)), y8 = tp_mk_var(tt, "y8", tp_sort_bv(tt, 8));
  one = tp_mk_bv(tt, w, 1);
}

#define C(v) tp_mk_bv_signed(tt, w, v)
#define CW(width, v) tp_mk_bv_signed(tt, width, v)
#define T1(k, s) tp_mk1(tt, TP_OP_##k, s)
#define T2(k, s, t) tp_mk2(tt, TP_OP_##k, s, t)
#define ADD(s, t) T2(BV_ADD, s, t)
#define MUL(s, t) T2(BV_MUL, s, t)
#define SUB(s, t) tp_mk_sub(tt, s, t)
#define NEG(s) T1(BV_NEG, s)
#define NOT(s) tp_mk_not(tt, s)
#define AND(s, t) tp_mk_and(tt, s, t)
#define OR(s, t) tp_mk_or(tt, s, t)
#define EQ(s, t) tp_mk_eq(tt, s, t)
#define ITE(s, t, u) tp_mk_ite(tt, s, t, u)
#define ULT(s, t) T2(BV_ULT, s, t)
#define ULE(s, t) T2(BV_ULE, s, t)
#define SLT(s, t) T2(BV_SLT, s, t)
#define SLE(s, t) T2(BV_SLE, s, t)
#define BAND(s, t) T2(BV_AND, s, t)
#define BOR(s, t) T2(BV_OR, s, t)
#define BXOR(s, t) T2(BV_XOR, s, t)
#define BNOT(s) T1(BV_NOT, s)
#define EXT(hi, lo, s) tp_mk_extract(tt, hi, lo, s)
#define CAT(s, t) T2(BV_CONCAT, s, t)
#define ZEXT(width, s) tp_mk_zext(tt, width, s)
#define SEXT(width, s) tp_mk_sext(tt, width, s)
#define SELECT(s, t) T2(SELECT, s, t)
#define STORE(s, t, u) tp_mk3(tt, TP_OP_STORE, s, t, u)
#define PADD(s, t) tp_mk_ptr_add(tt, s, t)
#define PMK(s, t) tp_mk_ptr(tt, s, t)
#define OBJ(s) T1(PTR_OBJ, s)
#define OFF(s) T1(PTR_OFF, s)
#define P2I(s) T1(PTR_TO_INT, s)
#define PC(o, v) tp_mk_ptr_const(tt, o, v)
#define CONSTANT(s) tp_mk_const_array(tt, tp_sort_of(tt, m), s)
#define TRUE_ tp_mk_true(tt)
#define FALSE_ tp_mk_false(tt)
#define MIN_ tp_mk_bv(tt, w, (tp_u128)1 << (w - 1))
#define MAX_ tp_mk_bv(tt, w, ((tp_u128)1 << (w - 1)) - 1)

/* name, least width, left side, right side */
#define RULES(R)                                                                                   \
  /* rewrite_bool.c */                                                                             \
  R(not_not, 1, NOT(NOT(a)), a)                                                                    \
  R(not_ult, 1, NOT(ULT(x, y)), ULE(y, x))                                                         \
  R(not_sle, 1, NOT(SLE(x, y)), SLT(y, x))                                                         \
  R(and_same, 1, AND(a, a), a)                                                                     \
  R(and_true, 1, AND(a, TRUE_), a)                                                                 \
  R(or_true, 1, OR(a, TRUE_), TRUE_)                                                               \
  R(and_complement, 1, AND(a, NOT(a)), FALSE_)                                                     \
  R(or_complement, 1, OR(NOT(a), a), TRUE_)                                                        \
  R(and_order_complement, 1, AND(ULT(x, y), ULE(y, x)), FALSE_)                                    \
  R(or_constant_order_complement, 8, OR(SLT(x, C(10)), SLE(C(10), x)), TRUE_)                      \
  R(and_chain_complement, 1, AND(AND(AND(a, b), c), NOT(a)), FALSE_)                               \
  R(and_chain_duplicate, 1, AND(AND(AND(a, b), c), b), AND(AND(a, b), c))                          \
  R(and_commutes, 1, AND(b, a), AND(a, b))                                                         \
  R(and_absorbs, 1, AND(a, OR(a, b)), a)                                                           \
  R(or_absorbs, 1, OR(AND(a, b), a), a)                                                            \
  R(and_resolves, 1, AND(a, OR(NOT(a), b)), AND(a, b))                                             \
  R(or_resolves, 1, OR(NOT(a), AND(a, b)), OR(NOT(a), b))                                          \
  R(and_resolves_old, 1, AND(OR(NOT(a), b), a), AND(a, b))                                         \
  R(and_two_chains, 1, AND(AND(AND(a, b), c), AND(AND(a, b), d)), AND(AND(AND(a, b), c), d))       \
  R(join_gives_guard, 1, OR(AND(c, a), AND(NOT(c), a)), a)                                         \
  R(join_gives_long_guard, 1, OR(AND(AND(a, b), c), AND(AND(a, b), NOT(c))), AND(a, b))            \
  R(join_three_ways, 1,                                                                            \
    OR(OR(AND(AND(a, b), c), AND(AND(a, NOT(b)), d)), AND(AND(a, NOT(b)), NOT(d))),                \
    AND(a, OR(c, NOT(b))))                                                                         \
  R(join_order, 1, OR(AND(a, SLT(x, y)), AND(a, SLE(y, x))), a)                                    \
  R(join_factors, 1, OR(AND(a, b), AND(a, c)), AND(a, OR(b, c)))                                   \
  R(and_point_other, 4, AND(EQ(x, C(3)), NOT(EQ(x, C(1)))), EQ(x, C(3)))                           \
  R(and_two_points, 4, AND(EQ(x, C(3)), EQ(x, C(1))), FALSE_)                                      \
  R(and_point_order, 4, AND(ULT(x, C(5)), EQ(x, C(3))), EQ(x, C(3)))                               \
  R(and_point_past, 4, AND(SLT(C(5), ADD(x, C(1))), EQ(x, C(3))), FALSE_)                          \
  R(and_orders, 4, AND(SLT(x, C(5)), SLT(x, C(3))), SLT(x, C(3)))                                  \
  R(and_orders_cross, 4, AND(SLT(x, C(3)), SLT(C(3), x)), FALSE_)                                  \
  R(and_orders_meet, 4, AND(SLE(C(4), x), SLE(x, C(4))), EQ(x, C(4)))                              \
  R(or_orders_part, 4, OR(ULT(x, C(4)), ULT(C(4), x)), NOT(EQ(x, C(4))))                           \
  R(or_order_grows, 4, OR(SLT(x, C(3)), EQ(x, C(3))), SLT(x, C(4)))                                \
  R(or_order_grows_down, 4, OR(EQ(x, C(3)), ULT(C(3), x)), ULT(C(2), x))                           \
  R(and_order_shrinks, 4, AND(SLT(x, C(4)), NOT(EQ(x, C(3)))), SLT(x, C(3)))                       \
  R(and_range_stays, 4, AND(SLT(C(-1), x), SLT(x, C(5))), AND(SLT(C(-1), x), SLT(x, C(5))))        \
  R(or_orders, 4, OR(SLT(x, C(5)), SLT(x, C(3))), SLT(x, C(5)))                                    \
  R(or_orders_cover, 4, OR(SLT(x, C(5)), SLT(C(3), x)), TRUE_)                                     \
  R(and_resolves_order, 4, AND(EQ(x, C(3)), OR(SLT(C(5), x), a)), AND(EQ(x, C(3)), a))             \
  R(and_absorbs_order, 4, AND(EQ(x, C(3)), OR(SLT(x, C(5)), a)), EQ(x, C(3)))                      \
  R(ite_decided_order, 4, ITE(EQ(x, C(3)), ITE(SLT(x, C(5)), y, z), x), ITE(EQ(x, C(3)), y, x))    \
  R(de_morgan, 1, OR(AND(a, b), OR(NOT(a), NOT(b))), TRUE_)                                        \
  R(eq_true, 1, EQ(a, TRUE_), a)                                                                   \
  R(eq_false, 1, EQ(FALSE_, a), NOT(a))                                                            \
  R(eq_complement, 1, EQ(a, NOT(a)), FALSE_)                                                       \
  R(eq_two_nots, 1, EQ(NOT(a), NOT(b)), EQ(a, b))                                                  \
  R(eq_one_not, 1, EQ(NOT(a), b), NOT(EQ(a, b)))                                                   \
  R(xor, 1, T2(XOR, a, b), NOT(EQ(a, b)))                                                          \
  /* rewrite_ite.c */                                                                              \
  R(ite_true, 1, ITE(TRUE_, x, y), x)                                                              \
  R(ite_same, 1, ITE(a, x, x), x)                                                                  \
  R(ite_not, 1, ITE(NOT(a), x, y), ITE(a, y, x))                                                   \
  R(ite_bool_or, 1, ITE(a, TRUE_, b), OR(a, b))                                                    \
  R(ite_bool_and, 1, ITE(a, b, FALSE_), AND(a, b))                                                 \
  R(ite_bool_and_not, 1, ITE(a, FALSE_, b), AND(NOT(a), b))                                        \
  R(ite_bool_or_not, 1, ITE(a, b, TRUE_), OR(NOT(a), b))                                           \
  R(ite_bool_eq, 1, ITE(a, b, NOT(b)), EQ(a, b))                                                   \
  R(ite_bool_self, 1, ITE(a, a, b), OR(a, b))                                                      \
  R(ite_bool_not_self, 1, ITE(a, b, NOT(a)), OR(NOT(a), b))                                        \
  R(ite_nested_then, 1, ITE(a, ITE(a, x, y), z), ITE(a, x, z))                                     \
  R(ite_nested_else, 1, ITE(a, x, ITE(a, y, z)), ITE(a, x, z))                                     \
  R(ite_nested_implied, 1, ITE(AND(a, b), ITE(b, x, y), z), ITE(AND(a, b), x, z))                  \
  R(ite_nested_refuted, 1, ITE(OR(a, b), z, ITE(b, x, y)), ITE(OR(a, b), z, y))                    \
  R(ite_share_or, 1, ITE(a, x, ITE(b, x, y)), ITE(OR(a, b), x, y))                                 \
  R(ite_share_and, 1, ITE(a, ITE(b, x, y), y), ITE(AND(a, b), x, y))                               \
  R(ite_share_and_not, 1, ITE(a, ITE(b, y, x), y), ITE(AND(a, NOT(b)), x, y))                      \
  R(ite_share_not_and, 1, ITE(a, x, ITE(b, y, x)), ITE(AND(NOT(a), b), y, x))                      \
  R(ite_same_condition, 1, ITE(a, ITE(b, x, y), ITE(b, x, z)), ITE(b, x, ITE(a, y, z)))            \
  R(ite_eq, 1, ITE(EQ(x, y), x, y), y)                                                             \
  R(leaves_eq, 4, EQ(ITE(a, C(1), C(0)), C(0)), NOT(a))                                            \
  R(leaves_eq_none, 4, EQ(ITE(a, C(1), C(0)), C(2)), FALSE_)                                       \
  R(leaves_slt, 4, SLT(ITE(a, C(1), ITE(b, C(5), C(-3))), C(2)), OR(a, NOT(b)))                    \
  R(leaves_add, 4, ADD(ITE(a, C(1), C(3)), C(2)), ITE(a, C(3), C(5)))                              \
  R(leaves_neg, 4, NEG(ITE(a, C(1), C(3))), ITE(a, C(-1), C(-3)))                                  \
  R(leaves_zext, 4, ZEXT(2 * w, ITE(a, C(1), C(2))), ITE(a, CW(2 * w, 1), CW(2 * w, 2)))           \
  R(leaves_extract, 4, EXT(1, 0, ITE(a, C(5), C(6))), ITE(a, CW(2, 1), CW(2, 2)))                  \
  R(leaves_test, 4, EQ(ITE(a, x, C(1)), C(2)), AND(a, EQ(x, C(2))))                                \
  R(leaves_bool_to_bv, 4, tp_mk_bv_to_bool(tt, tp_mk_bool_to_bv(tt, w, a)), a)                     \
  R(leaves_pair, 4, ADD(ITE(a, C(1), C(2)), ITE(a, C(2), C(1))), C(3))                             \
  R(leaves_pair_eq, 4, EQ(ITE(a, C(1), C(2)), ITE(a, C(2), C(1))), FALSE_)                         \
  R(leaves_flags_or, 4, BOR(tp_mk_bool_to_bv(tt, w, a), tp_mk_bool_to_bv(tt, w, b)),               \
    tp_mk_bool_to_bv(tt, w, OR(a, b)))                                                             \
  R(leaves_flags_eq, 4, EQ(tp_mk_bool_to_bv(tt, w, a), tp_mk_bool_to_bv(tt, w, b)), EQ(a, b))      \
  R(eq_branches, 4, EQ(ITE(a, ADD(x, C(1)), ADD(x, C(2))), ADD(x, C(1))), a)                       \
  R(eq_branches_one, 4, EQ(ITE(a, ADD(x, C(1)), y), ADD(x, C(2))),                                 \
    AND(NOT(a), EQ(y, ADD(x, C(2)))))                                                              \
  /* rewrite_merge.c */                                                                            \
  R(merge_sums, 4, ITE(a, ADD(x, C(1)), x), ADD(x, ITE(a, C(1), C(0))))                            \
  R(merge_sums_cancel, 4, SUB(ITE(a, ADD(x, C(1)), ADD(x, C(2))), x), ITE(a, C(1), C(2)))          \
  R(merge_pointers, 1, ITE(a, PADD(p, off), p), PADD(p, ITE(a, off, CW(64, 0))))                   \
  R(merge_pointers_constant, 1, ITE(a, PADD(PC(3, 0), off), PC(3, 8)),                             \
    PADD(PC(3, 0), ITE(a, off, CW(64, 8))))                                                        \
  R(merge_arrays_one, 1, ITE(a, STORE(m, x, y), m), STORE(m, x, ITE(a, y, SELECT(m, x))))          \
  R(merge_arrays_same, 1, ITE(a, STORE(m, x, y), STORE(m, x, z)), STORE(m, x, ITE(a, y, z)))       \
  R(merge_arrays_both, 1, ITE(a, STORE(m, x, y), STORE(m, ADD(x, C(1)), z)),                       \
    STORE(STORE(m, x, ITE(a, y, SELECT(m, x))), ADD(x, C(1)), ITE(a, SELECT(m, ADD(x, C(1))), z))) \
  /* rewrite_linear.c */                                                                           \
  R(sum_cancels, 1, ADD(ADD(x, C(1)), C(-1)), x)                                                   \
  R(sum_difference, 1, SUB(ADD(x, C(3)), ADD(x, C(1))), C(2))                                      \
  R(sum_commutes, 1, ADD(y, ADD(x, z)), ADD(ADD(x, y), z))                                         \
  R(sum_collects, 4, ADD(ADD(x, y), x), ADD(MUL(x, C(2)), y))                                      \
  R(sum_scales, 4, MUL(C(3), ADD(x, C(2))), ADD(MUL(x, C(3)), C(6)))                               \
  R(sum_not, 1, ADD(BNOT(x), C(1)), NEG(x))                                                        \
  R(sum_is_not, 1, SUB(NEG(x), C(1)), BNOT(x))                                                     \
  R(neg_neg, 1, NEG(NEG(x)), x)                                                                    \
  R(neg_sum, 1, NEG(SUB(x, y)), SUB(y, x))                                                         \
  R(mul_zero, 1, MUL(x, C(0)), C(0))                                                               \
  R(mul_one, 1, MUL(x, C(1)), x)                                                                   \
  R(mul_minus_one, 4, MUL(x, C(-1)), NEG(x))                                                       \
  R(mul_mul, 4, MUL(MUL(x, C(3)), C(5)), MUL(x, C(15)))                                            \
  R(mul_pulls_constant, 4, MUL(MUL(x, C(3)), y), MUL(MUL(x, y), C(3)))                             \
  R(mul_neg, 4, MUL(NEG(x), y), NEG(MUL(x, y)))                                                    \
  R(mul_commutes, 1, MUL(y, x), MUL(x, y))                                                         \
  /* rewrite_compare.c */                                                                          \
  R(eq_same, 1, EQ(x, x), TRUE_)                                                                   \
  R(eq_sum_false, 1, EQ(ADD(x, C(1)), ADD(x, C(2))), FALSE_)                                       \
  R(eq_sum_constant, 4, EQ(ADD(x, C(3)), C(7)), EQ(x, C(4)))                                       \
  R(eq_sum_cancels, 1, EQ(ADD(x, y), ADD(y, z)), EQ(x, z))                                         \
  R(eq_odd, 4, EQ(MUL(x, C(3)), C(9)), EQ(x, C(3)))                                                \
  R(eq_odd_sum, 4, EQ(MUL(x, C(5)), ADD(MUL(y, C(5)), C(10))), EQ(x, ADD(y, C(2))))                \
  R(eq_odd_sum_with_rest, 4, EQ(MUL(x, C(3)), ADD(MUL(y, C(3)), C(1))),                            \
    EQ(x, ADD(y, tp_mk_bv(tt, w,                                                                   \
                          w == 4   ? 11                                                            \
                          : w == 8 ? 171u                                                          \
                                   : 2863311531u))))                                               \
  R(eq_odd_sum_even_rest, 4, EQ(MUL(x, C(6)), MUL(y, C(3))), EQ(y, MUL(x, C(2))))                  \
  R(eq_parity, 4, EQ(MUL(x, C(2)), C(3)), FALSE_)                                                  \
  R(eq_even, 4, EQ(MUL(x, C(6)), C(4)),                                                            \
    EQ(MUL(x, C(2)), tp_mk_bv(tt, w, w == 4 ? 12 : 4 * (w == 8 ? 171u : 2863311531u))))            \
  R(eq_neg, 1, EQ(NEG(x), NEG(y)), EQ(x, y))                                                       \
  R(eq_sext_scaled, 4, EQ(MUL(SEXT(2 * w, x), CW(2 * w, 4)), MUL(SEXT(2 * w, y), CW(2 * w, 4))),   \
    EQ(x, y))                                                                                      \
  R(eq_zext_scaled, 4, EQ(MUL(ZEXT(2 * w, x), CW(2 * w, 6)), CW(2 * w, 12)), EQ(x, C(2)))          \
  R(eq_sext_indivisible, 4, EQ(MUL(SEXT(2 * w, x), CW(2 * w, 6)), CW(2 * w, 4)), FALSE_)           \
  R(eq_sext_scaled_sum, 4,                                                                         \
    EQ(MUL(SEXT(2 * w, x), CW(2 * w, 4)), ADD(MUL(SEXT(2 * w, y), CW(2 * w, -4)), CW(2 * w, 8))),  \
    EQ(SEXT(2 * w, x), ADD(NEG(SEXT(2 * w, y)), CW(2 * w, 2))))                                    \
  R(eq_zext, 1, EQ(ZEXT(2 * w, x), ZEXT(2 * w, y)), EQ(x, y))                                      \
  R(eq_sext_constant, 4, EQ(SEXT(2 * w, x), CW(2 * w, -2)), EQ(x, C(-2)))                          \
  R(eq_zext_constant, 1, EQ(ZEXT(2 * w, x), CW(2 * w, -1)), FALSE_)                                \
  R(eq_not_constant, 4, EQ(BNOT(x), C(5)), EQ(x, C(-6)))                                           \
  R(eq_xor_constant, 4, EQ(BXOR(x, C(5)), C(6)), EQ(x, C(3)))                                      \
  R(eq_xor_zero, 1, EQ(BXOR(x, y), C(0)), EQ(x, y))                                                \
  R(ult_same, 1, ULT(x, x), FALSE_)                                                                \
  R(sle_same, 1, SLE(x, x), TRUE_)                                                                 \
  R(ult_zero, 1, ULT(x, C(0)), FALSE_)                                                             \
  R(ule_zero, 1, ULE(x, C(0)), EQ(x, C(0)))                                                        \
  R(ult_one, 1, ULT(x, C(1)), EQ(x, C(0)))                                                         \
  R(zero_ult, 1, ULT(C(0), x), NOT(EQ(x, C(0))))                                                   \
  R(ule_ones, 1, ULE(x, C(-1)), TRUE_)                                                             \
  R(ult_ones, 1, ULT(x, C(-1)), NOT(EQ(x, C(-1))))                                                 \
  R(slt_least, 1, SLT(x, MIN_), FALSE_)                                                            \
  R(sle_least, 1, SLE(x, MIN_), EQ(x, MIN_))                                                       \
  R(slt_greatest, 1, SLT(x, MAX_), NOT(EQ(x, MAX_)))                                               \
  R(greatest_sle, 1, SLE(MAX_, x), EQ(x, MAX_))                                                    \
  R(ule_constant, 4, ULE(x, C(4)), ULT(x, C(5)))                                                   \
  R(constant_sle, 4, SLE(C(4), x), SLT(C(3), x))                                                   \
  R(ult_zexts, 1, ULT(ZEXT(2 * w, x), ZEXT(2 * w, y)), ULT(x, y))                                  \
  R(slt_zexts, 1, SLT(ZEXT(2 * w, x), ZEXT(2 * w, y)), ULT(x, y))                                  \
  R(sle_sexts, 1, SLE(SEXT(2 * w, x), SEXT(2 * w, y)), SLE(x, y))                                  \
  R(ult_sexts, 1, ULT(SEXT(2 * w, x), SEXT(2 * w, y)), ULT(x, y))                                  \
  R(slt_sext_constant, 4, SLT(SEXT(2 * w, x), CW(2 * w, 3)), SLT(x, C(3)))                         \
  R(slt_zext_negative, 1, SLT(ZEXT(2 * w, x), CW(2 * w, 0)), FALSE_)                               \
  R(slt_sext_range, 4, SLT(SEXT(2 * w, x), tp_mk_bv(tt, 2 * w, (tp_u128)1 << w)), TRUE_)           \
  R(ult_zext_range, 4, ULT(ZEXT(2 * w, x), tp_mk_bv(tt, 2 * w, (tp_u128)1 << w)), TRUE_)           \
  R(ult_multiple, 4, ULT(MUL(x, C(4)), C(3)), EQ(MUL(x, C(4)), C(0)))                              \
  R(ule_difference, 4,                                                                             \
    ULE(CW(2 * w, 4), SUB(MUL(SEXT(2 * w, x), CW(2 * w, 4)), MUL(SEXT(2 * w, y), CW(2 * w, 4)))),  \
    NOT(EQ(x, y)))                                                                                 \
  R(ult_beyond_multiple, 4, ULT(MUL(x, C(4)), C(5)), ULT(MUL(x, C(4)), C(5)))                      \
  R(ult_and_range, 4, ULT(BAND(x, C(3)), C(4)), TRUE_)                                             \
  R(ult_urem_range, 4, ULT(T2(BV_UREM, x, C(5)), C(5)), TRUE_)                                     \
  /* rewrite_bits.c */                                                                             \
  R(band_same, 1, BAND(x, x), x)                                                                   \
  R(band_zero, 1, BAND(x, C(0)), C(0))                                                             \
  R(band_ones, 1, BAND(C(-1), x), x)                                                               \
  R(band_not, 1, BAND(x, BNOT(x)), C(0))                                                           \
  R(bor_same, 1, BOR(x, x), x)                                                                     \
  R(bor_ones, 1, BOR(x, C(-1)), C(-1))                                                             \
  R(bor_zero, 1, BOR(C(0), x), x)                                                                  \
  R(bor_not, 1, BOR(BNOT(x), x), C(-1))                                                            \
  R(bxor_same, 1, BXOR(x, x), C(0))                                                                \
  R(bxor_zero, 1, BXOR(x, C(0)), x)                                                                \
  R(bxor_ones, 1, BXOR(x, C(-1)), BNOT(x))                                                         \
  R(bxor_not, 1, BXOR(x, BNOT(x)), C(-1))                                                          \
  R(band_band, 4, BAND(BAND(x, C(6)), C(3)), BAND(x, C(2)))                                        \
  R(bitwise_commutes, 1, BOR(y, x), BOR(x, y))                                                     \
  R(band_zext, 4, BAND(ZEXT(2 * w, x), tp_mk_bv(tt, 2 * w, ((tp_u128)1 << w) - 1)),                \
    ZEXT(2 * w, x))                                                                                \
  R(band_zext_part, 4, BAND(ZEXT(2 * w, x), CW(2 * w, 3)), ZEXT(2 * w, BAND(x, C(3))))             \
  R(bnot_bnot, 1, BNOT(BNOT(x)), x)                                                                \
  R(shl_zero, 1, T2(BV_SHL, x, C(0)), x)                                                           \
  R(shl_of_zero, 1, T2(BV_LSHR, C(0), x), C(0))                                                    \
  R(shl_constant, 4, T2(BV_SHL, x, C(2)), MUL(x, C(4)))                                            \
  R(shl_far, 4, T2(BV_SHL, x, C(-1)), C(0))                                                        \
  R(lshr_far, 4, T2(BV_LSHR, x, C(-1)), C(0))                                                      \
  R(ashr_far, 4, T2(BV_ASHR, x, C(-1)), T2(BV_ASHR, x, C((int64_t)w - 1)))                         \
  R(lshr_lshr, 4, T2(BV_LSHR, T2(BV_LSHR, x, C(1)), C(2)), T2(BV_LSHR, x, C(3)))                   \
  R(ashr_ashr, 4, T2(BV_ASHR, T2(BV_ASHR, x, C(1)), C((int64_t)w - 1)),                            \
    T2(BV_ASHR, x, C((int64_t)w - 1)))                                                             \
  R(udiv_one, 1, T2(BV_UDIV, x, one), x)                                                           \
  R(udiv_zero, 1, T2(BV_UDIV, x, C(0)), C(-1))                                                     \
  R(udiv_power, 4, T2(BV_UDIV, x, C(4)), T2(BV_LSHR, x, C(2)))                                     \
  R(urem_power, 4, T2(BV_UREM, x, C(4)), BAND(x, C(3)))                                            \
  R(urem_zero, 1, T2(BV_UREM, x, C(0)), x)                                                         \
  R(sdiv_one, 1, T2(BV_SDIV, x, one), x)                                                           \
  R(sdiv_minus_one, 4, T2(BV_SDIV, x, C(-1)), NEG(x))                                              \
  R(srem_one, 1, T2(BV_SREM, x, one), C(0))                                                        \
  R(srem_minus_one, 4, T2(BV_SREM, x, C(-1)), C(0))                                                \
  R(srem_zero, 1, T2(BV_SREM, x, C(0)), x)                                                         \
  R(shl_ashr, 8, T2(BV_ASHR, T2(BV_SHL, x, C(3)), C(3)), SEXT(w, EXT(w - 4, 0, x)))                \
  R(shl_lshr, 8, T2(BV_LSHR, T2(BV_SHL, x, C(3)), C(3)), ZEXT(w, EXT(w - 4, 0, x)))                \
  R(band_aligned, 4, BAND(ADD(MUL(x, C(4)), C(6)), C(3)), C(2))                                    \
  R(urem_aligned, 4, T2(BV_UREM, MUL(x, C(4)), C(4)), C(0))                                        \
  R(sdiv_exact, 4, T2(BV_SDIV, MUL(SEXT(2 * w, x), CW(2 * w, 4)), CW(2 * w, 4)), SEXT(2 * w, x))   \
  R(sdiv_exact_sum, 8,                                                                             \
    T2(BV_SDIV, ADD(MUL(SEXT(2 * w, x), CW(2 * w, 8)), CW(2 * w, -16)), CW(2 * w, 8)),             \
    ADD(SEXT(2 * w, x), CW(2 * w, -2)))                                                            \
  R(srem_exact, 4, T2(BV_SREM, MUL(SEXT(2 * w, x), CW(2 * w, 4)), CW(2 * w, 4)), CW(2 * w, 0))     \
  R(extract_aligned, 4, EXT(1, 0, ADD(MUL(x, C(4)), C(3))), CW(2, 3))                              \
  /* rewrite_slice.c */                                                                            \
  R(extract_extract, 4, EXT(1, 0, EXT(3, 1, x)), EXT(2, 1, x))                                     \
  R(extract_concat_low, 1, EXT(w - 1, 0, CAT(x, y)), y)                                            \
  R(extract_concat_high, 1, EXT(2 * w - 1, w, CAT(x, y)), x)                                       \
  R(extract_concat_both, 4, EXT(w + 1, 0, CAT(x, y)), CAT(EXT(1, 0, x), y))                        \
  R(extract_zext_low, 1, EXT(w - 1, 0, ZEXT(2 * w, x)), x)                                         \
  R(extract_zext_high, 1, EXT(2 * w - 1, w, ZEXT(2 * w, x)), C(0))                                 \
  R(extract_sext_both, 1, EXT(w, 0, SEXT(2 * w, x)), SEXT(w + 1, x))                               \
  R(extract_sext_high, 4, EXT(2 * w - 1, w, SEXT(2 * w, x)), SEXT(w, EXT(w - 1, w - 1, x)))        \
  R(extract_and, 4, EXT(1, 0, BAND(x, C(6))), BAND(EXT(1, 0, x), CW(2, 2)))                        \
  R(extract_xor, 4, EXT(1, 0, BXOR(x, C(5))), BXOR(EXT(1, 0, x), CW(2, 1)))                        \
  R(extract_lshr, 4, EXT(1, 0, T2(BV_LSHR, x, C(2))), EXT(3, 2, x))                                \
  R(extract_mul, 4, EXT(3, 2, MUL(x, C(4))), EXT(1, 0, x))                                         \
  R(extract_sum, 4, EXT(w - 1, 0, ADD(SEXT(2 * w, x), CW(2 * w, 1))), ADD(x, C(1)))                \
  R(concat_pieces, 4, CAT(EXT(3, 2, x), EXT(1, 0, x)), EXT(3, 0, x))                               \
  R(concat_four_pieces, 4, CAT(CAT(CAT(EXT(3, 3, x), EXT(2, 2, x)), EXT(1, 1, x)), EXT(0, 0, x)),  \
    EXT(3, 0, x))                                                                                  \
  R(concat_zero, 1, CAT(C(0), x), ZEXT(2 * w, x))                                                  \
  R(concat_zext, 1, CAT(ZEXT(2 * w, x), y), ZEXT(3 * w, CAT(x, y)))                                \
  R(zext_zext, 1, ZEXT(3 * w, ZEXT(2 * w, x)), ZEXT(3 * w, x))                                     \
  R(sext_sext, 1, SEXT(3 * w, SEXT(2 * w, x)), SEXT(3 * w, x))                                     \
  R(sext_zext, 1, SEXT(3 * w, ZEXT(2 * w, x)), ZEXT(3 * w, x))                                     \
  /* rewrite_array.c */                                                                            \
  R(select_store_same, 1, SELECT(STORE(m, x, y), x), y)                                            \
  R(select_store_other, 1, SELECT(STORE(m, x, y), ADD(x, C(1))), SELECT(m, ADD(x, C(1))))          \
  R(select_constant, 1, SELECT(CONSTANT(y), x), y)                                                 \
  R(select_ite, 1, SELECT(ITE(a, STORE(m, x, y), n), x), ITE(a, y, SELECT(n, x)))                  \
  R(select_ite_unchanged, 1, SELECT(ITE(a, STORE(m, x, y), m), ADD(x, C(1))),                      \
    SELECT(m, ADD(x, C(1))))                                                                       \
  R(select_tree_index, 4, SELECT(STORE(STORE(CONSTANT(z), C(1), x), C(2), y), ITE(a, C(1), C(2))), \
    ITE(a, x, y))                                                                                  \
  R(select_tree_other, 4, SELECT(STORE(m, C(3), x), ITE(a, C(1), C(2))),                           \
    SELECT(m, ITE(a, C(1), C(2))))                                                                 \
  R(store_store, 1, STORE(STORE(m, x, y), x, z), STORE(m, x, z))                                   \
  R(store_store_through, 1, STORE(STORE(STORE(m, x, y), ADD(x, C(1)), z), x, z),                   \
    STORE(STORE(m, ADD(x, C(1)), z), x, z))                                                        \
  R(store_back, 1, STORE(m, x, SELECT(m, x)), m)                                                   \
  R(store_constant, 1, STORE(CONSTANT(y), x, y), CONSTANT(y))                                      \
  /* rewrite_ptr.c; these have sorts of their own, once is enough */                               \
  R(obj_mk, 32, OBJ(PMK(bits, off)), bits)                                                         \
  R(off_mk, 32, OFF(PMK(bits, off)), off)                                                          \
  R(obj_add, 32, OBJ(PADD(p, off)), OBJ(p))                                                        \
  R(off_add, 32, OFF(PADD(p, off)), ADD(OFF(p), off))                                              \
  R(obj_ite, 32, OBJ(ITE(a, PC(3, 8), q)), ITE(a, CW(32, 3), OBJ(q)))                              \
  R(obj_ite_one_object, 32, OBJ(ITE(a, PADD(p, off), p)), OBJ(p))                                  \
  R(off_ite, 32, OFF(ITE(a, PC(1, 4), PC(2, 8))), ITE(a, CW(64, 4), CW(64, 8)))                    \
  R(mk_parts, 32, PMK(OBJ(p), OFF(p)), p)                                                          \
  R(mk_parts_add, 32, PMK(OBJ(p), ADD(OFF(p), off)), PADD(p, off))                                 \
  R(mk_constant, 32, PMK(CW(32, 3), off), PADD(PC(3, 0), off))                                     \
  R(add_zero, 32, PADD(p, CW(64, 0)), p)                                                           \
  R(add_add, 32, PADD(PADD(p, off), CW(64, 4)), PADD(p, ADD(off, CW(64, 4))))                      \
  R(add_mk, 32, PADD(PMK(bits, off), CW(64, 4)), PMK(bits, ADD(off, CW(64, 4))))                   \
  R(add_constant, 32, PADD(PC(3, 4), off), PADD(PC(3, 0), ADD(off, CW(64, 4))))                    \
  R(to_int_null, 32, P2I(PC(0, 7)), CW(64, 7))                                                     \
  R(to_int_constant, 32, P2I(PC(3, 7)), ADD(P2I(PC(3, 0)), CW(64, 7)))                             \
  R(to_int_add, 32, P2I(PADD(p, off)), ADD(P2I(p), off))                                           \
  R(to_int_mk, 32, P2I(PMK(bits, off)), ADD(P2I(PMK(bits, CW(64, 0))), off))                       \
  R(to_int_difference, 32, SUB(P2I(PADD(p, off)), P2I(PADD(p, CW(64, 4)))), SUB(off, CW(64, 4)))   \
  R(to_int_ite_one_object, 32, SUB(P2I(ITE(a, PADD(p, off), p)), P2I(p)), ITE(a, off, CW(64, 0)))  \
  R(to_int_ite, 32, P2I(ITE(a, PADD(p, off), q)), ITE(a, ADD(P2I(p), off), P2I(q)))                \
  R(to_int_ite_constants, 32, SUB(P2I(ITE(a, PC(3, 8), PC(3, 4))), P2I(PC(3, 0))),                 \
    ITE(a, CW(64, 8), CW(64, 4)))                                                                  \
  R(ptr_eq_same_object, 32, EQ(PADD(p, off), PADD(p, CW(64, 4))), EQ(off, CW(64, 4)))              \
  R(ptr_eq_other_object, 32, EQ(PADD(PC(3, 0), off), tp_mk_null(tt)), FALSE_)                      \
  R(ptr_eq_other_offset, 32, EQ(PC(3, 4), PC(3, 8)), FALSE_)                                       \
  R(ptr_eq_constant, 32, EQ(PADD(PC(3, 0), off), PC(3, 8)), EQ(off, CW(64, 8)))                    \
  R(ptr_eq_mk, 32, EQ(PMK(bits, off), PC(3, 8)), AND(EQ(bits, CW(32, 3)), EQ(off, CW(64, 8))))     \
  R(ptr_eq_branches, 32, EQ(ITE(a, PADD(p, CW(64, 4)), q), p), AND(EQ(p, q), NOT(a)))              \
  R(ptr_eq_leaves, 32, EQ(ITE(a, PC(3, 0), tp_mk_null(tt)), tp_mk_null(tt)), NOT(a))               \
  /* rewrite_fp.c */                                                                               \
  R(fp_neg_neg, 32, T1(FP_NEG, T1(FP_NEG, f)), f)                                                  \
  R(fp_abs_neg, 32, T1(FP_ABS, T1(FP_NEG, h)), T1(FP_ABS, h))                                      \
  R(fp_abs_abs, 32, T1(FP_ABS, T1(FP_ABS, h)), T1(FP_ABS, h))                                      \
  R(fp_of_to_bits, 32, T1(FP_OF_BITS, T1(FP_TO_BITS, f)), f)                                       \
  R(fp_same_width, 32, tp_mk_fp_conv(tt, TP_OP_FP_OF_FP, 32, f), f)                                \
  R(fp_eq_self, 32, T2(FP_EQ, f, f), NOT(T1(FP_IS_NAN, f)))                                        \
  R(fp_le_self, 32, T2(FP_LE, f, f), NOT(T1(FP_IS_NAN, f)))                                        \
  R(fp_lt_self, 32, T2(FP_LT, f, f), FALSE_)                                                       \
  R(fp_nan_of_integer, 32, T1(FP_IS_NAN, tp_mk_fp_conv(tt, TP_OP_FP_OF_SBV, 32, x8)), FALSE_)      \
  R(fp_nan_neg, 32, T1(FP_IS_NAN, T1(FP_NEG, h)), T1(FP_IS_NAN, h))                                \
  R(fp_nan_widened, 32, T1(FP_IS_NAN, tp_mk_fp_conv(tt, TP_OP_FP_OF_FP, 64, f)), T1(FP_IS_NAN, f))

#define R(name, least, left, right)                 \
  static tp_term left_##name(void) { return left; } \
  static tp_term right_##name(void) { return right; }
RULES(R)
#undef R

static const struct rule {
  const char *name;
  uint32_t least_width;
  tp_term (*left)(void), (*right)(void);
} rules[] = {
#define R(name, least, left, right) {#name, least, left_##name, right_##name},
    RULES(R)
#undef R
};

static void print_pair(tp_term got, tp_term want) {
  tp_str s = {0};
  tp_print_c(tt, got, TP_C_READABLE, &s);
  tp_str_add(&s, "\n  wanted ");
  tp_print_c(tt, want, TP_C_READABLE, &s);
  print_error("  got    %s\n", tp_str_text(&s));
  tp_str_clear(&s);
}

static void every_rule_at(uint32_t width) {
  int bad = 0;
  for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
    if (rules[i].least_width > width) continue;
    make_variables(width);
    tp_terms_set_rewriting(tt, false);
    tp_term raw = rules[i].left();
    tp_terms_set_rewriting(tt, true);
    tp_term normal = rules[i].left(), want = rules[i].right();
    if (!tp_term_eq(normal, want)) {
      print_error("rule %s did not fire at width %u\n", rules[i].name, width);
      print_pair(normal, want);
      bad++;
    }
    if (z3_equal(tt, raw, normal) != 1) {
      print_error("rule %s is not proved at width %u\n", rules[i].name, width);
      bad++;
    }
    tp_terms_free(tt);
  }
  assert_int_equal(bad, 0);
}
static void rules_at_1(void **state) { (void)state, every_rule_at(1); }
static void rules_at_4(void **state) { (void)state, every_rule_at(4); }
static void rules_at_8(void **state) { (void)state, every_rule_at(8); }
static void rules_at_32(void **state) { (void)state, every_rule_at(32); }

// ------------------------------------------------------------ rules in company

static int rounds(int quick) { return getenv("TP_SOAK") ? quick * 50 : quick; }

/* Rules on top of rules: random terms, as written against normalised, proved by Z3. */
static void random_terms_at(uint32_t width, unsigned sorts, int count, uint64_t seed) {
  int unknown = 0;
  for (int i = 0; i < count; i++) {
    tt = tp_terms_new(64);
    tp_random r;
    tp_random_init(&r, tt, seed + (uint64_t)i, width, sorts);
    tp_term raw, normal;
    tp_random_term(&r, 4 + (uint32_t)(i % 16), &raw, &normal);
    int equal = z3_equal(tt, raw, normal);
    if (equal < 0) print_pair(normal, raw);
    assert_true(equal >= 0);
    unknown += equal == 0;
    tp_terms_free(tt);
  }
  assert_true(unknown * 10 <= count);  // Z3 must have proved nine in ten
}
static void random_terms_proved_1(void **state) {
  (void)state, random_terms_at(1, TP_RANDOM_ARRAYS, rounds(40), 100);
}
static void random_terms_proved_4(void **state) {
  (void)state, random_terms_at(4, TP_RANDOM_ARRAYS, rounds(60), 20000);
}
static void random_terms_proved_8(void **state) {
  (void)state, random_terms_at(8, TP_RANDOM_SELECTS, rounds(20), 30000);
}
static void random_pointers_proved(void **state) {
  (void)state, random_terms_at(64, TP_RANDOM_POINTERS, rounds(24), 40000);
}

// ------------------------------------------------------------------------ effort

/* Which of N objects are reached, round by round, when each may lead to each: formulas that share
 * nearly everything. The terms that are made stay few, so chains do not start chains without end;
 * with rules and without, the formula means the same. */
enum { OBJECTS = 6 };
static tp_term reached(const tp_term *leads) {
  tp_term at[OBJECTS];
  for (int i = 0; i < OBJECTS; i++) at[i] = tp_mk_bool(tt, i == 0);
  for (int round = 0; round < OBJECTS; round++)
    for (int i = 0; i < OBJECTS; i++)
      for (int k = 1; k < OBJECTS; k++)
        if (i != k) at[k] = tp_mk_or(tt, at[k], tp_mk_and(tt, at[i], leads[i * OBJECTS + k]));
  return at[OBJECTS - 1];
}

static void work_is_bounded(void **state) {
  (void)state;
  tp_term leads[OBJECTS * OBJECTS];
  tt = tp_terms_new(64);
  for (int i = 0; i < OBJECTS * OBJECTS; i++) {
    tp_term v = tp_mk_var(tt, "v", tp_sort_bool(tt)), u = tp_mk_var(tt, "u", tp_sort_bool(tt));
    leads[i] = i % 3 ? tp_mk_and(tt, v, tp_mk_not(tt, u)) : tp_mk_or(tt, v, u);
  }
  const tp_term normal = reached(leads);
  assert_true(tp_terms_count(tt) < 20000);
  tp_terms_set_rewriting(tt, false);
  assert_true(z3_equal(tt, reached(leads), normal) >= 0);
  tp_terms_set_rewriting(tt, true);
  tp_terms_free(tt);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rules_at_1),
      cmocka_unit_test(rules_at_4),
      cmocka_unit_test(rules_at_8),
      cmocka_unit_test(rules_at_32),
      cmocka_unit_test(random_terms_proved_1),
      cmocka_unit_test(random_terms_proved_4),
      cmocka_unit_test(random_terms_proved_8),
      cmocka_unit_test(random_pointers_proved),
      cmocka_unit_test(work_is_bounded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
