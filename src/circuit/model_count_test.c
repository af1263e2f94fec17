/* Counting against enumeration: random clauses with counted and existential variables. */
#include "circuit/model_count.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

typedef TP_VEC(int) literals;

static uint64_t state;
static uint32_t below(uint32_t n) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(state >> 33) % n;
}

static void random_clauses(literals *out, uint32_t n_vars, uint32_t n_clauses) {
  for (uint32_t k = 0; k < n_clauses; k++) {
    for (uint32_t i = 0, n = 1 + below(16) % 5 + (below(8) > 0); i < n; i++)
      tp_vec_push(out, (below(2) ? 1 : -1) * (int)(1 + below(n_vars)));
    tp_vec_push(out, 0);
  }
}

static bool satisfies(const literals *l, uint32_t values) {
  bool clause = false;
  for (size_t i = 0; i < l->n; i++) {
    if (l->at[i] == 0) {
      if (!clause) return false;
      clause = false;
      continue;
    }
    const uint32_t v = (uint32_t)abs(l->at[i]) - 1;
    clause = clause || (values >> v & 1) == (l->at[i] > 0);
  }
  return true;
}

/* Choices of the counted variables for which the others have values. */
static uint32_t enumerate(const literals *l, uint32_t n_vars, const bool *is_counted) {
  bool *found = TP_NEW_ARRAY(bool, (size_t)1 << n_vars);
  uint32_t mask = 0, n = 0;
  for (uint32_t v = 0; v < n_vars; v++) mask |= (uint32_t)is_counted[v + 1] << v;
  for (uint32_t values = 0; values < 1u << n_vars; values++)
    if (!found[values & mask] && satisfies(l, values)) found[values & mask] = true, n++;
  tp_free(found);
  return n;
}

static void random_clauses_are_counted_as_enumerated(void **unused) {
  (void)unused;
  uint32_t n_none = 0, n_many = 0;
  uint64_t n_reused = 0;
  for (uint32_t seed = 1; seed <= 3000; seed++) {
    literals l = {0};
    bool is_counted[16] = {false};
    tp_u128 n;
    tp_count_stats stats;
    state = seed;
    const uint32_t n_vars = 1 + below(14);
    random_clauses(&l, n_vars, below(2 * n_vars + 2));
    for (uint32_t v = 1; v <= n_vars; v++) is_counted[v] = seed % 3 == 0 || below(2);
    assert_int_equal(tp_count_models(l.at, l.n, n_vars, is_counted, 0, &n, &stats), TP_COUNT_EXACT);
    assert_int_equal((uint32_t)n, enumerate(&l, n_vars, is_counted));
    n_none += n == 0;
    n_many += n > 8;
    n_reused += stats.n_reused;
    tp_vec_clear(&l);
  }
  assert_true(n_none > 20 && n_many > 100 && n_reused > 100);
}

/* n pairs of variables that differ: 2^n, far too many for one by one. */
static void components_are_multiplied(void **unused) {
  (void)unused;
  enum { PAIRS = 100 };
  literals l = {0};
  bool is_counted[2 * PAIRS + 1];
  tp_u128 n;
  for (int i = 0; i < PAIRS; i++) {
    const int a = 2 * i + 1, b = a + 1, clauses[] = {a, b, 0, -a, -b, 0};
    for (size_t k = 0; k < 6; k++) tp_vec_push(&l, clauses[k]);
    is_counted[a] = is_counted[b] = true;
  }
  assert_int_equal(tp_count_models(l.at, l.n, 2 * PAIRS, is_counted, 0, &n, NULL), TP_COUNT_EXACT);
  assert_true(n == (tp_u128)1 << PAIRS);
  tp_vec_clear(&l);
}

static void too_large_numbers_are_no_numbers(void **unused) {
  (void)unused;
  bool is_counted[201];
  tp_u128 n;
  for (int v = 0; v <= 200; v++) is_counted[v] = true;
  assert_int_equal(tp_count_models(NULL, 0, 120, is_counted, 0, &n, NULL), TP_COUNT_EXACT);
  assert_true(n == (tp_u128)1 << 120);
  assert_int_equal(tp_count_models(NULL, 0, 200, is_counted, 0, &n, NULL), TP_COUNT_LIMIT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_clauses_are_counted_as_enumerated),
      cmocka_unit_test(components_are_multiplied),
      cmocka_unit_test(too_large_numbers_are_no_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
