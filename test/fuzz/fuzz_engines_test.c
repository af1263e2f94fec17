/* The differential fuzzer over engines: rich random models with exact verdicts, every engine of the
 * table and 20 random compositions (contest.c). A disagreement is minimised and printed with its
 * tape.
 *
 *   fuzz_engines_test                    some seconds; TP_SOAK=1: 20,000 programs
 *   fuzz_engines_test SEED N             N programs from SEED on
 *   fuzz_engines_test SEED N NAME        the same for contenders with NAME in their names, all
 *                                        proofs through the checker
 *   fuzz_engines_test SEED N NAME faults the same with a solver that fails once in each run
 *   fuzz_engines_test SEED show          the program of one seed, and what everybody says
 *   fuzz_engines_test WHO tape N N ...   the same for a printed tape and one contender (its number
 *   in the list)
 *   fuzz_engines_test compositions       the random compositions */
#include "contest.h"
#include "models.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum {
  QUICK_S = 5,
  SOAK_PROGRAMS = 20000,
  COMPOSITIONS = 20,
  COMPOSITIONS_SEED = 1,
  MINIMISE_TRIES = 1500
};

static const exact_limits LIMITS = {.max_runs = 1500, .max_steps = 6000, .max_bits = 8};

typedef struct {
  contest *c;
  int who;
  char wanted[24];  // how the disagreement starts: who, and the first words
  char wrong[300];
  bool print;
} attempt;

static bool try_tape(void *ctx, const uint32_t *choices, size_t n) {
  attempt *a = ctx;
  tape t;
  traits what;
  int who = a->who;
  tp_diag *diag = tp_diag_new(stderr, false);
  tape_given(&t, choices, n);
  tp_program *p = model_make_rich(&t, diag, &what);
  contest_program(a->c, p, what, 1, &who, a->wrong, sizeof a->wrong);
  if (a->print) {
    tp_str s = {0};
    tp_program_print(p, &s);
    printf("property %s\n%s\n", tp_property_name(what.asked), tp_str_text(&s));
    if (who >= 0 && a->c->list.at[who].composition) printf("%s", a->c->list.at[who].composition);
    tp_str_clear(&s);
  }
  tp_program_free(p);
  tp_diag_free(diag);
  tape_clear(&t);
  return a->wrong[0] && strncmp(a->wrong, a->wanted, strlen(a->wanted)) == 0;
}

static void report(const tape *t, uint64_t seed, int who, const char *wrong) {
  contest c;
  contest_init(&c, LIMITS, COMPOSITIONS, COMPOSITIONS_SEED);
  attempt a = {.c = &c, .who = who};
  snprintf(a.wanted, sizeof a.wanted, "%.23s", wrong);
  size_t n = t->made.n;
  uint32_t *choices = TP_NEW_ARRAY(uint32_t, n + 1);
  memcpy(choices, t->made.at, n * sizeof *choices);
  printf("seed %llu: %s\n", (unsigned long long)seed, wrong);
  fflush(stdout);
  tape_minimise(choices, &n, try_tape, &a, MINIMISE_TRIES);
  a.print = true;
  (void)try_tape(&a, choices, n);
  printf("%s\nWHO %d tape", a.wrong, who);
  for (size_t i = 0; i < n; i++) printf(" %u", choices[i]);
  printf("\n");
  fflush(stdout);
  tp_free(choices);
  contest_clear(&c);
}

static void run_seed(contest *c, uint64_t seed, bool show) {
  tape t;
  traits what;
  char wrong[300];
  int who = ALL_CONTENDERS;
  size_t live = tp_live_bytes();
  tp_diag *diag = tp_diag_new(stderr, false);
  tape_fresh(&t, seed);
  tp_program *p = model_make_rich(&t, diag, &what);
  if (show) {
    tp_str s = {0};
    tp_program_print(p, &s);
    printf("property %s\n%s\n", tp_property_name(what.asked), tp_str_text(&s));
    tp_str_clear(&s);
  }
  contest_program(c, p, what, seed, &who, wrong, sizeof wrong);
  tp_program_free(p);
  tp_diag_free(diag);
  if (wrong[0] && (show || getenv("FUZZ_AS_FOUND")))
    printf("seed %llu: %s\n", (unsigned long long)seed, wrong);
  else if (wrong[0])
    report(&t, seed, who, wrong);
  tape_clear(&t);
  if (tp_live_bytes() != live && !wrong[0]) {
    printf("seed %llu: memory leaked\n", (unsigned long long)seed);
    c->wrong++;
  }
}

static uint64_t run_many(contest *c, uint64_t first, uint64_t n, double seconds, const char *only,
                         bool faults) {
  double start_s = tp_wall_s();
  contest_init(c, LIMITS, COMPOSITIONS, COMPOSITIONS_SEED);
  c->only = only;
  c->faults = faults;
  c->certify_one_in = only ? 1 : 8;
  for (uint64_t i = 0; i < n && c->wrong < 5 && (seconds <= 0 || tp_wall_s() - start_s < seconds);
       i++)
    run_seed(c, first + i, false);
  contest_print(c, tp_wall_s() - start_s);
  return c->wrong;
}

static void engines_agree_on_random_models(void **state) {
  (void)state;
  contest c;
  if (getenv("TP_SOAK"))
    run_many(&c, 1, SOAK_PROGRAMS, 0, NULL, false);
  else
    run_many(&c, 1, UINT64_MAX, QUICK_S, NULL, false);
  assert_int_equal(c.wrong, 0);
  if (c.n >= 20)
    assert_true(c.exact[EXACT_SAFE] > 0 &&
                c.exact[EXACT_UNSAFE] > 0);  // sanitizers and solvers together are slow
  uint64_t proofs = 0, accepted = 0, rejected = 0;
  for (size_t i = 0; i < c.list.n; i++) {
    proofs += c.list.at[i].verdicts[TP_VERDICT_TRUE];
    accepted += c.list.at[i].certified[TP_CERTIFY_ACCEPTED];
    rejected += c.list.at[i].certified[TP_CERTIFY_REJECTED];
  }
  if (c.n >= 20) assert_true(proofs > c.n && accepted > 0);
  assert_true(rejected * 10 <=
              accepted + 20);  // true claims that their own formulas do not carry: rare
  contest_clear(&c);
}

/* 1000727: regions at the entry of a recursive function spoke of its locals, and what its contract
 * demanded of callers left too much out. 760085: threaded code compared with a null pointer of
 * which it had made one half. 64057093: widening of regions asked a model for a number as if it
 * were a condition. */
static void programs_that_found_something(void **state) {
  static const struct {
    uint64_t seed;
    const char *only;
  } found[] = {{1000727, "cpa "}, {760085, "cpa "}, {64057093, "split wide"}};
  (void)state;
  contest c;
  contest_init(&c, LIMITS, COMPOSITIONS, COMPOSITIONS_SEED);
  for (size_t k = 0; k < sizeof found / sizeof *found; k++) {
    c.only = found[k].only;
    run_seed(&c, found[k].seed, false);
  }
  assert_int_equal(c.wrong, 0);
  contest_clear(&c);
}

static void print_compositions(void) {
  contest c;
  contest_init(&c, LIMITS, COMPOSITIONS, COMPOSITIONS_SEED);
  for (size_t i = 0; i < c.list.n; i++)
    if (c.list.at[i].composition)
      printf("# %s (%zu)\n%s\n", c.list.at[i].name, i, c.list.at[i].composition);
  contest_clear(&c);
}

static int show_tape(int who, size_t n, char **numbers) {
  contest c;
  contest_init(&c, LIMITS, COMPOSITIONS, COMPOSITIONS_SEED);
  uint32_t *choices = TP_NEW_ARRAY(uint32_t, n + 1);
  for (size_t i = 0; i < n; i++) choices[i] = (uint32_t)strtoul(numbers[i], NULL, 10);
  attempt a = {.c = &c, .who = who, .print = true};
  (void)try_tape(&a, choices, n);
  printf("%s\n", a.wrong);
  tp_free(choices);
  contest_clear(&c);
  return a.wrong[0] != 0;
}

int main(int argc, char **argv) {
  contest c;
  if (argc == 2 && strcmp(argv[1], "compositions") == 0) return print_compositions(), 0;
  if (argc > 3 && strcmp(argv[2], "tape") == 0)
    return show_tape(atoi(argv[1]), (size_t)argc - 3, argv + 3);
  if (argc > 2 && strcmp(argv[2], "show") == 0) {
    contest_init(&c, LIMITS, COMPOSITIONS, COMPOSITIONS_SEED);
    run_seed(&c, strtoull(argv[1], NULL, 10), true);
    contest_print(&c, 0);
    contest_clear(&c);
    return c.wrong != 0;
  }
  if (argc > 2) {
    uint64_t wrong = run_many(&c, strtoull(argv[1], NULL, 10), strtoull(argv[2], NULL, 10), 0,
                              argc > 3 ? argv[3] : NULL, argc > 4);
    contest_clear(&c);
    return wrong != 0;
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(programs_that_found_something),
                                     cmocka_unit_test(engines_agree_on_random_models)};
  return cmocka_run_group_tests_name("fuzz_engines", tests, NULL, NULL);
}
