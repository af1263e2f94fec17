// The forest: states are unique, tests run to their ends, ways are put in order.
#include "search/forest.h"

#include "search/figures_test.h"
#include "search/recipes_test.h"

/* Figure 9 runs for ever through four states; the state before main is the first of them once more.
 */
static void S02_states_are_unique(void **state) {
  (void)state;
  for (uint64_t steps = 10; steps <= 1000000; steps *= 100) {
    build b = figure_9();
    figure_setting *s = figure_open(&b, (tp_search_settings){0});
    tp_forest f;
    tp_forest_init(&f, &s->pt, TP_P_UNREACH_CALL, (tp_run_limits){.steps = steps});
    (void)tp_forest_run(&f, NULL, NULL);
    assert_int_equal(f.states.n - 1, 4 + 1);
    assert_int_equal(f.n_new, 5);
    assert_int_equal(f.tests.at[0].end.end, TP_END_LIMIT);
    (void)tp_forest_run(&f, NULL, NULL);
    assert_int_equal(f.n_new, 0);
    for (size_t i = 1; i < f.states.n; i++)
      for (size_t k = 1; k < i; k++)
        assert_true(f.states.at[i].node != f.states.at[k].node ||
                    !tp_state_equal(f.states.at[i].state, f.states.at[k].state));
    tp_forest_clear(&f);
    figure_close(s);
    build_free(&b);
  }
}

/* A run that ends does so, however long its loop is; of one that does not, what was seen before the
 * limit stays. */
static void S05_tests_run_to_their_end_or_limit(void **state) {
  (void)state;
  for (int64_t n = 10; n <= 100000; n *= 100) {
    build b = figure_1(n, FIGURE_1_FAILS);
    figure_setting *s = figure_open(&b, (tp_search_settings){0});
    tp_forest f;
    tp_forest_init(&f, &s->pt, TP_P_UNREACH_CALL, (tp_run_limits){.steps = 200000});
    (void)tp_forest_run(&f, NULL, NULL);
    bool ends = 3 * n < 200000;
    assert_int_equal(f.tests.at[0].end.end, ends ? TP_END_ERROR : TP_END_LIMIT);
    assert_int_equal(f.failing, ends ? 1 : 0);
    assert_int_equal(f.tests.at[0].steps, ends ? 3 * n + 5 : 200000);
    assert_true(f.states.n > 20);
    assert_true(f.states.n <
                3 * (f.per_node + 20) + 10);  // a sample: some of each node, fewer and fewer
    assert_int_equal(f.states.at[f.states.n - 1].step, f.tests.at[0].steps);
    tp_forest_clear(&f);
    figure_close(s);
    build_free(&b);
  }
}

typedef struct {
  uint64_t left;
  tp_state *found;
} finder;

static bool find_visit(void *ctx, const tp_state *s) {
  finder *f = ctx;
  if (f->left-- > 0) return true;
  f->found = tp_state_copy(s);
  return false;
}

/* The state that a test visits as its n-th, by the machine alone. */
static tp_state *nth_state(const tp_forest *f, uint32_t test, uint64_t n) {
  tp_vector_oracle vector = {.in = &f->tests.at[test].inputs, .then_zero = true};
  tp_oracle oracle = tp_oracle_of_vector(&vector);
  finder find = {.left = n};
  const tp_observer observer = {.mask = TP_OBSERVE_ALL, .ctx = &find, .at = find_visit};
  (void)tp_exec_main(f->pt->blocks->paths->p, &oracle, f->limits, &observer);
  return find.found;
}

/* Both conditions: the way behind the frontier was never visited; the way to it is a run's, block
 * by block, to a state in the cell before it. */
static void check_order(tp_forest *f, const tp_abstract_path *path) {
  uint32_t at;
  uint64_t length;
  tp_block_list blocks = {0};
  size_t k = tp_forest_ordered_path(f, path, &at, &length);
  for (size_t i = k; i <= path->n; i++)
    assert_int_equal(tp_forest_first(f, i == 0 ? path->at[0].from : path->at[i - 1].to), 0);
  assert_int_equal(at == 0, k == 0);
  assert_int_equal(length, tp_forest_frontier(f, at) + path->n + 1 - k);
  if (k == 0) return;
  const tp_visited *v = &f->states.at[at];
  assert_int_equal(v->cell, k == 1 ? path->at[0].from : path->at[k - 2].to);
  assert_int_equal(tp_partition_cell_of(f->pt, v->node, v->state), v->cell);
  tp_state *s = nth_state(f, v->test, v->visit);
  assert_true(tp_state_equal(s, v->state));
  tp_state_free(s);
  assert_true(tp_forest_blocks(f, at, 10000, &blocks));
  uint32_t node = 0;
  for (size_t i = 0; i < blocks.n; i++) {
    assert_int_equal(f->pt->blocks->list.at[blocks.at[i]].from, node);
    node = f->pt->blocks->list.at[blocks.at[i]].to;
  }
  assert_int_equal(node, f->states.at[at].node);
  tp_vec_clear(&blocks);
}

/* Splits a leaf by some condition. */
static void split_somewhere(tp_forest *f, const build *b, tp_rng *r) {
  uint32_t cell = 1 + (uint32_t)tp_rng_below(r, f->pt->cells.n - 1), yes, no;
  if (!tp_partition_is_leaf(f->pt, cell) || f->pt->cells.at[cell].node == 0) return;
  tp_term x = TP_TERM_NONE;
  for (uint32_t v = 1; v < b->p->vars.n; v++)
    if (!strcmp(b->p->vars.at[v].name, "x")) x = b->p->vars.at[v].term;
  tp_term by = tp_mk2(b->tt, TP_OP_BV_ULT, x, bv(b, 3, (int64_t)tp_rng_below(r, RECIPE_X)));
  tp_partition_split(f->pt, f->pt->cells.at[cell].region, &by, &yes, &no);
  tp_forest_reassign(f, &cell, 1);
}

static void test_with(tp_forest *f, tp_rng *r) {
  tp_inputs inputs;
  tp_inputs_init(&inputs);
  for (int i = 0; i < 6; i++)
    tp_inputs_add(&inputs, (tp_input){.width_bits = 2, .bits = tp_rng_below(r, RECIPE_Y)});
  (void)tp_forest_run(f, &inputs, NULL);
  tp_inputs_clear(&inputs);
}

static void S03_ordered_ways_on_random_graphs_and_forests(void **state) {
  (void)state;
  tp_rng r;
  tp_rng_init(&r, 3);
  size_t n_ways = 0;
  for (int k = 0; k < 400; k++) {
    recipe p = recipe_draw(&r);
    p.has_error = true;
    build b = recipe_build(&p);
    figure_setting *s =
        figure_open(&b, (tp_search_settings){.latest_state = k % 2, .lazy_edges = k % 3 == 0});
    tp_forest f;
    tp_abstract_path path = {0};
    tp_forest_init(&f, &s->pt, TP_P_UNREACH_CALL, (tp_run_limits){.steps = 100});
    for (int i = 0; i < 12 && !f.failing && tp_partition_error_path(&s->pt, &path); i++, n_ways++) {
      check_order(&f, &path);
      if (i % 3 == 0)
        test_with(&f, &r);
      else
        split_somewhere(&f, &b, &r);
      path.n = 0;
    }
    tp_vec_clear(&path);
    tp_forest_clear(&f);
    figure_close(s);
    build_free(&b);
  }
  assert_true(n_ways > 500);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(S02_states_are_unique),
      cmocka_unit_test(S05_tests_run_to_their_end_or_limit),
      cmocka_unit_test(S03_ordered_ways_on_random_graphs_and_forests)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
