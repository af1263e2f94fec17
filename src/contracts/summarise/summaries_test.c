/* Summaries of random programs: each run from a small heap ends inside of the summary, and the
 * summaries say enough. TP_SOAK=1: more than 100,000 runs; in slices: TP_SEED=FIRST TP_N=BATCHES.
 */
#include "contracts/summarise/summaries_law.h"

#include <setjmp.h>

#include <cmocka.h>

static void test_K23_runs_end_inside(void **state) {
  (void)state;
  law_counts c = {0};
  const uint64_t batches = getenv("TP_N")      ? strtoull(getenv("TP_N"), NULL, 10)
                           : getenv("TP_SOAK") ? 240
                                               : DEFAULT_BATCHES;
  const uint64_t first = getenv("TP_SEED") ? strtoull(getenv("TP_SEED"), NULL, 10) : 1;
  for (uint64_t i = 0; i < batches; i++) assert_true(check_batch(first + i, 40, 60, NULL, &c));
  print_message(
      "%llu runs, %llu of them of exact searches; of %llu members %llu had one possible value, "
      "%llu could be anything; "
      "nothing is known of %llu functions\n",
      (unsigned long long)c.runs, (unsigned long long)c.walks, (unsigned long long)c.cells,
      (unsigned long long)c.exact_cells, (unsigned long long)c.any_cells,
      (unsigned long long)c.unknown);
  assert_int_equal(c.outside, 0);
  assert_true(c.runs > 500 * batches);
  assert_true(c.walks > 5 * batches);
  assert_true(c.exact_cells * 10 > c.cells * 7);
  assert_true(c.any_cells * 10 < c.cells * 2);
  assert_int_equal(tp_live_bytes(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_K23_runs_end_inside)};
  return cmocka_run_group_tests_name("summaries", tests, NULL, NULL);
}
