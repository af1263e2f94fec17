/* The checker of proofs: real proofs are accepted, no proof is accepted for a CNF that has a model,
 * nonsense is named. */
#include "certify/unsat/refutation.h"
#include "refute.h"
#include "contracts/rel/finder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static tp_drat_answer check(const tp_str *cnf, const tp_str *proof, tp_drat_format format,
                            tp_drat_stats *stats) {
  tp_str why = {0};
  const tp_drat_answer a =
      tp_drat_check(tp_str_text(cnf), cnf->n, tp_str_text(proof), proof->n, format, 0, stats, &why);
  assert_true(a == TP_DRAT_VERIFIED || why.n > 0);
  tp_str_clear(&why);
  return a;
}

/* n + 1 pigeons in n holes, without one of the clauses; every clause is needed. Returns how many
 * there are. */
static uint32_t pigeons(uint32_t n, uint32_t without, tp_str *out) {
  tp_str clauses = {0};
  uint32_t k = 0;
  for (uint32_t p = 0; p <= n; p++, k++) {
    if (k == without) continue;
    for (uint32_t h = 1; h <= n; h++) tp_str_printf(&clauses, "%u ", p * n + h);
    tp_str_add(&clauses, "0\n");
  }
  for (uint32_t h = 1; h <= n; h++)
    for (uint32_t p = 0; p <= n; p++)
      for (uint32_t q = 0; q < p; q++, k++)
        if (k != without) tp_str_printf(&clauses, "-%u -%u 0\n", p * n + h, q * n + h);
  tp_str_printf(out, "c pigeons\np cnf %u %u\n%s", n * (n + 1), k - (without < k),
                tp_str_text(&clauses));
  tp_str_clear(&clauses);
  return k;
}

static void proofs_of_the_solver_are_accepted_and_prove_nothing_else(void **state) {
  (void)state;
  tp_str cnf = {0}, proof = {0};
  tp_drat_stats stats;
  const uint32_t n_clauses = pigeons(5, UINT32_MAX, &cnf);
  assert_int_equal(tp_refute(&cnf, 60, &proof), TP_OK);
  assert_int_equal(check(&cnf, &proof, TP_DRAT_BINARY, &stats), TP_DRAT_VERIFIED);
  assert_true(stats.n_added > 10 && stats.n_deleted > 0);
  for (uint32_t i = 0; i < n_clauses; i++) {
    tp_str other = {0};
    pigeons(5, i, &other);
    assert_int_not_equal(check(&other, &proof, TP_DRAT_BINARY, &stats), TP_DRAT_VERIFIED);
    tp_str_clear(&other);
  }
  tp_str half = {0};
  tp_str_add_n(&half, proof.text, proof.n / 3);
  assert_int_not_equal(check(&cnf, &half, TP_DRAT_BINARY, &stats), TP_DRAT_VERIFIED);
  tp_str_clear(&half);
  tp_str_clear(&proof);
  tp_str_clear(&cnf);
  pigeons(5, 0, &cnf);
  assert_int_equal(tp_refute(&cnf, 60, &proof), TP_ERR_INPUT);
  tp_str_clear(&cnf);
  tp_str_clear(&proof);
}

/* A bounded question of the relational engine: a strict order of which everybody has a successor.
 */
static void K12_no_instance_comes_with_a_proof(void **state) {
  (void)state;
  for (int symmetry = 0; symmetry < 2; symmetry++) {
    tp_rel *l = tp_rel_new();
    tp_rel_universe *u = tp_rel_universe_new();
    for (int i = 0; i < 5; i++) tp_rel_atom(u, "n");
    tp_rel_bounds *b = tp_rel_bounds_new(l, u);
    const tp_rel_expr r = tp_rel_relation(l, "r", 2);
    tp_rel_tuples all = {0};
    tp_rel_tuples_add_product(u, &all, 2, (uint32_t[]){0, 0}, (uint32_t[]){4, 4});
    assert_int_equal(tp_rel_bound(b, r, &(tp_rel_tuples){0}, &all), TP_OK);
    tp_rel_options o = tp_rel_default_options();
    if (!symmetry) o.symmetry_length = 0;
    tp_rel_finder *f = tp_rel_finder_new(b, o);
    const tp_rel_formula parts[] = {
        tp_rel_compare(l, TP_REL_IN, tp_rel_binary(l, TP_REL_JOIN, r, r), r),
        tp_rel_multiplicity(l, TP_REL_NO, tp_rel_binary(l, TP_REL_INTERSECTION, r, tp_rel_iden(l))),
        tp_rel_compare(l, TP_REL_EQUAL, tp_rel_binary(l, TP_REL_JOIN, r, tp_rel_univ(l)),
                       tp_rel_univ(l))};
    for (int i = 0; i < 3; i++) assert_int_equal(tp_rel_finder_add(f, parts[i]), TP_OK);
    assert_int_equal(tp_rel_finder_solve(f, NULL, 0), TP_REL_UNSAT);
    tp_str cnf = {0}, proof = {0};
    tp_drat_stats stats;
    assert_int_equal(tp_rel_finder_cnf(f, NULL, 0, &cnf), TP_OK);
    assert_int_equal(tp_refute(&cnf, 60, &proof), TP_OK);
    assert_int_equal(check(&cnf, &proof, TP_DRAT_BINARY, &stats), TP_DRAT_VERIFIED);
    tp_rel_clauses clauses = {0};
    tp_refutation_stats streamed, forged;
    assert_int_equal(tp_rel_finder_clauses(f, NULL, 0, &clauses), TP_OK);
    assert_int_equal(
        tp_refute_clauses(clauses.at, clauses.n, (tp_refutation_limits){0}, &streamed, NULL),
        TP_REFUTATION_PROVED);
    assert_true(streamed.proof_bytes > 4);
    tp_refutation_inject(TP_PROOF_FAULT_SHORTEN, streamed.proof_bytes / 4);
    assert_int_not_equal(
        tp_refute_clauses(clauses.at, clauses.n, (tp_refutation_limits){0}, &forged, NULL),
        TP_REFUTATION_PROVED);
    tp_refutation_inject(TP_PROOF_FAULT_LIE, 0);
    assert_int_not_equal(
        tp_refute_clauses(clauses.at, clauses.n, (tp_refutation_limits){0}, &forged, NULL),
        TP_REFUTATION_PROVED);
    tp_refutation_inject(TP_PROOF_FAULT_NONE, 0);
    tp_vec_clear(&clauses);
    tp_str_clear(&cnf);
    tp_str_clear(&proof);
    tp_rel_tuples_clear(&all);
    tp_rel_finder_free(f);
    tp_rel_bounds_free(b);
    tp_rel_universe_free(u);
    tp_rel_free(l);
  }
}

// --------------------------------------------------------------- invented proofs

enum { N_VARIABLES = 5, MAX_CLAUSES = 40 };

typedef struct {
  int lits[4];
  int n;
} small_clause;

static small_clause any_clause(tp_rng *r, int n_variables) {
  small_clause c = {.n = (int)tp_rng_below(r, 4)};
  if (c.n == 0) c.n = (int)tp_rng_below(r, 3);
  for (int i = 0; i < c.n; i++) {
    c.lits[i] = 1 + (int)tp_rng_below(r, (uint64_t)n_variables);
    if (tp_rng_below(r, 2)) c.lits[i] = -c.lits[i];
  }
  return c;
}

static bool is_satisfied(const small_clause *c, uint32_t values) {
  for (int i = 0; i < c->n; i++)
    if ((values >> (abs(c->lits[i]) - 1) & 1) == (c->lits[i] > 0)) return true;
  return false;
}

static bool has_model(const small_clause *c, int n) {
  for (uint32_t values = 0; values < 1u << N_VARIABLES; values++) {
    int i = 0;
    while (i < n && is_satisfied(&c[i], values)) i++;
    if (i == n) return true;
  }
  return false;
}

static void print_clause(const small_clause *c, tp_str *out) {
  for (int i = 0; i < c->n; i++) tp_str_printf(out, "%d ", c->lits[i]);
  tp_str_add(out, "0\n");
}

/* Random clauses, offered one after another and kept if the checker takes them; some are deleted
 * again, one variable is new. Whatever was taken, a CNF with a model is not refuted. */
static void no_proof_is_accepted_where_there_is_a_model(void **state) {
  (void)state;
  const uint64_t rounds = getenv("TP_SOAK") ? 50000 : 600;
  uint64_t n_verified = 0, n_rat = 0;
  tp_rng r;
  tp_rng_init(&r, 7);
  for (uint64_t round = 0; round < rounds; round++) {
    small_clause clauses[MAX_CLAUSES];
    const int n = 4 + (int)tp_rng_below(&r, 20);
    tp_str cnf = {0}, proof = {0};
    tp_drat_stats stats = {0};
    tp_drat_answer a = TP_DRAT_REJECTED;
    tp_str_printf(&cnf, "p cnf %d %d\n", N_VARIABLES, n);
    for (int i = 0; i < n; i++) {
      do clauses[i] = any_clause(&r, N_VARIABLES);
      while (clauses[i].n == 0);
      print_clause(&clauses[i], &cnf);
    }
    for (int step = 0; step < 16 && a != TP_DRAT_VERIFIED; step++) {
      tp_str longer = {0}, why = {0};
      const bool deletes = tp_rng_below(&r, 5) == 0;
      const small_clause c =
          deletes ? clauses[tp_rng_below(&r, (uint64_t)n)] : any_clause(&r, N_VARIABLES + 1);
      tp_str_add_n(&longer, tp_str_text(&proof), proof.n);
      if (deletes) tp_str_add(&longer, "d ");
      print_clause(&c, &longer);
      a = tp_drat_check(cnf.text, cnf.n, longer.text, longer.n, TP_DRAT_TEXT, 0, &stats, &why);
      if (strstr(tp_str_text(&why), "ends without")) {
        tp_str_clear(&proof);
        proof = longer;
        longer = (tp_str){0};
        n_rat += stats.n_rat;
      }
      tp_str_clear(&longer);
      tp_str_clear(&why);
    }
    if (a == TP_DRAT_VERIFIED) assert_false(has_model(clauses, n));
    n_verified += a == TP_DRAT_VERIFIED;
    tp_str_clear(&cnf);
    tp_str_clear(&proof);
  }
  assert_true(n_verified > rounds / 20 && n_verified < rounds);
  assert_true(n_rat > rounds / 2);
}

static void steps_of_a_table(void **state) {
  (void)state;
  static const char four[] = "p cnf 2 4\n1 2 0 -1 2 0\n1 -2 0 -1 -2 0\n";
  static const struct {
    const char *cnf, *proof;
    tp_drat_answer answer;
  } rows[] = {
      {four, "2 0\n0\n", TP_DRAT_VERIFIED},
      {four, "2 0\n", TP_DRAT_VERIFIED},                     // units are in conflict already
      {four, "d 1 2 0\nd -1 2 0\n2 0\n", TP_DRAT_REJECTED},  // what it follows from is gone
      {four, "0\n", TP_DRAT_REJECTED},
      {four, "", TP_DRAT_REJECTED},
      {four, "c a comment\n3 1 0\n-3 0\n2 0\n", TP_DRAT_VERIFIED},  // a new variable
      {"p cnf 2 3\n1 2 0 -1 2 0 1 -2 0\n", "2 0\n1 0\n0\n", TP_DRAT_REJECTED},
      {"p cnf 1 2\n1 0 -1 0\n", "", TP_DRAT_VERIFIED},
      {"p cnf 1 1\n0\n", "", TP_DRAT_VERIFIED},
      {"p cnf 1 1\n1 -1 0\n", "0\n", TP_DRAT_REJECTED},
      {"p cnf 2 2\n1 0 1 2 0\n", "d 1 0\n-1 0\n",
       TP_DRAT_REJECTED},  // the unit stays: it gave 1 its value
      {"p cnf 2 2\n1 2 0 -1 2 0\n", "-2 0\n", TP_DRAT_REJECTED},
      {"p cnf 1 2\n1 0\n", "", TP_DRAT_MALFORMED},
      {"p cnf 1 1\n1 0 -1 0\n", "", TP_DRAT_MALFORMED},
      {"p cnf 1 1\n2 0\n", "", TP_DRAT_MALFORMED},
      {"1 0\n", "", TP_DRAT_MALFORMED},
      {"p cnf 1 1\n99999999999999999999 0\n", "", TP_DRAT_MALFORMED},
      {four, "2 x\n", TP_DRAT_MALFORMED},
      {four, "1 2", TP_DRAT_MALFORMED},
  };
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    tp_str why = {0};
    tp_drat_stats stats;
    const tp_drat_answer a = tp_drat_check(rows[k].cnf, strlen(rows[k].cnf), rows[k].proof,
                                           strlen(rows[k].proof), TP_DRAT_TEXT, 0, &stats, &why);
    if (a != rows[k].answer) fail_msg("row %zu: %d: %s", k, (int)a, tp_str_text(&why));
    tp_str_clear(&why);
  }
  tp_str cnf = {0}, proof = {0}, why = {0};
  tp_drat_stats stats;
  pigeons(6, UINT32_MAX, &cnf);
  assert_int_equal(tp_refute(&cnf, 60, &proof), TP_OK);
  assert_int_equal(
      tp_drat_check(cnf.text, cnf.n, proof.text, proof.n, TP_DRAT_BINARY, 100, &stats, &why),
      TP_DRAT_GAVE_UP);
  tp_str_clear(&cnf);
  tp_str_clear(&proof);
  tp_str_clear(&why);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_of_a_table),
      cmocka_unit_test(proofs_of_the_solver_are_accepted_and_prove_nothing_else),
      cmocka_unit_test(K12_no_instance_comes_with_a_proof),
      cmocka_unit_test(no_proof_is_accepted_where_there_is_a_model),
  };
  return cmocka_run_group_tests_name("drat", tests, NULL, NULL);
}
