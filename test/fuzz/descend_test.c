/* Widening and narrowing on random programs: with widening as coarse as it gets, and after as many
 * descending steps as change something, no error is missed that exhaustive execution finds, the
 * reached set is one still, and what narrowing says is below what it started from. TP_SOAK=1: 3,000
 * programs. */
#include "cpa/algorithm.h"
#include "cpa/composition.h"
#include "cpa/descend.h"
#include "cpa/recursion.h"
#include "models.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static bool reaches(const tp_program *p, tp_reached *r, tp_property asked) {
  for (uint32_t i = 1; i <= tp_reached_n(r); i++) {
    const tp_node *n = tp_reached_node(r, i);
    if (!n->removed && tp_property_covers(asked, tp_loc_of(p, n->loc)->error)) return true;
  }
  return false;
}

typedef struct {
  uint64_t unsafe, safe, proved, narrowed, won;
} tally;

static void one_program(uint64_t seed, tally *t) {
  static const char text[] =
      "analysis = location callstack interval\nmerge = join-on-location\ninterval.widen-after = "
      "1\ninterval.thresholds = 0\n";
  tape tp = {0};
  traits what = {0};
  tp_diag *diag = tp_diag_new(stderr, false);
  tape_fresh(&tp, seed);
  tp_program *p = model_make(&tp, diag, &what);
  exact_result exact;
  exact_run(
      p, what.asked,
      (exact_limits){
          .max_runs = 2000, .max_steps = 5000, .max_bits = 4, .mask_bits = 4, .ignore_bytes = true},
      &exact);
  tp_str why = {0};
  tp_composition *c = tp_composition_open(p, what.asked, text, NULL, &why);
  if (!c) fail_msg("%s", tp_str_text(&why));
  tp_recursion *run = tp_recursion_new(c->cpa, c->order);
  tp_reached *r = tp_recursion_reached(run);
  assert_int_equal(tp_recursion_run(run, (tp_cpa_limits){.steps = 100000}).end,
                   TP_CPA_DONE);  // it ends
  bool before = reaches(p, r, what.asked);
  t->narrowed += tp_reached_descend(r, 5);
  bool after = reaches(p, r, what.asked);
  if (exact.verdict == EXACT_UNSAFE && (!before || !after))
    fail_msg("program %llu: an error is missed", (unsigned long long)seed);
  if (!tp_reached_check(r, &why))
    fail_msg("program %llu: %s", (unsigned long long)seed, tp_str_text(&why));
  t->unsafe += exact.verdict == EXACT_UNSAFE, t->safe += exact.verdict == EXACT_SAFE,
      t->proved += !after, t->won += before && !after;
  tp_str_clear(&why);
  tp_recursion_free(run);
  tp_composition_close(c);
  exact_clear(&exact);
  tp_program_free(p);
  tp_diag_free(diag);
  tape_clear(&tp);
}

static void F53_narrowing_on_random_programs(void **state) {
  (void)state;
  tally t = {0};
  uint64_t n = getenv("TP_SOAK") ? 3000 : 80;
  for (uint64_t seed = 1; seed <= n; seed++) one_program(seed, &t);
  print_message(
      "%llu unsafe, %llu safe; %llu proved, %llu of them by narrowing; %llu reached sets shrank\n",
      (unsigned long long)t.unsafe, (unsigned long long)t.safe, (unsigned long long)t.proved,
      (unsigned long long)t.won, (unsigned long long)t.narrowed);
  assert_true(t.unsafe > n / 10 && t.proved > n / 20 && t.narrowed > n / 20);
  assert_int_equal(tp_live_bytes(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(F53_narrowing_on_random_programs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
