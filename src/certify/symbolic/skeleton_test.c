/* Skeletons: what equality alone shows is shown; and whatever a skeleton excludes, circuits
 * exclude, too. */
#include "base/base.h"
#include "certify/symbolic/skeleton.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct {
  tp_terms *tt;
  tp_term p[4], n[4], b[2];  // pointers, numbers of 64 bits, Booleans
} world;

static world open_world(void) {
  world w = {.tt = tp_terms_new(64)};
  for (int i = 0; i < 4; i++) {
    w.p[i] = tp_mk_var(w.tt, "p", tp_sort_ptr(w.tt));
    w.n[i] = tp_mk_var(w.tt, "n", tp_sort_bv(w.tt, 64));
  }
  for (int i = 0; i < 2; i++) w.b[i] = tp_mk_var(w.tt, "b", tp_sort_bool(w.tt));
  return w;
}

static tp_term num(world *w, uint64_t k) { return tp_mk_bv(w->tt, 64, k); }
static tp_term eq(world *w, tp_term a, tp_term b) { return tp_mk_eq(w->tt, a, b); }
static tp_term less(world *w, tp_term a, tp_term b) { return tp_mk2(w->tt, TP_OP_BV_ULT, a, b); }
static tp_term no(world *w, tp_term a) { return tp_mk_not(w->tt, a); }
static tp_term offset(world *w, int i) { return tp_mk1(w->tt, TP_OP_PTR_OFF, w->p[i]); }

static tp_smt_answer by_skeleton(world *w, const tp_term *facts, size_t n) {
  tp_chk_skeletons shared;
  tp_chk_skeletons_init(&shared, w->tt);
  tp_chk_skeleton *s = tp_chk_skeleton_new(&shared);
  for (size_t i = 0; i < n; i++) tp_chk_skeleton_add(s, facts[i]);
  tp_smt_answer a = tp_chk_skeleton_check(s);
  for (size_t i = 0; i < n && a == TP_SMT_SAT; i++) assert_true(tp_chk_skeleton_holds(s, facts[i]));
  tp_chk_skeleton_free(s);
  tp_chk_skeletons_clear(&shared);
  return a;
}

static tp_smt_answer by_bits(world *w, const tp_term *facts, size_t n) {
  tp_smt *s = tp_smt_new(w->tt, (tp_smt_options){.backend = "bits"});
  for (size_t i = 0; i < n; i++) tp_smt_assert(s, facts[i]);
  tp_smt_answer a = tp_smt_check(s, NULL, 0);
  tp_smt_free(s);
  return a;
}

static void laws_of_equality_are_known(void **unused) {
  (void)unused;
  world w = open_world();
  tp_term choice = tp_mk_ite(w.tt, w.b[0], w.p[0], w.p[1]),
          three = tp_mk2(w.tt, TP_OP_BV_ADD, offset(&w, 0), num(&w, 3));
  const tp_term excluded[][3] = {
      {eq(&w, w.p[0], w.p[1]), eq(&w, w.p[1], w.p[2]), no(&w, eq(&w, w.p[0], w.p[2]))},
      {eq(&w, w.n[0], num(&w, 100)), eq(&w, w.n[1], num(&w, 200)), eq(&w, w.n[0], w.n[1])},
      {less(&w, w.n[0], w.n[1]), eq(&w, w.n[0], w.n[2]), no(&w, less(&w, w.n[2], w.n[1]))},
      {eq(&w, w.n[0], num(&w, 16)), less(&w, w.n[0], num(&w, 15)), tp_mk_true(w.tt)},
      {less(&w, w.n[0], num(&w, 2)), no(&w, eq(&w, w.n[0], num(&w, 0))),
       no(&w, eq(&w, w.n[0], num(&w, 1)))},
      {eq(&w, w.n[1], num(&w, 2)), less(&w, w.n[0], w.n[1]), less(&w, num(&w, 1), w.n[0])},
      {less(&w, num(&w, 40), w.n[0]), less(&w, w.n[0], num(&w, 41)), tp_mk_true(w.tt)},
      {eq(&w, choice, w.p[2]), no(&w, eq(&w, w.p[0], w.p[2])), no(&w, eq(&w, w.p[1], w.p[2]))},
      {eq(&w, offset(&w, 0), num(&w, 0)), eq(&w, offset(&w, 1), num(&w, 0)),
       eq(&w, offset(&w, 1), three)},
  };
  for (size_t i = 0; i < sizeof excluded / sizeof *excluded; i++) {
    if (by_skeleton(&w, excluded[i], 3) != TP_SMT_UNSAT) fail_msg("row %zu is not excluded", i);
    assert_int_equal(by_bits(&w, excluded[i], 3), TP_SMT_UNSAT);
  }
  tp_terms_free(w.tt);
}

static tp_term some_number(world *w, tp_rng *rng) {
  switch (tp_rng_below(rng, 5)) {
    case 0: return num(w, tp_rng_below(rng, 12));
    case 1: return offset(w, (int)tp_rng_below(rng, 4));
    case 2:
      return tp_mk2(w->tt, TP_OP_BV_ADD, w->n[tp_rng_below(rng, 4)], num(w, tp_rng_below(rng, 4)));
    case 3:
      return tp_mk_ite(w->tt, w->b[tp_rng_below(rng, 2)], w->n[tp_rng_below(rng, 4)],
                       num(w, tp_rng_below(rng, 12)));
    default: return w->n[tp_rng_below(rng, 4)];
  }
}

static tp_term some_pointer(world *w, tp_rng *rng) {
  tp_term p = w->p[tp_rng_below(rng, 4)];
  switch (tp_rng_below(rng, 4)) {
    case 0: return tp_mk_ptr_const(w->tt, (uint32_t)tp_rng_below(rng, 3), tp_rng_below(rng, 3));
    case 1: return tp_mk_ite(w->tt, w->b[tp_rng_below(rng, 2)], p, w->p[tp_rng_below(rng, 4)]);
    case 2: return tp_mk_ptr_add(w->tt, p, num(w, tp_rng_below(rng, 3)));
    default: return p;
  }
}

static tp_term some_fact(world *w, tp_rng *rng) {
  tp_term t = TP_TERM_NONE;
  for (uint64_t k = 1 + tp_rng_below(rng, 2); k > 0; k--) {
    tp_term atom;
    switch (tp_rng_below(rng, 4)) {
      case 0: atom = less(w, some_number(w, rng), some_number(w, rng)); break;
      case 1: atom = tp_mk2(w->tt, TP_OP_BV_ULE, some_number(w, rng), some_number(w, rng)); break;
      case 2: atom = eq(w, some_number(w, rng), some_number(w, rng)); break;
      default: atom = eq(w, some_pointer(w, rng), some_pointer(w, rng)); break;
    }
    if (tp_rng_below(rng, 2)) atom = no(w, atom);
    t = tp_term_is(t) ? tp_mk_or(w->tt, t, atom) : atom;
  }
  return t;
}

static void nothing_that_is_is_excluded(void **unused) {
  (void)unused;
  tp_rng rng;
  unsigned excluded = 0;
  tp_rng_init(&rng, 5);
  for (int round = 0; round < 400; round++) {
    world w = open_world();
    tp_term facts[12];
    size_t n = 2 + tp_rng_below(&rng, 10);
    for (size_t i = 0; i < n; i++) facts[i] = some_fact(&w, &rng);
    if (by_skeleton(&w, facts, n) == TP_SMT_UNSAT) {
      excluded++;
      if (by_bits(&w, facts, n) != TP_SMT_UNSAT)
        fail_msg("round %d: the skeleton excludes a state that there is", round);
    }
    tp_terms_free(w.tt);
  }
  assert_true(excluded > 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(laws_of_equality_are_known),
                                     cmocka_unit_test(nothing_that_is_is_excluded)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
