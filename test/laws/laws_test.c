/* The laws of configurable program analysis (laws.h), tried on every row of the table of analyses
 * and on composites. */
#include "laws.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MODELS = 3, SOAK_MODELS = 1000 };

static const char *const COMPOSITES[] = {
    "analysis = location callstack value interval\ntransfer = strengthened\n",
    "analysis = location callstack (interval octagon)\ntransfer = strengthened\n",
    "analysis = location callstack constant\nconstant.merge = sep\nmerge = sep\n",
    "analysis = location callstack value interval octagon\nmerge = join-on-location\nvalue.merge = "
    "join\n",
    "analysis = location callstack interval\ninterval.widen-after = 1\nwaitlist = bfs\n",
    "analysis = location callstack value\nvalue.threshold = 1\nwaitlist = dfs\n",
    "analysis = location callstack (sign constant)\nwaitlist = bfs\n",
    "analysis = location callstack bits interval\ntransfer = strengthened\n",
    "analysis = location callstack value interval\nvalue.threshold = 2\nmerge = pred-join\ncompare "
    "= weaken\n",
    "analysis = location callstack sign interval\nmerge = join-shape\ntransfer = "
    "strengthened\ncompare = weaken\n",
    "analysis = facts location callstack per-location(interval)\n",
    "analysis = location callstack predicate\npredicate.initial = conditions\n",
    "analysis = location callstack predicate\npredicate.initial = conditions\npredicate.blocks = "
    "edges\npredicate.abstraction = boolean\n",
    "analysis = location callstack predicate\npredicate.initial = conditions\npredicate.blocks = "
    "loops\nwaitlist = bfs\n",
    "analysis = location callstack interval predicate\ntransfer = strengthened\npredicate.initial "
    "= conditions\n",
    "analysis = location callstack value pointer\nmerge = pred-join\nvalue.threshold = 1\n",
    "analysis = location callstack predicate pointer\nmerge = pred-join\ntransfer = "
    "strengthened\npredicate.initial = conditions\npredicate.blocks = edges\n",
    "analysis = location callstack value predicate\nmerge = sep\nadjust = "
    "precision-transfer\nvalue.threshold = 1\nvalue.unknown = infer\npredicate.blocks = edges\n",
    "analysis = location callstack value predicate\nadjust = precision-transfer\nvalue.threshold = "
    "0\npredicate.blocks = loops\npredicate.abstraction = boolean\n",
    "analysis = location callstack value predicate\nadjust = precision-transfer\nvalue.threshold = "
    "2\ntransfer = strengthened\nvalue.unknown = leaves\n"
    "predicate.infer = syntactic mined\n",
};
enum { N_COMPOSITES = sizeof COMPOSITES / sizeof *COMPOSITES };

static uint64_t n_models(void) { return getenv("TP_SOAK") ? SOAK_MODELS : MODELS; }

static void check_composition(const char *text) {
  unsigned long checks[LAWS_N] = {0};
  unsigned bad = 0;
  for (uint64_t seed = 1; seed <= n_models(); seed++)
    bad += !laws_of_model(text, seed, NULL, true, checks);
  printf("a %lu b %lu c %lu d %lu e %lu f %lu g %lu reached %lu: %s", checks[0], checks[1],
         checks[2], checks[3], checks[4], checks[5], checks[6], checks[7], text);
  fflush(stdout);
  assert_int_equal(bad, 0);
  assert_true(checks[1] > 20 && checks[3] > 20 && checks[4] > 200 && checks[5] > 20);
}

/* Each analysis of the table: with location and call string, which decide where a step leads. */
static void F32_laws_of_every_analysis(void **state) {
  (void)state;
  for (size_t i = 0; tp_analyses[i]; i++) {
    const char *name = tp_analyses[i]->name;
    bool is_place = !strcmp(name, "location") || !strcmp(name, "callstack");
    char text[200];
    snprintf(text, sizeof text, "analysis = location callstack%s%s\n", is_place ? "" : " ",
             is_place ? "" : name);
    check_composition(text);
  }
}

static void F32_laws_of_composites(void **state) {
  (void)state;
  for (size_t i = 0; i < N_COMPOSITES; i++) check_composition(COMPOSITES[i]);
}

int main(int argc, char **argv) {
  if (argc > 2) {
    unsigned long checks[LAWS_N] = {0};
    return !laws_of_model(argv[1], strtoull(argv[2], NULL, 10), NULL, true, checks);
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(F32_laws_of_every_analysis),
                                     cmocka_unit_test(F32_laws_of_composites)};
  return cmocka_run_group_tests_name("laws", tests, NULL, NULL);
}
