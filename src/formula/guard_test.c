// Guards: joining random branchings means "either", and the selector tells which.
#include "formula/guard.h"

#include "formula/testing.h"

enum { N_BITS = 6, N_TREES = 400 };

typedef struct {
  tp_terms *tt;
  tp_rng rng;
  tp_guards gs;
  tp_term bit[N_BITS];
} world;

static bool holds(world *w, tp_term t, uint64_t assignment) {
  test_values v = {{0}};
  for (int i = 0; i < N_BITS; i++) v.bits[i] = assignment >> i & 1;
  return test_eval(w->tt, t, &v).bits != 0;
}

/* Split g at random into guards that exclude each other, some with assumptions. */
static void split(world *w, tp_guard g, int depth, tp_guard *out, int *n) {
  tp_term c = w->bit[tp_rng_below(&w->rng, N_BITS)];
  if (tp_rng_below(&w->rng, 4) == 0) g = tp_guard_and(&w->gs, g, tp_mk_or(w->tt, c, w->bit[0]));
  if (tp_guard_is_false(g)) return;
  if (depth == 0 || *n > 5) {
    out[(*n)++] = g;
    return;
  }
  split(w, tp_guard_and(&w->gs, g, c), depth - 1, out, n);
  split(w, tp_guard_and(&w->gs, g, tp_mk_not(w->tt, c)), depth - 1, out, n);
}

static void check_join(world *w, tp_guard a, tp_guard b) {
  tp_term selector;
  tp_guard j = tp_guard_join(&w->gs, a, b, &selector);
  for (uint64_t k = 0; k < (uint64_t)1 << N_BITS; k++) {
    bool in_a = holds(w, tp_guard_term(&w->gs, a), k), in_b = holds(w, tp_guard_term(&w->gs, b), k);
    assert_false(in_a && in_b);
    assert_int_equal(holds(w, tp_guard_term(&w->gs, j), k), in_a || in_b);
    if (in_a || in_b) assert_int_equal(holds(w, selector, k), in_a);
  }
}

static void joins(void **unused) {
  (void)unused;
  world w = {.tt = tp_terms_new(64)};
  tp_rng_init(&w.rng, 3);
  tp_guards_init(&w.gs, w.tt);
  for (int i = 0; i < N_BITS; i++)
    w.bit[i] = tp_mk_eq(w.tt, tp_mk_var(w.tt, "b", tp_sort_bv(w.tt, 1)), tp_mk_bv(w.tt, 1, 1));
  for (int t = 0; t < N_TREES; t++) {
    tp_guard leaves[16];
    int n = 0;
    split(&w, TP_GUARD_TRUE, 3, leaves, &n);
    for (int i = 0; i + 1 < n; i++) check_join(&w, leaves[i], leaves[n - 1]);
    tp_term selector;
    if (n >= 3) check_join(&w, tp_guard_join(&w.gs, leaves[0], leaves[1], &selector), leaves[2]);
  }
  tp_guards_clear(&w.gs);
  tp_terms_free(w.tt);
}

/* A diamond leaves no trace. */
static void diamond_vanishes(void **unused) {
  (void)unused;
  tp_terms *tt = tp_terms_new(64);
  tp_guards gs;
  tp_guards_init(&gs, tt);
  tp_term c = tp_mk_var(tt, "c", tp_sort_bool(tt)), d = tp_mk_var(tt, "d", tp_sort_bool(tt)),
          selector;
  tp_guard g = tp_guard_and(&gs, TP_GUARD_TRUE, d);
  tp_guard j = tp_guard_join(&gs, tp_guard_and(&gs, g, c), tp_guard_and(&gs, g, tp_mk_not(tt, c)),
                             &selector);
  assert_int_equal(j.id, g.id);
  assert_true(tp_guard_is_false(tp_guard_and(&gs, g, tp_mk_not(tt, d))));
  tp_guards_clear(&gs);
  tp_terms_free(tt);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(joins), cmocka_unit_test(diamond_vanishes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
