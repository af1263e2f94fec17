/* Refutations: what has no model is proved, what has one never is, whatever the solver or the
 * stream does wrong; memory of the check does not grow with the proof. */
#include "certify/unsat/refutation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

typedef TP_VEC(int) clause_text;

/* n + 1 pigeons in n holes; without: a pigeon that needs no hole (n + 1: none), then there is a
 * model. */
static void pigeons(int n, int without, clause_text *out) {
  for (int p = 0; p <= n; p++) {
    if (p == without) continue;
    for (int h = 1; h <= n; h++) tp_vec_push(out, p * n + h);
    tp_vec_push(out, 0);
  }
  for (int h = 1; h <= n; h++)
    for (int p = 0; p <= n; p++)
      for (int q = 0; q < p; q++) {
        tp_vec_push(out, -(p * n + h));
        tp_vec_push(out, -(q * n + h));
        tp_vec_push(out, 0);
      }
}

static tp_refutation_answer refute(const clause_text *c, tp_refutation_stats *stats) {
  tp_str why = {0};
  const tp_refutation_answer a =
      tp_refute_clauses(c->at, c->n, (tp_refutation_limits){0}, stats, &why);
  assert_true((a == TP_REFUTATION_REFUSED) == (why.n > 0));
  tp_str_clear(&why);
  return a;
}

static void unsatisfiable_clauses_are_proved_and_others_not(void **state) {
  (void)state;
  for (int n = 2; n <= 6; n++)
    for (int without = 0; without <= n + 1; without++) {
      clause_text c = {0};
      tp_refutation_stats stats;
      pigeons(n, without, &c);
      assert_int_equal(refute(&c, &stats),
                       without == n + 1 ? TP_REFUTATION_PROVED : TP_REFUTATION_MODEL);
      tp_vec_clear(&c);
    }
}

static void a_proof_that_is_cut_short_is_refused(void **state) {
  (void)state;
  clause_text c = {0};
  tp_refutation_stats whole, cut;
  pigeons(4, 5, &c);
  assert_int_equal(refute(&c, &whole), TP_REFUTATION_PROVED);
  bool is_proved = false;
  uint64_t n_refused = 0;
  for (uint64_t at = 0; at <= whole.proof_bytes; at++) {
    tp_refutation_inject(TP_PROOF_FAULT_SHORTEN, at);
    const tp_refutation_answer a = refute(&c, &cut);
    assert_true(a == TP_REFUTATION_PROVED || a == TP_REFUTATION_REFUSED);
    assert_true(!is_proved || a == TP_REFUTATION_PROVED);  // more of the proof does not hurt
    is_proved = a == TP_REFUTATION_PROVED;
    n_refused += !is_proved;
  }
  tp_refutation_inject(TP_PROOF_FAULT_NONE, 0);
  assert_true(is_proved && n_refused > whole.proof_bytes / 4);
  tp_vec_clear(&c);
}

static void a_forged_proof_proves_nothing_that_has_a_model(void **state) {
  (void)state;
  clause_text impossible = {0}, possible = {0};
  tp_refutation_stats whole, forged;
  pigeons(4, 5, &impossible);
  pigeons(4, 2, &possible);
  assert_int_equal(refute(&impossible, &whole), TP_REFUTATION_PROVED);
  uint64_t n_refused = 0;
  for (uint64_t at = 0; at < whole.proof_bytes; at++) {
    tp_refutation_inject(TP_PROOF_FAULT_FORGE, at);
    n_refused += refute(&impossible, &forged) != TP_REFUTATION_PROVED;
    assert_int_not_equal(refute(&possible, &forged), TP_REFUTATION_PROVED);
  }
  tp_refutation_inject(TP_PROOF_FAULT_NONE, 0);
  assert_true(n_refused > 0);
  tp_vec_clear(&impossible);
  tp_vec_clear(&possible);
}

static void a_solver_that_lies_is_refused(void **state) {
  (void)state;
  clause_text possible = {0}, impossible = {0};
  tp_refutation_stats stats;
  pigeons(4, 2, &possible);
  pigeons(4, 5, &impossible);
  tp_refutation_inject(TP_PROOF_FAULT_LIE, 0);
  assert_int_not_equal(refute(&possible, &stats), TP_REFUTATION_PROVED);
  assert_int_not_equal(refute(&impossible, &stats), TP_REFUTATION_PROVED);
  tp_refutation_inject(TP_PROOF_FAULT_NONE, 0);
  tp_vec_clear(&possible);
  tp_vec_clear(&impossible);
}

static void no_clauses_and_an_empty_clause(void **state) {
  (void)state;
  tp_refutation_stats stats;
  clause_text c = {0};
  assert_int_equal(refute(&c, &stats), TP_REFUTATION_MODEL);
  tp_vec_push(&c, 0);
  assert_int_equal(refute(&c, &stats), TP_REFUTATION_PROVED);
  tp_vec_clear(&c);
}

/* The solver deletes most of what it learns: the check moves what is left together. */
static void deleted_clauses_leave_memory(void **state) {
  (void)state;
  clause_text c = {0};
  tp_refutation_stats stats;
  pigeons(8, 9, &c);
  assert_int_equal(refute(&c, &stats), TP_REFUTATION_PROVED);
  assert_true(stats.proof.n_compacted > 0);
  tp_vec_clear(&c);
}

static void limits_end_a_refutation(void **state) {
  (void)state;
  clause_text c = {0};
  tp_refutation_stats stats;
  pigeons(9, 10, &c);
  assert_int_equal(
      tp_refute_clauses(c.at, c.n, (tp_refutation_limits){.conflicts = 100}, &stats, NULL),
      TP_REFUTATION_LIMIT);
  assert_int_equal(
      tp_refute_clauses(c.at, c.n, (tp_refutation_limits){.cpu_s = 1e-4}, &stats, NULL),
      TP_REFUTATION_LIMIT);
  assert_int_equal(
      tp_refute_clauses(c.at, c.n, (tp_refutation_limits){.assigned = 1000}, &stats, NULL),
      TP_REFUTATION_LIMIT);
  tp_vec_clear(&c);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(unsatisfiable_clauses_are_proved_and_others_not),
      cmocka_unit_test(a_proof_that_is_cut_short_is_refused),
      cmocka_unit_test(a_forged_proof_proves_nothing_that_has_a_model),
      cmocka_unit_test(a_solver_that_lies_is_refused),
      cmocka_unit_test(no_clauses_and_an_empty_clause),
      cmocka_unit_test(deleted_clauses_leave_memory),
      cmocka_unit_test(limits_end_a_refutation),
  };
  if (argc > 1) cmocka_set_test_filter(argv[1]);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
