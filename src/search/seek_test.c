// Distances of states from formulas, and runs that are led to goals: counters that few inputs
// raise, their safe twins, goals that nothing leads to.
#include "exec/testing.h"
#include "search/seek.h"
#include "search/state_distance.h"

#include <math.h>

// ---------------------------------------------------------------------- distances

/* A program with two variables; states with values for them. */
typedef struct {
  build b;
  tp_var x, y;
  tp_state *s;
} plane;
static plane plane_new(void) {
  plane p = {.b = build_new(64)};
  p.x = build_global(&p.b, "x", tp_sort_bv(p.b.tt, 32), bv(&p.b, 32, 0));
  p.y = build_global(&p.b, "y", tp_sort_bv(p.b.tt, 32), bv(&p.b, 32, 0));
  build_func(&p.b, "main", (tp_sort){0});
  build_return(&p.b, TP_TERM_NONE);
  build_done(&p.b);
  p.s = tp_state_initial(p.b.p);
  return p;
}
static void set(plane *p, int64_t x, int64_t y) {
  tp_state_set(p->s, p->x, (tp_value){.bits = (uint32_t)x});
  tp_state_set(p->s, p->y, (tp_value){.bits = (uint32_t)y});
}
static double distance(plane *p, tp_term t) { return tp_state_distance(p->b.p, p->s, t); }

/* A formula over x and y, as deep as `depth`. */
static tp_term drawn(plane *p, tp_rng *rng, int depth) {
  tp_terms *tt = p->b.tt;
  const tp_term x = build_term(&p->b, p->x), y = build_term(&p->b, p->y),
                c = bv(&p->b, 32, (int64_t)tp_rng_below(rng, 9) - 4);
  const tp_term left = tp_rng_below(rng, 2) ? x : y, right = tp_rng_below(rng, 2) ? c : y;
  if (depth == 0) {
    switch (tp_rng_below(rng, 5)) {
      case 0: return tp_mk_eq(tt, left, right);
      case 1: return tp_mk2(tt, TP_OP_BV_ULT, left, right);
      case 2: return tp_mk2(tt, TP_OP_BV_ULE, left, right);
      case 3: return tp_mk2(tt, TP_OP_BV_SLT, left, right);
      default: return tp_mk2(tt, TP_OP_BV_SLE, left, right);
    }
  }
  const tp_term a = drawn(p, rng, depth - 1), b = drawn(p, rng, depth - 1);
  switch (tp_rng_below(rng, 5)) {
    case 0: return tp_mk_and(tt, a, b);
    case 1: return tp_mk_or(tt, a, b);
    case 2: return tp_mk_not(tt, a);
    case 3: return tp_mk_eq(tt, a, b);
    default: return tp_mk_ite(tt, a, b, drawn(p, rng, depth - 1));
  }
}

static void a_distance_is_0_exactly_where_the_formula_holds(void **state) {
  (void)state;
  plane p = plane_new();
  tp_rng rng;
  size_t n_holds = 0, n_fails = 0;
  tp_rng_init(&rng, 7);
  for (int i = 0; i < 2000; i++) {
    const tp_term t = drawn(&p, &rng, 1 + (int)tp_rng_below(&rng, 3));
    set(&p, (int64_t)tp_rng_below(&rng, 11) - 5, (int64_t)tp_rng_below(&rng, 11) - 5);
    tp_value v = {0};
    assert_int_equal(tp_state_eval(p.s, t, &v), TP_OK);
    const double d = distance(&p, t);
    if (!isfinite(d) || d < 0 || (d <= 0) != (v.bits != 0)) fail_msg("formula %d: %g", i, d);
    n_holds += v.bits != 0;
    n_fails += v.bits == 0;
  }
  assert_true(n_holds > 200 && n_fails > 200);
  tp_state_free(p.s);
  build_free(&p.b);
}

static void closer_numbers_are_closer(void **state) {
  (void)state;
  plane p = plane_new();
  tp_terms *tt = p.b.tt;
  const tp_term x = build_term(&p.b, p.x), y = build_term(&p.b, p.y), c = bv(&p.b, 32, 100);
  const tp_term formulas[] = {tp_mk_eq(tt, x, c),
                              tp_mk2(tt, TP_OP_BV_SLE, c, x),
                              tp_mk2(tt, TP_OP_BV_ULT, c, x),
                              tp_mk_and(tt, tp_mk_eq(tt, x, c), tp_mk_eq(tt, y, c)),
                              tp_mk_or(tt, tp_mk_eq(tt, x, c), tp_mk_eq(tt, x, bv(&p.b, 32, 1000))),
                              tp_mk_not(tt, tp_mk2(tt, TP_OP_BV_SLT, x, c))};
  for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++) {
    double before = 1e300;
    for (int64_t at = 0; at < 100; at++) {
      set(&p, at, 0);
      const double d = distance(&p, formulas[i]);
      if (d >= before) fail_msg("formula %zu at %lld: %g after %g", i, (long long)at, d, before);
      before = d;
    }
  }
  tp_state_free(p.s);
  build_free(&p.b);
}

// --------------------------------------------------------------------------- runs

/* for (x = 0; ask(); ) { k = ask(); x = k == 7 * x + 3 ? x + 1 : (x ? x - step : 0); assert(x <
 * 40); } With step 1 the error is reachable by right answers only; with `is_safe` x never grows
 * beyond 39. */
typedef struct {
  build b;
  tp_loc head;
  tp_term x;
} counter;
static counter counter_new(bool is_safe) {
  counter c = {.b = build_new(64)};
  build *b = &c.b;
  const tp_sort word = tp_sort_bv(b->tt, 32);
  build_func(b, "main", (tp_sort){0});
  const tp_var x = build_var(b, "x", word), k = build_var(b, "k", word),
               more = build_var(b, "more", word);
  c.x = build_term(b, x);
  build_assign(b, x, bv(b, 32, 0));
  c.head = b->at;
  build_edge(b, (tp_edge_info){.kind = TP_E_HAVOC, .var = more, .input = TP_I_NONDET});
  const tp_loc end =
      build_branch(b, tp_mk_not(b->tt, tp_mk_eq(b->tt, build_term(b, more), bv(b, 32, 0))));
  build_edge(b, (tp_edge_info){.kind = TP_E_HAVOC, .var = k, .input = TP_I_NONDET});
  const tp_term key = tp_mk2(b->tt, TP_OP_BV_ADD,
                             tp_mk2(b->tt, TP_OP_BV_MUL, c.x, bv(b, 32, 70001)), bv(b, 32, 3)),
                up = tp_mk2(b->tt, TP_OP_BV_ADD, c.x, bv(b, 32, 1));
  tp_term right = tp_mk_eq(b->tt, build_term(b, k), key);
  if (is_safe) right = tp_mk_and(b->tt, right, tp_mk2(b->tt, TP_OP_BV_ULT, c.x, bv(b, 32, 39)));
  build_assign(b, x, tp_mk_ite(b->tt, right, up, bv(b, 32, 0)));
  build_assert(b, tp_mk2(b->tt, TP_OP_BV_ULT, c.x, bv(b, 32, 40)));
  build_edge(b, (tp_edge_info){.kind = TP_E_SKIP, .to = c.head});
  b->at = end;
  build_return(b, TP_TERM_NONE);
  build_done(b);
  return c;
}

/* Looks for the goal x == 39 at the loop (none without has_goal). */
static bool seek(bool is_safe, bool has_goal, uint64_t seed, uint64_t *hash, uint64_t *tests) {
  counter c = counter_new(is_safe);
  tp_board board;
  tp_result r;
  tp_stats stats = {0};
  tp_board_init(&board);
  tp_result_init(&r);
  tp_str text = {0};
  tp_str_printf(&text, "at %u (EQ (var %u) (bv 32 39))", c.head.id,
                tp_program_var_of(c.b.p, c.x).id);
  if (has_goal) assert_true(tp_board_add(&board, TP_BOARD_GOAL, "kinduction", text.text));
  const tp_task task = {
      .program = c.b.p, .property = TP_P_UNREACH_CALL, .seed = seed, .board = &board};
  const tp_budget budget = {.cpu_s = 60};
  const bool fails = tp_seek(&task, &budget, &stats, &r);
  assert_int_equal(fails, r.verdict == TP_VERDICT_FALSE);
  if (fails) {
    tp_vector_oracle vector = {.in = &r.inputs};
    tp_oracle oracle = tp_oracle_of_vector(&vector);
    const tp_run_result run = tp_exec_main(c.b.p, &oracle, (tp_run_limits){0}, NULL);
    assert_int_equal(run.end, TP_END_ERROR);
    assert_non_null(strstr(r.help, "that kinduction could not exclude"));
  }
  for (size_t i = 0; hash && i < r.inputs.v.n; i++)
    *hash =
        tp_hash_bytes((const char *)&r.inputs.v.at[i].bits, sizeof r.inputs.v.at[i].bits, *hash);
  if (tests) *tests = stats.tests_run;
  tp_str_clear(&text);
  tp_result_clear(&r);
  tp_board_clear(&board);
  build_free(&c.b);
  return fails;
}

static void a_goal_behind_forty_right_answers_is_found(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 4; seed++) assert_true(seek(false, true, seed, NULL, NULL));
}

static void its_safe_twin_ends_without_an_answer(void **state) {
  (void)state;
  uint64_t tests;
  assert_false(seek(true, true, 1, NULL, &tests));
  assert_true(tests > 1000);
}

static void nothing_is_run_without_a_goal(void **state) {
  (void)state;
  uint64_t tests;
  assert_false(seek(false, false, 1, NULL, &tests));
  assert_int_equal(tests, 0);
}

static void the_same_seed_gives_the_same_inputs(void **state) {
  (void)state;
  uint64_t n_a, n_b, a = 0, b = 0, other = 0;
  assert_true(seek(false, true, 5, &a, &n_a) && seek(false, true, 5, &b, &n_b));
  assert_int_equal(n_a, n_b);
  assert_int_equal(a, b);
  assert_true(seek(false, true, 6, &other, NULL));
  assert_int_not_equal(a, other);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_distance_is_0_exactly_where_the_formula_holds),
      cmocka_unit_test(closer_numbers_are_closer),
      cmocka_unit_test(a_goal_behind_forty_right_answers_is_found),
      cmocka_unit_test(its_safe_twin_ends_without_an_answer),
      cmocka_unit_test(nothing_is_run_without_a_goal),
      cmocka_unit_test(the_same_seed_gives_the_same_inputs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
