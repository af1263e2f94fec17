/* The differential verdict fuzzer: random programs whose exact verdict is known by running them on
 * all inputs.
 *
 * Programs are models made by hand (models.c), judged by judge.c. A disagreement is minimised and
 * printed with its tape.
 *
 *   fuzz_verdict_test                  some seconds of models; TP_SOAK=1: 20,000
 *   fuzz_verdict_test SEED N           N programs from SEED on
 *   fuzz_verdict_test SEED show        the program of one seed with its verdicts
 *   fuzz_verdict_test tape N N N ...   the same for a printed tape */
#include "judge.h"
#include "models.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { QUICK_S = 5, SOAK_PROGRAMS = 20000, MINIMISE_TRIES = 3000 };

static const exact_limits LIMITS = {.max_runs = 3000, .max_steps = 20000, .max_bits = 8};

// ------------------------------------------------------------------ one model

typedef struct {
  const char *wrong;  // reproduce this disagreement (first word counts)
  bool print;
  outcome outcome;
} attempt;

static bool try_tape(void *ctx, const uint32_t *choices, size_t n) {
  attempt *a = ctx;
  tape t;
  traits what;
  tp_diag *diag = tp_diag_new(stderr, false);
  tape_given(&t, choices, n);
  tp_program *p = model_make(&t, diag, &what);
  a->outcome = judge(p, what, LIMITS, &t);
  if (a->print) {
    tp_str s = {0};
    tp_program_print(p, &s);
    printf("property %s\n%s\n", tp_property_name(what.asked), tp_str_text(&s));
    tp_str_clear(&s);
  }
  tp_program_free(p);
  tp_diag_free(diag);
  tape_clear(&t);
  return a->outcome.wrong[0] && strncmp(a->outcome.wrong, a->wrong, 12) == 0;
}

static void report(const tape *t, uint64_t seed, const outcome *o) {
  attempt a = {.wrong = o->wrong};
  size_t n = t->made.n;
  uint32_t *choices = TP_NEW_ARRAY(uint32_t, n + 1);
  memcpy(choices, t->made.at, n * sizeof *choices);
  printf("seed %llu: %s\n", (unsigned long long)seed, o->wrong);
  fflush(stdout);
  tape_minimise(choices, &n, try_tape, &a, MINIMISE_TRIES);
  a.print = true;
  (void)try_tape(&a, choices, n);
  printf("%s\ntape {", a.outcome.wrong);
  for (size_t i = 0; i < n; i++) printf("%s%u", i ? ", " : "", choices[i]);
  printf("}\n");
  fflush(stdout);
  tp_free(choices);
}

static outcome run_seed(uint64_t seed, bool show) {
  tape t;
  traits what;
  size_t live = tp_live_bytes();
  tp_diag *diag = tp_diag_new(stderr, false);
  tape_fresh(&t, seed);
  tp_program *p = model_make(&t, diag, &what);
  outcome o = judge(p, what, LIMITS, &t);
  if (show) {
    tp_str s = {0};
    tp_program_print(p, &s);
    printf("property %s\n%s\n", tp_property_name(what.asked), tp_str_text(&s));
    tp_str_clear(&s);
  }
  tp_program_free(p);
  tp_diag_free(diag);
  if (o.wrong[0] && !show && !getenv("FUZZ_AS_FOUND"))
    report(&t, seed, &o);
  else if (o.wrong[0] && !show)
    printf("seed %llu: %s\n", (unsigned long long)seed, o.wrong);
  tape_clear(&t);
  if (tp_live_bytes() != live) snprintf(o.wrong, sizeof o.wrong, "memory leaked");
  return o;
}

// ----------------------------------------------------------------------- many

static totals run_many(uint64_t first, uint64_t n, double seconds) {
  totals s = {0};
  double start = tp_wall_s();
  for (uint64_t i = 0; i < n && s.wrong < 5 && (seconds <= 0 || tp_wall_s() - start < seconds);
       i++) {
    outcome o = run_seed(first + i, false);
    totals_add(&s, &o);
    if (getenv("FUZZ_UNKNOWN") && o.reason[0])
      printf("seed %llu: %s\n", (unsigned long long)(first + i), o.reason);
  }
  totals_print(&s, tp_wall_s() - start);
  return s;
}

static void random_models(void **state) {
  (void)state;
  bool soak = getenv("TP_SOAK") != NULL;
  totals s = soak ? run_many(1, SOAK_PROGRAMS, 0) : run_many(1, UINT64_MAX, QUICK_S);
  assert_int_equal(s.wrong, 0);
  assert_true(s.exact[EXACT_SAFE] > 0 && s.exact[EXACT_UNSAFE] > 0);
  assert_true(s.unknown_closed * 10 < s.closed || s.closed < 100);
}

static int show_tape(size_t n, char **numbers) {
  uint32_t *choices = TP_NEW_ARRAY(uint32_t, n + 1);
  for (size_t i = 0; i < n; i++) choices[i] = (uint32_t)strtoul(numbers[i], NULL, 10);
  attempt a = {.wrong = "", .print = true};
  (void)try_tape(&a, choices, n);
  outcome_print(&a.outcome);
  tp_free(choices);
  return a.outcome.wrong[0] != 0;
}

int main(int argc, char **argv) {
  if (argc > 2 && strcmp(argv[1], "tape") == 0) return show_tape((size_t)argc - 2, argv + 2);
  if (argc > 2 && strcmp(argv[2], "show") == 0) {
    outcome o = run_seed(strtoull(argv[1], NULL, 10), true);
    outcome_print(&o);
    return o.wrong[0] != 0;
  }
  if (argc > 2)
    return run_many(strtoull(argv[1], NULL, 10), strtoull(argv[2], NULL, 10), 0).wrong != 0;
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_models)};
  return cmocka_run_group_tests_name("fuzz_verdict", tests, NULL, NULL);
}
