/* Kleene logic and evaluation: truth tables, closures of all small graphs against walks, random
 * formulas against an evaluator that knows one value at a time. */
#include "shape/formula.h"

#include <setjmp.h>
#include <stdlib.h>

#include <cmocka.h>

#define F TP_KLEENE_FALSE
#define H TP_KLEENE_HALF
#define T TP_KLEENE_TRUE
static const tp_kleene values[3] = {F, H, T};

static void F10_truth_tables(void **state) {
  (void)state;
  const tp_kleene conjunction[3][3] = {{F, F, F}, {F, H, H}, {F, H, T}};
  const tp_kleene disjunction[3][3] = {{F, H, T}, {H, H, T}, {T, T, T}};
  const tp_kleene joined[3][3] = {{F, H, H}, {H, H, H}, {H, H, T}};
  const bool below[3][3] = {{true, true, false}, {false, true, false}, {false, true, true}};
  for (int i = 0; i < 3; i++) {
    assert_int_equal(tp_kleene_not(values[i]), values[2 - i]);
    for (int k = 0; k < 3; k++) {
      const tp_kleene a = values[i], b = values[k];
      assert_int_equal(tp_kleene_and(a, b), conjunction[i][k]);
      assert_int_equal(tp_kleene_or(a, b), disjunction[i][k]);
      assert_int_equal(tp_kleene_join(a, b), joined[i][k]);
      assert_int_equal(tp_kleene_leq(a, b), below[i][k]);
      for (int c = 0; c < 3; c++) {
        const tp_k64 x =
            tp_k64_choose(tp_k64_fill(values[c], 1), tp_k64_fill(a, 1), tp_k64_fill(b, 1), 1);
        assert_int_equal(tp_k64_get(x, 0), values[c] == T ? a : values[c] == F ? b : joined[i][k]);
      }
    }
  }
}

/* Vectors do to every value what the connectives do, and no bit beyond the mask appears. */
static void F10_vectors_are_values(void **state) {
  (void)state;
  tp_rng rng;
  tp_rng_init(&rng, 10);
  for (int i = 0; i < 200; i++) {
    const uint32_t n = (uint32_t)tp_rng_below(&rng, 65);
    const uint64_t mask = tp_k64_all(n);
    tp_k64 a = {0, 0}, b = {0, 0};
    for (uint32_t k = 0; k < n; k++) {
      tp_k64_set(&a, k, values[tp_rng_below(&rng, 3)]);
      tp_k64_set(&b, k, values[tp_rng_below(&rng, 3)]);
    }
    bool leq = true;
    for (uint32_t k = 0; k < n; k++) {
      const tp_kleene x = tp_k64_get(a, k), y = tp_k64_get(b, k);
      assert_int_equal(tp_k64_get(tp_k64_and(a, b), k), tp_kleene_and(x, y));
      assert_int_equal(tp_k64_get(tp_k64_or(a, b), k), tp_kleene_or(x, y));
      assert_int_equal(tp_k64_get(tp_k64_not(a, mask), k), tp_kleene_not(x));
      leq = leq && tp_kleene_leq(x, y);
    }
    assert_int_equal(tp_k64_leq(a, b), leq);
    assert_true(!(tp_k64_not(a, mask).may & ~mask));
  }
}

// -------------------------------------------------------------------- closures

static tp_kleene edge(const tp_structure *s, uint32_t u, uint32_t v) {
  return tp_k64_get(*tp_structure_row(s, 0, u), v);
}

/* The best walk of at most n steps from u to v: the least value of its steps. */
static tp_kleene best_walk(const tp_structure *s, uint32_t u, uint32_t v, uint32_t steps) {
  tp_kleene best = edge(s, u, v);
  if (steps > 1)
    for (uint32_t w = 0; w < s->n; w++)
      if (edge(s, u, w) != F)
        best = tp_kleene_or(best, tp_kleene_and(edge(s, u, w), best_walk(s, w, v, steps - 1)));
  return best;
}

static void check_closure(tp_evaluation *e, tp_formula strict, tp_formula reflexive,
                          const tp_structure *s) {
  tp_evaluation_begin(e, s, NULL);
  for (uint32_t u = 0; u < s->n; u++) {
    tp_evaluation_bind(e, 0, u);
    const tp_k64 row = tp_evaluate_set(e, strict, 1), more = tp_evaluate_set(e, reflexive, 1);
    for (uint32_t v = 0; v < s->n; v++) {
      const tp_kleene expected = best_walk(s, u, v, s->n);
      assert_int_equal(tp_k64_get(row, v), expected);
      assert_int_equal(tp_k64_get(more, v), tp_kleene_or(tp_structure_equal(s, u, v), expected));
    }
  }
}

/* All three-valued graphs with up to three nodes, all two-valued ones with four, with single and
 * summary nodes. */
static void F10_closure_of_all_small_graphs(void **state) {
  (void)state;
  tp_formulas *t = tp_formulas_new();
  const tp_formula step = tp_formula_binary(t, TP_BEFORE, 0, 10, 11);
  const tp_formula strict = tp_formula_closure(t, 10, 11, step, 0, 1),
                   reflexive = tp_formula_reflexive(t, 10, 11, step, 0, 1);
  tp_evaluation *e = tp_evaluation_new(t);
  tp_structure s;
  tp_structure_init(&s, 0, 1);
  for (uint32_t n = 0; n <= 4; n++) {
    const uint32_t base = n < 4 ? 3 : 2;
    uint32_t all = 1;
    for (uint32_t i = 0; i < n * n; i++) all *= base;
    tp_structure_reset(&s);
    for (uint32_t u = 0; u < n; u++) tp_structure_add(&s);
    for (uint32_t code = 0; code < all; code++) {
      uint32_t left = code;
      for (uint32_t i = 0; i < n * n; i++, left /= base)
        tp_k64_set(tp_structure_row(&s, 0, i / n), i % n,
                   base == 3 ? values[left % 3] : values[2 * (left % 2)]);
      s.summary = code % 5 & tp_structure_nodes(&s);
      check_closure(e, strict, reflexive, &s);
    }
  }
  tp_structure_clear(&s);
  tp_evaluation_free(e);
  tp_formulas_free(t);
}

// ------------------------------------------------------------- random formulas

enum { N_VARS = 4, N_UNARY = 2, N_BINARY = 2 };

/* The definition of a formula's value, one assignment at a time. */
static tp_kleene naive(const tp_formulas *t, tp_formula f, const tp_structure *before,
                       const tp_structure *after, const uint32_t *env) {
  const tp_formula_node *n = tp_formula_at(t, f);
  const tp_structure *s = n->is_primed ? after : before;
  uint32_t inner[TP_FORMULA_MAX_VARS];
  memcpy(inner, env, sizeof inner);
  switch (n->kind) {
    case TP_FORMULA_VALUE: return n->value;
    case TP_FORMULA_UNARY: return tp_k64_get(s->unary[n->predicate], env[n->a]);
    case TP_FORMULA_BINARY:
      return tp_k64_get(*tp_structure_row(s, n->predicate, env[n->a]), env[n->b]);
    case TP_FORMULA_EQUAL: return tp_structure_equal(before, env[n->a], env[n->b]);
    case TP_FORMULA_NOT: return tp_kleene_not(naive(t, n->kid[0], before, after, env));
    case TP_FORMULA_AND:
      return tp_kleene_and(naive(t, n->kid[0], before, after, env),
                           naive(t, n->kid[1], before, after, env));
    case TP_FORMULA_OR:
      return tp_kleene_or(naive(t, n->kid[0], before, after, env),
                          naive(t, n->kid[1], before, after, env));
    case TP_FORMULA_CHOOSE: {
      const tp_kleene c = naive(t, n->kid[0], before, after, env),
                      x = naive(t, n->kid[1], before, after, env),
                      y = naive(t, n->kid[2], before, after, env);
      return c == T ? x : c == F ? y : tp_kleene_join(x, y);
    }
    case TP_FORMULA_EXISTS: {
      tp_kleene out = F;
      for (inner[n->a] = 0; inner[n->a] < before->n; inner[n->a]++)
        out = tp_kleene_or(out, naive(t, n->kid[0], before, after, inner));
      return out;
    }
    case TP_FORMULA_CLOSURE: {
      tp_structure steps;  // the steps as a graph, then walks in it
      tp_structure_init(&steps, 0, 1);
      for (uint32_t u = 0; u < before->n; u++) tp_structure_add(&steps);
      for (inner[n->from] = 0; inner[n->from] < before->n; inner[n->from]++)
        for (inner[n->to] = 0; inner[n->to] < before->n; inner[n->to]++)
          tp_k64_set(tp_structure_row(&steps, 0, inner[n->from]), inner[n->to],
                     naive(t, n->kid[0], before, after, inner));
      const tp_kleene out = best_walk(&steps, env[n->a], env[n->b], before->n);
      tp_structure_clear(&steps);
      return out;
    }
  }
  return H;
}

static tp_formula random_formula(tp_formulas *t, tp_rng *rng, uint32_t depth) {
  const tp_when when = tp_rng_below(rng, 3) ? TP_BEFORE : TP_AFTER;
  const uint32_t u = (uint32_t)tp_rng_below(rng, N_VARS), v = (uint32_t)tp_rng_below(rng, N_VARS);
  if (depth == 0) switch (tp_rng_below(rng, 6)) {
      case 0: return tp_formula_value(t, values[tp_rng_below(rng, 3)]);
      case 1: return tp_formula_equal(t, u, v);
      case 2:
      case 3: return tp_formula_unary(t, when, (uint32_t)tp_rng_below(rng, N_UNARY), u);
      default: return tp_formula_binary(t, when, (uint32_t)tp_rng_below(rng, N_BINARY), u, v);
    }
  const tp_formula f = random_formula(t, rng, depth - 1);
  switch (tp_rng_below(rng, 8)) {
    case 0: return tp_formula_not(t, f);
    case 1:
    case 2: return tp_formula_and(t, f, random_formula(t, rng, depth - 1));
    case 3: return tp_formula_or(t, f, random_formula(t, rng, depth - 1));
    case 4:
      return tp_formula_choose(t, f, random_formula(t, rng, depth - 1),
                               random_formula(t, rng, depth - 1));
    case 5: return tp_formula_exists(t, u, f);
    case 6: return tp_formula_forall(t, u, f);
    default: {
      const uint32_t from = (uint32_t)tp_rng_below(rng, N_VARS),
                     to = (from + 1 + (uint32_t)tp_rng_below(rng, N_VARS - 1)) % N_VARS;
      return tp_formula_closure(t, from, to, f, u, v);
    }
  }
}

static void random_values(tp_rng *rng, tp_structure *s, uint32_t n) {
  tp_structure_reset(s);
  for (uint32_t u = 0; u < n; u++) tp_structure_add(s);
  s->summary = tp_rng_next(rng) & tp_structure_nodes(s);
  for (uint32_t u = 0; u < n; u++) {
    for (uint32_t p = 0; p < N_UNARY; p++)
      tp_k64_set(&s->unary[p], u, values[tp_rng_below(rng, 3)]);
    for (uint32_t p = 0; p < N_BINARY; p++)
      for (uint32_t v = 0; v < n; v++)
        tp_k64_set(tp_structure_row(s, p, u), v, values[tp_rng_below(rng, 3)]);
  }
}

static void F10_evaluation_is_the_definition(void **state) {
  (void)state;
  tp_rng rng;
  tp_rng_init(&rng, 1010);
  tp_formulas *t = tp_formulas_new();
  tp_evaluation *e = tp_evaluation_new(t);
  tp_structure before, after;
  tp_structure_init(&before, N_UNARY, N_BINARY);
  tp_structure_init(&after, N_UNARY, N_BINARY);
  uint32_t seen[4] = {0};
  const unsigned rounds = getenv("TP_SOAK") ? 200000 : 3000;
  for (unsigned i = 0; i < rounds; i++) {
    const uint32_t n = (uint32_t)tp_rng_below(&rng, 4);
    random_values(&rng, &before, n);
    random_values(&rng, &after, n);
    after.summary = before.summary;
    const tp_formula f = random_formula(t, &rng, (uint32_t)tp_rng_below(&rng, 4)),
                     opposite = tp_formula_not(t, f);
    tp_evaluation_begin(e, &before, &after);
    uint32_t env[TP_FORMULA_MAX_VARS] = {0};
    for (uint32_t v = 0; n && v < N_VARS; v++) {
      env[v] = (uint32_t)tp_rng_below(&rng, n);
      tp_evaluation_bind(e, v, env[v]);
    }
    if (!n && tp_formula_at(t, f)->free) continue;
    const tp_kleene expected = naive(t, f, &before, &after, env);
    assert_int_equal(tp_evaluate(e, f), expected);
    assert_int_equal(naive(t, opposite, &before, &after, env), tp_kleene_not(expected));
    seen[expected]++;
    for (uint32_t v = 0; v < N_VARS; v++) {
      const tp_k64 all = tp_evaluate_set(e, f, v);
      assert_true(!(all.may & ~tp_structure_nodes(&before)) && !(all.must & ~all.may));
      const uint32_t kept = env[v];
      for (env[v] = 0; env[v] < n; env[v]++)
        assert_int_equal(tp_k64_get(all, env[v]), naive(t, f, &before, &after, env));
      env[v] = kept;
    }
  }
  assert_true(seen[F] > rounds / 10 && seen[H] > rounds / 10 && seen[T] > rounds / 20);
  tp_structure_clear(&before);
  tp_structure_clear(&after);
  tp_evaluation_free(e);
  tp_formulas_free(t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(F10_truth_tables),
      cmocka_unit_test(F10_vectors_are_values),
      cmocka_unit_test(F10_closure_of_all_small_graphs),
      cmocka_unit_test(F10_evaluation_is_the_definition),
  };
  return cmocka_run_group_tests_name("shape formulas", tests, NULL, NULL);
}
