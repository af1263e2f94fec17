// Numbers in place of predicates: loops whose proofs need bounds, differences, any linear
// relation; widening ends what would not end.
#include "adequacy/trial_test.h"

#define HEAD "extern int __VERIFIER_nondet_int(void);\nvoid reach_error(void) {}\n"

static const struct {
  const char *name, *source;
  tp_verdict intervals, octagons, polyhedra;
} cases[] = {
    {"a counter with a far bound",
     HEAD "int main(void) { int i = 0; while (__VERIFIER_nondet_int()) { if (i < 1000000) i++; } "
          "if (i < 0 || i > 1000000) reach_error(); return 0; }",
     TP_VERDICT_TRUE, TP_VERDICT_TRUE, TP_VERDICT_TRUE},
    {"two counters in step",
     HEAD "int main(void) { int x = 0, y = 0; while (x < 100000) { x++; y++; } if (y != 100000) "
          "reach_error(); return 0; }",
     TP_VERDICT_UNKNOWN, TP_VERDICT_TRUE, TP_VERDICT_TRUE},
    {"one twice as fast",
     HEAD "int main(void) { int x = 0, y = 0; while (x < 100000) { x++; y += 2; } if (y != 200000) "
          "reach_error(); return 0; }",
     TP_VERDICT_UNKNOWN, TP_VERDICT_UNKNOWN, TP_VERDICT_TRUE},
    {"a counter without bound",
     HEAD "int main(void) { int i = 0; while (__VERIFIER_nondet_int()) i++; if (i == 123456789) "
          "reach_error(); return 0; }",
     TP_VERDICT_UNKNOWN, TP_VERDICT_UNKNOWN, TP_VERDICT_UNKNOWN},
};

static void check(tp_abstract_domain domain, size_t i, tp_verdict wanted) {
  static const int64_t tests[] = {1, 1, 0};
  trial t;
  trial_load(&t, cases[i].source, TP_P_UNREACH_CALL);
  t.q.settings.domain = domain;
  t.q.settings.leaves_potential = true;
  t.q.settings.run_limits.steps = 400;
  trial_test(&t, tests, 3);
  trial_run(&t);
  trial_show(&t);
  if (t.out.verdict != wanted)
    fail_msg("%s, domain %d: verdict %d: %s", cases[i].name, domain, t.out.verdict,
             t.out.reason ? t.out.reason : "");
  assert_true(t.report.is_closed);
  assert_true(t.report.counters.widenings > 0);
  assert_true(t.report.counters.rounds < 200);
  if (t.out.verdict == TP_VERDICT_TRUE) assert_int_equal(trial_certify(&t), TP_CERTIFY_ACCEPTED);
  trial_done(&t);
  trial_free(&t);
}

static void Y23_intervals(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    check(TP_ABSTRACT_INTERVALS, i, cases[i].intervals);
}

static void Y23_octagons(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    check(TP_ABSTRACT_OCTAGONS, i, cases[i].octagons);
}

static void Y23_polyhedra(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    check(TP_ABSTRACT_POLYHEDRA, i, cases[i].polyhedra);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(Y23_intervals),
      cmocka_unit_test(Y23_octagons),
      cmocka_unit_test(Y23_polyhedra),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
