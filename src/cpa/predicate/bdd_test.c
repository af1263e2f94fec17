/* Diagrams against truth tables: random expressions over few variables, and the laws of a canonical
 * form. */
#include "cpa/predicate/bdd.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { VARS = 6, ROWS = 1 << VARS };

/* A function twice: as a diagram and as its truth table, row r gives variable v the bit v of r. */
typedef struct {
  tp_bdd f;
  uint64_t table;
} both;

static uint64_t table_of_var(uint32_t v) {
  uint64_t t = 0;
  for (uint32_t r = 0; r < ROWS; r++) t |= (uint64_t)(r >> v & 1) << r;
  return t;
}

static uint64_t table_of(const tp_bdds *b, tp_bdd f) {
  uint64_t t = 0;
  for (uint32_t r = 0; r < ROWS; r++) {
    bool values[VARS];
    for (uint32_t v = 0; v < VARS; v++) values[v] = r >> v & 1;
    t |= (uint64_t)tp_bdd_value(b, f, values) << r;
  }
  return t;
}

static uint64_t exists_in_table(uint64_t t, uint32_t v) {
  uint64_t has = table_of_var(v), high = t & has, low = t & ~has;
  uint32_t by = 1u << v;
  return high | high >> by | low | low << by;
}

static both random_function(tp_bdds *b, tp_rng *rng, both *pool, size_t n) {
  both x = pool[tp_rng_below(rng, n)], y = pool[tp_rng_below(rng, n)],
       z = pool[tp_rng_below(rng, n)];
  switch (tp_rng_below(rng, 4)) {
    case 0: return (both){tp_bdd_and(b, x.f, y.f), x.table & y.table};
    case 1: return (both){tp_bdd_or(b, x.f, y.f), x.table | y.table};
    case 2: return (both){tp_bdd_not(b, x.f), ~x.table};
    default:
      return (both){tp_bdd_ite(b, x.f, y.f, z.f), (x.table & y.table) | (~x.table & z.table)};
  }
}

static void check_quantifier(tp_bdds *b, tp_rng *rng, both x) {
  bool drop[VARS] = {false};
  uint64_t expected = x.table;
  for (uint32_t v = 0; v < VARS; v++) {
    drop[v] = tp_rng_below(rng, 2);
    if (drop[v]) expected = exists_in_table(expected, v);
  }
  assert_true(table_of(b, tp_bdd_exists(b, x.f, drop, VARS)) == expected);
}

static void check_support(const tp_bdds *b, both x) {
  bool in[VARS] = {false};
  tp_bdd_support(b, x.f, in, VARS);
  for (uint32_t v = 0; v < VARS; v++) {
    uint64_t has = table_of_var(v);
    uint32_t by = 1u << v;
    assert_int_equal(in[v], (x.table & has) >> by != (x.table & ~has));
  }
}

static void random_functions_agree_with_truth_tables(void **state) {
  (void)state;
  enum { FUNCTIONS = 400 };
  static both pool[FUNCTIONS];
  tp_bdds b;
  tp_rng rng;
  tp_bdds_init(&b);
  tp_rng_init(&rng, 1);
  for (uint32_t i = 0; i < FUNCTIONS; i++) {
    if (i < VARS)
      pool[i] = (both){tp_bdd_var(&b, i), table_of_var(i)};
    else
      pool[i] = random_function(&b, &rng, pool, i);
    assert_true(table_of(&b, pool[i].f) == pool[i].table);
    check_quantifier(&b, &rng, pool[i]);
    check_support(&b, pool[i]);
    both other = pool[tp_rng_below(&rng, i + 1)];
    assert_int_equal(tp_bdd_implies(&b, pool[i].f, other.f), (pool[i].table & ~other.table) == 0);
    assert_int_equal(tp_bdd_eq(pool[i].f, other.f), pool[i].table == other.table);
  }
  assert_true(tp_bdds_check(&b));
  tp_bdds_clear(&b);
  assert_int_equal(tp_live_bytes(), 0);
}

static void cubes_are_conjunctions_of_literals(void **state) {
  (void)state;
  tp_bdds b;
  tp_rng rng;
  tp_bdds_init(&b);
  tp_rng_init(&rng, 2);
  assert_true(tp_bdd_is_true(tp_bdd_cube(&b, NULL, 0)));
  for (int round = 0; round < 500; round++) {
    tp_bdd_literal cube[VARS];
    size_t n = 0;
    tp_bdd expected = TP_BDD_TRUE;
    for (uint32_t v = VARS; v-- > 0;) {
      if (tp_rng_below(&rng, 2)) continue;
      bool value = tp_rng_below(&rng, 2);
      cube[n++] = (tp_bdd_literal){v, value};
      expected =
          tp_bdd_and(&b, expected, value ? tp_bdd_var(&b, v) : tp_bdd_not(&b, tp_bdd_var(&b, v)));
    }
    assert_true(tp_bdd_eq(tp_bdd_cube(&b, cube, n), expected));
  }
  tp_bdds_clear(&b);
}

/* Many cubes over many variables: the unique table grows, the computed one forgets. */
static void unions_of_many_cubes_stay_canonical(void **state) {
  (void)state;
  enum { WIDE = 40, CUBES = 600 };
  tp_bdds b;
  tp_rng rng;
  tp_bdds_init(&b);
  tp_rng_init(&rng, 3);
  static tp_bdd cubes[CUBES];
  tp_bdd forward = TP_BDD_FALSE, backward = TP_BDD_FALSE;
  for (int i = 0; i < CUBES; i++) {
    tp_bdd_literal cube[WIDE];
    for (uint32_t v = 0; v < WIDE; v++) cube[v] = (tp_bdd_literal){v, tp_rng_below(&rng, 2)};
    cubes[i] = tp_bdd_cube(&b, cube, WIDE);
    forward = tp_bdd_or(&b, forward, cubes[i]);
  }
  for (int i = CUBES; i-- > 0;) backward = tp_bdd_or(&b, backward, cubes[i]);
  assert_true(tp_bdd_eq(forward, backward));
  for (int i = 0; i < CUBES; i++) assert_true(tp_bdd_implies(&b, cubes[i], forward));
  bool all[WIDE];
  memset(all, 1, sizeof all);
  assert_true(tp_bdd_is_true(tp_bdd_exists(&b, forward, all, WIDE)));
  assert_true(tp_bdds_check(&b));
  tp_bdds_clear(&b);
}

typedef struct {
  const tp_terms *tt;
  uint32_t row;
} valuation;
static bool bit_of(void *ctx, tp_term var, tp_value *out) {
  const valuation *v = ctx;
  *out = (tp_value){.bits = v->row >> tp_var_index(v->tt, var) & 1};
  return true;
}
static uint64_t no_base(void *ctx, uint32_t object) {
  (void)ctx;
  (void)object;
  return 0;
}

static void terms_mean_what_diagrams_mean(void **state) {
  (void)state;
  enum { FUNCTIONS = 60 };
  both pool[FUNCTIONS];
  tp_term meaning[VARS];
  tp_terms *tt = tp_terms_new(64);
  tp_bdds b;
  tp_rng rng;
  tp_arena arena;
  tp_arena_init(&arena);
  tp_bdds_init(&b);
  tp_rng_init(&rng, 4);
  for (uint32_t v = 0; v < VARS; v++) meaning[v] = tp_mk_var(tt, "p", tp_sort_bool(tt));
  for (uint32_t i = 0; i < FUNCTIONS; i++) {
    if (i < VARS)
      pool[i] = (both){tp_bdd_var(&b, i), table_of_var(i)};
    else
      pool[i] = random_function(&b, &rng, pool, i);
    tp_term t = tp_bdd_term(&b, tt, pool[i].f, meaning);
    for (uint32_t r = 0; r < ROWS; r++) {
      valuation v = {tt, r};
      tp_env env = {.ctx = &v, .var = bit_of, .base = no_base};
      tp_value value;
      assert_int_equal(tp_eval(tt, t, &env, &arena, &value), TP_OK);
      assert_int_equal((int)value.bits, (int)(pool[i].table >> r & 1));
    }
  }
  tp_bdds_clear(&b);
  tp_arena_clear(&arena);
  tp_terms_free(tt);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_functions_agree_with_truth_tables),
                                     cmocka_unit_test(cubes_are_conjunctions_of_literals),
                                     cmocka_unit_test(unions_of_many_cubes_stay_canonical),
                                     cmocka_unit_test(terms_mean_what_diagrams_mean)};
  return cmocka_run_group_tests_name("bdd", tests, NULL, NULL);
}
