// The examples of the method's source with their numbers: cells that tests cover, cells of the closed set, verdicts.
#include "engine/adequacy/trial_test.h"

#define HEAD "extern int __VERIFIER_nondet_int(void);\n"
#define FOO(bound)                                                                                       \
  HEAD "void foo(int x, int y) {\n  int *px = 0;\n  x = x + 1;\n  if (x < " #bound ")\n    px = &x;\n" \
       "  if (px == &y)\n    x = x + 1;\n  if (x < 5)\n    *px = *px + 1;\n}\n"                         \
       "int main(void) {\n  int x = __VERIFIER_nondet_int();\n  int y = __VERIFIER_nondet_int();\n  foo(x, y);\n  return 0;\n}\n"

static void load_foo(trial *t, const char *source, int64_t bound) {
  static const int64_t tests[][2] = {{2, 0}, {6, 0}, {11, 0}};
  trial_load(t, source, TP_P_VALID_DEREF);
  t->q.settings.cutpoints = TP_CUTPOINTS_ALL;
  trial_probe(t, "foo", 4, "x small", trial_less(t, trial_value(t, "foo", "x"), bound));
  trial_probe(t, "foo", 4, "px null", tp_mk_eq(t->tt, trial_value(t, "foo", "px"), tp_mk_null(t->tt)));
  for (int i = 0; i < 3; i++) trial_test(t, tests[i], 2);
}

static void Y01_Y05_Y10_foo(void **state) {
  (void)state;
  trial t;
  size_t covered, all;
  load_foo(&t, FOO(4), 5);
  trial_run(&t);
  trial_show(&t);
  trial_cells(&t, &covered, &all);
  assert_int_equal(covered, 12);
  assert_int_equal(all, 18);
  assert_int_equal(t.out.verdict, TP_VERDICT_FALSE);
  assert_true(t.out.inputs.v.n >= 1);
  assert_int_equal((int32_t)t.out.inputs.v.at[0].bits, 3);
  trial_done(&t);
  trial_free(&t);
}

static void Y11_fixed_foo(void **state) {
  (void)state;
  trial t;
  size_t covered, all;
  load_foo(&t, FOO(5), 5);
  trial_run(&t);
  trial_show(&t);
  trial_cells(&t, &covered, &all);
  assert_int_equal(covered, 12);
  assert_int_equal(all, 15);
  assert_int_equal(t.out.verdict, TP_VERDICT_TRUE);
  assert_int_equal(trial_certify(&t), TP_CERTIFY_ACCEPTED);
  trial_done(&t);
  trial_free(&t);
}

static void Y12_coarse(void **state) {
  (void)state;
  trial t;
  size_t covered, all;
  load_foo(&t, FOO(5), 10);
  trial_run(&t);
  trial_show(&t);
  trial_cells(&t, &covered, &all);
  assert_int_equal(covered, 15);
  assert_int_equal(all, 19);
  assert_int_equal(t.out.verdict, TP_VERDICT_UNKNOWN);
  trial_done(&t);
  trial_free(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(Y01_Y05_Y10_foo),
      cmocka_unit_test(Y11_fixed_foo),
      cmocka_unit_test(Y12_coarse),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
