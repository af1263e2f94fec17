/* The search for models of clauses beside trying all assignments; and a search that learns what
 * does not follow refutes nothing. */
#include "certify/unsat/clause_search.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { VARIABLES = 10, CLAUSES = 60, PROBLEMS = 400 };

typedef struct {
  int lits[CLAUSES][3];
  size_t n;
} problem;

static uint64_t next(uint64_t *seed) { return *seed = tp_hash_u64(*seed + 1); }

static void draw_clause(problem *p, uint64_t *seed) {
  for (int i = 0; i < 3; i++) {
    const int v = 1 + (int)(next(seed) % VARIABLES);
    p->lits[p->n][i] = next(seed) % 2 ? v : -v;
  }
  p->n++;
}

static bool is_met(const problem *p, uint32_t assignment) {
  for (size_t k = 0; k < p->n; k++) {
    bool some = false;
    for (int i = 0; i < 3; i++) {
      const int a = p->lits[k][i];
      some = some || (assignment >> abs(a) & 1) == (a > 0);
    }
    if (!some) return false;
  }
  return true;
}

static bool has_model(const problem *p) {
  for (uint32_t a = 0; a < UINT32_C(2) << VARIABLES; a += 2)
    if (is_met(p, a)) return true;
  return false;
}

static uint32_t model_of(const tp_clause_search *s) {
  uint32_t a = 0;
  for (int v = 1; v <= VARIABLES; v++)
    if (tp_clause_search_holds(s, v)) a |= UINT32_C(1) << v;
  return a;
}

/* Clauses come one after the other, and a model is looked for after some of them: as long as there
 * is one it is found, and the first time that there is none that is proved. */
static void answers_are_those_of_all_assignments(void **unused) {
  (void)unused;
  int n_refuted = 0, n_models = 0;
  for (uint64_t seed = 0; seed < PROBLEMS; seed++) {
    tp_clause_search *s = tp_clause_search_new();
    problem p = {.n = 0};
    uint64_t state = seed;
    tp_clause_search_answer answer = TP_CLAUSE_SEARCH_MODEL;
    while (p.n < CLAUSES && answer == TP_CLAUSE_SEARCH_MODEL) {
      draw_clause(&p, &state);
      tp_clause_search_add(s, p.lits[p.n - 1], 3);
      if (next(&state) % 4 && p.n < CLAUSES) continue;
      answer = tp_clause_search_run(s, 0);
      assert_int_equal(answer, has_model(&p) ? TP_CLAUSE_SEARCH_MODEL : TP_CLAUSE_SEARCH_REFUTED);
      if (answer == TP_CLAUSE_SEARCH_MODEL) assert_true(is_met(&p, model_of(s)));
      n_models += answer == TP_CLAUSE_SEARCH_MODEL;
      n_refuted += answer == TP_CLAUSE_SEARCH_REFUTED;
    }
    tp_clause_search_free(s);
  }
  assert_true(n_refuted > PROBLEMS / 4 && n_models > PROBLEMS);
}

/* n + 1 things in n places: no model, and no short proof. */
static tp_clause_search *open_pigeons(int n) {
  tp_clause_search *s = tp_clause_search_new();
  int *all = TP_NEW_ARRAY(int, (size_t)n);
  for (int i = 0; i <= n; i++) {
    for (int k = 0; k < n; k++) all[k] = 1 + i * n + k;
    tp_clause_search_add(s, all, (size_t)n);
    for (int j = 0; j < i; j++)
      for (int k = 0; k < n; k++)
        tp_clause_search_add(s, (int[]){-(1 + i * n + k), -(1 + j * n + k)}, 2);
  }
  tp_free(all);
  return s;
}

static void limits_end_a_search_that_goes_on_later(void **unused) {
  (void)unused;
  tp_clause_search *s = open_pigeons(6);
  assert_int_equal(tp_clause_search_run(s, 10), TP_CLAUSE_SEARCH_LIMIT);
  assert_int_equal(tp_clause_search_run(s, 0), TP_CLAUSE_SEARCH_REFUTED);
  assert_int_equal(tp_clause_search_run(s, 0), TP_CLAUSE_SEARCH_REFUTED);
  tp_clause_search_free(s);
}

/* Learnt clauses that lack a literal say too much: problems with models come to contradictions, and
 * the checker of proofs refuses each of them. */
static void what_does_not_follow_refutes_nothing(void **unused) {
  (void)unused;
  int n_refused = 0;
  for (uint64_t seed = 0; seed < PROBLEMS; seed++) {
    problem p = {.n = 0};
    uint64_t state = seed;
    tp_clause_search *s = tp_clause_search_new();
    while (p.n < CLAUSES / 2) {
      draw_clause(&p, &state);
      tp_clause_search_add(s, p.lits[p.n - 1], 3);
    }
    tp_clause_search_inject(true);
    const tp_clause_search_answer answer = tp_clause_search_run(s, 0);
    tp_clause_search_inject(false);
    assert_true(answer != TP_CLAUSE_SEARCH_REFUTED || !has_model(&p));
    n_refused += answer == TP_CLAUSE_SEARCH_LIMIT;
    tp_clause_search_free(s);
  }
  assert_true(n_refused > 0);
}

static void small_clauses(void **unused) {
  (void)unused;
  static const struct {
    int lits[4][2];
    size_t n[4];
    tp_clause_search_answer answer;
  } rows[] = {
      {{{0}}, {0}, TP_CLAUSE_SEARCH_REFUTED},                        // the empty clause
      {{{1}, {-1}}, {1, 1, 2, 2}, TP_CLAUSE_SEARCH_REFUTED},         // units
      {{{1, 1}, {-1, -1}}, {2, 2, 2, 2}, TP_CLAUSE_SEARCH_REFUTED},  // a literal twice
      {{{1, -1}, {2, -2}, {1, 2}, {-1, 2}}, {2, 2, 2, 2}, TP_CLAUSE_SEARCH_MODEL},
      {{{1, 2}, {-1, 2}, {1, -2}, {-1, -2}}, {2, 2, 2, 2}, TP_CLAUSE_SEARCH_REFUTED},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    tp_clause_search *s = tp_clause_search_new();
    for (size_t k = 0; k < 4; k++)
      if (rows[i].n[k] == 0 || rows[i].lits[k][0])
        tp_clause_search_add(s, rows[i].lits[k], rows[i].n[k]);
    assert_int_equal(tp_clause_search_run(s, 0), rows[i].answer);
    tp_clause_search_free(s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(answers_are_those_of_all_assignments),
      cmocka_unit_test(limits_end_a_search_that_goes_on_later),
      cmocka_unit_test(what_does_not_follow_refutes_nothing),
      cmocka_unit_test(small_clauses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
