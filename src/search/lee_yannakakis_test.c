// Lee and Yannakakis: the reachable quotient of finite programs, by brute force as well; programs
// without a finite one.
#include "search/outcomes_test.h"
#include "search/recipes_test.h"
#include "search/search_engines.h"

static const tp_engine *const engine = &tp_engine_lee_yannakakis;
static const tp_search_settings usual = {0};

/* Regions that were visited are the classes that can be reached, and those of the three states
 * before place 0. */
static void S18_the_reachable_quotient_of_finite_programs(void **state) {
  (void)state;
  tp_rng r;
  tp_rng_init(&r, 18);
  size_t n_failing = 0, n_safe = 0;
  for (int k = 0; k < 60; k++) {
    recipe p = recipe_draw(&r);
    bool reached[RECIPE_STATES], is_class[RECIPE_STATES] = {false}, fails = false;
    uint32_t class[RECIPE_STATES], n_classes = 0;
    tp_stats stats;
    recipe_reach(&p, reached);
    recipe_classes(&p, class);
    for (uint32_t s = 0; s < RECIPE_STATES; s++) {
      if (!reached[s]) continue;
      fails |= p.has_error && s / RECIPE_Y / RECIPE_X == RECIPE_PLACES;
      n_classes += !is_class[class[s]];
      is_class[class[s]] = true;
    }
    // the end is left for the exit, where no state differs from another either
    bool ends = false;
    for (uint32_t s = 0; s < RECIPE_STATES; s++)
      ends |= reached[s] && !p.has_error && s / RECIPE_Y / RECIPE_X == RECIPE_PLACES;
    assert_int_equal(verdict_of(recipe_build(&p), engine, usual, 0, &stats),
                     fails ? TP_VERDICT_FALSE : TP_VERDICT_TRUE);
    if (!fails) assert_int_equal(stats.regions_reached, n_classes + 3 + ends);
    *(fails ? &n_failing : &n_safe) += 1;
  }
  assert_true(n_failing > 5 && n_safe > 5);
}

static void S15_figure_6_has_no_finite_quotient(void **state) {
  (void)state;
  tp_stats stats;
  uint64_t before = 0;
  for (uint64_t steps = 10; steps <= 40; steps *= 2) {
    assert_int_equal(verdict_of(figure_6(true), engine, usual, steps, &stats), TP_VERDICT_UNKNOWN);
    assert_int_equal(stats.iterations, steps);
    assert_true(stats.splits > before);
    before = stats.splits;
  }
}

/* It looks at all that can be reached, and so ends where Synergy alone does not. */
static void S01_figures(void **state) {
  (void)state;
  tp_stats stats;
  for (int three = 0; three < 2; three++) {
    tp_search_settings settings = {.three_regions = three};
    assert_int_equal(verdict_of(figure_3(true).b, engine, settings, 200, &stats), TP_VERDICT_TRUE);
    assert_int_equal(verdict_of(figure_3(false).b, engine, settings, 200, &stats),
                     TP_VERDICT_FALSE);
    assert_int_equal(verdict_of(figure_7(false), engine, settings, 200, &stats), TP_VERDICT_FALSE);
    assert_int_equal(verdict_of(figure_8(2, true), engine, settings, 200, &stats), TP_VERDICT_TRUE);
    assert_int_equal(verdict_of(figure_8(2, false), engine, settings, 200, &stats),
                     TP_VERDICT_FALSE);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(S18_the_reachable_quotient_of_finite_programs),
      cmocka_unit_test(S15_figure_6_has_no_finite_quotient), cmocka_unit_test(S01_figures)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
